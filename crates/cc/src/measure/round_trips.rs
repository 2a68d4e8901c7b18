//! RTT samples of whole round trips, for algorithms that compare one round with another or with the
//! smallest RTT.

use crate::{AckEvent, Duration};

/// Collects RTT samples round by round.
///
/// A round in which something was repaired or came out of order does not count: its samples belong
/// to the window before, as in Linux's Vegas.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundTrips {
    running: RoundTrip,
    is_whole: bool,
}

/// RTT samples of one round.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundTrip {
    /// Smallest sample.
    pub min: Duration,
    /// Largest sample.
    pub max: Duration,
    sum: f64,
    /// Number of samples.
    pub samples: u32,
}

impl RoundTrip {
    fn add(&mut self, sample: Duration) {
        self.min = if self.samples == 0 { sample } else { self.min.min(sample) };
        self.max = self.max.max(sample);
        self.sum += sample.as_secs_f64();
        self.samples += 1;
    }

    /// Mean RTT, seconds.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.samples.max(1))
    }
}

impl RoundTrips {
    /// Takes in an ACK and returns the round that it ends, if that round was whole and had samples.
    /// Must be called for every ACK in every phase.
    pub fn on_ack(&mut self, ack: &AckEvent) -> Option<RoundTrip> {
        self.on_sample(ack, ack.rtt_sample)
    }

    /// Takes in an ACK whose RTT sample is `sample`, and returns the round that it ends, if that
    /// round was whole and had samples. For algorithms that do not believe every RTT sample.
    pub fn on_sample(&mut self, ack: &AckEvent, sample: Option<Duration>) -> Option<RoundTrip> {
        if ack.in_recovery {
            self.restart();
            return None;
        }
        let mut ended = None;
        if ack.round.start {
            ended = Some(self.running).filter(|round| self.is_whole && round.samples > 0);
            self.running = RoundTrip::default();
            self.is_whole = true;
        }
        if let Some(sample) = sample {
            self.running.add(sample);
        }
        ended
    }

    /// Discards the running round, because the window was cut.
    pub fn restart(&mut self) {
        *self = Self::default();
    }
}

/// Segments of a window that wait at the bottleneck: cwnd (1 - base/RTT), the Diff of Vegas (Brakmo
/// & Peterson 1995).
#[must_use]
pub fn backlog(segments: f64, rtt: Duration, base_rtt: Duration) -> f64 {
    let rtt = rtt.as_secs_f64();
    if rtt > 0.0 { segments * (1.0 - base_rtt.as_secs_f64() / rtt).max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CaState, Round, Time};

    fn ack(start: bool, sample: u64, in_recovery: bool) -> AckEvent {
        let rtt = Duration::from_millis(sample);
        AckEvent {
            now: Time::ZERO,
            newly_acked: 1000,
            credited: 1000,
            newly_lost: 0,
            newly_marked: 0,
            rtt_sample: Some(rtt),
            srtt: rtt,
            rttvar: Duration::ZERO,
            min_rtt: rtt,
            one_way_delay: None,
            inflight: 0,
            prior_inflight: 0,
            delivered: 0,
            rate: None,
            round: Round { start, ..Round::default() },
            pacing_wait: Duration::ZERO,
            is_cwnd_limited: true,
            in_recovery,
            state: CaState::Open,
        }
    }

    #[test]
    fn a_round_counts_from_its_first_ack_to_the_next_rounds() {
        let mut rounds = RoundTrips::default();
        assert!(rounds.on_ack(&ack(false, 90, false)).is_none());
        assert!(rounds.on_ack(&ack(true, 40, false)).is_none(), "what ended had begun unseen");
        assert!(rounds.on_ack(&ack(false, 50, false)).is_none());
        let round = rounds.on_ack(&ack(true, 70, false)).unwrap();
        assert_eq!((round.min, round.max), (Duration::from_millis(40), Duration::from_millis(50)));
        assert!((round.mean() - 0.045).abs() < 1e-12);
        assert_eq!(round.samples, 2);
    }

    #[test]
    fn a_round_with_a_repair_does_not_count() {
        let mut rounds = RoundTrips::default();
        for (start, in_recovery) in [(true, false), (false, true), (true, false)] {
            assert!(rounds.on_ack(&ack(start, 40, in_recovery)).is_none());
        }
        assert!(rounds.on_ack(&ack(true, 40, false)).is_some());
    }

    #[test]
    fn a_quarter_more_rtt_is_a_fifth_of_the_window_queued() {
        assert!(
            (backlog(100.0, Duration::from_millis(50), Duration::from_millis(40)) - 20.0).abs()
                < 1e-9
        );
    }
}
