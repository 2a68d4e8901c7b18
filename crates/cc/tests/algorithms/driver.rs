//! A sender reduced to its ACK clock: each round trip delivers the window that it began with,
//! evenly spaced.

use ackclock_cc::registry::build;
use ackclock_cc::{
    AckEvent, CaState, CongestionControl, CongestionEvent, Duration, Rate, RateSample, Rng, Round,
    RoundSummary, RttSample, Setup, Signal, Time,
};
use rand_core::SeedableRng;

pub const MSS: u64 = 1000;

pub fn setup(initial_window: u64, initial_ssthresh: Option<u64>) -> Setup {
    Setup {
        mss: MSS,
        initial_window: initial_window * MSS,
        initial_ssthresh: initial_ssthresh.map(|s| s * MSS),
        has_sack: true,
        clock_phase: Duration::ZERO,
        counts_packets: false,
    }
}

pub struct Driver {
    pub cc: Box<dyn CongestionControl>,
    pub now: Time,
    pub rtt: Duration,
    pub min_rtt: Duration,
    /// Segments that one ACK covers.
    pub per_ack: u64,
    /// Every so many segments one is lost, found at the time of its ACK, and repaired at once.
    pub loss_every: Option<u64>,
    pub sent: u64,
    pub losses: u64,
    pub in_recovery: bool,
    pub is_cwnd_limited: bool,
    /// Bytes in flight when what is acknowledged was sent; with it ACKs bring a rate sample.
    pub tx_in_flight: Option<u64>,
    pub delivered: u64,
    /// Bytes that the next ACK says were marked, and those of this round.
    newly_marked: u64,
    marked: u64,
    round: Round,
    rng: Rng,
}

/// The internal value of this name, if the algorithm shows one.
pub fn internal(cc: &dyn CongestionControl, name: &str) -> Option<f64> {
    let mut found = None;
    cc.internals(&mut |shown, value| {
        if shown == name {
            found = Some(value);
        }
    });
    found
}

pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Two windows, segments, differ by at most a byte.
#[track_caller]
pub fn assert_close(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1.1e-3, "{value} and not {expected}");
}

impl Driver {
    pub fn new(spec: &str, setup: &Setup, rtt: Duration) -> Self {
        Self {
            cc: build(spec, setup).expect("a test's spec is good"),
            now: Time::ZERO,
            rtt,
            min_rtt: rtt,
            per_ack: 1,
            loss_every: None,
            sent: 0,
            losses: 0,
            in_recovery: false,
            is_cwnd_limited: true,
            tx_in_flight: None,
            delivered: 0,
            newly_marked: 0,
            marked: 0,
            round: Round::default(),
            rng: Rng::seed_from_u64(1),
        }
    }

    /// A driver whose window and ssthresh are `window` segments.
    pub fn at_ssthresh(spec: &str, window: u64, rtt: Duration) -> Self {
        Self::new(spec, &setup(window, Some(window)), rtt)
    }

    /// A driver in congestion avoidance with a window of `window` segments.
    pub fn in_avoidance(spec: &str, window: u64, rtt: Duration) -> Self {
        let mut driver = Self::at_ssthresh(spec, window, rtt);
        driver.ack(1, rtt);
        driver
    }

    /// The window in segments.
    pub fn cwnd(&self) -> f64 {
        segments(self.cc.decision().cwnd)
    }

    /// The window in whole segments.
    pub fn window(&self) -> u64 {
        (self.cc.decision().cwnd / MSS).max(1)
    }

    pub fn ssthresh(&self) -> Option<f64> {
        self.cc.decision().ssthresh.map(segments)
    }

    pub fn internal(&self, name: &str) -> Option<f64> {
        internal(&*self.cc, name)
    }

    /// The first ACK of the next round, which judges the round before; it acknowledges a byte.
    pub fn judge(&mut self) {
        self.begin_round(0);
        self.ack(1, self.rtt);
    }

    /// One ACK, now; what it leaves in flight is the window less what it acknowledges.
    pub fn ack(&mut self, bytes: u64, rtt_sample: Duration) {
        self.ack_leaving(self.cc.decision().cwnd.saturating_sub(bytes), bytes, rtt_sample);
    }

    /// One ACK that says that some of these bytes were marked.
    pub fn marked_ack(&mut self, bytes: u64, marked: u64, rtt_sample: Duration) {
        self.newly_marked = marked;
        self.ack(bytes, rtt_sample);
    }

