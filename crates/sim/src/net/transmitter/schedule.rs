//! A rate that changes at given times; zero is an outage.

use ackclock_units::{Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Transmitter;
use crate::net::outage::{OutagePlan, common_cycle};

/// Steps of a cycle that are counted when the transmitter is made. Of a longer cycle, each step is
/// walked through whenever something is computed.
const MOST_CYCLE_STEPS: u32 = 1_000_000;
/// Steps that a packet may take. A run has fewer: a packet of more leaves after the run's end.
const MOST_STEPS: u32 = 160_000_000;

/// Capacity of a byte, in units of 1 bit/s times 1 ps. In this unit, bits are exact at any rate.
const PER_BYTE: u128 = 8 * 1_000_000_000_000;

/// Rates from given times on, once or in every cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchedulePlan {
    /// Steps (time, ps; rate, bit/s), ascending. The first is at zero.
    pub rates: Vec<(u64, u64)>,
    /// Length of a cycle after which the steps begin again, ps; `None`: the last rate holds for
    /// ever.
    #[serde(default)]
    pub period_ps: Option<u64>,
    /// Windows in which nothing is sent at any rate.
    #[serde(default)]
    pub outages: Option<OutagePlan>,
}

/// A transmitter whose rate changes at given times. A packet that is being sent when the rate
/// changes goes on at the new rate.
pub struct Schedule {
    plan: SchedulePlan,
    nominal: Option<Rate>,
    cycle: Option<Cycle>,
}

/// Cycles of rates and outages together, which are all alike.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cycle {
    /// Time from which on they are.
    from: Time,
    period_ps: u64,
    /// Capacity of one, in parts of `PER_BYTE`.
    carried: u128,
}

impl Cycle {
    /// Number of whole cycles from `at` to `to`, if all of them are alike.
    fn whole(&self, at: Time, to: Time) -> u64 {
        if at < self.from { 0 } else { to.since(at).as_ps() / self.period_ps }
    }
}

impl Schedule {
    /// Makes the transmitter of a plan. `nominal` is the rate that disciplines assume while the
    /// rate is zero.
    #[must_use]
    pub fn new(plan: &SchedulePlan, nominal: Option<Rate>) -> Self {
        let mut made = Self { plan: plan.clone(), nominal, cycle: None };
        made.cycle = made.count_a_cycle();
        made
    }

    /// Rate at `now`, bit/s, and the time until which it holds.
    fn step(&self, now: Time) -> (u64, Time) {
        let rates = &self.plan.rates;
        let (cycle, within) = match self.plan.period_ps {
            Some(period) if period > 0 => (now.as_ps() / period * period, now.as_ps() % period),
            _ => (0, now.as_ps()),
        };
        let after = rates.partition_point(|(from, _)| *from <= within);
        let bps = after.checked_sub(1).map_or(0, |at| rates[at].1);
        let end = rates.get(after).map(|next| next.0).or(self.plan.period_ps);
        let end = end.map_or(Time::MAX, |end| Time::from_ps(cycle.saturating_add(end)));
        match self.plan.outages.as_ref().map(|outages| outages.at(now)) {
            None => (bps, end),
            // An outage may last for many cycles of the rates.
            Some((true, until)) => (0, until),
            Some((false, until)) => (bps, end.min(until)),
        }
    }

    /// Number of steps without a rate after which there will never be one again.
    fn most_idle_steps(&self) -> usize {
        2 * (self.plan.rates.len()
            + self.plan.outages.as_ref().map_or(0, |outages| outages.windows.len()))
            + 2
    }

    /// The cycle of rates and outages, if there is one and it is not too long.
    fn count_a_cycle(&self) -> Option<Cycle> {
        let rates = self.plan.period_ps.filter(|period| *period > 0);
        let outages = self.plan.outages.as_ref();
        let down = outages.and_then(|outages| outages.period_ps).filter(|period| *period > 0);
        let period_ps = match (rates, down) {
            (Some(rates), Some(down)) => common_cycle(rates, down)?,
            (one, other) => one.or(other)?,
        };
        // Steps that come once are over by then.
        let last_rate = self.plan.rates.last().filter(|_| rates.is_none());
        let windows = outages.filter(|_| down.is_none()).map(|outages| &outages.windows);
        let last_window = windows.and_then(|windows| windows.last());
        let from = last_rate.map_or(0, |(from, _)| *from);
        let from = Time::from_ps(from.max(last_window.map_or(0, |(_, to)| *to)));
        let end = Time::from_ps(from.as_ps().checked_add(period_ps)?);
        let (mut at, mut carried) = (from, 0);
        for _ in 0..MOST_CYCLE_STEPS {
            let (bps, until) = self.step(at);
            let until = until.min(end);
            carried += u128::from(bps) * u128::from(until.since(at).as_ps());
            at = until;
            if at >= end {
                return Some(Cycle { from, period_ps, carried });
            }
        }
        None
    }

