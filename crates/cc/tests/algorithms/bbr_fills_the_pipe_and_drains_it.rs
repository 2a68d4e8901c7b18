//! Does BBR's STARTUP double its rate per round trip, end after three rounds without a quarter
//! more, and does DRAIN take its queue away?

use ackclock_cc::{Duration, Rate};

use crate::bottleneck::Path;
use crate::driver::{MSS, as_float, assert_within};

const STARTUP: f64 = 0.0;
const DRAIN: f64 = 1.0;
const PROBE_BW: f64 = 2.0;
/// 2885/1000 and 1000/2885 in Linux's 256ths, and its margin.
const HIGH_GAIN: f64 = 739.0 / 256.0;
const DRAIN_GAIN: f64 = 88.0 / 256.0;
const MARGIN: f64 = 0.99;

fn path(rate_mbps: u64) -> Path {
    Path::new("bbr", Rate::from_bps(rate_mbps * 1_000_000), Duration::from_millis(60), 1)
}

fn mode(path: &Path) -> f64 {
    path.internal("mode")
}

#[expect(clippy::cast_precision_loss, reason = "rates of a test are far below 2^53")]
fn pacing_rate(path: &Path) -> f64 {
    path.cc.decision().pacing_rate.expect("it always paces").as_bps() as f64
}

#[test]
fn before_an_rtt_it_paces_as_if_that_were_a_millisecond() {
    // Ten segments of 1000 bytes per ms.
    assert_within(pacing_rate(&path(10)), 80e6 * HIGH_GAIN * MARGIN, 1e-6);
}

#[test]
fn startup_doubles_the_window_each_round_trip() {
    let mut path = path(1_000);
    path.run(Duration::from_millis(180));
    for _ in 0..5 {
        let before = path.cc.decision().cwnd;
        path.run(Duration::from_millis(60));
        let ratio = as_float(path.cc.decision().cwnd) / as_float(before);
        // The pacing gain is just enough for that; the first rounds are stretched by the time that
        // a window takes to leave.
        assert!((1.7..2.05).contains(&ratio), "{ratio}");
    }
    assert!(mode(&path) < DRAIN);
}

#[test]
fn startup_paces_at_its_gain_times_the_estimate() {
    let mut path = path(100);
    path.until(|p| p.internal("bw") > 50e6);
    assert!((mode(&path) - STARTUP).abs() < 0.5);
    assert_within(pacing_rate(&path), path.internal("bw") * HIGH_GAIN * MARGIN, 1e-6);
}

#[test]
fn the_pipe_is_full_after_three_rounds_without_a_quarter_more() {
    let mut path = path(10);
    // The queue builds up meanwhile, so that a round takes the RTT that the segments of its
    // beginning see.
    path.until(|p| p.internal("bw") > 0.99 * 10e6);
    let mut rounds = 0;
    let mut expected = path.delivered + path.inflight();
    while mode(&path) < DRAIN {
        path.step();
        if path.delivered > expected {
            rounds += 1;
            expected = path.delivered + path.inflight();
        }
    }
    // The round in which the estimate got there counts as growth, and is not over when this begins.
    assert!((3..=4).contains(&rounds), "{rounds} rounds at the full rate");
    assert_within(path.internal("pacing_gain"), DRAIN_GAIN, 1e-9);
}

#[test]
fn what_the_application_limits_is_no_full_pipe() {
    let mut path = path(100);
    for _ in 0..60 {
        path.run(Duration::from_millis(1));
        path.pause(Duration::from_millis(120));
    }
    assert!(mode(&path) < DRAIN, "twenty rounds at a low rate that the application chose");
}

#[test]
fn drain_lasts_until_one_bandwidth_delay_product_is_out() {
    let mut path = path(10);
    path.until(|p| (mode(p) - DRAIN).abs() < 0.5);
    // 2 + 1.887: what STARTUP's window gain holds less what the bandwidth-delay product is.
    assert!(as_float(path.inflight() / MSS) > 2.5 * path.bdp());
    let began = path.now;
    path.until(|p| (mode(p) - PROBE_BW).abs() < 0.5);
    // With three bursts of two segments for the hosts, rounded up to an even number.
    let inflight = as_float(path.inflight() / MSS);
    assert!((path.bdp()..=path.bdp() + 9.0).contains(&inflight), "{inflight} of {}", path.bdp());
    // What is above leaves at 1 - 0.34 of the rate.
    let excess = 1.887 * path.bdp() * 1000.0 * 8.0 / 10e6;
    assert_within(path.now.since(began).as_secs_f64(), excess / (1.0 - DRAIN_GAIN), 0.1);
}
