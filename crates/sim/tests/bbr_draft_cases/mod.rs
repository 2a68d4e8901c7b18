//! The example test cases in draft-ietf-ccwg-bbr's appendix whose path or application changes in
//! mid-connection. The other cases are scenarios (`scenarios/bbr-draft/`,
//! `tests/theory/test_bbr_draft_cases.py`); `docs/algorithms/bbr3.md` has the table. Test names
//! begin with the case's number in the draft's order.

mod path;

use ackclock_sim::app::AppPlan;
use ackclock_units::{Duration, Rate, Time};

use path::{Lab, MSS, PAYLOAD, Policer, State, as_float, assert_within};

const MS: fn(u64) -> Duration = Duration::from_millis;
const LOSS_THRESH: f64 = 0.02;
const BETA: f64 = 0.7;

/// 20 Mbit/s, 100 ms, a buffer of 2 BDP.
fn bbr3(app: AppPlan) -> Lab {
    Lab::new("bbr3", 20.0, 100, 2.0, app)
}

fn bulk() -> AppPlan {
    AppPlan::Bulk {}
}

/// Writes of one segment, one in each `every`, for `seconds`.
fn trickle(every: Duration, seconds: u64) -> impl Iterator<Item = (Duration, u64)> {
    let count = Duration::from_secs(seconds).as_ps() / every.as_ps();
    (1..=count).map(move |number| (every * number, MSS))
}

/// `C.inflight`, segments.
fn inflight(lab: &Lab) -> f64 {
    as_float(lab.sender().inflight()) / as_float(MSS)
}

/// `Inflight(1.0)` in segments, for a path whose BDP is more than a few of them.
fn bdp(lab: &Lab) -> f64 {
    lab.get("bw").unwrap() / 8.0 * lab.get("min_rtt").unwrap() / as_float(MSS)
}

/// `BBR.inflight_longterm`, segments.
fn inflight_longterm(lab: &Lab) -> Option<f64> {
    lab.get("inflight_longterm").map(|bytes| bytes / as_float(MSS))
}

/// The rate of payload, bit/s, on a line of this rate in Mbit/s.
fn mbps(line_rate: f64) -> f64 {
    line_rate * 1e6 * PAYLOAD
}

fn left(lab: &mut Lab, state: State, seconds: u64) {
    lab.until(&format!("no longer {state:?}"), seconds, |lab| lab.state() != Some(state));
}

/// With the draft's 10 % less bandwidth the queue goes all the same: half the rate goes in, nine
/// tenths come out. It stays where the path loses half or more.
#[test]
fn c04_drain_ends_after_three_rounds_if_the_queue_stays() {
    let rounds_in_drain = |factor: f64| {
        let mut lab = bbr3(bulk());
        lab.until_enters(State::Drain, 5);
        let (round, rate) = (lab.get("round_count").unwrap(), lab.path().rate);
        lab.path().rate = rate.scale(factor);
        left(&mut lab, State::Drain, 10);
        (lab.get("round_count").unwrap() - round, inflight(&lab) / bdp(&lab))
    };
    let (rounds, filled) = rounds_in_drain(0.9);
    assert!(rounds <= 3.0 && filled <= 1.0, "{rounds} rounds, {filled} BDP");
    let (rounds, filled) = rounds_in_drain(0.45);
    // round_count > drain_start_round + 3
    assert!((rounds - 4.0).abs() < 0.5 && filled > 1.1, "{rounds} rounds, {filled} BDP");
}

/// Losses while the application limits the flow end the probe, but do not tell how much is too
/// much: the draft's `HandleInflightTooHigh` then leaves `inflight_longterm` as it is.
#[test]
fn c06_losses_end_a_probe_though_the_application_limits() {
    let mut limited =
        Lab::limited_at(bbr3, |lab| lab.until_enters(State::Up, 10), trickle(MS(2), 10));
    // Once the probe's first flight, which was not limited, is delivered.
    limited.run(MS(150), |_| ());
    assert_eq!(limited.state(), Some(State::Up));
    limited.path().lose_every = Some(10);
    left(&mut limited, State::Up, 1);
    assert_eq!(inflight_longterm(&limited), None);

    let mut bulk = bbr3(bulk());
    bulk.until_enters(State::Up, 10);
    bulk.path().lose_every = Some(10);
    left(&mut bulk, State::Up, 1);
    let share = inflight_longterm(&bulk).unwrap() / bdp(&bulk);
    assert!((BETA..1.3).contains(&share), "{share} BDP");
}

