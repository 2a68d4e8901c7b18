//! Does `HyStart` end slow start on a rising RTT and on a long ACK train, and on nothing else?

use ackclock_cc::Duration;

use crate::driver::{Driver, MSS, setup};

const RTT: Duration = Duration::from_millis(100);

/// One round whose ACKs come `spacing` apart, each with this RTT; whether slow start goes on.
fn round(driver: &mut Driver, spacing: Duration, rtt: Duration) -> bool {
    let (begin, window) = (driver.now, driver.window());
    driver.begin_round(window * MSS);
    for segment in 0..window {
        driver.now = begin + spacing * segment;
        driver.ack(MSS, rtt);
    }
    driver.now = begin + rtt.max(spacing * window);
    driver.internal("slow_start") == Some(1.0)
}

const BURST: Duration = Duration::from_micros(1);

fn driver(spec: &str, window: u64) -> Driver {
    Driver::new(spec, &setup(window, None), RTT)
}

#[test]
fn a_path_without_queue_is_not_mistaken() {
    let mut driver = driver("hystart+reno", 10);
    for _ in 0..8 {
        assert!(round(&mut driver, BURST, RTT));
    }
    assert_eq!(driver.window(), 2560);
    assert_eq!(driver.ssthresh(), None);
}

#[test]
fn an_rtt_risen_by_an_eighth_ends_it() {
    // 100 ms / 8 = 12.5 ms, between the bounds of 4 ms and 16 ms.
    for (rise, goes_on) in [(12, true), (13, false)] {
        let mut driver = driver("hystart(ack_train=false)+reno", 20);
        assert!(round(&mut driver, BURST, RTT));
        assert_eq!(
            round(&mut driver, BURST, RTT + Duration::from_millis(rise)),
            goes_on,
            "{rise} ms"
        );
    }
}

#[test]
fn the_rise_is_bounded_on_both_sides() {
    for (rtt, rise, goes_on) in [(10, 4, true), (10, 5, false), (400, 16, true), (400, 17, false)] {
        let mut driver = driver("hystart(ack_train=false)+reno", 20);
        assert!(round(&mut driver, BURST, Duration::from_millis(rtt)));
        assert_eq!(
            round(&mut driver, BURST, Duration::from_millis(rtt + rise)),
            goes_on,
            "{rtt} ms + {rise} ms"
        );
    }
}

#[test]
fn it_ends_at_the_ninth_sample_with_ssthresh_where_the_window_is() {
    let mut driver = driver("hystart(ack_train=false)+reno", 20);
    round(&mut driver, BURST, RTT);
    driver.begin_round(driver.window() * MSS);
    for _ in 0..8 {
        driver.ack(MSS, RTT * 2);
    }
    assert_eq!((driver.window(), driver.ssthresh()), (48, None));
    driver.ack(MSS, RTT * 2);
    assert_eq!((driver.window(), driver.ssthresh()), (48, Some(48.0)));
}

#[test]
fn a_train_of_half_the_smallest_rtt_ends_it() {
    // 1 ms apart; the train passes (100 ms + 1 ms) / 2 with its 52nd ACK.
    let mut driver = driver("hystart(delay=false)+reno", 64);
    assert!(!round(&mut driver, Duration::from_millis(1), RTT));
    assert_eq!(driver.ssthresh(), Some(64.0 + 51.0));
}

#[test]
fn a_fast_path_allows_its_train_less_than_a_millisecond() {
    // 4 x 65,536 B at two windows of 1 MB per 4 ms last 0.52 ms, and less as the window grows: the
    // train passes half of 4.429 ms with its 223rd ACK.
    let mut driver = driver("hystart(delay=false)+reno", 1000);
    assert!(!round(&mut driver, Duration::from_micros(10), Duration::from_millis(4)));
    assert_eq!(driver.ssthresh(), Some(1222.0));
}

#[test]
fn acks_too_far_apart_are_no_train() {
    // 2 ms belong to one train in Linux, too.
    let mut near = driver("hystart(delay=false)+reno", 64);
    assert!(!round(&mut near, Duration::from_millis(2), RTT));
    let mut driver = driver("hystart(delay=false)+reno", 64);
    assert!(round(&mut driver, Duration::from_micros(2100), RTT));
}

#[test]
fn a_paced_train_may_last_a_round_trip() {
    let mut driver = driver("hystart(delay=false, paced=true)+reno", 64);
    assert!(round(&mut driver, Duration::from_millis(1), RTT));
}

#[test]
fn never_below_the_low_window() {
    // A train of 0.9 ms steps passes (5 ms + 1 ms) / 2 with its fifth ACK. From 7 segments the
    // round comes to 14, below the low window of 16, and goes on; the next one ends with its
    // fifth ACK.
    let (spacing, rtt) = (Duration::from_micros(900), Duration::from_millis(5));
    let mut driver = driver("hystart(delay=false)+reno", 7);
    assert!(round(&mut driver, spacing, rtt));
    assert_eq!(driver.window(), 14);
    assert!(!round(&mut driver, spacing, rtt));
    assert_eq!(driver.ssthresh(), Some(18.0));
}

#[test]
fn linux_ends_at_493_packets_on_a_path_of_100_mbit_s_and_40_ms() {
    // Recorded, runs K8: ssthresh 493. The round that began with 320 packets has ACKs of two
    // packets each 0.24 ms.
    let rtt = Duration::from_micros(40_120);
    let mut driver = driver("hystart+reno", 320);
    driver.begin_round(320 * MSS);
    for ack in 0..160 {
        driver.now = ackclock_cc::Time::ZERO + Duration::from_micros(240) * ack;
        driver.ack(2 * MSS, rtt);
    }
    // Two ACKs: where in a burst of four packets the train began.
    let ssthresh = driver.ssthresh().expect("ended");
    assert!((489.0..=497.0).contains(&ssthresh), "{ssthresh}");
}
