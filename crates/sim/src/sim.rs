//! Builds a plan, runs it, returns columns and counters.

use core::iter::zip;

use ackclock_cc::registry::{self, SpecError};
use ackclock_cc::{CongestionControl, Setup};
use ackclock_units::{Duration, Time};

use crate::app::session::{Command, Event, Running, TransferColumns};
use crate::app::{self, Apps};
use crate::event::Source;
use crate::histogram::DurationHistogram;
use crate::limits;
use crate::net::link::{Link, LinkStats};
use crate::net::{LossCause, Network};
use crate::packet::Packet;
use crate::plan::{AppPlan, FlowPlan, Plan, SamplePlan};
use crate::probe::{FlowColumns, InternalColumns, LinkColumns, PacketColumns, Sampler, sampled_links};
use crate::starts;
use crate::transport::receiver::{Receiver, ReceiverStats};
use crate::transport::sender::{Sender, SenderStats};
use crate::udp::{DatagramColumns, FrameColumns, FrameStats, Stream, StreamSent, StreamStats};

/// A plan that cannot run. Python checks all of this first and says it better; this is the core's own defence.
#[derive(Debug)]
pub struct PlanError(String);

impl core::fmt::Display for PlanError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for PlanError {}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// There is more to do.
    Running {
        /// Where the clock stands.
        now: Time,
    },
    /// Nothing is left to do.
    Finished,
}

/// Events between two checks for what grows without bound.
const EVENTS_PER_CHECK: u64 = 1 << 20;
/// Checks that may find the clock where it was: 67 million events at one instant.
const MOST_CHECKS_AT_INSTANT: u32 = 64;
/// Packets in all queues and on all wires: 3 to 6 GB.
const MOST_PACKETS_INSIDE: usize = 1 << 25;
/// Transfers of a session, or its users, that wait.
const MOST_WAITING: usize = 1_000_000;

/// What a flow did.
pub struct FlowOutput {
    /// Its name.
    pub name: String,
    /// Its congestion control.
    pub cc: String,
    /// When its SYN was sent.
    pub start: Time,
    /// When its last byte was acknowledged.
    pub finished: Option<Time>,
    /// How much of the measured time it was active.
    pub active: Duration,
    /// Propagation there and back.
    pub base_rtt: Duration,
    /// The sender's counters.
    pub sender: SenderStats,
    /// The receiver's counters.
    pub receiver: ReceiverStats,
    /// Data packets that the network dropped.
    pub lost_packets: u64,
    /// Those packets by [`LossCause`].
    pub lost_by_cause: [u64; LossCause::COUNT],
    /// Data packets that the network marked.
    pub marked_packets: u64,
    /// RTT samples.
    pub rtt: DurationHistogram,
}

/// What a session did besides its transfers.
pub struct SessionOutput {
    /// Its name.
    pub name: String,
    /// How often something found no connection free.
    pub waited: u64,
}

/// What a UDP stream did.
pub struct StreamOutput {
    /// Its name.
    pub name: String,
    /// When it began.
    pub start: Time,
    /// How much of the measured time it was active.
    pub active: Duration,
    /// Propagation, one way.
    pub base_delay: Duration,
    /// The sender's counters.
    pub sent: StreamSent,
    /// The receiver's counters.
    pub received: StreamStats,
    /// RFC 3550's jitter as of the last arrival.
    pub jitter: Duration,
    /// How long after its sending a datagram is played, if it is.
    pub play_after: Option<Duration>,
    /// Datagrams that the network dropped.
    pub lost_packets: u64,
    /// Its frames, if it has such.
    pub frames: Option<FrameStats>,
}

/// What a link did.
pub struct LinkOutput {
    /// Its name.
    pub name: String,
    /// Its rate, bit/s.
    pub rate_bps: Option<u64>,
    /// Its counters.
    pub stats: LinkStats,
    /// Time spent transmitting, of the measured time.
    pub busy: Duration,
}

