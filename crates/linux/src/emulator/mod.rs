//! The loop that runs the network in real time.
//!
//! A packet enters the network at the kernel's timestamp, so its departures are exact even if this
//! thread woke late. Only the hand-over to its host can be late, and each lateness is measured.

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
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicU64, Ordering};

use ackclock_sim::event::{EventSource, Moment, Source, Sources};
use ackclock_sim::net::Network;
use ackclock_sim::packet::Packet;
use ackclock_sim::plan::Plan;
use ackclock_sim::udp::DatagramColumns;
use ackclock_units::{Duration, Time};

use crate::clock::{self, Clock};
use crate::lab::priority::{self, Role, Scheduling};
use crate::lab::{HostPair, Lab, LabError, Ring, Waiter};
use crate::plan::LinuxPlan;
use crate::shared::Shared;
pub(crate) use arrivals::{Owner, owner};
use frames::Frames;
pub use frames::SLOTS;
pub use handover::Punctuality;
pub use streams::StreamEnds;
use timetable::Timetable;
pub use watch::Watch;

/// Period at which flows are examined whose application may have closed after all of its data was
/// acknowledged.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Why the network stopped.
#[derive(Debug)]
pub enum EmulatorError {
    /// More packets are inside than there are places for their frames.
    TooManyInside,
    /// A host did not take a packet.
    Refused(io::Error),
    /// A stream's socket did not take a datagram.
    Datagram(String, io::Error),
    /// The kernel's links, or what tells of them, failed.
    Links(LabError),
}

impl From<LabError> for EmulatorError {
    fn from(error: LabError) -> Self {
        Self::Links(error)
    }
}

impl core::fmt::Display for EmulatorError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooManyInside => write!(
                f,
                "the network holds more than {SLOTS} packets, the most that are kept here: make \
                 its buffers or its delays smaller"
            ),
            Self::Refused(error) => write!(f, "a host did not take a packet: {error}"),
            Self::Datagram(stream, error) => {
                write!(f, "stream {stream}: its datagram could not be sent: {error}")
            }
            Self::Links(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for EmulatorError {}

/// Results of the emulated network.
pub struct Emulated {
    /// The network in its state at the end.
    pub network: Network,
    /// Counters of each flow.
    pub watches: Vec<Watch>,
    /// Both ends of all streams.
    pub streams: StreamEnds,
    /// Columns of the streams' datagrams.
    pub datagrams: DatagramColumns,
    /// Lateness of the delivery of packets, and other disturbances of it.
    pub punctuality: Punctuality,
    /// Time of the end of the run.
    pub end: Time,
    /// Time at which measuring began.
    pub measured_from: Time,
    /// Events handled.
    pub events: u64,
    /// Scheduling class of the emulator's thread.
    pub scheduling: Scheduling,
    /// Processor time of the emulator's thread.
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
    sources: Sources,
    /// Present time of the network's clock.
    reached: Time,
    end: Time,
    /// Number of flows that have an end and have not reached it; `None`: the run ends with its
    /// duration.
    unfinished: Option<usize>,
    /// Time of the next look for flows that have ended.
    look: Time,
    /// Present time, where the clock stands still between two waits.
    pub standing: Option<Time>,
    /// Flow whose receiver got the last packet that was handed over.
    pub handed_to: Option<usize>,
    events: u64,
}

/// Outcome of one turn of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// An event was handled, and others may be due.
    Handled,
    /// Nothing is due before this time.
    Idle(Time),
    /// The run is over.
    Ended,
}

impl AsFd for Emulator<'_> {
    /// Readable when a host has sent a packet.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.ring.as_fd()
    }
}

