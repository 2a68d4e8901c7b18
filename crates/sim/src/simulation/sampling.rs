//! When samples are taken, and when measuring begins.

use ackclock_units::{Duration, Time};

use super::Simulation;
use crate::event::Moment;
use crate::net::sampled_links;
use crate::plan::Plan;
use crate::record::SamplePlan;
use crate::transport::receiver::Receiver;
use crate::udp::Stream;

pub(super) struct Sampling {
    pub(super) every: Option<Duration>,
    pub(super) changes: bool,
    /// Whether rows are kept of the events of single senders.
    pub(super) sees_each_event: bool,
    pub(super) flows: Vec<u32>,
    pub(super) is_sampled: Vec<bool>,
    pub(super) is_done: Vec<bool>,
    pub(super) links: Vec<u32>,
    pub(super) next: Time,
}

impl Sampling {
    pub(super) fn is_on(&self) -> bool {
        self.changes || self.every.is_some()
    }

    #[expect(clippy::cast_possible_truncation, reason = "check bounds the number of flows")]
    pub(super) fn new(plan: &Plan) -> Self {
        let (every, changes) = match plan.record.samples {
            SamplePlan::Off => (None, false),
            SamplePlan::Period { period_ps } => (Some(Duration::from_ps(period_ps)), false),
            SamplePlan::Changes {} => (None, true),
        };
        let flows =
            plan.record.flows.clone().unwrap_or_else(|| (0..plan.flows.len() as u32).collect());
        let mut is_sampled = vec![false; plan.flows.len()];
        for flow in &flows {
            is_sampled[*flow as usize] = true;
        }
        Self {
            next: if every.is_some() { Time::ZERO } else { Time::MAX },
            every,
            changes,
            sees_each_event: changes || !plan.record.decision_flows.is_empty(),
            flows,
            is_sampled,
            is_done: vec![false; plan.flows.len()],
            links: sampled_links(&plan.record, &plan.links),
        }
    }
}

impl Simulation<'_> {
    /// Records a row if every change is sampled, or if a session's connection closes, so that its
    /// series has a gap until the next connection.
    pub(super) fn sample_change(&mut self, flow: u32, has_finished: bool, now: Time) {
        let is_session = self.sessions.of(flow).is_some();
        let closes = has_finished && is_session && self.sampling.is_on();
        if closes {
            self.sample_flow(flow, now);
            self.sampler.close();
        } else if self.sampling.changes && !(is_session && self.sampling.is_done[flow as usize]) {
            self.sample_flow(flow, now);
        }
    }

    pub(super) fn begin_measuring(&mut self, now: Time) {
        self.measured_from = now;
        for sender in &mut self.senders {
            sender.settle_limits(now);
            sender.reset_stats(now);
        }
        self.receivers.iter_mut().for_each(Receiver::reset_stats);
        self.streams.iter_mut().for_each(Stream::reset_stats);
        self.network.begin_measuring(now);
        self.sampler.reset();
        self.decisions.reset();
    }

    pub(super) fn sample_all(&mut self, now: Time) {
        for at in 0..self.sampling.flows.len() {
            let flow = self.sampling.flows[at];
            let (at, tally) = (flow as usize, &self.network.tally);
            let sender = &self.senders[at];
            if sender.is_active() {
                self.sampler.gather(flow, now, sender, &self.receivers[at], &tally[at]);
            }
        }
        self.sampler.write(now);
        for &id in &self.sampling.links {
            let link = &mut self.network.links[id as usize];
            link.settle(now, |_, _| ());
            self.network.log.link(id, now, link.backlog(), link);
        }
    }

    pub(super) fn sample_flow(&mut self, id: u32, now: Time) {
        let at = id as usize;
        self.sampler.at(self.network.step());
        self.sampler.flow(id, now, &self.senders[at], &self.receivers[at], &self.network.tally[at]);
    }

    /// Writes the rows of the record before `until`, in a run by rounds.
    pub(super) fn write_rows(&mut self, until: Moment) {
        self.network.log.flush(until);
        if let Some(losses) = self.network.log.losses() {
            self.sampler.flush(until, losses);
        }
    }
}
