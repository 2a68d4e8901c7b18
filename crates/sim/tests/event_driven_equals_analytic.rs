//! An event-driven link does what an analytic link does, wherever both are possible.

use crate::plain_plans::packets;
use crate::random_plans::any_plan;
use crate::{cases, run};
use ackclock_sim::net::impairment::{CorruptPlan, ImpairmentPlan};
use ackclock_sim::net::link::Link;
use ackclock_sim::net::transmitter::{SchedulePlan, ServicePlan};
use ackclock_sim::plan::Plan;
use ackclock_sim::probe::PacketEvent;
use ackclock_sim::qdisc::{self, QdiscPlan};
use ackclock_sim::{Output, Progress, Simulation};
use proptest::prelude::*;

/// Events of a run: enough for every state of a connection.
const MOST_EVENTS: u64 = 10_000;

/// Makes every link of a plan analytic, and ends the run after [`MOST_EVENTS`].
fn analytic(mut plan: Plan) -> Plan {
    for link in &mut plan.links {
        link.service = None;
        link.impairments.clear();
        link.policer = None;
        if qdisc::admission(&link.qdisc, None).is_none() {
            link.qdisc = QdiscPlan::Fifo(packets(30).into());
        }
    }
    // An analytic link counts a queueing delay and a loss on the wire at arrival, an event-driven
    // one at departure: around the end of a warm-up the counters differ.
    plan.warmup_ps = 0;
    let mut simulation = Simulation::new(&plan).expect("the plan is valid");
    if let Progress::Running { now } = simulation.advance(MOST_EVENTS) {
        plan.duration_ps = now.as_ps().max(1);
    }
    plan
}

/// Makes every link of a plan event-driven, by an impairment that damages no packet.
fn with_an_idle_impairment(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    for link in &mut plan.links {
        link.impairments =
            vec![ImpairmentPlan::Corrupt(CorruptPlan { p: 0.0, correlation: 0.0, acks: true })];
    }
    plan
}

/// Makes every link of a plan event-driven, by a schedule that never changes its rate.
fn with_schedules_of_one_rate(plan: &Plan) -> Plan {
    let mut plan = with_an_idle_impairment(plan);
    for link in &mut plan.links {
        link.service = link.rate_bps.map(|bps| {
            ServicePlan::Schedule(SchedulePlan {
                rates: vec![(0, bps)],
                period_ps: Some(7_000_000),
                outages: None,
            })
        });
    }
    plan
}

/// The events of hosts and queues, in order within each place and kind. Losses on the wire and
/// marks are left out: an analytic link reports a loss when the packet arrives, an event-driven one
/// when it leaves, and the loss hides a mark. The counters have both.
fn seen(output: &Output) -> Vec<String> {
    let rows = &output.packets;
    let told_otherwise = [PacketEvent::DropWire, PacketEvent::Mark].map(|event| event as u8);
    let mut seen: Vec<_> = (0..rows.event.len())
        .filter(|row| !told_otherwise.contains(&rows.event[*row]))
        .map(|row| {
            let place = (rows.point[row], rows.place[row], rows.event[row], rows.time_ns[row]);
            let packet = (
                rows.flow[row],
                rows.is_ack[row],
                rows.seq[row],
                rows.length[row],
                rows.ack[row],
                rows.ecn[row],
            );
            let told = (
                rows.flags[row],
                rows.window[row],
                rows.ts_val[row],
                rows.ts_ecr[row],
                rows.sack_count[row],
            );
            (place, row, packet, told)
        })
        .collect();
    seen.sort_unstable_by_key(|(place, row, ..)| (*place, *row));
    seen.iter().map(|(place, _, packet, told)| format!("{place:?} {packet:?} {told:?}")).collect()
}

fn counted(output: &Output) -> Vec<String> {
    let flows = output.flows.iter().map(|f| {
        format!("{} {:?} {:?} {:?} {:?}", f.name, f.finished, f.sender, f.receiver, f.rtt)
    });
    let links = output.links.iter().map(|l| {
        let s = &l.stats;
        let drops = (
            s.arrived_packets,
            s.delivered_packets,
            s.delivered_bytes,
            s.dropped_forced,
            s.dropped_early,
            s.marked_packets,
        );
        format!("{} {drops:?}", l.name)
    });
    flows.chain(links).chain([format!("{:?} {:?}", output.end, output.measured)]).collect()
}

fn first_difference(one: &[String], other: &[String]) -> Option<String> {
    let differ = one.iter().zip(other).find(|(one, other)| one != other);
    differ.map(|(one, other)| format!("{one}\nand\n{other}")).or_else(|| {
        (one.len() != other.len()).then(|| format!("{} rows and {}", one.len(), other.len()))
    })
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn event_driven_links_do_what_analytic_ones_do(plan in any_plan().prop_map(analytic)) {
        prop_assert!(plan.links.iter().all(|link| matches!(Link::new(link, 1), Link::Analytic(_))));
        let analytic = run(&plan);
        for other in [with_an_idle_impairment(&plan), with_schedules_of_one_rate(&plan)] {
            let is_event_driven = |link| matches!(Link::new(link, 1), Link::EventDriven(_));
            prop_assert!(other.links.iter().all(is_event_driven));
            let event_driven = run(&other);
            for told in [seen, counted] {
                let difference = first_difference(&told(&analytic), &told(&event_driven));
                prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
            }
        }
    }
}
