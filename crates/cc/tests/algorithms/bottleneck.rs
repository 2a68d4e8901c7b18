//! A path with a bottleneck: one sender, its pacer, a link with a queue, an ACK for each segment,
//! and rate samples.

use std::collections::VecDeque;

use ackclock_cc::registry::build;
use ackclock_cc::{
    AckEvent, CaState, CongestionControl, CongestionEvent, Duration, IntervalStart, LostSegment,
    Rate, RateSample, Rng, Round, RttSample, Setup, Signal, Time,
};
use rand_core::SeedableRng;

use super::driver::{MSS, internal, segments};

/// A segment overtaken by so many counts as lost.
const REORDERING: u64 = 3;

/// A segment that is out.
#[derive(Clone, Copy)]
struct Segment {
    number: u64,
    sent_at: Time,
    /// When its ACK arrives, or would.
    back_at: Time,
    is_dropped: bool,
    delivered: u64,
    delivered_at: Time,
    first_sent_at: Time,
    lost: u64,
    tx_in_flight: u64,
    is_app_limited: bool,
}

pub struct Path {
    pub cc: Box<dyn CongestionControl>,
    pub now: Time,
    pub rate: Rate,
    /// Without queue and transmission.
    pub rtt: Duration,
    /// Segments that may wait.
    pub buffer: u64,
    /// Every so many segments one is dropped.
    pub drop_every: Option<u64>,
    /// ACKs arrive together, at multiples of this.
    pub lumps: Option<Duration>,
    /// Whether the application has data.
    pub has_data: bool,
    pub last_rtt: Duration,
    pub min_rtt: Duration,
    pub in_recovery: bool,
    pub delivered: u64,
    pub dropped: u64,
    flights: VecDeque<Segment>,
    rng: Rng,
    srtt: Option<Duration>,
    sent: u64,
    lost: u64,
    delivered_at: Time,
    first_sent_at: Time,
    last_sent_at: Time,
    app_limited_until: u64,
    gate: Time,
    link_free: Time,
    recovery_point: u64,
    round: Round,
    round_ends: u64,
}

impl Path {
    pub fn new(spec: &str, rate: Rate, rtt: Duration, seed: u64) -> Self {
        let setup = Setup {
            mss: MSS,
            initial_window: 10 * MSS,
            initial_ssthresh: None,
            has_sack: true,
            clock_phase: Duration::ZERO,
            counts_packets: false,
        };
        Self {
            cc: build(spec, &setup).expect("a test's spec is good"),
            now: Time::ZERO,
            rate,
            rtt,
            buffer: u64::MAX,
            drop_every: None,
            lumps: None,
            has_data: true,
            last_rtt: rtt,
            min_rtt: rtt,
            in_recovery: false,
            delivered: 0,
            dropped: 0,
            flights: VecDeque::new(),
            rng: Rng::seed_from_u64(seed),
            srtt: None,
            sent: 0,
            lost: 0,
            delivered_at: Time::ZERO,
            first_sent_at: Time::ZERO,
            last_sent_at: Time::ZERO,
            app_limited_until: 0,
            gate: Time::ZERO,
            link_free: Time::ZERO,
            recovery_point: 0,
            round: Round::default(),
            round_ends: 0,
        }
    }

    pub fn internal(&self, name: &str) -> f64 {
        internal(&*self.cc, name).unwrap_or(f64::NAN)
    }

    /// Bytes out that are not lost.
    pub fn inflight(&self) -> u64 {
        MSS * self.flights.len() as u64
    }

    /// Segments that the path holds without a queue.
    pub fn bdp(&self) -> f64 {
        segments(self.rate.bytes_in(self.rtt))
    }

    /// The next ACK or transmission; whether it was an ACK.
    pub fn step(&mut self) -> bool {
        let may_send = self.has_data && self.inflight() + MSS <= self.cc.decision().cwnd;
        let send_at = if may_send { self.gate.max(self.now) } else { Time::MAX };
        let next_ack =
            self.flights.iter().find(|flight| !flight.is_dropped).map(|flight| flight.back_at);
        match next_ack {
            Some(back_at) if back_at <= send_at => {
                self.now = back_at;
                self.acknowledge();
                true
            }
            None if send_at == Time::MAX => {
                self.now += Duration::from_millis(1);
                false
            }
            _ => {
                self.now = send_at;
                self.send();
                false
            }
        }
    }

