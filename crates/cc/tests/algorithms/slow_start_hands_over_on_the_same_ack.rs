//! Does the ACK that ends slow start grow the window as avoidance does?

use ackclock_cc::{CaState, Duration, RttSample, Signal, Time};

use crate::driver::{Driver, MSS, assert_within, setup};

const RTT: Duration = Duration::from_millis(100);

#[test]
fn near_two_segments_cos_is_reno_ack_by_ack() {
    let mut cos = Driver::new("cos+reno", &setup(1, Some(2)), RTT);
    let mut reno = Driver::new("reno", &setup(1, Some(2)), RTT);
    for ack in 0..2000 {
        cos.ack(MSS, RTT);
        reno.ack(MSS, RTT);
        assert_eq!(cos.cc.decision(), reno.cc.decision(), "after {ack} ACKs");
    }
    assert!(cos.cwnd() > 60.0);
}

#[test]
fn after_a_timeout_the_first_ack_leaves_cos_with_two_two_and_three_segments() {
    for (ssthresh, cwnd) in [(2, 2.0), (3, 2.0), (4, 3.0)] {
        let mut driver = Driver::new("cos+reno", &setup(2 * ssthresh, None), RTT);
        driver.congestion(Signal::Rto);
        assert_eq!((driver.cwnd(), driver.window()), (1.0, 1));
        driver.ack(MSS, RTT);
        assert_within(driver.cwnd(), cwnd, 0.0);
        #[expect(clippy::cast_precision_loss, reason = "at most four segments")]
        let ssthresh = ssthresh as f64;
        assert_eq!(driver.ssthresh(), Some(ssthresh), "sigma does not lower it");
    }
}

#[test]
fn cos_avoids_from_the_ack_that_finds_it_near_ssthresh() {
    // Rule (2) of the paper: with ssthresh - cwnd <= sigma an ACK gives cwnd + 1/cwnd.
    let mut driver = Driver::new("cos+reno", &setup(30, Some(32)), RTT);
    for _ in 0..30 {
        driver.ack(MSS, RTT);
    }
    assert_within(driver.cwnd(), 31.0, 0.001);
}

#[test]
fn doubling_stops_at_ssthresh_and_the_rest_of_the_ack_is_avoidance_s() {
    for start in ["classic", "hystart", "limited", "search"] {
        let mut driver = Driver::new(&format!("{start}+aimd"), &setup(8, Some(10)), RTT);
        // Two of the ACK's six segments bring cwnd to ssthresh, four are 4/10 of a segment.
        driver.ack(6 * MSS, RTT);
        assert_within(driver.cwnd(), 10.4, 1e-9);
        assert_eq!(driver.ssthresh(), Some(10.0));
    }
}

#[test]
fn an_ack_that_just_reaches_ssthresh_leaves_nothing() {
    let mut driver = Driver::new("classic+aimd", &setup(8, Some(10)), RTT);
    driver.ack(2 * MSS, RTT);
    assert_within(driver.cwnd(), 10.0, 0.0);
    driver.ack(MSS, RTT);
    assert_within(driver.cwnd(), 10.1, 1e-9);
}

/// A round trip whose first ACK finds the RTT doubled after eight samples; answers at which ACK the
/// window stopped doubling, and the window then.
fn hystart(spec: &str) -> (u32, Driver) {
    let mut driver = Driver::new(spec, &setup(64, None), RTT);
    driver.begin_round(64 * MSS);
    driver.ack(MSS, RTT);
    driver.begin_round(65 * MSS);
    for ack in 1..20 {
        driver.ack(MSS, RTT * 2);
        if driver.ssthresh().is_some() {
            return (ack, driver);
        }
    }
    panic!("{spec} goes on");
}

#[test]
fn the_ack_at_which_hystart_finds_the_end_grows_as_avoidance() {
    // The ninth sample decides, at 64 + 1 + 8 segments.
    let (ack, driver) = hystart("hystart(ack_train=false)+aimd");
    assert_eq!((ack, driver.ssthresh()), (9, Some(73.0)));
    assert_within(driver.cwnd(), 73.0 + 1.0 / 73.0, 1e-5);
}

#[test]
fn cubic_s_epoch_begins_with_that_ack() {
    let (_, driver) = hystart("hystart(ack_train=false)+cubic");
    assert!(driver.internal("k").is_some());
}

#[test]
fn hystart_looks_at_acks_of_a_window_that_is_not_used() {
    let mut driver = Driver::new("hystart(ack_train=false)+reno", &setup(64, None), RTT);
    driver.is_cwnd_limited = false;
    driver.begin_round(64 * MSS);
    driver.ack(MSS, RTT);
    driver.begin_round(64 * MSS);
    for _ in 0..9 {
        driver.ack(MSS, RTT * 2);
    }
    assert_eq!((driver.cwnd(), driver.ssthresh()), (64.0, Some(64.0)));
}

/// In recovery too: ssthresh, to which the reduction leads, becomes the window that the sender has
/// come to.
#[test]
fn hystart_looks_at_the_window_in_force() {
    let mut driver = Driver::new("cubic", &setup(100, None), RTT);
    driver.begin_round(100 * MSS);
    driver.ack(MSS, RTT);
    driver.congestion(Signal::Loss);
    assert_eq!(driver.ssthresh(), Some(70.0));
    let mut sample = RttSample {
        now: Time::ZERO + Duration::from_secs(1),
        rtt: RTT * 2,
        srtt: RTT,
        cwnd: 40 * MSS,
        una: 1_000_000,
        next: 2_000_000,
        recovery_point: 0,
        acked: MSS,
        delivered: 1_000_000,
        newly_delivered: MSS,
        newly_marked: 0,
        state: CaState::Recovery,
        timestamps: None,
    };
    let ends: Vec<bool> = (0..9)
        .map(|_| {
            sample.now += RTT;
            driver.cc.on_rtt(&sample)
        })
        .collect();
    assert_eq!(ends, [[false; 8].as_slice(), &[true]].concat());
    assert_eq!((driver.cwnd(), driver.ssthresh()), (40.0, Some(40.0)));
}

#[test]
fn hystartpp_s_last_ack_is_avoidance_s() {
    let mut driver = Driver::new("hystartpp+aimd", &setup(100, None), RTT);
    let mut before = driver.cwnd();
    for round in 0.. {
        assert!(round < 40, "goes on for ever");
        driver.begin_round(driver.window() * MSS);
        let rtt = RTT * if round == 0 { 1 } else { 2 };
        for _ in 0..20 {
            before = driver.cwnd();
            driver.ack(MSS, rtt);
            if driver.ssthresh().is_some() {
                break;
            }
        }
        if driver.ssthresh().is_some() {
            break;
        }
    }
    // RFC 9406 section 4.2: ssthresh is the cwnd; aimd counts whole segments.
    assert_eq!(driver.ssthresh(), Some(before));
    assert_within(driver.cwnd(), before + 1.0 / before.floor(), 1e-5);
}

#[test]
fn ledbatpp_s_last_ack_is_avoidance_s() {
    let mut driver = Driver::new("ledbatpp-start+aimd", &setup(20, None), RTT);
    driver.begin_round(20 * MSS);
    driver.ack(MSS, RTT);
    for _ in 0..50 {
        let before = driver.cwnd();
        driver.ack(MSS, RTT * 2);
        if driver.ssthresh().is_some() {
            assert_eq!(driver.ssthresh(), Some(before));
            assert_within(driver.cwnd(), before + 1.0 / before.floor(), 1e-4);
            return;
        }
    }
    panic!("goes on");
}
