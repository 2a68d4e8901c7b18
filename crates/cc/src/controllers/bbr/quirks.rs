//! Faults of ns-3's BBR, with which much of BBR's literature was simulated. They change the inputs
//! that BBR gets.
//!
//! The faults were read in ns-3's history (`src/internet/model/tcp-rate-ops.cc`,
//! `tcp-socket-base.cc`, `tcp-bbr.cc`). Each is named with its issue in ns-3's tracker and the
//! release that mended it.
//!
//! Some differences to Linux are not modelled, because later releases have them too. ns-3 leaves
//! room for three segments in the hosts instead of three bursts, searches no policers, and measures
//! ACK aggregation by whole seconds. An ACK of older segments repeats a sample.

use std::collections::VecDeque;

use crate::{AckEvent, Duration, Rate, RateSample, Time};

/// Names that a user may choose.
pub const CHOICES: &[&str] = &[
    "none",
    "ns3.35",
    "ns3.41",
    "ns3.42",
    "ns3.43",
    "intervals",
    "dips",
    "intervals+dips",
    "stale",
    "srtt",
];

/// Set of faults.
#[expect(clippy::struct_excessive_bools, reason = "independent faults")]
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    /// The ACK interval of a sample begins where that of the sample before began. It is too long by
    /// the time between two ACKs, and after an invalid sample it begins with the simulation (issue
    /// 1026, until 3.41).
    intervals: bool,
    /// Where there is no valid sample, the last one counts again as a present one (issue 735, until
    /// 3.42).
    stale: bool,
    /// The pacing rate lacks the margin of 1 % (issue 580, until 3.42).
    pub no_margin: bool,
    /// The smoothed RTT stands for the RTT, in the smallest RTT and in the shortest interval that
    /// is believed (issue 1043, until 3.43).
    srtt: bool,
    /// Samples of `PROBE_RTT`'s dip count in full (issue 1013, until 3.45).
    dips: bool,
}

impl Faults {
    /// No faults, as in Linux.
    pub const NONE: Self =
        Self { intervals: false, stale: false, no_margin: false, srtt: false, dips: false };

    /// Faults of a release, or single faults by name. A named release stands for all until the next
    /// named one.
    pub fn named(name: &str) -> Self {
        let from = |release: u32| Self {
            intervals: release < 41,
            stale: release < 42,
            no_margin: release < 42,
            srtt: release < 43,
            dips: release < 45,
        };
        match name {
            "ns3.35" => from(35),
            "ns3.41" => from(41),
            "ns3.42" => from(42),
            "ns3.43" => from(43),
            _ => Self {
                intervals: name.contains("intervals"),
                stale: name == "stale",
                srtt: name == "srtt",
                dips: name.contains("dips"),
                ..Self::NONE
            },
        }
    }

    fn any(self) -> bool {
        self.intervals || self.stale || self.no_margin || self.srtt || self.dips
    }
}

/// Turns good ACKs into faulty ones.
#[derive(Clone, Debug)]
pub struct Quirks {
    faults: Faults,
    /// (bytes delivered, instant at which they were) at each ACK since the segments in flight were
    /// sent.
    reached: VecDeque<(u64, Time)>,
    /// Instant at which the last sample's ACK interval began, and the bytes delivered then.
    began: Time,
    prior_delivered: u64,
    last: Option<RateSample>,
    least_srtt: Duration,
}

impl Quirks {
    /// `None` without faults: nothing is kept then.
    pub fn new(faults: Faults) -> Option<Box<Self>> {
        faults.any().then(|| {
            Box::new(Self {
                faults,
                reached: VecDeque::new(),
                began: Time::ZERO,
                prior_delivered: 0,
                last: None,
                least_srtt: Duration::MAX,
            })
        })
    }

    pub fn believes_dips(&self) -> bool {
        self.faults.dips
    }

    /// The clock of samples begins again, because nothing is in flight.
    pub fn on_transmit_start(&mut self, now: Time) {
        let delivered = self.reached.back().map_or(0, |&(delivered, _)| delivered);
        self.reached.clear();
        self.reached.push_back((delivered, now));
    }

    /// The ACK that a faulty BBR sees.
    pub fn faulty(&mut self, ack: &AckEvent) -> AckEvent {
        let mut ack_seen = *ack;
        if self.faults.srtt && !ack.srtt.is_zero() {
            self.least_srtt = self.least_srtt.min(ack.srtt);
            ack_seen.rtt_sample = Some(ack.srtt);
            ack_seen.min_rtt = self.least_srtt;
        }
        let sample = ack.rate.and_then(|sample| self.sample(sample, ack_seen.min_rtt, ack.now));
        ack_seen.rate = if self.faults.stale { sample.or(self.last) } else { sample };
        self.last = ack_seen.rate;
        if ack.newly_acked > 0 {
            self.reached.push_back((ack.delivered, ack.now));
        }
        ack_seen
    }

