//! Are `HighSpeed` TCP's a(w) and b(w) those of RFC 3649, and with `linux` those of Linux's table?

use ackclock_cc::avoidance::{HighSpeed, HighSpeedOptions};
use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, assert_within};

const RTT: Duration = Duration::from_millis(100);

/// RFC 3649 appendix B: w, a(w), b(w).
const TABLE: [(u32, f64, f64); 13] = [
    (38, 1.0, 0.50),
    (118, 2.0, 0.44),
    (221, 3.0, 0.41),
    (347, 4.0, 0.38),
    (495, 5.0, 0.37),
    (663, 6.0, 0.35),
    (851, 7.0, 0.34),
    (1058, 8.0, 0.33),
    (1284, 9.0, 0.32),
    (1529, 10.0, 0.31),
    (1793, 11.0, 0.30),
    (10_661, 30.0, 0.21),
    (84_035, 71.0, 0.10),
];

fn highspeed(linux: bool) -> HighSpeed {
    HighSpeed::new(HighSpeedOptions {
        low_window: 38.0,
        high_window: 83_000.0,
        high_p: 1e-7,
        high_decrease: 0.1,
        linux,
    })
}

#[test]
fn the_formula_gives_the_table() {
    for (w, increase, decrease) in TABLE {
        let (a, b) = highspeed(false).response(f64::from(w));
        // 4 %: the RFC computed its table from p = 0.078 / w^1.2, rounded from its own parameters
        // (3 % at 84 035).
        assert_within(a, increase, 0.04);
        assert!((b - decrease).abs() <= 0.005, "b({w}) = {b}");
    }
}

#[test]
fn linux_looks_the_table_up() {
    for (w, increase, decrease) in TABLE {
        let (a, b) = highspeed(true).response(f64::from(w));
        assert!((a - increase).abs() < 1e-9, "a({w}) = {a}");
        // 0.008: Linux holds b in 256ths, rounded down.
        assert!((b - decrease).abs() <= 0.008, "b({w}) = {b}");
        // Between two rows the upper one holds.
        let (above, _) = highspeed(true).response(f64::from(w) + 1.0);
        assert!(above > increase || w > 80_000, "a({w} + 1) = {above}");
    }
    assert_eq!(highspeed(true).response(1e9), (72.0, 24.0 / 256.0));
}

#[test]
fn the_window_moves_by_a_and_b() {
    for (linux, rows) in [(false, &TABLE[..12]), (true, &TABLE[..12])] {
        for &(w, increase, decrease) in rows {
            let mut driver =
                Driver::in_avoidance(&format!("highspeed(linux={linux})"), u64::from(w), RTT);
            // Linux looks its row up where the window may grow.
            driver.ack(1, RTT);
            let before = driver.cwnd();
            driver.congestion(Signal::Loss);
            assert_within(1.0 - driver.cwnd() / before, decrease, 0.05);
            let mut driver =
                Driver::in_avoidance(&format!("highspeed(linux={linux})"), u64::from(w), RTT);
            driver.round_trip();
            // A segment is gained in whole; in mid-round the next row may hold.
            assert!((driver.cwnd() - before - increase).abs() <= 1.0, "{w}: {}", driver.cwnd());
        }
    }
}

#[test]
fn beyond_its_parameters_nothing_runs_away() {
    for spec in [
        "highspeed(high_p=0.1)",
        "highspeed(low_window=1e5, high_p=0.1)",
        "highspeed(high_window=2)",
    ] {
        let mut driver = Driver::in_avoidance(spec, 1000, RTT);
        for _ in 0..20 {
            driver.round_trip();
        }
        assert!(driver.cwnd() < 4000.0, "{spec}: {}", driver.cwnd());
    }
}
