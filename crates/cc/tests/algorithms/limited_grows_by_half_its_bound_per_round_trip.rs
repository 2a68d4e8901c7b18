//! Does Limited Slow-Start double up to `max_ssthresh` and grow by at most half of it per round
//! trip beyond?

use ackclock_cc::Duration;

use crate::driver::{Driver, MSS, as_float, setup};

const RTT: Duration = Duration::from_millis(100);

#[test]
fn it_doubles_up_to_max_ssthresh() {
    let mut driver = Driver::new("limited+reno", &setup(10, None), RTT);
    for expected in [20, 40, 80] {
        driver.round_trip();
        assert_eq!(driver.window(), expected);
    }
}

#[test]
fn an_ack_is_worth_one_kth_beyond() {
    // RFC 3742 section 2: K = cwnd / (max_ssthresh / 2), and cwnd grows by MSS / K.
    for (window, max_ssthresh, grown) in
        [(200, 100, 250), (400, 100, 125), (1000, 100, 50), (100, 100, 1000), (30, 20, 333)]
    {
        let mut driver = Driver::new(
            &format!("limited(max_ssthresh={max_ssthresh})+reno"),
            &setup(window, None),
            RTT,
        );
        driver.ack(MSS, RTT);
        assert_eq!(driver.cc.decision().cwnd, window * MSS + grown);
    }
}

#[test]
fn no_round_trip_brings_more_than_half_of_max_ssthresh() {
    for per_ack in [1, 2, 64] {
        let mut driver = Driver::new("limited+reno", &setup(101, None), RTT);
        driver.per_ack = per_ack;
        let mut rounds = 0;
        while driver.window() < 5000 {
            let before = driver.cwnd();
            driver.round_trip();
            let grown = driver.cwnd() - before;
            assert!((40.0..=50.0).contains(&grown), "{grown} from {before}");
            rounds += 1;
        }
        // (5000 - 100) / 50 round trips, and those lost because the window grows while it is
        // acknowledged: the sum of 25 / cwnd, 0.5 ln 50.
        let expected = (5000.0 - 100.0) / 50.0 + 0.5 * libm::log(50.0);
        assert!((as_float(rounds) - expected).abs() <= 2.0, "{rounds} for {expected}");
    }
}

#[test]
fn it_ends_at_ssthresh() {
    let mut driver = Driver::new("limited+reno", &setup(101, Some(170)), RTT);
    for _ in 0..2 {
        driver.round_trip();
    }
    assert_eq!(driver.internal("slow_start"), Some(0.0));
    assert_eq!(driver.window(), 170);
}
