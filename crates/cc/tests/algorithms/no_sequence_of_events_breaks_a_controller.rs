//! Is the window at least a segment and finite for any behaviour of the network, and does nothing
//! panic or overflow? Does a controller that starts later decide the same?

use ackclock_cc::entry::Value;
use ackclock_cc::interval::RttTrend;
use ackclock_cc::registry::{build, catalogue};
use ackclock_cc::{
    AckEvent, CaState, CongestionControl, CongestionEvent, Duration, Interval, IntervalStart,
    LostSegment, Rate, RateSample, Rng, Round, RoundSummary, RttSample, Setup, Signal, Time,
};
use proptest::prelude::*;
use proptest::sample::Index;
use rand_core::SeedableRng;

/// Faster than any link, for longer than any test: the most that a window may become.
const LARGEST_WINDOW: u64 = 1 << 50;

/// A whole number of the periods of all clocks that an algorithm reads: Linux's jiffy has 4 ms.
const LATER: Duration = Duration::from_secs(86_400);

/// Bits of a fuzzed ACK's flags.
const CWND_LIMITED: u8 = 0b10;
const SAME_ROUND: u8 = 0b100;
const APP_LIMITED: u8 = 0b1000;

#[derive(Clone, Debug)]
enum Step {
    Ack { after_us: u64, share: u8, rtt_us: Option<u64>, flags: u8 },
    Round { after_us: u64, repeat: u16 },
    Congestion { after_us: u64, signal: Signal },
    RecoveryEnds,
    Lost { share: u8, is_app_limited: bool },
    TransmitStart { after_us: u64, is_app_limited: bool },
    Interval { after_us: u64, lost_share: u8, is_limited: bool },
    Idle { after_us: u64, restart_segments: u64 },
    Undo,
}

fn step() -> impl Strategy<Value = Step> {
    let after = prop_oneof![Just(0_u64), 1..2_000_u64, 1_000..10_000_000_u64, Just(3_600_000_000)];
    prop_oneof![
        8 => (after.clone(), any::<u8>(), proptest::option::of(1..60_000_000_u64), any::<u8>())
            .prop_map(|(after_us, share, rtt_us, flags)| {
                Step::Ack { after_us, share, rtt_us, flags }
            }),
        4 => (1..200_000_u64, 1..40_u16)
            .prop_map(|(after_us, repeat)| Step::Round { after_us, repeat }),
        2 => (after.clone(), prop_oneof![Just(Signal::Loss), Just(Signal::Ecn), Just(Signal::Rto)])
            .prop_map(|(after_us, signal)| Step::Congestion { after_us, signal }),
        1 => Just(Step::RecoveryEnds),
        1 => (any::<u8>(), any::<bool>())
            .prop_map(|(share, is_app_limited)| Step::Lost { share, is_app_limited }),
        1 => (after.clone(), any::<bool>())
            .prop_map(|(after_us, is_app_limited)| {
                Step::TransmitStart { after_us, is_app_limited }
            }),
        2 => (after.clone(), any::<u8>(), any::<bool>())
            .prop_map(|(after_us, lost_share, is_limited)| {
                Step::Interval { after_us, lost_share, is_limited }
            }),
        1 => (after, 1..20_u64)
            .prop_map(|(after_us, restart_segments)| Step::Idle { after_us, restart_segments }),
        1 => Just(Step::Undo),
    ]
}

fn setups() -> impl Strategy<Value = Setup> {
    (1..9_000_u64, 1..100_u64, proptest::option::of(0..2_000_000_u64), any::<bool>()).prop_map(
        |(mss, initial, initial_ssthresh, has_sack)| Setup {
            mss,
            initial_window: initial * mss,
            initial_ssthresh,
            has_sack,
            clock_phase: Duration::ZERO,
            counts_packets: false,
        },
    )
}

/// Faster than this no link is; an algorithm that believes in its own rate samples may go as far.
const FASTEST_BPS: u64 = 1 << 50;

/// Every name alone, every avoidance after one slow start, and every parameter at its bounds.
fn specs(slow_start: Index) -> Vec<String> {
    let mut specs = Vec::new();
    let role = |role: &'static str| catalogue().iter().filter(move |entry| entry.role() == role);
    specs.extend(role("whole").map(|entry| entry.name.to_owned()));
    let slow_start = slow_start.get(&role("slow start").collect::<Vec<_>>()).name;
    for avoidance in role("avoidance") {
        specs.push(avoidance.name.to_owned());
        specs.push(format!("{slow_start}+{}", avoidance.name));
    }
    for entry in catalogue() {
        for parameter in entry.parameters {
            let values = match parameter.default {
                Value::Number(_) => {
                    vec![parameter.range.start().to_string(), parameter.range.end().to_string()]
                }
                Value::Flag(_) => vec!["true".to_owned(), "false".to_owned()],
                Value::Choice(_, all) => all.iter().map(ToString::to_string).collect(),
            };
            for value in values {
                let half = format!("{}({}={value})", entry.name, parameter.name);
                specs.push(if entry.role() == "slow start" {
                    format!("{half}+reno")
                } else {
                    half
                });
            }
        }
    }
    specs
}

