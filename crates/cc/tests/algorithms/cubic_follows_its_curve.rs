//! Is the window between two losses RFC 9438's `W(t) = C (t - K)^3 + W_max`?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, assert_within};

const RTT: Duration = Duration::from_millis(50);

/// A flow with a window of `peak`, cut at time zero.
fn cut_from(spec: &str, peak: u64) -> Driver {
    let mut driver = Driver::in_avoidance(spec, peak, RTT);
    driver.congestion(Signal::Loss);
    driver
}

#[test]
fn within_half_a_percent_past_the_plateau() {
    let (c, beta, peak) = (0.4_f64, 0.7, 1000.0);
    let mut driver = cut_from("classic+cubic(linux=false)", 1000);
    assert_within(driver.cwnd(), beta * peak, 1e-9);
    let k = libm::cbrt(peak * (1.0 - beta) / c);
    let start = driver.now;
    // 300 segments from the plateau, the Reno-friendly estimate stays below the curve all the way
    // to 1.5 K.
    while driver.now.since(start).as_secs_f64() < 1.5 * k {
        driver.round_trip();
        let x = driver.now.since(start).as_secs_f64() - k;
        // The tolerance is 0.5 %. An ACK steps towards the curve one RTT ahead, which lags by RTT^2
        // W''/2, at most 0.03 segments here. The epoch begins with the first ACK, not at the loss,
        // which makes a difference of at most W'(0) times the spacing of ACKs.
        assert_within(driver.cwnd(), c * x * x * x + peak, 0.005);
    }
}

#[test]
fn fast_convergence_lowers_the_plateau() {
    let mut driver = cut_from("classic+cubic(linux=false)", 1000);
    driver.congestion(Signal::Loss);
    // RFC 9438 section 4.7: W_max = cwnd (1 + beta) / 2 with the cwnd of 700 that was below the
    // last W_max.
    assert_within(driver.internal("w_max").expect("known after a loss"), 700.0 * 0.85, 1e-9);
    let mut driver = cut_from("classic+cubic(linux=false, fast_convergence=false)", 1000);
    driver.congestion(Signal::Loss);
    assert_within(driver.internal("w_max").expect("known after a loss"), 700.0, 1e-9);
}

#[test]
fn growth_is_at_most_half_a_window_per_round_trip() {
    let mut driver = cut_from("classic+cubic(linux=false, c=10)", 10);
    driver.rtt = Duration::from_secs(1);
    let mut fastest: f64 = 1.0;
    for _ in 0..10 {
        let before = driver.cwnd();
        driver.round_trip();
        fastest = fastest.max(driver.cwnd() / before);
    }
    // Half of the window for a window acknowledged; as the window that bounds it grows within the
    // round, up to e^0.5.
    assert!((1.45..=1.65).contains(&fastest), "{fastest}");
}

#[test]
fn growth_of_less_than_a_byte_per_ack_is_not_lost() {
    let (c, peak) = (0.4_f64, 10_000.0);
    let mut driver = cut_from("classic+cubic(linux=false)", 10_000);
    let k = libm::cbrt(peak * 0.3 / c);
    let start = driver.now;
    while driver.now.since(start).as_secs_f64() < k {
        driver.round_trip();
    }
    let x = driver.now.since(start).as_secs_f64() - k;
    // Steps of whole bytes would stay 10 segments (1e-3) behind.
    assert_within(driver.cwnd(), c * x * x * x + peak, 1e-4);
}

#[test]
fn a_small_window_grows_like_reno() {
    // Alpha is 3 (1 - beta) / (1 + beta) = 0.529 segments per round trip until cwnd_prior, then 1
    // (section 4.3).
    let mut driver = cut_from("classic+cubic(linux=false)", 20);
    driver.rtt = Duration::from_millis(1);
    let start = driver.cwnd();
    for _ in 0..10 {
        driver.round_trip();
    }
    // 4 %: only whole segments are sent, so a round trip acknowledges up to one of 15 less than the
    // window.
    assert_within(driver.cwnd() - start, 5.29, 0.04);
    while driver.cwnd() < 21.0 {
        driver.round_trip();
    }
    let start = driver.cwnd();
    for _ in 0..10 {
        driver.round_trip();
    }
    assert_within(driver.cwnd() - start, 10.0, 0.04);
}

#[test]
fn time_without_anything_to_send_does_not_count() {
    let (mut busy, mut idle) = (
        cut_from("classic+cubic(linux=false)", 1000),
        cut_from("classic+cubic(linux=false)", 1000),
    );
    for _ in 0..40 {
        busy.round_trip();
        idle.round_trip();
    }
    // Ten seconds in which the window is not used, then on as before.
    idle.is_cwnd_limited = false;
    for _ in 0..200 {
        idle.round_trip();
    }
    idle.is_cwnd_limited = true;
    for _ in 0..40 {
        busy.round_trip();
        idle.round_trip();
    }
    // One ACK spacing of the epoch's 4 s.
    assert_within(idle.cwnd(), busy.cwnd(), 1e-4);
}

#[test]
fn after_a_timeout_the_curve_starts_at_its_plateau() {
    let mut driver = cut_from("classic+cubic(linux=false, reno_friendly=false)", 100);
    driver.congestion(Signal::Rto);
    assert_eq!(driver.window(), 1);
    while driver.internal("slow_start") == Some(1.0) {
        driver.round_trip();
    }
    let (start, plateau) = (driver.now, driver.cwnd());
    for _ in 0..100 {
        driver.round_trip();
    }
    let t = driver.now.since(start).as_secs_f64();
    // 1 %: the stage begins within the round trip that ends slow start.
    assert_within(driver.cwnd(), plateau + 0.4 * t * t * t, 0.01);
}
