//! Copa (Arun & Balakrishnan, NSDI 2018): slow start, steps, velocity and mode by hand; its
//! equilibrium on a bottleneck.

use ackclock_cc::{Duration, Rate, Signal};

use super::bottleneck::Path;
use super::driver::{Driver, MSS, assert_within, segments, setup};

const RTT: Duration = Duration::from_millis(100);

fn driver(spec: &str, window: u64) -> Driver {
    Driver::new(spec, &setup(window, None), RTT)
}

/// An ACK of `count` segments whose RTT is `queueing` longer, so late that nothing else is in the
/// standing RTT's window.
fn ack(driver: &mut Driver, count: u64, queueing: Duration) {
    driver.now += RTT + RTT;
    driver.ack(count * MSS, RTT + queueing);
}

/// Out of slow start and with an empty queue again, at a window of about `window`.
fn settled(spec: &str, window: u64) -> Driver {
    let mut driver = driver(spec, window);
    ack(&mut driver, 1, Duration::ZERO);
    driver.begin_round(window * MSS);
    ack(&mut driver, 1, RTT);
    ack(&mut driver, 1, Duration::ZERO);
    assert_eq!(driver.internal("slow_start"), Some(0.0));
    driver
}

#[test]
fn slow_start_ends_where_the_rate_exceeds_its_target() {
    // cwnd / (RTT + dq) > 1 / (delta dq): with 20 segments and delta 0.5 beyond dq = RTT / 9.
    for (queueing, slow_start) in [(11_000, 1.0), (11_200, 0.0)] {
        let mut driver = driver("copa", 10);
        ack(&mut driver, 10, Duration::ZERO);
        assert_within(driver.cwnd(), 20.0, 1e-9);
        ack(&mut driver, 0, Duration::from_micros(queueing));
        assert_eq!(driver.internal("slow_start"), Some(slow_start), "dq = {queueing} us");
    }
}

#[test]
fn the_pacing_rate_is_twice_the_window_per_standing_rtt() {
    let mut driver = driver("copa", 10);
    assert_eq!(driver.cc.decision().pacing_rate, None);
    ack(&mut driver, 10, Duration::ZERO);
    assert_eq!(driver.cc.decision().pacing_rate, Some(Rate::of(2 * 20 * MSS, RTT)));
}

#[test]
fn the_window_moves_by_v_over_delta_segments_per_round_trip() {
    for (spec, per_round_trip) in [("copa", 2.0), ("copa(delta=0.1)", 10.0)] {
        let mut driver = settled(spec, 100);
        let before = driver.cwnd();
        ack(&mut driver, 10, Duration::ZERO);
        // The decision is in whole bytes.
        assert_within(driver.cwnd() - before, per_round_trip * 10.0 / before, 0.01);
        // 100 segments against a queue of RTT / 4: far above the target.
        let before = driver.cwnd();
        ack(&mut driver, 10, RTT / 4);
        assert_within(before - driver.cwnd(), per_round_trip * 10.0 / before, 0.01);
    }
}

