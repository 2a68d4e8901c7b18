//! The smallest RTT of ten seconds, and `PROBE_RTT`, which empties the pipe when that has become old.

use super::{Bbr, Mode};
use crate::{AckEvent, Duration, Rate, Time};

/// `bbr_min_rtt_win_sec`.
const WINDOW: Duration = Duration::from_secs(10);
/// `bbr_cwnd_min_target`: what keeps ACKs coming where every second segment is acknowledged.
pub const MIN_SEGMENTS: u64 = 4;

/// The filter.
#[derive(Clone, Debug, Default)]
pub struct MinRtt {
    value: Option<Duration>,
    at: Option<Time>,
}

impl MinRtt {
    pub fn get(&self) -> Option<Duration> {
        self.value
    }

    /// How old it is.
    pub fn age(&self, now: Time) -> Duration {
        self.at.map_or(Duration::ZERO, |at| now.since(at))
    }

    /// How long until it is too old.
    pub fn expires_in(&self, now: Time) -> Duration {
        WINDOW.saturating_sub(self.age(now))
    }
}

/// The dip.
#[derive(Clone, Debug, Default)]
pub struct ProbeRtt {
    /// Low enough in flight since long enough, at this time; `None`: not low enough yet.
    ends_at: Option<Time>,
    is_round_over: bool,
    /// Whether what is in flight now says nothing of the bandwidth.
    pub ignores_samples: bool,
    /// The bandwidth estimate before it.
    bw_before: Rate,
}

/// `FLAG_ACK_MAYBE_DELAYED`: a lone short segment, which a receiver may have sat on.
fn may_be_delayed(ack: &AckEvent, mss: u64) -> bool {
    ack.newly_acked < mss
        && ack
            .rate
            .is_some_and(|sample| sample.prior_delivered + ack.newly_acked == ack.delivered)
}

impl Bbr {
    /// `tcp_jiffies32`: the clock of the timers, which stands still between its ticks.
    fn jiffies(&self, now: Time) -> Time {
        let clock = (now + self.clock_phase).as_ps();
        Time::from_ps(clock - clock.checked_rem(self.jiffy.as_ps()).unwrap_or(0))
    }

    /// The handshake is over, which had the first sample: the next ACK tells it.
    pub(super) fn begin_min_rtt(&mut self, now: Time) {
        if self.min_rtt.at.is_none() {
            self.min_rtt.at = Some(self.jiffies(now));
        }
    }

    /// `bbr_update_min_rtt`.
    pub(super) fn update_min_rtt(&mut self, ack: &AckEvent) {
        if self.min_rtt.value.is_none() && !ack.min_rtt.is_zero() {
            self.min_rtt.value = Some(ack.min_rtt);
            self.begin_min_rtt(ack.now);
        }
        let now = self.jiffies(ack.now);
        let has_expired = self.min_rtt.age(now) > WINDOW;
        // As much as the smallest again does not make it younger (since Linux 5.10): with timestamps of 1 ms that happens every few seconds.
        if let Some(rtt) = ack.rtt_sample
            && (self.min_rtt.value.is_none_or(|least| rtt < least) || (has_expired && !may_be_delayed(ack, self.mss)))
        {
            self.min_rtt = MinRtt {
                value: Some(rtt),
                at: Some(now),
            };
        }
        if has_expired && !self.is_idle_restart && self.mode != Mode::ProbeRtt {
            self.mode = Mode::ProbeRtt;
            self.save_cwnd();
            self.probe_rtt.ends_at = None;
            self.probe_rtt.bw_before = self.max_bw.get();
        }
        self.probe_rtt.ignores_samples = self.mode == Mode::ProbeRtt;
        if self.mode == Mode::ProbeRtt {
            self.continue_probe_rtt(ack);
        }
        if ack.newly_acked > 0 {
            self.is_idle_restart = false;
        }
    }

