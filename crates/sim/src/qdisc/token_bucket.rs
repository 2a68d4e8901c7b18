//! A token bucket: tokens come at a rate, and are kept up to a burst.

use ackclock_units::{Rate, Time};

/// Tokens per byte. At 1 bit/s a token comes every picosecond, so that no rate and no time is ever
/// rounded.
const PER_BYTE: u128 = 8 * 1_000_000_000_000;

/// A token bucket, full at the beginning (Linux `sch_tbf.c` `tbf_change`, `act_police.c`
/// `tcf_police_init`).
#[derive(Clone, Debug)]
pub struct TokenBucket {
    rate: Rate,
    burst_bytes: u64,
    tokens: u128,
    filled_at: Time,
}

impl TokenBucket {
    /// Makes a full bucket of `burst_bytes`.
    #[must_use]
    pub fn new(rate: Rate, burst_bytes: u64) -> Self {
        Self {
            rate,
            burst_bytes,
            tokens: u128::from(burst_bytes) * PER_BYTE,
            filled_at: Time::ZERO,
        }
    }

    /// Rate of the tokens.
    #[must_use]
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Whether a packet of this size could ever pass.
    #[must_use]
    pub fn holds(&self, bytes: u32) -> bool {
        u64::from(bytes) <= self.burst_bytes
    }

    /// First time from `now` on at which there are tokens for a packet; [`Time::MAX`]: never.
    pub fn ready(&mut self, bytes: u32, now: Time) -> Time {
        self.fill(now);
        let missing = (u128::from(bytes) * PER_BYTE).saturating_sub(self.tokens);
        if missing == 0 {
            return now;
        }
        if !self.holds(bytes) || self.rate.as_bps() == 0 {
            return Time::MAX;
        }
        let wait = missing.div_ceil(u128::from(self.rate.as_bps()));
        Time::from_ps(now.as_ps().saturating_add(u64::try_from(wait).unwrap_or(u64::MAX)))
    }

    /// Takes the tokens of a packet at `now`. Returns whether there were enough.
    pub fn take(&mut self, bytes: u32, now: Time) -> bool {
        self.fill(now);
        let needed = u128::from(bytes) * PER_BYTE;
        let has_enough = self.tokens >= needed;
        if has_enough {
            self.tokens -= needed;
        }
        has_enough
    }

    fn fill(&mut self, now: Time) {
        let come = u128::from(self.rate.as_bps()) * u128::from(now.since(self.filled_at).as_ps());
        self.tokens = (self.tokens + come).min(u128::from(self.burst_bytes) * PER_BYTE);
        self.filled_at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000_000;

    /// A bucket whose rate is in bytes per second: 8 bit/s is one.
    #[test]
    fn tokens_come_at_the_rate_and_stop_at_the_burst() {
        let at = |s: u64| Time::from_ps(s * S);
        let mut bucket = TokenBucket::new(Rate::from_bps(8), 10);
        assert!(bucket.take(10, Time::ZERO));
        assert!(!bucket.take(1, Time::from_ps(S - 1)));
        assert_eq!(bucket.ready(4, at(1)), at(4));
        assert!(bucket.take(4, at(4)));
        // Sixteen seconds bring more than fits.
        assert!(bucket.take(10, at(20)) && !bucket.take(1, at(20)));
        assert_eq!(bucket.ready(11, at(20)), Time::MAX);
    }

    /// A third of a byte per second: thirds are not lost, however often one looks.
    #[test]
    fn nothing_is_rounded_away() {
        let mut bucket = TokenBucket::new(Rate::from_bps(3), 1000);
        assert!(bucket.take(1000, Time::ZERO));
        for step in 1..=8_000 {
            bucket.ready(1000, Time::from_ps(step * S / 1000));
        }
        assert_eq!(bucket.ready(4, Time::from_ps(8 * S)), Time::from_ps(32 * S / 3 + 1));
        assert!(bucket.take(3, Time::from_ps(8 * S)) && !bucket.take(1, Time::from_ps(8 * S)));
    }
}
