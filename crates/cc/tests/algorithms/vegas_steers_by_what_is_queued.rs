//! Does Vegas count what it has queued, and grow, stay and shrink as its authors say?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, setup};

const BASE: Duration = Duration::from_millis(100);

/// In avoidance with 100 segments, the base RTT known.
fn in_avoidance(spec: &str) -> Driver {
    Driver::in_avoidance(spec, 100, BASE)
}

/// Round trips of this length until one was judged by the samples of the one before; what the
/// window was and became.
fn judged(driver: &mut Driver, rtt: Duration) -> (u64, u64) {
    driver.rtt = rtt;
    let mut before = driver.window();
    for _ in 0..3 {
        before = driver.window();
        driver.round_trip();
    }
    (before, driver.window())
}

#[test]
fn between_alpha_and_beta_the_window_stands_still() {
    // 100 (1 - 100/103) = 2.91 packets, between 2 and 4.
    let mut driver = in_avoidance("classic+vegas");
    assert_eq!(judged(&mut driver, Duration::from_millis(103)), (100, 100));
}

#[test]
fn one_more_below_alpha_and_one_less_above_beta() {
    // 100 (1 - 100/101) = 0.99 packets; 100 (1 - 100/105) = 4.76.
    for (rtt, step) in [(101, 1), (105, -1)] {
        let mut driver = in_avoidance("classic+vegas");
        let (before, after) = judged(&mut driver, Duration::from_millis(rtt));
        assert_eq!(before.checked_add_signed(step), Some(after));
    }
}

#[test]
fn the_thresholds_are_parameters() {
    // 2.91 packets again: too many for ns-2's beta of 2, too few for an alpha of 3.
    for (spec, step) in
        [("classic+vegas(alpha=1, beta=2)", -1), ("classic+vegas(alpha=3, beta=5)", 1)]
    {
        let mut driver = in_avoidance(spec);
        let (before, after) = judged(&mut driver, Duration::from_millis(103));
        assert_eq!(before.checked_add_signed(step), Some(after), "{spec}");
    }
}

#[test]
fn linux_counts_against_the_base_rtt_in_whole_packets() {
    // RTT 141 ms, 10 segments: 10 (1 - 100/141) = 2.91 wait; Linux says 10 x 41 / 100 = 4, and
    // stays at beta = 3.9 no more.
    for (spec, step) in [
        ("classic+vegas(alpha=2, beta=3.9)", 0),
        ("classic+vegas(alpha=2, beta=3.9, linux=true)", -1),
        ("classic+vegas(alpha=2, beta=4, linux=true)", 0),
    ] {
        let mut driver = Driver::in_avoidance(spec, 10, BASE);
        driver.rtt = Duration::from_millis(141);
        driver.round_trip();
        let before = driver.window();
        assert_eq!(before, 10, "{spec}");
        driver.begin_round(10 * MSS);
        driver.ack(MSS, driver.rtt);
        assert_eq!(before.checked_add_signed(step), Some(driver.window()), "{spec}");
    }
}

#[test]
fn fewer_than_three_samples_say_nothing_and_it_grows() {
    let mut driver = Driver::in_avoidance("classic+vegas", 4, BASE);
    driver.per_ack = 2;
    driver.rtt = Duration::from_secs(10);
    driver.round_trip();
    driver.round_trip();
    assert_eq!(driver.window(), 5);
}

#[test]
fn it_halves_or_as_told_and_stays_at_two_segments() {
    for (spec, left) in [("classic+vegas", 50.0), ("classic+vegas(loss_factor=0.75)", 75.0)] {
        let mut driver = in_avoidance(spec);
        driver.congestion(Signal::Loss);
        assert_eq!(driver.ssthresh(), Some(left));
    }
    let mut driver = Driver::in_avoidance("classic+vegas(alpha=0, beta=0)", 3, BASE);
    driver.rtt = Duration::from_secs(1);
    for _ in 0..10 {
        driver.begin_round(3 * MSS);
        (0..3).for_each(|_| driver.ack(MSS, driver.rtt));
    }
    assert_eq!(driver.window(), 2);
}

#[test]
fn slow_start_doubles_every_other_round_trip() {
    let mut driver = Driver::new("vegas", &setup(10, None), BASE);
    for expected in [10, 20, 20, 40, 40, 80] {
        driver.round_trip();
        assert_eq!(driver.window(), expected);
    }
}

#[test]
fn slow_start_ends_by_the_rtts_of_a_window_that_stood_still() {
    let mut driver = Driver::new("vegas", &setup(10, None), BASE);
    for _ in 0..4 {
        driver.round_trip();
    }
    // 40 segments. What was sent while they were 20 has waited; that is not counted.
    driver.rtt = Duration::from_millis(110);
    driver.round_trip();
    assert_eq!((driver.window(), driver.internal("slow_start")), (40, Some(1.0)));
    // What was sent with 40 has waited: 40 (1 - 100/110) = 3.6 packets, more than gamma. An eighth
    // goes.
    driver.begin_round(40 * MSS);
    driver.ack(MSS, driver.rtt);
    driver.ack(MSS, driver.rtt);
    assert_eq!(driver.internal("slow_start"), Some(1.0));
    driver.ack(MSS, driver.rtt);
    assert_eq!((driver.window(), driver.internal("slow_start")), (35, Some(0.0)));
}

#[test]
fn linux_slow_start_ends_with_what_fits_and_a_packet() {
    let mut driver = Driver::new("vegas-start(linux=true)+vegas", &setup(10, None), BASE);
    for expected in [20, 40] {
        driver.round_trip();
        assert_eq!(driver.window(), expected);
    }
    driver.rtt = Duration::from_millis(150);
    driver.round_trip();
    // 80 segments, of which 80 x 100 / 150 = 53.3 fit.
    driver.begin_round(80 * MSS);
    driver.ack(MSS, driver.rtt);
    assert_eq!((driver.window(), driver.internal("slow_start")), (54, Some(0.0)));
}
