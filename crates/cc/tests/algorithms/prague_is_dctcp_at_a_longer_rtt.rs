//! Does Prague do what its draft says (section 2.4): cut as DCTCP, grow on what was not marked, in
//! cuts too, and below 25 ms as if the RTT were that?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, as_float, assert_within};

const LONG: Duration = Duration::from_millis(50);
const SHORT: Duration = Duration::from_millis(5);

fn driver(spec: &str, rtt: Duration) -> Driver {
    Driver::in_avoidance(spec, 100, rtt)
}

/// A round trip of 100 segments of which so many are marked, in one ACK at its end.
fn round(driver: &mut Driver, marked: u64) {
    driver.now += driver.rtt;
    driver.begin_round(100 * MSS);
    driver.marked_ack(100 * MSS, marked * MSS, driver.rtt);
}

#[track_caller]
fn grew(driver: &Driver, before: u64, segments: f64) {
    // 1e-3: whole bytes.
    let grown = as_float(driver.cc.decision().cwnd - before) / as_float(MSS);
    assert!((grown - segments).abs() < 2e-3, "{grown} and not {segments}");
}

#[test]
fn a_segment_per_window_of_what_was_not_marked() {
    let mut driver = driver("prague", LONG);
    for marked in [0, 40] {
        let before = driver.cc.decision().cwnd;
        round(&mut driver, marked);
        let expected = as_float(100 - marked) * as_float(MSS) / as_float(before);
        grew(&driver, before, expected);
    }
}

#[test]
fn growth_goes_on_through_a_reduction_but_not_through_a_loss() {
    for (signal, share) in [(Signal::Ecn, 1.0), (Signal::Loss, 0.0)] {
        let mut driver = driver("prague", LONG);
        driver.congestion(signal);
        let cut = driver.cc.decision().cwnd;
        driver.in_recovery = true;
        round(&mut driver, 0);
        assert_eq!(driver.cc.decision().cwnd, cut);
        driver.in_recovery = false;
        driver.ack(1, LONG);
        // The cut is to half: a round trip of the old window is two of the new.
        grew(&driver, cut, share * 2.0);
    }
}

#[test]
fn nothing_is_known_of_marks_before_the_first() {
    let mut driver = driver("prague", LONG);
    for _ in 0..10 {
        round(&mut driver, 0);
    }
    assert_eq!(driver.internal("alpha"), Some(1.0));
    let before = driver.cwnd();
    driver.congestion(Signal::Ecn);
    assert_within(driver.cwnd(), before / 2.0, 1e-4);
    round(&mut driver, 50);
    round(&mut driver, 0);
    assert_within(driver.internal("alpha").unwrap(), 1.0 - 0.5 / 16.0, 1e-12);
}

#[test]
fn a_short_rtt_grows_by_the_square_of_its_ratio() {
    // (5 ms / 25 ms)^2; before the transition, and where that is switched off, a whole segment.
    for (spec, share) in [
        ("prague(transition=0)", 0.04),
        ("prague(transition=1000)", 1.0),
        ("prague(transition=0, reference_rtt=0)", 1.0),
    ] {
        let mut driver = driver(spec, SHORT);
        let before = driver.cc.decision().cwnd;
        round(&mut driver, 0);
        grew(&driver, before, share);
    }
}

#[test]
fn a_short_rtt_cuts_and_averages_once_per_reference_rtt() {
    let mut driver = driver("prague(transition=0)", SHORT);
    round(&mut driver, 0);
    driver.congestion(Signal::Ecn);
    let cut = driver.cc.decision().cwnd;
    for _ in 0..4 {
        driver.now += SHORT;
        driver.congestion(Signal::Ecn);
        assert_eq!(driver.cc.decision().cwnd, cut);
    }
    driver.now += SHORT;
    driver.congestion(Signal::Ecn);
    assert!(driver.cc.decision().cwnd < cut);

    round(&mut driver, 0);
    let alpha = driver.internal("alpha").unwrap();
    for _ in 0..4 {
        round(&mut driver, 100);
        assert_within(driver.internal("alpha").unwrap(), alpha, 1e-12);
    }
}

#[test]
fn a_loss_halves() {
    for signal in [Signal::Loss, Signal::Rto] {
        let mut driver = driver("prague", LONG);
        driver.congestion(signal);
        assert_eq!(driver.ssthresh(), Some(50.0));
    }
}