/// All that a run gives.
pub struct Output {
    /// When it ended.
    pub end: Time,
    /// The measured time: from the warm-up to the end.
    pub measured: Duration,
    /// Events handled.
    pub events: u64,
    /// Every flow.
    pub flows: Vec<FlowOutput>,
    /// Every UDP stream.
    pub streams: Vec<StreamOutput>,
    /// Every link.
    pub links: Vec<LinkOutput>,
    /// Every session.
    pub sessions: Vec<SessionOutput>,
    /// What sessions moved.
    pub transfers: TransferColumns,
    /// Datagrams of streams.
    pub datagrams: DatagramColumns,
    /// Frames of streams.
    pub frames: FrameColumns,
    /// When a receiver had room for no further frame, so that its counters end there; nothing: they are of the whole run.
    pub frames_counted_until: Option<Time>,
    /// Series of flows.
    pub flow_samples: FlowColumns,
    /// Series of links.
    pub link_samples: LinkColumns,
    /// Series of internals.
    pub internals: InternalColumns,
    /// Packet events.
    pub packets: PacketColumns,
}

impl Output {
    /// The tables that reached the bound of the record, and when each took no further row; `frame_counters` if a
    /// film had more frames than a receiver can judge.
    #[must_use]
    pub fn recorded_until(&self) -> Vec<(&'static str, Time)> {
        [
            ("flow_samples", self.flow_samples.room),
            ("link_samples", self.link_samples.room),
            ("internals", self.internals.room),
            ("packets", self.packets.room),
            ("transfers", self.transfers.room),
            ("datagrams", self.datagrams.room),
            ("frames", self.frames.room),
        ]
        .into_iter()
        .map(|(table, room)| (table, room.full_at()))
        .chain([("frame_counters", self.frames_counted_until)])
        .filter_map(|(table, until)| Some((table, until?)))
        .collect()
    }
}

/// A run of a plan.
pub struct Simulation<'plan> {
    plan: &'plan Plan,
    network: Network,
    senders: Vec<Sender>,
    receivers: Vec<Receiver>,
    streams: Vec<Stream>,
    datagrams: DatagramColumns,
    sessions: Sessions,
    sampler: Sampler,
    sampling: Sampling,
    first_sender: Source,
    first_receiver: Source,
    first_stream: Source,
    first_session: Source,
    clock: Source,
    now: Time,
    end: Time,
    warmup: Option<Time>,
    measured_from: Time,
    unfinished: usize,
    events: u64,
    /// The time at the last check for what grows without bound, and how many checks before had it, too.
    checked_at: Time,
    checks_at_instant: u32,
    fault: Option<String>,
}

/// Sessions, and what the flows that they run need.
#[derive(Default)]
struct Sessions {
    running: Vec<Running>,
    /// By flow: the session that runs it, and which of its connections it is; empty if there are no sessions.
    of_flow: Vec<Option<(u32, usize)>>,
    /// By flow: its congestion control before anything happened, for the connections to come.
    pristine: Vec<Option<Box<dyn CongestionControl>>>,
    transfers: TransferColumns,
    /// Scratch.
    commands: Vec<Command>,
}

impl Sessions {
    fn new(plan: &Plan) -> Self {
        if plan.sessions.is_empty() {
            return Self::default();
        }
        let mut of_flow = vec![None; plan.flows.len()];
        for (index, session) in (0..).zip(&plan.sessions) {
            for (connection, flow) in session.flows.iter().enumerate() {
                of_flow[*flow as usize] = Some((index, connection));
            }
        }
        Self {
            transfers: TransferColumns::bounded(plan.record.max_bytes),
            running: plan.sessions.iter().map(|session| Running::new(session, plan.seed)).collect(),
            of_flow,
            ..Self::default()
        }
    }

    #[inline]
    fn of(&self, flow: u32) -> Option<(u32, usize)> {
        self.of_flow.get(flow as usize).copied().flatten()
    }
}

struct Sampling {
    every: Option<Duration>,
    changes: bool,
    flows: Vec<u32>,
    is_sampled: Vec<bool>,
    is_done: Vec<bool>,
    links: Vec<u32>,
    next: Time,
}

impl<'plan> Simulation<'plan> {
    /// Everything in place, the clock at zero.
    ///
    /// # Errors
    /// The plan contradicts itself, or names a congestion control that does not exist.
    pub fn new(plan: &'plan Plan) -> Result<Self, PlanError> {
        Self::with_controls(plan, |flow, setup| registry::build(&flow.cc, setup))
    }

