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

/// Length of the next phase with a gain above 1, smallest RTTs.
fn probe_length(path: &mut Path) -> f64 {
    path.until(|p| gain(p) <= 1.0);
    path.until(|p| gain(p) > 1.0);
    let began = path.now;
    path.until(|p| gain(p) <= 1.0);
    path.now.since(began).as_secs_f64() / path.internal("min_rtt")
}

#[test]
fn the_name_is_these_options() {
    let options = "probe_gain=1.2,drain_gain=0.8,cwnd_gain=1,drain_to_target=true,\
                   early_probe_exit=true,carry_over_bw=true,max_stable_duration=400,\
                   cumulative_shrink=true";
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
    // A queue of a whole bandwidth-delay product, as another flow would leave it: its own share of
    // it takes longer to drain than a smallest RTT.
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
    // 5 ms: forty rounds in 200 ms. Afterwards the path is slower, so that the first sample is
    // lower than the old estimate.
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

/// Length of the phases at gain 1 together, on a path of 240 ms, s.
fn stable_length(spec: &str) -> f64 {
    let mut path = path(spec, Duration::from_millis(240));
    path.until(|p| gain(p) > 1.0);
    path.until(|p| gain(p) < 1.0);
    path.until(|p| gain(p) >= 1.0);
    let began = path.now;
    path.until(|p| gain(p) > 1.0);
    path.now.since(began).as_secs_f64()
}

/// The paper looks at `MaxStableDuration` "when judging whether to enter the next stable phase":
/// where a phase of 241 ms ends.
#[test]
fn max_stable_duration_is_looked_at_where_a_phase_ends() {
    assert_within(stable_length("bbr"), 6.0 * 0.241, 0.02);
    assert_within(stable_length("bbr(max_stable_duration=400)"), 2.0 * 0.241, 0.02);
    assert_within(stable_length("bbr(max_stable_duration=200)"), 0.241, 0.02);
    assert_within(stable_length("bbr(max_stable_duration=5000)"), 6.0 * 0.241, 0.02);
}

#[test]
fn looked_at_by_each_ack_it_cuts_a_phase_short() {
    assert_within(stable_length("bbr(max_stable_duration=400,max_stable_at=ack)"), 0.400, 0.02);
    assert_within(stable_length("bbr(max_stable_duration=100,max_stable_at=ack)"), 0.100, 0.05);
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
    // Gains of 1, so that the delay is the same in all round trips: 30 ms at 10 Mbit/s are 37.5
    // segments, of which each round trip takes a thirtieth.
    let mut path = behind_a_queue(
        "bbr(cumulative_shrink=true,stability=deviation,probe_gain=1,drain_gain=1)",
        30,
    );
    path.run(Duration::from_secs(1));
    let (from, began) = (path.internal("shrink"), path.now);
    let delay = 0.030;
    path.run(Duration::from_millis(900));
    let round_trips = path.now.since(began).as_secs_f64() / path.last_rtt.as_secs_f64();
    let per_round_trip = (path.internal("shrink") - from) / round_trips;
    // 15 %: the delay counts from the smallest RTT, and the queue of its own falls while the window
    // does.
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
        let spec = format!(
            "bbr(cumulative_shrink=true,stability=deviation,give_back={give_back},probe_gain=1,\
             drain_gain=1)"
        );
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

/// The shrink of a path whose queue has been deep for a while, and what it is after `PROBE_RTT`.
fn across_probe_rtt(options: &str) -> (f64, f64) {
    let mut path =
        behind_a_queue(&format!("bbr(cumulative_shrink=true,delay_lower_bound=20{options})"), 30);
    path.until(|p| (p.internal("mode") - PROBE_RTT).abs() < 0.5);
    let before = path.internal("shrink");
    assert!(before > as_float(10 * MSS), "{before}");
    path.until(|p| (p.internal("mode") - PROBE_BW).abs() < 0.5);
    (before, path.internal("shrink"))
}

/// The paper: "when BBR leaves DRAIN or is in `PROBE_RTT`" the window is not adjusted. So it is
/// neither shrunk further nor given back.
#[test]
fn probe_rtt_leaves_the_shrink_alone() {
    let (before, after) = across_probe_rtt("");
    assert_within(after, before, 1e-9);
    // Not even where all would be given back at once: the RTT is 60 ms there.
    let (before, after) = across_probe_rtt(",give_back=0");
    assert_within(after, before, 1e-9);
}

#[test]
fn probe_rtt_gives_the_shrink_back_if_asked() {
    let mut path = behind_a_queue("bbr(cumulative_shrink=true,reset_shrink=true)", 30);
    path.until(|p| (p.internal("mode") - PROBE_RTT).abs() < 0.5);
    assert_within(path.internal("shrink") + 1.0, 1.0, 1e-9);
}

/// Gains of 1 and a delay that stays: it grows until `PROBE_RTT`, or until a second before if
/// asked.
#[test]
fn the_shrink_stops_ahead_of_probe_rtt_if_asked() {
    for (near, grows) in [("0", true), ("1000", false)] {
        let mut path = behind_a_queue(
            &format!("bbr(cumulative_shrink=true,cwnd_pace=1000,near_probe_rtt={near})"),
            30,
        );
        path.until(|p| p.now.as_secs_f64() > 9.2);
        let before = path.internal("shrink");
        path.run(Duration::from_millis(500));
        assert_eq!(path.internal("shrink") > before * 1.001, grows, "{near}");
    }
}

#[test]
fn drain_adds_nothing_to_the_shrink() {
    // The queue of STARTUP is a whole bandwidth-delay product.
    let mut path = Path::new("bbr(cumulative_shrink=true)", Rate::from_bps(10_000_000), RTT, 1);
    path.until(|p| (p.internal("mode") - PROBE_BW).abs() < 0.5);
    assert!(path.last_rtt > RTT + Duration::from_millis(10), "{:?}", path.last_rtt);
    assert_within(path.internal("shrink") + 1.0, 1.0, 1e-9);
}

/// Whether the shrink still changes on a path whose RTT goes to and fro between 60 ms and
/// `longer_ms`, 100 ms each.
fn is_stable(stability: &str, longer_ms: u64) -> bool {
    let mut restless = path(&format!("bbr(cumulative_shrink=true,stability={stability})"), RTT);
    for turn in 0..20 {
        restless.rtt = Duration::from_millis(if turn % 2 == 0 { longer_ms } else { 60 });
        restless.run(Duration::from_millis(100));
    }
    let before = restless.internal("shrink");
    restless.rtt = Duration::from_millis(longer_ms);
    restless.run(Duration::from_millis(200));
    restless.internal("shrink") > before + 1.0
}

/// 60 and 76 ms: a standard deviation of 8 ms, 12 % of the mean; a variance of 64 ms^2, 0.9 ms of
/// the mean. 60 and 160 ms: 50 ms, 45 %; 2500 ms^2, 23 ms.
#[test]
fn a_restless_rtt_stops_it_by_what_is_asked_of_it() {
    assert!(!is_stable("variance", 76));
    assert!(!is_stable("variance", 160));
    assert!(is_stable("deviation", 76));
    assert!(!is_stable("deviation", 160));
    // In seconds the variance is 0.02 of the mean even then.
    assert!(is_stable("variance-s", 160));
}

/// Nothing that is printed makes the shrink smaller.
#[test]
fn by_default_it_is_never_given_back() {
    let mut path = behind_a_queue("bbr-lowlat(stability=deviation)", 30);
    path.run(Duration::from_secs(2));
    let before = path.internal("shrink");
    assert!(before > as_float(MSS));
    path.rtt = RTT;
    path.run(Duration::from_secs(3));
    assert!(path.internal("shrink") >= before);
}