struct Fuzz<'a> {
    spec: &'a str,
    mss: u64,
    cc: Box<dyn CongestionControl>,
    may_be_spurious: bool,
    rng: Rng,
    start: Time,
    now: Time,
    delivered: u64,
    /// Bytes sent when the latest episode of congestion began.
    recovery_point: u64,
    in_recovery: bool,
    min_rtt: Duration,
    round: Round,
    intervals: u64,
}

impl<'a> Fuzz<'a> {
    fn new(spec: &'a str, setup: &Setup, start: Time) -> Self {
        let mut cc = build(spec, setup).expect("a spec of the catalogue");
        cc.on_transmit_start(start, Duration::ZERO, false);
        Self {
            spec,
            mss: setup.mss,
            cc,
            may_be_spurious: false,
            rng: Rng::seed_from_u64(1),
            start,
            now: start,
            delivered: 0,
            recovery_point: 0,
            in_recovery: false,
            min_rtt: Duration::from_millis(50),
            round: Round::default(),
            intervals: 0,
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Ack { after_us, share, rtt_us, flags } => {
                self.ack(after_us, share, rtt_us, flags);
            }
            Step::Round { after_us, repeat } => {
                (0..repeat).for_each(|_| self.ack(after_us, 255, Some(after_us), CWND_LIMITED));
            }
            Step::Congestion { after_us, signal } => self.congestion(after_us, signal),
            Step::RecoveryEnds => {
                self.in_recovery = false;
                self.cc.on_recovery_exit(self.now);
            }
            Step::Idle { after_us, restart_segments } => {
                self.now += Duration::from_micros(after_us);
                self.cc.on_idle_restart(restart_segments * self.mss, self.now);
            }
            Step::Lost { share, is_app_limited } => {
                let inflight = self.cc.decision().cwnd;
                self.cc.on_lost(&LostSegment {
                    now: self.now,
                    seq: self.delivered,
                    bytes: self.mss,
                    delivered: self.delivered,
                    sent_at: self.now,
                    tx_in_flight: inflight,
                    lost: inflight / 255 * u64::from(share),
                    is_app_limited,
                });
            }
            Step::TransmitStart { after_us, is_app_limited } => {
                self.now += Duration::from_micros(after_us);
                self.cc.on_transmit_start(
                    self.now,
                    Duration::from_micros(after_us),
                    is_app_limited,
                );
            }
            Step::Interval { after_us, lost_share, is_limited } => {
                self.interval(Duration::from_micros(after_us), lost_share, is_limited);
            }
            Step::Undo => {
                if core::mem::take(&mut self.may_be_spurious) {
                    self.cc.on_spurious(self.now);
                    self.in_recovery = false;
                }
            }
        }
    }

    fn interval(&mut self, lasted: Duration, lost_share: u8, is_limited: bool) {
        let start = IntervalStart {
            number: self.intervals,
            now: self.now,
            srtt: (self.intervals > 0).then_some(self.min_rtt),
        };
        let Some(duration) = self.cc.begin_interval(&start, &mut self.rng) else {
            return;
        };
        assert!(duration > Duration::ZERO, "{}: an interval of no length", self.spec);
        self.intervals += 1;
        self.now += lasted;
        let sent = self.cc.decision().cwnd;
        let lost = sent / 255 * u64::from(lost_share);
        let mut rtt = RttTrend::default();
        rtt.add(self.now, self.min_rtt);
        rtt.add(self.now + lasted, self.min_rtt + lasted);
        let interval = Interval {
            number: start.number,
            start: start.now,
            end: self.now,
            pacing_rate: self.cc.decision().pacing_rate,
            sent,
            delivered: sent - lost,
            lost,
            is_limited,
            rtt,
        };
        self.cc.on_interval(&interval, &mut self.rng);
    }

    fn congestion(&mut self, after_us: u64, signal: Signal) {
        self.now += Duration::from_micros(after_us);
        self.may_be_spurious = signal != Signal::Ecn;
        let inflight = self.cc.decision().cwnd;
        let event = CongestionEvent {
            signal,
            now: self.now,
            inflight,
            newly_lost: inflight / 2,
            srtt: self.min_rtt,
            min_rtt: self.min_rtt,
            delivered: self.delivered,
        };
        self.cc.on_congestion(&event, &mut self.rng);
        self.in_recovery = signal != Signal::Rto;
        self.recovery_point = self.delivered + inflight;
    }

