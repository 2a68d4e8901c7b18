//! A rate that changes at given times; zero is an outage.

use ackclock_units::{Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Transmitter;
use super::carried::{MOST_WALKED, Offer, Series};
use crate::net::outage::OutagePlan;

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
#[derive(Debug)]
pub struct Schedule {
    plan: SchedulePlan,
    nominal: Option<Rate>,
    /// Capacity of a cycle before each step, in parts of `PER_BYTE`, and that of a whole cycle.
    before: Vec<u128>,
}

impl Schedule {
    /// Makes the transmitter of a plan. `nominal` is the rate that disciplines assume while the
    /// rate is zero.
    #[must_use]
    pub fn new(plan: &SchedulePlan, nominal: Option<Rate>) -> Self {
        let ends = plan.rates.iter().skip(1).map(|step| step.0).chain(plan.period_ps);
        // Steps in disorder may pass 2^128; a plan with such is refused.
        let mut sum = 0;
        let before = plan.rates.iter().zip(ends).map(|((from, bps), end)| {
            let span = u128::from(end.saturating_sub(*from));
            sum = u128::wrapping_add(sum, u128::from(*bps) * span);
            sum
        });
        Self { nominal, before: std::iter::once(0).chain(before).collect(), plan: plan.clone() }
    }

    /// Checks that steps and outages are in order.
    ///
    /// # Errors
    /// One line that names the first step that is not.
    pub fn check(&self) -> Result<(), String> {
        let end = self.period_ps().unwrap_or(u64::MAX);
        let mut before = 0;
        for (at, _) in &self.plan.rates {
            if *at < before || *at > end {
                return Err(format!(
                    "rate from {at} ps on: steps are ascending and within their cycle"
                ));
            }
            before = *at;
        }
        Offer::check(self)
    }

    /// Capacity of a whole cycle; 0: none ends.
    fn in_a_cycle(&self) -> u128 {
        self.period_ps().and_then(|_| self.before.last().copied()).unwrap_or(0)
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

    /// Time at which `bytes` that begin at `start` have left, rounded as at a constant rate.
    fn finish(&self, start: Time, bytes: u64) -> Time {
        let (mut left, mut at) = (u128::from(bytes) * PER_BYTE, start);
        for _ in 0..MOST_WALKED {
            let (bps, end) = self.step(at);
            let capacity = u128::from(bps) * u128::from(end.since(at).as_ps());
            if capacity >= left && bps > 0 {
                let ps = u64::try_from((left + u128::from(bps / 2)) / u128::from(bps))
                    .unwrap_or(u64::MAX);
                return Time::from_ps(at.as_ps().saturating_add(ps));
            }
            if end == Time::MAX {
                return Time::MAX;
            }
            left -= capacity;
            at = end;
        }
        let Some(end) = self.reached(at, left) else { return Time::MAX };
        // In its last ps it leaves at the beginning if less than half of the ps is needed.
        let last = Time::from_ps(end.as_ps() - 1);
        let (carried, bps) = (self.carried(last.as_ps()), self.step(last).0);
        let left = left - carried.wrapping_sub(self.carried(at.as_ps()));
        if left + u128::from(bps / 2) < u128::from(bps) { last } else { end }
    }
}

impl Offer for Schedule {
    fn before(&self, ps: u64) -> u128 {
        let (cycles, within) =
            self.period_ps().map_or((0, ps), |period| (ps / period, ps % period));
        let after = self.plan.rates.partition_point(|(from, _)| *from <= within);
        let in_cycle = after.checked_sub(1).map_or(0, |at| {
            let (from, bps) = self.plan.rates[at];
            self.before[at] + u128::from(bps) * u128::from(within - from)
        });
        u128::from(cycles) * self.in_a_cycle() + in_cycle
    }

    fn period_ps(&self) -> Option<u64> {
        self.plan.period_ps.filter(|period| *period > 0)
    }

    fn steps(&self) -> u64 {
        self.plan.rates.len() as u64
    }

    fn before_each(&self, times: &Series) -> u128 {
        let period = self.period_ps();
        let mut sum = times.cycles(period).wrapping_mul(self.in_a_cycle());
        let mut before = 0;
        for (from, bps) in &self.plan.rates {
            let more = u128::from(*bps).wrapping_sub(before);
            sum = sum.wrapping_add(more.wrapping_mul(times.since(*from, period)));
            before = u128::from(*bps);
        }
        sum
    }

    fn outages(&self) -> Option<&OutagePlan> {
        self.plan.outages.as_ref()
    }
}

impl Transmitter for Schedule {
    fn ready(&mut self, now: Time) -> Time {
        let mut at = now;
        for _ in 0..MOST_WALKED {
            let (bps, end) = self.step(at);
            if bps > 0 || end == Time::MAX {
                return if bps > 0 { at } else { Time::MAX };
            }
            at = end;
        }
        self.reached(at, 1).map_or(Time::MAX, |end| Time::from_ps(end.as_ps() - 1))
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
        let sum = self.carried(to.as_ps()).saturating_sub(self.carried(from.as_ps()));
        Some(sum as f64 / PER_BYTE as f64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

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

    /// Steps of rates and outages in cycles of some ps, which meet at all phases.
    fn short_cycles() -> impl Strategy<Value = Schedule> {
        let steps = (vec((0..12_u64, prop_oneof![Just(0), 1..9_u64]), 1..4), option::of(1..12_u64))
            .prop_map(|(steps, rest)| {
                let mut at = 0;
                let mut rates = Vec::new();
                for (length, bps) in steps {
                    rates.push((at, bps));
                    at += length;
                }
                (rates, rest.map(|rest| at + rest))
            });
        let down =
            (vec((0..12_u64, 0..9_u64), 1..4), option::of(0..12_u64)).prop_map(|(gaps, rest)| {
                let mut at = 0;
                let next = |(up, down)| {
                    at += up + down;
                    (at - down, at)
                };
                let windows = gaps.into_iter().map(next).collect();
                OutagePlan { windows, period_ps: rest.map(|rest| at + rest) }
            });
        (steps, option::of(down)).prop_map(|((rates, period_ps), outages)| {
            Schedule::new(&SchedulePlan { rates, period_ps, outages }, None)
        })
    }

    proptest! {
        /// The walk adds up every ps.
        #[test]
        fn closed_forms_are_what_a_walk_counts(schedule in short_cycles(), from in 0..500_u64) {
            prop_assert_eq!(schedule.check(), Ok(()));
            let bps: Vec<_> = (from..from + 1_500)
                .map(|ps| u128::from(schedule.step(Time::from_ps(ps)).0))
                .collect();
            let begin = schedule.carried(from);
            let (mut sum, mut at) = (0, from);
            for here in bps {
                if at % 13 == 0 {
                    prop_assert_eq!(schedule.carried(at) - begin, sum, "{} to {}", from, at);
                }
                if at % 307 == 0 && here > 0 {
                    let end = Some(Time::from_ps(at + 1));
                    prop_assert_eq!(schedule.reached(Time::from_ps(from), sum + 1), end);
                }
                (sum, at) = (sum + here, at + 1);
            }
        }
    }

    /// Cycles that differ by a ps, or are a ps long, meet at every phase: a walk through them takes
    /// days.
    #[test]
    fn cycles_that_hardly_ever_end_together_are_counted_at_once() {
        let ms = S / 1000;
        let carried = |rates: &[(u64, u64)], period, windows: &[(u64, u64)], every, end| {
            let outages = Some(OutagePlan { windows: windows.to_vec(), period_ps: Some(every) });
            let rates = rates.to_vec();
            let schedule = SchedulePlan { rates, period_ps: Some(period), outages };
            let schedule = Schedule::new(&schedule, None);
            assert_eq!(schedule.check(), Ok(()));
            schedule.capacity(Time::ZERO, Time::from_ps(end))
        };
        // A byte per ns in cycles of a ps; of three hours the link is down in the second.
        let hour = 3600 * S;
        let slow = carried(&[(0, 8_000_000_000)], 1, &[(hour, 2 * hour)], 3 * hour, 480 * hour);
        assert_eq!(slow, Some(320.0 * 3600.0 * 1e9));
        // Halves of two ms of which one is longer by a ps. In 11 days, each ps of one meets each of
        // the other once.
        let half = ms / 2;
        let rates = [(0, 8_000), (half, 0)];
        let shifted = carried(&rates, ms, &[(0, half)], ms + 1, ms * (ms + 1));
        assert_eq!(shifted, Some(250_000_000.5));
    }

    /// An opening of 2 ps in each ms, seen through outages that spare 2 ps in each third of a ms
    /// and 4 ps.
    #[test]
    fn a_link_that_is_seldom_up_sends_when_it_is() {
        let ms = S / 1000;
        let outages = OutagePlan { windows: vec![(0, ms / 3 + 2)], period_ps: Some(ms / 3 + 4) };
        let rates = vec![(0, 0), (ms / 2, 8_000_000_000_000), (ms / 2 + 2, 0)];
        let plan = SchedulePlan { rates, period_ps: Some(ms), outages: Some(outages) };
        let mut seldom = Schedule::new(&plan, None);
        let first = seldom.ready(Time::ZERO);
        assert!(first > at(1) && first < at(1_000_000), "{first:?}");
        assert_eq!(seldom.step(first).0, 8_000_000_000_000);
        assert_eq!(seldom.capacity(Time::ZERO, first), Some(0.0));
        let last = seldom.send(first, 3);
        assert_eq!(seldom.capacity(first, last), Some(3.0));
        assert_eq!(seldom.step(Time::from_ps(last.as_ps() - 1)).0, 8_000_000_000_000);
        // And nothing ever passes where the outages cover each opening.
        let never = Schedule::new(&SchedulePlan { rates: vec![(0, 0)], ..plan }, None);
        assert_eq!(never.finish(Time::ZERO, 1), Time::MAX);
    }

    #[test]
    fn steps_out_of_order_or_beyond_their_cycle_are_refused() {
        for (rates, period) in [(&[(3, 8), (1, 8)][..], None), (&[(0, 8), (5, 16)], Some(4))] {
            assert!(schedule(rates, period, &[]).check().is_err(), "{rates:?}");
        }
        let many = |count: u64| (0..count).map(|at| (2 * at, 2 * at + 1)).collect();
        let outages = Some(OutagePlan { windows: many(10_000), period_ps: Some(30_011) });
        let rates = many(10_000);
        let plan = SchedulePlan { rates, period_ps: Some(30_013), outages };
        let error = Schedule::new(&plan, None).check().expect_err("too many");
        assert!(error.contains("10000 steps of a rate and 10000 outages"), "{error}");
        let alike = SchedulePlan { period_ps: Some(30_011), ..plan };
        assert_eq!(Schedule::new(&alike, None).check(), Ok(()));
    }
}
