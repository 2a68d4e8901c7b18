//! Builds a run from a plan and schedules the first events.

use core::iter::zip;

use ackclock_cc::registry::{self, SpecError};
use ackclock_cc::{CongestionControl, Setup};
use ackclock_units::Time;

use super::Simulation;
use super::sampler::Sampler;
use super::sampling::Sampling;
use super::sessions::Sessions;
use crate::app::Apps;
use crate::decisions::Decisions;
use crate::event::{EventSource, Moment, Sources};
use crate::net::Network;
use crate::plan::{Plan, PlanError};
use crate::starts;
use crate::transport::flow::FlowPlan;
use crate::transport::receiver::Receiver;
use crate::transport::sender::Sender;
use crate::udp::{DatagramColumns, Stream};

/// The order of work. The results do not depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// One event after another.
    Events,
    /// By rounds, if the plan can be cut.
    Rounds,
}

impl<'plan> Simulation<'plan> {
    /// Builds the run, with the clock at zero. It goes by rounds, or by events where rounds are
    /// impossible or slower.
    ///
    /// # Errors
    /// The plan contradicts itself, or names a congestion control that does not exist.
    pub fn new(plan: &'plan Plan) -> Result<Self, PlanError> {
        Self::with_controls(plan, |flow, setup| registry::build(&flow.cc, setup))
    }

    /// Builds the run with congestion controls of the caller's: `build` makes one for each flow, in
    /// the order of the plan.
    ///
    /// # Errors
    /// The plan contradicts itself, or `build` fails.
    pub fn with_controls(
        plan: &'plan Plan,
        build: impl FnMut(&FlowPlan, &Setup) -> Result<Box<dyn CongestionControl>, SpecError>,
    ) -> Result<Self, PlanError> {
        let simulation = Self::unstarted(plan, build)?;
        // Rows of single packets and ACKs cost more to put in order than rounds save.
        let order = if simulation.records_each_event() { Order::Events } else { Order::Rounds };
        Ok(simulation.started(order))
    }

    /// Builds the run to go by events, one after another. The results are those of
    /// [`Simulation::new`], to the byte, and it is their reference.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn by_events(plan: &'plan Plan) -> Result<Self, PlanError> {
        let simulation = Self::unstarted(plan, |flow, setup| registry::build(&flow.cc, setup))?;
        Ok(simulation.started(Order::Events))
    }

    /// Builds the run to go by rounds wherever it can be cut, even if it records each event.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn by_rounds(plan: &'plan Plan) -> Result<Self, PlanError> {
        let simulation = Self::unstarted(plan, |flow, setup| registry::build(&flow.cc, setup))?;
        Ok(simulation.started(Order::Rounds))
    }

    /// Whether rows are kept of single events, and not only at a period.
    fn records_each_event(&self) -> bool {
        self.sampling.sees_each_event || self.network.log.records_each_event()
    }

    fn started(mut self, order: Order) -> Self {
        if order == Order::Rounds {
            self.cut();
        }
        if self.rounds.is_none() {
            self.schedule_starts();
        }
        self
    }

    #[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds the number of flows")]
    fn unstarted(
        plan: &'plan Plan,
        mut build: impl FnMut(&FlowPlan, &Setup) -> Result<Box<dyn CongestionControl>, SpecError>,
    ) -> Result<Self, PlanError> {
        plan.check()?;
        let Plan { links, flows, record, seed, .. } = plan;
        let sources =
            Sources::new(links.len(), flows.len(), plan.streams.len(), plan.sessions.len());
        let mut apps = Apps::new(*seed);
        let mut sessions = Sessions::new(plan);
        let mut decisions = Decisions::new(&record.decision_flows, flows.len(), record.max_bytes);
        // Sized at once: collecting until the first error would take up to twice the memory.
        let mut senders = Vec::with_capacity(flows.len());
        for (index, flow) in (0..).zip(flows) {
            let cc = build(flow, &flow.transport.setup())
                .map_err(|error| PlanError::new(format!("flow {}: {error}", flow.name)))?;
            let cc = decisions.watch(index, cc);
            if !sessions.of_flow.is_empty() {
                sessions.pristine.push(sessions.of(index).map(|_| cc.clone()));
            }
            let start = Time::from_ps(flow.start_ps);
            let app = apps.build(&flow.app, flow.part_of.as_ref(), start);
            senders.push(Sender::new(index, flow, cc, app, *seed).sharing(senders.last()));
        }
        decisions.begin(&senders);
        let mut receivers = Vec::with_capacity(flows.len());
        for (index, flow) in (0..).zip(flows) {
            receivers.push(Receiver::new(index, flow).sharing(receivers.last()));
        }
        let streams: Vec<Stream> = (0..)
            .zip(&plan.streams)
            .map(|(index, stream)| {
                Stream::new(flows.len() as u32 + index, index, stream, *seed, record)
            })
            .collect();
        Ok(Self {
            network: Network::new(links, plan.paths(), record, *seed, sources.count())
                .with_hosts(flows, *seed),
            // A flow of a session finishes with the session.
            unfinished: senders.len() - sessions.of_flow.iter().flatten().count()
                + streams.len()
                + sessions.running.len(),
            senders,
            receivers,
            streams,
            datagrams: DatagramColumns::bounded(record.max_bytes),
            sessions,
            sampler: Sampler::bounded(record.max_bytes),
            sampling: Sampling::new(plan),
            decisions,
            sources,
            now: Time::ZERO,
            end: Time::from_ps(plan.duration_ps),
            warmup: (plan.warmup_ps > 0).then(|| Time::from_ps(plan.warmup_ps)),
            measured_from: Time::ZERO,
            last_finish: Moment::before(Time::ZERO),
            events: 0,
            rounds: None,
            stopped: None,
            checked_at: Time::ZERO,
            checks_at_instant: 0,
            fault: None,
            plan,
        })
    }

    /// Schedules the first event of each flow, stream and session, and of the clock.
    fn schedule_starts(&mut self) {
        let (flow_delays, session_delays) = starts::delays(self.plan);
        let senders = zip(&self.senders, flow_delays)
            .map(|(sender, delay)| sender.deadline().saturating_add(delay));
        let streams = self.streams.iter().map(Stream::deadline);
        let sessions = zip(&self.sessions.running, session_delays)
            .map(|(session, delay)| session.deadline().saturating_add(delay));
        let clock = self.next_strike();
        let starts = zip((0..).map(EventSource::Sender), senders)
            .chain(zip((0..).map(EventSource::Stream), streams))
            .chain(zip((0..).map(EventSource::Session), sessions))
            .chain([(EventSource::Clock, clock)]);
        for (source, deadline) in starts.filter(|(_, deadline)| *deadline < Time::MAX) {
            self.network.schedule.set(self.sources.number(source), deadline);
        }
    }
}
