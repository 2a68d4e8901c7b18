//! Rows of the series: what the kernel says of a flow at a moment, in the columns of a simulated run.

use std::sync::atomic::Ordering::Relaxed;

use ackclock_sim::probe::{FlowColumns, InternalColumns};
use ackclock_units::Time;

use super::info::{Info, state};
use super::internals;
use super::line::Line;
use crate::shared::FlowShared;

/// The series of all flows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// One row per flow and moment.
    pub flows: FlowColumns,
    /// One row per internal value.
    pub internals: InternalColumns,
}

/// A flow at a moment.
pub struct Seen<'a> {
    /// Its index.
    pub flow: u32,
    /// The moment.
    pub at: Time,
    /// The kernel's name of its congestion control.
    pub cc: &'a str,
    /// What it begins with, bytes.
    pub initial_window: u64,
    /// Its connections.
    pub line: &'a Line,
    /// What the kernel says of the present one.
    pub info: &'a Info,
    /// What the emulator says.
    pub shared: &'a FlowShared,
}

impl Rows {
    /// Tables that take at most so much memory each, bytes.
    #[must_use]
    pub fn bounded(max_bytes: u64) -> Self {
        Self {
            flows: FlowColumns::bounded(max_bytes),
            internals: InternalColumns::bounded(max_bytes),
        }
    }

    /// A row, unless the flow has no connection, or the table is full.
    pub fn add(&mut self, seen: &Seen) {
        if seen.line.connection().is_none() {
            return;
        }
        if self.flows.has_room(seen.at) {
            self.add_flow(seen);
        }
        // While the SYN is out the algorithm has not begun.
        if seen.info.state != state::SYN_SENT {
            self.add_internals(seen);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "columns are f64; windows and rates are far below 2^53")]
    fn add_flow(&mut self, seen: &Seen) {
        let &Seen {
            flow,
            at,
            cc,
            initial_window,
            line,
            info,
            shared,
        } = seen;
        let time = at.as_secs_f64();
        let known = |value: u64| if value == 0 { f64::NAN } else { value as f64 };
        let rtt_ns = shared.rtt_ns.load(Relaxed);
        let f = &mut self.flows;
        f.time.push(time);
        f.flow.push(flow);
        // While the SYN is out the kernel has neither learned the segments' size nor taken the route's initial window.
        let is_open = info.state != state::SYN_SENT;
        let cwnd = if is_open { info.bytes(info.cwnd) } else { initial_window };
        f.cwnd.push(cwnd as f64);
        f.ssthresh
            .push(info.ssthresh.map_or(f64::NAN, |packets| info.bytes(packets) as f64));
        f.srtt.push(known(info.rtt.into()) / 1e6);
        f.rtt_sample.push(if rtt_ns == u64::MAX { f64::NAN } else { rtt_ns as f64 / 1e9 });
        f.inflight.push(info.bytes(info.inflight_packets()) as f64);
        // Before the first sample the kernel has no rate, which is its largest number.
        let is_paced = internals::is_paced(cc) && info.pacing_rate < u64::MAX && is_open;
        f.pacing_rate.push(if is_paced { 8.0 * info.pacing_rate as f64 } else { f64::NAN });
        f.delivery_rate.push(8.0 * known(info.delivery_rate));
        f.delivered.push(shared.delivered.load(Relaxed));
        // The SYN is counted with the bytes, and so is the FIN.
        f.acked
            .push(line.acked_before + info.bytes_acked.saturating_sub(1).min(line.handed()));
        f.retransmitted.push(shared.retransmitted.load(Relaxed));
        f.lost.push(shared.lost.load(Relaxed));
        f.state.push(info.ca_state);
    }

    fn add_internals(&mut self, seen: &Seen) {
        let Some(socket) = seen.line.connection() else { return };
        let (time, flow) = (seen.at.as_secs_f64(), seen.flow);
        let internals = &mut self.internals;
        internals::show(seen.cc, socket, seen.info, &mut |name, value| {
            if !internals.has_room(seen.at) {
                return;
            }
            let at = internals.names.iter().position(|n| *n == name).unwrap_or_else(|| {
                internals.names.push(name);
                internals.names.len() - 1
            });
            internals.time.push(time);
            internals.flow.push(flow);
            internals.name.push(u16::try_from(at).unwrap_or(u16::MAX));
            internals.value.push(value);
        });
    }

    /// The latest row is that of a connection that is closed: it has no window any more.
    pub fn close(&mut self) {
        let f = &mut self.flows;
        if f.room.full_at().is_some() {
            return;
        }
        for column in [&mut f.cwnd, &mut f.ssthresh, &mut f.pacing_rate, &mut f.delivery_rate] {
            if let Some(last) = column.last_mut() {
                *last = f64::NAN;
            }
        }
    }
}
