//! Does `HyStart++` enter, leave and end conservative slow start as RFC 9406 section 4.2 says?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, setup};

const RTT: Duration = Duration::from_millis(100);

fn driver(spec: &str, window: u64) -> Driver {
    Driver::new(spec, &setup(window, None), RTT)
}

/// One round trip whose ACKs all have this RTT.
fn round(driver: &mut Driver, rtt: Duration) {
    let window = driver.window();
    driver.begin_round(window * MSS);
    for _ in 0..window {
        driver.now += Duration::from_micros(1);
        driver.ack(MSS, rtt);
    }
    driver.now += rtt;
}

fn is_conservative(driver: &Driver) -> bool {
    driver.internal("css") == Some(1.0)
}

#[test]
fn a_path_without_queue_is_not_mistaken() {
    let mut driver = driver("hystartpp+reno", 10);
    for doublings in 1..=8 {
        round(&mut driver, RTT);
        assert!(!is_conservative(&driver));
        assert_eq!(driver.window(), 10 << doublings);
    }
}

#[test]
fn the_threshold_is_an_eighth_of_the_last_rounds_rtt_between_4_and_16_ms() {
    // (last round's RTT, a rise that is ignored, a rise that is not), ms.
    for (last, ignored, enough) in [(100, 12, 13), (20, 3, 4), (8, 3, 4), (400, 15, 16), (64, 7, 8)]
    {
        for (rise, expected) in [(ignored, false), (enough, true)] {
            let mut driver = driver("hystartpp+reno", 64);
            round(&mut driver, Duration::from_millis(last));
            round(&mut driver, Duration::from_millis(last + rise));
            assert_eq!(is_conservative(&driver), expected, "{last} + {rise} ms");
        }
    }
}

#[test]
fn a_slow_rise_is_not_a_rise_over_the_last_round() {
    // HyStart would compare with the smallest RTT of the connection, and end it.
    let mut driver = driver("hystartpp+reno", 16);
    for step in 0..4 {
        round(&mut driver, RTT + Duration::from_millis(12) * step);
        assert!(!is_conservative(&driver));
    }
}

#[test]
fn eight_samples_decide() {
    let mut driver = driver("hystartpp+reno", 64);
    round(&mut driver, RTT);
    driver.begin_round(driver.window() * MSS);
    for _ in 0..7 {
        driver.ack(MSS, RTT * 2);
        assert!(!is_conservative(&driver));
    }
    driver.ack(MSS, RTT * 2);
    assert!(is_conservative(&driver));
}

#[test]
fn conservative_slow_start_grows_by_a_quarter_for_five_rounds() {
    let mut driver = driver("hystartpp+reno", 32);
    round(&mut driver, RTT);
    // Eight ACKs as before, the rest of the round by a quarter of a segment each.
    round(&mut driver, RTT * 2);
    assert_eq!(driver.cc.decision().cwnd, (64 + 8) * MSS + 56 * MSS / 4);
    // That was the first of the five rounds.
    for _ in 0..4 {
        let window = driver.window();
        let before = driver.cc.decision().cwnd;
        round(&mut driver, RTT * 2);
        assert_eq!(driver.cc.decision().cwnd, before + window * MSS / 4);
        assert_eq!(driver.ssthresh(), None);
    }
    let last = driver.cwnd();
    driver.begin_round(driver.window() * MSS);
    driver.ack(MSS, RTT * 2);
    assert_eq!((driver.cwnd(), driver.ssthresh()), (last, Some(last)));
}

#[test]
fn it_doubles_again_when_the_rtt_falls_below_where_it_was() {
    let mut driver = driver("hystartpp+reno", 32);
    round(&mut driver, RTT);
    round(&mut driver, RTT * 2);
    assert!(is_conservative(&driver));
    driver.begin_round(driver.window() * MSS);
    for _ in 0..7 {
        driver.ack(MSS, RTT * 2 - Duration::from_millis(1));
        assert!(is_conservative(&driver));
    }
    driver.ack(MSS, RTT * 2);
    assert!(!is_conservative(&driver));
    let before = driver.cc.decision().cwnd;
    driver.ack(MSS, RTT);
    assert_eq!(driver.cc.decision().cwnd, before + MSS);
}

#[test]
fn the_same_rtt_is_not_below() {
    let mut driver = driver("hystartpp+reno", 32);
    round(&mut driver, RTT);
    round(&mut driver, RTT * 2);
    round(&mut driver, RTT * 2);
    assert!(is_conservative(&driver));
}

#[test]
fn an_ack_counts_for_eight_segments_unless_paced() {
    for (spec, grown) in
        [("hystartpp+reno", 8), ("hystartpp(l=4)+reno", 4), ("hystartpp(paced=true)+reno", 20)]
    {
        let mut driver = driver(spec, 64);
        driver.ack(20 * MSS, RTT);
        assert_eq!(driver.window(), 64 + grown, "{spec}");
    }
}

#[test]
fn only_the_first_slow_start_is_watched() {
    // Section 4.3.
    let mut driver = driver("hystartpp+reno", 64);
    round(&mut driver, RTT);
    driver.congestion(Signal::Rto);
    let ssthresh = driver.ssthresh().expect("set by the timeout");
    let mut rtt = RTT;
    while driver.cwnd() < ssthresh {
        assert_eq!(driver.internal("slow_start"), Some(1.0));
        rtt += RTT;
        round(&mut driver, rtt);
        assert_ne!(driver.internal("css"), Some(1.0));
    }
    assert_eq!(Some(driver.cwnd()), driver.ssthresh());
}
