//! Results of a run in the simulator's form, so that readers need not know which engine made them.

use std::sync::atomic::Ordering;

use ackclock_sim::Output;
use ackclock_sim::output::{FlowOutput, SessionOutput, StreamOutput};
use ackclock_sim::plan::Plan;
use ackclock_sim::record::DecisionColumns;
use ackclock_sim::transport::sender::SenderStats;
use ackclock_sim::udp::FrameColumns;
use ackclock_units::Time;

use crate::emulator::Watch;
use crate::endpoint::{EndpointOutput, KernelCounters};
use crate::plan::LinuxPlan;
use crate::seen::Seen;
use crate::shared::Shared;

/// Assembles the output from the network's and the kernel's counters.
#[must_use]
pub fn assemble(
    plan: &LinuxPlan,
    shared: &Shared,
    mut seen: Seen,
    endpoints: EndpointOutput,
) -> Output {
    let plan = &plan.plan;
    let (end, measured_from) = (seen.end, seen.measured_from);
    let flows = flows(plan, shared, &seen, &endpoints);
    let frames_counted_until = seen.streams.frames_counted_until();
    let (streams, frames) = streams(plan, &mut seen);
    let sessions = plan.sessions.iter().zip(&endpoints.sessions);
    let measured = end.since(measured_from);
    Output {
        end,
        measured,
        events: seen.events,
        flows,
        streams,
        links: seen.links,
        sessions: sessions
            .map(|(session, end)| SessionOutput { name: session.name.clone(), waited: end.waited })
            .collect(),
        transfers: endpoints.transfers,
        datagrams: seen.datagrams,
        frames,
        frames_counted_until,
        flow_samples: endpoints.flow_samples,
        link_samples: seen.link_samples,
        internals: endpoints.internals,
        decisions: DecisionColumns::default(),
        packets: seen.packets,
    }
}

fn flows(plan: &Plan, shared: &Shared, seen: &Seen, endpoints: &EndpointOutput) -> Vec<FlowOutput> {
    let mut session_of = vec![None; plan.flows.len()];
    for (session, end) in plan.sessions.iter().zip(&endpoints.sessions) {
        for flow in &session.flows {
            session_of[*flow as usize] = Some(end);
        }
    }
    let flows = plan.flows.iter().zip(&seen.watches).zip(&endpoints.flows);
    flows
        .zip(&seen.tally)
        .zip(session_of)
        .zip(&shared.flows)
        .map(|(((((flow, watch), kernel), tally), session), shared)| {
            let start = Time::from_ps(flow.start_ps);
            // A flow of a session may be opened again until the session has ended.
            let finished = match session {
                Some(session) => session.ended_at,
                None => Some(shared.finished_ps.load(Ordering::Acquire))
                    .filter(|ps| *ps != u64::MAX)
                    .map(Time::from_ps),
            };
            let stop = flow.stop_ps.map_or(Time::MAX, Time::from_ps);
            let last = finished.unwrap_or(seen.end).min(stop).min(seen.end);
            FlowOutput {
                name: flow.name.clone(),
                part_of: flow.part_of.as_ref().map(|part| part.name.clone()),
                cc: flow.cc.clone(),
                start,
                finished,
                is_endless: flow.app.is_endless(),
                active: last.since(start.max(seen.measured_from)),
                base_rtt: plan.base_rtt(flow),
                sender: sender_stats(watch, kernel),
                receiver: watch.receiver.clone(),
                lost_packets: tally.lost_packets,
                lost_by_cause: tally.by_cause,
                marked_packets: tally.marked_packets,
                rtt: watch.rtt.clone(),
            }
        })
        .collect()
}

fn streams(plan: &Plan, seen: &mut Seen) -> (Vec<StreamOutput>, FrameColumns) {
    let mut frames = FrameColumns::bounded(plan.record.max_bytes);
    let ends = seen.streams.finish(seen.end, &mut frames);
    let streams = plan.streams.iter().zip(ends).zip(&seen.tally[plan.flows.len()..]);
    let streams = streams
        .map(|((plan_of_stream, (stream, judged)), tally)| {
            let start = Time::from_ps(plan_of_stream.start_ps);
            let last = plan_of_stream.stop_ps.map_or(Time::MAX, Time::from_ps).min(seen.end);
            StreamOutput {
                name: plan_of_stream.name.clone(),
                start,
                active: last.since(start.max(seen.measured_from)),
                base_delay: plan.propagation(plan_of_stream.path.iter()),
                jitter: stream.receiver.jitter(),
                play_after: stream.receiver.play_after(),
                sent: stream.sent.clone(),
                received: stream.receiver.stats.clone(),
                lost_packets: tally.lost_packets,
                frames: judged,
            }
        })
        .collect();
    (streams, frames)
}

/// Merges the counters read from packets with those of the kernel.
fn sender_stats(watch: &Watch, kernel: &KernelCounters) -> SenderStats {
    SenderStats {
        timeouts: small(kernel.timeouts),
        spurious_timeouts: small(kernel.spurious_timeouts.unwrap_or(0)),
        recoveries: small(kernel.recoveries),
        undos: small(kernel.undos.unwrap_or(0)),
        tail_probes: small(kernel.tail_probes.unwrap_or(0)),
        ecn_reductions: small(kernel.ecn_reductions),
        cwnd_max: kernel.cwnd_max,
        limited: kernel.limited,
        ..watch.sender.clone()
    }
}

/// A counter of rare events, of which no run has 2^32.
fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
