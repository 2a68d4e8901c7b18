//! Links: constant rates and varying ones, dry wires and wet.

use super::disciplines::{LARGEST, discipline};
use super::{Draw, MIN_DELAY, MS};
use crate::distribution::Distribution;
use crate::net::impairment::{
    CorruptPlan, DelaySchedulePlan, DuplicatePlan, EcnRewritePlan, EcnRule, ImpairmentPlan,
    JitterPlan, ReorderPlan, SlotPlan,
};
use crate::net::link::LinkPlan;
use crate::net::loss::{LossPlan, LossWindowPlan};
use crate::net::outage::OutagePlan;
use crate::net::policer::PolicerPlan;
use crate::net::transmitter::{SchedulePlan, ServicePlan, TracePlan};

/// How hard the network is on its flows.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    /// Most that a link loses at random.
    pub most_random: f64,
    /// Least period of a periodic loss, packets.
    pub least_period: u64,
    /// Whether links may stop for ever, or so often that nothing gets through.
    pub may_block: bool,
}

impl Weather {
    /// Anything at all, links that lose every packet included.
    pub const ANY: Self = Self { most_random: 0.6, least_period: 1, may_block: true };
}

/// Times of some milliseconds, with a tail or without, s.
fn times(draw: &mut Draw) -> Distribution {
    let scale = draw.value(1e-5..0.02);
    match draw.kind(&[1; 8]) {
        0 => Distribution::Fixed { value: scale },
        1 => Distribution::Uniform { low: scale, high: scale + draw.value(1e-5..0.02) },
        2 => Distribution::Exponential { mean: scale },
        3 => Distribution::Normal { mean: scale, sd: draw.value(0.0..0.02) },
        4 => Distribution::Lognormal { median: scale, sigma: draw.value(0.1..1.5) },
        5 => Distribution::Between {
            of: Box::new(Distribution::Pareto { scale, shape: draw.value(1.1..5.0) }),
            low: 0.0,
            high: 1.0,
        },
        6 => Distribution::Weibull { scale, shape: draw.value(0.5..3.0) },
        _ => Distribution::Cdf {
            points: vec![(0.0, 0.0), (scale, draw.value(0.1..0.9)), (2.0 * scale, 1.0)],
        },
    }
}

fn loss(draw: &mut Draw, weather: Weather) -> Option<LossPlan> {
    let most = weather.most_random;
    let kind = draw.kind(&[3, 1, 1, 1, 1, 1, 1]);
    let acks = draw.flag();
    Some(match kind {
        0 => return None,
        1 => LossPlan::Bernoulli { p: draw.value(0.0..most), acks },
        2 => {
            let mut steps =
                draw.list(1..4, |draw| (draw.number(0..20_000 * MS), draw.value(0.0..most)));
            steps.sort_unstable_by_key(|(at, _)| *at);
            steps.dedup_by_key(|(at, _)| *at);
            LossPlan::Steps { steps, acks }
        }
        3 => LossPlan::GilbertElliott {
            p: draw.value(0.0..most),
            r: draw.value(0.1..1.0),
            loss_bad: draw.value(0.0..most),
            loss_good: draw.value(0.0..0.2) * most,
            acks,
        },
        4 => LossPlan::Periodic {
            every: draw.number(weather.least_period..60),
            offset: draw.number(0..40),
            acks,
        },
        5 => {
            let mut packets = draw.list(0..12, |draw| draw.number(1..200));
            packets.sort_unstable();
            packets.dedup();
            LossPlan::List { packets, acks }
        }
        // Bursts of at most a share of the time, as random losses are of packets.
        _ => {
            let length = times(draw);
            let mean = length.mean() * (1.0 - most) / most;
            LossPlan::Bursts { length, gap: Distribution::Exponential { mean }, acks }
        }
    })
}

/// Outages with pauses; they come again for ever only if links may block.
pub fn outages(draw: &mut Draw, weather: Weather) -> OutagePlan {
    let least = if weather.may_block { 1 } else { 50 };
    let mut at = 0;
    let windows = draw.list(1..4, |draw| {
        let from = at + draw.number(least..500);
        at = from + draw.number(1..300);
        (from * MS, at * MS)
    });
    let period_ps = draw.option(50, |draw| (at + draw.number(1..500)) * MS);
    OutagePlan { windows, period_ps: period_ps.filter(|_| weather.may_block) }
}

/// Rates from given times on, zero among them only if links may block.
pub fn schedule(draw: &mut Draw, weather: Weather) -> SchedulePlan {
    let mut at = 0;
    let rates = draw.list(1..5, |draw| {
        let is_down = draw.chance(15) && weather.may_block;
        let step = (at * MS, if is_down { 0 } else { draw.number(100_000..50_000_000) });
        at += draw.number(1..500);
        step
    });
    SchedulePlan {
        rates,
        period_ps: draw.option(50, |draw| (at + draw.number(0..500)) * MS),
        outages: draw.option(30, |draw| outages(draw, weather)),
    }
}

