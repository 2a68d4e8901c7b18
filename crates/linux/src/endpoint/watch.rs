//! Observes the connections: samples at the plan's moments, and polls in between for states that no
//! counter has.

use std::sync::atomic::Ordering::Relaxed;

use ackclock_sim::plan::Plan;
use ackclock_sim::record::SamplePlan;
use ackclock_units::{Duration, Time};

use super::counters::{KernelCounters, Polled, Sums, report};
use super::info::Info;
use super::internals::is_paced;
use super::line::Line;
use super::netstat::Netstat;
use super::rows::{Rows, Seen};
use crate::plan::KernelFlow;
use crate::shared::Shared;

/// Time from poll to poll: short, because a state lasts for a round trip.
const POLL: Duration = Duration::from_millis(1);
/// Largest delay with which a sample counts for its moment; a later one has its own time.
const PUNCTUAL: Duration = Duration::from_millis(1);
/// Number of connections from which polls become rarer: a poll takes some 2 us.
const EACH_POLL: u64 = 16;

/// Observed state of one flow.
#[derive(Debug)]
struct Eye {
    cc: String,
    initial_window: u64,
    is_sampled: bool,
    netstat: Option<Netstat>,
    polled: Polled,
    /// Counters at the end of the warm-up.
    base: Sums,
    /// Time of the last row.
    latest: Time,
}

/// All observed flows.
#[derive(Debug)]
pub struct Watch {
    eyes: Vec<Eye>,
    /// The series.
    pub rows: Rows,
    /// Period of samples; absent if there are none.
    every: Option<Duration>,
    next_sample: Time,
    end: Time,
    poll_every: Duration,
    next_poll: Time,
    warmup: Time,
    measured_from: Time,
    /// Largest delay of a sample after its moment.
    pub late: Duration,
}

impl Watch {
    /// The watch for a run that has not begun.
    #[must_use]
    pub fn new(plan: &Plan, kernel: &[KernelFlow], netstats: Vec<Option<Netstat>>) -> Self {
        let every = match plan.record.samples {
            SamplePlan::Off => None,
            SamplePlan::Period { period_ps } => Some(Duration::from_ps(period_ps.max(1))),
            // The kernel does not report changes; Python refuses such a plan.
            SamplePlan::Changes {} => Some(POLL),
        };
        let sampled =
            |index: u32| plan.record.flows.as_ref().is_none_or(|flows| flows.contains(&index));
        let eyes: Vec<Eye> = (0..)
            .zip(kernel)
            .zip(&plan.flows)
            .zip(netstats)
            .map(|(((index, kernel), flow), netstat)| Eye {
                cc: kernel.cc.clone(),
                initial_window: flow.transport.initial_window_bytes,
                is_sampled: sampled(index),
                netstat,
                polled: Polled::default(),
                base: Sums::default(),
                latest: Time::ZERO,
            })
            .collect();
        Self {
            every,
            next_sample: if every.is_some() { Time::ZERO } else { Time::MAX },
            end: Time::from_ps(plan.duration_ps),
            poll_every: POLL.saturating_mul((eyes.len() as u64).div_ceil(EACH_POLL).max(1)),
            next_poll: Time::ZERO,
            warmup: if plan.warmup_ps > 0 { Time::from_ps(plan.warmup_ps) } else { Time::MAX },
            measured_from: Time::ZERO,
            late: Duration::ZERO,
            rows: Rows::bounded(plan.record.max_bytes),
            eyes,
        }
    }

