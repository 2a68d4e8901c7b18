//! Capacity of a link up to a time, although its rates and its outages come again in cycles of
//! their own.
//!
//! Two cycles of some ms that differ by a ps meet again after days, and no run can walk through
//! all steps until then. So the cycles are summed in closed form. A cycle of outages that begins
//! at `k * every` has windows from `k * every + offset` on, and the position of that time in the
//! cycle of the rates follows from floor((k * every + offset) / period). The sums of such floors
//! over k are counted along the line that they lie on, in as many turns as Euclid's algorithm
//! takes (Graham, Knuth, Patashnik, Concrete Mathematics, section 3.5, has the sum of the floors).
//! All sums are exact: parts may pass 2^128, and then wrap; the result is below.

use ackclock_units::Time;

use crate::net::outage::OutagePlan;

/// Steps that are walked through, because that is faster than the closed form, before it is asked.
pub const MOST_WALKED: u32 = 10_000;
/// Cycles of outages that are counted one by one, per step of the rate.
const COUNTED: u64 = 16;
/// Most windows that one sum may count.
const MOST_COUNTED: u64 = 100_000_000;
/// Length of a cycle that never ends.
const ENDLESS: u128 = 1 << 64;

/// Capacity that a transmitter offers while its link is up.
pub trait Offer {
    /// Units offered before `ps`.
    fn before(&self, ps: u64) -> u128;

    /// Length of a cycle after which the offer comes again, ps.
    fn period_ps(&self) -> Option<u64>;

    /// Number of steps of a cycle.
    fn steps(&self) -> u64;

    /// Sum of the units offered before each time of the series.
    fn before_each(&self, times: &Series) -> u128;

    /// Windows in which nothing of the offer is there.
    fn outages(&self) -> Option<&OutagePlan>;

    /// Units offered before `ps` while the link was up.
    fn carried(&self, ps: u64) -> u128 {
        self.before(ps).wrapping_sub(self.lost(ps))
    }

    /// Units offered before `ps` while the link was down.
    fn lost(&self, ps: u64) -> u128 {
        let Some(outages) = self.outages() else { return 0 };
        let in_windows = |begin: u64, until: u64| {
            outages.windows.iter().fold(0_u128, |sum, (from, to)| {
                let [from, to] = [from, to].map(|at| begin.saturating_add(*at).min(until));
                sum.wrapping_add(self.before(to)).wrapping_sub(self.before(from))
            })
        };
        let every = outages.period_ps.filter(|period| *period > 0);
        let Some((every, cycles)) = every.map(|every| (every, ps / every)).filter(|of| of.1 > 0)
        else {
            return in_windows(0, ps);
        };
        // The first cycle counts apart: an opportunity at zero is in no other.
        let in_cycles = |count: u64| {
            if count <= COUNTED * self.steps() {
                return (1..=count)
                    .map(|cycle| in_windows(cycle * every, u64::MAX))
                    .fold(0, u128::wrapping_add);
            }
            let at = |offset: u64| self.before_each(&Series { count, every, offset });
            outages
                .windows
                .iter()
                .fold(0_u128, |sum, (from, to)| sum.wrapping_add(at(*to)).wrapping_sub(at(*from)))
        };
        let between = cycles - 1;
        let alike = cycles_alike(self.period_ps(), every);
        let (turns, rest) = (between / alike, between % alike);
        let in_turns = if turns > 0 { in_cycles(alike).wrapping_mul(u128::from(turns)) } else { 0 };
        in_windows(0, every)
            .wrapping_add(in_turns)
            .wrapping_add(in_cycles(rest))
            .wrapping_add(in_windows(cycles * every, ps))
    }

    /// The earliest time at which `units` more have been carried than at `from`; `None`: not before
    /// the clock ends.
    fn reached(&self, from: Time, units: u128) -> Option<Time> {
        let carried = self.carried(from.as_ps());
        let is_there = |ps: u64| self.carried(ps).wrapping_sub(carried) >= units;
        let (mut low, mut high) = (from.as_ps(), u64::MAX);
        if !is_there(high) {
            return None;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if is_there(middle) { high = middle } else { low = middle + 1 }
        }
        Some(Time::from_ps(low))
    }

    /// Checks that the outages are in order, and that their sums can be counted.
    ///
    /// # Errors
    /// One line that says what is wrong.
    fn check(&self) -> Result<(), String> {
        let Some(outages) = self.outages() else { return Ok(()) };
        outages.check()?;
        let every = outages.period_ps.filter(|period| *period > 0);
        let cycles = every.map_or(1, |every| cycles_alike(self.period_ps(), every));
        let (windows, steps) = (outages.windows.len() as u64, self.steps());
        if windows.saturating_mul(cycles.min(COUNTED * steps)) > MOST_COUNTED {
            return Err(format!(
                "{steps} steps of a rate and {windows} outages whose cycles hardly ever end \
                 together: make them fewer, or give both one period"
            ));
        }
        Ok(())
    }
}

/// Number of cycles of outages after which they meet the cycle of the rates as before.
fn cycles_alike(period: Option<u64>, every: u64) -> u64 {
    let Some(period) = period else { return u64::MAX };
    let (mut divisor, mut rest) = (period, every);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    period / divisor
}

/// Times `k * every + offset`, ps, for k from 1 to `count`.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    count: u64,
    every: u64,
    offset: u64,
}

