//! Does BBR keep its largest rate sample for ten rounds, pass over what the application limited,
//! and allow for ACKs that come in lumps?

use ackclock_cc::{Duration, Rate};

use crate::bottleneck::Path;
use crate::driver::{MSS, as_float, assert_within, segments};

const RTT: Duration = Duration::from_millis(60);
const RATE: f64 = 10e6;

fn settled() -> Path {
    let mut path = Path::new("bbr", Rate::from_bps(10_000_000), RTT, 1);
    path.run(Duration::from_secs(2));
    path
}

#[test]
fn a_slower_path_is_believed_after_ten_rounds() {
    let mut path = settled();
    path.rate = Rate::from_bps(5_000_000);
    let began = path.now;
    path.until(|p| p.internal("bw") < 0.99 * RATE);
    // Rounds grow with the queue that sending at twice the rate builds, up to the window's two
    // products, which take four RTTs then.
    let lasted = path.now.since(began).as_secs_f64() / RTT.as_secs_f64();
    assert!((10.0..45.0).contains(&lasted), "{lasted}");
    path.run(Duration::from_secs(3));
    assert_within(path.internal("bw"), 0.5 * RATE, 0.02);
}

#[test]
fn an_application_with_little_to_send_leaves_the_estimate() {
    let mut path = settled();
    for _ in 0..100 {
        // Ten ms of sending, then nothing for longer than a round trip: twelve segments per 110 ms.
        path.run(Duration::from_millis(10));
        path.pause(Duration::from_millis(100));
    }
    assert_within(path.internal("bw"), RATE, 0.02);
}

#[test]
fn after_a_pause_it_sends_at_the_estimate_and_no_faster() {
    let mut path = settled();
    path.until(|p| p.internal("pacing_gain") > 1.2);
    path.pause(Duration::from_secs(1));
    path.step();
    let paced = path.cc.decision().pacing_rate.expect("it always paces");
    assert_within(as_float(paced.as_bps()), 0.99 * path.internal("bw"), 1e-6);
}

#[test]
fn lumps_of_acks_widen_the_window_by_what_they_bring() {
    let mut path = Path::new("bbr", Rate::from_bps(10_000_000), RTT, 1);
    path.lumps = Some(Duration::from_millis(50));
    path.run(Duration::from_secs(2));
    // 50 ms at 10 Mbit/s are 62 segments, and another 62 while the next 50 ms have not passed.
    let extra = path.internal("extra_acked") / as_float(MSS);
    assert!((50.0..125.0).contains(&extra), "{extra}");
    let before = path.delivered;
    path.run(Duration::from_secs(5));
    assert_within(as_float(path.delivered - before) * 8.0, 5.0 * RATE, 0.03);
}

#[test]
fn no_more_than_a_tenth_of_a_second_is_allowed_for() {
    let mut path = Path::new("bbr", Rate::from_bps(10_000_000), RTT, 1);
    path.lumps = Some(Duration::from_millis(400));
    path.run(Duration::from_secs(8));
    let product = path.internal("bw") / 8.0 * path.internal("min_rtt") / as_float(MSS);
    let tenth = path.internal("bw") / 8.0 * 0.1 / as_float(MSS);
    // And nine for the hosts and the probe.
    assert!(segments(path.cc.decision().cwnd) <= 2.0 * product + tenth + 11.0);
}
