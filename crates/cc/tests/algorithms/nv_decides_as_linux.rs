//! Does NV decide by the numbers of Linux's `tcp_nv.c`?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, setup};

const BASE: Duration = Duration::from_millis(1);

/// In avoidance with this window, base RTT and rate known: `fits` segments on the empty path.
fn in_avoidance(window: u64) -> Driver {
    let mut driver = Driver::at_ssthresh("classic+nv", window, BASE);
    driver.tx_in_flight = Some(MSS);
    driver.ack(1, BASE);
    driver
}

/// ACKs of a round, each of a segment that left with so many segments in flight.
fn round(driver: &mut Driver, acks: u64, in_flight: u64, rtt: Duration) {
    driver.tx_in_flight = Some(in_flight * MSS);
    driver.begin_round(acks * MSS);
    for _ in 0..acks {
        driver.now += rtt / acks;
        driver.ack(MSS, rtt);
    }
}

#[test]
fn too_large_a_window_loses_part_of_the_excess() {
    // 100 in flight. The average RTT follows by halves, so the largest rate is 100 per 1.5 ms: 66
    // fit, 76 may be. 38/128 of the excess of 24 go, rounded down: 7.
    let mut driver = in_avoidance(100);
    round(&mut driver, 40, 100, BASE * 2);
    round(&mut driver, 40, 100, BASE * 2);
    assert_eq!(driver.window(), 100);
    round(&mut driver, 1, 100, BASE * 2);
    assert_eq!(driver.window(), 93);
}

#[test]
fn a_small_excess_goes_at_once() {
    // 57 in flight, average RTT 1.12 times the smallest: 50 fit, 60 may be. It has grown by one
    // meanwhile.
    let mut driver = in_avoidance(61);
    for _ in 0..2 {
        round(&mut driver, 40, 57, Duration::from_micros(1240));
    }
    round(&mut driver, 1, 57, Duration::from_micros(1240));
    assert_eq!(driver.window(), 60);
}

#[test]
fn sixty_samples_to_shrink() {
    // With the one before, and that of the ACK that decides.
    for (acks, shrinks) in [(28, false), (29, true)] {
        let mut driver = in_avoidance(100);
        round(&mut driver, acks, 100, BASE * 2);
        round(&mut driver, acks, 100, BASE * 2);
        round(&mut driver, 1, 100, BASE * 2);
        assert_eq!(driver.window() < 100, shrinks, "rounds of {acks}");
    }
}

#[test]
fn two_rounds_to_shrink() {
    let mut driver = in_avoidance(100);
    driver.tx_in_flight = Some(100 * MSS);
    (0..60).for_each(|_| driver.ack(MSS / 10, BASE * 2));
    round(&mut driver, 1, 100, BASE * 2);
    assert_eq!(driver.window(), 100);
    round(&mut driver, 1, 100, BASE * 2);
    assert!(driver.window() < 100);
}

#[test]
fn it_grows_as_reno_until_two_packets_below_the_most() {
    let mut driver = in_avoidance(50);
    // Nothing waits: the most is what is in flight and 10, two packets of which stay.
    let mut before = driver.window();
    for _ in 0..30 {
        let window = driver.window();
        round(&mut driver, window, 50, BASE);
        assert!(driver.window() <= before + 1);
        before = driver.window();
    }
    assert!((58..=60).contains(&driver.window()), "{}", driver.window());
}

#[test]
fn a_loss_leaves_four_fifths() {
    let mut driver = in_avoidance(100);
    driver.congestion(Signal::Loss);
    // 819/1024, rounded down.
    assert_eq!(driver.window(), 79);
}

#[test]
fn it_does_not_grow_after_a_loss_before_it_has_seen_room() {
    let mut driver = in_avoidance(100);
    driver.congestion(Signal::Loss);
    let after = driver.window();
    round(&mut driver, 15, 79, BASE);
    assert_eq!(driver.window(), after);
}

#[test]
fn slow_start_ends_at_thirty_samples_of_too_much() {
    let mut driver = Driver::new("nv", &setup(100, None), BASE);
    driver.tx_in_flight = Some(MSS);
    driver.ack(1, BASE);
    round(&mut driver, 15, 100, BASE * 2);
    round(&mut driver, 14, 100, BASE * 2);
    assert_eq!(driver.internal("slow_start"), Some(1.0));
    round(&mut driver, 1, 100, BASE * 2);
    assert_eq!(driver.internal("slow_start"), Some(0.0));
}
