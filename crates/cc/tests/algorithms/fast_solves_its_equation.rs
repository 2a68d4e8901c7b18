//! Is FAST's update W <- min(2W, (1 - gamma) W + gamma (base/RTT W + alpha)), and its average RTT
//! what the paper says?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, assert_within};

const BASE: Duration = Duration::from_millis(100);

fn in_avoidance(spec: &str, window: u64) -> Driver {
    let mut driver = Driver::at_ssthresh(spec, window, BASE);
    driver.begin_round(window * MSS);
    driver.ack(1, BASE);
    driver
}

/// The window after the first ACK of a new round.
fn update(driver: &mut Driver, rtt: Duration) -> f64 {
    driver.begin_round(driver.window() * MSS);
    driver.ack(MSS, rtt);
    driver.cwnd()
}

#[test]
fn on_the_empty_path_it_gains_half_of_alpha() {
    let mut driver = in_avoidance("classic+fast(period=1)", 100);
    assert_within(update(&mut driver, BASE), 110.0, 1e-5);
}

#[test]
fn the_average_follows_three_samples_a_window() {
    // eta = 3/100: one sample of 200 ms makes the average 103 ms. 50 + 0.5 (100 x 100 / 103 + 20).
    let mut driver = in_avoidance("classic+fast(period=1)", 100);
    assert_within(update(&mut driver, BASE * 2), 50.0 + 0.5 * (1e4 / 103.0 + 20.0), 1e-5);
    // In a window of 4 it is 1/4: 125 ms. The result, 0.7 x 4 + 0.3 (3.2 + 1), with gain 0.3 and
    // alpha 1.
    let mut driver = in_avoidance("classic+fast(alpha=1, gain=0.3, period=1)", 4);
    assert_within(update(&mut driver, BASE * 2), 0.7 * 4.0 + 0.3 * (3.2 + 1.0), 1e-3);
}

#[test]
fn never_more_than_double() {
    let mut driver = in_avoidance("classic+fast(alpha=1000, period=1)", 10);
    assert_within(update(&mut driver, BASE), 20.0, 1e-9);
}

#[test]
fn it_settles_where_alpha_packets_wait() {
    // A path that holds 100 segments: RTT = base W / 100 above that.
    let mut driver = in_avoidance("classic+fast(alpha=20)", 100);
    for _ in 0..100 {
        let full = BASE * driver.window() / 100;
        driver.rtt = BASE.max(full);
        driver.round_trip();
    }
    // The driver sends whole segments.
    assert!((119.0..=121.0).contains(&driver.cwnd()), "{}", driver.cwnd());
}

#[test]
fn an_update_per_period_and_half_on_a_loss() {
    let mut driver = in_avoidance("classic+fast(period=3)", 100);
    assert_within(update(&mut driver, BASE), 100.0, 1e-9);
    assert_within(update(&mut driver, BASE), 100.0, 1e-9);
    assert_within(update(&mut driver, BASE), 110.0, 1e-5);
    driver.congestion(Signal::Loss);
    assert_eq!(driver.window(), 55);
}
