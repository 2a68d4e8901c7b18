//! Rows of the series: the kernel's state of a flow at a moment, in the columns of a simulated run.

use std::sync::atomic::Ordering::Relaxed;

use ackclock_sim::record::{FlowColumns, FlowSample, InternalColumns};
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
    /// Index of the flow.
    pub flow: u32,
    /// The moment.
    pub at: Time,
    /// The kernel's name of its congestion control.
    pub cc: &'a str,
    /// Initial window of the flow, bytes.
    pub initial_window: u64,
    /// Connections of the flow.
    pub line: &'a Line,
    /// The kernel's state of the present connection.
    pub info: &'a Info,
    /// The emulator's state of the flow.
    pub shared: &'a FlowShared,
}

impl Rows {
    /// Tables of at most `max_bytes` of memory each.
    #[must_use]
    pub fn bounded(max_bytes: u64) -> Self {
        Self {
            flows: FlowColumns::bounded(max_bytes),
            internals: InternalColumns::bounded(max_bytes),
        }
    }

    /// Adds a row, unless the flow has no connection or the table is full.
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

    #[expect(
        clippy::cast_precision_loss,
        reason = "columns are f64; windows and rates are far below 2^53"
    )]
    fn add_flow(&mut self, seen: &Seen) {
        let &Seen { flow, at, cc, initial_window, line, info, shared } = seen;
        let known = |value: u64| if value == 0 { f64::NAN } else { value as f64 };
        let rtt_ns = shared.rtt_ns.load(Relaxed);
        // While the SYN is out the kernel has neither learned the segments' size nor taken the
        // route's initial window.
        let is_open = info.state != state::SYN_SENT;
        let cwnd = if is_open { info.bytes(info.cwnd) } else { initial_window };
        // Before the first sample the kernel's rate is its largest number.
        let is_paced = internals::is_paced(cc) && info.pacing_rate < u64::MAX && is_open;
        self.flows.push(FlowSample {
            time: at.as_secs_f64(),
            flow,
            cwnd: cwnd as f64,
            ssthresh: info.ssthresh.map_or(f64::NAN, |packets| info.bytes(packets) as f64),
            srtt: known(info.rtt.into()) / 1e6,
            rtt_sample: if rtt_ns == u64::MAX { f64::NAN } else { rtt_ns as f64 / 1e9 },
            inflight: info.bytes(info.inflight_packets()) as f64,
            pacing_rate: if is_paced { 8.0 * info.pacing_rate as f64 } else { f64::NAN },
            delivery_rate: 8.0 * known(info.delivery_rate),
            delivered: shared.delivered.load(Relaxed),
            // The bytes include the SYN and the FIN.
            acked: line.acked_before + info.bytes_acked.saturating_sub(1).min(line.handed()),
            sent: shared.sent.load(Relaxed),
            retransmitted: shared.retransmitted.load(Relaxed),
            lost: shared.lost.load(Relaxed),
            state: info.ca_state,
        });
    }

    fn add_internals(&mut self, seen: &Seen) {
        let Some(socket) = seen.line.connection() else { return };
        let internals = &mut self.internals;
        internals::show(seen.cc, socket, seen.info, &mut |name, value| {
            internals.add(seen.at, seen.flow, name, value);
        });
    }

    /// Clears the window of the latest row, because its connection is closed.
    pub fn close(&mut self) {
        self.flows.close();
    }
}
