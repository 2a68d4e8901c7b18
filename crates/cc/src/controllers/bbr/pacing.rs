//! The pacing rate: the bandwidth estimate times a gain, less 1 % so that the queue tends to be
//! short.

use super::Bbr;
use crate::{AckEvent, Duration, Rate};

/// Share of the rate at which BBR paces (`bbr_pacing_margin_percent`).
const MARGIN: f64 = 0.99;
/// RTT that is assumed before the first sample.
const NOMINAL_RTT: Duration = Duration::from_millis(1);
/// One packet of 1500 bytes per 2^24 us: the least rate that Linux's unit of bandwidth can express.
/// With a rate of zero nothing would ever be sent again.
const SLOWEST: Rate = Rate::from_bps(715);
/// Rate below which a burst is one segment (`bbr_min_tso_rate`).
const SINGLE_SEGMENT_RATE: Rate = Rate::from_bps(1_200_000);
/// A burst is what passes in 1/1024 s, within what the host hands over at once
/// (`bbr_tso_segs_goal`).
const BURSTS_PER_SECOND: u64 = 1024;
const MAX_BURST_BYTES: u64 = 65_215;
const MAX_BURST_SEGMENTS: u64 = 127;

/// The pacing rate.
#[derive(Clone, Debug)]
pub struct Pacing {
    rate: Rate,
    /// Segments that leave at once at this rate.
    burst: u64,
    mss: u64,
    /// Share of the requested rate at which BBR paces.
    margin: f64,
    has_seen_rtt: bool,
}

impl Pacing {
    /// Rate before an RTT is known (`bbr_init_pacing_rate_from_rtt`).
    pub fn new(initial_window: u64, mss: u64, high_gain: f64, has_margin: bool) -> Self {
        let margin = if has_margin { MARGIN } else { 1.0 };
        let rate = paced(Rate::of(initial_window, NOMINAL_RTT), high_gain * margin);
        Self { rate, burst: burst_at(rate, mss), mss, margin, has_seen_rtt: false }
    }

    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Sets the rate (`bbr_set_pacing_rate`). Until the pipe is full it only rises, so that a low
    /// sample does not slow STARTUP.
    pub fn set(&mut self, bw: Rate, gain: f64, may_fall: bool) {
        // Before the first sample there is nothing to pace by.
        if bw.as_bps() == 0 {
            return;
        }
        let rate = paced(bw, gain * self.margin);
        if rate > self.rate || may_fall && rate < self.rate {
            self.pace_at(rate);
        }
    }

    fn pace_at(&mut self, rate: Rate) {
        self.rate = rate;
        self.burst = burst_at(rate, self.mss);
    }

    /// Segments that leave at once at this rate.
    pub fn burst_segments(&self) -> u64 {
        self.burst
    }
}

fn burst_at(rate: Rate, mss: u64) -> u64 {
    let smallest = if rate < SINGLE_SEGMENT_RATE { 1 } else { 2 };
    let bytes = (rate.as_bps() / 8 / BURSTS_PER_SECOND).min(MAX_BURST_BYTES);
    (bytes / mss).max(smallest).min(MAX_BURST_SEGMENTS)
}

fn paced(bw: Rate, gain: f64) -> Rate {
    bw.scale(gain).max(SLOWEST)
}

impl Bbr {
    /// Turns the window into a rate with the first RTT (`bbr_init_pacing_rate_from_rtt`).
    pub(super) fn see_rtt(&mut self, rtt: Duration) {
        if !self.pacing.has_seen_rtt && !rtt.is_zero() {
            self.pacing.has_seen_rtt = true;
            let gain = self.options.high_gain * self.pacing.margin;
            self.pacing.pace_at(paced(Rate::of(self.cwnd, rtt), gain));
        }
    }

    pub(super) fn update_pacing_rate(&mut self, ack: &AckEvent) {
        self.see_rtt(ack.srtt);
        self.pacing.set(self.bw(), self.pacing_gain, self.full_pipe.is_reached);
    }
}
