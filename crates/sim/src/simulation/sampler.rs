//! Time series of flows: the sampler reads senders and receivers, which know nothing of it.

use ackclock_units::{Duration, Rate, Time};

use super::later_rows::LaterRows;
use crate::event::{Moment, Step};
use crate::net::Tally;
use crate::record::{FlowColumns, FlowSample, InternalColumns, InternalValue, float};
use crate::transport::receiver::Receiver;
use crate::transport::sender::Sender;

/// The time series of all flows.
#[derive(Clone, Debug, Default)]
pub struct Sampler {
    /// One row per flow and moment.
    pub flows: FlowColumns,
    /// One row per internal value.
    pub internals: InternalColumns,
    /// Rows that wait, in a run by rounds with rows of single senders.
    later: Option<Box<LaterRows>>,
    /// Rows of one sample.
    rows: Vec<FlowSample>,
    /// Internal values of the algorithms, row by row.
    values: Vec<InternalValue>,
}

impl Sampler {
    /// Makes empty tables that take at most `max_bytes` of memory each.
    #[must_use]
    pub fn bounded(max_bytes: u64) -> Self {
        Self {
            flows: FlowColumns::bounded(max_bytes),
            internals: InternalColumns::bounded(max_bytes),
            later: None,
            rows: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Keeps rows of single senders until [`Sampler::flush`], because senders do not come to them
    /// in the order of time. `has_changes`: there is a row for every change, not only for closes.
    pub fn wait(&mut self, has_changes: bool) {
        self.later = Some(Box::new(LaterRows::new(has_changes)));
    }

    /// The next rows belong to this step.
    pub fn at(&mut self, step: Option<Step>) {
        if let (Some(later), Some(step)) = (&mut self.later, step) {
            later.step = step;
        }
    }

    /// A receiver has so much data in order.
    pub fn delivered(&mut self, flow: u32, bytes: u64, step: Option<Step>) {
        self.at(step);
        if let Some(later) = &mut self.later {
            later.delivered(flow, bytes);
        }
    }

    /// Begins the measured part of the run.
    pub fn reset(&mut self) {
        if let Some(later) = &mut self.later {
            later.reset();
        }
    }

    /// Writes the rows before `until`. `lost`: the losses by flow.
    pub fn flush(&mut self, until: Moment, lost: &mut Vec<(Step, u32)>) {
        if let Some(later) = &mut self.later {
            later.flush(until, lost, &mut self.flows, &mut self.internals);
        }
    }

    /// Records a row of a flow, as it is now.
    pub fn flow(
        &mut self,
        id: u32,
        now: Time,
        sender: &Sender,
        receiver: &Receiver,
        tally: &Tally,
    ) {
        if let Some(later) = &mut self.later {
            later.row(now, row(id, now, sender, receiver, tally));
            sender.cc().internals(&mut |name, value| later.internal(name, value));
            return;
        }
        if self.flows.has_room(now) {
            self.flows.push(row(id, now, sender, receiver, tally));
        }
        let internals = &mut self.internals;
        sender.cc().internals(&mut |name, value| internals.add(now, id, name, value));
    }

    /// Adds a row of a flow, as it is now, to a sample of many. [`Sampler::write`] must follow the
    /// last one.
    pub fn gather(
        &mut self,
        id: u32,
        now: Time,
        sender: &Sender,
        receiver: &Receiver,
        tally: &Tally,
    ) {
        self.rows.push(row(id, now, sender, receiver, tally));
        let values = &mut self.values;
        sender.cc().internals(&mut |name, value| {
            values.push(InternalValue { flow: id, name, value });
        });
    }

    /// Writes the sample that was gathered at `now`.
    pub fn write(&mut self, now: Time) {
        self.flows.extend(&self.rows, now);
        self.internals.add_all(&self.values, now);
        self.rows.clear();
        self.values.clear();
    }

    /// Removes window and rates from the latest row, because its connection is closed.
    pub fn close(&mut self) {
        match &mut self.later {
            Some(later) => later.close(),
            None => self.flows.close(),
        }
    }
}

/// A row of a flow, as it is now.
fn row(id: u32, now: Time, sender: &Sender, receiver: &Receiver, tally: &Tally) -> FlowSample {
    let rtt = sender.rtt();
    let bps = |rate: Option<Rate>| rate.map_or(f64::NAN, |rate| float(rate.as_bps()));
    FlowSample {
        time: now.as_secs_f64(),
        flow: id,
        cwnd: float(sender.cwnd()),
        ssthresh: sender.decision().ssthresh.map_or(f64::NAN, float),
        srtt: if rtt.has_sample() { rtt.srtt().as_secs_f64() } else { f64::NAN },
        rtt_sample: rtt.latest().map_or(f64::NAN, Duration::as_secs_f64),
        inflight: float(sender.inflight()),
        pacing_rate: bps(sender.pacing_rate()),
        delivery_rate: bps(sender.delivery_rate()),
        delivered: receiver.delivered_in_all(),
        acked: sender.acked_in_all(),
        sent: sender.stats().sent_packets,
        retransmitted: sender.stats().retransmitted_packets,
        lost: tally.lost_packets(),
        state: sender.ca_state() as u8,
    }
}
