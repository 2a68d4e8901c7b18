//! Do Scalable TCP's two times, to halve and to double, depend on nothing but its constants?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, assert_within};

const RTT: Duration = Duration::from_millis(120);

fn at(window: u64, a: f64, b: f64) -> Driver {
    Driver::in_avoidance(&format!("scalable(a={a}, b={b})"), window, RTT)
}

/// Time from `w` to twice that: whole round trips, and the share of the last.
fn time_to_double(driver: &mut Driver) -> f64 {
    let (start, begin) = (driver.cwnd(), driver.now);
    loop {
        let before = driver.cwnd();
        driver.round_trip();
        if driver.cwnd() >= 2.0 * start {
            let over = libm::log(driver.cwnd() / (2.0 * start)) / libm::log(driver.cwnd() / before);
            return driver.now.since(begin).as_secs_f64() - over * RTT.as_secs_f64();
        }
    }
}

/// Time until a cut in each round trip has halved the window, cuts interpolated.
fn time_to_halve(driver: &mut Driver) -> f64 {
    let before = driver.cwnd();
    driver.congestion(Signal::Loss);
    RTT.as_secs_f64() * libm::log(0.5) / libm::log(driver.cwnd() / before)
}

/// Pham & Le 2005, table 2: b, a, T1/2 and T2, s. The last T1/2 is printed as 1.2084, where the
/// formula gives 1.2888.
const TABLE: [(f64, f64, f64, f64); 4] = [
    (0.5, 0.04, 0.12, 2.124),
    (0.25, 0.02, 0.2892, 4.2),
    (0.125, 0.01, 0.6228, 8.364),
    (0.0625, 0.005, 1.2888, 16.68),
];

#[test]
fn half_and_twice_the_rate_take_what_the_table_says() {
    for (b, a, half, twice) in TABLE {
        for window in [1_000, 20_000] {
            // 1 %: whole segments.
            assert_within(time_to_halve(&mut at(window, a, b)), half, 0.01);
            assert_within(time_to_double(&mut at(window, a, b)), twice, 0.01);
            let rtt = RTT.as_secs_f64();
            assert_within(half, rtt * libm::log(0.5) / libm::log(1.0 - b), 0.002);
            assert_within(twice, rtt * libm::log(2.0) / libm::log(1.0 + a), 0.002);
        }
    }
}

#[test]
fn a_cut_is_rounded_up_to_whole_segments() {
    for (before, after) in [(100, 87), (104, 91), (17, 14), (1001, 875)] {
        let mut driver = at(before, 0.01, 0.125);
        driver.congestion(Signal::Loss);
        assert_eq!(driver.window(), after);
    }
}

#[test]
fn it_is_back_after_thirteen_round_trips_at_any_window() {
    for window in [200, 2_000, 20_000] {
        let mut driver = at(window, 0.01, 0.125);
        driver.congestion(Signal::Loss);
        let mut rounds = 0;
        while driver.window() < window {
            driver.round_trip();
            rounds += 1;
        }
        // ln(1/0.875) / ln 1.01 = 13.4, and up to one more for whole round trips.
        assert!((13..=15).contains(&rounds), "{rounds} round trips from {window}");
    }
}

#[test]
fn up_to_sixteen_segments_it_is_reno() {
    let mut driver = at(10, 0.01, 0.125);
    for _ in 0..6 {
        driver.round_trip();
    }
    assert_eq!(driver.window(), 16);
    driver.congestion(Signal::Loss);
    assert_eq!(driver.window(), 8);
}
