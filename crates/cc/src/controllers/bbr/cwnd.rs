//! The congestion window: a multiple of the model's bandwidth-delay product, and what recovery
//! makes of it.

use super::probe_rtt::MIN_SEGMENTS;
use super::{Bbr, Mode};
use crate::cast::{float, integer};
use crate::{AckEvent, Duration, Rate};

/// Safe window while no RTT is known, segments (`TCP_INIT_CWND`).
const INITIAL_SEGMENTS: u64 = 10;
/// Bursts that the hosts hold: one waits to be sent, one is being cut up, and one waits for its ACK
/// at the receiver (`bbr_quantization_budget`).
const BURSTS_IN_HOSTS: u64 = 3;
/// Segments that a probe may add where the bandwidth-delay product is small.
const PROBE_SEGMENTS: u64 = 2;

/// State of the sender's loss recovery.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
enum Episode {
    #[default]
    Open,
    Recovery,
    Loss,
}

/// Loss recovery of BBR: packets are conserved for a round, then the window grows, and afterwards
/// the window from before is restored.
#[derive(Clone, Debug, Default)]
pub struct Recovery {
    now: Episode,
    /// State at the last ACK.
    before: Episode,
    is_conserving: bool,
    /// Window before recovery or `PROBE_RTT`, bytes.
    saved_cwnd: u64,
}

impl Recovery {
    pub fn begin(&mut self) {
        self.now = Episode::Recovery;
    }

    /// Begins the episode of a timeout. The window restarts, and packets are not conserved.
    pub fn begin_loss(&mut self) {
        self.now = Episode::Loss;
        self.before = Episode::Loss;
    }

    pub fn end(&mut self) {
        self.now = Episode::Open;
    }

    pub fn end_conservation(&mut self) {
        self.is_conserving = false;
    }

    /// Whether a packet is sent for each that is delivered.
    pub fn is_conserving(&self) -> bool {
        self.is_conserving
    }

    pub fn saved_cwnd(&self) -> u64 {
        self.saved_cwnd
    }
}

impl Bbr {
    /// The model's bandwidth-delay product times `gain`, segments, rounded up (`bbr_bdp`).
    fn bdp(&self, bw: Rate, gain: f64) -> u64 {
        let Some(min_rtt) = self.min_rtt.get() else {
            return INITIAL_SEGMENTS;
        };
        let bytes = float(bw.as_bps()) / 8.0 * min_rtt.as_secs_f64() * gain;
        let segments = bytes / float(self.mss);
        let whole = integer(segments);
        whole.saturating_add(u64::from(float(whole) < segments))
    }

    /// A window of `segments` with room for what the two hosts hold, bytes
    /// (`bbr_quantization_budget`).
    fn with_budget(&self, segments: u64) -> u64 {
        let segments = segments.saturating_add(BURSTS_IN_HOSTS * self.pacing.burst_segments());
        // An even number, for receivers that acknowledge every second segment.
        let even = segments.saturating_add(segments % 2);
        let is_probing = self.mode == Mode::ProbeBw && self.cycle.is_probing();
        let probe = if is_probing { PROBE_SEGMENTS } else { 0 };
        even.saturating_add(probe).saturating_mul(self.mss)
    }

    /// Bytes in flight at that bandwidth and gain (`bbr_inflight`).
    pub(super) fn inflight_target(&self, bw: Rate, gain: f64) -> u64 {
        self.with_budget(self.bdp(bw, gain))
    }

    /// Bytes that will be in flight when the next burst leaves (`bbr_packets_in_net_at_edt`). The
    /// burst counts while the pacing gain is above 1.
    pub(super) fn in_network(&self, inflight: u64, pacing_wait: Duration) -> u64 {
        let burst = if self.pacing_gain > 1.0 { self.pacing.burst_segments() } else { 0 };
        let delivered = self.bw().bytes_in(pacing_wait) / self.mss;
        (inflight + burst * self.mss).saturating_sub(delivered.saturating_mul(self.mss))
    }

    /// Window that the model asks for, bytes.
    pub(super) fn target_cwnd(&self) -> u64 {
        let mut segments = self.bdp(self.bw(), self.cwnd_gain);
        if self.full_pipe.is_reached {
            segments = segments.saturating_add(self.aggregation.allowance(self.bw()) / self.mss);
        }
        self.with_budget(segments).saturating_sub(self.shrink.whole_bytes())
    }

