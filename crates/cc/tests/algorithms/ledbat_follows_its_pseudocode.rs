//! Is LEDBAT's window that of RFC 6817 section 2.4.2?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, as_float, assert_close, ms};

const BASE: Duration = Duration::from_millis(50);

/// Segments gained by one ACK of a whole window of 100 segments with so much queueing delay, seen
/// four times.
fn gained(spec: &str, queueing_delay: Duration) -> f64 {
    let mut driver = Driver::in_avoidance(spec, 100, BASE);
    driver.is_cwnd_limited = false;
    for _ in 0..3 {
        driver.ack(MSS, BASE + queueing_delay);
    }
    driver.is_cwnd_limited = true;
    let before = driver.cwnd();
    driver.ack(100 * MSS, BASE + queueing_delay);
    driver.cwnd() - before
}

#[test]
fn the_change_is_in_proportion_to_the_distance_from_the_target() {
    for (delay, expected) in [(0, 1.0), (50, 0.5), (100, 0.0), (150, -0.5), (300, -2.0)] {
        assert_close(gained("ledbat", ms(delay)), expected);
    }
    assert_close(gained("ledbat(target=25, gain=0.5)", ms(50)), -0.5);
}

#[test]
fn the_present_delay_is_the_least_of_four() {
    let mut driver = Driver::in_avoidance("ledbat", 100, BASE);
    for _ in 0..3 {
        driver.ack(0, BASE + ms(100));
    }
    // 50 ms, once: from now on the least of four.
    driver.ack(0, BASE + ms(50));
    for delay in [50, 50, 50, 100] {
        let before = driver.cwnd();
        driver.ack(10 * MSS, BASE + ms(100));
        let expected = 0.1 * (1.0 - as_float(delay) / 100.0);
        assert_close(driver.cwnd() - before, expected);
    }
}

#[test]
fn what_is_older_than_an_rtt_is_not_the_present() {
    // 50 ms were there, but 151 ms ago; or 150 ms, which is the RTT.
    for (ago, delay) in [(151, 100), (150, 50)] {
        let mut driver = Driver::in_avoidance("ledbat", 100, BASE);
        driver.now += ms(1_000);
        driver.ack(0, BASE + ms(50));
        driver.now += ms(ago);
        let before = driver.cwnd();
        driver.ack(10 * MSS, BASE + ms(100));
        let expected = 0.1 * (1.0 - as_float(delay) / 100.0);
        assert_close(driver.cwnd() - before, expected);
    }
}

#[test]
fn the_window_is_at_most_a_segment_above_what_is_in_flight() {
    for (spec, window) in [("ledbat", 6), ("ledbat(allowed_increase=3)", 8)] {
        let mut driver = Driver::in_avoidance(spec, 10, BASE);
        // Five were in flight before this ACK.
        driver.ack_leaving(4 * MSS, MSS, BASE);
        assert_eq!(driver.window(), window);
    }
}

#[test]
fn a_loss_halves_and_two_segments_are_the_least() {
    let mut driver = Driver::in_avoidance("ledbat", 100, BASE);
    driver.congestion(Signal::Loss);
    assert_eq!(driver.window(), 50);
    let mut driver = Driver::in_avoidance("ledbat(target=1)", 3, BASE);
    for _ in 0..100 {
        driver.ack(MSS, BASE + ms(500));
    }
    assert_eq!(driver.window(), 2);
}
