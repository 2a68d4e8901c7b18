//! Deficit round robin.

use std::collections::VecDeque;

use ackclock_units::Rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Backlog, Context, Dequeued, DisciplinePlan, DropReason, Held, LimitPlan, Qdisc, Traits,
};
use crate::packet::Thin;

/// Parameters of DRR.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrrPlan {
    /// Most packets or bytes that wait in all classes together.
    pub limit: LimitPlan,
    /// Quantum of a class per round (tc-drr(8) `quantum`), bytes.
    pub quantum_bytes: u64,
    /// Criterion that divides packets into classes.
    pub by: DrrClasses,
    /// Quanta of certain classes: (priority, bytes).
    #[serde(default)]
    pub quanta: Vec<(u8, u64)>,
}

impl DisciplinePlan for DrrPlan {
    const TRAITS: Traits = Traits { kind: "drr", is_fair: true, ..Traits::SCHEDULER };

    fn hold(&self, _rate: Option<Rate>) -> Box<dyn Qdisc> {
        Box::new(Drr::new(self))
    }
}

/// The criterion that divides packets into classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DrrClasses {
    /// One class for each direction of each flow.
    Flow,
    /// One class for each priority.
    Priority,
}

/// Deficit round robin (Shreedhar & Varghese, "Efficient Fair Queuing Using Deficit Round-Robin",
/// IEEE/ACM Transactions on Networking 4(3), 1996, section 3), with the events of Linux's
/// `sch_drr.c`. A class that begins to wait goes to the end of the round with one quantum. The
/// class at the front sends while its deficit counter covers its packets; then it gets another
/// quantum and goes to the end (`drr_dequeue`). A class that has nothing left keeps no credit.
///
/// Classes share the limit: a packet for which there is no room pushes out the last packet of the
/// longest queue ("buffer stealing", section 3). The longest queue is the one with the most bytes,
/// and among equals the class known first. If the packet's own queue is the longest, the packet is
/// refused.
pub struct Drr {
    plan: DrrPlan,
    classes: Vec<Class>,
    /// Classes that wait, in the order of the round. A class whose packets were all pushed out
    /// stays until its turn.
    round: VecDeque<usize>,
    backlog: Backlog,
}

#[derive(Default)]
struct Class {
    queue: VecDeque<Held>,
    bytes: u64,
    quantum: u64,
    deficit: u64,
    is_in_round: bool,
}

impl Drr {
    /// Makes an empty discipline.
    #[must_use]
    pub fn new(plan: &DrrPlan) -> Self {
        Self {
            plan: plan.clone(),
            classes: Vec::new(),
            round: VecDeque::new(),
            backlog: Backlog::default(),
        }
    }

    fn class_of(&mut self, packet: &Thin) -> usize {
        let index = match self.plan.by {
            DrrClasses::Flow => 2 * packet.flow as usize + usize::from(packet.is_reverse()),
            DrrClasses::Priority => usize::from(packet.priority()),
        };
        if index >= self.classes.len() {
            self.classes.resize_with(index + 1, Class::default);
        }
        if self.classes[index].quantum == 0 {
            let other =
                self.plan.quanta.iter().find(|(priority, _)| *priority == packet.priority());
            let is_by_priority = self.plan.by == DrrClasses::Priority;
            let quantum =
                other.filter(|_| is_by_priority).map_or(self.plan.quantum_bytes, |other| other.1);
            self.classes[index].quantum = quantum.max(1);
        }
        index
    }

    /// Subtracts a packet that has left the queue of its class from the counters.
    fn forget(&mut self, class: usize, held: &Held) {
        let size = u64::from(held.packet.wire_size);
        self.classes[class].bytes -= size;
        self.backlog.packets -= 1;
        self.backlog.bytes -= size;
    }

    fn is_over_limit(&self) -> bool {
        let LimitPlan { limit_packets, limit_bytes } = self.plan.limit;
        limit_packets.is_some_and(|limit| self.backlog.packets > limit)
            || limit_bytes.is_some_and(|limit| self.backlog.bytes > limit)
    }

    fn longest(&self) -> usize {
        let lengths = self.classes.iter().map(|class| class.bytes).enumerate();
        lengths
            .fold(
                (0, 0),
                |longest, (index, bytes)| if bytes > longest.1 { (index, bytes) } else { longest },
            )
            .0
    }
}

impl Qdisc for Drr {
    fn enqueue(&mut self, held: Held, context: &mut Context) -> Result<(), DropReason> {
        let index = self.class_of(&held.packet);
        let size = u64::from(held.packet.wire_size);
        let class = &mut self.classes[index];
        class.queue.push_back(held);
        class.bytes += size;
        if !class.is_in_round {
            class.is_in_round = true;
            class.deficit = class.quantum;
            self.round.push_back(index);
        }
        self.backlog.packets += 1;
        self.backlog.bytes += size;
        // A packet that need not wait needs no room.
        while context.idle_since.is_none() && self.is_over_limit() {
            let longest = self.longest();
            let Some(last) = self.classes[longest].queue.pop_back() else {
                break;
            };
            self.forget(longest, &last);
            if longest == index {
                return Err(DropReason::Forced);
            }
            context.drop(&last, DropReason::Forced);
        }
        Ok(())
    }

    fn dequeue(&mut self, _context: &mut Context) -> Dequeued {
        while let Some(&index) = self.round.front() {
            let class = &mut self.classes[index];
            let Some(size) = class.queue.front().map(|held| u64::from(held.packet.wire_size))
            else {
                class.is_in_round = false;
                self.round.pop_front();
                continue;
            };
            if size > class.deficit {
                class.deficit += class.quantum;
                self.round.rotate_left(1);
                continue;
            }
            class.deficit -= size;
            if let Some(held) = class.queue.pop_front() {
                if class.queue.is_empty() {
                    class.is_in_round = false;
                    self.round.pop_front();
                }
                self.forget(index, &held);
                return Dequeued::Packet(held);
            }
        }
        Dequeued::Empty
    }

