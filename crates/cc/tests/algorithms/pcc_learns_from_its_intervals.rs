//! Do both PCCs double at the start, leave out intervals that are no evidence, and give way at
//! timeouts?

use ackclock_cc::Duration;

use super::driver::assert_within;
use super::intervals::{Fate, Intervals};

const RTT: Duration = Duration::from_millis(100);
/// 10 segments of 8000 bit per RTT.
const INITIAL: f64 = 0.8;
/// Mbit/s.
const LINK: f64 = 20.0;

/// A link with a queue that delay shows and loss soon follows.
fn link(rate: f64) -> Fate {
    let excess = (rate / LINK - 1.0).max(0.0);
    Fate { loss: excess / (1.0 + excess), slope: excess, ..Fate::default() }
}

const LOSSY: Fate = Fate { loss: 0.5, slope: 0.0, jitter: 0.0, is_limited: false };

fn limited(_rate: f64) -> Fate {
    Fate { is_limited: true, ..Fate::default() }
}

#[test]
fn the_rate_doubles_until_it_is_worth_less_and_falls_back_to_the_best() {
    for spec in ["pcc-vivace", "pcc-allegro"] {
        let mut pcc = Intervals::new(spec, RTT, 1);
        let rates = pcc.start(link);
        // The first packets are not paced: the first interval teaches nothing and is followed by
        // one at the same rate.
        assert_within(rates[0], INITIAL, 1e-6);
        assert_within(rates[1], INITIAL, 1e-6);
        let highest = rates.iter().copied().fold(0.0, f64::max);
        assert!(highest > LINK, "{spec}: {rates:?}");
        assert_within(pcc.base_rate(), 16.0 * INITIAL, 1e-6);
    }
}

#[test]
fn allegro_doubles_every_interval_and_vivace_after_each_result() {
    let expected =
        |factors: &[f64]| factors.iter().map(|factor| INITIAL * factor).collect::<Vec<_>>();
    for (spec, factors) in [
        ("pcc-allegro", [1.0, 1.0, 2.0, 4.0, 8.0, 16.0]),
        ("pcc-vivace", [1.0, 1.0, 1.0, 2.0, 2.0, 4.0]),
    ] {
        let mut pcc = Intervals::new(spec, RTT, 1);
        let rates: Vec<f64> = (0..6).map(|_| pcc.next(link).0).collect();
        for (rate, expected) in rates.iter().zip(expected(&factors)) {
            assert!((rate / expected - 1.0).abs() < 1e-6, "{spec}: {rates:?}");
        }
    }
}

#[test]
fn random_loss_does_not_end_the_start() {
    for spec in ["pcc-vivace", "pcc-allegro"] {
        let mut pcc = Intervals::new(spec, RTT, 1);
        pcc.start(|rate| Fate { loss: link(rate).loss.max(0.09), ..link(rate) });
        assert_within(pcc.base_rate(), 16.0 * INITIAL, 1e-6);
    }
}

#[test]
fn an_interval_that_something_else_limited_is_no_evidence() {
    for spec in ["pcc-vivace", "pcc-allegro"] {
        let mut pcc = Intervals::new(spec, RTT, 1);
        for _ in 0..50 {
            pcc.next(limited);
        }
        assert!(pcc.rate() <= 4.0 * INITIAL, "{spec} grows unseen, to {}", pcc.rate());
        assert_eq!(pcc.internal("starting"), Some(1.0));
        pcc.start(link);
        let before = pcc.base_rate();
        for _ in 0..50 {
            pcc.next(|rate| Fate { loss: 0.4, ..limited(rate) });
        }
        assert_within(pcc.base_rate(), before, 1e-9);
        // And it goes on where it was.
        pcc.until_changed(|_| Fate::default());
        assert!(pcc.base_rate() > before);
    }
}

