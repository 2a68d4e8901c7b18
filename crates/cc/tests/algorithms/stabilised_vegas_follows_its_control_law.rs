//! Is a step of stabilised Vegas (2 / pi) atan(mu (alpha - b - a W q')), and zero at Vegas's
//! equilibrium?

use core::f64::consts::PI;

use ackclock_cc::Duration;

use crate::driver::{Driver, MSS, as_float};

const BASE: Duration = Duration::from_millis(100);

/// Two whole rounds of these RTTs, 100 segments each, and the change of the window at the end of
/// the second.
fn step(spec: &str, first: Duration, second: Duration) -> f64 {
    let mut driver = Driver::in_avoidance(spec, 100, BASE);
    let mut before = 0;
    for rtt in [first, second, second] {
        driver.now += rtt;
        before = driver.cc.decision().cwnd;
        driver.begin_round(100 * MSS);
        (0..100).for_each(|_| driver.ack(MSS, rtt));
    }
    (as_float(driver.cc.decision().cwnd) - as_float(before)) / as_float(MSS)
}

#[track_caller]
fn assert_close(value: f64, expected: f64) {
    // 2e-3: whole bytes.
    assert!((value - expected).abs() < 2e-3, "{value} and not {expected}");
}

#[test]
fn no_step_where_alpha_packets_are_queued() {
    // The first judgment moves the window, by less than a packet; the second finds 3 packets: 100
    // (1 - 100 / (100/0.97)).
    let rtt = Duration::from_secs_f64(0.1 / 0.97);
    assert_close(step("classic+stabilised-vegas(alpha=3)", rtt, rtt), 0.0);
}

#[test]
fn the_restoring_part_is_an_arc_tangent() {
    // b = 100 (1 - 100/125) = 20, and b does not change.
    let rtt = Duration::from_millis(125);
    let expected = 2.0 / PI * libm::atan(0.3 * (3.0 - b_after_first_step(20.0, 0.3)));
    assert_close(step("classic+stabilised-vegas(mu=0.3)", rtt, rtt), expected);
}

/// b in the window that a first judgment with `b` has left: it is W / 5.
fn b_after_first_step(b: f64, mu: f64) -> f64 {
    (100.0 + 2.0 / PI * libm::atan(mu * (3.0 - b))) / 5.0
}

#[test]
fn a_rising_queue_takes_a_step_back() {
    // From 3 packets queued to 4 ms more in a round trip of r: q' = 4 ms / r, W q' packets a round
    // trip.
    let (first, second) =
        (Duration::from_secs_f64(0.1 / 0.97), Duration::from_secs_f64(0.1 / 0.97 + 0.004));
    let (r, w) = (second.as_secs_f64(), 100.0);
    let b = w * (1.0 - 0.1 / r);
    let expected = 2.0 / PI * libm::atan(0.3 * (3.0 - b - 2.0 * w * 0.004 / r));
    assert_close(step("classic+stabilised-vegas", first, second), expected);
}
