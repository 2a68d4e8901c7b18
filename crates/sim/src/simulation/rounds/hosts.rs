//! Hosts that one link reaches last: each does everything that is known to reach it.

use std::ops::Range;

use ackclock_units::Time;

use super::super::Simulation;
use super::super::runaway::MOST_AT_INSTANT;
use super::Rounds;
use crate::event::{EventSource, Moment, Source, Step};
use crate::net::Network;
use crate::net::rounds::Left;
use crate::net::transit::{Edge, Feeder, Inbox};
use crate::packet::Packet;
use crate::transport::receiver::Receiver;
use crate::transport::sender::Sender;
use crate::wire::{Answer, Wire};

/// The network as a host sees it, through which it knows what reaches it and when.
trait Door: Wire {
    /// Packets that reach the host.
    fn inbox(&mut self) -> &mut Inbox;

    /// Everything from now on happens at `moment`.
    fn at(&mut self, moment: Moment);

    /// Takes a packet off its last link. False: the host discards it.
    fn accept(&mut self, packet: &Packet, now: Time) -> bool;
}

/// The door of a host of which nothing is recorded.
struct Plain<'a> {
    inbox: &'a mut Inbox,
    edge: &'a mut Edge,
    step: Step,
    left: Left,
}

impl Wire for Plain<'_> {
    #[expect(clippy::inline_always, reason = "once per packet, whose fields are known")]
    #[inline(always)]
    fn send(&mut self, packet: &Packet, _now: Time) {
        self.step.number += 1;
        self.edge.push(self.step, packet);
    }

    fn why_lost(&mut self, _flow: u32, _connection: u32, _data: Range<u64>) -> Answer {
        Answer::Later(self.step)
    }
}

impl Door for Plain<'_> {
    #[inline]
    fn inbox(&mut self) -> &mut Inbox {
        self.inbox
    }

    #[inline]
    fn at(&mut self, moment: Moment) {
        self.step = Step::begins(moment);
    }

    #[inline]
    fn accept(&mut self, packet: &Packet, _now: Time) -> bool {
        self.left.count(packet.wire_size);
        true
    }
}

/// The door of a host that may be recorded.
struct Recorded<'a> {
    network: &'a mut Network,
    link: Source,
    flow: u32,
    is_sender: bool,
}

impl Wire for Recorded<'_> {
    fn send(&mut self, packet: &Packet, now: Time) {
        self.network.send(packet, now);
    }

    fn why_lost(&mut self, flow: u32, connection: u32, data: Range<u64>) -> Answer {
        self.network.why_lost(flow, connection, data)
    }
}

impl Door for Recorded<'_> {
    fn inbox(&mut self) -> &mut Inbox {
        let transit = &mut self.network.transit;
        let inboxes = if self.is_sender { &mut transit.acks } else { &mut transit.data };
        &mut inboxes[self.flow as usize]
    }

    fn at(&mut self, moment: Moment) {
        self.network.at(moment);
    }

    fn accept(&mut self, packet: &Packet, now: Time) -> bool {
        self.network.arrive(self.link, packet, now)
    }
}

/// A host's end of a connection.
trait Host {
    /// A packet has reached the host. Returns false, and does nothing, if it is not plain.
    fn on_plain_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> bool;

    /// A packet has reached the host.
    fn on_any_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire);
}

impl Host for Receiver {
    #[expect(clippy::inline_always, reason = "once per packet, whose fields are known")]
    #[inline(always)]
    fn on_plain_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> bool {
        self.on_plain_packet(packet, now, wire)
    }

    fn on_any_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        self.on_any_packet(packet, now, wire);
    }
}

impl Host for Sender {
    #[expect(clippy::inline_always, reason = "once per packet, whose fields are known")]
    #[inline(always)]
    fn on_plain_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> bool {
        self.on_plain_packet(packet, now, wire)
    }

    fn on_any_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        self.on_any_packet(packet, now, wire);
    }
}

/// A host that does everything that is known to reach it.
struct Turn {
    flow: u32,
    link: Source,
    /// Number of the host's timer.
    timer: Source,
    /// Time of the sender's first event.
    start: Time,
    until: Moment,
    events: u64,
    /// Number of events at which the turn ends early, so that others go on.
    most: u64,
    instant: Time,
    spins: u64,
}

/// Why a host's turn is interrupted.
enum Pause {
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
    fn takes(&mut self, deadline: Time, door: &mut impl Door) -> Result<Option<Time>, Pause> {
        let Some((time, number)) = door.inbox().front().filter(|first| first.0 <= deadline) else {
            return Ok(None);
        };
        let moment = Moment::of(time, self.link, number);
        if moment >= self.until {
            return Err(Pause::End);
        }
        self.events += 1;
        door.at(moment);
        Ok(Some(time))
    }

