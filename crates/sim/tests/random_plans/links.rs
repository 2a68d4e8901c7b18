//! Any link: constant rates and varying ones, dry wires and wet.

use ackclock_sim::distribution::Distribution;
use ackclock_sim::net::impairment::{ImpairmentPlan, SlotPlan};
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::net::loss::{LossPlan, LossWindowPlan};
use ackclock_sim::net::outage::OutagePlan;
use ackclock_sim::net::policer::PolicerPlan;
use ackclock_sim::net::transmitter::{SchedulePlan, ServicePlan, TracePlan};
use proptest::option;
use proptest::prelude::*;

use super::disciplines::{LARGEST, any_discipline};
use super::{MIN_DELAY, MS, Weather, wire};

fn loss(weather: Weather) -> BoxedStrategy<Option<LossPlan>> {
    prop_oneof![
        3 => Just(None),
        1 => (0.0..weather.most_random, any::<bool>())
            .prop_map(|(p, acks)| Some(LossPlan::Bernoulli { p, acks })),
        1 => (loss_steps(), any::<bool>())
            .prop_map(move |(steps, acks)| {
                let share = |(at, p): (u64, f64)| (at, p * weather.most_random);
                Some(LossPlan::Steps { steps: steps.into_iter().map(share).collect(), acks })
            }),
        1 => ([0.0..1.0, 0.1..1.0, 0.0..1.0, 0.0..0.2], any::<bool>())
            .prop_map(move |([p, r, bad, good], acks)| {
                let shares = [p, bad, good].map(|share| share * weather.most_random);
                let [p, loss_bad, loss_good] = shares;
                Some(LossPlan::GilbertElliott { p, r, loss_bad, loss_good, acks })
            }),
        1 => (weather.least_period..60, 0..40_u64, any::<bool>())
            .prop_map(|(every, offset, acks)| Some(LossPlan::Periodic { every, offset, acks })),
        1 => (proptest::collection::btree_set(1..200_u64, 0..12), any::<bool>())
            .prop_map(|(packets, acks)| {
                Some(LossPlan::List { packets: packets.into_iter().collect(), acks })
            }),
        // Bursts of at most a share of the time, as random losses are of packets.
        1 => (wire::times(), any::<bool>()).prop_map(move |(length, acks)| {
            let most = weather.most_random;
            let mean = length.mean() * (1.0 - most) / most;
            Some(LossPlan::Bursts { length, gap: Distribution::Exponential { mean }, acks })
        }),
    ]
    .boxed()
}

/// A time in which a loss acts, with an end or without.
fn loss_window() -> impl Strategy<Value = Option<LossWindowPlan>> {
    let window = (0..600_u64, option::of(1..600_u64)).prop_map(|(start, length)| LossWindowPlan {
        start_ps: start * MS,
        stop_ps: length.map(|length| (start + length) * MS),
    });
    option::weighted(0.3, window)
}

/// Outages of some milliseconds, with pauses; they repeat for ever only if links may block.
fn outages(weather: Weather) -> impl Strategy<Value = OutagePlan> {
    let spans = proptest::collection::vec((50..500_u64, 1..300_u64), 1..4);
    (spans, any::<bool>()).prop_map(move |(spans, comes_again)| {
        let mut at = 0;
        let mut windows = Vec::new();
        for (up, down) in spans {
            windows.push(((at + up) * MS, (at + up + down) * MS));
            at += up + down;
        }
        OutagePlan {
            windows,
            period_ps: (comes_again && weather.may_block).then_some((at + 200) * MS),
        }
    })
}

fn service(weather: Weather) -> impl Strategy<Value = ServicePlan> {
    let down = u32::from(weather.may_block);
    let rate = prop_oneof![6 => 100_000..50_000_000_u64, down => Just(0)];
    let steps = proptest::collection::vec((1..400_u64, rate), 1..5);
    let schedule = (steps, any::<bool>(), option::weighted(0.2, outages(weather))).prop_map(
        |(steps, comes_again, outages)| {
            let mut at = 0;
            let mut rates = Vec::new();
            for (ms, bps) in steps {
                rates.push((at * MS, bps));
                at += ms;
            }
            ServicePlan::Schedule(SchedulePlan {
                rates,
                period_ps: comes_again.then_some(at * MS),
                outages,
            })
        },
    );
    let opportunities = proptest::collection::vec((1..50_u64, 1..6_u32), 1..20);
    let trace =
        (opportunities, option::weighted(0.2, outages(weather))).prop_map(|(gaps, outages)| {
            let mut at = 0;
            let opportunities = gaps.into_iter().map(|(ms, count)| {
                at += ms;
                (at, count)
            });
            ServicePlan::Trace(TracePlan { opportunities: opportunities.collect(), outages })
        });
    prop_oneof![schedule, trace]
}

fn impairment(weather: Weather) -> impl Strategy<Value = ImpairmentPlan> {
    let slot = (0..20_u64, 0..30_u64, option::of(1..40_u64), option::of(100..60_000_u64)).prop_map(
        |(least, more, packets, bytes)| SlotPlan {
            min_delay_ps: least * MS,
            max_delay_ps: (least + more) * MS,
            packets,
            bytes,
        },
    );
    prop_oneof![
        wire::delay_schedule(),
        wire::jitter(),
        wire::duplicate(),
        wire::reorder(),
        wire::corrupt(weather.most_random),
        wire::ecn_rewrite(),
        outages(weather).prop_map(ImpairmentPlan::Outage),
        slot.prop_map(ImpairmentPlan::Slot),
    ]
}

fn policer() -> impl Strategy<Value = PolicerPlan> {
    (100_000..20_000_000_u64, 2 * LARGEST..200_000_u64)
        .prop_map(|(rate_bps, burst_bytes)| PolicerPlan { rate_bps, burst_bytes })
}

/// A link of a network.
pub fn link(index: usize, weather: Weather) -> impl Strategy<Value = LinkPlan> {
    let rate = prop_oneof![4 => (100_000..100_000_000_u64).prop_map(Some), 1 => Just(None)];
    let varying = (
        option::weighted(0.15, service(weather)),
        prop_oneof![4 => Just(vec![]), 1 => proptest::collection::vec(impairment(weather), 1..4)],
        option::weighted(0.1, policer()),
    );
    let losses = (loss(weather), loss_window());
    (rate, MIN_DELAY..40 * MS, any_discipline(), losses, varying).prop_map(
        move |(rate_bps, delay_ps, qdisc, (loss, loss_window), (service, impairments, policer))| {
            LinkPlan {
                name: format!("link.{index}"),
                rate_bps,
                delay_ps,
                policer,
                qdisc,
                loss,
                loss_window,
                // Only a link with a rate can have a varying one.
                service: service.filter(|_| rate_bps.is_some()),
                impairments,
            }
        },
    )
}

/// Times, ps, and probabilities of a loss in steps.
fn loss_steps() -> impl Strategy<Value = std::collections::BTreeMap<u64, f64>> {
    proptest::collection::btree_map(0..20_000_000_000_000_u64, 0.0..1.0, 1..4)
}