    fn ack(&mut self, after_us: u64, share: u8, rtt_us: Option<u64>, flags: u8) {
        self.now += Duration::from_micros(after_us);
        let cwnd = self.cc.decision().cwnd;
        if cwnd >= LARGEST_WINDOW {
            return;
        }
        let newly_acked = cwnd / 255 * u64::from(share);
        // Nothing is older than the connection.
        let age = self.now.since(self.start);
        let rtt_sample = rtt_us.map(Duration::from_micros).filter(|rtt| *rtt <= age);
        self.min_rtt = rtt_sample.unwrap_or(self.min_rtt).min(self.min_rtt);
        self.delivered += newly_acked;
        if flags & SAME_ROUND == 0 {
            let last = RoundSummary {
                min_rtt: rtt_sample,
                samples: 1,
                acked: self.round.acked,
                lost: 0,
                marked: 0,
            };
            self.round =
                Round { count: self.round.count + 1, start: true, expected: cwnd, acked: 0, last };
        }
        self.round.acked += newly_acked;
        let event = AckEvent {
            now: self.now,
            newly_acked,
            credited: newly_acked,
            newly_lost: u64::from(flags >> 5) * self.mss,
            newly_marked: u64::from(flags >> 6) * self.mss,
            rtt_sample,
            srtt: rtt_sample.unwrap_or(self.min_rtt),
            rttvar: self.min_rtt / 2,
            min_rtt: self.min_rtt,
            one_way_delay: rtt_sample.map(|rtt| rtt / 2),
            inflight: cwnd.saturating_sub(newly_acked),
            prior_inflight: cwnd,
            delivered: self.delivered,
            rate: rtt_sample.map(|rtt| self.rate_sample(rtt, cwnd, newly_acked, flags)),
            round: self.round,
            pacing_wait: Duration::ZERO,
            is_cwnd_limited: flags & CWND_LIMITED != 0,
            in_recovery: self.in_recovery,
            state: if self.in_recovery { CaState::Recovery } else { CaState::Open },
        };
        if self.cc.takes_rtts()
            && let Some(rtt) = rtt_sample
        {
            self.cc.on_rtt(&RttSample {
                now: self.now,
                rtt,
                srtt: rtt,
                cwnd,
                una: self.delivered,
                next: self.delivered + cwnd,
                recovery_point: self.recovery_point,
                acked: newly_acked,
                delivered: self.delivered,
                newly_delivered: newly_acked,
                newly_marked: event.newly_marked,
                state: if self.in_recovery { CaState::Recovery } else { CaState::Open },
                timestamps: None,
            });
        }
        self.cc.on_ack(&event, &mut self.rng);
        self.round.start = false;
    }

    fn rate_sample(&self, rtt: Duration, cwnd: u64, newly_acked: u64, flags: u8) -> RateSample {
        let delivered = cwnd.min(self.delivered);
        RateSample {
            delivery_rate: Rate::from_bps(Rate::of(delivered, rtt).as_bps().min(FASTEST_BPS)),
            interval: rtt,
            delivered,
            prior_delivered: self.delivered - delivered,
            lost: if flags >> 5 > 4 { newly_acked } else { 0 },
            tx_in_flight: cwnd,
            is_app_limited: flags & APP_LIMITED != 0,
        }
    }

    fn check(&self) {
        let (spec, decision) = (self.spec, self.cc.decision());
        assert!(
            decision.cwnd >= self.mss,
            "{spec}: cwnd {} is below a segment of {}",
            decision.cwnd,
            self.mss
        );
        assert!(decision.cwnd < 64 * LARGEST_WINDOW, "{spec}: cwnd {}", decision.cwnd);
        if let Some(rate) = decision.pacing_rate {
            assert!(rate.as_bps() > 0, "{spec}: a pacing rate of zero never sends again");
            assert!(rate.as_bps() < 64 * FASTEST_BPS, "{spec}: pacing_rate {rate:?}");
        }
        self.cc
            .internals(&mut |name, value| assert!(value.is_finite(), "{spec}: {name} = {value}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_controller_survives(
        setup in setups(),
        slow_start in any::<Index>(),
        steps in proptest::collection::vec(step(), 1..120),
    ) {
        for spec in specs(slow_start) {
            let mut fuzz = Fuzz::new(&spec, &setup, Time::ZERO);
            for step in &steps {
                fuzz.step(step);
                fuzz.check();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_time_of_the_start_changes_nothing(
        setup in setups(),
        slow_start in any::<Index>(),
        steps in proptest::collection::vec(step(), 1..120),
    ) {
        // ns-3's fault with intervals has a time of the run in it: 0, where it knows none.
        let has_it = |spec: &str| spec.contains("intervals") || spec.contains("ns3.35");
        let specs = specs(slow_start).into_iter().filter(|spec| !has_it(spec));
        for spec in specs {
            let mut early = Fuzz::new(&spec, &setup, Time::ZERO);
            let mut late = Fuzz::new(&spec, &setup, Time::ZERO + LATER);
            for step in &steps {
                early.step(step);
                late.step(step);
                assert_eq!(early.cc.decision(), late.cc.decision(), "{spec}, after {step:?}");
            }
        }
    }
}