#[test]
fn c07_without_losses_an_application_limited_probe_goes_on() {
    // Nothing is in flight between two segments: the pauses take the place of ProbeRTT.
    let mut lab =
        Lab::limited_at(bbr3, |lab| lab.until_enters(State::Up, 10), trickle(MS(150), 30));
    lab.run(Duration::from_secs(29), |_| ());
    assert_eq!(lab.state(), Some(State::Up));
    // Without pauses the state goes on until ProbeRTT is due.
    let mut lab = Lab::limited_at(bbr3, |lab| lab.until_enters(State::Up, 10), trickle(MS(5), 30));
    left(&mut lab, State::Up, 10);
    assert_eq!(lab.state(), Some(State::ProbeRtt));
}

#[test]
fn c09_a_queue_that_does_not_drain_is_probed_after_the_wait() {
    let mut lab = bbr3(bulk());
    let rate = lab.path().rate;
    // ProbeRTT ends most of these long waits; one that it does not will come.
    let wait = loop {
        lab.until_enters(State::Down, 20);
        let began = lab.now;
        assert_within(lab.get("pacing_gain").unwrap(), 0.9, 1e-9);
        lab.path().rate = rate.scale(0.9);
        left(&mut lab, State::Down, 10);
        lab.path().rate = rate;
        match lab.state() {
            Some(State::ProbeRtt) => assert!(lab.now < Time::ZERO + Duration::from_secs(200)),
            Some(State::Refill) => break lab.now.since(began),
            other => panic!("{other:?} after a queue that does not drain"),
        }
    };
    assert!(wait >= MS(2000) && wait <= MS(3010), "{wait:?}");
    assert!(inflight(&lab) > bdp(&lab));
}

/// ACKs that come every 30 ms bring 30 ms of the rate at once; the window makes room for that and
/// the link does not run dry.
#[test]
fn c13_cruising_makes_room_for_aggregated_acks() {
    for cc in ["bbr3", "bbr"] {
        let mut lab = Lab::new(cc, 20.0, 40, 2.0, bulk());
        lab.run(MS(1500), |_| ());
        lab.path().ack_slot = Some(MS(30));
        lab.run(MS(200), |_| ());
        let extra = lab.get("extra_acked").unwrap() / as_float(MSS);
        let slot = mbps(20.0) * 0.03 / 8.0 / as_float(MSS);
        assert_within(extra, slot, 0.05);
        assert_within(as_float(lab.sender().cwnd() / MSS), 2.0 * bdp(&lab) + extra, 0.05);
        // Pacing is 1 % below the estimate.
        assert!(lab.goodput(MS(1300)) > 0.98 * mbps(20.0));
    }
}

/// Ten times the bandwidth. The steps in which `inflight_longterm` grows double each round until
/// the losses of 40 ms of buffer.
#[test]
fn c15_ten_times_the_bandwidth_is_found() {
    let mut lab = Lab::new("bbr3", 10.0, 40, 0.5, bulk());
    lab.until_enters(State::ProbeRtt, 10);
    lab.until_enters(State::Cruise, 10);
    assert!(inflight_longterm(&lab).is_some(), "startup's losses have set it");
    lab.path().rate = Rate::from_bps(100_000_000);
    lab.path().buffer *= 10;
    // The first probe stops where the last one met losses, and another follows at once.
    lab.until_enters(State::Up, 10);
    let round = |lab: &Lab| lab.get("round_count").unwrap();
    let first = round(&lab);
    lab.until_enters(State::Up, 1);
    let mut bounds = vec![(round(&lab), inflight_longterm(&lab).unwrap())];
    lab.run(MS(250), |lab| {
        if round(lab) > bounds.last().unwrap().0 {
            bounds.push((round(lab), inflight_longterm(lab).unwrap()));
        }
    });
    let steps: Vec<f64> =
        bounds.windows(2).map(|pair| pair[1].1 - pair[0].1).filter(|step| *step > 0.0).collect();
    assert!(steps.len() >= 4, "{bounds:?}");
    for pair in steps[..4].windows(2) {
        // Whole segments: 3, 5, 9, 16.
        assert!((1.5..=2.1).contains(&(pair[1] / pair[0])), "{steps:?}");
    }
    lab.until("the new bandwidth", 5, |lab| lab.get("max_bw").unwrap() > 0.98 * mbps(100.0));
    // 33 segments of BDP become 333: log2 of that, for each doubling a round and as many to see it.
    let rounds = round(&lab) - first;
    assert!(rounds <= 25.0, "{rounds} rounds");
}

