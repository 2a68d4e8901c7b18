//! Does BBR empty the pipe every ten seconds, for 200 ms or a round with four segments out, and no
//! longer than needed?

use ackclock_cc::{Duration, Rate, Time};

use crate::bottleneck::Path;
use crate::driver::{MSS, as_float, assert_within};

const PROBE_RTT: f64 = 3.0;

fn path(rtt_ms: u64) -> Path {
    Path::new("bbr", Rate::from_bps(10_000_000), Duration::from_millis(rtt_ms), 1)
}

fn is_probing_rtt(path: &Path) -> bool {
    (path.internal("mode") - PROBE_RTT).abs() < 0.5
}

/// Beginning, when four segments were out, and end of the next dip.
fn dip(path: &mut Path) -> (Time, Time, Time) {
    path.until(is_probing_rtt);
    let began = path.now;
    path.until(|p| p.inflight() <= 4 * MSS);
    let low = path.now;
    path.until(|p| !is_probing_rtt(p));
    (began, low, path.now)
}

#[test]
fn every_ten_seconds_for_200_ms_at_four_segments() {
    let mut path = path(60);
    let (first, low, end) = dip(&mut path);
    // The smallest RTT is the handshake's, which ends as the first segment leaves.
    assert_within(first.as_secs_f64(), 10.0, 0.001);
    // 200 ms, and one more ACK of four segments per 61 ms.
    assert!(
        (0.200..0.262).contains(&end.since(low).as_secs_f64()),
        "{}",
        end.since(low).as_secs_f64()
    );
    // It waits from the end of the dip; every probe that meets no queue may put it off.
    let (second, ..) = dip(&mut path);
    let pause = second.since(end).as_secs_f64();
    assert!((10.0..10.6).contains(&pause), "{pause}");
}

#[test]
fn for_a_round_where_that_takes_longer() {
    let mut path = path(400);
    let (_, low, end) = dip(&mut path);
    assert!(
        (0.400..0.850).contains(&end.since(low).as_secs_f64()),
        "{}",
        end.since(low).as_secs_f64()
    );
}

#[test]
fn the_window_is_four_segments_and_comes_back() {
    let mut path = path(60);
    path.until(is_probing_rtt);
    assert_eq!(path.cc.decision().cwnd, 4 * MSS);
    let bw = path.internal("bw");
    path.until(|p| !is_probing_rtt(p));
    assert!(as_float(path.cc.decision().cwnd / MSS) > 2.0 * path.bdp());
    path.run(Duration::from_millis(300));
    assert_within(path.internal("bw"), bw, 0.01);
}

#[test]
fn it_sees_a_longer_path_there_and_a_shorter_one_at_once() {
    let mut path = path(60);
    path.run(Duration::from_secs(5));
    path.rtt = Duration::from_millis(90);
    path.run(Duration::from_secs(4));
    assert_within(path.internal("min_rtt"), 0.060, 0.001);
    path.until(is_probing_rtt);
    path.until(|p| !is_probing_rtt(p));
    assert_within(path.internal("min_rtt"), 0.0908, 0.001);
    path.rtt = Duration::from_millis(30);
    path.run(Duration::from_secs(1));
    assert!(path.internal("min_rtt") < 0.06);
}

#[test]
fn an_application_that_pauses_spares_it_the_dip() {
    let mut path = path(60);
    path.run(Duration::from_secs(9));
    for _ in 0..20 {
        path.pause(Duration::from_secs(1));
        let end = path.now + Duration::from_millis(100);
        while path.now < end {
            path.step();
            assert!(!is_probing_rtt(&path), "at {:?}", path.now);
        }
    }
}

#[test]
fn a_dip_that_was_due_to_end_ends_when_data_comes_again() {
    let mut path = path(60);
    path.until(is_probing_rtt);
    path.until(|p| p.inflight() <= 4 * MSS);
    path.pause(Duration::from_secs(1));
    path.step();
    assert!(!is_probing_rtt(&path));
    assert!(path.cc.decision().cwnd > 50 * MSS);
}

#[test]
fn startup_goes_on_after_it() {
    // So slow a path and so little data that the pipe is never full.
    let mut path = Path::new("bbr", Rate::from_bps(1_000_000_000), Duration::from_millis(100), 1);
    while !is_probing_rtt(&path) {
        path.pause(Duration::from_millis(95));
        path.run(Duration::from_millis(5));
        path.rtt = Duration::from_millis(110);
    }
    path.until(|p| !is_probing_rtt(p));
    assert!(path.internal("mode") < 0.5);
}
