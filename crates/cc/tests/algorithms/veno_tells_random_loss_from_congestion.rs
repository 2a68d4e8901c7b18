//! Does Veno give up a fifth while the path's queue is short and half where it is long?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, assert_within};

const BASE: Duration = Duration::from_millis(100);

/// A window of 100 segments of which so many wait in a queue.
fn queueing(spec: &str, backlog: u64) -> Driver {
    let mut driver = Driver::in_avoidance(spec, 100, BASE);
    driver.rtt = BASE * 100 / (100 - backlog);
    driver.round_trip();
    driver
}

#[test]
fn a_loss_takes_a_fifth_below_beta_and_half_from_it_on() {
    // 101 segments after the round trip, of which 1 % more wait.
    for (spec, backlog, left) in [
        ("veno", 0, 80.0),
        ("veno", 2, 80.0),
        ("veno", 4, 50.0),
        ("veno", 30, 50.0),
        ("veno(beta=20)", 10, 80.0),
        ("veno(beta=0)", 0, 50.0),
    ] {
        let mut driver = queueing(spec, backlog);
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd(), left, 0.011);
    }
}

#[test]
fn growth_is_halved_while_the_path_is_congested() {
    for (backlog, grown) in [(0, 20), (10, 10)] {
        let mut driver = queueing("veno", backlog);
        let before = driver.window();
        for _ in 0..20 {
            driver.round_trip();
        }
        let growth = driver.window() - before;
        assert!(growth == grown || growth + 1 == grown, "{growth} segments at {backlog}");
    }
}

#[test]
fn after_a_loss_the_paper_measures_the_base_anew_and_linux_does_not() {
    // A queue that never empties: 30 packets of others' before and after.
    for (spec, second) in [("veno", 0.8), ("veno(reset_base=false)", 0.5)] {
        let mut driver = queueing(spec, 30);
        driver.congestion(Signal::Loss);
        driver.round_trip();
        let before = driver.cwnd();
        driver.congestion(Signal::Loss);
        assert_within(driver.cwnd() / before, second, 0.02);
    }
}
