//! Does Compound's delay window grow by alpha win^k on an empty path, give way by the backlog, and
//! share a loss?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, as_float, assert_within};

const BASE: Duration = Duration::from_millis(100);

fn in_avoidance(spec: &str, window: u64) -> Driver {
    let mut driver = Driver::in_avoidance(spec, window, BASE);
    driver.round_trip();
    driver
}

fn dwnd(driver: &Driver) -> f64 {
    driver.internal("dwnd").unwrap()
}

#[test]
fn an_empty_path_gives_an_eighth_of_win_to_three_quarters() {
    for window in [100_u64, 1000, 10_000] {
        let mut driver = in_avoidance("compound", window);
        let (before, delay_before) = (driver.cwnd(), dwnd(&driver));
        driver.round_trip();
        let growth = 0.125 * libm::pow(before, 0.75);
        // 3 %: it compounds within the round.
        assert_within(driver.cwnd() - before, growth, 0.03);
        // One of these is Reno's.
        assert_within(dwnd(&driver) - delay_before, growth - 1.0, 0.03);
    }
}

#[test]
fn below_38_segments_it_is_reno() {
    let mut driver = in_avoidance("compound", 30);
    let before = driver.cwnd();
    driver.round_trip();
    assert_within(driver.cwnd() - before, 1.0, 0.05);
    assert!(dwnd(&driver).abs() < 1e-9);
}

/// With a delay window of several hundred segments.
fn with_delay_window() -> Driver {
    let mut driver = in_avoidance("compound", 1000);
    for _ in 0..20 {
        driver.round_trip();
    }
    assert!(dwnd(&driver) > 400.0);
    driver
}

#[test]
fn a_backlog_of_gamma_makes_it_give_way_by_the_backlog() {
    for (backlog, gives_way) in [(20.0, false), (100.0, true)] {
        let mut driver = with_delay_window();
        driver.rtt = Duration::from_secs_f64(0.1 / (1.0 - backlog / driver.cwnd()));
        driver.round_trip();
        let (before, delay_before) = (driver.cwnd(), dwnd(&driver));
        driver.judge();
        let expected = if gives_way { backlog * before / (before - 23.0) } else { 0.0 };
        assert!(
            (delay_before - dwnd(&driver) - expected).abs() < 1.5,
            "{backlog}: {}",
            delay_before - dwnd(&driver)
        );
        assert!((before - driver.cwnd() - expected).abs() < 1.5);
        if gives_way {
            // Until the queue is gone only Reno's part grows.
            let before = driver.cwnd();
            driver.rtt = BASE;
            driver.round_trip();
            assert!(driver.cwnd() - before < 1.1);
        }
    }
}

#[test]
fn a_long_queue_leaves_renos_window() {
    let mut driver = with_delay_window();
    let reno = driver.cwnd() - dwnd(&driver);
    driver.rtt = BASE * 4;
    for _ in 0..4 {
        driver.round_trip();
    }
    assert!(dwnd(&driver).abs() < 1e-9);
    assert!((driver.cwnd() - reno).abs() < 12.0, "{} for {reno}", driver.cwnd());
}

#[test]
fn a_loss_halves_the_whole_and_renos_part() {
    let mut driver = with_delay_window();
    let (before, delay_before) = (driver.cwnd(), dwnd(&driver));
    driver.congestion(Signal::Loss);
    assert_within(driver.cwnd(), before / 2.0, 1e-3);
    assert_within(driver.cwnd() - dwnd(&driver), (before - delay_before) / 2.0, 1e-3);
    driver.congestion(Signal::Rto);
    while driver.internal("slow_start") == Some(1.0) {
        driver.round_trip();
    }
    assert!(dwnd(&driver) < 20.0, "no more than it has grown since");
}

#[test]
fn a_timeout_forgets_the_smallest_rtt() {
    for (signal, grows) in [(Signal::Rto, true), (Signal::Loss, false)] {
        let mut driver = with_delay_window();
        driver.congestion(signal);
        driver.rtt = BASE * 2;
        while driver.internal("slow_start") == Some(1.0) {
            driver.round_trip();
        }
        for _ in 0..5 {
            driver.round_trip();
        }
        assert_eq!(dwnd(&driver) > 20.0, grows, "{signal:?}: {}", dwnd(&driver));
    }
}

#[test]
fn gamma_goes_to_three_quarters_of_renos_own_backlog() {
    // 50 segments of Reno's 1000, no delay window: 0.2 x 30 + 0.8 x 37.5, no more than 30; 10
    // segments: 0.2 x 30 + 0.8 x 7.5.
    for (backlog, gamma) in [(50.0, 30.0), (10.0, 12.0), (1.0, 6.6)] {
        let mut driver = in_avoidance("compound(low_window=1e6)", 1000);
        driver.rtt = Duration::from_secs_f64(0.1 / (1.0 - backlog / 1000.0));
        driver.round_trip();
        driver.judge();
        driver.congestion(Signal::Loss);
        assert_within(driver.internal("gamma").unwrap(), gamma, 0.01);
    }
}

#[test]
fn its_mean_window_is_the_papers() {
    // dW/dt = alpha W^k from W/2 to W: 1/p = W^(2-k) (1 - 2^(k-2)) / (alpha (2 - k)), in W^(1-k) (1
    // - 2^(k-1)) / (alpha (1 - k)) round trips.
    for every in [1_000_u64, 10_000, 100_000] {
        let (alpha, k) = (0.125, 0.75);
        let peak = libm::pow(
            as_float(every) * alpha * (2.0 - k) / (1.0 - libm::pow(2.0, k - 2.0)),
            1.0 / (2.0 - k),
        );
        let rounds =
            libm::pow(peak, 1.0 - k) * (1.0 - libm::pow(2.0, k - 1.0)) / (alpha * (1.0 - k));
        let mut driver = Driver::at_ssthresh("compound", 50, BASE);
        driver.loss_every = Some(every);
        let mean = driver.mean_window(30, 10);
        let law = as_float(every) / rounds;
        assert_within(mean, law, 0.02);
    }
}
