//! Delivery opportunities at given milliseconds, as Mahimahi's mm-link plays them (Netravali et
//! al., USENIX ATC 2015; `link_queue.cc`).
//!
//! An opportunity carries up to 1504 bytes. Bytes that are left over when a packet is through go to
//! the next packet that waits; if none waits, they are lost. A packet that does not fit goes on at
//! the next opportunity. A packet can use only opportunities after its arrival: mm-link plays all
//! that are due before it takes a packet in. After the last opportunity the trace begins again,
//! with its zero at the time of the last opportunity.

use ackclock_units::{Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Transmitter;
use super::carried::{MOST_WALKED, Offer, Series};
use crate::net::outage::OutagePlan;

/// Bytes of an opportunity (`PACKET_SIZE`: the largest payload of mm-link's TUN device).
const OPPORTUNITY_BYTES: u32 = 1504;
/// Bytes that the TUN device puts before each packet.
const TUN_HEADER_BYTES: u32 = 4;

const PS_PER_MS: u64 = 1_000_000_000;

/// The opportunities of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TracePlan {
    /// Opportunities (time, ms; number), ascending. The last time is above zero and ends the cycle.
    #[serde(with = "packed")]
    #[schemars(with = "String")]
    pub opportunities: Vec<(u64, u32)>,
    /// Windows in which opportunities are lost.
    #[serde(default)]
    pub outages: Option<OutagePlan>,
}

/// Opportunities as text, because a trace may have a million: the time since the one before in ms,
/// and `*` with the number if it is more than one. `3 1*2 4` means 3, 4, 4, 8.
mod packed {
    use std::fmt::Write as _;

    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    pub fn serialize<S: Serializer>(
        opportunities: &[(u64, u32)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let (mut text, mut before) = (String::new(), 0);
        for (ms, count) in opportunities {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{}", ms.saturating_sub(before));
            if *count != 1 {
                let _ = write!(text, "*{count}");
            }
            before = *ms;
        }
        serializer.serialize_str(&text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(u64, u32)>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut ms = 0_u64;
        text.split_ascii_whitespace()
            .map(|word| {
                let (gap, count) = word.split_once('*').unwrap_or((word, "1"));
                let read = gap
                    .parse::<u64>()
                    .ok()
                    .and_then(|gap| ms.checked_add(gap))
                    .zip(count.parse().ok());
                let read = read.ok_or_else(|| {
                    D::Error::custom(format!("opportunities: `{word}` is not GAP or GAP*COUNT"))
                })?;
                ms = read.0;
                Ok(read)
            })
            .collect()
    }
}

/// An opportunity: its cycle, its entry in the plan, and its number within that entry.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cursor {
    cycle: u64,
    entry: usize,
    nth: u32,
}

/// A transmitter that plays a trace.
pub struct Trace {
    plan: TracePlan,
    /// Number of opportunities of a cycle before each entry, and in the whole cycle.
    before: Vec<u64>,
    nominal: Option<Rate>,
    /// The next opportunity.
    next: Cursor,
    /// Bytes left of the opportunity before, and the time of that opportunity.
    left: u32,
    open_at: Time,
}

impl Trace {
    /// Makes the transmitter of a plan. `nominal` is the rate that disciplines assume.
    #[must_use]
    pub fn new(plan: &TracePlan, nominal: Option<Rate>) -> Self {
        let mut sum = 0;
        let mut plan = plan.clone();
        plan.opportunities.retain(|(_, count)| *count > 0);
        let mut before = vec![0];
        before.extend(plan.opportunities.iter().map(|(_, count)| {
            sum += u64::from(*count);
            sum
        }));
        Self {
            plan,
            before,
            nominal,
            next: Cursor { cycle: 0, entry: 0, nth: 0 },
            left: 0,
            open_at: Time::ZERO,
        }
    }

    fn period_ms(&self) -> u64 {
        self.plan.opportunities.last().map_or(0, |last| last.0)
    }

    fn time(&self, cursor: Cursor) -> Time {
        let Some((ms, _)) = self.plan.opportunities.get(cursor.entry) else {
            return Time::MAX;
        };
        let ms = cursor.cycle.saturating_mul(self.period_ms()).saturating_add(*ms);
        Time::from_ps(ms.saturating_mul(PS_PER_MS))
    }

    /// The first opportunity at `now` or later.
    fn first_from(&self, now: Time) -> Cursor {
        let ms = now.as_ps().div_ceil(PS_PER_MS);
        // The last opportunity of a cycle and the zero of the next are one time.
        let cycle = ms.saturating_sub(1).checked_div(self.period_ms()).unwrap_or(0);
        let within = ms - cycle * self.period_ms();
        Cursor {
            cycle,
            entry: self.plan.opportunities.partition_point(|(ms, _)| *ms < within),
            nth: 0,
        }
    }

