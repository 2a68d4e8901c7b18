//! Coupled flows: hosts that act together without a link between them. These are the flows of
//! sessions and the subflows of parallel transfers. Among themselves they go by events.

use super::super::Simulation;
use super::Rounds;
use crate::event::{Moment, Source};
use crate::net::transit::Feeder;

/// A packet that reaches a host of coupled flows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    moment: Moment,
    link: Source,
    flow: u32,
    is_reverse: bool,
}

impl Simulation<'_> {
    /// Advances the coupled flows.
    pub(super) fn advance_party(&mut self, rounds: &mut Rounds, limit: Moment) {
        if rounds.coupled_done == Moment::NEVER {
            return;
        }
        let until = self.party_knows(rounds).min(limit);
        if until <= rounds.coupled_done {
            return;
        }
        let known = rounds.done;
        for flow in &rounds.graph.coupled {
            self.hear_causes(*flow, known);
        }
        let arrivals = self.arrivals_of_party(rounds, until);
        rounds.coupled_done = self.run_party(&arrivals, rounds.most_in_a_turn, until);
        for edge in &rounds.graph.coupled_edges {
            self.network.transit.seal(*edge);
        }
    }

    /// The moment before which everything that reaches coupled flows is known.
    fn party_knows(&self, rounds: &Rounds) -> Moment {
        let links = rounds.graph.coupled.iter().flat_map(|flow| {
            let plan = &self.plan.flows[*flow as usize];
            plan.path.last().into_iter().chain(plan.reverse_path.last())
        });
        let known = links.map(|link| self.known(rounds, Feeder::Link(*link)));
        known.min().unwrap_or(Moment::NEVER)
    }

    fn arrivals_of_party(&self, rounds: &Rounds, until: Moment) -> Vec<Arrival> {
        let mut arrivals = Vec::new();
        for &flow in &rounds.graph.coupled {
            let (plan, transit) = (&self.plan.flows[flow as usize], &self.network.transit);
            let ends = [
                (plan.path.last(), &transit.data[flow as usize], false),
                (plan.reverse_path.last(), &transit.acks[flow as usize], true),
            ];
            for (link, inbox, is_reverse) in ends {
                let Some(&link) = link else { continue };
                for (time, number) in inbox.arrivals() {
                    let moment = Moment::of(time, link, number);
                    if moment >= until {
                        break;
                    }
                    arrivals.push(Arrival { moment, link, flow, is_reverse });
                }
            }
        }
        // Packets of one flow that arrive together have one moment, and stay in their order.
        arrivals.sort_by_key(|arrival| arrival.moment);
        arrivals
    }

    /// Does what happens before `until`. Returns the moment before which all is done: an earlier
    /// one if the last session has ended.
    fn run_party(&mut self, arrivals: &[Arrival], most: u64, until: Moment) -> Moment {
        let most = self.events + most;
        let had_sessions = self.sessions.left > 0;
        let mut arrivals = arrivals.iter();
        let mut next = arrivals.next();
        let mut present = Moment::before(ackclock_units::Time::ZERO);
        loop {
            let arrives = next.map_or(Moment::NEVER, |arrival| arrival.moment);
            let timer = self.network.schedule.peek();
            let fires = timer.map_or(Moment::NEVER, |(time, source)| Moment::of(time, source, 0));
            let moment = arrives.min(fires);
            if moment >= until {
                return until;
            }
            if self.events >= most {
                return present.max(moment);
            }
            // What a session causes at once happens before the next session has its turn.
            present = present.max(moment);
            self.now = moment.time;
            self.network.at(present);
            self.events += 1;
            if arrives < fires {
                let Some(arrival) = next else { return until };
                next = arrivals.next();
                self.take_in_arrival(arrival);
            } else {
                let Some((now, source)) = self.network.schedule.head() else { return until };
                self.on_event(source, now);
            }
            if had_sessions && self.sessions.left == 0 {
                return present.next();
            }
        }
    }

    fn take_in_arrival(&mut self, arrival: &Arrival) {
        let transit = &mut self.network.transit;
        let inboxes = if arrival.is_reverse { &mut transit.acks } else { &mut transit.data };
        let inbox = &mut inboxes[arrival.flow as usize];
        let taken = inbox.take(arrival.flow);
        inbox.recycle();
        let Some(packet) = taken.map(|(thin, extra)| thin.packet(&extra.unwrap_or_default()))
        else {
            return;
        };
        let now = arrival.moment.time;
        if self.network.arrive(arrival.link, &packet, now) {
            self.deliver(&packet, now);
        }
        if self.sampling.changes && !arrival.is_reverse {
            let delivered = self.receivers[arrival.flow as usize].delivered_in_all();
            self.sampler.delivered(arrival.flow, delivered, self.network.step());
        }
    }
}
