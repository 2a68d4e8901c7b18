//! The used part of the congestion window: an unused window must not grow (Linux's
//! `tcp_cwnd_validate`), and shrinks after a while. The window's pacing rate is here, too.

use ackclock_units::{Duration, Rate, Time};

use crate::transport::offload;
use crate::transport::scoreboard::Scoreboard;

/// The used part of the window. Bytes fit into 32 bits, because a window is less than 2^30 (RFC
/// 7323 section 2.3); there are many connections.
#[derive(Default)]
pub(super) struct WindowUse {
    /// Sequence number at whose acknowledgment the verdict ends.
    until: u64,
    /// When the window was last full, changed or confirmed by an ACK (Linux's `snd_cwnd_stamp`).
    confirmed_at: Time,
    /// Most bytes outstanding while the verdict holds.
    max_outstanding: u32,
    /// Most bytes outstanding since the window was last full or shrunk (Linux's `snd_cwnd_used`).
    used: u32,
    /// The window or the bytes outstanding, the larger one, when an ACK last set the pacing rate.
    rate_window: u32,
    /// The window was at least half of ssthresh when an ACK last set the pacing rate.
    is_past_half: bool,
    /// The verdict: cwnd was the limit.
    is_cwnd_limited: bool,
}

impl WindowUse {
    /// Judges the window by the bytes outstanding. `is_cwnd_limited`: cwnd allows no more.
    #[inline]
    pub fn judge(&mut self, board: &Scoreboard, outstanding: u32, is_cwnd_limited: bool) {
        if board.una() >= self.until
            || is_cwnd_limited
            || (!self.is_cwnd_limited && outstanding > self.max_outstanding)
        {
            self.is_cwnd_limited = is_cwnd_limited;
            self.max_outstanding = outstanding;
            self.until = board.next();
        }
    }

    /// Whether the window may grow; in slow start to twice its use (Linux's `tcp_is_cwnd_limited`).
    #[inline]
    pub fn may_grow(&self, cwnd: u64, in_slow_start: bool) -> bool {
        self.is_cwnd_limited || (in_slow_start && cwnd < 2 * u64::from(self.max_outstanding))
    }

    /// The window was changed, or confirmed by an ACK.
    #[inline]
    pub fn confirm(&mut self, now: Time) {
        self.confirmed_at = now;
    }

    /// The window is full, or begins again after idleness.
    #[inline]
    pub fn restart(&mut self, now: Time) {
        (self.used, self.confirmed_at) = (0, now);
    }

    /// The window is not full while `outstanding` bytes are out.
    #[inline]
    pub fn note_used(&mut self, outstanding: u32) {
        self.used = self.used.max(outstanding);
    }

    pub fn used(&self) -> u64 {
        self.used.into()
    }

    /// Time since the window was last full, changed or confirmed by an ACK.
    pub fn unconfirmed_for(&self, now: Time) -> Duration {
        now.since(self.confirmed_at)
    }

    /// Sets the window's pacing rate. Only ACKs do: neither transmissions nor timers change it.
    #[inline]
    pub fn set_rate(&mut self, cwnd: u64, outstanding: u64, ssthresh: Option<u64>) {
        self.rate_window = u32::try_from(cwnd.max(outstanding)).unwrap_or(u32::MAX);
        self.is_past_half = ssthresh.is_some_and(|ssthresh| cwnd >= ssthresh / 2);
    }

    /// Whether a burst at the window's pacing rate surely holds more than `bytes`. False tells
    /// nothing. It takes no quotient, which [`WindowUse::rate`] does.
    #[inline]
    pub fn has_more_per_burst(&self, bytes: u64, srtt: Duration) -> bool {
        let window = u64::from(self.rate_window);
        bytes < offload::MOST_BYTES
            && bytes
                .checked_mul(srtt.as_ps())
                .is_some_and(|product| product < window * offload::PS_PER_BURST)
    }

    /// The window's pacing rate: 200 % of the window per RTT below half of ssthresh, 120 % above
    /// (Linux's `tcp_update_pacing_rate`).
    pub fn rate(&self, srtt: Duration) -> Rate {
        let bps = Rate::of(self.rate_window.into(), srtt).as_bps();
        Rate::from_bps(if self.is_past_half {
            bps.saturating_add(bps / 5)
        } else {
            bps.saturating_mul(2)
        })
    }
}
