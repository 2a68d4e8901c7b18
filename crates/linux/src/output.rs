//! A run's results in the simulator's own form, so that whoever reads them need not know where they come from.

use ackclock_sim::Output;
use ackclock_sim::sim::{FlowOutput, LinkOutput, SessionOutput, StreamOutput, base_rtt, propagation};
use ackclock_sim::transport::sender::SenderStats;
use ackclock_sim::udp::FrameColumns;
use ackclock_units::Time;

use crate::emulator::{Emulated, Watch};
use crate::endpoint::{EndpointOutput, KernelCounters};
use crate::plan::LinuxPlan;
use crate::shared::Shared;

/// Puts together what the network saw and what the kernel counted.
#[must_use]
pub fn assemble(plan: &LinuxPlan, shared: &Shared, emulated: Emulated, endpoints: EndpointOutput) -> Output {
    let plan = &plan.plan;
    let Emulated {
        network,
        watches,
        mut streams,
        datagrams,
        end,
        measured_from,
        events,
        ..
    } = emulated;
    let mut session_of = vec![None; plan.flows.len()];
    for (session, end) in plan.sessions.iter().zip(&endpoints.sessions) {
        for flow in &session.flows {
            session_of[*flow as usize] = Some(end);
        }
    }
    let flows = plan
        .flows
        .iter()
        .zip(watches)
        .zip(&endpoints.flows)
        .zip(&network.tally)
        .enumerate()
        .map(|(index, (((flow, watch), kernel), tally))| {
            let start = Time::from_ps(flow.start_ps);
            let stop = flow.stop_ps.map_or(Time::MAX, Time::from_ps);
            let finished_ps = shared.flows[index].finished_ps.load(std::sync::atomic::Ordering::Acquire);
            // What a session runs may be opened again until that has ended.
            let finished = match session_of[index] {
                Some(session) => session.ended_at,
                None => (finished_ps != u64::MAX).then(|| Time::from_ps(finished_ps)),
            };
            let last = finished.unwrap_or(end).min(stop).min(end);
            FlowOutput {
                name: flow.name.clone(),
                cc: flow.cc.clone(),
                start,
                finished,
                active: last.since(start.max(measured_from)),
                base_rtt: base_rtt(plan, flow),
                sender: sender_stats(&watch, kernel),
                receiver: watch.receiver,
                lost_packets: tally.lost_packets,
                marked_packets: tally.marked_packets,
                rtt: watch.rtt,
            }
        })
        .collect();
    let mut frames = FrameColumns::default();
    let streams = plan
        .streams
        .iter()
        .zip(streams.finish(end, &mut frames))
        .zip(&network.tally[plan.flows.len()..])
        .map(|((plan_of_stream, (stream, judged)), tally)| {
            let start = Time::from_ps(plan_of_stream.start_ps);
            let last = plan_of_stream.stop_ps.map_or(Time::MAX, Time::from_ps).min(end);
            StreamOutput {
                name: plan_of_stream.name.clone(),
                start,
                active: last.since(start.max(measured_from)),
                base_delay: propagation(plan, plan_of_stream.path.iter()),
                jitter: stream.receiver.jitter(),
                play_after: stream.receiver.play_after(),
                sent: stream.sent.clone(),
                received: stream.receiver.stats.clone(),
                lost_packets: tally.lost_packets,
                frames: judged,
            }
        })
        .collect();
    let links = plan
        .links
        .iter()
        .zip(&network.links)
        .map(|(plan, link)| LinkOutput {
            name: plan.name.clone(),
            rate_bps: plan.rate_bps,
            busy: link.busy_until(end),
            stats: link.stats().clone(),
        })
        .collect();
    Output {
        end,
        measured: end.since(measured_from),
        events,
        flows,
        streams,
        links,
        sessions: plan
            .sessions
            .iter()
            .zip(&endpoints.sessions)
            .map(|(session, end)| SessionOutput {
                name: session.name.clone(),
                waited: end.waited,
            })
            .collect(),
        transfers: endpoints.transfers,
        datagrams,
        frames,
        flow_samples: endpoints.flow_samples,
        link_samples: network.log.links,
        internals: endpoints.internals,
        packets: network.log.packets,
    }
}

/// What the packets told, and of the kernel's own counters what packets do not tell.
fn sender_stats(watch: &Watch, kernel: &KernelCounters) -> SenderStats {
    SenderStats {
        timeouts: kernel.timeouts,
        spurious_timeouts: kernel.spurious_timeouts.unwrap_or(0),
        recoveries: kernel.recoveries,
        undos: kernel.undos.unwrap_or(0),
        tail_probes: kernel.tail_probes.unwrap_or(0),
        ecn_reductions: kernel.ecn_reductions,
        cwnd_max: kernel.cwnd_max,
        limited: kernel.limited,
        ..watch.sender.clone()
    }
}
