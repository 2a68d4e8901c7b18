//! Does each of Huang, Zhu & Wang's changes do what it says, alone?

use ackclock_cc::{Duration, Rate};

use crate::bottleneck::Path;
use crate::driver::{MSS, as_float, assert_within};

const RTT: Duration = Duration::from_millis(60);
const PROBE_BW: f64 = 2.0;
const PROBE_RTT: f64 = 3.0;

fn path(spec: &str, rtt: Duration) -> Path {
    let mut path = Path::new(spec, Rate::from_bps(10_000_000), rtt, 1);
    path.until(|p| (p.internal("mode") - PROBE_BW).abs() < 0.5);
    path
}

fn gain(path: &Path) -> f64 {
    path.internal("pacing_gain")
}

/// How long the next phase of a gain above 1 lasts, in smallest RTTs.
fn probe_length(path: &mut Path) -> f64 {
    path.until(|p| gain(p) <= 1.0);
    path.until(|p| gain(p) > 1.0);
    let began = path.now;
    path.until(|p| gain(p) <= 1.0);
    path.now.since(began).as_secs_f64() / path.internal("min_rtt")
}

#[test]
fn the_name_is_these_options() {
    let options = "probe_gain=1.2,drain_gain=0.8,cwnd_gain=1,drain_to_target=true,early_probe_exit=true,carry_over_bw=true,\
                   max_stable_duration=400,cumulative_shrink=true";
    let mut named = Path::new("bbr-lowlat", Rate::from_bps(10_000_000), RTT, 5);
    let mut spelt = Path::new(&format!("bbr({options})"), Rate::from_bps(10_000_000), RTT, 5);
    for path in [&mut named, &mut spelt] {
        path.run(Duration::from_secs(15));
    }
    assert_eq!(named.cc.decision(), spelt.cc.decision());
    assert_eq!(named.delivered, spelt.delivered);
}

#[test]
fn gains_are_those_asked_for() {
    let mut path = path("bbr(probe_gain=1.5,drain_gain=0.5,cwnd_gain=3,high_gain=2)", RTT);
    path.until(|p| gain(p) > 1.0);
    assert_within(gain(&path), 1.5, 1e-9);
    path.until(|p| gain(p) < 1.0);
    assert_within(gain(&path), 0.5, 1e-9);
    // 3 times, and the hosts' share.
    assert_within(as_float(path.cc.decision().cwnd / MSS), 3.0 * path.bdp() + 7.0, 0.03);
    let startup = Path::new("bbr(high_gain=2)", Rate::from_bps(10_000_000), RTT, 1);
    assert_within(startup.internal("pacing_gain"), 2.0, 1e-9);
}

#[test]
fn drain_to_target_stays_until_the_queue_is_gone() {
    // A queue of a whole bandwidth-delay product, as another flow would leave it: its own share of it takes longer to drain
    // than a smallest RTT.
    for (spec, drained) in [("bbr", false), ("bbr(drain_to_target=true)", true)] {
        let mut path = path(spec, RTT);
        path.until(|p| gain(p) > 1.0);
        path.rate = Rate::from_bps(6_000_000);
        path.until(|p| gain(p) < 1.0);
        path.until(|p| gain(p) >= 1.0);
        let target = path.internal("bw") * path.internal("min_rtt") / 8.0 / as_float(MSS) + 8.0;
        let out = as_float(path.inflight() / MSS);
        assert_eq!(out <= target, drained, "{spec}: {out} out, target {target}");
    }
}

#[test]
fn early_probe_exit_does_not_wait_for_a_round_trip() {
    // With a queue of half a bandwidth-delay product more is out than a probe asks for.
    let mut linux = behind_a_queue("bbr", 30);
    let mut early = behind_a_queue("bbr(early_probe_exit=true)", 30);
    linux.run(Duration::from_secs(1));
    early.run(Duration::from_secs(1));
    assert!(probe_length(&mut linux) >= 1.0);
    assert!(probe_length(&mut early) < 0.1);
}

#[test]
fn a_window_too_small_for_the_probe_does_not_hold_it_forever() {
    let mut small = path("bbr(cwnd_gain=1)", RTT);
    assert_within(probe_length(&mut small), 1.02, 0.03);
}

#[test]
fn carry_over_keeps_the_estimate_through_many_rounds_of_probe_rtt() {
    // 5 ms: forty rounds in 200 ms. Afterwards the path is slower, so that the first sample is lower than the old estimate.
    for (spec, kept) in [("bbr", false), ("bbr(carry_over_bw=true)", true)] {
        let mut path = path(spec, Duration::from_millis(5));
        path.until(|p| (p.internal("mode") - PROBE_RTT).abs() < 0.5);
        let before = path.internal("bw");
        path.rate = Rate::from_bps(8_000_000);
        path.until(|p| (p.internal("mode") - PROBE_BW).abs() < 0.5);
        path.run(Duration::from_millis(30));
        let is_kept = (path.internal("bw") / before - 1.0).abs() < 0.01;
        assert_eq!(is_kept, kept, "{spec}: {} after {before}", path.internal("bw"));
    }
}