/// Opportunities to send, a few or some hundred.
pub fn trace(draw: &mut Draw, weather: Weather) -> TracePlan {
    let most = draw.choice(&[20, 300]);
    let mut at = 0;
    let first = draw.option(30, |_| (0, 1));
    let opportunities = draw.list(1..most, |draw| {
        at += draw.number(1..50);
        (at, draw.small(1..6))
    });
    TracePlan {
        opportunities: first.into_iter().chain(opportunities).collect(),
        outages: draw.option(30, |draw| outages(draw, weather)),
    }
}

/// Batches of packets.
pub fn slot(draw: &mut Draw) -> SlotPlan {
    let least = draw.number(0..20 * MS);
    SlotPlan {
        min_delay_ps: least,
        max_delay_ps: least + draw.number(0..30 * MS),
        packets: draw.option(50, |draw| draw.number(1..40)),
        bytes: draw.option(50, |draw| draw.number(100..60_000)),
    }
}

/// Number of kinds of impairment; those of netem come first, in its order.
const IMPAIRMENTS: usize = 8;

fn impairment(draw: &mut Draw, kind: usize, weather: Weather) -> ImpairmentPlan {
    let correlation =
        |draw: &mut Draw| draw.option(50, |draw| draw.value(0.0..0.95)).unwrap_or(0.0);
    match kind {
        0 => ImpairmentPlan::Duplicate(DuplicatePlan {
            p: draw.value(0.0..0.3),
            correlation: correlation(draw),
            acks: draw.flag(),
        }),
        1 => ImpairmentPlan::Corrupt(CorruptPlan {
            p: draw.value(0.0..weather.most_random),
            correlation: draw.value(0.0..0.5),
            acks: draw.flag(),
        }),
        // Delays that change a few times, or again and again.
        2 => {
            let mut at = 0;
            let delays = draw.list(1..5, |draw| {
                at += draw.number(1..800);
                (at * MS, draw.number(0..80) * MS + MIN_DELAY)
            });
            ImpairmentPlan::DelaySchedule(DelaySchedulePlan {
                delays,
                period_ps: draw.option(50, |_| (at + 300) * MS),
                reorder: draw.flag(),
            })
        }
        3 => ImpairmentPlan::Jitter(JitterPlan {
            delay: times(draw),
            correlation: correlation(draw),
            reorder: draw.flag(),
        }),
        4 => ImpairmentPlan::Reorder(ReorderPlan {
            p: draw.value(0.0..0.5),
            gap: draw.number(1..8),
            correlation: correlation(draw),
            extra: draw.option(50, times),
            acks: draw.flag(),
        }),
        5 => ImpairmentPlan::EcnRewrite(EcnRewritePlan {
            rule: draw.choice(&[EcnRule::Bleach, EcnRule::ClearCe, EcnRule::Ect1ToEct0]),
        }),
        6 => ImpairmentPlan::Outage(outages(draw, weather)),
        _ => ImpairmentPlan::Slot(slot(draw)),
    }
}

/// All impairments of netem at once, in its order.
pub fn wires(draw: &mut Draw, weather: Weather) -> Vec<ImpairmentPlan> {
    (0..5).map(|kind| impairment(draw, kind, weather)).collect()
}

/// A link of a network. Only a link with a rate can have a varying one.
pub(super) fn link(draw: &mut Draw, index: usize, weather: Weather) -> LinkPlan {
    let rate_bps = draw.option(80, |draw| draw.number(100_000..100_000_000));
    let service = draw.option(15, |draw| {
        if draw.flag() {
            ServicePlan::Trace(trace(draw, weather))
        } else {
            ServicePlan::Schedule(schedule(draw, weather))
        }
    });
    let impairments = draw.option(20, |draw| {
        draw.list(1..4, |draw| {
            let kind = draw.index(IMPAIRMENTS);
            impairment(draw, kind, weather)
        })
    });
    LinkPlan {
        name: format!("link.{index}"),
        rate_bps,
        delay_ps: draw.number(MIN_DELAY..40 * MS),
        policer: draw.option(10, |draw| PolicerPlan {
            rate_bps: draw.number(100_000..20_000_000),
            burst_bytes: draw.number(2 * LARGEST..200_000),
        }),
        qdisc: discipline(draw),
        loss: loss(draw, weather),
        loss_window: draw.option(30, |draw| {
            let start = draw.number(0..600);
            LossWindowPlan {
                start_ps: start * MS,
                stop_ps: draw.option(50, |draw| (start + draw.number(1..600)) * MS),
            }
        }),
        service: service.filter(|_| rate_bps.is_some()),
        impairments: impairments.unwrap_or_default(),
    }
}
