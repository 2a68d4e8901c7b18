//! RED against the formulas of Floyd & Jacobson 1993 and against cases computed by hand.

use ackclock_sim::qdisc::{
    Admission, Arrival, Backlog, DropReason, LimitPlan, Red, RedPlan, Verdict,
};
use ackclock_sim::rng::{self, Rng};
use ackclock_units::{Duration, Rate, Time};

use crate::plain_plans::packets;

const EARLY: Verdict = Verdict::Drop(DropReason::Early);
const FORCED: Verdict = Verdict::Drop(DropReason::Forced);

/// Rate at which a mean packet takes 1 ms.
const RATE: Rate = Rate::from_bps(8_000_000);

/// A plan with weight 1: the average is the queue that the arrival finds, so that each probability
/// depends on the queue alone.
fn plan() -> RedPlan {
    RedPlan {
        limit: LimitPlan::default(),
        min_threshold: 5.0,
        max_threshold: 15.0,
        max_p: 0.1,
        weight: 1.0,
        gentle: false,
        wait: false,
        adaptive: false,
        byte_mode: false,
        mean_packet_bytes: 1000,
        ecn: false,
    }
}

fn red(plan: &RedPlan) -> Red {
    Red::new(plan, Some(RATE))
}

fn arrival(packets: u64) -> Arrival {
    Arrival {
        now: Time::ZERO,
        size: 1000,
        ecn_capable: false,
        backlog: Backlog { packets, bytes: 1000 * packets },
        idle_since: None,
    }
}

fn stream() -> Rng {
    rng::stream(1, "red")
}

fn close(is: f64, should: f64, tolerance: f64) {
    assert!((is - should).abs() <= tolerance, "{is}, not {should}");
}

/// The present state drops or marks the arrival with probability `should`: of a million tries the
/// share is within five standard errors.
fn assert_probability(red: &Red, arrival: &Arrival, should: f64) {
    let mut rng = stream();
    let hits = (0..1_000_000)
        .filter(|_| red.clone().arrive(arrival, &mut rng) != Verdict::Enqueue)
        .count();
    close(
        f64::from(u32::try_from(hits).unwrap()) / 1e6,
        should,
        5.0 * (should * (1.0 - should) / 1e6).sqrt(),
    );
}

/// Share of each gap between drops, from 40,000 gaps at a constant queue.
fn gaps(plan: &RedPlan, queue: u64) -> Vec<f64> {
    let (mut red, mut rng) = (red(plan), stream());
    let mut shares = vec![0.0; 64];
    let (mut seen, mut gap) = (0, 0);
    while seen <= 40_000 {
        gap += 1;
        if red.arrive(&arrival(queue), &mut rng) != Verdict::Enqueue {
            // The first gap begins with the crossing of the threshold and is no gap between drops.
            if seen > 0 {
                shares[gap] += 1.0 / 40_000.0;
            }
            seen += 1;
            gap = 0;
        }
    }
    shares
}

/// All gaps of the range occur equally often, and no others. The standard error of a share of 1/19
/// is 0.0011; five standard errors and a little more are allowed.
fn assert_uniform(shares: &[f64], gaps: std::ops::RangeInclusive<usize>) {
    let share = 1.0 / f64::from(u32::try_from(gaps.clone().count()).unwrap());
    for (gap, is) in shares.iter().enumerate() {
        if gaps.contains(&gap) {
            close(*is, share, 0.0075);
        } else {
            close(*is, 0.0, 0.0);
        }
    }
}

/// A constant queue q from an empty start: after n samples the average is q (1 - (1 - w)^n). The
/// tolerance is that of rounding.
#[test]
fn average_of_a_constant_queue() {
    let weight = 0.002;
    let (mut red, mut rng) = (red(&RedPlan { weight, ..plan() }), stream());
    for n in 1..=2000_u32 {
        red.arrive(&arrival(4), &mut rng);
        close(red.average().unwrap(), 4.0 * (1.0 - libm::pow(1.0 - weight, f64::from(n))), 1e-12);
    }
    close(red.average().unwrap(), 4.0 * (1.0 - libm::exp(-2000.0 * weight)), 0.002);
}

/// 10.7 ms idle are 10 whole mean packets of 1 ms; the arrival that ends them is an 11th sample of
/// an empty queue.
#[test]
fn average_decays_while_the_link_is_idle() {
    let weight = 0.02;
    let (mut red, mut rng) = (red(&RedPlan { weight, ..plan() }), stream());
    for _ in 0..100 {
        red.arrive(&arrival(4), &mut rng);
    }
    let before = red.average().unwrap();
    let since = Time::ZERO + Duration::from_millis(200);
    let after = Arrival {
        now: since + Duration::from_micros(10_700),
        idle_since: Some(since),
        ..arrival(0)
    };
    assert_eq!(red.arrive(&after, &mut rng), Verdict::Enqueue);
    close(red.average().unwrap(), before * libm::pow(0.98, 11.0), 1e-12);
}

