//! The network path model: rounds, bandwidth, what the last round delivered, aggregation, and the
//! BDP (draft section "Updating Network Path Model Parameters").

use core::cmp::Reverse;

use ackclock_units::{Rate, Time};

use super::{Bbr3, scale};
use crate::measure::SlidingMin;
use crate::{AckEvent, Duration};

/// `BBR.ExtraAckedFilterLen`, round trips. In startup the filter is one round trip long.
const EXTRA_ACKED_FILTER_LEN: u64 = 10;

/// Packet-timed round trips. Unlike the sender's they can be restarted at any ACK (section
/// "`BBR.round_count`: Tracking Packet-Timed Round Trips").
#[derive(Clone, Copy, Debug, Default)]
pub struct Rounds {
    pub count: u64,
    /// Whether this ACK began a round.
    pub is_start: bool,
    /// Whether the next ACK begins a round, regardless of the data that it acknowledges.
    pub starts_with_next_ack: bool,
    next_delivered: u64,
}

/// Measurements of the last round: its losses, and the most that was delivered (section "When not
/// Probing for Bandwidth").
#[derive(Clone, Copy, Debug, Default)]
pub struct Latest {
    /// `BBR.bw_latest`: largest delivery rate of the round.
    pub bw: Rate,
    /// `BBR.inflight_latest`: largest volume delivered in the interval of a sample, bytes.
    pub inflight: u64,
    /// `BBR.loss_round_start`: this ACK ends a round of loss detection.
    pub is_round_start: bool,
    /// `BBR.is_loss_in_round`: something was lost in the round.
    pub is_loss_in_round: bool,
    /// `BBR.loss_round_delivered`: bytes delivered by the connection when the round ends.
    pub round_delivered: u64,
}

/// Bytes acknowledged beyond what the bandwidth allows (section "`BBR.extra_acked`").
#[derive(Clone, Debug, Default)]
pub struct Aggregation {
    start: Time,
    delivered: u64,
    filter: SlidingMin<Reverse<u64>>,
}

impl Aggregation {
    /// Begins a new interval. After an idle period the draft restarts only the clock. Restarting
    /// the volume with it is Linux's (`bbr_cwnd_event`): otherwise the volume from before the pause
    /// would count as aggregated.
    pub fn restart(&mut self, now: Time) {
        self.start = now;
        self.delivered = 0;
    }

    pub fn extra_acked(&self) -> u64 {
        self.filter.get().map_or(0, |Reverse(most)| most)
    }
}

impl Bbr3 {
    /// `UpdateLatestDeliverySignals`: takes a sample into the latest measurements.
    pub(super) fn update_latest_delivery_signals(&mut self, ack: &AckEvent) {
        self.latest.is_round_start = false;
        let Some(sample) = &ack.rate else { return };
        self.latest.bw = self.latest.bw.max(sample.delivery_rate);
        self.latest.inflight = self.latest.inflight.max(sample.delivered);
        if sample.prior_delivered >= self.latest.round_delivered {
            self.latest.round_delivered = ack.delivered;
            self.latest.is_round_start = true;
        }
    }

    /// `AdvanceLatestDeliverySignals`: a new round begins with the sample of this ACK.
    pub(super) fn advance_latest_delivery_signals(&mut self, ack: &AckEvent) {
        if let (true, Some(sample)) = (self.latest.is_round_start, &ack.rate) {
            self.latest.bw = sample.delivery_rate;
            self.latest.inflight = sample.delivered;
        }
    }

    /// `UpdateRound`: tells whether this ACK begins a round trip, and counts it.
    pub(super) fn update_round(&mut self, ack: &AckEvent) {
        if self.rounds.starts_with_next_ack {
            self.rounds.starts_with_next_ack = false;
            self.start_round();
        }
        self.rounds.is_start =
            ack.rate.is_some_and(|sample| sample.prior_delivered >= self.rounds.next_delivered);
        if self.rounds.is_start {
            self.start_round();
            self.rounds.count += 1;
            self.cycle.rounds_since_probe_up += 1;
        }
    }

    /// `StartRound`: the round trip ends when what is sent from now on is delivered.
    pub(super) fn start_round(&mut self) {
        self.rounds.next_delivered = self.delivered;
    }

    /// `UpdateMaxBw`: takes the delivery rate into the filter, unless the application limited it
    /// below the estimate.
    pub(super) fn update_max_bw(&mut self, ack: &AckEvent) {
        self.update_round(ack);
        if let Some(sample) = &ack.rate
            && (sample.delivery_rate >= self.max_bw.max() || !sample.is_app_limited)
        {
            self.max_bw.add(sample.delivery_rate);
        }
    }

    /// `BoundBWForModel`: the bandwidth is the filter's, at most the short-term bound.
    pub(super) fn bound_bw_for_model(&mut self) {
        self.bw = self.max_bw.max().min(self.bounds.bw_shortterm);
    }

    /// `UpdateACKAggregation`: measures by how much the bytes acknowledged since the interval began
    /// exceed the bandwidth.
    pub(super) fn update_ack_aggregation(&mut self, ack: &AckEvent) {
        if ack.newly_acked == 0 {
            return;
        }
        let mut expected = self.bw.bytes_in(self.now.since(self.aggregation.start));
        if self.aggregation.delivered <= expected {
            self.aggregation.restart(self.now);
            expected = 0;
        }
        self.aggregation.delivered += ack.newly_acked;
        let extra = (self.aggregation.delivered - expected).min(self.cwnd);
        let window = if self.full_bw.is_reached { EXTRA_ACKED_FILTER_LEN } else { 1 };
        self.aggregation.filter.add_in_round(self.rounds.count, Reverse(extra), window);
    }

    /// `BDPMultiple`: bandwidth times smallest RTT times gain, bytes. Without an RTT the initial
    /// window.
    pub(super) fn bdp_multiple(&self, bw: Rate, gain: f64) -> u64 {
        if self.min_rtt.value == Duration::MAX {
            return self.options.initial_window;
        }
        scale(bw.bytes_in(self.min_rtt.value), gain)
    }

    /// `BBR.bdp`: bandwidth-delay product, bytes.
    pub(super) fn bdp(&self) -> u64 {
        self.bdp_multiple(self.bw, 1.0)
    }

    /// `Inflight`: the BDP times gain, with room for what the hosts hold, bytes.
    pub(super) fn inflight(&self, bw: Rate, gain: f64) -> u64 {
        self.quantization_budget(self.bdp_multiple(bw, gain))
    }

    /// `TargetInflight`: the BDP, unless congestion has cut the window below it.
    pub(super) fn target_inflight(&self) -> u64 {
        self.bdp().min(self.cwnd)
    }
}
