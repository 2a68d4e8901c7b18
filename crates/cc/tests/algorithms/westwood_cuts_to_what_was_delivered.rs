//! Is Westwood+'s window after a loss the bandwidth it saw times the smallest RTT?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, as_float, assert_within};

const BASE: Duration = Duration::from_millis(100);
const CAPACITY: f64 = 1000.0;

/// A path of 1000 segments/s and 100 ms: a window above 100 segments waits for itself.
fn at_a_bottleneck(spec: &str, window: u64, rounds: u32) -> Driver {
    let mut driver = Driver::in_avoidance(spec, window, BASE);
    for _ in 0..rounds {
        driver.rtt = BASE.max(Duration::from_secs_f64(as_float(driver.window()) / CAPACITY));
        driver.round_trip();
    }
    driver
}

#[test]
fn the_queue_is_given_up_and_the_pipe_kept() {
    for window in [110, 150, 300] {
        let mut driver = at_a_bottleneck("westwood", window, 40);
        let bandwidth = driver.internal("bandwidth").expect("samples were taken");
        // 2 %: a sample lasts a round trip and the next ACK.
        assert_within(bandwidth / as_float(MSS), CAPACITY, 0.02);
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd(), 100.0, 0.03);
    }
}

#[test]
fn without_a_queue_a_loss_costs_what_the_filter_lags() {
    // A ramp of a segment per round trip through two stages that keep 7/8: 7 round trips each, and
    // one for the sample, which is of the round trip before; in segments, and rounded down to a
    // whole one.
    for (spec, lag) in
        [("westwood", 15.5), ("westwood(two_stages=false)", 8.5), ("westwood(gain=1)", 1.5)]
    {
        let mut driver = Driver::in_avoidance(spec, 100, BASE);
        for _ in 0..150 {
            driver.round_trip();
        }
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        let cut = before - driver.cwnd();
        assert!((cut - lag).abs() <= 1.5, "{spec}: {cut} segments");
    }
}

#[test]
fn a_timeout_leaves_the_estimate_as_ssthresh() {
    let mut driver = at_a_bottleneck("westwood", 200, 40);
    driver.congestion(Signal::Rto);
    assert_eq!(driver.window(), 1);
    assert_within(driver.ssthresh().expect("after a timeout"), 100.0, 0.03);
}

#[test]
fn after_a_timeout_the_smallest_rtt_is_measured_anew() {
    // The path becomes twice as long and holds 200 segments; without a timeout the old minimum
    // would make 100 of them.
    for (times_out, expected) in [(true, 200.0), (false, 100.0)] {
        let mut driver = at_a_bottleneck("westwood", 200, 40);
        if times_out {
            driver.congestion(Signal::Rto);
        }
        while driver.window() < 220 {
            driver.rtt =
                (BASE * 2).max(Duration::from_secs_f64(as_float(driver.window()) / CAPACITY));
            driver.round_trip();
        }
        driver.congestion(Signal::Loss);
        // 5 %: the filter still holds some of the round trips that did not fill the path.
        assert_within(driver.cwnd(), expected, 0.05);
    }
}

#[test]
fn before_the_first_sample_a_loss_halves() {
    let mut driver = Driver::in_avoidance("westwood", 40, BASE);
    driver.congestion(Signal::Loss);
    assert_eq!(driver.window(), 20);
}
