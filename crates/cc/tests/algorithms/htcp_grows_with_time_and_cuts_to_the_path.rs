//! Does H-TCP grow by alpha(Delta), cut to `RTT_min/RTT_max`, and which of the two do its options
//! change?

use ackclock_cc::Signal;

use crate::driver::{Driver, assert_within, ms};

/// In avoidance, with RTT samples of this many milliseconds.
fn in_avoidance(spec: &str, window: u64, rtt: u64) -> Driver {
    Driver::in_avoidance(spec, window, ms(rtt))
}

/// Growth of a round trip that begins so long after a loss, segments.
fn growth_at(spec: &str, rtt: u64, delta: u64) -> f64 {
    let mut driver = in_avoidance(spec, 20_000, rtt);
    driver.congestion(Signal::Loss);
    driver.now += ms(delta);
    let before = driver.cwnd();
    driver.round_trip();
    driver.cwnd() - before
}

#[test]
fn growth_is_1_for_a_second_and_then_rises_by_10_and_a_quarter_squared() {
    // At the middle of a round trip of 100 ms. 1 %: the window grows meanwhile.
    for (delta, alpha) in
        [(0, 1.0), (850, 1.0), (1_950, 11.25), (2_950, 22.0), (4_950, 45.0), (10_950, 126.0)]
    {
        assert_within(growth_at("htcp", 100, delta), alpha, 0.012);
    }
}

#[test]
fn rtt_scaling_makes_growth_one_of_time() {
    // 22 per 100 ms after 3 s, half of it in 50 ms, twice in 200 ms and more, and never less than
    // Reno.
    for (rtt, expected) in [(50, 11.0), (200, 44.0), (400, 44.0)] {
        assert_within(growth_at("htcp", rtt, 3_000 - rtt / 2), expected, 0.015);
    }
    assert_within(growth_at("htcp(rtt_scaling=false)", 50, 2_975), 22.0, 0.012);
    for rtt in [10, 200] {
        assert_within(growth_at("htcp", rtt, 500), 1.0, 0.012);
    }
}

/// Share of the window that the second of two losses leaves, where the RTT rose to `high` between
/// them.
fn second_cut(options: &str, high: u64) -> f64 {
    let mut driver = in_avoidance(&format!("htcp({options})"), 1000, 100);
    driver.round_trip();
    driver.congestion(Signal::Loss);
    assert_within(driver.internal("beta").unwrap(), 0.5, 1e-9);
    driver.rtt = ms(high);
    driver.round_trip();
    driver.round_trip();
    let before = driver.cwnd();
    driver.congestion(Signal::Loss);
    driver.cwnd() / before
}

#[test]
fn the_first_loss_halves_and_the_next_leaves_what_the_path_held() {
    for (high, left) in [(100, 0.8), (120, 0.8), (160, 0.625), (300, 0.5)] {
        assert_within(second_cut("bandwidth_switch=false", high), left, 2e-3);
    }
    assert_within(second_cut("bandwidth_switch=false, adaptive_backoff=false", 160), 0.5, 2e-3);
}

#[test]
fn a_smaller_cut_means_less_growth() {
    let mut driver = in_avoidance("htcp(bandwidth_switch=false)", 1000, 100);
    for _ in 0..2 {
        driver.round_trip();
        driver.round_trip();
        driver.congestion(Signal::Loss);
    }
    assert_within(driver.internal("beta").unwrap(), 0.8, 1e-9);
    let before = driver.cwnd();
    driver.round_trip();
    // 2 (1 - beta).
    assert_within(driver.cwnd() - before, 0.4, 0.02);
}

#[test]
fn the_largest_rtt_fades() {
    let mut driver = in_avoidance("htcp", 1000, 100);
    driver.rtt = ms(200);
    driver.round_trip();
    driver.congestion(Signal::Loss);
    assert_within(driver.internal("rtt_max").unwrap(), 0.195, 1e-9);
}

#[test]
fn a_changed_throughput_halves() {
    // Every second loss finds the window, and so the throughput, at half its earlier value or
    // unchanged.
    let mut driver = in_avoidance("htcp", 1000, 100);
    for (window_before, left) in [(1000, 0.5), (500, 0.5), (500, 0.8)] {
        for _ in 0..3 {
            driver.round_trip();
        }
        let before = driver.cwnd();
        assert_within(before, f64::from(window_before), 0.02);
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd() / before, left, 2e-3);
        // Back to 500 by hand: the state of the throughput is what is looked at.
        while driver.cwnd() < 499.0 {
            let window = driver.cc.decision().cwnd;
            driver.ack(window / 2, ms(100));
        }
    }
}
