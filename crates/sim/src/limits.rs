//! How large the numbers of a plan may be, so that sums and products of them fit.

use crate::plan::{FlowPlan, Plan, TransportPlan};
use crate::sim::LONGEST;
use crate::udp::{StreamAppPlan, StreamPlan};

/// Most bytes of a packet's payload, and of its headers; IP allows 65 535 of both.
const MOST_PACKET_BYTES: u32 = 1 << 24;
/// Most bytes of a window or a buffer: TCP's largest is 1 GB.
const MOST_WINDOW_BYTES: u64 = 1 << 40;

/// Whether all times and sizes fit; the paths have been checked.
///
/// # Errors
/// Names the flow or stream, the key, its value and the most that it may be.
pub fn check(plan: &Plan) -> Result<(), String> {
    for flow in &plan.flows {
        let named = |text: String| format!("flow {}: {text}", flow.name);
        of_flow(flow).map_err(named)?;
        let delays = flow
            .path
            .iter()
            .chain(&flow.reverse_path)
            .map(|link| plan.links[*link as usize].delay_ps);
        at_most("base RTT, ps,", delays.fold(0, u64::saturating_add), LONGEST).map_err(named)?;
    }
    for stream in &plan.streams {
        let named = |text: String| format!("stream {}: {text}", stream.name);
        of_stream(stream).map_err(named)?;
        let delays = stream.path.iter().map(|link| plan.links[*link as usize].delay_ps);
        at_most("propagation, ps,", delays.fold(0, u64::saturating_add), LONGEST).map_err(named)?;
    }
    Ok(())
}

fn of_flow(flow: &FlowPlan) -> Result<(), String> {
    let TransportPlan {
        mss,
        header_bytes,
        initial_window_bytes,
        receive_buffer_bytes,
        initial_receive_window_bytes,
        ..
    } = flow.transport;
    let transport = &flow.transport;
    at_most("timestamp_clock_ps", transport.timestamp_clock_ps, LONGEST)?;
    at_most("rtt_clock_ps", transport.rtt_clock_ps, LONGEST)?;
    at_most("clock_phase_ps", transport.clock_phase_ps, LONGEST)?;
    sizes(&[("mss", mss), ("header_bytes", header_bytes)])?;
    at_most("initial_window_bytes", initial_window_bytes, MOST_WINDOW_BYTES)?;
    at_most("receive_buffer_bytes", receive_buffer_bytes, MOST_WINDOW_BYTES)?;
    at_most("initial_receive_window_bytes", initial_receive_window_bytes, MOST_WINDOW_BYTES)?;
    if transport.delayed_ack_count == 0 {
        return Err("delayed_ack_count 0: must be at least 1".into());
    }
    Ok(())
}

fn of_stream(stream: &StreamPlan) -> Result<(), String> {
    at_most("playout_ps", stream.playout_ps.unwrap_or(0), LONGEST)?;
    let payload = match &stream.app {
        StreamAppPlan::Cbr(cbr) => cbr.payload_bytes,
        StreamAppPlan::Voice(voice) => voice.payload_bytes,
        StreamAppPlan::Video(video) => video.packet_bytes,
    };
    sizes(&[("header_bytes", stream.header_bytes), ("the payload of a datagram", payload)])
}

fn sizes(all: &[(&str, u32)]) -> Result<(), String> {
    all.iter()
        .try_for_each(|(key, bytes)| at_most(key, u64::from(*bytes), u64::from(MOST_PACKET_BYTES)))
}

fn at_most(key: &str, value: u64, most: u64) -> Result<(), String> {
    if value > most {
        return Err(format!("{key} {value}: must be at most {most}"));
    }
    Ok(())
}