    /// The same with congestion controls from elsewhere: `build` makes that of each flow, in their order.
    ///
    /// # Errors
    /// The plan contradicts itself, or `build` says so.
    #[expect(clippy::cast_possible_truncation, reason = "check bounds the numbers of links and flows")]
    pub fn with_controls(
        plan: &'plan Plan,
        mut build: impl FnMut(&FlowPlan, &Setup) -> Result<Box<dyn CongestionControl>, SpecError>,
    ) -> Result<Self, PlanError> {
        check(plan)?;
        let (links, flows) = (plan.links.len() as u32, plan.flows.len() as u32);
        let (first_stream, first_session) = (links + 2 * flows, links + 2 * flows + plan.streams.len() as u32);
        let clock = first_session + plan.sessions.len() as u32;
        let mut network = Network::new(plan, clock as usize + 1).with_hosts(plan);
        let mut apps = Apps::new(plan.seed);
        let mut sessions = Sessions::new(plan);
        // As many as there are: collected until an error, they would take up to twice their room.
        let mut senders = Vec::with_capacity(plan.flows.len());
        for (index, flow) in (0..).zip(&plan.flows) {
            let cc = build(flow, &flow.transport.setup()).map_err(|error| PlanError(format!("flow {}: {error}", flow.name)))?;
            if !sessions.of_flow.is_empty() {
                sessions.pristine.push(sessions.of(index).map(|_| cc.clone_box()));
            }
            senders.push(Sender::new(index, flow, cc, apps.build(flow), plan.seed).sharing(senders.last()));
        }
        let streams: Vec<Stream> = (0..)
            .zip(&plan.streams)
            .map(|(index, stream)| Stream::new(flows + index, index, stream, plan.seed, &plan.record))
            .collect();
        let (of_flows, of_sessions) = starts::delays(plan);
        let deadlines = (links..).zip(zip(&senders, of_flows).map(|(sender, delay)| sender.deadline().saturating_add(delay)));
        let deadlines = deadlines.chain((first_stream..).zip(streams.iter().map(Stream::deadline)));
        let starts = zip(&sessions.running, of_sessions).map(|(session, delay)| session.deadline().saturating_add(delay));
        let deadlines = deadlines.chain((first_session..).zip(starts));
        for (id, deadline) in deadlines.filter(|(_, deadline)| *deadline < Time::MAX) {
            network.schedule.set(id, deadline);
        }
        let sampling = Sampling::new(plan);
        let warmup = (plan.warmup_ps > 0).then(|| Time::from_ps(plan.warmup_ps));
        network.schedule.set(
            clock,
            sampling.next.min(warmup.unwrap_or(Time::MAX)).min(Time::from_ps(plan.duration_ps)),
        );
        let mut receivers = Vec::with_capacity(plan.flows.len());
        for (index, flow) in (0..).zip(&plan.flows) {
            receivers.push(Receiver::new(index, flow).sharing(receivers.last()));
        }
        Ok(Self {
            receivers,
            network,
            // What a session runs is finished with it.
            unfinished: senders.len() - sessions.of_flow.iter().flatten().count() + streams.len() + sessions.running.len(),
            senders,
            streams,
            datagrams: DatagramColumns::bounded(plan.record.max_bytes),
            sessions,
            sampler: Sampler::bounded(plan.record.max_bytes),
            sampling,
            first_sender: links,
            first_receiver: links + flows,
            first_stream,
            first_session,
            clock,
            now: Time::ZERO,
            end: Time::from_ps(plan.duration_ps),
            warmup,
            measured_from: Time::ZERO,
            events: 0,
            checked_at: Time::ZERO,
            checks_at_instant: 0,
            fault: None,
            plan,
        })
    }

    /// Handles up to `max_events` events. A run that cannot go on is finished, too: [`Simulation::fault`]
    /// says why.
    pub fn advance(&mut self, max_events: u64) -> Progress {
        let mut left = max_events;
        while left > 0 && self.fault.is_none() {
            let some = left.min(EVENTS_PER_CHECK - self.events % EVENTS_PER_CHECK);
            if self.handle(some) == Progress::Finished {
                return Progress::Finished;
            }
            left -= some;
            if self.events.is_multiple_of(EVENTS_PER_CHECK) {
                self.fault = self.runaway();
            }
        }
        if self.fault.is_some() {
            return Progress::Finished;
        }
        Progress::Running { now: self.now }
    }

