//! Does LEDBAT++ grow, cut and slow down as draft-irtf-iccrg-ledbat-plus-plus says (section 4)?

use ackclock_cc::{Duration, Signal, Time};

use crate::driver::{Driver, MSS, assert_close, ms, setup};

/// Segments gained by an ACK of a whole window of 100 segments, with so much queueing delay seen
/// four times.
fn gained(spec: &str, base: Duration, delay: Duration) -> f64 {
    let mut driver = Driver::in_avoidance(spec, 100, base);
    for _ in 0..3 {
        driver.ack(0, base + delay);
    }
    let before = driver.cwnd();
    driver.ack(100 * MSS, base + delay);
    driver.cwnd() - before
}

const STEADY: &str = "ledbatpp(slowdowns=false)";

#[test]
fn the_gain_depends_on_the_base_rtt() {
    // 1 / min(16, ceil(120 ms / base)).
    for (base, divisor) in [(1, 16.0), (20, 6.0), (50, 3.0), (60, 2.0), (120, 1.0), (500, 1.0)] {
        assert_close(gained(STEADY, ms(base), ms(0)), 1.0 / divisor);
    }
    assert_close(gained("ledbatpp(slowdowns=false, max_divisor=4)", ms(1), ms(0)), 0.25);
}

#[test]
fn below_the_target_it_grows_at_full_gain_above_it_cuts_by_the_excess() {
    // Base 120 ms: gain 1. W += max(1 - 100 (delay / 60 - 1), -50).
    for (delay, expected) in [(59, 1.0), (60, 1.0), (66, -9.0), (90, -49.0), (600, -50.0)] {
        assert_close(gained(STEADY, ms(120), ms(delay)), expected);
    }
    assert_close(gained("ledbatpp(slowdowns=false, constant=0.5)", ms(120), ms(66)), -4.0);
}

#[test]
fn slow_start_grows_by_the_gain_and_ends_at_three_quarters_of_the_target() {
    let mut driver = Driver::new("ledbatpp", &setup(10, None), ms(60));
    driver.ack(10 * MSS, ms(60));
    assert_eq!(driver.window(), 15);
    for _ in 0..4 {
        driver.ack(0, ms(60 + 45));
    }
    driver.ack(10 * MSS, ms(60 + 45));
    assert_eq!((driver.window(), driver.internal("slow_start")), (20, Some(1.0)));
    for _ in 0..4 {
        driver.ack(0, ms(60 + 46));
    }
    driver.ack(10 * MSS, ms(60 + 46));
    assert_eq!((driver.window(), driver.internal("slow_start")), (20, Some(0.0)));
}

#[test]
fn the_delay_ends_only_the_first_slow_start() {
    let mut driver = Driver::new("ledbatpp", &setup(10, None), ms(60));
    driver.ack(MSS, ms(60));
    driver.congestion(Signal::Rto);
    driver.ack(MSS, ms(60));
    for _ in 0..4 {
        driver.ack(MSS, ms(600));
    }
    assert_eq!(driver.internal("slow_start"), Some(1.0));
}

/// ACKs of the window each 10 ms, of an RTT of 100 ms, until the slowdown is or is not; when.
fn until(driver: &mut Driver, slowdown: bool) -> Time {
    for _ in 0..100_000 {
        driver.now += ms(10);
        driver.ack(driver.cc.decision().cwnd / 10, ms(100));
        if driver.internal("slowdown") == Some(f64::from(u8::from(slowdown))) {
            return driver.now;
        }
    }
    panic!("never");
}

#[test]
fn slowdowns_come_after_two_round_trips_and_then_at_nine_times_their_length() {
    let mut driver = Driver::in_avoidance("ledbatpp", 100, ms(100));
    let entered = driver.now;
    let first = until(&mut driver, true);
    assert_eq!(first.since(entered), ms(200));
    assert_eq!(driver.window(), 2);
    // Two round trips of standing still, of which the last ACK is the first to grow again.
    for _ in 0..19 {
        driver.now += ms(10);
        driver.ack(MSS, ms(100));
        assert_eq!(driver.window(), 2);
    }
    let back = until(&mut driver, false);
    assert_eq!(driver.window(), 100);
    let second = until(&mut driver, true);
    assert_eq!(second.since(back), back.since(first) * 9);
}

#[test]
fn a_loss_in_a_slowdown_halves_what_it_comes_back_to() {
    let mut driver = Driver::in_avoidance("ledbatpp", 100, ms(100));
    until(&mut driver, true);
    driver.congestion(Signal::Loss);
    assert_eq!(driver.window(), 2);
    until(&mut driver, false);
    assert_eq!(driver.window(), 50);
}

#[test]
fn a_loss_halves() {
    let mut driver = Driver::in_avoidance("ledbatpp", 100, ms(100));
    driver.congestion(Signal::Loss);
    assert_eq!(driver.window(), 50);
}