#[test]
fn max_stable_duration_makes_long_paths_probe_sooner() {
    let cycle = |spec: &str| {
        let mut path = path(spec, Duration::from_millis(240));
        path.until(|p| gain(p) > 1.0);
        path.until(|p| gain(p) < 1.0);
        path.until(|p| gain(p) >= 1.0);
        let began = path.now;
        path.until(|p| gain(p) > 1.0);
        path.now.since(began).as_secs_f64()
    };
    assert_within(cycle("bbr"), 6.0 * 0.241, 0.02);
    assert_within(cycle("bbr(max_stable_duration=400)"), 0.400, 0.02);
}

#[test]
fn probe_rtt_lasts_as_long_as_asked() {
    let mut path = path("bbr(probe_rtt_duration=500)", RTT);
    path.until(|p| (p.internal("mode") - PROBE_RTT).abs() < 0.5);
    path.until(|p| p.inflight() <= 4 * MSS);
    let low = path.now;
    path.until(|p| (p.internal("mode") - PROBE_BW).abs() < 0.5);
    assert!((0.5..0.562).contains(&path.now.since(low).as_secs_f64()));
}

/// A path whose RTT has become `extra_ms` longer, which looks like a queue that others hold.
fn behind_a_queue(spec: &str, extra_ms: u64) -> Path {
    let mut path = path(spec, RTT);
    path.run(Duration::from_secs(1));
    path.rtt = Duration::from_millis(60 + extra_ms);
    path
}

#[test]
fn the_shrink_takes_the_excess_out_over_its_round_trips() {
    // Gains of 1, so that the delay is the same in all round trips: 30 ms at 10 Mbit/s are 37.5 segments, of which each round
    // trip takes a thirtieth.
    let mut path = behind_a_queue("bbr(cumulative_shrink=true,probe_gain=1,drain_gain=1)", 30);
    path.run(Duration::from_secs(1));
    let (from, began) = (path.internal("shrink"), path.now);
    let delay = 0.030;
    path.run(Duration::from_millis(900));
    let round_trips = path.now.since(began).as_secs_f64() / path.last_rtt.as_secs_f64();
    let per_round_trip = (path.internal("shrink") - from) / round_trips;
    // 15 %: the delay counts from the smallest RTT, and the queue of its own falls while the window does.
    assert_within(per_round_trip, delay * path.internal("bw") / 8.0 / 30.0, 0.15);
    assert!(path.cc.decision().cwnd < 2 * 75 * MSS);
}

#[test]
fn delay_below_the_bound_is_left_alone() {
    let mut path = behind_a_queue("bbr(cumulative_shrink=true,delay_lower_bound=60)", 30);
    path.run(Duration::from_secs(2));
    assert_within(path.internal("shrink") + 1.0, 1.0, 1e-9);
}

#[test]
fn the_shrink_is_given_back_as_asked() {
    let kept = |give_back: &str| {
        let spec = format!("bbr(cumulative_shrink=true,give_back={give_back},probe_gain=1,drain_gain=1)");
        let mut path = behind_a_queue(&spec, 30);
        path.run(Duration::from_secs(2));
        let before = path.internal("shrink");
        assert!(before > as_float(10 * MSS));
        path.rtt = RTT;
        path.run(Duration::from_millis(100));
        path.run(Duration::from_millis(600));
        path.internal("shrink") / before
    };
    assert!(kept("0") < 1e-9);
    // Ten round trips, a thirtieth of the rest each.
    assert_within(kept("30"), libm::pow(29.0 / 30.0, 10.0), 0.05);
    assert!(kept("1000000") > 0.99);
}

#[test]
fn a_restless_rtt_and_a_probe_rtt_to_come_stop_it() {
    let mut path = behind_a_queue("bbr(cumulative_shrink=true)", 30);
    path.until(|p| p.now.as_secs_f64() > 9.2);
    let before = path.internal("shrink");
    path.run(Duration::from_millis(500));
    assert_within(path.internal("shrink"), before, 1e-9);
    path.until(|p| (p.internal("mode") - PROBE_RTT).abs() < 0.5);
    assert_within(path.internal("shrink") + 1.0, 1.0, 1e-9);

    // Between 60 and 160 ms: a standard deviation of 45 % of the mean.
    let mut restless = self::path("bbr(cumulative_shrink=true)", RTT);
    for turn in 0..20 {
        restless.rtt = Duration::from_millis(if turn % 2 == 0 { 160 } else { 60 });
        restless.run(Duration::from_millis(100));
    }
    let before = restless.internal("shrink");
    restless.rtt = Duration::from_millis(160);
    restless.run(Duration::from_millis(200));
    assert_within(restless.internal("shrink"), before, 0.05);
}
