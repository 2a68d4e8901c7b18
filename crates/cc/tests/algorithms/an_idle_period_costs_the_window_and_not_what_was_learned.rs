//! What do idle periods do to ssthresh, to `HyStart` and to CUBIC's curve?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, assert_within, setup};

const RTT: Duration = Duration::from_millis(100);

fn idle(driver: &mut Driver, seconds: u64, restart_window: u64) {
    let pause = Duration::from_secs(seconds);
    driver.now += pause;
    driver.cc.on_idle_restart(restart_window * MSS, driver.now);
    driver.cc.on_transmit_start(driver.now, pause, true);
}

#[test]
fn slow_start_leads_back_to_three_quarters_of_the_window() {
    // In whole segments, as Linux adds 93 / 2 and 93 / 4.
    for (ssthresh, expected) in [(20, 69.0), (69, 69.0), (80, 80.0)] {
        let mut driver = Driver::new("reno", &setup(93, Some(ssthresh)), RTT);
        idle(&mut driver, 10, 10);
        assert_eq!((driver.cwnd(), driver.ssthresh()), (10.0, Some(expected)));
        driver.round_trip();
        assert_within(driver.cwnd(), 20.0, 0.0);
    }
}

#[test]
fn an_unknown_threshold_stays_unknown() {
    let mut driver = Driver::new("reno", &setup(93, None), RTT);
    idle(&mut driver, 10, 10);
    assert_eq!((driver.cwnd(), driver.ssthresh()), (10.0, None));
}

#[test]
fn a_window_that_is_not_reduced_stays_in_avoidance() {
    let mut driver = Driver::new("reno", &setup(10, Some(4)), RTT);
    driver.ack(1, RTT);
    idle(&mut driver, 10, 10);
    assert_eq!((driver.cwnd(), driver.ssthresh()), (10.0, Some(7.0)));
    assert_eq!(driver.internal("slow_start"), Some(0.0));
}

#[test]
fn a_lost_syn_leaves_ssthresh_as_it_was_set() {
    let mut driver = Driver::new("reno", &setup(10, Some(2)), RTT);
    driver.cc.on_lost_syn(MSS, driver.now);
    assert_eq!((driver.cwnd(), driver.ssthresh()), (1.0, Some(2.0)));
}

#[test]
fn hystart_remembers_its_smallest_rtt() {
    let mut driver = Driver::new("hystart(ack_train=false)+reno", &setup(64, None), RTT);
    driver.begin_round(64 * MSS);
    driver.ack(MSS, RTT);
    idle(&mut driver, 10, 40);
    // Samples of 130 ms are too long for a path of 100 ms, and would do for one of 130 ms.
    for _ in 0..2 {
        driver.begin_round(40 * MSS);
        for _ in 0..9 {
            driver.ack(MSS, Duration::from_millis(130));
        }
    }
    assert!(driver.ssthresh().is_some());
    let mut forgetful = Driver::new("hystart(ack_train=false)+reno", &setup(64, None), RTT);
    forgetful.ack(MSS, RTT);
    forgetful.congestion(Signal::Rto);
    assert_eq!(forgetful.internal("hystart_delay_min"), None, "a timeout forgets it");
}

#[test]
fn hystart_that_has_found_the_end_does_not_look_again_before_a_timeout() {
    let mut driver = Driver::new("hystart(ack_train=false)+reno", &setup(64, None), RTT);
    let late = |driver: &mut Driver| {
        driver.begin_round(64 * MSS);
        for _ in 0..9 {
            driver.ack(MSS, RTT * 2);
        }
    };
    driver.ack(MSS, RTT);
    late(&mut driver);
    let ssthresh = driver.ssthresh().expect("found");
    idle(&mut driver, 10, 20);
    late(&mut driver);
    assert!(driver.ssthresh().expect("known") >= 0.7 * ssthresh, "slow start goes on to ssthresh");
    assert_eq!(driver.internal("slow_start"), Some(1.0));
}

/// CUBIC a second after a loss at 100 packets; answers K, seconds.
fn after_a_loss() -> (Driver, f64) {
    let mut driver = Driver::at_ssthresh("classic+cubic", 100, RTT);
    driver.round_trip();
    driver.congestion(Signal::Loss);
    for _ in 0..10 {
        driver.round_trip();
    }
    let k = driver.internal("k").expect("an epoch runs");
    (driver, k)
}

#[test]
fn cubic_goes_on_with_the_same_curve() {
    let (mut driver, k) = after_a_loss();
    idle(&mut driver, 10, 20);
    while driver.internal("slow_start") == Some(1.0) {
        driver.round_trip();
    }
    assert_eq!(driver.internal("k"), Some(k));
}

#[test]
fn a_pause_is_no_time_to_grow_in() {
    // The window is full again after the pause, so that its ACKs count as limited by cwnd.
    let windows = |pause: u64| {
        let (mut driver, _) = after_a_loss();
        driver.now += Duration::from_secs(pause);
        driver.cc.on_transmit_start(driver.now, Duration::from_secs(pause), false);
        (0..30)
            .map(|_| {
                driver.round_trip();
                driver.window()
            })
            .collect::<Vec<_>>()
    };
    // A segment: after the pause the curve is looked up at once, not with the next jiffies.
    for (paused, steady) in windows(20).into_iter().zip(windows(0)) {
        assert!(paused.abs_diff(steady) <= 1, "{paused} for {steady}");
    }
}
