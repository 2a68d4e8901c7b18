//! The smallest RTT of ten seconds, and `PROBE_RTT`, which empties the pipe when that RTT is old.

use super::{Bbr, Mode};
use crate::{AckEvent, Duration, Rate, Time};

/// Time for which a smallest RTT is believed (`bbr_min_rtt_win_sec`).
const WINDOW: Duration = Duration::from_secs(10);
/// Smallest window, segments (`bbr_cwnd_min_target`). It keeps ACKs coming where every second
/// segment is acknowledged.
pub const MIN_SEGMENTS: u64 = 4;

/// Smallest RTT and the instant at which it was measured.
#[derive(Clone, Debug, Default)]
pub struct MinRtt {
    value: Option<Duration>,
    at: Option<Time>,
}

impl MinRtt {
    pub fn get(&self) -> Option<Duration> {
        self.value
    }

    /// Age of the smallest RTT.
    pub fn age(&self, now: Time) -> Duration {
        self.at.map_or(Duration::ZERO, |at| now.since(at))
    }

    /// Time until the smallest RTT is too old.
    pub fn expires_in(&self, now: Time) -> Duration {
        WINDOW.saturating_sub(self.age(now))
    }
}

/// The dip of the window that measures the RTT.
#[derive(Clone, Debug, Default)]
pub struct ProbeRtt {
    /// Earliest end of the dip. `None`: inflight is not low enough yet.
    ends_at: Option<Time>,
    is_round_over: bool,
    /// Whether what is in flight now says nothing about the bandwidth.
    pub ignores_samples: bool,
    /// Bandwidth estimate before the dip.
    bw_before: Rate,
}

/// Whether the ACK is of a lone short segment, for which a receiver may have delayed it
/// (`FLAG_ACK_MAYBE_DELAYED`).
fn may_be_delayed(ack: &AckEvent, mss: u64) -> bool {
    ack.newly_acked < mss
        && ack.rate.is_some_and(|sample| sample.prior_delivered + ack.newly_acked == ack.delivered)
}

impl Bbr {
    /// Time of the timers' clock, which stands still between its ticks (`tcp_jiffies32`).
    fn jiffies(&self, now: Time) -> Time {
        let clock = (now + self.clock_phase).as_ps();
        Time::from_ps(clock - clock.checked_rem(self.jiffy.as_ps()).unwrap_or(0))
    }

    /// The handshake is over and had the first sample. The next ACK tells its value.
    pub(super) fn begin_min_rtt(&mut self, now: Time) {
        if self.min_rtt.at.is_none() {
            self.min_rtt.at = Some(self.jiffies(now));
        }
    }

    /// Takes in an RTT sample, and begins `PROBE_RTT` when the smallest RTT is too old
    /// (`bbr_update_min_rtt`).
    pub(super) fn update_min_rtt(&mut self, ack: &AckEvent) {
        if self.min_rtt.value.is_none() && !ack.min_rtt.is_zero() {
            self.min_rtt.value = Some(ack.min_rtt);
            self.begin_min_rtt(ack.now);
        }
        // The timers' clock is never ahead of this one.
        let may_have_expired = self.min_rtt.age(ack.now + self.clock_phase) > WINDOW;
        let has_expired = may_have_expired && self.min_rtt.age(self.jiffies(ack.now)) > WINDOW;
        // A sample equal to the smallest does not make that younger (since Linux 5.10): with
        // timestamps of 1 ms equal samples come every few seconds.
        if let Some(rtt) = ack.rtt_sample
            && (self.min_rtt.value.is_none_or(|least| rtt < least)
                || (has_expired && !may_be_delayed(ack, self.mss)))
        {
            self.min_rtt = MinRtt { value: Some(rtt), at: Some(self.jiffies(ack.now)) };
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

    /// Keeps four packets in flight for the configured time and at least a round.
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

    /// Ends `PROBE_RTT` when its time is over, and restores the window
    /// (`bbr_check_probe_rtt_done`).
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
    use super::super::Options;
    use super::*;
    use crate::{CaState, RateSample, Round, Setup};

    const MSS: u64 = 1000;

    /// An ACK of `newly_acked` bytes that were sent when `prior_delivered` of 50 segments were
    /// delivered.
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
            state: CaState::Open,
        }
    }

    #[test]
    fn only_a_lone_short_segment_may_have_been_sat_on() {
        assert!(may_be_delayed(&ack(300, 50 * MSS - 300), MSS));
        assert!(!may_be_delayed(&ack(MSS, 49 * MSS), MSS), "full");
        assert!(!may_be_delayed(&ack(300, 40 * MSS), MSS), "not alone");
    }

    /// Whether there is a dip 10 s after a first RTT of 60 ms, with one more sample in between.
    fn dips_after(later_ms: u64, later_rtt_ms: u64) -> bool {
        let setup = Setup {
            mss: MSS,
            initial_window: 10 * MSS,
            initial_ssthresh: None,
            has_sack: true,
            clock_phase: Duration::ZERO,
            counts_packets: false,
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
