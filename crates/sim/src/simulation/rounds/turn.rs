//! The turn of a host, in which it does everything that is known to reach it.

use ackclock_units::Time;

use super::super::runaway::MOST_AT_INSTANT;
use super::host_port::HostPort;
use crate::event::{Moment, Source};
use crate::transport::endpoint::Endpoint;
use crate::transport::receiver::Receiver;
use crate::transport::sender::Sender;

/// A host that does everything that is known to reach it.
pub(super) struct Turn {
    pub flow: u32,
    pub link: Source,
    /// Number of the host's timer.
    pub timer: Source,
    /// Time of the sender's first event.
    pub start: Time,
    pub until: Moment,
    pub events: u64,
    /// Number of events at which the turn ends early, so that others go on.
    pub most: u64,
    pub instant: Time,
    pub spins: u64,
}

/// Why a host's turn is interrupted.
pub(super) enum Pause {
    /// Nothing more is known to reach the host.
    End,
    /// Something of the record may have changed.
    Change(Time),
    /// The turn has been long enough: the host has done everything before this moment.
    Enough(Moment),
    /// Time stands still.
    StandStill(Time),
}

impl Turn {
    /// The moment of the host's timer, if it comes before anything reaches the host.
    #[inline]
    fn fires(&mut self, deadline: Time) -> Result<Moment, Pause> {
        let moment = Moment::of(deadline, self.timer, 0);
        if moment >= self.until {
            return Err(Pause::End);
        }
        if self.events >= self.most {
            return Err(Pause::Enough(moment));
        }
        self.events += 1;
        if deadline != self.instant {
            (self.instant, self.spins) = (deadline, 0);
        }
        self.spins += 1;
        if self.spins > MOST_AT_INSTANT { Err(Pause::StandStill(deadline)) } else { Ok(moment) }
    }

    /// When the next packet reaches the host, if its timer does not fire before.
    #[inline]
    fn takes(&mut self, deadline: Time, port: &mut impl HostPort) -> Result<Option<Time>, Pause> {
        let Some((time, number)) = port.inbox().front().filter(|first| first.0 <= deadline) else {
            return Ok(None);
        };
        let moment = Moment::of(time, self.link, number);
        if moment >= self.until {
            return Err(Pause::End);
        }
        self.events += 1;
        port.at(moment);
        Ok(Some(time))
    }

    /// Hands over the packet that reaches the host. A plain packet is one of its own, so that it
    /// never goes through memory. False: the host discards the packet.
    #[expect(clippy::inline_always, reason = "once per packet, of which few fields are read")]
    #[inline(always)]
    fn hand_over<D: HostPort>(
        &self,
        is_reverse: bool,
        now: Time,
        port: &mut D,
        host: &mut impl Endpoint,
    ) -> bool {
        let Some((thin, extra)) = port.inbox().take(self.flow) else { return false };
        let Some(extra) = extra else {
            let is_accepted = port.accept(&thin.tcp_packet(is_reverse), now);
            if is_accepted && !host.on_plain_packet(&thin.tcp_packet(is_reverse), now, port) {
                host.on_any_packet(&thin.tcp_packet(is_reverse), now, port);
            }
            return is_accepted;
        };
        let packet = thin.packet(&extra);
        let is_accepted = port.accept(&packet, now);
        if is_accepted {
            host.on_any_packet(&packet, now, port);
        }
        is_accepted
    }

    /// Goes on with a receiver's turn. `tells`: every change is recorded.
    #[inline]
    pub fn receive(
        &mut self,
        receiver: &mut Receiver,
        tells: bool,
        port: &mut impl HostPort,
    ) -> Result<(), Pause> {
        loop {
            let deadline = receiver.deadline();
            let now = if let Some(now) = self.takes(deadline, port)? {
                if !self.hand_over(false, now, port, receiver) {
                    continue;
                }
                now
            } else {
                port.at(self.fires(deadline)?);
                receiver.on_timer(deadline, port);
                deadline
            };
            if tells {
                return Err(Pause::Change(now));
            }
        }
    }

    /// Goes on with a sender's turn. `was_done`: the sender was known to be done; `tells`: every
    /// change is recorded.
    #[inline]
    pub fn send(
        &mut self,
        sender: &mut Sender,
        was_done: bool,
        tells: bool,
        port: &mut impl HostPort,
    ) -> Result<(), Pause> {
        loop {
            let deadline = if sender.is_closed() { self.start } else { sender.deadline() };
            let now = if let Some(now) = self.takes(deadline, port)? {
                if !self.hand_over(true, now, port, sender) {
                    continue;
                }
                now
            } else {
                port.at(self.fires(deadline)?);
                sender.on_timer(deadline, port);
                deadline
            };
            if tells || sender.is_done() && !was_done {
                return Err(Pause::Change(now));
            }
        }
    }
}
