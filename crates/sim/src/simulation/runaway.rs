//! Finds a run that would never end, or take all memory.

use core::iter::zip;

use ackclock_units::Time;

use super::Simulation;
use crate::app::session::Running;
use crate::event::EventSource;

/// Number of events between two checks.
pub(super) const EVENTS_PER_CHECK: u64 = 1 << 20;
/// Number of checks at one time that end a run: 67 million events at one instant.
const MOST_CHECKS_AT_INSTANT: u32 = 64;
/// Events at one time that end a run.
pub(super) const MOST_AT_INSTANT: u64 = MOST_CHECKS_AT_INSTANT as u64 * EVENTS_PER_CHECK;
/// Most packets in all queues and on all wires: 3 to 6 GB.
const MOST_PACKETS_INSIDE: usize = 1 << 25;
/// Most transfers or users that wait in a session.
const MOST_WAITING: usize = 1_000_000;

impl Simulation<'_> {
    /// Returns why the run must stop: too many events at one instant, too many packets in the
    /// network, or too many transfers that wait in a session.
    pub(super) fn runaway(&mut self) -> Option<String> {
        if self.now > self.checked_at {
            (self.checked_at, self.checks_at_instant) = (self.now, 0);
        } else {
            self.checks_at_instant += 1;
        }
        if self.checks_at_instant >= MOST_CHECKS_AT_INSTANT {
            let source = self.network.schedule.head().map(|(_, source)| source);
            let source = source.map_or(EventSource::Clock, |source| self.sources.decode(source));
            return Some(self.time_stands_still(source, self.now));
        }
        self.overflow()
    }

    /// Says that time stands still at a source.
    pub(super) fn time_stands_still(&self, source: EventSource, now: Time) -> String {
        format!(
            "time stands still at {:.6} s: {} takes part in {} million events at one instant; give \
             its links a rate and a delay, and its application times above zero",
            now.as_secs_f64(),
            self.name_of(source),
            MOST_AT_INSTANT / 1_000_000
        )
    }

    /// Returns why the run must stop: too many packets in the network, or too many transfers that
    /// wait in a session.
    pub(super) fn overflow(&self) -> Option<String> {
        let now = self.now.as_secs_f64();
        let inside = |at: &usize| self.network.packets_inside(*at);
        let all: usize = (0..self.network.links.len()).map(|at| inside(&at)).sum();
        if all > MOST_PACKETS_INSIDE {
            let most = (0..self.network.links.len()).max_by_key(inside).unwrap_or(0);
            return Some(format!(
                "{all} packets are in queues and on wires at {now:.6} s, and \
                 {MOST_PACKETS_INSIDE} is the most; link {} has {} of them: give it a limit, or \
                 send less",
                self.plan.links[most].name,
                inside(&most)
            ));
        }
        let backlog = |running: &Running| running.backlog();
        let waiting = zip(&self.plan.sessions, &self.sessions.running)
            .find(|(_, running)| backlog(running) > MOST_WAITING);
        waiting.map(|(plan, running)| {
            format!(
                "{} of what flow {} moves wait for a connection at {now:.6} s, and {MOST_WAITING} \
                 is the most: lower its load, or raise its app's connections",
                backlog(running),
                plan.name
            )
        })
    }

    /// Names a source of events in a message. To users, a stream or a session is a flow.
    fn name_of(&self, source: EventSource) -> String {
        let plan = self.plan;
        match source {
            EventSource::Link(link) => format!("link {}", plan.links[link as usize].name),
            EventSource::Sender(flow) | EventSource::Receiver(flow) => {
                format!("flow {}", plan.flows[flow as usize].name)
            }
            EventSource::Stream(stream) => format!("flow {}", plan.streams[stream as usize].name),
            EventSource::Session(session) => {
                format!("flow {}", plan.sessions[session as usize].name)
            }
            EventSource::Clock => "the clock of the samples".to_owned(),
        }
    }
}