    /// At four packets for the time set and a round at least.
    fn continue_probe_rtt(&mut self, ack: &AckEvent) {
        if self.probe_rtt.ends_at.is_some() {
            self.probe_rtt.is_round_over |= self.rounds.start;
            if self.probe_rtt.is_round_over {
                self.check_probe_rtt_done(ack.now);
            }
        } else if ack.inflight <= MIN_SEGMENTS * self.mss {
            let duration = Duration::from_secs_f64(self.options.probe_rtt_duration * 1e-3);
            self.probe_rtt.ends_at = Some(self.jiffies(ack.now) + duration);
            self.probe_rtt.is_round_over = false;
            self.rounds.ends_at = ack.delivered;
        }
    }

    /// `bbr_check_probe_rtt_done`.
    pub(super) fn check_probe_rtt_done(&mut self, now: Time) {
        let tick = self.jiffies(now);
        if self.probe_rtt.ends_at.is_none_or(|end| tick <= end) {
            return;
        }
        self.min_rtt.at = Some(tick);
        self.cwnd = self.cwnd.max(self.recovery.saved_cwnd());
        if self.options.carry_over_bw {
            // Huang, Zhu & Wang: more rounds may have passed than the filter looks back.
            let bw = self.probe_rtt.bw_before.max(self.max_bw.get());
            self.max_bw.reset(self.rounds.count, bw);
        }
        self.resume();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bbr::Options;
    use crate::{RateSample, Round, Setup};

    const MSS: u64 = 1000;

    /// An ACK of `newly_acked` bytes that were sent when `prior_delivered` of 50 segments were delivered.
    fn ack(newly_acked: u64, prior_delivered: u64) -> AckEvent {
        let rtt = Duration::from_millis(60);
        AckEvent {
            now: Time::ZERO,
            newly_acked,
            credited: newly_acked,
            newly_lost: 0,
            newly_marked: 0,
            rtt_sample: Some(rtt),
            srtt: rtt,
            rttvar: Duration::ZERO,
            min_rtt: rtt,
            one_way_delay: None,
            inflight: 0,
            prior_inflight: newly_acked,
            delivered: 50 * MSS,
            rate: Some(RateSample {
                delivery_rate: Rate::from_bps(1_000_000),
                interval: rtt,
                delivered: 50 * MSS - prior_delivered,
                prior_delivered,
                lost: 0,
                tx_in_flight: newly_acked,
                is_app_limited: true,
            }),
            round: Round::default(),
            pacing_wait: Duration::ZERO,
            is_cwnd_limited: false,
            in_recovery: false,
        }
    }

    #[test]
    fn only_a_lone_short_segment_may_have_been_sat_on() {
        assert!(may_be_delayed(&ack(300, 50 * MSS - 300), MSS));
        assert!(!may_be_delayed(&ack(MSS, 49 * MSS), MSS), "full");
        assert!(!may_be_delayed(&ack(300, 40 * MSS), MSS), "not alone");
    }

    /// A first RTT of 60 ms and one later: whether there is a dip 10 s after the first.
    fn dips_after(later_ms: u64, later_rtt_ms: u64) -> bool {
        let setup = Setup {
            mss: MSS,
            initial_window: 10 * MSS,
            initial_ssthresh: None,
            has_sack: true,
            clock_phase: Duration::ZERO,
        };
        let mut bbr = Bbr::new(&setup, Options::LINUX);
        for (ms, rtt) in [(0, 60), (later_ms, later_rtt_ms), (10_008, 90)] {
            let mut ack = ack(MSS, 49 * MSS);
            ack.now = Time::ZERO + Duration::from_millis(ms);
            ack.rtt_sample = Some(Duration::from_millis(rtt));
            bbr.update_min_rtt(&ack);
        }
        bbr.mode == Mode::ProbeRtt
    }

    #[test]
    fn only_a_smaller_rtt_puts_the_dip_off() {
        assert!(dips_after(5_000, 61));
        assert!(dips_after(5_000, 60));
        assert!(!dips_after(5_000, 59));
    }
}
