//! Does every algorithm name the rule of each kind of decision, with its source?

use ackclock_cc::entry::Make;
use ackclock_cc::registry::{build, catalogue};
use ackclock_cc::{
    AckEvent, CaState, Call, CongestionControl, CongestionEvent, Duration, Rng, Round, Rule, Setup,
    Signal, Time,
};
use rand_core::SeedableRng;

const MSS: u64 = 1000;

fn setup() -> Setup {
    Setup {
        mss: MSS,
        initial_window: 10 * MSS,
        initial_ssthresh: None,
        has_sack: true,
        clock_phase: Duration::ZERO,
        counts_packets: false,
    }
}

fn ack(millis: u64, round: u64) -> AckEvent {
    let rtt = Duration::from_millis(100);
    AckEvent {
        now: Time::ZERO + Duration::from_millis(millis),
        newly_acked: MSS,
        credited: MSS,
        newly_lost: 0,
        newly_marked: 0,
        rtt_sample: Some(rtt),
        srtt: rtt,
        rttvar: rtt / 10,
        min_rtt: rtt,
        one_way_delay: Some(rtt / 2),
        inflight: 9 * MSS,
        prior_inflight: 10 * MSS,
        delivered: millis * MSS,
        rate: None,
        round: Round { count: round, start: millis.is_multiple_of(100), ..Round::default() },
        pacing_wait: Duration::ZERO,
        is_cwnd_limited: true,
        in_recovery: false,
        state: CaState::Open,
    }
}

fn congestion(signal: Signal, millis: u64) -> CongestionEvent {
    CongestionEvent {
        signal,
        now: Time::ZERO + Duration::from_millis(millis),
        inflight: 10 * MSS,
        newly_lost: MSS,
        srtt: Duration::from_millis(100),
        min_rtt: Duration::from_millis(100),
        delivered: millis * MSS,
    }
}

fn check(spec: &str, cc: &dyn CongestionControl, call: Call) {
    let rule = cc.rule(call);
    // The default names the type only.
    let (statement, source) = rule.split_once(" (").unwrap_or((&rule, ""));
    assert!(!statement.is_empty() && source.ends_with(')'), "{spec} {call:?}: {rule}");
    let longest = 120;
    assert!(statement.chars().count() <= longest, "{spec}: {rule}");
}

fn check_all(spec: &str, cc: &mut dyn CongestionControl) {
    let mut rng = Rng::seed_from_u64(1);
    let now = Time::ZERO;
    let ask = |cc: &dyn CongestionControl, call: Call| check(spec, cc, call);
    cc.on_handshake(Duration::from_millis(100));
    ask(cc, Call::Handshake);
    let mut millis = 0;
    for signal in [Signal::Loss, Signal::Ecn, Signal::Rto] {
        for _ in 0..400 {
            millis += 10;
            let event = ack(millis, millis / 100);
            cc.on_ack(&event, &mut rng);
            ask(cc, Call::Ack);
        }
        cc.on_congestion(&congestion(signal, millis), &mut rng);
        ask(cc, Call::Congestion(signal));
        let in_recovery = AckEvent { in_recovery: true, ..ack(millis, millis / 100) };
        cc.on_ack(&in_recovery, &mut rng);
        ask(cc, Call::Ack);
        if signal == Signal::Rto {
            cc.on_loss_window(2 * MSS, now);
            ask(cc, Call::LossWindow);
            cc.on_repeated_timeout(&congestion(signal, millis), &mut rng);
            ask(cc, Call::RepeatedTimeout);
        }
        cc.on_spurious(now);
        ask(cc, Call::Undo);
        cc.on_recovery_exit(now);
        ask(cc, Call::RecoveryExit);
    }
    cc.on_idle_restart(4 * MSS, now);
    ask(cc, Call::IdleRestart);
    cc.on_window_kept(4 * MSS, now);
    ask(cc, Call::WindowKept);
    cc.on_lost_syn(MSS, now);
    ask(cc, Call::LostSyn);
    cc.on_transmit_start(now, Duration::ZERO, true);
    ask(cc, Call::TransmitStart);
    for call in [Call::Rtt, Call::Interval, Call::RecoveryInReducedWindow] {
        ask(cc, call);
    }
}

#[test]
fn every_registered_algorithm_names_rule_and_source_of_each_decision() {
    for entry in catalogue() {
        let spec = match entry.make {
            Make::SlowStart(_) => format!("{}+reno", entry.name),
            Make::Avoidance { .. } | Make::Whole(_) => entry.name.to_owned(),
        };
        check_all(&spec, build(&spec, &setup()).expect("a registered algorithm").as_mut());
    }
    let rfc = "cubic(linux=false)";
    check_all(rfc, build(rfc, &setup()).expect("a registered algorithm").as_mut());
}

#[test]
fn a_rule_is_shown_with_its_source() {
    let rule = Rule::cut("halves the window", "RFC 5681 section 3.1");
    let text = rule.text(Call::Congestion(Signal::Loss));
    assert_eq!(text, "a loss halves the window (RFC 5681 section 3.1)");
    assert_eq!(Rule::of_type("mine::Own<u8>"), "Own decides");
}
