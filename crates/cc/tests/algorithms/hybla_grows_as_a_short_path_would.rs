//! Does a long path's window, over the same time, bring Hybla the segments per second of the 25 ms
//! path?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, assert_within, setup};

fn in_avoidance(rtt_ms: u64, window: u64) -> Driver {
    let rtt = Duration::from_millis(rtt_ms);
    Driver::in_avoidance("hybla", window, rtt)
}

#[test]
fn rho_squared_segments_per_round_trip_and_half_on_a_loss() {
    for (rtt_ms, rho) in [(10, 1.0), (25, 1.0), (50, 2.0), (200, 8.0), (90, 3.6)] {
        let mut driver = in_avoidance(rtt_ms, 2000);
        for _ in 0..10 {
            driver.round_trip();
        }
        // A segment is what is saved up; 2 %: while it grows by 64 in 2000, the price of a segment
        // rises.
        let expected = 10.0 * rho * rho;
        assert!(
            (driver.cwnd() - 2000.0 - expected).abs() <= 1.0 + 0.02 * expected,
            "{rtt_ms} ms: {}",
            driver.cwnd()
        );
        assert_eq!(driver.internal("rho"), Some(rho));
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd(), libm::floor(before / 2.0), 1e-9);
    }
}

#[test]
fn the_rate_of_the_reference_path_at_the_same_time() {
    // Both begin at the same rate; after 2 s of growth both have gained 80 segments per 25 ms.
    let (mut short, mut long) = (in_avoidance(25, 100), in_avoidance(200, 800));
    for _ in 0..80 {
        short.round_trip();
    }
    for _ in 0..10 {
        long.round_trip();
    }
    // 2 %: the price of a segment rises while a round trip grows by 64 in 800.
    assert_within(long.cwnd() / 8.0, short.cwnd(), 0.02);
}

#[test]
fn slow_start_multiplies_by_two_to_the_rho() {
    for (spec, rtt_ms, factor) in
        [("hybla", 25, 2), ("hybla", 75, 8), ("hybla", 10, 2), ("hybla(rtt0=50)", 100, 4)]
    {
        let mut driver = Driver::new(spec, &setup(4, None), Duration::from_millis(rtt_ms));
        driver.round_trip();
        assert_eq!(driver.window(), 4 * factor, "{spec} at {rtt_ms} ms");
        driver.round_trip();
        assert_eq!(driver.window(), 4 * factor * factor, "{spec} at {rtt_ms} ms");
    }
}

#[test]
fn slow_start_ends_at_ssthresh() {
    let mut driver =
        Driver::new("hybla-start+reno", &setup(4, Some(1000)), Duration::from_millis(200));
    driver.round_trip();
    assert!((1000.0..1002.0).contains(&driver.cwnd()), "{}", driver.cwnd());
}

#[test]
fn a_queue_does_not_make_it_faster() {
    let mut driver = in_avoidance(25, 400);
    driver.rtt = Duration::from_millis(100);
    for _ in 0..10 {
        driver.round_trip();
    }
    assert!(driver.cwnd() <= 411.0, "{}", driver.cwnd());
}
