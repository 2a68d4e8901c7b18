//! Bursts and silences in turn, whose lengths are drawn. Many such sources with heavy-tailed times
//! are self-similar traffic (Willinger et al. 1997).

use ackclock_units::{Duration, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw::Draw;
use super::{App, Written};
use crate::distribution::Distribution;

/// Most bursts, silences and writes that are caught up with at a time. A source that is further
/// behind, because its connection took long to open, is asked again at the same instant.
const MOST_AT_A_TIME: u32 = 100_000;

/// Parameters of an on-off source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnOffPlan {
    /// Length of a burst, s; the first burst begins at the start.
    pub on: Distribution,
    /// Length of a silence, s.
    pub off: Distribution,
    /// Rate of writing in a burst, bit/s; absent: as much as can be sent.
    #[serde(default)]
    pub rate_bps: Option<u64>,
    /// Size of a write, bytes.
    pub write_bytes: u64,
    /// Beginning of the names of the random streams.
    pub stream: String,
}

impl OnOffPlan {
    /// Checks that times, rate and writes are above zero.
    ///
    /// # Errors
    /// One line that says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        self.on.check()?;
        self.off.check()?;
        if self.on.mean() + self.off.mean() <= 0.0
            || self.write_bytes == 0
            || self.rate_bps == Some(0)
        {
            return Err("times, rate and writes of an on-off source must be above zero".into());
        }
        Ok(())
    }
}

/// A source that is in a burst or a silence.
pub struct OnOff {
    on: Draw,
    off: Draw,
    /// Time between writes; absent: as fast as possible.
    interval: Option<Duration>,
    write_bytes: u64,
    bytes: u64,
    is_on: bool,
    until: Time,
    /// Time within bursts until the next write. The rest of a burst counts for the next one, so
    /// that the rate is exact.
    left: Duration,
    next_write: Time,
}

impl OnOff {
    /// Makes a source that is silent until `start`.
    #[must_use]
    pub fn new(plan: &OnOffPlan, start: Time, seed: u64) -> Self {
        Self {
            on: Draw::new(&plan.on, seed, &format!("{}/on", plan.stream)),
            off: Draw::new(&plan.off, seed, &format!("{}/off", plan.stream)),
            interval: plan.rate_bps.map(|rate| {
                Rate::from_bps(rate).time_for(plan.write_bytes).max(Duration::from_ps(1))
            }),
            write_bytes: plan.write_bytes,
            bytes: 0,
            is_on: false,
            until: start,
            left: Duration::ZERO,
            next_write: Time::MAX,
        }
    }

    fn turn(&mut self) {
        let from = self.until;
        if self.is_on && self.interval.is_some() {
            self.left = self.next_write.since(from);
        }
        self.is_on = !self.is_on;
        let length = if self.is_on { self.on.duration() } else { self.off.duration() };
        self.until = from.saturating_add(length);
        self.next_write = if self.is_on && self.interval.is_some() {
            from.saturating_add(self.left)
        } else {
            Time::MAX
        };
    }

    fn write(&mut self) {
        self.bytes = Written::ENDLESS.min(self.bytes.saturating_add(self.write_bytes));
    }
}

impl App for OnOff {
    fn written(&mut self, now: Time, is_dry: bool) -> Written {
        let mut is_behind = true;
        for _ in 0..MOST_AT_A_TIME {
            let interval = self.interval.filter(|_| self.is_on);
            if let Some(interval) =
                interval.filter(|_| self.next_write <= now && self.next_write < self.until)
            {
                self.write();
                self.next_write = self.next_write.saturating_add(interval);
            } else if self.until > now {
                is_behind = false;
                break;
            } else {
                self.turn();
            }
        }
        let is_greedy = self.is_on && self.interval.is_none();
        if is_greedy && is_dry {
            self.write();
        }
        Written {
            bytes: self.bytes,
            closed: false,
            has_more: is_greedy,
            next_write: if is_behind { now } else { self.next_write.min(self.until) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000_000;

    fn fixed(value: f64) -> Distribution {
        Distribution::Fixed { value }
    }

    fn source(rate_bps: Option<u64>) -> OnOff {
        let plan = OnOffPlan {
            on: fixed(0.025),
            off: fixed(0.1),
            rate_bps,
            write_bytes: 1000,
            stream: "flow/f".into(),
        };
        OnOff::new(&plan, Time::ZERO, 1)
    }

    /// At 800 kbit/s there is a write every 10 ms of bursts: at 0, 10 and 20 ms. 5 ms are left for
    /// the next burst, which begins at 125 ms.
    #[test]
    fn writes_are_at_the_rate_whatever_the_bursts() {
        let mut app = source(Some(800_000));
        let mut times = Vec::new();
        let mut now = Time::ZERO;
        let mut bytes = 0;
        while now < Time::from_ps(400 * MS) {
            let written = app.written(now, true);
            if written.bytes > bytes {
                times.push(now.as_ps() / MS);
            }
            bytes = written.bytes;
            assert!(written.next_write > now && !written.closed && !written.has_more);
            now = written.next_write;
        }
        assert_eq!(times, [0, 10, 20, 130, 140, 250, 260, 270, 380, 390]);
        assert_eq!(bytes, 10_000);
    }

    /// A connection that opens after hours asks for all of it at once, and the run hung.
    #[test]
    fn a_source_that_is_far_behind_catches_up_in_pieces() {
        let plan = OnOffPlan {
            on: fixed(1e-6),
            off: fixed(1e-6),
            rate_bps: Some(8_000_000_000),
            write_bytes: 1000,
            stream: "flow/f".into(),
        };
        let mut app = OnOff::new(&plan, Time::ZERO, 1);
        let now = Time::from_ps(1000 * MS);
        let mut times = 0;
        while app.written(now, true).next_write <= now {
            times += 1;
        }
        // 500000 bursts, each with a write and a silence.
        assert_eq!((app.written(now, true).bytes, times), (500_000_000 + 1000, 15));
    }

    #[test]
    fn a_greedy_burst_writes_when_asked_until_it_is_over() {
        let mut app = source(None);
        let first = app.written(Time::ZERO, true);
        assert_eq!(
            (first.bytes, first.has_more, first.next_write),
            (1000, true, Time::from_ps(25 * MS))
        );
        assert_eq!(app.written(Time::from_ps(MS), false).bytes, 1000);
        assert_eq!(app.written(Time::from_ps(24 * MS), true).bytes, 2000);
        let silent = app.written(Time::from_ps(25 * MS), true);
        assert_eq!(
            (silent.bytes, silent.has_more, silent.next_write),
            (2000, false, Time::from_ps(125 * MS))
        );
    }
}