    /// Why the run cannot go on; nothing: it can, or has come to its end.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// What grows without bound: the events of an instant, the packets under way, who waits in a session.
    fn runaway(&mut self) -> Option<String> {
        if self.now > self.checked_at {
            (self.checked_at, self.checks_at_instant) = (self.now, 0);
        } else {
            self.checks_at_instant += 1;
        }
        let now = self.now.as_secs_f64();
        if self.checks_at_instant >= MOST_CHECKS_AT_INSTANT {
            let source = self.network.schedule.head().map_or(self.clock, |head| head.1);
            let what = self.name_of(source);
            return Some(format!(
                "time stands still at {now:.6} s: {what} takes part in {} million events at one instant; give its links a rate and \
                 a delay, and its application times above zero",
                u64::from(MOST_CHECKS_AT_INSTANT) * EVENTS_PER_CHECK / 1_000_000
            ));
        }
        let inside = |at: &usize| self.network.links[*at].packets_inside();
        let all: usize = (0..self.network.links.len()).map(|at| inside(&at)).sum();
        if all > MOST_PACKETS_INSIDE {
            let most = (0..self.network.links.len()).max_by_key(inside).unwrap_or(0);
            return Some(format!(
                "{all} packets are in queues and on wires at {now:.6} s, and {MOST_PACKETS_INSIDE} is the most; link {} has {} of them: \
                 give it a limit, or send less",
                self.plan.links[most].name,
                inside(&most)
            ));
        }
        let backlog = |running: &Running| running.backlog();
        let waiting = zip(&self.plan.sessions, &self.sessions.running).find(|(_, running)| backlog(running) > MOST_WAITING);
        waiting.map(|(plan, running)| {
            format!(
                "{} of what flow {} moves wait for a connection at {now:.6} s, and {MOST_WAITING} is the most: lower its load, or \
                 raise its app's connections",
                backlog(running),
                plan.name
            )
        })
    }

    /// A source of events as a message names it.
    fn name_of(&self, source: Source) -> String {
        let at = |first: Source| (source - first) as usize;
        if source < self.first_sender {
            format!("link {}", self.plan.links[at(0)].name)
        } else if source < self.first_stream {
            format!("flow {}", self.plan.flows[at(self.first_sender) % self.plan.flows.len()].name)
        } else if source < self.first_session {
            format!("flow {}", self.plan.streams[at(self.first_stream)].name)
        } else if source < self.clock {
            format!("flow {}", self.plan.sessions[at(self.first_session)].name)
        } else {
            "the clock of the samples".to_owned()
        }
    }

    /// Alone, the loop around all events gets the registers to itself.
    #[inline(never)]
    fn handle(&mut self, max_events: u64) -> Progress {
        let mut packet = Packet::default();
        for _ in 0..max_events {
            let Some((now, source)) = self.network.schedule.head() else {
                return self.stop();
            };
            if now > self.end {
                return self.stop();
            }
            self.now = now;
            self.events += 1;
            if source < self.first_sender {
                if self.network.on_link_event(source, now, &mut packet) {
                    self.deliver(&packet, now);
                }
            } else if source < self.first_receiver {
                let flow = source - self.first_sender;
                let sender = &mut self.senders[flow as usize];
                if sender.deadline() <= now {
                    sender.on_timer(now, &mut self.network);
                    self.after_sender(flow, now);
                }
                let deadline = self.senders[flow as usize].deadline();
                self.reschedule(source, deadline);
            } else if source < self.first_stream {
                let flow = source - self.first_receiver;
                let receiver = &mut self.receivers[flow as usize];
                if receiver.deadline() <= now {
                    receiver.on_timer(now, &mut self.network);
                }
                let deadline = self.receivers[flow as usize].deadline();
                self.reschedule(source, deadline);
            } else if source < self.first_session {
                self.on_stream_timer(source, now);
            } else if source < self.clock {
                self.tell_session(source - self.first_session, Event::Timer, now);
            } else {
                self.on_clock(now);
            }
            if self.unfinished == 0 {
                return self.stop();
            }
        }
        Progress::Running { now: self.now }
    }