    /// Time at which `bytes` that begin at `start` have left, rounded as at a constant rate.
    fn finish(&self, start: Time, bytes: u64) -> Time {
        let mut left = u128::from(bytes) * PER_BYTE;
        let mut at = start;
        let mut idle_steps = 0;
        for _ in 0..MOST_STEPS {
            if let Some(Cycle { from, period_ps, carried }) = self.cycle
                && carried > 0
                && left > carried
                && at >= from
            {
                let cycles = (left - 1) / carried;
                left -= cycles * carried;
                let cycles = u64::try_from(cycles).unwrap_or(u64::MAX);
                let skipped = cycles.saturating_mul(period_ps);
                at = Time::from_ps(at.as_ps().saturating_add(skipped));
            }
            let (bps, end) = self.step(at);
            let capacity = u128::from(bps) * u128::from(end.as_ps().saturating_sub(at.as_ps()));
            if capacity >= left && bps > 0 {
                let ps = u64::try_from((left + u128::from(bps / 2)) / u128::from(bps))
                    .unwrap_or(u64::MAX);
                return Time::from_ps(at.as_ps().saturating_add(ps));
            }
            idle_steps = if bps == 0 { idle_steps + 1 } else { 0 };
            if end == Time::MAX || idle_steps > self.most_idle_steps() {
                return Time::MAX;
            }
            left -= capacity;
            at = end;
        }
        Time::MAX
    }
}

impl Transmitter for Schedule {
    fn ready(&mut self, now: Time) -> Time {
        let mut at = now;
        for _ in 0..=self.most_idle_steps() {
            let (bps, end) = self.step(at);
            if bps > 0 || end == Time::MAX {
                return if bps > 0 { at } else { Time::MAX };
            }
            at = end;
        }
        Time::MAX
    }

    fn send(&mut self, start: Time, size: u32) -> Time {
        self.finish(start, u64::from(size))
    }

    fn rate(&self, now: Time) -> Option<Rate> {
        match self.step(now).0 {
            0 => self.nominal,
            bps => Some(Rate::from_bps(bps)),
        }
    }

    fn drained(&self, start: Time, bytes: u64) -> Time {
        self.finish(start, bytes)
    }

