//! The loop that runs the network in real time.
//!
//! A packet enters the network at the moment that the kernel stamped it with, so its departures are exact however late this thread woke. Only
//! the hand-over to its host can be late, and each lateness is measured.

mod arrivals;
mod connection;
mod frames;
mod handover;
mod offsets;
mod rtt;
mod streams;
mod timetable;
mod watch;

use std::io;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};

use ackclock_sim::event::Source;
use ackclock_sim::net::Network;
use ackclock_sim::packet::Packet;
use ackclock_sim::udp::DatagramColumns;
use ackclock_units::{Duration, Time};

use crate::clock::{self, Clock};
use crate::lab::priority::{self, Role, Scheduling};
use crate::lab::{HostPair, Lab, Ring, Waiter};
use crate::plan::LinuxPlan;
use crate::shared::Shared;
use frames::Frames;
pub use frames::SLOTS;
pub use handover::Punctuality;
pub use streams::StreamEnds;
use timetable::Timetable;
pub use watch::Watch;

/// An application that closes when everything is acknowledged already is found out so much later.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Why the network stopped.
#[derive(Debug)]
pub enum EmulatorError {
    /// More packets inside than there are places for their frames.
    TooManyInside,
    /// A host did not take a packet.
    Refused(io::Error),
    /// A stream's socket did not take a datagram.
    Datagram(String, io::Error),
}

impl core::fmt::Display for EmulatorError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooManyInside => write!(
                f,
                "the network holds more than {SLOTS} packets, the most that are kept here: make its buffers or its delays smaller"
            ),
            Self::Refused(error) => write!(f, "a host did not take a packet: {error}"),
            Self::Datagram(stream, error) => write!(f, "stream {stream}: its datagram could not be sent: {error}"),
        }
    }
}

impl core::error::Error for EmulatorError {}

/// What the network did.
pub struct Emulated {
    /// As it stands at the end.
    pub network: Network,
    /// Each flow.
    pub watches: Vec<Watch>,
    /// Each stream.
    pub streams: StreamEnds,
    /// Datagrams of streams.
    pub datagrams: DatagramColumns,
    /// How late packets were handed over, and what else may have disturbed them.
    pub punctuality: Punctuality,
    /// When the run ended.
    pub end: Time,
    /// When measuring began.
    pub measured_from: Time,
    /// Events handled.
    pub events: u64,
    /// How its thread was scheduled.
    pub scheduling: Scheduling,
    /// Processor time of its thread.
    pub cpu: Duration,
}

/// The network, and the hosts around it.
pub struct Emulator<'a> {
    plan: &'a LinuxPlan,
    pairs: &'a [HostPair],
    ring: &'a mut Ring,
    clock: Clock,
    shared: &'a Shared,
    network: Network,
    frames: Frames,
    watches: Vec<Watch>,
    streams: StreamEnds,
    datagrams: DatagramColumns,
    punctuality: Punctuality,
    timetable: Timetable,
    arrived: Vec<arrivals::Arrived>,
    first_stream: Source,
    ticker: Source,
    /// Where the network's clock stands.
    reached: Time,
    end: Time,
    /// Flows that have an end and have not reached it; nothing: the run ends with its duration.
    unfinished: Option<usize>,
    events: u64,
}

