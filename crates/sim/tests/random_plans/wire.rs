//! Any impairment of a wire.

use ackclock_sim::distribution::Distribution;
use ackclock_sim::net::impairment::{
    CorruptPlan, DelaySchedulePlan, DuplicatePlan, EcnRewritePlan, EcnRule, ImpairmentPlan,
    JitterPlan, ReorderPlan,
};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{MIN_DELAY, MS};

/// Distributions of times of some milliseconds, with a tail or without, s.
pub fn times() -> impl Strategy<Value = Distribution> {
    let scale = 1e-5..0.02_f64;
    prop_oneof![
        scale.clone().prop_map(|value| Distribution::Fixed { value }),
        (scale.clone(), scale.clone())
            .prop_map(|(low, span)| Distribution::Uniform { low, high: low + span }),
        scale.clone().prop_map(|mean| Distribution::Exponential { mean }),
        (scale.clone(), 0.0..0.02).prop_map(|(mean, sd)| Distribution::Normal { mean, sd }),
        (scale.clone(), 0.1..1.5)
            .prop_map(|(median, sigma)| Distribution::Lognormal { median, sigma }),
        (scale.clone(), 1.1..5.0).prop_map(|(scale, shape)| Distribution::Between {
            of: Box::new(Distribution::Pareto { scale, shape }),
            low: 0.0,
            high: 1.0,
        }),
        (scale.clone(), 0.5..3.0).prop_map(|(scale, shape)| Distribution::Weibull { scale, shape }),
        (scale, 0.1..0.9).prop_map(|(x, p)| Distribution::Cdf {
            points: vec![(0.0, 0.0), (x, p), (2.0 * x, 1.0)],
        }),
    ]
}

fn correlation() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.0..0.95]
}

/// Jitter that keeps the order of packets or changes it.
pub fn jitter() -> impl Strategy<Value = ImpairmentPlan> {
    (times(), correlation(), any::<bool>()).prop_map(|(delay, correlation, reorder)| {
        ImpairmentPlan::Jitter(JitterPlan { delay, correlation, reorder })
    })
}

/// Packets that skip the delay or are late.
pub fn reorder() -> impl Strategy<Value = ImpairmentPlan> {
    (0.0..0.5, 1..8_u64, correlation(), option::of(times()), any::<bool>()).prop_map(
        |(p, gap, correlation, extra, acks)| {
            ImpairmentPlan::Reorder(ReorderPlan { p, gap, correlation, extra, acks })
        },
    )
}

/// Duplicates.
pub fn duplicate() -> impl Strategy<Value = ImpairmentPlan> {
    (0.0..0.3, correlation(), any::<bool>()).prop_map(|(p, correlation, acks)| {
        ImpairmentPlan::Duplicate(DuplicatePlan { p, correlation, acks })
    })
}

/// Damage, of at most this share of packets.
pub fn corrupt(most: f64) -> impl Strategy<Value = ImpairmentPlan> {
    (0.0..most, 0.0..0.5, any::<bool>()).prop_map(|(p, correlation, acks)| {
        ImpairmentPlan::Corrupt(CorruptPlan { p, correlation, acks })
    })
}

/// Codepoints that change.
pub fn ecn_rewrite() -> impl Strategy<Value = ImpairmentPlan> {
    select(vec![EcnRule::Bleach, EcnRule::ClearCe, EcnRule::Ect1ToEct0])
        .prop_map(|rule| ImpairmentPlan::EcnRewrite(EcnRewritePlan { rule }))
}

/// Delays that change a few times, or again and again.
pub fn delay_schedule() -> impl Strategy<Value = ImpairmentPlan> {
    let steps = proptest::collection::vec((1..800_u64, 0..80_u64), 1..5);
    (steps, any::<bool>(), any::<bool>()).prop_map(|(steps, comes_again, reorder)| {
        let mut at = 0;
        let mut delays = Vec::new();
        for (ms, delay) in steps {
            at += ms;
            delays.push((at * MS, delay * MS + MIN_DELAY));
        }
        ImpairmentPlan::DelaySchedule(DelaySchedulePlan {
            delays,
            period_ps: comes_again.then_some((at + 300) * MS),
            reorder,
        })
    })
}
