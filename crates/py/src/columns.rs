//! Columns as numpy arrays, by name.

use ackclock_sim::app::session::TransferColumns;
use ackclock_sim::probe::{FlowColumns, InternalColumns, LinkColumns, PacketColumns};
use ackclock_sim::udp::{DatagramColumns, FrameColumns};
use numpy::{Element, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A dict of arrays in the making.
struct Table<'py>(Bound<'py, PyDict>);

impl<'py> Table<'py> {
    fn new(py: Python<'py>) -> Self {
        Self(PyDict::new(py))
    }

    fn column<T: Element + Copy>(self, name: &str, values: &[T]) -> PyResult<Self> {
        self.0.set_item(name, PyArray1::from_slice(self.0.py(), values))?;
        Ok(self)
    }
}

/// One row per flow and moment.
pub fn flow_samples<'py>(py: Python<'py>, c: &FlowColumns) -> PyResult<Bound<'py, PyDict>> {
    let table = Table::new(py)
        .column("time", &c.time)?
        .column("flow", &c.flow)?
        .column("cwnd", &c.cwnd)?
        .column("ssthresh", &c.ssthresh)?
        .column("srtt", &c.srtt)?
        .column("rtt_sample", &c.rtt_sample)?
        .column("inflight", &c.inflight)?
        .column("pacing_rate", &c.pacing_rate)?
        .column("delivery_rate", &c.delivery_rate)?
        .column("delivered", &c.delivered)?
        .column("acked", &c.acked)?
        .column("retransmitted", &c.retransmitted)?
        .column("lost", &c.lost)?
        .column("state", &c.state)?;
    Ok(table.0)
}

/// One row per link and moment.
pub fn link_samples<'py>(py: Python<'py>, c: &LinkColumns) -> PyResult<Bound<'py, PyDict>> {
    let table = Table::new(py)
        .column("time", &c.time)?
        .column("link", &c.link)?
        .column("queue_packets", &c.queue_packets)?
        .column("queue_bytes", &c.queue_bytes)?
        .column("queue_delay", &c.queue_delay)?
        .column("dropped", &c.dropped)?
        .column("dropped_forced", &c.dropped_forced)?
        .column("dropped_early", &c.dropped_early)?
        .column("marked", &c.marked)?
        .column("delivered_bytes", &c.delivered_bytes)?
        .column("red_average", &c.red_average)?;
    Ok(table.0)
}

/// One row per transfer of a session.
pub fn transfers<'py>(py: Python<'py>, c: &TransferColumns) -> PyResult<Bound<'py, PyDict>> {
    let table = Table::new(py)
        .column("session", &c.session)?
        .column("kind", &c.kind)?
        .column("number", &c.number)?
        .column("start_time", &c.start)?
        .column("finish_time", &c.finish)?
        .column("size", &c.size)?
        .column("rate", &c.rate)?;
    Ok(table.0)
}

/// One row per datagram sent.
pub fn datagrams<'py>(py: Python<'py>, c: &DatagramColumns) -> PyResult<Bound<'py, PyDict>> {
    let table = Table::new(py)
        .column("stream", &c.stream)?
        .column("number", &c.number)?
        .column("sent_time", &c.sent)?
        .column("size", &c.size)?
        .column("frame", &c.frame)?
        .column("delay", &c.delay)?
        .column("jitter", &c.jitter)?;
    Ok(table.0)
}

/// One row per frame sent.
pub fn frames<'py>(py: Python<'py>, c: &FrameColumns) -> PyResult<Bound<'py, PyDict>> {
    let table = Table::new(py)
        .column("stream", &c.stream)?
        .column("number", &c.number)?
        .column("kind", &c.kind)?
        .column("size", &c.size)?
        .column("sent_time", &c.sent)?
        .column("complete_time", &c.complete)?
        .column("deadline", &c.deadline)?
        .column("state", &c.state)?
        .column("decodable", &c.decodable)?;
    Ok(table.0)
}

/// One row per value of an algorithm's internals, and the list of their names.
pub fn internals<'py>(py: Python<'py>, c: &InternalColumns) -> PyResult<Bound<'py, PyDict>> {
    let table = Table::new(py)
        .column("time", &c.time)?
        .column("flow", &c.flow)?
        .column("name", &c.name)?
        .column("value", &c.value)?;
    table.0.set_item("names", &c.names)?;
    Ok(table.0)
}

/// One row per packet event.
pub fn packets<'py>(py: Python<'py>, c: &PacketColumns) -> PyResult<Bound<'py, PyDict>> {
    const SACKS: [&str; 6] = ["sack0_start", "sack0_end", "sack1_start", "sack1_end", "sack2_start", "sack2_end"];
    let mut table = Table::new(py)
        .column("time_ns", &c.time_ns)?
        .column("point", &c.point)?
        .column("where", &c.place)?
        .column("event", &c.event)?
        .column("flow", &c.flow)?
        .column("connection", &c.connection)?
        .column("is_ack", &c.is_ack)?
        .column("seq", &c.seq)?
        .column("length", &c.length)?
        .column("ack", &c.ack)?
        .column("wire_size", &c.wire_size)?
        .column("flags", &c.flags)?
        .column("ecn", &c.ecn)?
        .column("window", &c.window)?
        .column("ts_val", &c.ts_val)?
        .column("ts_ecr", &c.ts_ecr)?;
    for (name, values) in SACKS.iter().zip(&c.sacks) {
        table = table.column(name, values)?;
    }
    Ok(table.0)
}
