//! A sender reduced to its monitor intervals: each is settled while the next is sent, as on a path
//! without a queue.

use ackclock_cc::interval::RttTrend;
use ackclock_cc::registry::build;
use ackclock_cc::{
    CongestionControl, CongestionEvent, Duration, Interval, IntervalStart, Rate, Rng, Signal, Time,
};
use rand_core::SeedableRng;

use super::driver::{internal, setup};

/// Losses and delays that the network gives an interval at a rate in Mbit/s.
#[derive(Clone, Copy, Default)]
pub struct Fate {
    pub loss: f64,
    pub slope: f64,
    /// RTTs are off the line by so much, seconds, up and down in turn.
    pub jitter: f64,
    pub is_limited: bool,
}

pub struct Intervals {
    pub cc: Box<dyn CongestionControl>,
    pub now: Time,
    pub srtt: Option<Duration>,
    rng: Rng,
    /// Begun and not settled, oldest first.
    open: Vec<Interval>,
    begun: u64,
}

impl Intervals {
    pub fn new(spec: &str, srtt: Duration, seed: u64) -> Self {
        Self {
            cc: build(spec, &setup(10, None)).expect("a test's spec is good"),
            now: Time::ZERO,
            srtt: Some(srtt),
            rng: Rng::seed_from_u64(seed),
            open: Vec::new(),
            begun: 0,
        }
    }

    /// Whether the algorithm has drawn from the generator of this seed.
    pub fn has_drawn(&self, seed: u64) -> bool {
        self.rng != Rng::seed_from_u64(seed)
    }

    /// Mbit/s.
    #[expect(clippy::cast_precision_loss, reason = "a test's rates are far below 2^53")]
    pub fn rate(&self) -> f64 {
        self.cc.decision().pacing_rate.map_or(0, Rate::as_bps) as f64 / 1e6
    }

    /// Rate that experiments vary, Mbit/s.
    pub fn base_rate(&self) -> f64 {
        self.internal("base_rate").unwrap() / 1e6
    }

    pub fn internal(&self, name: &str) -> Option<f64> {
        internal(&*self.cc, name)
    }

    /// Begins an interval, settles the one before it as `fate` has it for its rate, and returns the
    /// new one's rate and length.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a test's shares and counts"
    )]
    pub fn next(&mut self, fate: impl Fn(f64) -> Fate) -> (f64, Duration) {
        let start = IntervalStart { number: self.begun, now: self.now, srtt: self.srtt };
        let length = self.cc.begin_interval(&start, &mut self.rng).expect("it keeps intervals");
        let pacing_rate = self.cc.decision().pacing_rate;
        let rate = self.rate();
        self.begun += 1;
        let end = self.now + length;
        let sent = pacing_rate.map_or(10_000, |rate| rate.bytes_in(length)).max(1);
        let fate = fate(rate);
        let lost = (fate.loss * sent as f64).round() as u64;
        let mut rtt = RttTrend::default();
        for sample in 0..20_u64 {
            let sent_at = self.now + length * sample / 20;
            let off = if sample.is_multiple_of(2) { fate.jitter } else { -fate.jitter };
            let seconds = 0.1 + off + fate.slope * sent_at.since(self.now).as_secs_f64();
            rtt.add(sent_at, Duration::from_secs_f64(seconds));
        }
        self.open.push(Interval {
            number: start.number,
            start: self.now,
            end,
            pacing_rate,
            sent,
            delivered: sent - lost,
            lost,
            is_limited: fate.is_limited,
            rtt,
        });
        if self.open.len() > 1 {
            let settled = self.open.remove(0);
            self.cc.on_interval(&settled, &mut self.rng);
        }
        self.now = end;
        (rate, length)
    }

    /// Until it has left the start; returns the rates that it went through.
    pub fn start(&mut self, fate: impl Fn(f64) -> Fate) -> Vec<f64> {
        let mut rates = Vec::new();
        while self.internal("starting") == Some(1.0) {
            rates.push(self.next(&fate).0);
            assert!(rates.len() < 100, "it starts for ever");
        }
        rates
    }

    /// Until the base rate is another.
    pub fn until_changed(&mut self, fate: impl Fn(f64) -> Fate) -> f64 {
        let before = self.base_rate();
        for _ in 0..100 {
            self.next(&fate);
            if (self.base_rate() - before).abs() > 1e-9 {
                return self.base_rate();
            }
        }
        panic!("the rate stays at {before}");
    }

    pub fn time_out(&mut self) {
        let event = CongestionEvent {
            signal: Signal::Rto,
            now: self.now,
            inflight: 0,
            newly_lost: 0,
            srtt: self.srtt.unwrap_or_default(),
            min_rtt: self.srtt.unwrap_or_default(),
            delivered: 0,
        };
        self.cc.on_congestion(&event, &mut self.rng);
    }
}