    /// Returns this opportunity, or the first after the outage in which it lies.
    fn outside_outages(&self, mut cursor: Cursor) -> Cursor {
        let Some(outages) = &self.plan.outages else { return cursor };
        for _ in 0..MOST_WALKED {
            let time = self.time(cursor);
            let (is_down, until) = outages.at(time);
            if !is_down || time == Time::MAX {
                return cursor;
            }
            cursor = self.first_from(until);
        }
        match self.reached(self.time(cursor), 1) {
            Some(after) => self.first_from(Time::from_ps(after.as_ps() - 1)),
            None => Cursor { entry: usize::MAX, ..cursor },
        }
    }

    fn after(&self, cursor: Cursor) -> Cursor {
        let Some((_, count)) = self.plan.opportunities.get(cursor.entry) else {
            return cursor;
        };
        if cursor.nth + 1 < *count {
            return Cursor { nth: cursor.nth + 1, ..cursor };
        }
        let is_last = cursor.entry + 1 == self.plan.opportunities.len();
        Cursor {
            cycle: cursor.cycle + u64::from(is_last),
            entry: if is_last { 0 } else { cursor.entry + 1 },
            nth: 0,
        }
    }

    /// Skips all opportunities before `now`.
    fn skip_to(&mut self, now: Time) {
        if self.time(self.next) < now {
            self.next = self.first_from(now);
        }
    }

    /// Checks that opportunities and outages are in order.
    ///
    /// # Errors
    /// One line that says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        if !self.plan.opportunities.is_sorted_by_key(|(ms, _)| ms) {
            return Err("opportunities of a trace are ascending".into());
        }
        Offer::check(self)
    }
}

impl Offer for Trace {
    fn before(&self, ps: u64) -> u128 {
        let first = self.first_from(Time::from_ps(ps));
        let (Some(before), Some(all)) = (self.before.get(first.entry), self.before.last()) else {
            return 0;
        };
        u128::from(first.cycle) * u128::from(*all) + u128::from(*before)
    }

    fn period_ps(&self) -> Option<u64> {
        Some(self.period_ms().saturating_mul(PS_PER_MS)).filter(|period| *period > 0)
    }

    fn steps(&self) -> u64 {
        self.plan.opportunities.len() as u64
    }

    fn before_each(&self, times: &Series) -> u128 {
        let period = self.period_ps();
        self.plan.opportunities.iter().fold(0_u128, |sum, (ms, count)| {
            let moments = times.moments(ms.saturating_mul(PS_PER_MS), period);
            sum.wrapping_add(moments.wrapping_mul(u128::from(*count)))
        })
    }

    fn outages(&self) -> Option<&OutagePlan> {
        self.plan.outages.as_ref()
    }
}

impl Transmitter for Trace {
    fn ready(&mut self, now: Time) -> Time {
        if self.left > 0 && self.open_at == now {
            return now;
        }
        self.left = 0;
        self.skip_to(now);
        self.next = self.outside_outages(self.next);
        self.time(self.next)
    }

    fn send(&mut self, start: Time, size: u32) -> Time {
        let mut need = size.saturating_add(TUN_HEADER_BYTES);
        let mut at = start;
        loop {
            if self.left == 0 || self.open_at != at {
                self.next = self.outside_outages(self.next);
                at = self.time(self.next);
                if at == Time::MAX {
                    return Time::MAX;
                }
                self.next = self.after(self.next);
                self.left = OPPORTUNITY_BYTES;
                self.open_at = at;
            }
            let sent = need.min(self.left);
            self.left -= sent;
            need -= sent;
            if need == 0 {
                return at;
            }
        }
    }

    fn rate(&self, _now: Time) -> Option<Rate> {
        self.nominal
    }

    fn idle(&mut self, now: Time) {
        self.left = 0;
        self.skip_to(now.saturating_add(ackclock_units::Duration::from_ps(1)));
    }

