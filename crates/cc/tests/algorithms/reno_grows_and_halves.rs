//! Is Reno RFC 5681's AIMD, in whole segments?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, setup};

const RTT: Duration = Duration::from_millis(60);

fn in_avoidance(window: u64) -> Driver {
    Driver::in_avoidance("reno", window, RTT)
}

#[test]
fn one_segment_per_round_trip() {
    let mut driver = in_avoidance(20);
    driver.round_trip();
    let before = driver.window();
    for round in 1..=50 {
        driver.round_trip();
        // Exact: a round trip acknowledges the window it began with, which is what a segment costs;
        // what a segment gained in mid-round makes dearer is paid from the next round, one
        // round in `window` at the most.
        let gained = driver.window() - before;
        assert!(gained == round || gained + 1 == round, "{gained} segments in {round} round trips");
    }
}

#[test]
fn delayed_acks_grow_as_fast_because_bytes_are_counted() {
    let (mut each, mut delayed) = (in_avoidance(20), in_avoidance(20));
    delayed.per_ack = 2;
    for _ in 0..50 {
        each.round_trip();
        delayed.round_trip();
    }
    assert!(each.window().abs_diff(delayed.window()) <= 1);
}

#[test]
fn slow_start_doubles_each_round_trip() {
    let mut driver = Driver::new("reno", &setup(10, None), RTT);
    for expected in [20, 40, 80, 160] {
        driver.round_trip();
        assert_eq!(driver.window(), expected);
    }
}

#[test]
fn a_loss_halves_whole_segments() {
    // Both from Linux: K2 in the recorded runs cuts 203 to 101 and 102 to 51.
    for (before, after) in [(203, 101), (102, 51), (5, 2), (3, 2), (2, 2)] {
        let mut driver = in_avoidance(before);
        driver.congestion(Signal::Loss);
        assert_eq!(driver.cc.decision().cwnd, after * MSS);
        assert_eq!(driver.cc.decision().ssthresh, Some(after * MSS));
    }
}

#[test]
fn a_timeout_begins_again_with_one_segment() {
    let mut driver = in_avoidance(40);
    driver.congestion(Signal::Rto);
    assert_eq!((driver.window(), driver.ssthresh()), (1, Some(20.0)));
    for expected in [2, 4, 8, 16] {
        driver.round_trip();
        assert_eq!(driver.window(), expected);
    }
    driver.round_trip();
    assert_eq!(driver.window(), 20);
}

#[test]
fn a_window_that_is_not_used_does_not_grow() {
    let mut driver = in_avoidance(20);
    driver.is_cwnd_limited = false;
    let before = driver.window();
    for _ in 0..50 {
        driver.round_trip();
    }
    assert_eq!(driver.window(), before);
}

#[test]
fn an_ack_for_several_windows_pays_for_each_and_keeps_the_rest() {
    let mut driver = in_avoidance(4);
    driver.ack(10 * MSS, RTT);
    assert_eq!(driver.window(), 6);
    driver.ack(3 * MSS, RTT);
    assert_eq!(driver.window(), 6);
    driver.ack(MSS, RTT);
    assert_eq!(driver.window(), 7);
}
