//! Does `cubic(linux=true)`, and Reno, have the sawtooth that a Linux 6.18 kernel was recorded with?
//!
//! The recorded path: 10 Mbit/s, 60 ms, 50 packets of 1500 bytes may wait; 50 + 1 + 50 fit, and the drop that the next one
//! suffers is noticed one round trip later, repaired in another one.

use ackclock_cc::{Duration, Signal, Time};

use crate::driver::{Driver, MSS, assert_within, setup};

const PACKET_TIME: Duration = Duration::from_micros(1200);
const BASE_RTT: Duration = Duration::from_micros(61_200);
const FITS: u64 = 101;

struct Sawtooth {
    peak: u64,
    trough: u64,
    /// Seconds.
    period: f64,
}

/// One window's delivery: its packets leave the bottleneck one by one.
fn queued_round_trip(driver: &mut Driver) {
    let window = driver.window();
    let rtt = BASE_RTT.max(PACKET_TIME * window);
    let begin = driver.now;
    driver.begin_round(window * MSS);
    for segment in 1..=window {
        if segment % 2 == 0 || segment == window {
            driver.now = begin + PACKET_TIME * segment;
            driver.ack(if segment % 2 == 0 { 2 * MSS } else { MSS }, rtt);
        }
    }
    driver.now = begin + rtt;
}

fn sawtooth(spec: &str) -> Sawtooth {
    let mut driver = Driver::new(spec, &setup(60, Some(60)), BASE_RTT);
    driver.ack(0, BASE_RTT);
    let (mut last, mut tooth) = (
        Time::ZERO,
        Sawtooth {
            peak: 0,
            trough: 0,
            period: 0.0,
        },
    );
    for _ in 0..6 {
        while driver.window() <= FITS {
            queued_round_trip(&mut driver);
        }
        tooth.peak = driver.window();
        let noticed_after = PACKET_TIME * FITS;
        driver.now = driver.now.saturating_add(noticed_after);
        tooth.period = driver.now.since(last).as_secs_f64();
        last = driver.now;
        driver.congestion(Signal::Loss);
        tooth.trough = driver.window();
        driver.in_recovery = true;
        let repair = driver.now.saturating_add(noticed_after);
        queued_round_trip(&mut driver);
        driver.now = repair;
        driver.in_recovery = false;
    }
    tooth
}

#[test]
fn cubic_from_102_to_71_packets_in_3_09_s() {
    let tooth = sawtooth("classic+cubic(linux=true)");
    assert_eq!((tooth.peak, tooth.trough), (102, 71));
    // 3.093 s recorded; 4 %: this path rounds to whole round trips (0.12 s).
    assert_within(tooth.period, 3.093, 0.04);
}

#[test]
fn reno_from_102_to_51_packets_in_4_96_s() {
    let tooth = sawtooth("reno");
    assert_eq!((tooth.peak, tooth.trough), (102, 51));
    assert_within(tooth.period, 4.958, 0.04);
}
