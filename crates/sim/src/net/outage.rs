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
    /// Checks that the windows are in order and within their cycle.
    ///
    /// # Errors
    /// One line that names the first window that is not.
    pub fn check(&self) -> Result<(), String> {
        let end = self.period_ps.filter(|period| *period > 0).unwrap_or(u64::MAX);
        let mut before = 0;
        for (from, to) in &self.windows {
            if *from < before || to < from || *to > end {
                return Err(format!(
                    "outage from {from} to {to} ps: windows are ascending, apart and within their \
                     cycle"
                ));
            }
            before = *to;
        }
        Ok(())
    }

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

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn windows_that_overlap_or_leave_their_cycle_are_refused() {
        let plan =
            |windows: &[(u64, u64)], period_ps| OutagePlan { windows: windows.to_vec(), period_ps };
        for good in [plan(&[(0, 5), (5, 5), (7, 9)], Some(9)), plan(&[(3, u64::MAX)], None)] {
            assert_eq!(good.check(), Ok(()));
        }
        for bad in [plan(&[(0, 5), (4, 9)], None), plan(&[(5, 4)], None), plan(&[(0, 5)], Some(4))]
        {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