    /// Time of the next sample or poll.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.next_poll.min(self.next_sample).min(self.warmup)
    }

    /// Takes the samples and polls that are due.
    pub fn look(&mut self, now: Time, lines: &[Line], shared: &Shared) {
        if now >= self.warmup {
            self.measured_from = self.warmup;
            self.warmup = Time::MAX;
            for (eye, line) in self.eyes.iter_mut().zip(lines) {
                eye.polled.reset();
                eye.base = eye.sums(line, now);
            }
            self.next_poll = now;
        }
        let sample = self.moment(now);
        if sample.is_none() && now < self.next_poll {
            return;
        }
        for (at, line) in lines.iter().enumerate() {
            self.look_at(at, sample, line, shared);
        }
        if now >= self.next_poll {
            // On a grid, where samples are too, so that both need one look.
            let polls = now.as_ps() / self.poll_every.as_ps() + 1;
            self.next_poll = Time::from_ps(self.poll_every.as_ps().saturating_mul(polls));
        }
    }

    /// The moment of the sample that is due; missed ones are left out.
    fn moment(&mut self, now: Time) -> Option<Time> {
        let every = self.every.filter(|_| self.next_sample <= now)?;
        let missed = now.since(self.next_sample).as_ps() / every.as_ps();
        let at = self.next_sample.saturating_add(every.saturating_mul(missed));
        self.next_sample = at.saturating_add(every);
        if at > self.end || self.next_sample > self.end {
            self.next_sample = Time::MAX;
        }
        self.late = self.late.max(now.since(at));
        let at = if now.since(at) <= PUNCTUAL { at } else { now };
        (at <= self.end).then_some(at)
    }

    fn look_at(&mut self, at: usize, sample: Option<Time>, line: &Line, shared: &Shared) {
        let Some(info) = line.connection().and_then(|socket| Info::read(socket).ok()) else {
            return;
        };
        if !info.is_active() {
            return;
        }
        let eye = &mut self.eyes[at];
        eye.polled.note(&info, is_paced(&eye.cc));
        if let Some(moment) = sample.filter(|_| eye.is_sampled) {
            self.add_row(at, moment, line, &info, shared);
        }
    }

    fn add_row(&mut self, at: usize, moment: Time, line: &Line, info: &Info, shared: &Shared) {
        let eye = &mut self.eyes[at];
        // A connection may close after a moment and before its sample.
        eye.latest = eye.latest.max(moment);
        self.rows.add(&Seen {
            flow: u32::try_from(at).unwrap_or(u32::MAX),
            at: eye.latest,
            cc: &eye.cc,
            initial_window: eye.initial_window,
            line,
            info,
            shared: &shared.flows[at],
        });
    }

    /// Notes the end of a session's connection: its series has a gap until the next one.
    pub fn close(&mut self, at: usize, now: Time, line: &Line, shared: &Shared) {
        if self.every.is_none() || !self.eyes[at].is_sampled {
            return;
        }
        if let Some(info) = line.connection().and_then(|socket| Info::read(socket).ok()) {
            self.add_row(at, now, line, &info, shared);
            self.rows.close();
        }
    }

    /// The counters of each flow from the warm-up to `now`.
    pub fn finish(&mut self, now: Time, lines: &[Line], shared: &Shared) -> Vec<KernelCounters> {
        // The last sample, if the end is one of the moments.
        self.look(now, lines, shared);
        let end = Time::from_ps(now.as_ps().min(self.end.as_ps()));
        let measured = end.since(self.measured_from);
        self.eyes
            .iter_mut()
            .zip(lines)
            .map(|(eye, line)| {
                let sums = eye.sums(line, now);
                KernelCounters {
                    fault: line.fault.clone(),
                    ..report(sums, eye.base, &eye.polled, eye.netstat.is_some(), measured)
                }
            })
            .collect()
    }
}

impl Eye {
    fn sums(&mut self, line: &Line, now: Time) -> Sums {
        let counts = self.netstat.as_mut().and_then(|netstat| netstat.read().ok());
        line.sums(now).with(counts.unwrap_or_default())
    }
}

/// Tells the emulator where a flow ends.
pub fn publish(line: &Line, at: usize, shared: &Shared) {
    if let Some(bytes) = line.closes_at() {
        shared.flows[at].closes_at.store(bytes, Relaxed);
    }
}
