//! The network path model: rounds, bandwidth, what the last round delivered, aggregation, the BDP (draft section "Updating
//! Network Path Model Parameters").

use ackclock_units::{Rate, Time};

use super::filters::WindowedMax;
use super::{Bbr3, scale};
use crate::{AckEvent, Duration};

/// `BBR.ExtraAckedFilterLen`, round trips; in startup one is remembered.
const EXTRA_ACKED_FILTER_LEN: u64 = 10;

/// Packet-timed round trips that, other than the sender's, can be restarted at any ACK (section "`BBR.round_count`").
#[derive(Clone, Copy, Debug, Default)]
pub struct Rounds {
    pub count: u64,
    /// Whether this ACK began a round.
    pub is_start: bool,
    /// Whether the next ACK begins one, whatever it acknowledges.
    pub starts_with_next_ack: bool,
    next_delivered: u64,
}

/// A measurement of the last round: losses in it, and the most that was delivered (section "When not Probing for Bandwidth").
#[derive(Clone, Copy, Debug, Default)]
pub struct Latest {
    /// `BBR.bw_latest`.
    pub bw: Rate,
    /// `BBR.inflight_latest`.
    pub inflight: u64,
    /// `BBR.loss_round_start`.
    pub is_round_start: bool,
    /// `BBR.is_loss_in_round`.
    pub is_loss_in_round: bool,
    /// `BBR.loss_round_delivered`.
    pub round_delivered: u64,
}

/// What is acknowledged beyond what the bandwidth allows (section "`BBR.extra_acked`").
#[derive(Clone, Debug, Default)]
pub struct Aggregation {
    start: Time,
    delivered: u64,
    filter: WindowedMax,
}

impl Aggregation {
    /// A new interval. After idleness the draft restarts only the clock; the volume with it is Linux's (`bbr_cwnd_event`), without which the
    /// volume from before the pause would count as aggregated.
    pub fn restart(&mut self, now: Time) {
        self.start = now;
        self.delivered = 0;
    }

    pub fn extra_acked(&self) -> u64 {
        self.filter.max()
    }
}

impl Bbr3 {
    /// `UpdateLatestDeliverySignals`.
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

    /// `AdvanceLatestDeliverySignals`.
    pub(super) fn advance_latest_delivery_signals(&mut self, ack: &AckEvent) {
        if let (true, Some(sample)) = (self.latest.is_round_start, &ack.rate) {
            self.latest.bw = sample.delivery_rate;
            self.latest.inflight = sample.delivered;
        }
    }

    /// `UpdateRound`.
    pub(super) fn update_round(&mut self, ack: &AckEvent) {
        if self.rounds.starts_with_next_ack {
            self.rounds.starts_with_next_ack = false;
            self.start_round();
        }
        self.rounds.is_start = ack.rate.is_some_and(|sample| sample.prior_delivered >= self.rounds.next_delivered);
        if self.rounds.is_start {
            self.start_round();
            self.rounds.count += 1;
            self.cycle.rounds_since_probe_up += 1;
        }
    }

    /// `StartRound`.
    pub(super) fn start_round(&mut self) {
        self.rounds.next_delivered = self.delivered;
    }

    /// `UpdateMaxBw`.
    pub(super) fn update_max_bw(&mut self, ack: &AckEvent) {
        self.update_round(ack);
        if let Some(sample) = &ack.rate
            && (sample.delivery_rate >= self.max_bw.max() || !sample.is_app_limited)
        {
            self.max_bw.add(sample.delivery_rate);
        }
    }

    /// `BoundBWForModel`.
    pub(super) fn bound_bw_for_model(&mut self) {
        self.bw = self.max_bw.max().min(self.bounds.bw_shortterm);
    }

    /// `UpdateACKAggregation`.
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
        self.aggregation.filter.add(extra, self.rounds.count, window);
    }

    /// `BDPMultiple`.
    pub(super) fn bdp_multiple(&self, bw: Rate, gain: f64) -> u64 {
        if self.min_rtt.value == Duration::MAX {
            return self.options.initial_window;
        }
        scale(bw.bytes_in(self.min_rtt.value), gain)
    }

    /// `BBR.bdp`.
    pub(super) fn bdp(&self) -> u64 {
        self.bdp_multiple(self.bw, 1.0)
    }

    /// `Inflight`.
    pub(super) fn inflight(&self, bw: Rate, gain: f64) -> u64 {
        self.quantization_budget(self.bdp_multiple(bw, gain))
    }

    /// `TargetInflight`: the BDP, unless congestion has cut the window.
    pub(super) fn target_inflight(&self) -> u64 {
        self.bdp().min(self.cwnd)
    }
}
