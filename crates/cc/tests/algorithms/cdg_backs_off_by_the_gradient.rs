//! Does CDG back off as often as its gradient says, and how does it tell competition from a queue
//! of its own?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, assert_within};

const BASE: Duration = Duration::from_millis(50);

/// In avoidance with this window.
fn in_avoidance(options: &str, window: u64) -> Driver {
    Driver::in_avoidance(&format!("classic+cdg({options})"), window, BASE)
}

/// A round trip of three ACKs whose smallest and largest RTT are these, us.
fn round(driver: &mut Driver, smallest: u64, largest: u64) {
    driver.begin_round(3 * MSS);
    for rtt in [smallest, largest, smallest] {
        driver.now += Duration::from_millis(10);
        driver.ack(MSS, Duration::from_micros(rtt));
    }
}

/// Round trips whose delay rises by so many us each.
fn rising(driver: &mut Driver, rounds: u64, step: u64) {
    let from = 50_000;
    for number in 0..rounds {
        round(driver, from + number * step, from + 1000 + number * step);
    }
}

#[test]
fn a_steady_rise_backs_off_with_probability_1_minus_exp_of_g_over_3_ms() {
    for (step, probability) in [(1_000_u64, 0.2835), (3_000, 0.6321), (9_000, 0.9502)] {
        let mut driver = in_avoidance("ineffective=0, window=1", 1 << 40);
        let (mut judged, mut backed_off) = (0.0, 0.0);
        // A gradient takes two rounds; after a backoff, its own and the next.
        let mut blind = 2;
        for number in 0..4_000 {
            let before = driver.cwnd();
            round(&mut driver, 50_000 + number * step, 51_000 + number * step);
            if blind == 0 {
                judged += 1.0;
            } else {
                blind -= 1;
            }
            if driver.cwnd() < before {
                backed_off += 1.0;
                blind = 1;
                assert_within(driver.cwnd() / before, 0.7, 1e-4);
            }
            if driver.cwnd() < 1e5 {
                driver.cc = in_avoidance("ineffective=0, window=1", 1 << 40).cc;
                blind = 2;
            }
        }
        // Three standard deviations.
        let spread = 3.0 * libm::sqrt(probability * (1.0 - probability) / judged);
        assert!(
            (backed_off / judged - probability).abs() < spread,
            "{} of {judged} for {probability}",
            backed_off / judged
        );
    }
}

#[test]
fn delays_that_do_not_rise_never_back_off() {
    let mut driver = in_avoidance("", 100);
    for number in 0..500 {
        let before = driver.cwnd();
        round(&mut driver, 80_000 - 10 * number, 90_000 - 10 * number);
        assert!(driver.cwnd() > before);
    }
}

#[test]
fn growth_is_renos() {
    let mut driver = in_avoidance("", 100);
    let before = driver.cwnd();
    for _ in 0..10 {
        driver.round_trip();
    }
    assert_within(driver.cwnd() - before, 10.0, 0.02);
}

#[test]
fn after_five_backoffs_without_effect_it_backs_off_no_more_until_the_delay_falls() {
    let cuts = |driver: &mut Driver, rounds: u64| {
        let mut cuts = 0;
        for number in 0..rounds {
            let before = driver.cwnd();
            round(driver, 50_000 + number * 20_000, 51_000 + number * 20_000);
            cuts += u32::from(driver.cwnd() < before);
        }
        cuts
    };
    let mut driver = in_avoidance("", 10_000);
    assert_eq!(cuts(&mut driver, 100), 5);
    for number in 0..20 {
        round(&mut driver, 2_000_000 - number * 90_000, 2_000_000 - number * 90_000);
    }
    assert_eq!(driver.internal("backoffs"), Some(0.0));
    assert_eq!(cuts(&mut driver, 100), 5);
    assert!(cuts(&mut in_avoidance("ineffective=0", 10_000), 100) > 30);
}

#[test]
fn a_loss_leaves_half_or_what_a_loss_based_flow_would_have() {
    for (options, left) in [("shadow=false", 0.5), ("", 0.5 / 0.343)] {
        let mut driver = in_avoidance(
            &format!(
                "ineffective=3, g=0.001{}{options}",
                if options.is_empty() { "" } else { ", " }
            ),
            10_000,
        );
        rising(&mut driver, 30, 20_000);
        assert_within(driver.cwnd(), 3430.0, 0.02);
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        // The shadow window went on from 10 000 and is halved; it never raises the window.
        assert_within(driver.cwnd() / before, f64::min(left, 1.0), 0.02);
    }
    let mut driver = in_avoidance("ineffective=1, g=0.001", 10_000);
    rising(&mut driver, 30, 20_000);
    let before = driver.cwnd();
    driver.congestion(Signal::Loss);
    assert_within(driver.cwnd() / before, 0.5 / 0.7, 0.02);
}

#[test]
fn a_loss_while_it_backs_off_is_answered_already() {
    let mut driver = in_avoidance("g=0.001", 10_000);
    while driver.cwnd() > 9_000.0 {
        let number = (driver.now.since(ackclock_cc::Time::ZERO).as_secs_f64() * 100.0).round();
        let rtt = BASE + Duration::from_secs_f64(number * 1e-3);
        driver.begin_round(MSS);
        driver.now += Duration::from_millis(10);
        driver.ack(MSS, rtt);
    }
    let before = driver.cwnd();
    driver.congestion(Signal::Loss);
    assert_within(driver.cwnd(), before, 1e-9);
}

#[test]
fn with_tolerance_only_a_full_queue_makes_a_loss_congestion() {
    // The largest RTT still rises: not full. It no longer does, and the smallest follows: full.
    for (largest_step, tolerance, left) in [(100, true, 1.0), (0, true, 0.5), (100, false, 0.5)] {
        let mut driver = in_avoidance(&format!("tolerance={tolerance}, g=1000"), 10_000);
        for number in 0..20 {
            round(&mut driver, 50_000 + number * 100, 90_000 + number * largest_step);
        }
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd() / before, left, 1e-3);
    }
}
