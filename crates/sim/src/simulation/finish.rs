//! The results of a run, taken at its end.

use core::iter::zip;

use ackclock_units::{Duration, Time};

use super::Simulation;
use crate::event::{Moment, Step};
use crate::net::link::Link;
use crate::output::{FlowOutput, LinkOutput, Output, SessionOutput, StreamOutput};
use crate::plan::Plan;
use crate::udp::FrameColumns;

impl Simulation<'_> {
    /// Returns the results up to now, normally after [`super::Progress::Finished`].
    #[must_use]
    pub fn finish(mut self) -> Output {
        let end = self.now;
        self.settle_links(end);
        if self.warmup.take().is_some() {
            // All flows ended within the warm-up: nothing was measured.
            self.begin_measuring(end);
        }
        for sender in &mut self.senders {
            sender.settle_limits(end);
        }
        let sessions = &self.sessions;
        let flows = (0..)
            .zip(&self.plan.flows)
            .zip(self.senders)
            .zip(&self.receivers)
            .zip(&self.network.tally)
            .map(|((((index, plan), sender), receiver), tally)| {
                let start = Time::from_ps(plan.start_ps);
                let stop = plan.stop_ps.map_or(Time::MAX, Time::from_ps);
                // A flow of a session may be opened again until the session has ended.
                let finished = match sessions.of(index) {
                    Some((session, _)) => sessions.running[session as usize].ended_at,
                    None => sender.finished_at(),
                };
                let last = finished.unwrap_or(end).min(stop).min(end);
                FlowOutput {
                    name: plan.name.clone(),
                    part_of: plan.part_of.as_ref().map(|part| part.name.clone()),
                    cc: plan.cc.clone(),
                    start,
                    finished,
                    is_endless: plan.app.is_endless(),
                    active: last.since(start.max(self.measured_from)),
                    base_rtt: self.plan.base_rtt(plan),
                    sender: sender.stats().clone(),
                    rtt: sender.into_rtts(),
                    receiver: receiver.stats().clone(),
                    lost_packets: tally.lost_packets(),
                    lost_by_cause: Some(tally.lost_by_cause()),
                    marked_packets: tally.marked_packets,
                }
            })
            .collect();
        let mut frames = FrameColumns::bounded(self.plan.record.max_bytes);
        let mut frames_counted_until = None;
        let streams = self
            .plan
            .streams
            .iter()
            .zip(self.streams)
            .zip(&self.network.tally[self.plan.flows.len()..])
            .map(|((plan, mut stream), tally)| {
                stream.receiver.settle();
                let start = Time::from_ps(plan.start_ps);
                let last = plan.stop_ps.map_or(Time::MAX, Time::from_ps).min(end);
                let judged = stream.judge(end, &mut frames);
                let full_at = stream.frames.as_ref().and_then(|frames| frames.full_at());
                frames_counted_until = frames_counted_until.into_iter().chain(full_at).min();
                StreamOutput {
                    name: plan.name.clone(),
                    start,
                    active: last.since(start.max(self.measured_from)),
                    base_delay: self.plan.propagation(plan.path.iter()),
                    jitter: stream.receiver.jitter(),
                    play_after: stream.receiver.play_after(),
                    sent: stream.sent,
                    received: stream.receiver.stats,
                    lost_packets: tally.lost_packets(),
                    frames: judged,
                }
            })
            .collect();
        let measured = end.since(self.measured_from);
        Output {
            end,
            measured,
            events: self.events,
            flows,
            streams,
            links: links_output(self.plan, &self.network.links, end, measured),
            sessions: self
                .plan
                .sessions
                .iter()
                .zip(&self.sessions.running)
                .map(|(plan, session)| SessionOutput {
                    name: plan.name.clone(),
                    waited: session.waited(),
                })
                .collect(),
            transfers: self.sessions.transfers,
            datagrams: self.datagrams,
            frames,
            frames_counted_until,
            flow_samples: self.sampler.flows,
            link_samples: self.network.log.links,
            internals: self.sampler.internals,
            packets: self.network.log.packets,
            decisions: self.decisions.table,
        }
    }

    /// Brings all queues up to the end, with the rows of the record.
    fn settle_links(&mut self, end: Time) {
        let Some(stopped) = self.stopped else {
            self.network.settle(end, Moment::after(end));
            return;
        };
        self.network.log.at(Step::begins(stopped));
        self.network.settle(end, stopped);
        // The rows of the last moment too.
        self.write_rows(Moment::before(Time::from_ps(end.as_ps().saturating_add(1))));
    }
}

fn links_output(plan: &Plan, links: &[Link], end: Time, measured: Duration) -> Vec<LinkOutput> {
    zip(&plan.links, links)
        .map(|(plan, link)| LinkOutput {
            name: plan.name.clone(),
            rate_bps: plan.rate_bps,
            busy: link.busy_until(end),
            measured,
            stats: link.final_stats(end),
        })
        .collect()
}
