//! What happens by the clock alone: the warm-up's end and the series of links.

use ackclock_sim::net::Tally;
use ackclock_sim::plan::{Plan, SamplePlan};
use ackclock_sim::probe::sampled_links;
use ackclock_units::{Duration, Time};

use super::{Emulator, Watch};

/// When what is due.
#[derive(Debug)]
pub struct Timetable {
    warmup: Option<Time>,
    every: Option<Duration>,
    sample: Time,
    links: Vec<u32>,
    /// When measuring began.
    pub measured_from: Time,
}

impl Timetable {
    /// The plan's.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let every = match plan.record.samples {
            SamplePlan::Period { period_ps } => Some(Duration::from_ps(period_ps)),
            // The network itself writes down each change.
            SamplePlan::Off | SamplePlan::Changes {} => None,
        };
        Self {
            warmup: (plan.warmup_ps > 0).then(|| Time::from_ps(plan.warmup_ps)),
            every,
            sample: if every.is_some() { Time::ZERO } else { Time::MAX },
            links: sampled_links(plan),
            measured_from: Time::ZERO,
        }
    }

    /// When something is due.
    #[must_use]
    pub fn next(&self) -> Time {
        self.sample.min(self.warmup.unwrap_or(Time::MAX))
    }
}

impl Emulator<'_> {
    /// In the simulator's order: a sample at the warm-up's end begins its counters at zero.
    pub(super) fn on_tick(&mut self, now: Time) {
        if self.timetable.warmup == Some(now) {
            self.timetable.warmup = None;
            self.begin_measuring(now);
        }
        if self.timetable.sample == now {
            for &id in &self.timetable.links {
                let link = &mut self.network.links[id as usize];
                link.settle(now, |_, _| ());
                self.network.log.link(id, now, link.backlog(), link);
            }
            self.timetable.sample = self.timetable.every.map_or(Time::MAX, |every| now + every);
        }
        self.reschedule(self.ticker, self.timetable.next());
    }

    fn begin_measuring(&mut self, now: Time) {
        self.timetable.measured_from = now;
        self.watches.iter_mut().for_each(Watch::reset_stats);
        self.streams.reset_stats();
        self.network.links.iter_mut().for_each(|link| link.reset_stats(now));
        self.network.tally.iter_mut().for_each(|tally| *tally = Tally::default());
    }
}