/// Version 1 gets a quarter per cycle of eight round trips if the gain of 5/4 lasts one of them; it
/// lasts until 5/4 of the BDP is in flight, though, and the BDP grows meanwhile.
#[test]
fn c15_version_1_takes_less_than_a_cycle_per_quarter() {
    let mut lab = Lab::new("bbr", 10.0, 40, 1.0, bulk());
    lab.run(Duration::from_secs(4), |_| ());
    lab.path().rate = Rate::from_bps(100_000_000);
    lab.path().buffer *= 10;
    let began = lab.now;
    lab.until("the new bandwidth", 10, |lab| lab.get("bw").unwrap() > 0.95 * mbps(100.0));
    let cycles = lab.now.since(began).as_secs_f64() / (8.0 * 0.04);
    // ln 10 / ln 1.25
    assert!(cycles < 10.3, "{cycles} cycles");
}

#[test]
fn c16_a_tenth_of_the_bandwidth_is_accepted() {
    let mut lab = Lab::new("bbr3", 100.0, 40, 1.0, bulk());
    lab.until_enters(State::ProbeRtt, 10);
    lab.until_enters(State::Cruise, 10);
    lab.path().rate = Rate::from_bps(10_000_000);
    lab.path().buffer /= 10;
    let began = lab.now;
    lab.until("a lower short-term bound", 2, |lab| {
        lab.get("bw_shortterm").is_some_and(|bw| bw < 0.6 * mbps(100.0))
    });
    assert!(lab.now.since(began) < MS(500), "within a few rounds");
    assert_within(lab.get("max_bw").unwrap(), mbps(100.0), 0.02);
    lab.until("the link's rate, in the short term", 3, |lab| {
        lab.get("bw_shortterm").is_some_and(|bw| bw < 1.05 * mbps(10.0))
    });
    assert_within(lab.get("max_bw").unwrap(), mbps(100.0), 0.02);
    // The filter has two cycles: a probe ends each.
    let from = lab.states.len();
    lab.until("the link's rate in the long term", 10, |lab| {
        lab.get("max_bw").unwrap() < 1.02 * mbps(10.0)
    });
    let probes = lab.states[from..].iter().filter(|(_, state)| *state == State::Up).count();
    assert!(probes <= 2, "{probes}");
    let (_, lost) = lab.counts();
    assert!(lab.goodput(Duration::from_secs(10)) > 0.94 * mbps(10.0));
    assert!(lab.counts().1 - lost < 80, "1 % of ten seconds");
}

/// Version 1 forgets the old bandwidth in ten round trips, with any losses.
#[test]
fn c16_version_1_forgets_in_ten_rounds() {
    let mut lab = Lab::new("bbr", 100.0, 40, 1.0, bulk());
    lab.run(Duration::from_secs(4), |_| ());
    lab.path().rate = Rate::from_bps(10_000_000);
    lab.path().buffer /= 10;
    let began = lab.now;
    lab.until("the new bandwidth", 10, |lab| lab.get("bw").unwrap() < 1.05 * mbps(10.0));
    // With 40 ms of buffer, full, a round takes 80 ms.
    assert!(lab.now.since(began) < MS(11 * 80 + 500));
}

/// A link of 100 Mbit/s behind a policer of 10 Mbit/s and 100 kB.
fn policed(cc: &str) -> Lab {
    let mut lab = Lab::new(cc, 100.0, 40, 1.0, bulk());
    lab.path().policer = Some(Policer::new(Rate::from_bps(10_000_000), 100_000, lab.now));
    lab
}

#[test]
fn c17_a_policers_rate_is_kept_to() {
    let mut lab = policed("bbr3");
    lab.until("losses answered", 5, |lab| {
        lab.get("bw_shortterm").is_some() && lab.get("inflight_shortterm").is_some()
    });
    lab.run(Duration::from_secs(5), |_| ());
    let (sent, lost) = lab.counts();
    let goodput = lab.goodput(Duration::from_secs(30));
    assert!(goodput > 0.95 * mbps(10.0), "{goodput}");
    let (sent, lost) = (lab.counts().0 - sent, lab.counts().1 - lost);
    let rate = as_float(lost) / as_float(sent);
    // Each probe finds a bucket that has filled up meanwhile, and overdraws it.
    assert!((LOSS_THRESH / 2.0..2.0 * LOSS_THRESH).contains(&rate), "{rate}");
}

/// Version 1 takes two intervals of much loss and one rate for a policer and sends at that rate for
/// 48 round trips.
#[test]
fn c17_version_1_recognises_the_policer() {
    let mut lab = policed("bbr");
    lab.until("a long-term rate", 10, |lab| lab.get("long_term").unwrap() > 0.5);
    lab.run(MS(100), |_| ());
    let (sent, lost) = lab.counts();
    let goodput = lab.goodput(MS(1000));
    assert!(goodput > 0.9 * mbps(10.0), "{goodput}");
    let (sent, lost) = (lab.counts().0 - sent, lab.counts().1 - lost);
    assert!(as_float(lost) / as_float(sent) < LOSS_THRESH, "{lost} of {sent}");
}

