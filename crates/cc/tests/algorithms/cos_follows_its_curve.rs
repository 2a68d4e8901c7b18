//! Is the window after each round trip what Ru & Liu's formula says, and does COS end where they
//! say?

use std::f64::consts::PI;

use ackclock_cc::slow_start::Curve;
use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, as_float, setup};

const RTT: Duration = Duration::from_millis(100);
const SIGMA: u64 = 2;

fn is_in_slow_start(driver: &Driver) -> bool {
    driver.internal("slow_start") == Some(1.0)
}

/// The paper's formula, written again; rounded to a millionth of a segment first, so that exact
/// integers stay.
fn formula(ssthresh: u64, x: f64) -> u64 {
    let (s, l) = (as_float(ssthresh), libm::log2(as_float(ssthresh)));
    let x = x.min(l);
    let w = libm::round((-s / 2.0 * libm::cos(PI * x / l) + s / 2.0 + 1.0) * 1e6) / 1e6;
    let w = if x <= l / 2.0 { libm::floor(w) } else { libm::ceil(w) };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a window of at most 10,001 segments"
    )]
    let w = w as u64;
    w
}

#[test]
fn each_round_trip_ends_on_the_formula() {
    for ssthresh in 4..=10_000 {
        let mut driver = Driver::new("cos+reno", &setup(1, Some(ssthresh)), RTT);
        driver.per_ack = 16;
        let mut x = 0;
        while is_in_slow_start(&driver) {
            driver.round_trip();
            x += 1;
            let expected = formula(ssthresh, as_float(x));
            if is_in_slow_start(&driver) {
                assert_eq!(driver.window(), expected, "ssthresh {ssthresh}, x = {x}");
            } else {
                // It ended within this round trip, when ssthresh - cwnd came to sigma; the rest of
                // it is avoidance.
                assert!(
                    expected + SIGMA >= ssthresh,
                    "ssthresh {ssthresh} ended at x = {x}, where w = {expected}"
                );
                assert!((ssthresh - SIGMA..=ssthresh + 1).contains(&driver.window()));
            }
        }
        let first_near = (0..=64)
            .find(|&x| formula(ssthresh, as_float(x)) + SIGMA >= ssthresh)
            .expect("the curve ends");
        assert_eq!(x, first_near, "ssthresh {ssthresh}");
        assert!(
            as_float(x) <= libm::ceil(libm::log2(as_float(ssthresh))),
            "ssthresh {ssthresh} took {x} round trips"
        );
    }
}

#[test]
fn values_of_a_curve_by_hand() {
    // ssthresh 16: L = 4, cos(pi x / 4): w = 1, 9 - 8 cos 45 deg = 3.34 down, 9, 9 + 5.66 = 14.66
    // up, 17.
    let curve = Curve::to(16.0).expect("longer than nothing");
    let windows: Vec<f64> = (0..=4).map(|x| curve.window(f64::from(x))).collect();
    assert_eq!(windows, [1.0, 3.0, 9.0, 15.0, 17.0]);
}

#[test]
fn the_window_rises_with_each_ack_and_never_by_more_than_its_share() {
    let mut driver = Driver::new("cos+reno", &setup(1, Some(256)), RTT);
    while is_in_slow_start(&driver) {
        let (window, from) = (driver.window(), driver.cwnd());
        driver.begin_round(window * MSS);
        let mut steps = Vec::new();
        for _ in 0..window {
            let before = driver.cwnd();
            driver.ack(MSS, RTT);
            steps.push(driver.cwnd() - before);
        }
        if is_in_slow_start(&driver) {
            let share = (driver.cwnd() - from) / as_float(window);
            // A byte of rounding either way.
            assert!(steps.iter().all(|step| (step - share).abs() <= 0.0011), "{steps:?}");
        }
    }
}

#[test]
fn an_initial_window_enters_the_curve_where_it_has_that_window() {
    let mut driver = Driver::new("cos+reno", &setup(10, Some(1000)), RTT);
    let l = libm::log2(1000.0);
    let x0 = l / PI * libm::acos(1.0 - 9.0 / 500.0);
    let mut x = x0;
    loop {
        driver.round_trip();
        x += 1.0;
        if !is_in_slow_start(&driver) {
            break;
        }
        assert_eq!(driver.window(), formula(1000, x));
    }
    assert!(x < x0 + l, "it cannot take longer than from one segment");
}

#[test]
fn without_ssthresh_it_doubles_until_congestion_finds_one() {
    let mut driver = Driver::new("cos+reno", &setup(1, None), RTT);
    for expected in [2, 4, 8, 16, 32, 64] {
        driver.round_trip();
        assert_eq!(driver.window(), expected);
    }
    driver.congestion(Signal::Rto);
    assert_eq!((driver.window(), driver.ssthresh()), (1, Some(32.0)));
    for x in [1.0, 2.0, 3.0] {
        driver.round_trip();
        assert_eq!(driver.window(), formula(32, x));
    }
}

#[test]
fn sigma_is_a_parameter() {
    let round_trips = |spec: &str| {
        let mut driver = Driver::new(spec, &setup(1, Some(1000)), RTT);
        let mut count = 0;
        while is_in_slow_start(&driver) {
            driver.round_trip();
            count += 1;
        }
        (count, driver.window())
    };
    let (late, early) = (round_trips("cos(sigma=0)+reno"), round_trips("cos(sigma=200)+reno"));
    assert!(early.0 < late.0 && early.1 >= 800, "{early:?} {late:?}");
    assert!(late.1 >= 1000);
}

#[test]
fn a_timeout_in_mid_round_begins_the_curve_again() {
    let mut driver = Driver::new("cos+reno", &setup(1, Some(256)), RTT);
    for _ in 0..3 {
        driver.round_trip();
    }
    driver.begin_round(driver.window() * MSS);
    driver.ack(10 * MSS, RTT);
    driver.congestion(Signal::Rto);
    let ssthresh = driver.cc.decision().ssthresh.expect("set by the timeout") / MSS;
    for x in [1.0, 2.0, 3.0] {
        driver.round_trip();
        assert_eq!(driver.window(), formula(ssthresh, x));
    }
}
