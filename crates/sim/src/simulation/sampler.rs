//! Time series of flows: the sampler reads senders and receivers, which know nothing of it.

use ackclock_units::{Duration, Rate, Time};

use crate::net::Tally;
use crate::probe::{FlowColumns, FlowSample, InternalColumns, float};
use crate::transport::receiver::Receiver;
use crate::transport::sender::Sender;

/// The time series of all flows.
#[derive(Clone, Debug, Default)]
pub struct Sampler {
    /// One row per flow and moment.
    pub flows: FlowColumns,
    /// One row per internal value.
    pub internals: InternalColumns,
}

impl Sampler {
    /// Makes empty tables that take at most `max_bytes` of memory each.
    #[must_use]
    pub fn bounded(max_bytes: u64) -> Self {
        Self {
            flows: FlowColumns::bounded(max_bytes),
            internals: InternalColumns::bounded(max_bytes),
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
        if self.flows.has_room(now) {
            self.row(id, now, sender, receiver, tally);
        }
        let internals = &mut self.internals;
        sender.cc().internals(&mut |name, value| internals.add(now, id, name, value));
    }

    fn row(&mut self, id: u32, now: Time, sender: &Sender, receiver: &Receiver, tally: &Tally) {
        let rtt = sender.rtt();
        let bps = |rate: Option<Rate>| rate.map_or(f64::NAN, |rate| float(rate.as_bps()));
        self.flows.push(FlowSample {
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
            retransmitted: sender.stats().retransmitted_packets,
            lost: tally.lost_packets(),
            state: sender.ca_state() as u8,
        });
    }

    /// Removes window and rates from the latest row, because its connection is closed.
    pub fn close(&mut self) {
        self.flows.close();
    }
}
