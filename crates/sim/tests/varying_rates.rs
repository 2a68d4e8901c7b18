//! Any network whose links change their rates, go down and send in slots: every lost packet is
//! counted, no link carries more than it can, and equal runs give equal counters.

use crate::cases;
use crate::random_plans::{MS, any_plan};
use ackclock_sim::net::impairment::{ImpairmentPlan, SlotPlan};
use ackclock_sim::net::outage::OutagePlan;
use ackclock_sim::net::transmitter::{SchedulePlan, Service, ServicePlan, TracePlan, Transmitter};
use ackclock_sim::plan::Plan;
use ackclock_sim::{Progress, Simulation};
use ackclock_units::{Duration, Rate, Time};
use proptest::option;
use proptest::prelude::*;

const MOST_EVENTS: u64 = 20_000;

/// Windows one after another, and perhaps a period that holds them.
fn outages() -> impl Strategy<Value = OutagePlan> {
    (proptest::collection::vec((1..400_u64, 1..300_u64), 1..4), option::of(1..500_u64)).prop_map(
        |(gaps, rest)| {
            let mut at = 0;
            let windows: Vec<(u64, u64)> = gaps
                .into_iter()
                .map(|(up, down)| {
                    at += up + down;
                    ((at - down) * MS, at * MS)
                })
                .collect();
            OutagePlan { windows, period_ps: rest.map(|rest| (at + rest) * MS) }
        },
    )
}

fn schedule() -> impl Strategy<Value = ServicePlan> {
    let rate = prop_oneof![4 => 100_000..50_000_000_u64, 1 => Just(0)];
    let steps = proptest::collection::vec((1..500_u64, rate), 1..5);
    (steps, option::of(1..500_u64), option::of(outages())).prop_map(|(steps, rest, outages)| {
        let mut at = 0;
        let mut rates = Vec::new();
        for (length, bps) in steps {
            rates.push((at * MS, bps));
            at += length;
        }
        ServicePlan::Schedule(SchedulePlan {
            rates,
            period_ps: rest.map(|rest| (at + rest) * MS),
            outages,
        })
    })
}

fn trace() -> impl Strategy<Value = ServicePlan> {
    let lines = proptest::collection::btree_map(1..2000_u64, 1..5_u32, 1..300);
    (any::<bool>(), lines, option::of(outages())).prop_map(|(zero, lines, outages)| {
        let first = zero.then_some((0, 1));
        ServicePlan::Trace(TracePlan {
            opportunities: first.into_iter().chain(lines).collect(),
            outages,
        })
    })
}

fn impairments() -> impl Strategy<Value = Vec<ImpairmentPlan>> {
    let slot = (0..20 * MS, 1..30 * MS, option::of(1..20_u64), option::of(100..30_000_u64))
        .prop_map(|(least, span, packets, bytes)| {
            ImpairmentPlan::Slot(SlotPlan {
                min_delay_ps: least,
                max_delay_ps: least + span,
                packets,
                bytes,
            })
        });
    (option::weighted(0.3, outages().prop_map(ImpairmentPlan::Outage)), option::weighted(0.3, slot))
        .prop_map(|(outage, slot)| outage.into_iter().chain(slot).collect())
}

fn plan() -> impl Strategy<Value = Plan> {
    let service =
        prop_oneof![1 => Just(None), 2 => schedule().prop_map(Some), 2 => trace().prop_map(Some)];
    (any_plan(), proptest::collection::vec((service, impairments()), 6)).prop_map(
        |(mut plan, links)| {
            for (link, (service, impairments)) in plan.links.iter_mut().zip(links) {
                if link.rate_bps.is_some() {
                    link.service = service;
                }
                link.impairments = impairments;
            }
            plan.warmup_ps = 0;
            plan
        },
    )
}

/// Counters of a link: packets that arrived, were delivered, dropped, and lost on the wire, and the
/// mean wait in ps.
type Counted = (u64, u64, u64, u64, Option<u64>);

/// Plays a plan and checks it on the way. Returns the counters of all links.
#[expect(clippy::cast_precision_loss, reason = "bytes of a short run, far below 2^53")]
fn play(plan: &Plan) -> Result<Vec<Counted>, TestCaseError> {
    let mut simulation = Simulation::by_events(plan).expect("the plan is valid");
    let mut events = 0;
    while events < MOST_EVENTS {
        let progress = simulation.advance(500);
        events += 500;
        let now = match progress {
            Progress::Running { now } => now,
            Progress::Finished => Time::from_ps(plan.duration_ps),
        };
        for (link, plan) in simulation.network().links.iter().zip(&plan.links) {
            let stats = link.stats();
            prop_assert_eq!(
                stats.arrived_packets + stats.duplicated_packets,
                stats.delivered_packets + stats.dropped() + link.packets_inside() as u64,
                "{}",
                &plan.name
            );
            let rate = plan.rate_bps.map(Rate::from_bps);
            let transmitter = Service::new(plan.service.as_ref(), rate);
            if let Some(capacity) = transmitter.capacity(Time::ZERO, now) {
                // An opportunity at the start comes before the counted time, and a packet ends
                // within a picosecond.
                prop_assert!(
                    stats.delivered_bytes as f64 <= capacity + 1505.0,
                    "{}: {} of {capacity}",
                    &plan.name,
                    stats.delivered_bytes
                );
            }
            prop_assert!(link.busy_until(now).as_ps() <= now.as_ps());
        }
        if progress == Progress::Finished {
            break;
        }
    }
    let links = simulation.network().links.iter();
    Ok(links
        .map(|link| {
            let stats = link.stats();
            (
                stats.arrived_packets,
                stats.delivered_packets,
                stats.dropped(),
                stats.dropped_wire,
                stats.queue_delay.mean().map(Duration::as_ps),
            )
        })
        .collect())
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn packets_are_conserved_and_no_link_carries_more_than_it_could(plan in plan()) {
        let once = play(&plan)?;
        prop_assert_eq!(once, play(&plan)?);
    }
}