impl<'a> Emulator<'a> {
    /// An empty network between the hosts of `lab`.
    ///
    /// # Errors
    /// The sockets of streams.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "Python and the simulator bound the numbers of links and streams"
    )]
    pub fn new(plan: &'a LinuxPlan, lab: &'a mut Lab, clock: Clock, shared: &'a Shared) -> Result<Self, EmulatorError> {
        let Lab { pairs, ring, .. } = lab;
        let streams = StreamEnds::new(plan, pairs)?;
        let first_stream = plan.plan.links.len() as u32;
        let ticker = first_stream + plan.plan.streams.len() as u32;
        let mut network = Network::new(&plan.plan, ticker as usize + 1);
        let timetable = Timetable::new(&plan.plan);
        for (source, deadline) in (first_stream..).zip(streams.deadlines()).chain([(ticker, timetable.next())]) {
            if deadline < Time::MAX {
                network.schedule.set(source, deadline);
            }
        }
        // As in the simulator: a stream is finished with the run only, and what a session runs is finished with it.
        let of_sessions: usize = plan.plan.sessions.iter().map(|session| session.flows.len()).sum();
        let has_end = plan.plan.streams.is_empty() && !plan.plan.flows.is_empty();
        Ok(Self {
            pairs,
            ring,
            clock,
            shared,
            network,
            frames: Frames::default(),
            watches: (0..)
                .zip(&plan.plan.flows)
                .map(|(index, flow)| Watch::new(index, flow.priority))
                .collect(),
            streams,
            datagrams: DatagramColumns::bounded(plan.plan.record.max_bytes),
            punctuality: Punctuality::default(),
            timetable,
            arrived: Vec::new(),
            first_stream,
            ticker,
            reached: Time::ZERO,
            end: Time::from_ps(plan.plan.duration_ps),
            unfinished: has_end.then_some(plan.plan.flows.len() - of_sessions),
            events: 0,
            plan,
        })
    }

    /// Runs to the end of the plan, until all flows have finished or somebody says stop; `at` always tells how far it is, ps.
    ///
    /// # Errors
    /// What makes going on senseless.
    pub fn run(mut self, at: &AtomicU64) -> Result<Emulated, EmulatorError> {
        let scheduling = priority::take(Role::Emulator);
        let mut waiter = Waiter::new(scheduling);
        let started = clock::thread_cpu_ns();
        let mut look = Time::ZERO;
        while !self.shared.stop.load(Ordering::Relaxed) {
            let now = self.clock.now();
            self.take_in()?;
            let due = self.network.schedule.peek().map_or(Time::MAX, |head| head.0);
            let is_due = due <= now.min(self.end);
            if is_due {
                self.handle_next()?;
            } else if now >= self.end {
                break;
            } else if now >= look {
                at.store(now.as_ps(), Ordering::Relaxed);
                self.look_for_ends(now);
                look = now + LOOK_EVERY;
            }
            if self.has_finished() {
                self.end = self.clock.now();
                break;
            }
            if is_due {
                continue;
            }
            waiter.wait(self.ring.as_fd(), due.min(look).min(self.end), &self.clock);
        }
        self.streams.settle();
        Ok(Emulated {
            network: self.network,
            watches: self.watches,
            streams: self.streams,
            datagrams: self.datagrams,
            punctuality: self.punctuality,
            end: self.end,
            measured_from: self.timetable.measured_from,
            events: self.events,
            scheduling,
            cpu: Duration::from_nanos(clock::thread_cpu_ns() - started),
        })
    }

    fn has_finished(&self) -> bool {
        self.unfinished == Some(0) && self.shared.sessions.load(Ordering::Acquire) == 0
    }

    /// Handles all events up to `until`.
    fn run_until(&mut self, until: Time) -> Result<(), EmulatorError> {
        while self.network.schedule.peek().is_some_and(|head| head.0 <= until) {
            self.handle_next()?;
        }
        Ok(())
    }

    fn handle_next(&mut self) -> Result<(), EmulatorError> {
        let Some((now, source)) = self.network.schedule.head() else {
            return Ok(());
        };
        self.reached = now;
        self.events += 1;
        if source < self.first_stream {
            let mut packet = Packet::default();
            if self.network.on_link_event(source, now, &mut packet) {
                self.hand_over(&packet, now)?;
            }
        } else if source < self.ticker {
            let next = self
                .streams
                .on_timer((source - self.first_stream) as usize, now, &mut self.datagrams)?;
            self.reschedule(source, next);
        } else {
            self.on_tick(now);
        }
        Ok(())
    }

    fn reschedule(&mut self, source: Source, at: Time) {
        if at == Time::MAX {
            self.network.schedule.cancel(source);
        } else {
            self.network.schedule.set(source, at);
        }
    }

    /// Flows whose last byte was acknowledged before their application said that it was the last.
    fn look_for_ends(&mut self, now: Time) {
        for flow in 0..self.watches.len() {
            self.note_end(flow, now);
        }
    }

    /// Has the flow got an ACK of all that its application will ever write?
    fn note_end(&mut self, flow: usize, now: Time) {
        let shared = &self.shared.flows[flow];
        let closes_at = shared.closes_at.load(Ordering::Acquire);
        if closes_at == u64::MAX || self.watches[flow].acked() < closes_at || shared.finished_ps.load(Ordering::Relaxed) != u64::MAX {
            return;
        }
        shared.finished_ps.store(now.as_ps(), Ordering::Release);
        if let Some(unfinished) = &mut self.unfinished {
            *unfinished = unfinished.saturating_sub(1);
        }
    }
}