    /// A packet has reached a host.
    #[expect(clippy::inline_always, reason = "once per packet, with most of what happens to it")]
    #[inline(always)]
    fn deliver(&mut self, packet: &Packet, now: Time) {
        let flow = packet.flow as usize;
        if packet.is_reverse {
            self.senders[flow].on_packet(packet, now, &mut self.network);
            self.after_sender(packet.flow, now);
        } else if let Some(receiver) = self.receivers.get_mut(flow) {
            let before = receiver.delivered();
            receiver.on_packet(packet, now, &mut self.network);
            let bytes = receiver.delivered();
            self.after_receiver(packet.flow);
            if bytes > before
                && let Some((session, connection)) = self.sessions.of(packet.flow)
            {
                self.tell_session(session, Event::Delivered { connection, bytes }, now);
            }
        } else {
            self.streams[flow - self.receivers.len()].on_packet(packet, now, &mut self.datagrams);
        }
    }

    fn on_stream_timer(&mut self, source: Source, now: Time) {
        let stream = &mut self.streams[(source - self.first_stream) as usize];
        stream.on_timer(now, &mut self.datagrams, &mut self.network);
        let deadline = stream.deadline();
        // A stream is finished with the run only: nobody tells its sender when the last datagram has arrived.
        self.reschedule(source, deadline);
    }

    /// Tells a session what happened, and does what it asks for.
    fn tell_session(&mut self, index: u32, event: Event, now: Time) {
        let Sessions {
            running,
            transfers,
            commands,
            ..
        } = &mut self.sessions;
        let mut commands = std::mem::take(commands);
        let session = &mut running[index as usize];
        session.tell(index, event, now, &mut commands, transfers);
        for command in commands.drain(..) {
            self.obey(index, command, now);
        }
        self.sessions.commands = commands;
        let session = &mut self.sessions.running[index as usize];
        if session.has_just_ended(now) {
            self.unfinished -= 1;
        }
        let deadline = session.deadline();
        self.reschedule(self.first_session + index, deadline);
    }

    fn obey(&mut self, session: u32, command: Command, now: Time) {
        let flows = &self.sessions.running[session as usize].flows;
        match command {
            Command::Open { connection } => {
                let flow = flows[connection];
                debug_assert!(!self.senders[flow as usize].is_active(), "a session opens what is open");
                if self.senders[flow as usize].is_done() {
                    self.renew(flow, now);
                }
                self.senders[flow as usize].open(now, &mut self.network);
                self.after_sender(flow, now);
            }
            Command::Write { connection, bytes, closes } => {
                let flow = flows[connection];
                self.senders[flow as usize].hand_in(bytes, closes, now, &mut self.network);
                self.after_sender(flow, now);
            }
        }
    }

    /// A new connection in the place of a finished one.
    fn renew(&mut self, flow: u32, now: Time) {
        let at = flow as usize;
        let Some(cc) = &self.sessions.pristine[at] else { return };
        let plan = &self.plan.flows[at];
        let sender = Sender::new(flow, plan, cc.clone_box(), app::mailbox(), self.plan.seed);
        let mut sender = sender.sharing(Some(&self.senders[at]));
        let mut receiver = Receiver::new(flow, plan).sharing(Some(&self.receivers[at]));
        self.senders[at].settle_limits(now);
        std::mem::swap(&mut sender, &mut self.senders[at]);
        std::mem::swap(&mut receiver, &mut self.receivers[at]);
        self.senders[at].follow(sender);
        self.receivers[at].follow(receiver);
        self.reschedule(self.first_receiver + flow, Time::MAX);
        self.sampling.is_done[at] = false;
    }

    /// The end of the run: now, if all flows have finished.
    fn stop(&mut self) -> Progress {
        if self.unfinished == 0 {
            self.end = self.now;
        }
        self.now = self.end;
        Progress::Finished
    }

    /// A timer that moved earlier is moved in the schedule; one that moved later is found out when it fires.
    #[expect(clippy::inline_always, reason = "once per ACK")]
    #[inline(always)]
    fn after_sender(&mut self, flow: u32, now: Time) {
        let sender = &self.senders[flow as usize];
        let deadline = sender.deadline();
        let source = self.first_sender + flow;
        if deadline < self.network.schedule.due(source) {
            self.network.schedule.set(source, deadline);
        }
        if sender.is_done() || self.sampling.changes {
            self.note_sender(flow, now);
        }
    }

