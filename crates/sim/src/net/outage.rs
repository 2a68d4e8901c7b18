//! Outages: windows of time in which a link is down.

use ackclock_units::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Windows in which a link is down, once or in every cycle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutagePlan {
    /// Windows (from, to), ps, ascending and apart. The link is down at `from` and up again at
    /// `to`.
    pub windows: Vec<(u64, u64)>,
    /// Length of a cycle after which the windows begin again, ps; `None`: they come once.
    #[serde(default)]
    pub period_ps: Option<u64>,
}

impl OutagePlan {
    /// Whether the link is down at `now`, and until when it stays so.
    #[must_use]
    pub fn at(&self, now: Time) -> (bool, Time) {
        let (cycle, within) = match self.period_ps {
            Some(period) if period > 0 => (now.as_ps() / period * period, now.as_ps() % period),
            _ => (0, now.as_ps()),
        };
        let next = self.windows.partition_point(|(_, to)| *to <= within);
        let (is_down, end) = match self.windows.get(next) {
            Some((from, to)) if *from <= within => (true, Some(*to)),
            Some((from, _)) => (false, Some(*from)),
            None => (false, self.period_ps.filter(|period| *period > 0)),
        };
        (is_down, end.map_or(Time::MAX, |end| Time::from_ps(cycle.saturating_add(end))))
    }
}

/// The shortest time that is whole cycles of both lengths, ps. `None`: one has no length, or the
/// clock does not reach so far.
#[must_use]
pub(super) fn common_cycle(one: u64, other: u64) -> Option<u64> {
    let (mut divisor, mut rest) = (one, other);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    one.checked_div(divisor)?.checked_mul(other).filter(|common| *common > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_of_both_lengths_end_together() {
        assert_eq!(common_cycle(4, 6), Some(12));
        assert_eq!(common_cycle(5, 5), Some(5));
        assert_eq!(common_cycle(0, 5), None);
        assert_eq!(common_cycle(5, 0), None);
        assert_eq!(common_cycle(0, 0), None);
        assert_eq!(common_cycle(u64::MAX, u64::MAX - 1), None);
    }

    #[test]
    fn windows_begin_and_end_to_the_picosecond_and_come_again() {
        let once = OutagePlan { windows: vec![(10, 20), (30, 40)], period_ps: None };
        let at = |plan: &OutagePlan, ps| {
            let (is_down, until) = plan.at(Time::from_ps(ps));
            (is_down, until.as_ps())
        };
        assert_eq!(at(&once, 9), (false, 10));
        assert_eq!(at(&once, 10), (true, 20));
        assert_eq!(at(&once, 20), (false, 30));
        assert_eq!(at(&once, 40), (false, u64::MAX));
        let cycle = OutagePlan { period_ps: Some(50), ..once };
        assert_eq!(at(&cycle, 45), (false, 50));
        assert_eq!(at(&cycle, 115), (true, 120));
        assert_eq!(at(&OutagePlan::default(), 5), (false, u64::MAX));
    }
}