    /// Steps until the condition holds after an ACK; panics after ten simulated minutes.
    #[track_caller]
    pub fn until(&mut self, condition: impl Fn(&Self) -> bool) {
        let give_up = self.now + Duration::from_secs(600);
        loop {
            if self.step() && condition(self) {
                return;
            }
            assert!(self.now < give_up, "it did not happen");
        }
    }

    /// Everything that happens in `time`.
    pub fn run(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.step();
        }
    }

    /// The application has nothing more to send for a while.
    pub fn pause(&mut self, time: Duration) {
        self.has_data = false;
        self.app_limited_until = (self.delivered + self.inflight()).max(1);
        self.run(time);
        self.has_data = true;
    }

    /// All that is out counts as lost.
    pub fn time_out(&mut self) {
        let inflight = self.inflight();
        while let Some(flight) = self.flights.pop_front() {
            self.lose(&flight);
        }
        self.congest(Signal::Rto, inflight);
        self.cc.on_loss_window(MSS, self.now);
        self.in_recovery = true;
        // All of it has to be sent again.
        self.recovery_point = self.sent + inflight / MSS;
    }

    /// The first sign of an episode of congestion; nothing is lost of it.
    pub fn signal(&mut self, signal: Signal) {
        self.congest(signal, self.inflight());
    }

    /// Whether the algorithm decides by monitor intervals.
    pub fn keeps_intervals(&mut self) -> bool {
        let start = IntervalStart { number: 0, now: self.now, srtt: self.srtt };
        self.cc.begin_interval(&start, &mut self.rng.clone()).is_some()
    }

    /// Whether the algorithm has drawn from the generator of this seed.
    pub fn has_drawn(&self, seed: u64) -> bool {
        self.rng != Rng::seed_from_u64(seed)
    }

    fn send(&mut self) {
        let inflight = self.inflight();
        if inflight == 0 {
            let idle = self.now.since(self.last_sent_at);
            self.cc.on_transmit_start(self.now, idle, self.app_limited_until > 0);
            self.first_sent_at = self.now;
            self.delivered_at = self.now;
        }
        self.last_sent_at = self.now;
        self.sent += 1;
        let transmission = self.rate.time_for(MSS);
        let waiting = self.link_free.since(self.now).as_ps() / transmission.as_ps();
        let is_dropped = waiting > self.buffer
            || self.drop_every.is_some_and(|every| self.sent.is_multiple_of(every));
        if !is_dropped {
            self.link_free = self.link_free.max(self.now) + transmission;
        }
        self.dropped += u64::from(is_dropped);
        self.flights.push_back(Segment {
            number: self.sent,
            sent_at: self.now,
            back_at: self.back_at(),
            is_dropped,
            delivered: self.delivered,
            delivered_at: self.delivered_at,
            first_sent_at: self.first_sent_at,
            lost: self.lost,
            tx_in_flight: inflight + MSS,
            is_app_limited: self.app_limited_until > 0,
        });
        if let Some(rate) = self.cc.decision().pacing_rate
            && self.sent > 10
        {
            self.gate = self.gate.max(self.now) + rate.time_for(MSS);
        }
    }

    fn back_at(&self) -> Time {
        let exact = self.link_free.max(self.now) + self.rtt;
        self.lumps.map_or(exact, |lump| Time::from_ps(exact.as_ps().next_multiple_of(lump.as_ps())))
    }

    fn lose(&mut self, flight: &Segment) {
        self.lost += MSS;
        self.cc.on_lost(&LostSegment {
            now: self.now,
            seq: flight.number * MSS,
            bytes: MSS,
            delivered: self.delivered,
            sent_at: flight.sent_at,
            tx_in_flight: flight.tx_in_flight,
            lost: self.lost - flight.lost,
            is_app_limited: flight.is_app_limited,
        });
    }

    fn congest(&mut self, signal: Signal, inflight: u64) {
        let event = CongestionEvent {
            signal,
            now: self.now,
            inflight,
            newly_lost: MSS,
            srtt: self.srtt.unwrap_or_default(),
            min_rtt: self.min_rtt,
            delivered: self.delivered,
        };
        self.cc.on_congestion(&event, &mut self.rng);
    }

    fn acknowledge(&mut self) {
        let prior_inflight = self.inflight();
        let at = self.flights.iter().position(|flight| !flight.is_dropped).expect("an ACK is due");
        let flight = self.flights.remove(at).expect("just found");
        let rtt = self.now.since(flight.sent_at);
        self.last_rtt = rtt;
        self.min_rtt = self.min_rtt.min(rtt);
        self.srtt = Some(self.srtt.map_or(rtt, |srtt| (srtt * 7 + rtt) / 8));
        self.delivered += MSS;
        self.delivered_at = self.now;
        self.first_sent_at = flight.sent_at;
        let lost_before = self.lost;
        while let Some(&overtaken) =
            self.flights.front().filter(|f| f.is_dropped && f.number + REORDERING <= flight.number)
        {
            self.flights.pop_front();
            self.lose(&overtaken);
        }
        if self.in_recovery && flight.number > self.recovery_point {
            self.in_recovery = false;
            self.cc.on_recovery_exit(self.now);
        }
        let newly_lost = self.lost - lost_before;
        if newly_lost > 0 && !self.in_recovery {
            self.in_recovery = true;
            self.recovery_point = self.sent;
            self.congest(Signal::Loss, prior_inflight);
        }
        self.tell(&flight, rtt, newly_lost, prior_inflight);
        if self.cc.limits_itself() {
            self.app_limited_until = self.delivered + self.inflight();
        }
    }

    fn tell(&mut self, flight: &Segment, rtt: Duration, newly_lost: u64, prior_inflight: u64) {
        if self.delivered > self.app_limited_until {
            self.app_limited_until = 0;
        }
        self.round.start = flight.delivered >= self.round_ends;
        if self.round.start {
            self.round.count += 1;
            self.round_ends = self.delivered;
        }
        let interval =
            self.now.since(flight.delivered_at).max(flight.sent_at.since(flight.first_sent_at));
        let delivered = self.delivered - flight.delivered;
        let ack = AckEvent {
            now: self.now,
            newly_acked: MSS,
            credited: MSS,
            newly_lost,
            newly_marked: 0,
            rtt_sample: Some(rtt),
            srtt: self.srtt.unwrap_or_default(),
            rttvar: Duration::ZERO,
            min_rtt: self.min_rtt,
            one_way_delay: None,
            inflight: self.inflight(),
            prior_inflight,
            delivered: self.delivered,
            rate: Some(RateSample {
                delivery_rate: Rate::of(delivered, interval),
                interval,
                delivered,
                prior_delivered: flight.delivered,
                lost: self.lost - flight.lost,
                tx_in_flight: flight.tx_in_flight,
                is_app_limited: flight.is_app_limited,
            }),
            round: self.round,
            pacing_wait: self.gate.since(self.now),
            is_cwnd_limited: true,
            in_recovery: self.in_recovery,
            state: if self.in_recovery { CaState::Recovery } else { CaState::Open },
        };
        if self.cc.takes_rtts() {
            self.cc.on_rtt(&RttSample {
                now: self.now,
                rtt,
                srtt: ack.srtt,
                cwnd: self.cc.decision().cwnd,
                una: self.delivered,
                next: self.delivered + ack.inflight,
                recovery_point: 0,
                acked: ack.newly_acked,
                delivered: self.delivered,
                newly_delivered: ack.newly_acked,
                newly_marked: ack.newly_marked,
                state: if self.in_recovery { CaState::Recovery } else { CaState::Open },
                timestamps: None,
            });
        }
        self.cc.on_ack(&ack, &mut self.rng);
    }
}