    /// Samples a sender that has changed, where each change is sampled; tells its session, or the run, once that it has finished.
    fn note_sender(&mut self, flow: u32, now: Time) {
        let is_done = self.senders[flow as usize].is_done();
        let has_finished = is_done && !std::mem::replace(&mut self.sampling.is_done[flow as usize], true);
        if (self.sampling.changes || has_finished) && self.sampling.is_sampled[flow as usize] {
            self.sample_change(flow, has_finished, now);
        }
        if has_finished {
            match self.sessions.of(flow) {
                Some((session, connection)) => self.tell_session(session, Event::Finished { connection }, now),
                None => self.unfinished -= 1,
            }
        }
    }

    /// A row where each change has one, and where a session's connection closes, so that its series has a gap until the next.
    fn sample_change(&mut self, flow: u32, has_finished: bool, now: Time) {
        let is_session = self.sessions.of(flow).is_some();
        let closes = has_finished && is_session && self.sampling.is_on();
        if closes {
            self.sample_flow(flow, now);
            self.sampler.close();
        } else if self.sampling.changes && !(is_session && self.sampling.is_done[flow as usize]) {
            self.sample_flow(flow, now);
        }
    }

    fn after_receiver(&mut self, flow: u32) {
        let deadline = self.receivers[flow as usize].deadline();
        let source = self.first_receiver + flow;
        if deadline < self.network.schedule.due(source) {
            self.network.schedule.set(source, deadline);
        }
    }

    fn reschedule(&mut self, source: Source, deadline: Time) {
        if deadline == Time::MAX {
            self.network.schedule.cancel(source);
        } else {
            self.network.schedule.set(source, deadline);
        }
    }

    /// Warm-up, samples, the end: what happens by the clock alone.
    fn on_clock(&mut self, now: Time) {
        if self.warmup == Some(now) {
            self.warmup = None;
            self.begin_measuring(now);
        }
        if self.sampling.next == now {
            self.sample_all(now);
            self.sampling.next = self.sampling.every.map_or(Time::MAX, |every| now + every);
            let tables = [self.sampler.flows.room, self.network.log.links.room];
            if tables.iter().all(|room| room.full_at().is_some()) {
                self.sampling.next = Time::MAX;
            }
        }
        let next = self.sampling.next.min(self.warmup.unwrap_or(Time::MAX));
        let next = if now < self.end { next.min(self.end) } else { Time::MAX };
        self.reschedule(self.clock, next);
    }

    fn begin_measuring(&mut self, now: Time) {
        self.measured_from = now;
        for sender in &mut self.senders {
            sender.settle_limits(now);
            sender.reset_stats(now);
        }
        self.receivers.iter_mut().for_each(Receiver::reset_stats);
        self.streams.iter_mut().for_each(Stream::reset_stats);
        self.network.links.iter_mut().for_each(|link| link.reset_stats(now));
        self.network
            .tally
            .iter_mut()
            .for_each(|tally| *tally = crate::net::Tally::default());
    }

    fn sample_all(&mut self, now: Time) {
        for at in 0..self.sampling.flows.len() {
            let flow = self.sampling.flows[at];
            if self.senders[flow as usize].is_active() {
                self.sample_flow(flow, now);
            }
        }
        for &id in &self.sampling.links {
            let link = &mut self.network.links[id as usize];
            link.settle(now, |_, _| ());
            self.network.log.link(id, now, link.backlog(), link);
        }
    }

    fn sample_flow(&mut self, id: u32, now: Time) {
        let at = id as usize;
        self.sampler
            .flow(id, now, &self.senders[at], &self.receivers[at], &self.network.tally[at]);
    }

    /// Senders, for checks of invariants while running.
    #[must_use]
    pub fn senders(&self) -> &[Sender] {
        &self.senders
    }

    /// Receivers, for checks of invariants while running.
    #[must_use]
    pub fn receivers(&self) -> &[Receiver] {
        &self.receivers
    }

