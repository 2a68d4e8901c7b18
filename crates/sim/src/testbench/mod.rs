//! One host on a bench: a sender or a receiver, without a network. A test plays its peer and its
//! application in virtual time and sees what it sends. The player of packetdrill scripts and the
//! comparison with the kernel's sockets share it.

mod peer;

use std::collections::VecDeque;

use ackclock_cc::CongestionControl;
use ackclock_cc::registry::{self, SpecError};
use ackclock_units::{Duration, Time};

use crate::app::AppPlan;
use crate::app::Apps;
use crate::packet::Packet;
use crate::transport::endpoint::Endpoint;
use crate::transport::flow::FlowPlan;
use crate::transport::plan::TransportPlan;
use crate::transport::receiver::Receiver;
use crate::transport::rtt::TimestampClock;
use crate::transport::sender::Sender;
use crate::wire::Wire;

pub use crate::transport::sender::TcpInfo;
pub use peer::Arriving;
use peer::Peer;

/// Most timers that a host may run without a pause; more mean that it would never stop.
const MOST_TIMERS: usize = 100_000;

/// The plan of a host on a bench: it starts at once, is joined to no link, and what it sends is
/// what a test hands in ([`AppPlan::Session`]).
#[must_use]
pub fn plan(name: &str, cc: &str, transport: TransportPlan) -> FlowPlan {
    FlowPlan {
        name: name.into(),
        cc: cc.into(),
        start_ps: 0,
        stop_ps: None,
        app: AppPlan::Session {},
        part_of: None,
        path: Vec::new(),
        reverse_path: Vec::new(),
        transport,
        priority: 0,
    }
}

/// The host under test.
pub enum Host {
    /// The sending side.
    Sender(Box<Sender>),
    /// The receiving side.
    Receiver(Box<Receiver>),
}

/// An event on a bench.
#[derive(Clone, Debug)]
pub enum Event {
    /// The host sent a packet.
    Sent(Packet),
    /// A packet arrived at the host.
    Arrived(Packet),
}

/// Packets that the host sent.
#[derive(Default)]
struct Tape {
    waiting: VecDeque<(Time, Packet)>,
    history: Vec<(Time, Event)>,
    peer: Peer,
}

impl Wire for Tape {
    fn send(&mut self, packet: &Packet, now: Time) {
        self.history.push((now, Event::Sent(*packet)));
        self.peer.note_sent(packet);
        self.waiting.push_back((now, *packet));
    }
}

/// A bench with one host.
pub struct Bench {
    host: Host,
    tape: Tape,
    clock: TimestampClock,
    header_bytes: u32,
    latest: Time,
    /// Time in which data waited for an ACK or to be sent, and the beginning of the present wait;
    /// [`Time::MAX`]: nothing waits.
    busy: Duration,
    busy_since: Time,
}

impl Bench {
    /// A sender with the plan's congestion control and application. It sends its SYN at the plan's
    /// start; with [`AppPlan::Session`] it waits for [`Bench::open`] and sends what
    /// [`Bench::write`] hands in.
    ///
    /// # Errors
    /// If the plan's `cc` names no congestion control.
    pub fn sender(plan: &FlowPlan) -> Result<Self, SpecError> {
        Self::sender_of_run(plan, 1)
    }

    /// A bench with the plan's sender, which draws the random numbers of a run with this seed.
    ///
    /// # Errors
    /// If the plan's `cc` names no congestion control.
    pub fn sender_of_run(plan: &FlowPlan, seed: u64) -> Result<Self, SpecError> {
        let cc = registry::build(&plan.cc, &plan.transport.setup())?;
        let app =
            Apps::default().build(&plan.app, plan.part_of.as_ref(), Time::from_ps(plan.start_ps));
        let sender = Sender::new(0, plan, cc, app, seed);
        Ok(Self::new(plan, Host::Sender(Box::new(sender))))
    }

    /// A sender with this congestion control.
    #[must_use]
    pub fn sender_with(plan: &FlowPlan, cc: Box<dyn CongestionControl>) -> Self {
        let app =
            Apps::default().build(&plan.app, plan.part_of.as_ref(), Time::from_ps(plan.start_ps));
        Self::new(plan, Host::Sender(Box::new(Sender::new(0, plan, cc, app, 1))))
    }

    /// A listening receiver.
    #[must_use]
    pub fn receiver(plan: &FlowPlan) -> Self {
        Self::new(plan, Host::Receiver(Box::new(Receiver::new(0, plan))))
    }

    fn new(plan: &FlowPlan, host: Host) -> Self {
        Self {
            host,
            tape: Tape::default(),
            clock: plan.transport.timestamp_clock(),
            header_bytes: plan.transport.header_bytes,
            latest: Time::ZERO,
            busy: Duration::ZERO,
            busy_since: Time::MAX,
        }
    }

    /// The host under test.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Clock of the host's timestamps; the peer has the same clock.
    #[must_use]
    pub fn clock(&self) -> TimestampClock {
        self.clock
    }

    /// Time of the last event.
    #[must_use]
    pub fn latest(&self) -> Time {
        self.latest
    }

    /// Time of the host's next timer; [`Time::MAX`]: none is set.
    #[must_use]
    pub fn deadline(&self) -> Time {
        match &self.host {
            Host::Sender(sender) => sender.deadline(),
            Host::Receiver(receiver) => receiver.deadline(),
        }
    }

