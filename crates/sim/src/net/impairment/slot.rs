//! Slots: packets leave the link in batches, as ACKs do from a Wi-Fi sender that waits for its turn
//! and aggregates.
//!
//! This is `slot` of tc-netem(8), in Linux's order of operations (`net/sched/sch_netem.c`,
//! `netem_dequeue` and `get_slot_next`), for a netem without a delay of its own. A packet that
//! comes after the last slot opens the next one, a random time later. All packets that come until
//! then leave with it, up to the slot's packets and bytes; the rest waits for the slot after it.

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Crossing, Impairment};
use crate::rng::{self, Rng};

/// Parameters of slots, under tc's names.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotPlan {
    /// Shortest time to the next slot, ps.
    pub min_delay_ps: u64,
    /// Longest time to the next slot, ps.
    pub max_delay_ps: u64,
    /// Most packets of a slot; `None`: no limit.
    #[serde(default)]
    pub packets: Option<u64>,
    /// Bytes of a slot: the packet that reaches them is its last. `None`: no limit.
    #[serde(default)]
    pub bytes: Option<u64>,
}

/// The slot that packets wait for, and the room that is left in it.
pub struct Slot {
    plan: SlotPlan,
    rng: Rng,
    next: Time,
    packets_left: u64,
    bytes_left: u64,
}

impl Slot {
    /// Makes the impairment; `rng` should be a stream of this link only.
    #[must_use]
    pub fn new(plan: SlotPlan, rng: Rng) -> Self {
        Self {
            plan,
            rng,
            next: Time::ZERO,
            packets_left: plan.packets.unwrap_or(u64::MAX),
            bytes_left: plan.bytes.unwrap_or(u64::MAX),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a span far below 2^53 ps to a millionth of it"
    )]
    fn open(&mut self, now: Time) {
        let span = self.plan.max_delay_ps.saturating_sub(self.plan.min_delay_ps);
        let drawn = (rng::unit(&mut self.rng) * span as f64) as u64;
        self.next =
            now.saturating_add(Duration::from_ps(self.plan.min_delay_ps.saturating_add(drawn)));
        self.packets_left = self.plan.packets.unwrap_or(u64::MAX);
        self.bytes_left = self.plan.bytes.unwrap_or(u64::MAX);
    }
}

impl Impairment for Slot {
    fn apply(&mut self, crossing: &mut Crossing) {
        if self.next < crossing.sent {
            self.open(crossing.sent);
        }
        crossing.deliver_at = crossing.deliver_at.saturating_add(self.next.since(crossing.sent));
        self.packets_left = self.packets_left.saturating_sub(1);
        self.bytes_left = self.bytes_left.saturating_sub(u64::from(crossing.packet.wire_size));
        if self.packets_left == 0 || self.bytes_left == 0 {
            self.open(self.next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{Ecn, Packet};

    const MS: u64 = 1_000_000_000;

    fn arrivals(plan: SlotPlan, sent: &[u64]) -> Vec<u64> {
        let mut slot = Slot::new(plan, rng::stream(1, "link/x/slot"));
        sent.iter()
            .map(|us| {
                let sent = Time::from_ps(us * 1_000_000);
                let mut crossing = Crossing {
                    packet: Packet { wire_size: 100, ..Packet::default() },
                    entered: Ecn::NotEct,
                    sent,
                    deliver_at: sent.saturating_add(Duration::from_ps(MS)),
                    copies: 1,
                    may_overtake: false,
                };
                slot.apply(&mut crossing);
                (crossing.deliver_at.as_ps() - MS) / 1_000_000
            })
            .collect()
    }

    fn every(ms: u64, packets: Option<u64>, bytes: Option<u64>) -> SlotPlan {
        SlotPlan { min_delay_ps: ms * MS, max_delay_ps: ms * MS, packets, bytes }
    }

    #[test]
    fn a_batch_leaves_together_and_the_next_packet_opens_a_slot() {
        // The first slot is at zero. A packet that comes at the very time of a slot is in it.
        assert_eq!(
            arrivals(every(10, None, None), &[0, 1000, 2000, 11_000, 11_001, 50_000]),
            [0, 11_000, 11_000, 11_000, 21_001, 60_000]
        );
    }

    #[test]
    fn packets_and_bytes_end_a_slot() {
        assert_eq!(
            arrivals(every(10, Some(2), None), &[1, 2, 3, 4, 5]),
            [10_001, 10_001, 20_001, 20_001, 30_001]
        );
        // The packet that reaches the bytes is the slot's last.
        assert_eq!(arrivals(every(10, None, Some(150)), &[1, 2, 3]), [10_001, 10_001, 20_001]);
    }

    #[test]
    fn the_time_to_the_next_slot_is_uniform() {
        let plan = SlotPlan { max_delay_ps: 30 * MS, ..every(10, None, None) };
        let sent: Vec<u64> = (1..=2000).map(|i| i * 100_000).collect();
        let waits: Vec<u64> =
            arrivals(plan, &sent).iter().zip(&sent).map(|(at, sent)| at - sent).collect();
        assert!(waits.iter().all(|wait| (10_000..30_000).contains(wait)));
        // Mean 20 ms; the standard error of 2000 draws is 20 / sqrt(12 * 2000) = 0.13 ms, and four
        // of them are allowed.
        let mean = waits.iter().sum::<u64>() / 2000;
        assert!(mean.abs_diff(20_000) < 520, "{mean}");
    }
}
