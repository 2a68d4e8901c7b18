//! Does `YeAH` grow as Scalable TCP while the queue is short, drain it when it is long, and know a
//! loss by its queue?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, assert_within, setup};

const BASE: Duration = Duration::from_millis(100);

fn in_avoidance(spec: &str, window: u64) -> Driver {
    let mut driver = Driver::in_avoidance(spec, window, BASE);
    driver.round_trip();
    driver
}

/// A round trip in which so many segments of the window wait in the queue.
fn round_with(driver: &mut Driver, queued: f64) {
    driver.rtt = Duration::from_secs_f64(0.1 / (1.0 - queued / driver.cwnd()));
    driver.round_trip();
}

#[test]
fn fast_mode_grows_by_a_hundredth_and_slow_mode_by_a_segment() {
    let mut driver = in_avoidance("yeah", 1000);
    let before = driver.cwnd();
    driver.round_trip();
    assert_within(driver.cwnd() / before, libm::exp(0.01), 1e-3);
    // Below 100 segments Reno is faster.
    let mut small = in_avoidance("yeah", 50);
    let before = small.cwnd();
    small.round_trip();
    assert_within(small.cwnd() - before, 1.0, 0.05);
    // A delay of more than an eighth of the RTT, with less than 80 segments queued.
    let mut slow = in_avoidance("yeah", 500);
    round_with(&mut slow, 70.0);
    slow.judge();
    assert_eq!(slow.internal("fast"), Some(0.0));
    let before = slow.cwnd();
    slow.round_trip();
    assert_within(slow.cwnd() - before, 1.0, 0.02);
}

#[test]
fn more_than_80_queued_are_given_up_at_once() {
    for (queued, left) in [(79.0, 1.0), (100.0, 0.9), (300.0, 0.7)] {
        let mut driver = in_avoidance("yeah(phi=1)", 1000);
        round_with(&mut driver, queued);
        let before = driver.cwnd();
        driver.judge();
        // 1 %: the round trip itself grew by a hundredth.
        assert_within(driver.cwnd() / before, left, 0.011);
    }
    // Half of the window at most, and a share of the queue by option.
    let mut driver = in_avoidance("yeah", 1000);
    round_with(&mut driver, 800.0);
    let before = driver.cwnd();
    driver.judge();
    assert_within(driver.cwnd() / before, 0.5, 1e-3);
    let mut driver = in_avoidance("yeah(gamma=2)", 1000);
    round_with(&mut driver, 300.0);
    let before = driver.cwnd();
    driver.judge();
    assert_within(driver.cwnd() / before, 0.85, 2e-3);
}

#[test]
fn it_does_not_go_below_what_reno_would_have() {
    let mut driver = in_avoidance("yeah", 1000);
    round_with(&mut driver, 300.0);
    driver.judge();
    let reno = driver.internal("reno").unwrap();
    assert_within(reno, driver.cwnd() / 2.0, 1e-3);
    // Others keep the queue long: it goes to Reno's window and then grows with it, a segment per
    // round trip.
    for _ in 0..5 {
        round_with(&mut driver, 200.0);
    }
    driver.judge();
    assert_within(driver.internal("reno").unwrap(), reno + 5.0, 1e-3);
    assert_within(driver.cwnd(), reno + 5.0, 0.01);
}

#[test]
fn a_loss_takes_the_queue_within_an_eighth_and_a_half() {
    for (queued, left) in [(20.0, 0.875), (200.0, 0.8), (700.0, 0.5)] {
        let mut driver = in_avoidance("yeah(q_max=1000)", 1000);
        round_with(&mut driver, queued);
        driver.judge();
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd() / before, left, 5e-3);
    }
}

#[test]
fn after_16_slow_rounds_a_loss_halves() {
    for (rounds, left) in [(15, 0.845), (16, 0.5)] {
        let mut driver = in_avoidance("yeah(q_max=1000)", 1000);
        for _ in 0..rounds {
            round_with(&mut driver, 160.0);
        }
        driver.judge();
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd() / before, left, 5e-3);
    }
}

#[test]
fn after_50_fast_rounds_a_competing_reno_is_forgotten() {
    let mut driver = in_avoidance("yeah", 1000);
    round_with(&mut driver, 300.0);
    driver.rtt = BASE;
    // The first of these judges the round with the queue; a fast one was before that.
    for _ in 0..50 {
        driver.round_trip();
        assert!(driver.internal("reno").unwrap() > 2.0);
    }
    driver.round_trip();
    assert_eq!(driver.internal("reno"), Some(2.0));
}

#[test]
fn it_leaves_slow_start_when_the_queue_is_long() {
    let mut driver = Driver::new("yeah", &setup(200, None), BASE);
    driver.round_trip();
    round_with(&mut driver, 100.0);
    let before = driver.cwnd();
    driver.judge();
    assert!(driver.cwnd() < before);
    assert_eq!(driver.internal("slow_start"), Some(0.0));
}