    /// The network, for checks of invariants while running.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The results so far; normally after [`Progress::Finished`].
    #[must_use]
    pub fn finish(mut self) -> Output {
        let end = self.now;
        if self.warmup.take().is_some() {
            // All flows ended within the warm-up: nothing was measured.
            self.begin_measuring(end);
        }
        for sender in &mut self.senders {
            sender.settle_limits(end);
        }
        let sessions = &self.sessions;
        let flows = (0..)
            .zip(&self.plan.flows)
            .zip(self.senders)
            .zip(&self.receivers)
            .zip(&self.network.tally)
            .map(|((((index, plan), sender), receiver), tally)| {
                let start = Time::from_ps(plan.start_ps);
                let stop = plan.stop_ps.map_or(Time::MAX, Time::from_ps);
                // What a session runs may be opened again until that has ended.
                let finished = match sessions.of(index) {
                    Some((session, _)) => sessions.running[session as usize].ended_at,
                    None => sender.finished_at(),
                };
                let last = finished.unwrap_or(end).min(stop).min(end);
                FlowOutput {
                    name: plan.name.clone(),
                    cc: plan.cc.clone(),
                    start,
                    finished,
                    active: last.since(start.max(self.measured_from)),
                    base_rtt: base_rtt(self.plan, plan),
                    sender: sender.stats.clone(),
                    rtt: sender.into_rtts(),
                    receiver: receiver.stats.clone(),
                    lost_packets: tally.lost_packets(),
                    lost_by_cause: tally.lost_by_cause(),
                    marked_packets: tally.marked_packets,
                }
            })
            .collect();
        let mut frames = FrameColumns::bounded(self.plan.record.max_bytes);
        let mut frames_counted_until = None;
        let streams = self
            .plan
            .streams
            .iter()
            .zip(self.streams)
            .zip(&self.network.tally[self.plan.flows.len()..])
            .map(|((plan, mut stream), tally)| {
                stream.receiver.settle();
                let start = Time::from_ps(plan.start_ps);
                let last = plan.stop_ps.map_or(Time::MAX, Time::from_ps).min(end);
                let judged = stream.judge(end, &mut frames);
                let full_at = stream.frames.as_ref().and_then(|frames| frames.full_at());
                frames_counted_until = frames_counted_until.into_iter().chain(full_at).min();
                StreamOutput {
                    name: plan.name.clone(),
                    start,
                    active: last.since(start.max(self.measured_from)),
                    base_delay: propagation(self.plan, plan.path.iter()),
                    jitter: stream.receiver.jitter(),
                    play_after: stream.receiver.play_after(),
                    sent: stream.sent,
                    received: stream.receiver.stats,
                    lost_packets: tally.lost_packets(),
                    frames: judged,
                }
            })
            .collect();
        Output {
            end,
            measured: end.since(self.measured_from),
            events: self.events,
            flows,
            streams,
            links: links_output(self.plan, &self.network.links, end),
            sessions: self
                .plan
                .sessions
                .iter()
                .zip(&self.sessions.running)
                .map(|(plan, session)| SessionOutput {
                    name: plan.name.clone(),
                    waited: session.waited(),
                })
                .collect(),
            transfers: self.sessions.transfers,
            datagrams: self.datagrams,
            frames,
            frames_counted_until,
            flow_samples: self.sampler.flows,
            link_samples: self.network.log.links,
            internals: self.sampler.internals,
            packets: self.network.log.packets,
        }
    }
}

fn links_output(plan: &Plan, links: &[Link], end: Time) -> Vec<LinkOutput> {
    zip(&plan.links, links)
        .map(|(plan, link)| LinkOutput {
            name: plan.name.clone(),
            rate_bps: plan.rate_bps,
            busy: link.busy_until(end),
            stats: link.stats().clone(),
        })
        .collect()
}

impl Sampling {
    fn is_on(&self) -> bool {
        self.changes || self.every.is_some()
    }

    #[expect(clippy::cast_possible_truncation, reason = "check bounds the number of flows")]
    fn new(plan: &Plan) -> Self {
        let (every, changes) = match plan.record.samples {
            SamplePlan::Off => (None, false),
            SamplePlan::Period { period_ps } => (Some(Duration::from_ps(period_ps)), false),
            SamplePlan::Changes {} => (None, true),
        };
        let flows = plan.record.flows.clone().unwrap_or_else(|| (0..plan.flows.len() as u32).collect());
        let mut is_sampled = vec![false; plan.flows.len()];
        for flow in &flows {
            is_sampled[*flow as usize] = true;
        }
        Self {
            next: if every.is_some() { Time::ZERO } else { Time::MAX },
            every,
            changes,
            flows,
            is_sampled,
            is_done: vec![false; plan.flows.len()],
            links: sampled_links(plan),
        }
    }
}

/// Propagation there and back.
#[must_use]
pub fn base_rtt(plan: &Plan, flow: &FlowPlan) -> Duration {
    propagation(plan, flow.path.iter().chain(&flow.reverse_path))
}

