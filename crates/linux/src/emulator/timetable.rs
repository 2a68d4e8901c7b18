//! Events of the clock alone: the end of the warm-up and the samples of links.

use ackclock_sim::event::EventSource;
use ackclock_sim::net::sampled_links;
use ackclock_sim::plan::Plan;
use ackclock_sim::record::SamplePlan;
use ackclock_units::{Duration, Time};

use super::{Emulator, Watch};

/// Times of the next events.
#[derive(Debug)]
pub struct Timetable {
    warmup: Option<Time>,
    every: Option<Duration>,
    sample: Time,
    links: Vec<u32>,
    /// Time at which measuring began.
    pub measured_from: Time,
}

impl Timetable {
    /// The timetable of a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let every = match plan.record.samples {
            SamplePlan::Period { period_ps } => Some(Duration::from_ps(period_ps)),
            // The network itself records each change.
            SamplePlan::Off | SamplePlan::Changes {} => None,
        };
        Self {
            warmup: (plan.warmup_ps > 0).then(|| Time::from_ps(plan.warmup_ps)),
            every,
            sample: if every.is_some() { Time::ZERO } else { Time::MAX },
            links: sampled_links(&plan.record, &plan.links),
            measured_from: Time::ZERO,
        }
    }

    /// Time of the next event.
    #[must_use]
    pub fn next(&self) -> Time {
        self.sample.min(self.warmup.unwrap_or(Time::MAX))
    }
}

impl Emulator<'_> {
    /// Handles the events due, in the simulator's order: a sample at the warm-up's end has counters
    /// of zero.
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
        self.reschedule(self.sources.number(EventSource::Clock), self.timetable.next());
    }

    fn begin_measuring(&mut self, now: Time) {
        self.timetable.measured_from = now;
        self.watches.iter_mut().for_each(Watch::reset_stats);
        self.streams.reset_stats();
        self.network.begin_measuring(now);
    }
}
