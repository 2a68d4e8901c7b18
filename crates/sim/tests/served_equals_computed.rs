//! A link that is served packet by packet does what one does whose departures are computed, wherever both can be had.

mod random_plans;

use ackclock_sim::net::impairment::{CorruptPlan, ImpairmentPlan};
use ackclock_sim::net::link::Link;
use ackclock_sim::net::transmitter::{SchedulePlan, ServicePlan};
use ackclock_sim::plan::{LimitPlan, Plan, QdiscPlan};
use ackclock_sim::probe::PacketEvent;
use ackclock_sim::qdisc;
use ackclock_sim::{Output, Progress, Simulation};
use proptest::prelude::*;
use random_plans::any_plan;

/// Enough for every state of a connection.
const MOST_EVENTS: u64 = 10_000;

fn run(plan: &Plan) -> Output {
    let mut simulation = Simulation::new(plan).expect("the plan is valid");
    while simulation.advance(1000) != Progress::Finished {}
    simulation.finish()
}

/// The same network of computed links, until as many events have happened as are enough.
fn computed(mut plan: Plan) -> Plan {
    for link in &mut plan.links {
        link.service = None;
        link.impairments.clear();
        link.policer = None;
        if qdisc::admission(&link.qdisc, None).is_none() {
            link.qdisc = QdiscPlan::Fifo(LimitPlan {
                limit_packets: Some(30),
                limit_bytes: None,
            });
        }
    }
    // A queue's delay and a loss on the wire are counted at arrival here and at departure there: around a warm-up they differ.
    plan.warmup_ps = 0;
    let mut simulation = Simulation::new(&plan).expect("the plan is valid");
    if let Progress::Running { now } = simulation.advance(MOST_EVENTS) {
        plan.duration_ps = now.as_ps().max(1);
    }
    plan
}

/// The same network, served: every wire damages no packet.
fn with_an_idle_impairment(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    for link in &mut plan.links {
        link.impairments = vec![ImpairmentPlan::Corrupt(CorruptPlan {
            p: 0.0,
            correlation: 0.0,
            acks: true,
        })];
    }
    plan
}

/// The same network, served: every rate follows a schedule that never changes it.
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

/// What the hosts and the queues saw, each kind of event of each place in its order. A loss on the wire is told when the packet leaves here and when
/// it arrives there, and then hides its mark; both are in the counters.
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
    seen.iter()
        .map(|(place, _, packet, told)| format!("{place:?} {packet:?} {told:?}"))
        .collect()
}

fn counted(output: &Output) -> Vec<String> {
    let flows = output
        .flows
        .iter()
        .map(|f| format!("{} {:?} {:?} {:?} {:?}", f.name, f.finished, f.sender, f.receiver, f.rtt));
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
    flows
        .chain(links)
        .chain([format!("{:?} {:?}", output.end, output.measured)])
        .collect()
}

fn first_difference(one: &[String], other: &[String]) -> Option<String> {
    let differ = one.iter().zip(other).find(|(one, other)| one != other);
    differ
        .map(|(one, other)| format!("{one}\nand\n{other}"))
        .or_else(|| (one.len() != other.len()).then(|| format!("{} rows and {}", one.len(), other.len())))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, max_shrink_iters: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn served_links_do_what_computed_ones_do(plan in any_plan().prop_map(computed)) {
        prop_assert!(plan.links.iter().all(|link| matches!(Link::new(link, 1), Link::Computed(_))));
        let computed = run(&plan);
        for other in [with_an_idle_impairment(&plan), with_schedules_of_one_rate(&plan)] {
            prop_assert!(other.links.iter().all(|link| matches!(Link::new(link, 1), Link::Served(_))));
            let served = run(&other);
            for (one, other) in [(seen(&computed), seen(&served)), (counted(&computed), counted(&served))] {
                let difference = first_difference(&one, &other);
                prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
            }
        }
    }
}
