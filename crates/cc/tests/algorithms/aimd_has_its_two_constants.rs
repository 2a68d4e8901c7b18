//! Are AIMD's growth and cut a and b, to the byte, and do the algorithms that contain Reno's rules
//! have exactly these?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, as_float, assert_within, setup};

const RTT: Duration = Duration::from_millis(60);

#[test]
fn growth_and_cut() {
    for (a, b) in [(0.05, 0.01), (0.2, 0.125), (1.0, 0.5), (4.0, 0.9)] {
        let mut driver = Driver::in_avoidance(&format!("aimd(a={a}, b={b})"), 1000, RTT);
        for _ in 0..50 {
            driver.round_trip();
        }
        // 0.5 %: while it grows by 4 in 1000, the price of a segment rises.
        assert_within(driver.cwnd() - 1000.0, 50.0 * a, 0.005);
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd(), before * (1.0 - b), 1e-4);
    }
}

#[test]
fn its_mean_window_is_the_laws() {
    for (a, b) in [(0.2, 0.125), (1.0, 0.5), (2.0, 0.3), (8.0, 0.0625)] {
        for every in [1_000, 10_000] {
            let law = libm::sqrt(a * (2.0 - b) / (2.0 * b) * as_float(every));
            let mut driver = Driver::at_ssthresh(&format!("aimd(a={a}, b={b})"), 10, RTT);
            driver.loss_every = Some(every);
            // Half a segment: what is not used of a window with a fraction; and 1 %.
            let mean = driver.mean_window(100, 50);
            assert!((mean - law).abs() < 0.5 + 0.01 * law, "{mean} for {law}");
        }
    }
}

#[test]
fn where_reno_rules_hold_every_window_is_renos() {
    for spec in ["scalable(legacy_window=1e6)", "highspeed(low_window=1e5)", "hybla(rtt0=100)"] {
        let (mut reno, mut other) =
            (Driver::new("reno", &setup(10, None), RTT), Driver::new(spec, &setup(10, None), RTT));
        for round in 0..400 {
            for driver in [&mut reno, &mut other] {
                driver.loss_every = Some(777);
                if round == 200 {
                    driver.congestion(Signal::Rto);
                }
                driver.round_trip();
            }
            assert_eq!(reno.cc.decision(), other.cc.decision(), "{spec}, round trip {round}");
        }
        assert!(reno.losses > 10);
    }
}
