//! Does BBR send as much as is delivered in recovery's first round, and give the window back
//! afterwards, after a timeout, and after a mistake?

use ackclock_cc::{Duration, Rate};

use crate::bottleneck::Path;
use crate::driver::{MSS, assert_within};

fn settled() -> Path {
    let mut path = Path::new("bbr", Rate::from_bps(10_000_000), Duration::from_millis(60), 3);
    path.run(Duration::from_secs(3));
    path
}

#[test]
fn packets_are_conserved_for_a_round_and_the_window_restored() {
    let mut path = settled();
    let before = path.cc.decision().cwnd;
    path.drop_every = Some(200);
    path.until(|p| p.in_recovery);
    path.drop_every = None;
    // What is out and the segment just acknowledged, no more: the window was not in use.
    assert_eq!(path.cc.decision().cwnd, path.inflight() + MSS);
    assert!(path.cc.decision().cwnd < before * 3 / 4);
    let out = path.inflight();
    path.run(Duration::from_millis(30));
    assert!(path.inflight() <= out);
    path.until(|p| !p.in_recovery);
    assert!(path.cc.decision().cwnd.abs_diff(before) <= 2 * MSS, "the gain cycle adds two");
}

#[test]
fn a_timeout_begins_with_one_segment_and_ends_with_the_old_window() {
    let mut path = settled();
    let before = path.cc.decision().cwnd;
    path.time_out();
    assert_eq!(path.cc.decision().cwnd, MSS);
    path.until(|_| true);
    assert_eq!(path.cc.decision().cwnd, 4 * MSS, "the least that keeps delayed ACKs coming");
    path.until(|p| !p.in_recovery);
    assert!(path.cc.decision().cwnd.abs_diff(before) <= 2 * MSS);
}

#[test]
fn it_keeps_the_estimate_through_it() {
    let mut path = settled();
    let bw = path.internal("bw");
    path.time_out();
    path.run(Duration::from_millis(500));
    assert_within(path.internal("bw"), bw, 0.02);
}

#[test]
fn a_mistake_gives_the_window_back_at_the_next_ack() {
    let mut path = settled();
    let before = path.cc.decision().cwnd;
    path.time_out();
    path.cc.on_spurious(path.now);
    path.in_recovery = false;
    path.until(|_| true);
    assert!(path.cc.decision().cwnd.abs_diff(before) <= 2 * MSS);
}
