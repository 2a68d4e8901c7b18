//! Plans that nobody would think of: every option of the plan, in any combination that the engine
//! promises to run. Property tests, fuzz targets and tests of other crates draw from here.

mod disciplines;
mod draw;
mod edits;
mod flows;
mod links;
mod sessions;

use crate::app::AppPlan;
use crate::plan::Plan;
use crate::record::{RecordPlan, SamplePlan};
use crate::transport::flow::FlowPlan;

pub use disciplines::discipline;
pub use draw::Draw;
pub use edits::{edited, extremes, places};
pub use flows::{file, specs, stream, stripe, transport, writes};
pub use links::{Weather, outages, schedule, slot, trace, wires};
pub use sessions::{run_by_session, session_app};

/// A millisecond, in picoseconds.
pub const MS: u64 = 1_000_000_000;
/// A second, in picoseconds.
pub const S: u64 = 1000 * MS;

/// Least propagation delay of a link, so that every round trip takes time.
const MIN_DELAY: u64 = MS / 10;

/// Flows over links, with all the time that they need and nothing recorded. Each flow has the
/// application that `app` draws.
pub fn network(
    draw: &mut Draw,
    weather: Weather,
    mut app: impl FnMut(&mut Draw) -> AppPlan,
    may_stop: bool,
) -> Plan {
    let links: Vec<_> = (0..=draw.index(6)).map(|at| links::link(draw, at, weather)).collect();
    let flows: Vec<_> = (0..=draw.index(8))
        .map(|at| {
            let app = app(draw);
            flows::flow(draw, at, links.len(), app, may_stop)
        })
        .collect();
    Plan {
        seed: draw.number(0..u64::MAX),
        draws_start_order: false,
        duration_ps: 3600 * S,
        warmup_ps: 0,
        links,
        flows,
        streams: Vec::new(),
        sessions: Vec::new(),
        record: RecordPlan::default(),
    }
}

/// Records every packet everywhere: the invariants are counted from that, and not from the counters
/// that they check.
fn everything(links: usize, flows: usize) -> RecordPlan {
    RecordPlan {
        samples: SamplePlan::Off,
        flows: None,
        links: None,
        datagrams: false,
        packet_links: (0..).take(links).collect(),
        packet_senders: (0..).take(flows).collect(),
        packet_receivers: (0..).take(flows).collect(),
        ..RecordPlan::default()
    }
}

/// Makes the receivers of every second flow mislead: they make several ACKs of one, acknowledge
/// data before it arrives, and hide marks.
fn mislead(draw: &mut Draw, flows: &mut [FlowPlan]) {
    let division = match draw.kind(&[2, 2, 1]) {
        0 => 1,
        1 => draw.small(2..5),
        _ => 9,
    };
    let (lead, hides_marks) = (draw.option(50, |draw| draw.number(1..100_000)), draw.flag());
    for transport in flows.iter_mut().step_by(2).map(|flow| &mut flow.transport) {
        transport.ack_division = division;
        // A slow reader's ACKs must not run ahead: scenarios refuse both together.
        transport.optimistic_ack_bytes = lead.filter(|_| transport.read_rate_bps.is_none());
        transport.hide_marks = hides_marks;
    }
}

/// Bytes that a transfer over several connections gives to one of them at a time. The simplest are
/// large: chunks of a byte are as many packets.
pub fn chunk(draw: &mut Draw) -> u64 {
    50_000 - draw.number(0..50_000)
}

/// Anything that the engine runs, for some seconds: TCP flows, and perhaps a session.
pub fn plan(draw: &mut Draw) -> Plan {
    let mut plan = network(draw, Weather::ANY, flows::app, true);
    if draw.chance(40) {
        mislead(draw, &mut plan.flows);
    }
    let has_session = draw.chance(30);
    if has_session {
        let app = session_app(draw, false);
        let session = run_by_session(&mut plan.flows, app);
        plan.sessions.push(session);
    } else if draw.chance(30) {
        // Subflows share the data of one flow, not the transfers of a session.
        stripe(&mut plan.flows, 1 + draw.index(4), chunk(draw));
    }
    let duration = draw.number(100..6000);
    plan.duration_ps = duration * MS;
    plan.warmup_ps = draw.option(30, |draw| draw.number(0..duration) * MS).unwrap_or(0);
    plan.record = everything(plan.links.len(), plan.flows.len());
    plan
}

/// A plan with everything that acts beside TCP flows, and any samples.
pub fn traffic(draw: &mut Draw) -> Plan {
    let mut plan = plan(draw);
    if plan.sessions.is_empty() && plan.flows.iter().all(|flow| flow.part_of.is_none()) {
        for index in 0..draw.number(0..3) {
            let mut flows = vec![plan.flows[0].clone()];
            let mut session = run_by_session(&mut flows, session_app(draw, false));
            session.flows = (0..).skip(plan.flows.len()).take(2).collect();
            session.name = format!("session.{index}");
            session.stream = format!("flow/session.{index}");
            for (at, flow) in flows.iter_mut().enumerate() {
                flow.name = format!("session.{index}.{at}");
                if let Some(part) = &mut flow.part_of {
                    part.name.clone_from(&session.name);
                }
            }
            plan.flows.extend(flows);
            plan.sessions.push(session);
        }
    }
    plan.draws_start_order = draw.flag();
    plan.record.samples = match draw.kind(&[1, 1, 1]) {
        0 => SamplePlan::Off,
        1 => SamplePlan::Period { period_ps: draw.number(1..500) * MS },
        _ => SamplePlan::Changes {},
    };
    if draw.flag() {
        plan.flows.iter_mut().for_each(|flow| flow.start_ps = 0);
    }
    let count = draw.number(0..4);
    plan.streams = (0..count).map(|at| stream(draw, at, plan.links.len())).collect();
    plan.record.datagrams = true;
    plan
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    /// Adds every word that a key `kind` has in a plan, or may have by its schema.
    fn kinds(value: &Value, into: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                let kind = fields.get("kind").map(|kind| kind.get("const").unwrap_or(kind));
                into.extend(kind.and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|field| kinds(field, into));
            }
            Value::Array(items) => items.iter().for_each(|item| kinds(item, into)),
            _ => {}
        }
    }

    /// A kind that a plan has gained and no draw makes is found here.
    #[test]
    fn every_kind_of_the_schema_is_drawn() {
        let schema = serde_json::to_value(schemars::schema_for!(Plan)).expect("a schema");
        let (mut known, mut drawn) = (BTreeSet::new(), BTreeSet::new());
        kinds(&schema, &mut known);
        for seed in 0..500 {
            let plan = traffic(&mut Draw::from_seed(seed, usize::MAX));
            kinds(&serde_json::to_value(plan).expect("a plan"), &mut drawn);
        }
        assert!(known.len() > 40, "{known:?}");
        assert_eq!(known.difference(&drawn).collect::<Vec<_>>(), Vec::<&String>::new());
    }

    #[test]
    fn one_seed_gives_one_plan_and_no_bytes_the_simplest() {
        let plan = |seed, most| traffic(&mut Draw::from_seed(seed, most));
        assert_eq!(plan(1, 4000), plan(1, 4000));
        assert_ne!(plan(1, 4000), plan(2, 4000));
        let least = plan(1, 0);
        assert_eq!(least, traffic(&mut Draw::from_bytes(&[])));
        assert_eq!((least.links.len(), least.flows.len()), (1, 1));
        assert!(least.check().is_ok());
    }
}
