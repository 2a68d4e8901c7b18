//! Does `MulTCP` grow like n flows, give up half of one flow's share, and catch up in slow start?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, as_float, assert_within, setup};

const RTT: Duration = Duration::from_millis(60);

#[test]
fn n_segments_per_round_trip_and_a_cut_of_one_in_2n() {
    for n in [1, 2, 4, 8] {
        let mut driver = Driver::in_avoidance(&format!("multcp(n={n})"), 400, RTT);
        for _ in 0..10 {
            driver.round_trip();
        }
        // 2 %: while it grows by 8 in 400, the price of a segment rises.
        assert_within(driver.cwnd() - 400.0, as_float(10 * n), 0.02);
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd(), before * (1.0 - 0.5 / as_float(n)), 1e-4);
    }
}

#[test]
fn slow_start_triples_until_n_flows_are_caught_up_with() {
    // 1.5^k = 8 after 5.13 round trips: 3, 9, ..., 243 segments for one, then from 280 on as 8
    // flows.
    let mut driver = Driver::new("multcp(n=8)", &setup(1, None), RTT);
    for round in 1..=10_u32 {
        driver.round_trip();
        let flows = 8.0 * libm::exp2(f64::from(round));
        if round <= 5 {
            assert_within(driver.cwnd(), libm::pow(3.0, f64::from(round)), 1e-9);
        } else {
            // 5 %: between 243 and 280 it triples in the middle of a round trip, in whole segments.
            assert_within(driver.cwnd(), flows, 0.05);
        }
    }
}

#[test]
fn the_slow_start_that_it_brings_has_its_n() {
    let after_two = |spec: &str| {
        let mut driver = Driver::new(spec, &setup(10, None), RTT);
        driver.round_trip();
        driver.round_trip();
        driver.window()
    };
    assert_eq!(after_two("multcp(n=8)"), 90);
    assert_eq!(after_two("multcp(n=1)"), 40);
    assert_eq!(after_two("multcp-start(n=8)+multcp(n=1)"), 90);
    assert_eq!(after_two("classic+multcp(n=8)"), 40);
}