    fn backlog(&self) -> Backlog {
        self.backlog
    }
}

#[cfg(test)]
mod tests {
    use ackclock_units::Time;

    use super::*;
    use crate::packet::Packet;
    use crate::qdisc::Trouble;
    use crate::rng;

    fn drr(quantum_bytes: u64, quanta: &[(u8, u64)], limit_packets: Option<u64>) -> Drr {
        Drr::new(&DrrPlan {
            limit: LimitPlan { limit_packets, limit_bytes: None },
            quantum_bytes,
            by: if quanta.is_empty() { DrrClasses::Flow } else { DrrClasses::Priority },
            quanta: quanta.to_vec(),
        })
    }

    /// Enqueues a packet. Returns the packets pushed out: (flow, sequence number).
    fn enqueue(
        drr: &mut Drr,
        flow: u32,
        seq: u64,
        wire_size: u32,
    ) -> Result<Vec<(u32, u64)>, DropReason> {
        let packet = Packet {
            flow,
            seq,
            wire_size,
            priority: u8::try_from(flow).unwrap_or(0),
            ..Packet::default()
        };
        let mut troubles: Vec<(Trouble, Held)> = Vec::new();
        let mut context = Context {
            now: Time::ZERO,
            rng: &mut rng::stream(1, "q"),
            rate: None,
            idle_since: None,
            troubles: &mut troubles,
        };
        drr.enqueue(Held::of(&packet, Time::ZERO), &mut context)?;
        Ok(troubles.iter().map(|(_, held)| (held.packet.flow, held.packet().seq)).collect())
    }

    fn next(drr: &mut Drr) -> Option<(u32, u32)> {
        let mut context = Context {
            now: Time::ZERO,
            rng: &mut rng::stream(1, "q"),
            rate: None,
            idle_since: None,
            troubles: &mut Vec::new(),
        };
        match drr.dequeue(&mut context) {
            Dequeued::Packet(held) => Some((held.packet.flow, held.packet.wire_size)),
            _ => None,
        }
    }

    /// The case of the paper's figures 2 and 3: with a quantum of 500, the first round sends 200
    /// bytes of flow 1 and leaves it 300. With 800 the second round sends its 750, and the 20
    /// behind them.
    #[test]
    fn what_a_round_leaves_is_there_in_the_next() {
        let mut drr = drr(500, &[], None);
        for (flow, sizes) in
            [(1, [200, 750, 20]), (2, [500, 500, 0]), (3, [200, 600, 100]), (4, [50, 700, 180])]
        {
            for size in sizes.into_iter().filter(|size| *size > 0) {
                assert_eq!(enqueue(&mut drr, flow, 0, size), Ok(vec![]));
            }
        }
        let order: Vec<_> = std::iter::from_fn(|| next(&mut drr)).collect();
        let first = [(1, 200), (2, 500), (3, 200), (4, 50)];
        let second = [(1, 750), (1, 20), (2, 500), (3, 600), (3, 100), (4, 700), (4, 180)];
        assert_eq!(order, [&first[..], &second].concat());
        assert_eq!(drr.backlog(), Backlog::default());
    }

    #[test]
    fn quanta_are_weights() {
        let mut drr = drr(1000, &[(2, 3000)], None);
        for seq in 0..6 {
            for flow in [1, 2] {
                assert_eq!(enqueue(&mut drr, flow, seq, 1000), Ok(vec![]));
            }
        }
        let flows: Vec<_> = std::iter::from_fn(|| next(&mut drr)).map(|(flow, _)| flow).collect();
        assert_eq!(flows, [1, 2, 2, 2, 1, 2, 2, 2, 1, 1, 1, 1]);
    }

    /// A packet larger than the quantum waits for as many rounds as it needs, and an emptied class
    /// keeps no credit.
    #[test]
    fn credit_is_kept_while_a_class_waits_and_not_longer() {
        let mut drr = drr(400, &[], None);
        assert_eq!(enqueue(&mut drr, 1, 0, 1000), Ok(vec![]));
        for seq in 0..4 {
            assert_eq!(enqueue(&mut drr, 2, seq, 400), Ok(vec![]));
        }
        let order: Vec<_> = std::iter::from_fn(|| next(&mut drr)).collect();
        assert_eq!(order, [(2, 400), (2, 400), (1, 1000), (2, 400), (2, 400)]);
        // 200 were left when flow 1 emptied; it begins again with 400.
        assert_eq!(
            (enqueue(&mut drr, 1, 0, 500), enqueue(&mut drr, 2, 0, 400)),
            (Ok(vec![]), Ok(vec![]))
        );
        assert_eq!((next(&mut drr), next(&mut drr)), (Some((2, 400)), Some((1, 500))));
    }

    #[test]
    fn the_last_packet_of_the_longest_queue_makes_room() {
        let mut drr = drr(1000, &[], Some(3));
        for seq in 0..3 {
            assert_eq!(enqueue(&mut drr, 1, seq, 1000), Ok(vec![]));
        }
        assert_eq!(enqueue(&mut drr, 1, 3, 1000), Err(DropReason::Forced));
        assert_eq!(enqueue(&mut drr, 2, 0, 1000), Ok(vec![(1, 2)]));
        // Now 2000 of flow 1 wait and 1000 of flow 2; a second of flow 2 makes it as long, and flow
        // 1 was known first.
        assert_eq!(enqueue(&mut drr, 2, 1, 1000), Ok(vec![(1, 1)]));
        assert_eq!(drr.backlog(), Backlog { packets: 3, bytes: 3000 });
    }
}