    fn drained(&self, start: Time, bytes: u64) -> Time {
        let full = u64::from(OPPORTUNITY_BYTES - TUN_HEADER_BYTES);
        let mut count = bytes.div_ceil(full);
        if count == 0 {
            return start;
        }
        let mut cursor =
            if self.time(self.next) < start { self.first_from(start) } else { self.next };
        loop {
            cursor = self.outside_outages(cursor);
            let Some((_, here)) = self.plan.opportunities.get(cursor.entry) else {
                return Time::MAX;
            };
            let here = u64::from(here - cursor.nth);
            if here >= count {
                return self.time(cursor);
            }
            count -= here;
            let is_last = cursor.entry + 1 == self.plan.opportunities.len();
            cursor = Cursor {
                cycle: cursor.cycle + u64::from(is_last),
                entry: if is_last { 0 } else { cursor.entry + 1 },
                nth: 0,
            };
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a part in 2^53 of the capacity")]
    fn capacity(&self, from: Time, to: Time) -> Option<f64> {
        let [from, to] = [from, to].map(Time::as_ps);
        let count = self.before(to.saturating_add(1)).saturating_sub(self.before(from + 1));
        let lost = self.lost(to).saturating_sub(self.lost(from));
        Some(count.saturating_sub(lost) as f64 * f64::from(OPPORTUNITY_BYTES))
    }

    fn work(&self, size: u32) -> u64 {
        u64::from(size) + u64::from(TUN_HEADER_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(opportunities: &[(u64, u32)], outages: &[(u64, u64)]) -> Trace {
        let plan = TracePlan {
            opportunities: opportunities.to_vec(),
            outages: (!outages.is_empty()).then(|| OutagePlan {
                windows: outages
                    .iter()
                    .map(|(from, to)| (from * PS_PER_MS, to * PS_PER_MS))
                    .collect(),
                period_ps: None,
            }),
        };
        Trace::new(&plan, None)
    }

    fn ms(ms: u64) -> Time {
        Time::from_ps(ms * PS_PER_MS)
    }

    fn us(us: u64) -> Time {
        Time::from_ps(us * 1_000_000)
    }

    /// A packet of the largest payload takes an opportunity; the rest of one goes to the next
    /// packet that waits.
    #[test]
    fn opportunities_are_used_byte_by_byte() {
        let mut link = trace(&[(2, 1), (5, 2), (7, 1)], &[]);
        assert_eq!(link.ready(Time::ZERO), ms(2));
        assert_eq!(link.send(ms(2), 1500), ms(2));
        // 1004 bytes of the first at 5 ms leave 500, which take an acknowledgement of 52 + 4 and
        // 444 of the next packet.
        assert_eq!(link.ready(ms(2)), ms(5));
        assert_eq!(link.send(ms(5), 1000), ms(5));
        assert_eq!(link.ready(ms(5)), ms(5));
        assert_eq!(link.send(ms(5), 52), ms(5));
        assert_eq!(link.send(ms(5), 1500), ms(5));
        assert_eq!(link.left, 444);
        // One that does not fit goes on at the next, and over the end of the trace: 7 ms is the
        // zero of the next cycle.
        assert_eq!(link.send(ms(5), 444 + 1504 + 1504 - 4), ms(9));
        assert_eq!(link.ready(ms(9)), ms(12));
    }

    #[test]
    fn what_nobody_waits_for_is_lost() {
        let mut link = trace(&[(1, 3), (4, 1)], &[]);
        assert_eq!(link.ready(Time::ZERO), ms(1));
        assert_eq!(link.send(ms(1), 100), ms(1));
        link.idle(ms(1));
        assert_eq!(link.ready(ms(1)), ms(4));
        // Of several opportunities at one time, those not used stay for packets that wait, and are
        // gone a moment later.
        let mut link = trace(&[(1, 3), (4, 1)], &[]);
        assert_eq!(link.ready(Time::ZERO), ms(1));
        assert_eq!(link.send(ms(1), 1500), ms(1));
        assert_eq!(link.ready(ms(1)), ms(1));
        assert_eq!(link.ready(us(1001)), ms(4));
        assert_eq!(link.ready(us(4001)), ms(5));
    }

    /// In mm-link, a zero in the first line is an opportunity at the start, and later one more at
    /// the time of the last line.
    #[test]
    fn a_zero_is_the_time_of_the_last_line_of_the_cycle_before() {
        let mut link = trace(&[(0, 1), (10, 1)], &[]);
        assert_eq!(link.ready(Time::ZERO), Time::ZERO);
        assert_eq!(link.send(Time::ZERO, 1500), Time::ZERO);
        assert_eq!(link.send(link.open_at, 1500), ms(10));
        assert_eq!(link.ready(ms(10)), ms(10));
        assert_eq!(link.send(ms(10), 1500), ms(10));
        assert_eq!(link.ready(ms(10)), ms(20));
        assert_eq!(link.capacity(Time::ZERO, ms(40)), Some(1504.0 * 8.0));
    }

    #[test]
    fn capacity_and_backlog_are_counted_without_playing() {
        let link = trace(&[(2, 1), (5, 2), (7, 1)], &[]);
        assert_eq!(link.capacity(Time::ZERO, ms(7_000)), Some(1504.0 * 4.0 * 1000.0));
        assert_eq!(link.capacity(ms(2), ms(5)), Some(1504.0 * 2.0));
        assert_eq!(link.drained(Time::ZERO, 3 * 1500), ms(5));
        assert_eq!(link.drained(ms(6), 2 * 1500), ms(9));
        assert_eq!(link.drained(ms(6), 0), ms(6));
    }

    #[test]
    fn opportunities_in_an_outage_are_lost() {
        let mut link = trace(&[(1, 1), (2, 1), (3, 1)], &[(2, 5)]);
        assert_eq!(link.send(ms(1), 1500), ms(1));
        assert_eq!(link.ready(ms(1)), ms(5));
        assert_eq!(link.send(ms(5), 3000), ms(6));
        assert_eq!(link.capacity(Time::ZERO, ms(6)), Some(1504.0 * 3.0));
        // A trace that never lets anything through.
        let mut never = trace(&[(1, 1)], &[]);
        never.plan.outages =
            Some(OutagePlan { windows: vec![(0, PS_PER_MS / 2)], period_ps: Some(PS_PER_MS) });
        assert_eq!(never.ready(Time::ZERO), Time::MAX);
    }

    /// Counted one by one, ms by ms.
    #[test]
    fn opportunities_in_outages_that_come_again_are_counted_in_closed_form() {
        let mut link = trace(&[(0, 1), (2, 1), (3, 2)], &[]);
        for (windows, period) in [
            (vec![(1, 2)], Some(2)),
            (vec![(0, 1), (3, 5)], Some(7)),
            (vec![(0, 1), (1, 1), (5, 11)], Some(11)),
            (vec![(2, 40)], None),
        ] {
            let ps = |(from, to): &(u64, u64)| (from * PS_PER_MS, to * PS_PER_MS);
            let period_ps = period.map(|ms| ms * PS_PER_MS);
            let outages = OutagePlan { windows: windows.iter().map(ps).collect(), period_ps };
            link.plan.outages = Some(outages.clone());
            assert_eq!(link.check(), Ok(()));
            let mut lost = 0;
            for at in 0..2_000_u64 {
                assert_eq!(link.lost(at * PS_PER_MS), lost, "{outages:?} before {at} ms");
                let here = if at % 3 == 0 { 2 * u128::from(at > 0) + 1 } else { 0 };
                let here = here + u128::from(at % 3 == 2);
                lost += if outages.at(ms(at)).0 { here } else { 0 };
            }
        }
    }

    /// A walk through outages of a ps each would not end.
    #[test]
    fn outages_of_a_picosecond_are_counted_and_passed() {
        let mut link = trace(&[(1, 1)], &[]);
        let hour = 3_600_000 * PS_PER_MS;
        let down = |windows: &[(u64, u64)], period| OutagePlan {
            windows: windows.to_vec(),
            period_ps: Some(period),
        };
        // In each 3 ps the last is spared, so that each third ms has an opportunity.
        link.plan.outages = Some(down(&[(0, 2)], 3));
        assert_eq!(link.ready(Time::ZERO), ms(2));
        let carried = link.capacity(Time::ZERO, Time::from_ps(300 * hour - 1));
        assert_eq!(carried, Some(360_000_000.0 * 1504.0));
        // A trace that is let through once in many millions of outages.
        let mut link = trace(&[(1, 1)], &[]);
        link.plan.outages = Some(down(&[(2, PS_PER_MS + 1)], PS_PER_MS + 1));
        let first = link.ready(Time::ZERO);
        assert_eq!(first, ms(1_000_000_000));
        assert_eq!(link.capacity(Time::ZERO, first), Some(1504.0));
    }

    #[test]
    fn a_plan_has_gaps_and_counts() {
        let text = r#"{"opportunities":"0 3*2 4","outages":null}"#;
        let plan: TracePlan = serde_json::from_str(text).expect("a plan");
        assert_eq!(plan.opportunities, [(0, 1), (3, 2), (7, 1)]);
        assert_eq!(serde_json::to_string(&plan).expect("text"), text);
        for bad in ["x", "1*", "*2", "-1", "18446744073709551615 1"] {
            assert!(
                serde_json::from_str::<TracePlan>(&text.replace("0 3*2 4", bad)).is_err(),
                "{bad}"
            );
        }
    }

    #[test]
    fn no_plan_makes_it_fall() {
        for opportunities in [vec![], vec![(0, 1)], vec![(0, 0)], vec![(5, 0)]] {
            let mut link = trace(&opportunities, &[]);
            for at in [Time::ZERO, ms(3), ms(1 << 30)] {
                link.ready(at);
                link.idle(at);
            }
            link.capacity(ms(1), ms(9));
        }
    }
}