impl Series {
    /// Sum of the times since `start` in each cycle of `period` ps; before it, 0 counts.
    pub fn since(&self, start: u64, period: Option<u64>) -> u128 {
        let period = period.map_or(ENDLESS, u128::from);
        let cycles = self.floors(0, period);
        // This floor is one higher in the part of each cycle that comes after `start`.
        let begun = self.floors(period - u128::from(start), period);
        let after = begun.y.wrapping_sub(cycles.y);
        u128::from(self.every)
            .wrapping_mul(begun.xy.wrapping_sub(cycles.xy))
            .wrapping_add(u128::from(self.offset).wrapping_sub(start.into()).wrapping_mul(after))
            .wrapping_sub(period.wrapping_mul(begun.pairs.wrapping_sub(cycles.pairs)))
    }

    /// Sum of the whole cycles of `period` ps before each time.
    pub fn cycles(&self, period: Option<u64>) -> u128 {
        self.floors(0, period.map_or(ENDLESS, u128::from)).y
    }

    /// Sum of the number of moments `at`, once in each cycle of `period` ps, before each time.
    pub fn moments(&self, at: u64, period: Option<u64>) -> u128 {
        let period = period.map_or(ENDLESS, u128::from);
        let begun = self.floors(2 * period - 1 - u128::from(at), period);
        begun.y.wrapping_sub(self.count.into())
    }

    fn floors(&self, more: u128, period: u128) -> Floors {
        let [count, every, offset] = [self.count, self.every, self.offset].map(u128::from);
        let (up, right) = (Floors { rows: 1, ..Floors::default() }, Floors::RIGHT);
        let first = offset + more;
        up.times(first / period).then(Floors::line(count, every, period, first % period, up, right))
    }
}

/// Sums over the columns of a stair, whose height in column x is y.
#[derive(Clone, Copy, Debug, Default)]
struct Floors {
    columns: u128,
    rows: u128,
    x: u128,
    y: u128,
    xy: u128,
    /// Sum of y (y - 1) / 2.
    pairs: u128,
}

impl Floors {
    /// A step to the right.
    const RIGHT: Self = Self { columns: 1, rows: 0, x: 1, y: 0, xy: 0, pairs: 0 };

    /// This stair, and `next` from its end on.
    fn then(self, next: Self) -> Self {
        let (columns, rows) = (self.columns, self.rows);
        let pairs = (rows / 2).wrapping_mul(rows.wrapping_sub(1) | 1);
        let sum = |terms: [u128; 5]| terms.into_iter().fold(0, u128::wrapping_add);
        let of = u128::wrapping_mul;
        Self {
            columns: columns.wrapping_add(next.columns),
            rows: rows.wrapping_add(next.rows),
            x: sum([self.x, next.x, of(columns, next.columns), 0, 0]),
            y: sum([self.y, next.y, of(rows, next.columns), 0, 0]),
            xy: sum([
                self.xy,
                next.xy,
                of(columns, next.y),
                of(rows, next.x),
                of(of(columns, rows), next.columns),
            ]),
            pairs: sum([self.pairs, next.pairs, of(rows, next.y), of(pairs, next.columns), 0]),
        }
    }

    fn times(self, mut count: u128) -> Self {
        let (mut power, mut all) = (self, Self::default());
        while count > 0 {
            if count % 2 == 1 {
                all = all.then(power);
            }
            power = power.then(power);
            count /= 2;
        }
        all
    }

    /// The stair below the line (rise * x + first) / run, for x from 1 to `count`, with `up` and
    /// `right` as its steps; `first` is below `run`.
    fn line(count: u128, rise: u128, run: u128, first: u128, up: Self, right: Self) -> Self {
        if rise >= run {
            let steep = up.times(rise / run).then(right);
            return Self::line(count, rise % run, run, first, up, steep);
        }
        let height = (rise * count + first) / run;
        if height == 0 {
            return right.times(count);
        }
        // The middle is the stair of the line with x and y exchanged, which has rows for columns.
        let beyond = run - first - 1;
        let last = count - (run * height - first - 1) / rise;
        right
            .times(beyond / rise)
            .then(up)
            .then(Self::line(height - 1, run, rise, beyond % rise, right, up))
            .then(right.times(last))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_of_a_series_are_those_of_its_terms(
            (count, every, offset) in (0..60_u64, 1..90_u64, 0..90_u64),
            (period, start) in (1..90_u64).prop_flat_map(|period| (Just(period), 0..=period)),
            is_endless in any::<bool>(),
        ) {
            let times: Vec<u64> = (1..=count).map(|k| k * every + offset).collect();
            let series = Series { count, every, offset };
            let sum = |of: &dyn Fn(u64) -> u64| times.iter().map(|at| u128::from(of(*at))).sum();
            let (length, period) =
                if is_endless { (u64::MAX, None) } else { (period, Some(period)) };
            let since: u128 = sum(&|at| (at % length).saturating_sub(start));
            prop_assert_eq!(series.since(start, period), since);
            let cycles: u128 = sum(&|at| at / length);
            prop_assert_eq!(series.cycles(period), cycles);
            let all = if is_endless { 1 } else { 10_000 };
            let moments: u128 =
                sum(&|at| (0..all).take_while(|k| k * length + start < at).count() as u64);
            prop_assert_eq!(series.moments(start, period), moments);
        }
    }
}