    /// Hands over the packet that reaches the host. A plain packet is one of its own, so that it
    /// never goes through memory. False: the host discards the packet.
    #[expect(clippy::inline_always, reason = "once per packet, of which few fields are read")]
    #[inline(always)]
    fn hand_over<D: Door>(
        &self,
        is_reverse: bool,
        now: Time,
        door: &mut D,
        host: &mut impl Host,
    ) -> bool {
        let Some((thin, extra)) = door.inbox().take(self.flow) else { return false };
        let Some(extra) = extra else {
            let is_accepted = door.accept(&thin.tcp_packet(is_reverse), now);
            if is_accepted && !host.on_plain_packet(&thin.tcp_packet(is_reverse), now, door) {
                host.on_any_packet(&thin.tcp_packet(is_reverse), now, door);
            }
            return is_accepted;
        };
        let packet = thin.packet(&extra);
        let is_accepted = door.accept(&packet, now);
        if is_accepted {
            host.on_any_packet(&packet, now, door);
        }
        is_accepted
    }

    /// Goes on with a receiver's turn. `tells`: every change is recorded.
    #[inline]
    fn receive(
        &mut self,
        receiver: &mut Receiver,
        tells: bool,
        door: &mut impl Door,
    ) -> Result<(), Pause> {
        loop {
            let deadline = receiver.deadline();
            let now = if let Some(now) = self.takes(deadline, door)? {
                if !self.hand_over(false, now, door, receiver) {
                    continue;
                }
                now
            } else {
                door.at(self.fires(deadline)?);
                receiver.on_timer(deadline, door);
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
    fn send(
        &mut self,
        sender: &mut Sender,
        was_done: bool,
        tells: bool,
        door: &mut impl Door,
    ) -> Result<(), Pause> {
        loop {
            let deadline = if sender.is_closed() { self.start } else { sender.deadline() };
            let now = if let Some(now) = self.takes(deadline, door)? {
                if !self.hand_over(true, now, door, sender) {
                    continue;
                }
                now
            } else {
                door.at(self.fires(deadline)?);
                sender.on_timer(deadline, door);
                deadline
            };
            if tells || sender.is_done() && !was_done {
                return Err(Pause::Change(now));
            }
        }
    }
}

impl Simulation<'_> {
    /// Advances the hosts behind a link.
    pub(super) fn advance_hosts(&mut self, rounds: &mut Rounds, link: Source, limit: Moment) {
        let until = self.known(rounds, Feeder::Link(link)).min(limit);
        let at = link as usize;
        if rounds.graph.hosts[at].is_empty() || until <= rounds.hosts_done[at] {
            return;
        }
        let (mut left, mut done) = (Left::default(), until);
        let [mut receivers, mut senders] = std::mem::take(&mut rounds.wakes);
        let hosts = &rounds.graph.hosts[at];
        for flow in &hosts.receivers {
            let (at, inboxes) = (*flow as usize, &self.network.transit.data);
            // Most hosts rest in a round that is shorter than their round trip.
            if receivers[at] <= until.time || !inboxes[at].is_quiet_until(until.time) {
                done = done.min(self.advance_receiver(rounds, *flow, link, until, &mut left));
                receivers[at] = self.receivers[at].deadline();
            }
        }
        for flow in &hosts.senders {
            let (at, inboxes) = (*flow as usize, &self.network.transit.acks);
            if senders[at] <= until.time || !inboxes[at].is_quiet_until(until.time) {
                self.hear_causes(*flow, rounds.done);
                done = done.min(self.advance_sender(rounds, *flow, link, until, &mut left));
                senders[at] = rounds.next_of(*flow, &self.senders);
            }
        }
        for flow in &hosts.sinks {
            self.advance_sink(*flow, link, until);
        }
        rounds.wakes = [receivers, senders];
        let hosts = &rounds.graph.hosts[at];
        self.network.count_left(link, left);
        for edge in &hosts.edges {
            self.network.transit.seal(*edge);
        }
        rounds.hosts_done[at] = done;
    }

    fn turn(&self, rounds: &Rounds, timer: EventSource, link: Source, until: Moment) -> Turn {
        let (EventSource::Sender(flow) | EventSource::Receiver(flow)) = timer else {
            unreachable!("only hosts of flows have turns")
        };
        Turn {
            flow,
            link,
            timer: self.sources.number(timer),
            start: rounds.start(flow, &self.senders),
            until,
            events: 0,
            most: rounds.most_in_a_turn,
            instant: Time::MAX,
            spins: 0,
        }
    }

    fn advance_receiver(
        &mut self,
        rounds: &Rounds,
        flow: u32,
        link: Source,
        until: Moment,
        left: &mut Left,
    ) -> Moment {
        let mut turn = self.turn(rounds, EventSource::Receiver(flow), link, until);
        let at = flow as usize;
        let done = loop {
            let receiver = &mut self.receivers[at];
            let pause = if rounds.is_plain {
                let edge = self.network.first_edge(flow, true) as usize;
                let transit = &mut self.network.transit;
                let edge = &mut transit.edges[edge];
                let step = Step::begins(until);
                let inbox = &mut transit.data[at];
                let mut door = Plain { inbox, edge, step, left: Left::default() };
                let pause = turn.receive(receiver, false, &mut door);
                left.add(door.left);
                pause
            } else {
                let network = &mut self.network;
                let mut door = Recorded { network, link, flow, is_sender: false };
                turn.receive(receiver, self.sampling.changes, &mut door)
            };
            match pause {
                Ok(()) | Err(Pause::End) => break until,
                Err(Pause::Enough(moment)) => break moment,
                Err(Pause::StandStill(now)) => {
                    self.stand_still(EventSource::Receiver(flow), now);
                    break until;
                }
                Err(Pause::Change(_)) => {
                    let delivered = self.receivers[at].delivered_in_all();
                    self.sampler.delivered(flow, delivered, self.network.step());
                }
            }
        };
        self.network.transit.data[at].recycle();
        self.events += turn.events;
        done
    }

    fn advance_sender(
        &mut self,
        rounds: &Rounds,
        flow: u32,
        link: Source,
        until: Moment,
        left: &mut Left,
    ) -> Moment {
        let mut turn = self.turn(rounds, EventSource::Sender(flow), link, until);
        let at = flow as usize;
        let done = loop {
            let (sender, was_done) = (&mut self.senders[at], self.sampling.is_done[at]);
            let pause = if rounds.is_plain {
                let edge = self.network.first_edge(flow, false) as usize;
                let transit = &mut self.network.transit;
                let edge = &mut transit.edges[edge];
                let step = Step::begins(until);
                let inbox = &mut transit.acks[at];
                let mut door = Plain { inbox, edge, step, left: Left::default() };
                let pause = turn.send(sender, was_done, false, &mut door);
                left.add(door.left);
                self.network.moment = Some(door.step.moment);
                pause
            } else {
                let network = &mut self.network;
                let mut door = Recorded { network, link, flow, is_sender: true };
                turn.send(sender, was_done, self.sampling.changes, &mut door)
            };
            match pause {
                Ok(()) | Err(Pause::End) => break until,
                Err(Pause::Enough(moment)) => break moment,
                Err(Pause::StandStill(now)) => {
                    self.stand_still(EventSource::Sender(flow), now);
                    break until;
                }
                Err(Pause::Change(now)) => self.note_sender(flow, now),
            }
        };
        self.network.transit.acks[at].recycle();
        self.events += turn.events;
        done
    }

    fn advance_sink(&mut self, flow: u32, link: Source, until: Moment) {
        let at = flow as usize;
        while let Some((time, number)) = self.network.transit.data[at].front() {
            let moment = Moment::of(time, link, number);
            if moment >= until {
                break;
            }
            let Some((thin, extra)) = self.network.transit.data[at].take(flow) else { break };
            let packet = thin.packet(&extra.unwrap_or_default());
            self.network.at(moment);
            if self.network.arrive(link, &packet, moment.time) {
                let stream = &mut self.streams[at - self.receivers.len()];
                stream.on_packet(&packet, moment.time, &mut self.datagrams);
            }
            self.events += 1;
        }
        self.network.transit.data[at].recycle();
    }

    /// Tells a sender why data was lost, as far as links know.
    #[inline]
    pub(super) fn hear_causes(&mut self, flow: u32, known: Moment) {
        let sender = &mut self.senders[flow as usize];
        if sender.is_waiting_for_causes() {
            let tally = &mut self.network.tally[flow as usize];
            sender.hear_causes(known, |asked, connection, data| {
                tally.why_lost_by(asked, connection, data)
            });
        }
    }

    /// Tells all senders why data was lost, when all links have done everything before `known`.
    pub(super) fn hear_all_causes(&mut self, known: Moment) {
        for flow in 0..self.senders.len() {
            #[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds the flows")]
            self.hear_causes(flow as u32, known);
        }
    }
}