#[test]
fn an_infinitely_fast_link_has_no_average_queue() {
    let (mut red, mut rng) = (Red::new(&plan(), None), stream());
    for ms in 0..100 {
        let now = Time::ZERO + Duration::from_millis(ms);
        let arrival = Arrival { now, idle_since: Some(now), ..arrival(0) };
        assert_eq!(red.arrive(&arrival, &mut rng), Verdict::Enqueue);
    }
    close(red.average().unwrap(), 0.0, 0.0);
}

#[test]
fn nothing_is_dropped_below_the_lower_threshold() {
    let (mut red, mut rng) = (red(&plan()), stream());
    for _ in 0..10_000 {
        assert_eq!(red.arrive(&arrival(4), &mut rng), Verdict::Enqueue);
    }
}

/// At a queue of 10 between 5 and 15, `p_b` is half of `max_p`: 1/20. Gaps of 1 to 19 packets occur
/// equally often.
#[test]
fn gaps_between_drops_are_uniform() {
    assert_uniform(&gaps(&plan(), 10), 1..=19);
    // At 14: 0.09, and 1/0.09 = 11.1.
    let shares = gaps(&plan(), 14);
    close(shares[1], 0.09 / 0.91, 0.0075);
    close(shares[10], 0.09 / 0.91, 0.0075);
    close(shares[12..].iter().sum(), 0.0, 0.0);
}

#[test]
fn wait_keeps_drops_one_over_p_apart() {
    assert_uniform(&gaps(&RedPlan { wait: true, ..plan() }, 10), 20..=39);
}

/// The packet that takes the average over the threshold counts as the first and passes; the second
/// is dropped with p / (1 - 2 p) = 0.05 / 0.9.
#[test]
fn the_packet_that_crosses_the_threshold_passes() {
    let (mut red, mut rng) = (red(&plan()), stream());
    assert_probability(&red, &arrival(10), 0.0);
    red.arrive(&arrival(10), &mut rng);
    assert_probability(&red, &arrival(10), 0.05 / 0.9);
    // Down below and up again: the next crossing passes too.
    red.arrive(&arrival(3), &mut rng);
    assert_probability(&red, &arrival(10), 0.0);
}

#[test]
fn an_almost_empty_queue_drops_nothing_whatever_the_average() {
    let (mut red, mut rng) = (red(&RedPlan { weight: 0.1, ..plan() }), stream());
    for _ in 0..100 {
        red.arrive(&arrival(100), &mut rng);
    }
    assert_eq!(red.clone().arrive(&arrival(2), &mut rng), FORCED);
    assert_eq!(red.arrive(&arrival(1), &mut rng), Verdict::Enqueue);
    assert!(red.average().unwrap() > 80.0);
}

#[test]
fn from_the_upper_threshold_every_packet_is_dropped() {
    let (mut red, mut rng) = (red(&plan()), stream());
    for _ in 0..100 {
        assert_eq!(red.arrive(&arrival(15), &mut rng), FORCED);
    }
}

/// With `wait` at `p_b` = 1/20 the 20th packet since the last drop is the first that may be
/// dropped, with probability 0.05 / (2 - 1).
#[test]
fn a_forced_drop_restarts_the_count() {
    let (mut red, mut rng) = (red(&RedPlan { wait: true, ..plan() }), stream());
    for _ in 0..19 {
        red.arrive(&arrival(10), &mut rng);
    }
    assert_probability(&red, &arrival(10), 0.05);
    assert_eq!(red.arrive(&arrival(15), &mut rng), FORCED);
    for _ in 0..19 {
        assert_probability(&red, &arrival(10), 0.0);
        red.arrive(&arrival(10), &mut rng);
    }
    assert_probability(&red, &arrival(10), 0.05);
}

/// At a queue of 22, `p_b` is 0.1 + 0.9 * 7/15 = 0.52. With `wait` the first packet after a drop
/// passes, the second (count p = 1.04) is dropped with 0.52 / 0.96, and the third (1.56) with more
/// than 1.
#[test]
fn gentle_rises_from_max_p_to_one_at_twice_the_upper_threshold() {
    let plan = RedPlan { gentle: true, wait: true, ..plan() };
    assert_uniform(&gaps(&plan, 15), 10..=19);
    let shares = gaps(&plan, 22);
    close(shares[2], 0.52 / 0.96, 0.0125);
    close(shares[2] + shares[3], 1.0, 1e-9);
    let (mut red, mut rng) = (red(&plan), stream());
    red.arrive(&arrival(29), &mut rng);
    assert_ne!(red.clone().arrive(&arrival(29), &mut rng), FORCED);
    assert_eq!(red.arrive(&arrival(30), &mut rng), FORCED);
}

