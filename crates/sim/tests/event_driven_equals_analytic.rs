//! An event-driven link does what an analytic link does, wherever both are possible.

use crate::plain_plans::{MS, packets};
use crate::{any_plan, cases, ends_after, run};
use ackclock_sim::Output;
use ackclock_sim::net::impairment::{CorruptPlan, ImpairmentPlan};
use ackclock_sim::net::link::{Link, LinkStats};
use ackclock_sim::net::policer::PolicerPlan;
use ackclock_sim::net::transmitter::{SchedulePlan, ServicePlan};
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::{self, QdiscPlan};
use ackclock_sim::record::{RecordPlan, SamplePlan};
use ackclock_units::Duration;
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
    ends_after(MOST_EVENTS, plan)
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

/// Makes every link of a plan event-driven, by a policer that lets every packet pass.
fn with_a_policer_that_never_acts(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    for link in &mut plan.links {
        link.policer = Some(PolicerPlan { rate_bps: 1 << 50, burst_bytes: 1 << 50 });
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

/// The events of hosts and queues, in order within each place and kind.
fn seen(output: &Output) -> Vec<String> {
    let rows = &output.packets;
    let mut seen: Vec<_> = (0..rows.event.len())
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
            let header = (
                rows.flags[row],
                rows.window[row],
                rows.ts_val[row],
                rows.ts_ecr[row],
                rows.sack_count[row],
            );
            (place, row, packet, header)
        })
        .collect();
    seen.sort_unstable_by_key(|(place, row, ..)| (*place, *row));
    seen.iter()
        .map(|(place, _, packet, header)| format!("{place:?} {packet:?} {header:?}"))
        .collect()
}

/// Every counter of flows and links, but for busy time.
fn counted(output: &Output) -> Vec<String> {
    let flows = output.flows.iter().map(|f| {
        let lost = (f.lost_packets, f.lost_by_cause, f.marked_packets);
        let sent = (f.finished, &f.sender, &f.receiver, &f.rtt);
        format!("{} {lost:?} {sent:?}", f.name)
    });
    let links = output.links.iter().map(|l| {
        // The link's `busy` has what is committed beyond the end.
        let stats = LinkStats { busy: Duration::ZERO, ..l.stats.clone() };
        format!("{} {stats:?}", l.name)
    });
    flows.chain(links).chain([format!("{:?} {:?}", output.end, output.measured)]).collect()
}

/// Busy time. Where the rate varies it is a share of the capacity, which is rounded.
fn busy(output: &Output) -> Vec<String> {
    output.links.iter().map(|l| format!("{} {:?}", l.name, l.busy)).collect()
}

/// Samples at a period, but for the delay of queues.
fn sampled(output: &Output) -> Vec<String> {
    let mut links = output.link_samples.clone();
    links.queue_delay.clear();
    vec![format!("{:?}", output.flow_samples), format!("{links:?}")]
}

/// Whether the sampled delays of queues are equal. An analytic link adds up transmission times that
/// are rounded to whole picoseconds, an event-driven one rounds that of all bytes.
fn delays_agree(left: &Output, right: &Output) -> bool {
    let (left, right) = (&left.link_samples, &right.link_samples);
    let delays = left.queue_delay.iter().zip(&right.queue_delay).zip(&left.queue_packets);
    left.queue_delay.len() == right.queue_delay.len()
        && delays
            .into_iter()
            .all(|((left, right), packets)| (left - right).abs() <= f64::from(packets + 1) * 1e-12)
}

fn first_difference(left: &[String], right: &[String]) -> Option<String> {
    let differ = left.iter().zip(right).find(|(left, right)| left != right);
    differ.map(|(left, right)| format!("{left}\nand\n{right}")).or_else(|| {
        (left.len() != right.len()).then(|| format!("{} rows and {}", left.len(), right.len()))
    })
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn event_driven_links_do_what_analytic_ones_do(
        plan in any_plan().prop_map(analytic),
        period_ms in 1..500_u64,
    ) {
        prop_assert!(plan.links.iter().all(|link| matches!(Link::new(link, 1), Link::Analytic(_))));
        let plan = Plan {
            record: RecordPlan {
                samples: SamplePlan::Period { period_ps: period_ms * MS },
                ..plan.record.clone()
            },
            ..plan
        };
        let analytic = run(&plan);
        let views: [fn(&Output) -> Vec<String>; 4] = [seen, counted, busy, sampled];
        for (other, views) in [
            (with_an_idle_impairment(&plan), &views[..]),
            (with_a_policer_that_never_acts(&plan), &views[..]),
            (with_schedules_of_one_rate(&plan), &views[..2]),
        ] {
            let is_event_driven = |link| matches!(Link::new(link, 1), Link::EventDriven(_));
            prop_assert!(other.links.iter().all(is_event_driven));
            let event_driven = run(&other);
            for view in views {
                let difference = first_difference(&view(&analytic), &view(&event_driven));
                prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
            }
            prop_assert!(delays_agree(&analytic, &event_driven));
        }
    }
}