#[test]
fn a_limited_interval_that_lost_more_than_half_halves_the_rate() {
    for spec in ["pcc-vivace", "pcc-allegro"] {
        let mut pcc = Intervals::new(spec, RTT, 1);
        pcc.start(link);
        let before = pcc.base_rate();
        let after = pcc.until_changed(|rate| Fate { loss: 0.6, ..limited(rate) });
        // Of the first trial's rate.
        assert!((after / before - 0.5).abs() < 0.03, "{spec}: {before} and {after}");
    }
}

#[test]
fn an_interval_is_about_a_round_trip_and_holds_some_segments() {
    let mut vivace = Intervals::new("pcc-vivace", RTT, 1);
    vivace.start(link);
    assert_eq!(vivace.next(link).1, RTT);
    let mut allegro = Intervals::new("pcc-allegro", RTT, 1);
    allegro.start(link);
    let lengths: Vec<f64> = (0..200).map(|_| allegro.next(link).1.as_secs_f64() / 0.1).collect();
    assert!(lengths.iter().all(|rtts| (1.7..2.2).contains(rtts)));
    let spread =
        lengths.iter().copied().fold(0.0, f64::max) - lengths.iter().copied().fold(9.0, f64::min);
    assert!(spread > 0.45, "they are random");
    // At the smallest rate of two segments per RTT, 10 and 20 segments last longer.
    for (spec, rtts) in [("pcc-vivace", 5.0), ("pcc-allegro", 10.0)] {
        let mut pcc = Intervals::new(spec, RTT, 1);
        let length = (0..2000).map(|_| pcc.next(|_| LOSSY).1.as_secs_f64()).fold(0.0, f64::max);
        assert_within(length / 0.1, rtts, 1e-3);
    }
}

#[test]
fn before_an_rtt_sample_nothing_is_tried_and_nothing_is_paced() {
    for spec in ["pcc-vivace", "pcc-allegro"] {
        let mut pcc = Intervals::new(spec, RTT, 1);
        pcc.srtt = None;
        for _ in 0..5 {
            pcc.next(link);
            assert_eq!(pcc.cc.decision().pacing_rate, None);
            assert_eq!(pcc.cc.decision().cwnd, 10_000);
        }
        pcc.srtt = Some(RTT);
        assert_within(pcc.next(link).0, INITIAL, 1e-6);
        assert_eq!(pcc.internal("starting"), Some(1.0));
    }
}

#[test]
fn a_timeout_halves_the_rate_and_is_taken_back_if_it_was_none() {
    for spec in ["pcc-vivace", "pcc-allegro"] {
        let mut pcc = Intervals::new(spec, RTT, 1);
        pcc.start(link);
        let before = pcc.base_rate();
        pcc.time_out();
        assert_within(pcc.base_rate(), before / 2.0, 1e-6);
        pcc.cc.on_spurious(pcc.now);
        assert_within(pcc.base_rate(), before, 1e-6);
        // What it tries next is around the rate that it went back to.
        let (tried, _) = pcc.next(link);
        assert!((tried / before - 1.0).abs() < 0.06, "{spec} tries {tried} around {before}");
        assert!(pcc.until_changed(|_| Fate::default()) > before);
    }
}

#[test]
fn the_rate_stays_above_two_segments_per_rtt() {
    for spec in ["pcc-vivace", "pcc-allegro"] {
        let mut pcc = Intervals::new(spec, RTT, 1);
        for _ in 0..2000 {
            pcc.next(|_| LOSSY);
            assert!(pcc.rate() >= 0.16 - 1e-6, "{spec}: {}", pcc.rate());
        }
        assert!(pcc.base_rate() < 0.2, "{spec} does not yield: {}", pcc.base_rate());
    }
}

#[test]
fn the_window_is_twice_what_the_rate_sends_in_a_round_trip() {
    let mut pcc = Intervals::new("pcc-vivace", RTT, 1);
    pcc.start(link);
    pcc.next(link);
    #[expect(clippy::cast_precision_loss, reason = "a small window")]
    let cwnd = pcc.cc.decision().cwnd as f64;
    assert_within(cwnd, 2.0 * pcc.rate() * 1e6 * 0.1 / 8.0, 1e-4);
}