/// In byte mode the average is of bytes, and `p_a` is scaled by size / mean size. The count is the
/// number of whole mean packets since the last drop.
#[test]
fn byte_mode_counts_and_scales_bytes() {
    let plan =
        RedPlan { byte_mode: true, min_threshold: 5000.0, max_threshold: 15_000.0, ..plan() };
    let (mut red, mut rng) = (red(&plan), stream());
    red.arrive(&arrival(10), &mut rng);
    close(red.average().unwrap(), 10_000.0, 0.0);
    for (size, should) in [
        (500, 0.05 / (1.0 - 0.05) * 0.5),
        (1000, 0.05 / (1.0 - 0.10)),
        (1500, 0.05 / (1.0 - 0.10) * 1.5),
        (9000, 0.05 / (1.0 - 0.50) * 9.0),
    ] {
        assert_probability(&red, &Arrival { size, ..arrival(10) }, should);
    }
    let many_small = Arrival { backlog: Backlog { packets: 100, bytes: 4000 }, ..arrival(0) };
    assert_probability(&red, &many_small, 0.0);
}

#[test]
fn ecn_marks_instead_of_early_drops_only() {
    let plan = RedPlan { ecn: true, limit: packets(12), ..plan() };
    let verdicts = |plan: &RedPlan, ecn_capable, queue| {
        let (mut red, mut rng) = (red(plan), stream());
        let mut all: Vec<Verdict> = (0..1000)
            .map(|_| red.arrive(&Arrival { ecn_capable, ..arrival(queue) }, &mut rng))
            .collect();
        let kinds = [Verdict::Enqueue, Verdict::Mark, EARLY, FORCED]
            .into_iter()
            .filter(|kind| all.contains(kind))
            .collect::<Vec<_>>();
        all.retain(|verdict| *verdict != Verdict::Enqueue);
        (kinds, all.len())
    };
    let (marked, marks) = verdicts(&plan, true, 10);
    let (dropped, drops) = verdicts(&plan, false, 10);
    assert_eq!(marked, [Verdict::Enqueue, Verdict::Mark]);
    assert_eq!(dropped, [Verdict::Enqueue, EARLY]);
    assert_eq!(marks, drops, "the mark and the drop are the same decision");
    assert_eq!(
        verdicts(&RedPlan { ecn: false, ..plan.clone() }, true, 10).0,
        [Verdict::Enqueue, EARLY]
    );
    assert_eq!(verdicts(&plan, true, 12).0, [FORCED], "at the limit");
    assert_eq!(verdicts(&plan, true, 15).0, [FORCED], "at the upper threshold");
}

#[test]
fn the_limit_drops_whatever_the_average() {
    let limit = LimitPlan { limit_packets: None, limit_bytes: Some(20_000) };
    let (mut red, mut rng) = (red(&RedPlan { limit, weight: 0.002, ..plan() }), stream());
    assert_eq!(red.arrive(&arrival(19), &mut rng), Verdict::Enqueue);
    assert_eq!(red.arrive(&arrival(20), &mut rng), FORCED);
    assert!(red.average().unwrap() < 1.0);
}

/// `max_p` after an arrival every 100 ms for `tenths` tenths of a second at a constant queue.
fn adapted(max_p: f64, queue: u64, tenths: u64, rate: Rate) -> f64 {
    let plan = RedPlan { adaptive: true, gentle: true, max_p, ..plan() };
    let (mut red, mut rng) = (Red::new(&plan, Some(rate)), stream());
    for i in 1..=tenths {
        let now = Time::ZERO + Duration::from_millis(100 * i);
        red.arrive(&Arrival { now, ..arrival(queue) }, &mut rng);
    }
    red.max_p()
}

/// Thresholds 5 and 15: the target is 9 to 11. "More than half a second later" is every sixth
/// arrival.
#[test]
fn adaptive_max_p_follows_the_average() {
    for queue in 9..=11 {
        close(adapted(0.1, queue, 100, RATE), 0.1, 0.0);
    }
    close(adapted(0.1, 12, 5, RATE), 0.1, 0.0);
    close(adapted(0.1, 12, 6, RATE), 0.11, 1e-15);
    close(adapted(0.1, 12, 18, RATE), 0.13, 1e-15);
    close(adapted(0.02, 12, 6, RATE), 0.025, 1e-15);
    close(adapted(0.1, 8, 6, RATE), 0.09, 1e-15);
    close(adapted(0.1, 8, 12, RATE), 0.081, 1e-15);
}

/// A step begins only inside the bounds, so `max_p` ends at most one step outside. At 100 Mbit/s
/// the lower bound is 80,000 / 10^8.
#[test]
fn adaptive_max_p_stays_within_its_bounds() {
    let top = adapted(0.1, 14, 10_000, RATE);
    assert!((0.5..0.51 + 1e-9).contains(&top), "{top}");
    let bottom = adapted(0.1, 2, 10_000, RATE);
    assert!((0.009..=0.01).contains(&bottom), "{bottom}");
    let bottom = adapted(0.1, 2, 10_000, Rate::from_bps(100_000_000));
    assert!((0.000_72..=0.000_8).contains(&bottom), "{bottom}");
}