    /// Runs the host's timers that are due at `now`, as of `now`. This may be later than they were
    /// due, to make the host late.
    pub fn on_timer(&mut self, now: Time) {
        self.latest = self.latest.max(now);
        match &mut self.host {
            Host::Sender(sender) => sender.on_timer(now, &mut self.tape),
            Host::Receiver(receiver) => receiver.on_timer(now, &mut self.tape),
        }
        self.note_busy(now);
    }

    /// Runs a sender's pacer at `now`, and no other timer that is due.
    pub fn on_pacing_timer(&mut self, now: Time) {
        self.latest = self.latest.max(now);
        if let Host::Sender(sender) = &mut self.host {
            sender.on_pacing_timer(now, &mut self.tape);
        }
    }

    /// Lets a sender's pacer open for new data only, at `now`: see
    /// [`Sender::on_pacer_open_for_new_data`].
    pub fn on_pacer_open_for_new_data(&mut self, now: Time) {
        self.latest = self.latest.max(now);
        if let Host::Sender(sender) = &mut self.host {
            sender.on_pacer_open_for_new_data(now, &mut self.tape);
        }
    }

    /// Runs the timers that are due before `to`. One due at that very instant comes after what
    /// arrives then, as in the simulator.
    ///
    /// # Panics
    /// If the timers never come to rest.
    pub fn advance(&mut self, to: Time) {
        for _ in 0..MOST_TIMERS {
            let due = self.deadline();
            if due >= to {
                self.latest = self.latest.max(to);
                return;
            }
            self.on_timer(due);
        }
        panic!("the host's timers never come to rest");
    }

    /// Takes the next packet that the host sent. Where none waits, runs timers until one is sent;
    /// none is run that is due later than `until`.
    pub fn next_sent(&mut self, until: Time) -> Option<(Time, Packet)> {
        for _ in 0..MOST_TIMERS {
            if let Some(sent) = self.tape.waiting.pop_front() {
                return Some(sent);
            }
            let due = self.deadline();
            if due > until {
                return None;
            }
            self.on_timer(due);
        }
        None
    }

    /// The next packet that was sent already and has not been taken.
    #[must_use]
    pub fn waiting(&self) -> Option<&(Time, Packet)> {
        self.tape.waiting.front()
    }

    /// Takes all packets that were sent already.
    pub fn drain(&mut self) -> Vec<(Time, Packet)> {
        self.tape.waiting.drain(..).collect()
    }

    /// All events, in order.
    #[must_use]
    pub fn history(&self) -> &[(Time, Event)] {
        &self.tape.history
    }

    /// Lets a packet arrive. Fields that `arriving` leaves open are filled in as a peer would: the
    /// window as last advertised, the timestamp of now, the echo of RFC 7323 section 4.3.
    pub fn inject(&mut self, arriving: &Arriving, at: Time) {
        let is_reverse = matches!(self.host, Host::Sender(_));
        let mut packet = self.tape.peer.packet(arriving, self.clock.at(at), is_reverse);
        packet.wire_size = packet.payload + self.header_bytes;
        self.latest = self.latest.max(at);
        self.tape.history.push((at, Event::Arrived(packet)));
        match &mut self.host {
            Host::Sender(sender) => sender.on_packet(&packet, at, &mut self.tape),
            Host::Receiver(receiver) => receiver.on_packet(&packet, at, &mut self.tape),
        }
        self.note_busy(at);
    }

    /// Opens the connection: a sender whose plan says [`AppPlan::Session`] sends its SYN. A
    /// receiver does nothing.
    pub fn open(&mut self, at: Time) {
        self.latest = self.latest.max(at);
        if let Host::Sender(sender) = &mut self.host
            && sender.is_closed()
        {
            sender.open(at, &mut self.tape);
        }
    }

    /// Writes `bytes` more, and closes the connection after them if `closes`. A sender whose plan
    /// does not say [`AppPlan::Session`] has an application of its own and ignores this.
    pub fn write(&mut self, bytes: u64, closes: bool, at: Time) {
        self.latest = self.latest.max(at);
        if let Host::Sender(sender) = &mut self.host {
            sender.hand_in(bytes, closes, at, &mut self.tape);
        }
        self.note_busy(at);
    }

    fn note_busy(&mut self, now: Time) {
        let Host::Sender(sender) = &self.host else { return };
        let is_busy = sender.board().segments() > 0 || sender.has_data_to_send();
        if is_busy && self.busy_since == Time::MAX {
            self.busy_since = now;
        } else if !is_busy && self.busy_since < Time::MAX {
            self.busy += now.since(self.busy_since);
            self.busy_since = Time::MAX;
        }
    }

    /// `tcpi_busy_time`: how long data has waited for an ACK or to be sent.
    #[must_use]
    pub fn busy_time(&self) -> Duration {
        if self.busy_since < self.latest {
            self.busy + self.latest.since(self.busy_since)
        } else {
            self.busy
        }
    }

    /// The sender's state as `TCP_INFO` reports it; none: the host is a receiver.
    #[must_use]
    pub fn info(&self) -> Option<TcpInfo> {
        match &self.host {
            Host::Sender(sender) => Some(sender.info(self.latest)),
            Host::Receiver(_) => None,
        }
    }

    /// Payload that a receiver has in order, bytes; none: the host is a sender.
    #[must_use]
    pub fn delivered(&self) -> Option<u64> {
        match &self.host {
            Host::Sender(_) => None,
            Host::Receiver(receiver) => Some(receiver.delivered()),
        }
    }

    /// Data that a receiver has in order or above a hole, bytes; none: the host is a sender.
    #[must_use]
    pub fn arrived(&self) -> Option<u64> {
        match &self.host {
            Host::Sender(_) => None,
            Host::Receiver(receiver) => Some(receiver.arrived()),
        }
    }
}
