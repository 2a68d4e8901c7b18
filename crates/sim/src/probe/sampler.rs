//! Time series of flows and links: the recorder pulls, the model never pushes.

use ackclock_units::{Duration, Rate, Time};

use super::columns::float;
use super::{FlowColumns, InternalColumns};
use crate::net::Tally;
use crate::transport::receiver::Receiver;
use crate::transport::sender::Sender;

/// The series of all flows.
#[derive(Clone, Debug, Default)]
pub struct Sampler {
    /// One row per flow and moment.
    pub flows: FlowColumns,
    /// One row per internal value.
    pub internals: InternalColumns,
}

impl Sampler {
    /// Tables that take at most so much memory each, bytes.
    #[must_use]
    pub fn bounded(max_bytes: u64) -> Self {
        Self {
            flows: FlowColumns::bounded(max_bytes),
            internals: InternalColumns::bounded(max_bytes),
        }
    }

    /// A row of a flow, as it is now.
    pub fn flow(&mut self, id: u32, now: Time, sender: &Sender, receiver: &Receiver, tally: &Tally) {
        if self.flows.has_room(now) {
            self.row(id, now, sender, receiver, tally);
        }
        let time = now.as_secs_f64();
        let internals = &mut self.internals;
        sender.cc().internals(&mut |name, value| {
            if !internals.has_room(now) {
                return;
            }
            let at = internals.names.iter().position(|n| *n == name).unwrap_or_else(|| {
                internals.names.push(name);
                internals.names.len() - 1
            });
            internals.time.push(time);
            internals.flow.push(id);
            internals.name.push(u16::try_from(at).unwrap_or(u16::MAX));
            internals.value.push(value);
        });
    }

    fn row(&mut self, id: u32, now: Time, sender: &Sender, receiver: &Receiver, tally: &Tally) {
        let rtt = sender.rtt();
        let bps = |rate: Option<Rate>| rate.map_or(f64::NAN, |rate| float(rate.as_bps()));
        let f = &mut self.flows;
        f.time.push(now.as_secs_f64());
        f.flow.push(id);
        f.cwnd.push(float(sender.cwnd()));
        f.ssthresh.push(sender.decision().ssthresh.map_or(f64::NAN, float));
        f.srtt.push(if rtt.has_sample() { rtt.srtt().as_secs_f64() } else { f64::NAN });
        f.rtt_sample.push(rtt.latest().map_or(f64::NAN, Duration::as_secs_f64));
        f.inflight.push(float(sender.inflight()));
        f.pacing_rate.push(bps(sender.pacing_rate()));
        f.delivery_rate.push(bps(sender.delivery_rate()));
        f.delivered.push(receiver.delivered_in_all());
        f.acked.push(sender.acked_in_all());
        f.retransmitted.push(sender.stats.retransmitted_packets);
        f.lost.push(tally.lost_packets());
        f.state.push(sender.ca_state() as u8);
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