/// Propagation over these links.
pub fn propagation<'a>(plan: &Plan, links: impl Iterator<Item = &'a u32>) -> Duration {
    links.fold(Duration::ZERO, |sum, link| {
        sum + Duration::from_ps(plan.links[*link as usize].delay_ps)
    })
}

/// Longest run, ps: 20 days. An RTT is then so far from the clock's end (213 days) that the estimator's sums of eight fit.
pub(crate) const LONGEST: u64 = 20 * 24 * 3600 * 1_000_000_000_000;
/// Most links or flows: sources are 32-bit numbers.
const MOST: usize = 1 << 29;

/// Whether the plan can run.
///
/// # Errors
/// Where it contradicts itself.
pub fn check(plan: &Plan) -> Result<(), PlanError> {
    let fail = |text: String| Err(PlanError(text));
    if plan.duration_ps == 0 {
        return fail("duration: must be longer than zero".into());
    }
    if plan.duration_ps > LONGEST {
        return fail("duration: must be at most 20 days".into());
    }
    if plan.warmup_ps >= plan.duration_ps {
        return fail("warmup: must end before the run does".into());
    }
    if plan.links.len() > MOST || plan.flows.len() > MOST {
        return fail(format!(
            "{} links and {} flows: at most {MOST} of each",
            plan.links.len(),
            plan.flows.len()
        ));
    }
    for link in &plan.links {
        for impairment in &link.impairments {
            impairment
                .check()
                .map_err(|error| PlanError(format!("link {}: {error}", link.name)))?;
        }
    }
    let link_exists = |link: &u32| (*link as usize) < plan.links.len();
    for flow in &plan.flows {
        for (path, name) in [(&flow.path, "path"), (&flow.reverse_path, "reverse_path")] {
            if path.is_empty() || path.len() > usize::from(u8::MAX) || !path.iter().all(link_exists) {
                return fail(format!("flow {}: {name} must be 1 to 255 existing links", flow.name));
            }
        }
        if let AppPlan::OnOff(on_off) = &flow.app {
            on_off.check().map_err(|error| PlanError(format!("flow {}: {error}", flow.name)))?;
        }
        if flow.part_of.as_ref().is_some_and(|part| part.chunk_bytes == 0) {
            return fail(format!("flow {}: a chunk must have at least one byte", flow.name));
        }
        if let Some(time) = &flow.transport.host_time {
            time.check()
                .map_err(|error| PlanError(format!("flow {}: host_time: {error}", flow.name)))?;
        }
        if flow.transport.mss == 0 || flow.transport.initial_window_bytes == 0 {
            return fail(format!("flow {}: mss and initial window must be positive", flow.name));
        }
    }
    for stream in &plan.streams {
        if stream.path.is_empty() || stream.path.len() > usize::from(u8::MAX) || !stream.path.iter().all(link_exists) {
            return fail(format!("stream {}: path must be 1 to 255 existing links", stream.name));
        }
    }
    limits::check(plan).map_err(PlanError)?;
    let mut is_run = vec![false; plan.flows.len()];
    for session in &plan.sessions {
        session
            .check()
            .map_err(|error| PlanError(format!("session {}: {error}", session.name)))?;
        for flow in &session.flows {
            let known = plan.flows.get(*flow as usize).is_some_and(|flow| flow.app == AppPlan::Session {});
            if !known || std::mem::replace(&mut is_run[*flow as usize], true) {
                return fail(format!(
                    "session {}: its flows must exist, wait for a session, and be its own",
                    session.name
                ));
            }
        }
    }
    let record = &plan.record;
    let flow_exists = |flow: &u32| (*flow as usize) < plan.flows.len();
    let host_exists = |flow: &u32| (*flow as usize) < plan.flows.len() + plan.streams.len();
    let links = record.links.iter().flatten().chain(&record.packet_links);
    let hosts = record.packet_senders.iter().chain(&record.packet_receivers);
    let are_there = record.flows.iter().flatten().all(flow_exists) && hosts.into_iter().all(host_exists);
    if !links.into_iter().all(link_exists) || !are_there {
        return fail("record: names a link or flow that does not exist".into());
    }
    if record.samples == (SamplePlan::Period { period_ps: 0 }) {
        return fail("record.samples: the period must be longer than zero".into());
    }
    Ok(())
}
