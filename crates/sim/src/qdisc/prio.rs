//! Strict priority between bands.

use ackclock_units::Rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Backlog, Context, Dequeued, DisciplinePlan, DropReason, Held, Qdisc, QdiscPlan, Traits, build,
};

/// Parameters of tc-prio.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrioPlan {
    /// Discipline of each band.
    pub children: Vec<QdiscPlan>,
    /// Band of each priority.
    pub priomap: [u8; 16],
}

impl DisciplinePlan for PrioPlan {
    const TRAITS: Traits = Traits { kind: "prio", ..Traits::SCHEDULER };

    fn hold(&self, rate: Option<Rate>) -> Box<dyn Qdisc> {
        Box::new(Prio::new(self, rate))
    }
}

/// tc-prio: the priority of a packet names its band, and a band is served when all bands before it
/// have nothing to send.
///
/// As in Linux (`sch_prio.c`), there is no limit besides those of the bands, and the last four bits
/// of a priority count.
pub struct Prio {
    bands: Vec<Box<dyn Qdisc>>,
    priomap: [u8; 16],
}

impl Prio {
    /// Makes empty bands at a link of this `rate`; `None`: infinitely fast.
    #[must_use]
    pub fn new(plan: &PrioPlan, rate: Option<Rate>) -> Self {
        let first = QdiscPlan::default();
        let children =
            if plan.children.is_empty() { core::slice::from_ref(&first) } else { &plan.children };
        Self {
            bands: children.iter().map(|child| build(child, rate)).collect(),
            priomap: plan.priomap,
        }
    }

    fn band(&self, priority: u8) -> usize {
        let band = usize::from(self.priomap[usize::from(priority) % self.priomap.len()]);
        if band < self.bands.len() { band } else { 0 }
    }
}

impl Qdisc for Prio {
    fn enqueue(&mut self, held: Held, context: &mut Context) -> Result<(), DropReason> {
        let band = self.band(held.packet.priority());
        self.bands[band].enqueue(held, context)
    }

    fn dequeue(&mut self, context: &mut Context) -> Dequeued {
        let mut left = Dequeued::Empty;
        for band in &mut self.bands {
            left = match (band.dequeue(context), left) {
                (packet @ Dequeued::Packet(_), _) => return packet,
                (Dequeued::NotBefore(time), Dequeued::NotBefore(other)) => {
                    Dequeued::NotBefore(time.min(other))
                }
                (held_back @ Dequeued::NotBefore(_), _) => held_back,
                (Dequeued::Empty, left) => left,
            };
        }
        left
    }

    fn backlog(&self) -> Backlog {
        self.bands.iter().map(|band| band.backlog()).fold(Backlog::default(), |sum, band| Backlog {
            packets: sum.packets + band.packets,
            bytes: sum.bytes + band.bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{Ecn, Packet};
    use crate::qdisc::LimitPlan;
    use crate::qdisc::testing::{Bed, packet};

    /// Default map of tc-prio(8).
    const PRIOMAP: [u8; 16] = [1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];

    fn prio(limit_packets: Option<u64>) -> Prio {
        let fifo = QdiscPlan::Fifo(LimitPlan { limit_packets, limit_bytes: None }.into());
        let plan = PrioPlan { children: vec![fifo; 3], priomap: PRIOMAP };
        Prio::new(&plan, None)
    }

    fn of(flow: u32, priority: u8) -> Packet {
        Packet { priority, ..packet(flow, 1000, Ecn::NotEct) }
    }

    #[test]
    fn bands_are_served_in_order_and_each_in_order_of_arrival() {
        let (mut bed, mut prio) = (Bed::new(), prio(None));
        for (flow, priority) in [(0, 1), (1, 0), (2, 6), (3, 2), (4, 7), (5, 15), (6, 16 + 7)] {
            bed.enqueue(&mut prio, of(flow, priority)).expect("no limit");
        }
        assert_eq!(prio.backlog().packets, 7);
        let left: Vec<u32> =
            core::iter::from_fn(|| bed.dequeue(&mut prio)).map(|packet| packet.flow).collect();
        assert_eq!(left, [2, 4, 6, 1, 5, 0, 3]);
    }

    #[test]
    fn a_latecomer_of_the_first_band_is_next() {
        let (mut bed, mut prio) = (Bed::new(), prio(None));
        for flow in 0..3 {
            bed.enqueue(&mut prio, of(flow, 0)).expect("no limit");
        }
        assert_eq!(bed.dequeue(&mut prio).map(|packet| packet.flow), Some(0));
        bed.enqueue(&mut prio, of(9, 6)).expect("no limit");
        assert_eq!(bed.dequeue(&mut prio).map(|packet| packet.flow), Some(9));
        assert_eq!(bed.dequeue(&mut prio).map(|packet| packet.flow), Some(1));
    }

    #[test]
    fn each_band_has_a_limit_of_its_own() {
        let (mut bed, mut prio) = (Bed::new(), prio(Some(2)));
        let taken: Vec<bool> = [0, 0, 0, 6, 6, 6]
            .into_iter()
            .map(|priority| bed.enqueue(&mut prio, of(0, priority)).is_ok())
            .collect();
        assert_eq!(taken, [true, true, false, true, true, false]);
    }
}
