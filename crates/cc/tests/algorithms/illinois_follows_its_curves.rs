//! Are growth and cut of Illinois the paper's functions of the mean queueing delay?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, assert_within};

const BASE: Duration = Duration::from_millis(100);

/// Base RTT 100 ms, largest 200 ms, then round trips with this queueing delay, ms.
fn with_delay(delay: u64, rounds: u32) -> Driver {
    let mut driver = Driver::in_avoidance("illinois", 1000, BASE);
    driver.round_trip();
    driver.rtt = BASE * 2;
    driver.round_trip();
    driver.rtt = BASE + Duration::from_millis(delay);
    for _ in 0..=rounds {
        driver.round_trip();
    }
    driver
}

#[test]
fn growth_falls_and_the_cut_rises_with_the_delay() {
    // d_m = 100, d_1 = 1, d_2 = 10, d_3 = 80 ms: k1 = 30.619, k2 = 2.0619; beta = 1/8 + 3/8 (d -
    // 10)/70.
    for (delay, alpha, beta) in [
        (2, 30.619 / 4.0619, 0.125),
        (10, 30.619 / 12.0619, 0.125),
        (45, 30.619 / 47.0619, 0.125 + 0.375 * 35.0 / 70.0),
        (80, 30.619 / 82.0619, 0.5),
        (100, 0.3, 0.5),
    ] {
        let mut driver = with_delay(delay, 1);
        assert_within(driver.internal("alpha").unwrap(), alpha, 1e-3);
        assert_within(driver.internal("beta").unwrap(), beta, 1e-3);
        let before = driver.cwnd();
        driver.round_trip();
        assert_within(driver.cwnd() - before, alpha, 0.01);
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd() / before, 1.0 - beta, 1e-3);
    }
}

#[test]
fn growth_is_fastest_again_after_five_round_trips_without_a_queue() {
    for (rounds, alpha) in [(4, 0.3), (5, 10.0)] {
        assert_within(with_delay(0, rounds).internal("alpha").unwrap(), alpha, 1e-3);
    }
}

#[test]
fn before_any_queue_growth_is_fastest_and_the_cut_smallest() {
    let mut driver = Driver::in_avoidance("illinois", 1000, BASE);
    for _ in 0..3 {
        driver.round_trip();
    }
    let before = driver.cwnd();
    driver.round_trip();
    assert_within(driver.cwnd() - before, 10.0, 0.01);
    let before = driver.cwnd();
    driver.congestion(Signal::Loss);
    assert_within(driver.cwnd() / before, 0.875, 1e-3);
}

#[test]
fn a_small_window_and_a_timeout_are_renos() {
    let mut driver = Driver::in_avoidance("illinois", 10, BASE);
    for _ in 0..3 {
        driver.round_trip();
    }
    assert_within(driver.internal("alpha").unwrap(), 1.0, 1e-9);
    assert_within(driver.internal("beta").unwrap(), 0.5, 1e-9);
    let mut driver = with_delay(0, 9);
    driver.congestion(Signal::Rto);
    assert_within(driver.internal("alpha").unwrap_or(1.0), 1.0, 1e-9);
}
