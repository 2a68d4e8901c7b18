//! Whatever a network does, is the window at least a segment and finite, and does nothing panic or overflow?

use ackclock_cc::entry::Value;
use ackclock_cc::registry::{build, catalogue};
use ackclock_cc::{AckEvent, CongestionControl, CongestionEvent, Duration, Rng, Round, RoundSummary, Setup, Signal, Time};
use proptest::prelude::*;
use rand_core::SeedableRng;

/// Faster than any link, for longer than any test: the most that a window may become.
const LARGEST_WINDOW: u64 = 1 << 50;

/// Bits of a fuzzed ACK's flags.
const CWND_LIMITED: u8 = 0b10;
const SAME_ROUND: u8 = 0b100;

#[derive(Clone, Debug)]
enum Step {
    Ack {
        after_us: u64,
        share: u8,
        rtt_us: Option<u64>,
        flags: u8,
    },
    Round {
        after_us: u64,
        repeat: u16,
    },
    Congestion {
        after_us: u64,
        signal: Signal,
    },
    RecoveryEnds,
    Idle {
        after_us: u64,
        restart_segments: u64,
    },
    Undo,
}

fn step() -> impl Strategy<Value = Step> {
    let after = prop_oneof![Just(0_u64), 1..2_000_u64, 1_000..10_000_000_u64, Just(3_600_000_000)];
    prop_oneof![
        8 => (after.clone(), any::<u8>(), proptest::option::of(1..60_000_000_u64), any::<u8>())
            .prop_map(|(after_us, share, rtt_us, flags)| Step::Ack { after_us, share, rtt_us, flags }),
        4 => (1..200_000_u64, 1..40_u16).prop_map(|(after_us, repeat)| Step::Round { after_us, repeat }),
        2 => (after.clone(), prop_oneof![Just(Signal::Loss), Just(Signal::Ecn), Just(Signal::Rto)])
            .prop_map(|(after_us, signal)| Step::Congestion { after_us, signal }),
        1 => Just(Step::RecoveryEnds),
        1 => (after, 1..20_u64).prop_map(|(after_us, restart_segments)| Step::Idle { after_us, restart_segments }),
        1 => Just(Step::Undo),
    ]
}

fn setups() -> impl Strategy<Value = Setup> {
    (1..9_000_u64, 1..100_u64, proptest::option::of(0..2_000_000_u64)).prop_map(|(mss, initial, initial_ssthresh)| Setup {
        mss,
        initial_window: initial * mss,
        initial_ssthresh,
    })
}

/// Every name alone or with every partner, and every parameter at its bounds.
fn specs() -> Vec<String> {
    let mut specs = Vec::new();
    let role = |role: &'static str| catalogue().iter().filter(move |entry| entry.role() == role);
    for avoidance in role("avoidance") {
        specs.push(avoidance.name.to_owned());
        for slow_start in role("slow start") {
            specs.push(format!("{}+{}", slow_start.name, avoidance.name));
        }
    }
    for entry in catalogue() {
        for parameter in entry.parameters {
            let values = match parameter.default {
                Value::Number(_) => [parameter.range.0.to_string(), parameter.range.1.to_string()],
                Value::Flag(_) => ["true".to_owned(), "false".to_owned()],
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
    saved: Option<Box<dyn CongestionControl>>,
    rng: Rng,
    now: Time,
    delivered: u64,
    in_recovery: bool,
    min_rtt: Duration,
    round: Round,
}

impl<'a> Fuzz<'a> {
    fn new(spec: &'a str, setup: &Setup) -> Self {
        Self {
            spec,
            mss: setup.mss,
            cc: build(spec, setup).expect("a spec of the catalogue"),
            saved: None,
            rng: Rng::seed_from_u64(1),
            now: Time::ZERO,
            delivered: 0,
            in_recovery: false,
            min_rtt: Duration::from_millis(50),
            round: Round::default(),
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Ack {
                after_us,
                share,
                rtt_us,
                flags,
            } => self.ack(after_us, share, rtt_us, flags),
            Step::Round { after_us, repeat } => (0..repeat).for_each(|_| self.ack(after_us, 255, Some(after_us), CWND_LIMITED)),
            Step::Congestion { after_us, signal } => self.congestion(after_us, signal),
            Step::RecoveryEnds => {
                self.in_recovery = false;
                self.cc.on_recovery_exit(self.now);
            }
            Step::Idle {
                after_us,
                restart_segments,
            } => {
                self.now += Duration::from_micros(after_us);
                self.cc.on_idle_restart(restart_segments * self.mss, self.now);
            }
            Step::Undo => {
                if let Some(before) = self.saved.take() {
                    self.cc = before;
                    self.in_recovery = false;
                }
            }
        }
    }

    fn congestion(&mut self, after_us: u64, signal: Signal) {
        self.now += Duration::from_micros(after_us);
        self.saved = Some(self.cc.clone());
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
    }

    fn ack(&mut self, after_us: u64, share: u8, rtt_us: Option<u64>, flags: u8) {
        self.now += Duration::from_micros(after_us);
        let cwnd = self.cc.decision().cwnd;
        if cwnd >= LARGEST_WINDOW {
            return;
        }
        let newly_acked = cwnd / 255 * u64::from(share);
        let rtt_sample = rtt_us.map(Duration::from_micros);
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
            self.round = Round {
                count: self.round.count + 1,
                start: true,
                expected: cwnd,
                acked: 0,
                last,
            };
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
            inflight: cwnd.saturating_sub(newly_acked),
            prior_inflight: cwnd,
            delivered: self.delivered,
            rate: None,
            round: self.round,
            is_cwnd_limited: flags & CWND_LIMITED != 0,
            in_recovery: self.in_recovery,
        };
        self.cc.on_ack(&event, &mut self.rng);
        self.round.start = false;
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
        self.cc
            .internals(&mut |name, value| assert!(value.is_finite(), "{spec}: {name} = {value}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_controller_survives(setup in setups(), steps in proptest::collection::vec(step(), 1..120)) {
        for spec in specs() {
            let mut fuzz = Fuzz::new(&spec, &setup);
            for step in &steps {
                fuzz.step(step);
                fuzz.check();
            }
        }
    }
}