    fn sample(&mut self, sample: RateSample, least: Duration, now: Time) -> Option<RateSample> {
        if !self.faults.intervals {
            return (sample.interval >= least).then_some(sample);
        }
        let (began, prior_delivered) = (self.began, self.prior_delivered);
        if prior_delivered == 0 || sample.prior_delivered > prior_delivered {
            self.began = self.reached_at(sample.prior_delivered).unwrap_or(began);
            self.prior_delivered = sample.prior_delivered;
        }
        let interval = sample.interval.max(now.since(began));
        if interval < least {
            self.began = Time::ZERO;
            return None;
        }
        Some(RateSample {
            interval,
            delivery_rate: Rate::of(sample.delivered, interval).min(sample.delivery_rate),
            ..sample
        })
    }

    fn reached_at(&mut self, delivered: u64) -> Option<Time> {
        while self.reached.front().is_some_and(|&(then, _)| then < delivered) {
            self.reached.pop_front();
        }
        self.reached.front().map(|&(_, at)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CaState, Round};

    const MSS: u64 = 1000;
    const RTT: Duration = Duration::from_millis(4);

    /// ACK at `ms` on a path of 4 ms, with four segments in flight and an ACK each millisecond.
    fn ack(ms: u64, srtt: Duration) -> AckEvent {
        let delivered = (ms - 3) * MSS;
        AckEvent {
            now: Time::ZERO + Duration::from_millis(ms),
            newly_acked: MSS,
            credited: MSS,
            newly_lost: 0,
            newly_marked: 0,
            rtt_sample: Some(RTT),
            srtt,
            rttvar: Duration::ZERO,
            min_rtt: RTT,
            one_way_delay: None,
            inflight: 3 * MSS,
            prior_inflight: 4 * MSS,
            delivered,
            rate: Some(RateSample {
                delivery_rate: Rate::of(4 * MSS, RTT),
                interval: RTT,
                delivered: 4 * MSS,
                prior_delivered: delivered.saturating_sub(4 * MSS),
                lost: 0,
                tx_in_flight: 4 * MSS,
                is_app_limited: false,
            }),
            round: Round::default(),
            pacing_wait: Duration::ZERO,
            is_cwnd_limited: true,
            in_recovery: false,
            state: CaState::Open,
        }
    }

    /// State and last ACK after a hundred such ACKs.
    fn settled(name: &str) -> (Box<Quirks>, AckEvent) {
        let mut quirks = Quirks::new(Faults::named(name)).expect("faults");
        quirks.on_transmit_start(Time::ZERO);
        let ack = (4..=103).map(|ms| quirks.faulty(&ack(ms, RTT * 2))).last().expect("a hundred");
        (quirks, ack)
    }

    fn rate(ack: &AckEvent) -> Option<Rate> {
        ack.rate.map(|sample| sample.delivery_rate)
    }

    #[test]
    fn no_faults_no_quirks() {
        assert!(Quirks::new(Faults::named("none")).is_none());
    }

    #[test]
    fn an_interval_is_too_long_by_the_time_between_two_acks() {
        assert_eq!(
            rate(&settled("intervals").1),
            Some(Rate::of(4 * MSS, Duration::from_millis(5)))
        );
        assert_eq!(rate(&settled("dips").1), Some(Rate::of(4 * MSS, RTT)));
    }

    #[test]
    fn after_an_invalid_sample_the_interval_begins_with_the_simulation() {
        let (mut quirks, _) = settled("intervals");
        let mut short = ack(104, RTT);
        short.min_rtt = RTT * 2;
        assert_eq!(rate(&quirks.faulty(&short)), None);
        assert_eq!(
            rate(&quirks.faulty(&ack(105, RTT))),
            Some(Rate::of(4 * MSS, Duration::from_millis(105)))
        );
        assert_eq!(
            rate(&quirks.faulty(&ack(106, RTT))),
            Some(Rate::of(4 * MSS, Duration::from_millis(5)))
        );
    }

    #[test]
    fn without_a_sample_the_last_counts_again() {
        let mut nothing = ack(104, RTT);
        nothing.rate = None;
        assert_eq!(rate(&settled("stale").0.faulty(&nothing)), Some(Rate::of(4 * MSS, RTT)));
        assert_eq!(rate(&settled("dips").0.faulty(&nothing)), None);
    }

    #[test]
    fn the_rtt_is_the_smoothed_one() {
        let (_, told) = settled("srtt");
        assert_eq!((told.rtt_sample, told.min_rtt), (Some(RTT * 2), RTT * 2));
        assert_eq!(rate(&told), None, "shorter than the smallest smoothed RTT");
    }
}