impl<'a> Emulator<'a> {
    /// An empty network between the hosts of `lab`.
    ///
    /// # Errors
    ///
    /// If the sockets of streams cannot be used.
    pub fn new(
        plan: &'a LinuxPlan,
        lab: &'a mut Lab,
        clock: Clock,
        shared: &'a Shared,
    ) -> Result<Self, EmulatorError> {
        let Lab { pairs, ring, .. } = lab;
        let streams = StreamEnds::new(plan, pairs)?;
        let Plan { links, record, seed, .. } = &plan.plan;
        // Senders and receivers are the kernel's, and sessions run with the endpoints.
        let sources = Sources::new(links.len(), 0, plan.plan.streams.len(), 0);
        let paths = plan.plan.paths();
        let mut network = Network::new(links, paths, record, *seed, sources.count());
        let timetable = Timetable::new(&plan.plan);
        let starts = (0..).map(EventSource::Stream).zip(streams.deadlines());
        for (source, deadline) in starts.chain([(EventSource::Clock, timetable.next())]) {
            if deadline < Time::MAX {
                network.schedule.set(sources.number(source), deadline);
            }
        }
        // As in the simulator, a stream finishes only with the run, and a flow of a session with
        // its session.
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
            sources,
            reached: Time::ZERO,
            end: Time::from_ps(plan.plan.duration_ps),
            unfinished: has_end.then_some(plan.plan.flows.len() - of_sessions),
            look: Time::ZERO,
            standing: None,
            handed_to: None,
            events: 0,
            plan,
        })
    }

    /// Runs to the end of the plan, until all flows have finished, or until `stop` is set. `at` has
    /// the present time, ps.
    ///
    /// # Errors
    ///
    /// If a host refuses packets, or the network has no room for them.
    pub fn run(mut self, at: &AtomicU64) -> Result<Emulated, EmulatorError> {
        let scheduling = priority::take(Role::Emulator);
        let mut waiter = Waiter::new(scheduling);
        let started = clock::thread_cpu_ns();
        while !self.is_stopped() {
            match self.turn(self.clock.now(), at)? {
                Turn::Handled => {}
                Turn::Idle(until) => waiter.wait(self.ring.as_fd(), until, &self.clock),
                Turn::Ended => break,
            }
        }
        Ok(self.finish(scheduling, Duration::from_nanos(clock::thread_cpu_ns() - started)))
    }

    /// Takes in packets that have come, and handles one event that is due.
    ///
    /// # Errors
    ///
    /// As for [`Emulator::run`].
    pub fn turn(&mut self, now: Time, at: &AtomicU64) -> Result<Turn, EmulatorError> {
        self.take_in()?;
        let due = self.network.schedule.peek().map_or(Time::MAX, |head| head.0);
        let is_due = due <= now.min(self.end);
        if is_due {
            self.handle_next()?;
        } else if now >= self.end {
            return Ok(Turn::Ended);
        } else if now >= self.look {
            at.store(now.as_ps(), Ordering::Relaxed);
            self.look_for_ends(now);
            self.look = now + LOOK_EVERY;
        }
        if self.has_finished() {
            self.end = self.now();
            return Ok(Turn::Ended);
        }
        Ok(if is_due { Turn::Handled } else { Turn::Idle(due.min(self.look).min(self.end)) })
    }

    /// Whether the run is over before its end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Present time.
    fn now(&self) -> Time {
        self.standing.unwrap_or_else(|| self.clock.now())
    }

    /// The results.
    #[must_use]
    pub fn finish(mut self, scheduling: Scheduling, cpu: Duration) -> Emulated {
        self.streams.settle();
        self.network.settle(self.end, Moment::after(self.end));
        Emulated {
            network: self.network,
            watches: self.watches,
            streams: self.streams,
            datagrams: self.datagrams,
            punctuality: self.punctuality,
            end: self.end,
            measured_from: self.timetable.measured_from,
            events: self.events,
            scheduling,
            cpu,
        }
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
        match self.sources.decode(source) {
            EventSource::Link(link) => {
                let mut packet = Packet::default();
                if self.network.on_link_event(link, now, &mut packet) {
                    self.hand_over(&packet, now)?;
                }
            }
            EventSource::Stream(stream) => {
                let next = self.streams.on_timer(stream as usize, now, &mut self.datagrams)?;
                self.reschedule(source, next);
            }
            EventSource::Clock => self.on_tick(now),
            EventSource::Sender(_) | EventSource::Receiver(_) | EventSource::Session(_) => {
                unreachable!("a real host has no timer in the schedule")
            }
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

    /// Notes flows whose last byte was acknowledged before their application closed.
    fn look_for_ends(&mut self, now: Time) {
        for flow in 0..self.watches.len() {
            self.note_end(flow, now);
        }
    }

    /// Notes the end of a flow if all data that its application will ever write is acknowledged.
    fn note_end(&mut self, flow: usize, now: Time) {
        let shared = &self.shared.flows[flow];
        let closes_at = shared.closes_at.load(Ordering::Acquire);
        if closes_at == u64::MAX
            || self.watches[flow].acked() < closes_at
            || shared.finished_ps.load(Ordering::Relaxed) != u64::MAX
        {
            return;
        }
        shared.finished_ps.store(now.as_ps(), Ordering::Release);
        if let Some(unfinished) = &mut self.unfinished {
            *unfinished = unfinished.saturating_sub(1);
        }
    }
}
