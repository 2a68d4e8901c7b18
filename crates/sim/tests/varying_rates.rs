//! Any network whose links change their rates, go down and send in slots: every lost packet is
//! counted, no link carries more than it can, and equal runs give equal counters.

use crate::{cases, drawn};
use ackclock_sim::net::impairment::ImpairmentPlan;
use ackclock_sim::net::transmitter::{Service, ServicePlan, Transmitter};
use ackclock_sim::plan::Plan;
use ackclock_sim::random::{self, Draw, Weather};
use ackclock_sim::{Progress, Simulation};
use ackclock_units::{Duration, Rate, Time};
use proptest::prelude::*;

const MOST_EVENTS: u64 = 20_000;

/// Any network with rates that vary, outages and slots.
fn plan(draw: &mut Draw) -> Plan {
    let mut plan = random::plan(draw);
    for link in &mut plan.links {
        let service = match draw.kind(&[1, 2, 2]) {
            0 => None,
            1 => Some(ServicePlan::Schedule(random::schedule(draw, Weather::ANY))),
            _ => Some(ServicePlan::Trace(random::trace(draw, Weather::ANY))),
        };
        link.service = service.filter(|_| link.rate_bps.is_some());
        let outage = draw.option(30, |draw| random::outages(draw, Weather::ANY));
        let slot = draw.option(30, random::slot);
        let (outage, slot) = (outage.map(ImpairmentPlan::Outage), slot.map(ImpairmentPlan::Slot));
        link.impairments = outage.into_iter().chain(slot).collect();
    }
    plan.warmup_ps = 0;
    plan
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
    fn packets_are_conserved_and_no_link_carries_more_than_it_could(plan in drawn(plan)) {
        let once = play(&plan)?;
        prop_assert_eq!(once, play(&plan)?);
    }
}