/// Twenty segments of a probe come 50 ms late: a loss rate beyond the threshold, until the
/// originals' ACKs arrive.
#[test]
fn c18_a_spurious_recovery_is_taken_back() {
    let mut lab = bbr3(bulk());
    lab.until_enters(State::Up, 10);
    let cwnd = lab.sender().cwnd();
    lab.run(MS(60), |_| ());
    lab.path().hold = (20, MS(50));
    left(&mut lab, State::Up, 1);
    assert_eq!(lab.state(), Some(State::Down), "the losses end the probe");
    assert!(inflight_longterm(&lab).is_some());
    lab.until_enters(State::Refill, 1);
    let stats = lab.sender().stats();
    assert_eq!((stats.recoveries, stats.undos), (1, 1));
    assert_eq!(inflight_longterm(&lab), None, "as before the episode");
    assert_eq!(lab.get("bw_shortterm"), None);
    lab.until_enters(State::Up, 1);
    lab.run(MS(100), |_| ());
    assert_eq!(lab.state(), Some(State::Up));
    assert!(lab.sender().cwnd() >= cwnd);
}

/// The link stands still for 700 ms and goes on: a timeout, whose retransmission the originals'
/// ACKs show to be needless.
#[test]
fn c19_a_spurious_timeout_is_taken_back() {
    let mut lab = bbr3(bulk());
    lab.until_enters(State::Up, 10);
    lab.run(MS(60), |_| ());
    let cwnd = lab.sender().cwnd();
    lab.path().stands_until = lab.now + MS(700);
    lab.until("a timeout", 2, |lab| lab.sender().stats().timeouts == 1);
    assert_eq!(lab.sender().cwnd(), MSS);
    assert_ne!(lab.state(), Some(State::Up), "the losses end the probe");
    lab.until("the undo", 1, |lab| lab.sender().stats().undos == 1);
    assert_eq!(lab.state(), Some(State::Refill));
    assert_eq!((inflight_longterm(&lab), lab.get("bw_shortterm")), (None, None));
    assert!(lab.get("max_bw").unwrap() < 1.15 * mbps(20.0));
    // RestoreCwnd, less what the end of the probe takes back.
    assert!(as_float(lab.sender().cwnd()) > 0.85 * as_float(cwnd));
    lab.until_enters(State::Up, 1);
}

#[test]
fn c18_c19_version_1_keeps_its_estimate_and_its_window() {
    for is_timeout in [false, true] {
        let mut lab = Lab::new("bbr", 20.0, 100, 2.0, bulk());
        lab.run(MS(4000), |_| ());
        let (cwnd, bw) = (lab.sender().cwnd(), lab.get("bw").unwrap());
        if is_timeout {
            lab.path().stands_until = lab.now + MS(700);
        } else {
            lab.path().hold = (20, MS(50));
        }
        lab.until("the undo", 3, |lab| lab.sender().stats().undos > 0);
        lab.run(MS(500), |_| ());
        // Where the original of a retransmission is acknowledged, the sample may be too fast
        // (section "Upon receiving an ACK").
        let kept = lab.get("bw").unwrap() / bw;
        assert!((0.95..1.15).contains(&kept), "{kept} of the bandwidth");
        assert!(as_float(lab.sender().cwnd()) > 0.95 * as_float(cwnd));
    }
}

#[test]
fn c22_a_pause_while_refilling_teaches_nothing_about_the_path() {
    let endless = 100_000_000;
    let mut lab = Lab::limited_at(
        bbr3,
        |lab| lab.until_enters(State::Refill, 10),
        [(MS(110), 10_000), (MS(310), endless)],
    );
    let bw = lab.get("max_bw").unwrap();
    let mut least = f64::MAX;
    lab.run(MS(300), |lab| least = least.min(lab.get("max_bw").unwrap()));
    assert_eq!(lab.state(), Some(State::Up), "after the round trip");
    lab.run(MS(700), |lab| least = least.min(lab.get("max_bw").unwrap()));
    assert_within(least, bw, 1e-9);
    // With data again the probe ends as any other.
    assert!(
        matches!(lab.state(), Some(State::Down | State::Cruise | State::ProbeRtt)),
        "{:?}",
        lab.states
    );
    assert!(lab.goodput(Duration::from_secs(3)) > 0.9 * mbps(20.0));
}
