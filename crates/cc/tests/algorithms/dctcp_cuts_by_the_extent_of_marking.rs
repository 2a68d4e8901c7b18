//! Is DCTCP's cut half of alpha, and alpha the average of the marked fraction (RFC 8257 section
//! 3.3)?

use ackclock_cc::{Duration, Signal};

use crate::driver::{Driver, MSS, assert_within};

const RTT: Duration = Duration::from_millis(1);

/// A round trip of 100 segments of which so many are marked.
fn round(driver: &mut Driver, marked: u64) {
    driver.begin_round(100 * MSS);
    driver.marked_ack(100 * MSS, marked * MSS, RTT);
}

fn driver(spec: &str) -> Driver {
    Driver::in_avoidance(spec, 100, RTT)
}

#[test]
fn alpha_moves_by_a_sixteenth_of_the_way() {
    let mut driver = driver("dctcp(alpha=0)");
    round(&mut driver, 40);
    // The round that ended before it had no marks.
    assert_eq!(driver.internal("alpha"), Some(0.0));
    round(&mut driver, 100);
    assert_within(driver.internal("alpha").unwrap(), 0.4 / 16.0, 1e-12);
    round(&mut driver, 0);
    assert_within(driver.internal("alpha").unwrap(), 0.025 + (1.0 - 0.025) / 16.0, 1e-12);
}

#[test]
fn without_marks_it_decays_from_one() {
    let mut driver = driver("dctcp");
    for _ in 0..=10 {
        round(&mut driver, 0);
    }
    // The first round to end is that of the single byte.
    assert_within(driver.internal("alpha").unwrap(), libm::pow(15.0 / 16.0, 11.0), 1e-12);
}

#[test]
fn a_mark_costs_half_of_alpha_and_a_loss_half_of_the_window() {
    let mut marked = driver("dctcp(alpha=0.2, g=0.0001)");
    marked.congestion(Signal::Ecn);
    assert_eq!(marked.cc.decision().cwnd, 90 * MSS);
    for signal in [Signal::Loss, Signal::Rto] {
        let mut lost = driver("dctcp(alpha=0.2)");
        lost.congestion(signal);
        assert_eq!(lost.ssthresh(), Some(50.0));
    }
}

#[test]
fn between_cuts_it_is_reno() {
    let (mut dctcp, mut reno) = (driver("dctcp"), driver("reno"));
    for _ in 0..20 {
        dctcp.round_trip();
        reno.round_trip();
    }
    assert_eq!(dctcp.cc.decision(), reno.cc.decision());
}