    #[expect(clippy::cast_precision_loss, reason = "a part in 2^53 of the capacity")]
    fn capacity(&self, from: Time, to: Time) -> Option<f64> {
        let mut sum = 0;
        let mut at = from;
        while at < to {
            if let Some(cycle) = &self.cycle {
                let cycles = cycle.whole(at, to);
                sum += cycle.carried * u128::from(cycles);
                at = Time::from_ps(at.as_ps() + cycles * cycle.period_ps);
            }
            let (bps, end) = self.step(at);
            let end = end.min(to);
            sum += u128::from(bps) * u128::from(end.since(at).as_ps());
            at = end;
        }
        Some(sum as f64 / PER_BYTE as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000_000;

    /// A schedule whose rates are in bytes per second: 8 bit/s is one.
    fn schedule(rates: &[(u64, u64)], period: Option<u64>, outages: &[(u64, u64)]) -> Schedule {
        let plan = SchedulePlan {
            rates: rates.iter().map(|(s, bps)| (s * S, *bps)).collect(),
            period_ps: period.map(|s| s * S),
            outages: (!outages.is_empty()).then(|| OutagePlan {
                windows: outages.iter().map(|(from, to)| (from * S, to * S)).collect(),
                period_ps: None,
            }),
        };
        Schedule::new(&plan, Some(Rate::from_bps(8)))
    }

    fn at(s: u64) -> Time {
        Time::from_ps(s * S)
    }

    #[test]
    fn a_packet_goes_on_at_the_new_rate_and_waits_out_an_outage() {
        let mut steps = schedule(&[(0, 8), (10, 0), (12, 16)], None, &[]);
        assert_eq!(steps.send(Time::ZERO, 4), at(4));
        assert_eq!(steps.send(at(8), 4), at(13));
        assert_eq!(steps.ready(at(11)), at(12));
        assert_eq!(steps.rate(at(12)), Some(Rate::from_bps(16)));
        assert_eq!(steps.rate(at(11)), Some(Rate::from_bps(8)));
    }

    #[test]
    fn a_cycle_begins_anew_and_an_end_without_rate_is_for_ever() {
        let mut cycle = schedule(&[(0, 8), (1, 0)], Some(2), &[]);
        assert_eq!(cycle.send(Time::ZERO, 2), at(3));
        assert_eq!(cycle.ready(at(5)), at(6));
        let mut ends = schedule(&[(0, 8), (1, 0)], None, &[]);
        assert_eq!(ends.send(Time::ZERO, 2), Time::MAX);
        assert_eq!(ends.ready(at(1)), Time::MAX);
    }

    /// A link of 1 byte a second, for half a second. In whole bytes its busy time would be 0, and
    /// would jump where a run ends a picosecond later.
    #[test]
    fn a_capacity_has_parts_of_bytes() {
        let slow = schedule(&[(0, 8)], None, &[]);
        assert_eq!(slow.capacity(Time::ZERO, Time::from_ps(S / 2)), Some(0.5));
        assert_eq!(slow.capacity(Time::ZERO, Time::ZERO), Some(0.0));
    }

    #[test]
    fn an_outage_lasts_for_many_cycles() {
        let mut cycle = schedule(&[(0, 8)], Some(1), &[(10, 100)]);
        assert_eq!(cycle.ready(at(10)), at(100));
        assert_eq!(cycle.send(at(9), 2), at(101));
    }

    #[test]
    fn whole_cycles_are_skipped_to_the_same_end() {
        let mut cycle = schedule(&[(0, 8), (2, 16), (3, 0)], Some(4), &[]);
        // Four bytes a cycle: at 2 s, two at once, then 249 cycles of four, then two: at 1 s of the
        // 250th after.
        assert_eq!(cycle.send(at(2), 1000), at(4 * 250 + 2));
        assert_eq!(cycle.capacity(at(1), at(4001)), Some(4000.0));
    }

    /// Walking through all these cycles would take minutes.
    #[test]
    fn outages_that_come_again_are_skipped_in_whole_cycles() {
        let ms = S / 1000;
        let outages = |from, period_ps| OutagePlan { windows: vec![(from, ms)], period_ps };
        let plan = |rates: &[(u64, u64)], period_ps, outages| SchedulePlan {
            rates: rates.to_vec(),
            period_ps,
            outages: Some(outages),
        };
        // A byte per second, in the first half of each ms.
        let half = Schedule::new(&plan(&[(0, 8)], None, outages(ms / 2, Some(ms))), None);
        assert_eq!(half.finish(Time::ZERO, 1_000_000), Time::from_ps(2_000_000 * S - ms / 2));
        assert_eq!(half.capacity(Time::ZERO, at(17_000_000)), Some(8_500_000.0));
        // The first rate holds for 3 s, and counts apart.
        let later = plan(&[(0, 16), (3 * S, 8)], None, outages(ms / 2, Some(ms)));
        let later = Schedule::new(&later, None);
        assert_eq!(later.finish(Time::ZERO, 1_000_003), Time::from_ps(2_000_003 * S - ms / 2));
        assert_eq!(later.capacity(at(1), at(10_000_003)), Some(2.0 + 5_000_000.0));
        // Two cycles that end together after 3 ms: up in halves of the first and the third ms.
        let both = plan(&[(0, 8), (ms, 0), (ms * 2, 8)], Some(ms * 3), outages(ms / 2, Some(ms)));
        let both = Schedule::new(&both, None);
        assert_eq!(both.cycle.map(|cycle| cycle.period_ps), Some(ms * 3));
        assert_eq!(both.capacity(Time::ZERO, at(3_000_000)), Some(1_000_000.0));
        // A link that is up for a ps in each ms sends no byte before the clock ends.
        let never = Schedule::new(&plan(&[(0, 8)], None, outages(1, Some(ms))), None);
        assert_eq!(never.finish(Time::ZERO, 1), Time::MAX);
    }

    #[test]
    fn outages_stop_the_transmitter_whatever_the_rate() {
        let mut down = schedule(&[(0, 8), (6, 16)], None, &[(2, 4), (5, 7)]);
        assert_eq!(down.send(Time::ZERO, 3), at(5));
        assert_eq!(down.ready(at(5)), at(7));
        assert_eq!(down.ready(at(4)), at(4));
        assert_eq!(down.capacity(Time::ZERO, at(8)), Some(2.0 + 1.0 + 2.0));
        assert_eq!(down.drained(at(1), 4), at(8));
    }
}