#[test]
fn v_doubles_after_three_round_trips_in_one_direction_and_falls_back_when_it_turns() {
    let mut driver = settled("copa", 100);
    let mut velocities = Vec::new();
    for _ in 0..9 {
        driver.begin_round(100 * MSS);
        ack(&mut driver, 100, Duration::ZERO);
        velocities.push(driver.internal("velocity").unwrap());
    }
    // The first round trip began midway, the second finds the direction; then three confirm it.
    assert_eq!(velocities, [1.0, 1.0, 1.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
    ack(&mut driver, 1, RTT);
    assert_eq!(driver.internal("velocity"), Some(1.0));
}

#[test]
fn a_queue_that_does_not_empty_for_five_rtts_is_somebody_elses() {
    let mut driver = settled("copa", 50);
    let began = driver.now;
    while driver.internal("competing") == Some(0.0) {
        driver.now += Duration::from_millis(50);
        driver.ack(0, RTT + RTT);
        assert!(driver.now.since(began) < Duration::from_secs(2), "it does not notice");
    }
    // Five smoothed RTTs, here of 200 ms each; for half of one more the standing RTT remembers the
    // empty queue.
    assert_eq!(driver.now.since(began), Duration::from_millis(1100));
    // AIMD on 1/delta: one more per round trip without loss, half on loss, never less than by
    // default.
    let mut inverse = Vec::new();
    let mut show =
        |driver: &Driver| inverse.push((1.0 / driver.internal("delta").unwrap()).round());
    for _ in 0..8 {
        driver.begin_round(50 * MSS);
        driver.ack(0, RTT + RTT);
        show(&driver);
    }
    for _ in 0..4 {
        driver.congestion(Signal::Loss);
        show(&driver);
    }
    assert_eq!(inverse, [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 5.0, 3.0, 2.0, 2.0]);
    driver.congestion(Signal::Loss);
    // Nearly empty: a tenth of the swing of the last four RTTs.
    driver.begin_round(50 * MSS);
    driver.now += RTT;
    driver.ack(0, RTT + RTT / 11);
    assert_eq!((driver.internal("competing"), driver.internal("delta")), (Some(0.0), Some(0.5)));
}

#[test]
fn without_competitive_mode_the_queue_may_be_anybodys() {
    let mut driver = settled("copa(competitive=false)", 50);
    for _ in 0..100 {
        driver.now += RTT;
        driver.ack(0, RTT + RTT);
    }
    assert_eq!((driver.internal("competing"), driver.internal("delta")), (Some(0.0), Some(0.5)));
}

#[test]
fn a_loss_moves_nothing_but_a_timeout_starts_again() {
    let mut driver = settled("copa", 100);
    let before = driver.cwnd();
    driver.congestion(Signal::Loss);
    assert_within(driver.cwnd(), before, 1e-9);
    driver.congestion(Signal::Rto);
    assert_within(driver.cwnd(), 2.0, 1e-9);
    assert_eq!(driver.internal("slow_start"), Some(1.0));
}

/// 100 Mbit/s and 60 ms, 750 segments; the queue at each ACK after ten seconds, and how often the
/// window turned in ten more.
fn equilibrium(spec: &str) -> (Vec<f64>, u32) {
    let rate = Rate::from_bps(100_000_000);
    let mut path = Path::new(spec, rate, Duration::from_millis(60), 1);
    path.run(Duration::from_secs(10));
    let end = path.now + Duration::from_secs(10);
    let (mut queue, mut turns) = (Vec::new(), 0);
    let (mut high, mut low, mut is_up) = (0.0, f64::MAX, true);
    while path.now < end {
        if !path.step() {
            continue;
        }
        queue.push(segments(rate.bytes_in(path.last_rtt.saturating_sub(path.min_rtt))));
        // Turns of more than half a segment.
        let cwnd = segments(path.cc.decision().cwnd);
        high = f64::max(high, cwnd);
        low = f64::min(low, cwnd);
        if (is_up && cwnd < high - 0.5) || (!is_up && cwnd > low + 0.5) {
            turns += 1;
            is_up = !is_up;
            (high, low) = (cwnd, cwnd);
        }
    }
    (queue, turns)
}

#[test]
fn the_queue_swings_between_empty_and_2_5_over_delta_in_five_round_trips() {
    for (spec, delta) in [("copa", 0.5), ("copa(delta=0.1)", 0.1), ("copa(delta=0.04)", 0.04)] {
        let (queue, turns) = equilibrium(spec);
        #[expect(clippy::cast_precision_loss, reason = "a few thousand ACKs")]
        let mean = queue.iter().sum::<f64>() / queue.len() as f64;
        let highest = queue.iter().copied().fold(0.0, f64::max);
        // To a packet: with packets instead of a fluid one is always being sent. Means are 3.5,
        // 13.5 and 31.7.
        assert!((1.25 / delta..1.25 / delta + 1.1).contains(&mean), "{spec}: a mean of {mean}");
        assert!((highest - 2.5 / delta).abs() <= 2.0, "{spec}: up to {highest}");
        assert!(queue.iter().copied().fold(f64::MAX, f64::min) <= 1.0, "{spec}: never empty");
        // A round trip is 60 ms and the mean queue; two turns per period. 4.0, 4.7 and 4.8: the
        // fewer packets the queue is, the sooner the next whole one is seen.
        let period_rtts = 2.0 * 10.0 / f64::from(turns) / (0.06 + mean * 0.000_08);
        assert!((3.9..5.2).contains(&period_rtts), "{spec}: a period of {period_rtts} round trips");
    }
}