    /// One ACK, now, that leaves `inflight` bytes.
    pub fn ack_leaving(&mut self, inflight: u64, bytes: u64, rtt_sample: Duration) {
        let marked = core::mem::take(&mut self.newly_marked);
        self.marked += marked;
        self.min_rtt = self.min_rtt.min(rtt_sample);
        self.delivered += bytes;
        self.round.acked += bytes;
        let event = AckEvent {
            now: self.now,
            newly_acked: bytes,
            credited: bytes,
            newly_lost: 0,
            newly_marked: marked,
            rtt_sample: Some(rtt_sample),
            srtt: rtt_sample,
            rttvar: Duration::ZERO,
            min_rtt: self.min_rtt,
            one_way_delay: Some(rtt_sample.saturating_sub(self.min_rtt / 2)),
            inflight,
            prior_inflight: inflight + bytes,
            delivered: self.delivered,
            rate: self.tx_in_flight.map(|inflight| RateSample {
                delivery_rate: Rate::of(inflight, rtt_sample),
                interval: rtt_sample,
                delivered: inflight,
                prior_delivered: self.delivered.saturating_sub(inflight),
                lost: 0,
                tx_in_flight: inflight,
                is_app_limited: false,
            }),
            round: self.round,
            pacing_wait: Duration::ZERO,
            is_cwnd_limited: self.is_cwnd_limited,
            in_recovery: self.in_recovery,
            state: if self.in_recovery { CaState::Recovery } else { CaState::Open },
        };
        if self.cc.takes_rtts() {
            self.cc.on_rtt(&RttSample {
                now: self.now,
                rtt: rtt_sample,
                srtt: rtt_sample,
                cwnd: self.cc.decision().cwnd,
                // A byte for each round: it is over with the first ACK of the next.
                una: self.round.count + 1,
                next: self.round.count + 1,
                recovery_point: 0,
                acked: bytes,
                delivered: self.delivered,
                newly_delivered: bytes,
                newly_marked: marked,
                state: if self.in_recovery { CaState::Recovery } else { CaState::Open },
                timestamps: None,
            });
        }
        self.cc.on_ack(&event, &mut self.rng);
        self.round.start = false;
    }

    fn event(&self, signal: Signal) -> CongestionEvent {
        CongestionEvent {
            signal,
            now: self.now,
            inflight: self.cc.decision().cwnd,
            newly_lost: MSS,
            srtt: self.rtt,
            min_rtt: self.min_rtt,
            delivered: self.delivered,
        }
    }

    pub fn congestion(&mut self, signal: Signal) {
        let event = self.event(signal);
        self.cc.on_congestion(&event, &mut self.rng);
        self.losses += 1;
    }

    /// A timeout within the window that a signal has reduced cwnd for.
    pub fn repeated_timeout(&mut self) {
        let event = self.event(Signal::Rto);
        self.cc.on_repeated_timeout(&event, &mut self.rng);
    }

    pub fn begin_round(&mut self, expected: u64) {
        let last = RoundSummary {
            acked: self.round.acked,
            marked: self.marked,
            ..RoundSummary::default()
        };
        self.marked = 0;
        self.round = Round { count: self.round.count + 1, start: true, expected, acked: 0, last };
    }

    /// One round trip; ACKs come evenly over it.
    pub fn round_trip(&mut self) {
        let (begin, rtt, window) = (self.now, self.rtt, self.window());
        self.begin_round(window * MSS);
        let mut covered = 0;
        for segment in 1..=window {
            self.sent += 1;
            if self.loss_every.is_some_and(|every| self.sent.is_multiple_of(every)) {
                self.now = begin + rtt * segment / window;
                self.congestion(Signal::Loss);
                continue;
            }
            covered += 1;
            if covered == self.per_ack || segment == window {
                self.now = begin + rtt * segment / window;
                self.ack(covered * MSS, rtt);
                covered = 0;
            }
        }
        self.now = begin + rtt;
    }

    /// Segments per round trip over `periods` loss periods, after `warmup` of them.
    pub fn mean_window(&mut self, warmup: u64, periods: u64) -> f64 {
        while self.losses < warmup {
            self.round_trip();
        }
        let (sent, from) = (self.sent, self.now);
        while self.losses < warmup + periods {
            self.round_trip();
        }
        let round_trips = self.now.since(from).as_secs_f64() / self.rtt.as_secs_f64();
        as_float(self.sent - sent) / round_trips
    }
}

pub fn segments(bytes: u64) -> f64 {
    as_float(bytes) / as_float(MSS)
}

#[expect(clippy::cast_precision_loss, reason = "counts of a test are far below 2^53")]
pub fn as_float(count: u64) -> f64 {
    count as f64
}

#[track_caller]
pub fn assert_within(value: f64, expected: f64, tolerance: f64) {
    let error = (value / expected - 1.0).abs();
    assert!(
        error <= tolerance,
        "{value} is {:.3} % from {expected}, more than {:.3} %",
        error * 100.0,
        tolerance * 100.0
    );
}
