//! A rate that changes at given times; zero is an outage.

use ackclock_units::{Rate, Time};
use serde::{Deserialize, Serialize};

use super::Transmitter;

/// Rates from given times on, and whether they begin anew after the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchedulePlan {
    /// (from when, ps; rate, bit/s), ascending; the first begins at zero.
    pub rates: Vec<(u64, u64)>,
    /// Length of a cycle after which they begin anew, ps; nothing: the last holds for ever.
    #[serde(default)]
    pub period_ps: Option<u64>,
}

/// A packet that is being sent when the rate changes goes on at the new one.
pub struct Schedule {
    plan: SchedulePlan,
}

impl Schedule {
    /// The plan's.
    #[must_use]
    pub fn new(plan: &SchedulePlan) -> Self {
        Self { plan: plan.clone() }
    }

    /// The rate at `now`, bit/s, and until when it holds.
    fn step(&self, now: Time) -> (u64, Time) {
        let rates = &self.plan.rates;
        let (cycle, within) = match self.plan.period_ps {
            Some(period) if period > 0 => (now.as_ps() / period * period, now.as_ps() % period),
            _ => (0, now.as_ps()),
        };
        let after = rates.partition_point(|(from, _)| *from <= within);
        let bps = after.checked_sub(1).map_or(0, |at| rates[at].1);
        let end = rates.get(after).map(|next| next.0).or(self.plan.period_ps);
        (bps, end.map_or(Time::MAX, |end| Time::from_ps(cycle.saturating_add(end))))
    }
}

impl Transmitter for Schedule {
    fn ready(&mut self, now: Time) -> Time {
        let mut at = now;
        // A cycle has a rate above zero, or there is no other.
        for _ in 0..=self.plan.rates.len() + 1 {
            let (bps, end) = self.step(at);
            if bps > 0 || end == Time::MAX {
                return if bps > 0 { at } else { Time::MAX };
            }
            at = end;
        }
        Time::MAX
    }

    fn send(&mut self, start: Time, size: u32) -> Time {
        // Bits times picoseconds per second: exact, whatever the rates.
        let mut left = u128::from(size) * 8 * 1_000_000_000_000;
        let mut at = start;
        let mut idle_steps = 0;
        loop {
            let (bps, end) = self.step(at);
            let capacity = u128::from(bps).saturating_mul(u128::from(end.as_ps().saturating_sub(at.as_ps())));
            if capacity >= left && bps > 0 {
                let ps = u64::try_from(left.div_ceil(u128::from(bps))).unwrap_or(u64::MAX);
                return Time::from_ps(at.as_ps().saturating_add(ps));
            }
            idle_steps = if bps == 0 { idle_steps + 1 } else { 0 };
            if end == Time::MAX || idle_steps > self.plan.rates.len() + 1 {
                return Time::MAX;
            }
            left -= capacity;
            at = end;
        }
    }

    fn rate(&self, now: Time) -> Option<Rate> {
        Some(Rate::from_bps(self.step(now).0.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000_000;

    #[test]
    fn a_packet_goes_on_at_the_new_rate_and_waits_out_an_outage() {
        // 8 bit/s is a byte per second.
        let mut steps = Schedule::new(&SchedulePlan {
            rates: vec![(0, 8), (10 * S, 0), (12 * S, 16)],
            period_ps: None,
        });
        assert_eq!(steps.send(Time::ZERO, 4), Time::from_ps(4 * S));
        assert_eq!(steps.send(Time::from_ps(8 * S), 4), Time::from_ps(13 * S));
        assert_eq!(steps.ready(Time::from_ps(11 * S)), Time::from_ps(12 * S));
        assert_eq!(steps.rate(Time::from_ps(12 * S)), Some(Rate::from_bps(16)));
    }

    #[test]
    fn a_cycle_begins_anew_and_an_end_without_rate_is_for_ever() {
        let mut cycle = Schedule::new(&SchedulePlan {
            rates: vec![(0, 8), (S, 0)],
            period_ps: Some(2 * S),
        });
        assert_eq!(cycle.send(Time::ZERO, 2), Time::from_ps(3 * S));
        assert_eq!(cycle.ready(Time::from_ps(5 * S)), Time::from_ps(6 * S));
        let mut ends = Schedule::new(&SchedulePlan {
            rates: vec![(0, 8), (S, 0)],
            period_ps: None,
        });
        assert_eq!(ends.send(Time::ZERO, 2), Time::MAX);
        assert_eq!(ends.ready(Time::from_ps(S)), Time::MAX);
    }
}