    /// Saves the window before recovery or `PROBE_RTT` cuts it (`bbr_save_cwnd`).
    pub(super) fn save_cwnd(&mut self) {
        let is_good = self.recovery.before < Episode::Recovery && self.mode != Mode::ProbeRtt;
        let least = if is_good { 0 } else { self.recovery.saved_cwnd };
        self.recovery.saved_cwnd = self.cwnd.max(least);
    }

    /// Moves the window towards the target by the acknowledged bytes (`bbr_set_cwnd`).
    pub(super) fn update_cwnd(&mut self, ack: &AckEvent) {
        let least = MIN_SEGMENTS * self.mss;
        if ack.newly_acked > 0 {
            self.cwnd = self.after_recovery(ack);
            if !self.recovery.is_conserving {
                let target = self.target_cwnd();
                if self.full_pipe.is_reached {
                    self.cwnd = (self.cwnd + ack.newly_acked).min(target);
                } else if self.cwnd < target
                    || ack.delivered + self.mss < INITIAL_SEGMENTS * self.mss
                {
                    // Linux counts the SYN among what was delivered.
                    self.cwnd += ack.newly_acked;
                }
                self.cwnd = self.cwnd.max(least);
            }
        }
        if self.mode == Mode::ProbeRtt {
            self.cwnd = self.cwnd.min(least);
        }
    }

    /// Window after the losses of this ACK: conserved in the first round of recovery, restored at
    /// its end (`bbr_set_cwnd_to_recover_or_restore`).
    fn after_recovery(&mut self, ack: &AckEvent) -> u64 {
        let mut cwnd = self.cwnd.saturating_sub(ack.newly_lost).max(self.mss);
        // Linux counts packets. What is in flight is at least one, even a lone FIN.
        let in_use = (ack.inflight + ack.newly_acked).max(self.mss);
        let recovery = &mut self.recovery;
        if recovery.now == Episode::Recovery && recovery.before != Episode::Recovery {
            recovery.is_conserving = true;
            self.rounds.ends_at = ack.delivered;
            cwnd = in_use;
        } else if recovery.before >= Episode::Recovery && recovery.now < Episode::Recovery {
            recovery.is_conserving = false;
            cwnd = cwnd.max(recovery.saved_cwnd);
        }
        recovery.before = recovery.now;
        if recovery.is_conserving { cwnd.max(in_use) } else { cwnd }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Options;
    use super::*;
    use crate::{CongestionControl as _, CongestionEvent, Setup, Signal, Time};
    use rand_core::SeedableRng as _;

    const MSS: u64 = 1000;

    /// ssthresh after a recovery from a window of 21 that proved spurious, and during which
    /// ssthresh was set to eight segments.
    fn undone(before: Option<u64>) -> Option<u64> {
        let setup = Setup {
            mss: MSS,
            initial_window: 21 * MSS,
            initial_ssthresh: None,
            has_sack: true,
            clock_phase: Duration::ZERO,
            counts_packets: false,
        };
        let mut bbr = Bbr::new(&setup, Options::LINUX);
        bbr.ssthresh = before;
        let loss = CongestionEvent {
            signal: Signal::Loss,
            now: Time::ZERO,
            inflight: 20 * MSS,
            newly_lost: MSS,
            srtt: Duration::from_millis(100),
            min_rtt: Duration::from_millis(100),
            delivered: 50 * MSS,
        };
        bbr.on_congestion(&loss, &mut crate::Rng::seed_from_u64(1));
        bbr.ssthresh = Some(8 * MSS);
        bbr.on_spurious(Time::ZERO);
        bbr.ssthresh
    }

    /// As `tcp_current_ssthresh`: half and a quarter of 21 segments are 10 and 5.
    #[test]
    fn an_undo_leaves_ssthresh_at_three_quarters_of_the_window_at_least() {
        assert_eq!(undone(Some(10 * MSS)), Some(15 * MSS));
        assert_eq!(undone(Some(19 * MSS)), Some(19 * MSS));
        assert_eq!(undone(None), None, "it was not known before");
    }
}
