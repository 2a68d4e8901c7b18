//! Does LP halve when the one-way delay leaves the lowest 15 % of its range, wait, and stop if that
//! did not help?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, assert_within};

const BASE: Duration = Duration::from_millis(100);

/// In avoidance, having seen delays over a range of 100 ms.
fn in_avoidance(options: &str) -> Driver {
    let mut driver = Driver::in_avoidance(&format!("lp({options})"), 100, BASE);
    driver.rtt = BASE * 2;
    driver.begin_round(1);
    driver.in_recovery = true;
    driver.ack(1000, driver.rtt);
    driver.in_recovery = false;
    driver.rtt = BASE;
    driver.round_trip();
    driver
}

/// Round trips with this queueing delay, ms.
fn rounds(driver: &mut Driver, delay: u64, number: u32) {
    driver.rtt = BASE + Duration::from_millis(delay);
    for _ in 0..number {
        driver.round_trip();
    }
}

#[test]
fn below_15_percent_of_the_range_it_grows_as_reno() {
    let mut driver = in_avoidance("");
    let before = driver.cwnd();
    rounds(&mut driver, 14, 10);
    assert_within(driver.cwnd() - before, 10.0, 0.02);
}

#[test]
fn beyond_it_halves_and_waits_three_round_trips() {
    let mut driver = in_avoidance("");
    let before = driver.cwnd();
    rounds(&mut driver, 16, 1);
    // The smoothed delay needs some ACKs to get there, and the window grows meanwhile.
    assert_within(driver.cwnd(), before / 2.0, 0.02);
    let halved = driver.cwnd();
    rounds(&mut driver, 0, 2);
    assert_within(driver.cwnd(), halved, 1e-9);
    rounds(&mut driver, 0, 3);
    assert!(driver.cwnd() > halved + 1.0);
}

#[test]
fn a_second_sign_while_it_waits_stops_it() {
    let mut driver = in_avoidance("");
    rounds(&mut driver, 30, 2);
    let halved = driver.cwnd();
    assert!(halved > 45.0, "the round trip of the cut cannot tell whether it helped: {halved}");
    rounds(&mut driver, 30, 2);
    assert_within(driver.cwnd(), 1.0, 1e-9);
    // A lone segment's ACK may have waited for the receiver's timer: it tries again when it has
    // waited.
    rounds(&mut driver, 30, 8);
    assert!(driver.cwnd() < 5.0);
    rounds(&mut driver, 0, 20);
    assert!(driver.cwnd() > 10.0);
}

#[test]
fn linux_takes_the_delay_at_the_sign_for_the_smallest() {
    for (options, left) in [("reset=true", 0.5), ("", 0.01)] {
        let mut driver = in_avoidance(options);
        let before = driver.cwnd();
        rounds(&mut driver, 16, 4);
        assert_within(driver.cwnd() / before, left, 0.03);
    }
}

#[test]
fn a_loss_halves() {
    let mut driver = in_avoidance("");
    let before = driver.cwnd();
    driver.congestion(Signal::Loss);
    assert_within(driver.cwnd(), before / 2.0, 1e-3);
}
