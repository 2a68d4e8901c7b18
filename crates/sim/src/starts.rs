//! The order in which flows of one start time start.
//!
//! On real hosts that order is chance: applications are woken one after another. The first to send
//! is the first in the queue, and with CUBIC beside BBR the whole run can depend on it.

use std::collections::BTreeMap;

use ackclock_units::Duration;
use rand_core::Rng as _;

use crate::plan::Plan;
use crate::rng;

/// Returns how long after its start time each flow and each session starts: its rank, in
/// picoseconds, among the flows and sessions of that start time.
///
/// The order is drawn from streams named after the flows and sessions, so that one more flow leaves
/// the order of the others as it was. All delays are zero if the plan does not ask for a drawn
/// order.
#[must_use]
pub fn delays(plan: &Plan) -> (Vec<Duration>, Vec<Duration>) {
    let mut of_flows = vec![Duration::ZERO; plan.flows.len()];
    let mut of_sessions = vec![Duration::ZERO; plan.sessions.len()];
    if !plan.draws_start_order {
        return (of_flows, of_sessions);
    }
    let mut is_of_session = vec![false; plan.flows.len()];
    for flow in plan.sessions.iter().flat_map(|session| &session.flows) {
        is_of_session[*flow as usize] = true;
    }
    let mut by_start: BTreeMap<u64, Vec<(&str, &mut Duration)>> = BTreeMap::new();
    for ((flow, delay), is_of_session) in plan.flows.iter().zip(&mut of_flows).zip(is_of_session) {
        // A session opens the connections itself.
        if !is_of_session {
            by_start.entry(flow.start_ps).or_default().push((&flow.name, delay));
        }
    }
    for (session, delay) in plan.sessions.iter().zip(&mut of_sessions) {
        by_start.entry(session.start_ps).or_default().push((&session.name, delay));
    }
    for together in by_start.into_values().filter(|together| together.len() > 1) {
        let draw =
            |name: &str| rng::stream(plan.seed, &format!("flow/{name}/start-order")).next_u64();
        let mut drawn: Vec<_> =
            together.into_iter().map(|(name, delay)| (draw(name), delay)).collect();
        // The sort is stable: two equal draws keep the plan's order.
        drawn.sort_by_key(|(draw, _)| *draw);
        for (place, (_, delay)) in (0..).zip(drawn) {
            *delay = Duration::from_ps(place);
        }
    }
    (of_flows, of_sessions)
}
