//! The end of a run whose flows all end: nothing may be done that comes after it.

use ackclock_units::{Duration, Time};

use super::super::Simulation;
use super::Rounds;
use super::graph;
use crate::app::AppPlan;
use crate::event::{EventSource, Moment};
use crate::net::transit::Feeder;

impl Simulation<'_> {
    /// A moment before which the run does not end: when the last flow finishes at the earliest.
    pub(super) fn earliest_end(&self, rounds: &mut Rounds) -> Moment {
        if !self.streams.is_empty() {
            return Moment::NEVER;
        }
        let mut least = rounds.no_end_before;
        if self.sessions.left > 0 {
            least = least.max(rounds.coupled_done);
        }
        let mut is_far = false;
        let flows = self.senders.len();
        let at_witness = rounds.witness;
        for step in 0..flows {
            let flow = (at_witness + step) % flows;
            if !self.counts(flow) {
                continue;
            }
            let (finishes, is_later) = self.earliest_finish(rounds, flow);
            least = least.max(finishes);
            if is_later {
                is_far = true;
                rounds.witness = flow;
                break;
            }
        }
        if !is_far && rounds.done < rounds.no_end_before {
            // Some have not come that far. Steps as short as the last link of the way would take
            // too many rounds.
            return rounds.no_end_before;
        }
        rounds.no_end_before = least;
        least
    }

    /// Whether the run waits for the flow's connection to finish.
    fn counts(&self, flow: usize) -> bool {
        #[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds the flows")]
        let is_of_session = self.sessions.of(flow as u32).is_some();
        !is_of_session && !self.sampling.is_done[flow]
    }

    /// A moment before which a flow does not finish, and whether its last byte has not even been
    /// sent.
    fn earliest_finish(&self, rounds: &Rounds, flow: usize) -> (Moment, bool) {
        let plan = &self.plan.flows[flow];
        if plan.app == (AppPlan::Bulk {}) && plan.stop_ps.is_none() {
            return (Moment::NEVER, true);
        }
        let Some(&link) = plan.reverse_path.last() else { return (Moment::NEVER, true) };
        if !self.senders[flow].has_sent_all() {
            let done = if graph::is_of_party(plan) {
                rounds.coupled_done
            } else {
                rounds.hosts_done[link as usize]
            };
            return (Moment::before(done.time.saturating_add(self.least_way(flow))), true);
        }
        match self.network.transit.acks[flow].front() {
            Some((time, number)) => (Moment::of(time, link, number).next(), false),
            None => (self.known(rounds, Feeder::Link(link)), false),
        }
    }

    /// Least time from a packet's sending to the arrival of its ACK.
    fn least_way(&self, flow: usize) -> Duration {
        let plan = &self.plan.flows[flow];
        plan.path.iter().chain(&plan.reverse_path).fold(Duration::ZERO, |sum, link| {
            sum + self.network.links[*link as usize].least_delay()
        })
    }

    /// Ends the run because time stands still at one host.
    pub(super) fn stand_still(&mut self, source: EventSource, now: Time) {
        self.fault = Some(self.time_stands_still(source, now));
    }
}
