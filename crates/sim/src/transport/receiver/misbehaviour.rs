//! Receivers that mislead the sender: ACK division and optimistic ACKs (Savage, Cardwell, Wetherall
//! and Anderson, "TCP congestion control with a misbehaving receiver", CCR 29(5), 1999).

use crate::transport::plan::TransportPlan;
use crate::transport::range_set::RangeSet;

/// Segments by which the acknowledged data may grow with each that arrives: one has arrived, and
/// the lead grows by one. A sender that sent up to its window has sent them.
const GROWTH: u64 = 2;

/// The ACK numbers of an ACK from `from` to `to` that is divided into `count` equal pieces, in
/// ascending order. The last one is `to`. No piece is empty, so there are at most as many as bytes.
pub fn pieces(from: u64, to: u64, count: u64) -> impl Iterator<Item = u64> {
    let bytes = to.saturating_sub(from);
    let count = count.min(bytes).max(1);
    (1..=count).map(move |piece| to - bytes + bytes / count * piece + bytes % count * piece / count)
}

/// An optimistic receiver: it acknowledges data before it arrives, and conceals the data that never
/// does.
pub struct Optimist {
    /// Most data that is acknowledged early, bytes.
    lead: u64,
    /// Cumulative acknowledgment of the latest ACK that ran ahead.
    promised: u64,
    /// Data behind the last in order that has not arrived.
    missing: RangeSet,
    /// Data behind the last in order that has not arrived, also where `missing` has forgotten it,
    /// bytes.
    concealed: u64,
}

impl Optimist {
    /// The optimism that a plan asks for.
    pub fn new(plan: &TransportPlan) -> Option<Box<Self>> {
        plan.optimistic_ack_bytes.map(|lead| {
            Box::new(Self { lead, promised: 0, missing: RangeSet::default(), concealed: 0 })
        })
    }

    /// Data that counts as delivered and has not arrived, bytes.
    pub fn concealed(&self) -> u64 {
        self.concealed
    }

    /// `[start, end)` has not arrived, and later data has: it counts as delivered from now on, and
    /// the lead stays as it is. Data further behind than `memory` is forgotten.
    #[cold]
    pub fn conceal(&mut self, start: u64, end: u64, memory: u64) {
        self.missing.insert(start, end, |_, _| ());
        self.missing.remove_below(end.saturating_sub(memory));
        self.concealed += end - start;
        self.promised += end - start;
    }

    /// `[start, end)` has arrived late. Returns the bytes that had not arrived before.
    pub fn take_late(&mut self, start: u64, end: u64) -> u64 {
        let removed = self.missing.remove(start, end);
        self.concealed -= removed;
        removed
    }

    /// The number of the latest ACK.
    pub fn promised(&self) -> u64 {
        self.promised
    }

    /// The number of the next ACK, when data has arrived up to `next` that began at `from`. `end`:
    /// end of the data, if the receiver knows it.
    pub fn promise(&mut self, from: u64, next: u64, end: u64) -> u64 {
        let most = next.saturating_add(self.lead).min(end);
        let grown = self.promised.saturating_add(GROWTH * next.saturating_sub(from));
        self.promised = most.min(grown).max(next);
        self.promised
    }

    /// Nothing has arrived for long, so the sender has ignored ACKs of data that it never sent: the
    /// lead grows again from nothing.
    pub fn start_over(&mut self, next: u64) {
        self.promised = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_equal_and_none_is_empty() {
        assert_eq!(pieces(1000, 2000, 4).collect::<Vec<_>>(), [1250, 1500, 1750, 2000]);
        assert_eq!(pieces(0, 10, 3).collect::<Vec<_>>(), [3, 6, 10]);
        assert_eq!(pieces(7, 9, 5).collect::<Vec<_>>(), [8, 9]);
        assert_eq!(pieces(7, 7, 5).collect::<Vec<_>>(), [7]);
    }
}
