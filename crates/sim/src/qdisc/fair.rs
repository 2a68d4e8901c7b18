//! Flow queueing: a queue per flow, served in turn by bytes, new queues first (RFC 8290 sections
//! 4.1 and 4.2). The discipline brings the algorithm that manages each queue.

use core::hash::Hasher;

use rand_core::Rng as _;
use siphasher::sip::SipHasher13;

use super::{Backlog, Held, Waiting};
use crate::ring::Ring;
use crate::rng::Rng;

/// Most queues: tc's limit of `flows`.
const MOST_QUEUES: u32 = 65_536;

/// Queues of packets, each with the state `M` of its manager.
pub struct FlowQueues<M> {
    queues: Vec<FlowQueue<M>>,
    /// Queues that got a packet while they were in neither list, and queues that have had a turn
    /// (section 3).
    new: Ring<u32>,
    old: Ring<u32>,
    quantum: i64,
    backlog: Backlog,
    /// Key of the hash, drawn at the first packet.
    perturbation: Option<u64>,
    /// By flow and direction: the queue of the connection seen last. It spares most packets the
    /// hash.
    known: Vec<[Option<Known>; 2]>,
}

/// The queue of a connection.
#[derive(Clone, Copy)]
struct Known {
    connection: u32,
    queue: u32,
}

/// A queue with its manager.
struct FlowQueue<M> {
    memory: M,
    waiting: Waiting,
    /// Bytes that the queue may still send in this turn; negative: it sent more.
    deficit: i64,
    is_listed: bool,
}

impl<M: Clone> FlowQueues<M> {
    /// Makes `flows` empty queues, which send `quantum` bytes in a turn.
    pub fn new(flows: u32, quantum: u32, memory: &M) -> Self {
        let queue = || FlowQueue {
            memory: memory.clone(),
            waiting: Waiting::default(),
            deficit: 0,
            is_listed: false,
        };
        Self {
            queues: (0..flows.clamp(1, MOST_QUEUES)).map(|_| queue()).collect(),
            new: Ring::default(),
            old: Ring::default(),
            quantum: i64::from(quantum.max(1)),
            backlog: Backlog::default(),
            perturbation: None,
            known: Vec::new(),
        }
    }

    /// Queue of a packet: the hash of its connection and direction, which stand for addresses and
    /// ports (section 4.1).
    #[inline]
    pub fn queue_of(&mut self, held: &Held, rng: &mut Rng) -> usize {
        let (flow, direction) = (held.packet.flow as usize, usize::from(held.packet.is_reverse()));
        if flow >= self.known.len() {
            self.known.resize(flow + 1, [None; 2]);
        }
        if let Some(known) = self.known[flow][direction]
            && known.connection == held.connection
        {
            return known.queue as usize;
        }
        let queue = self.hashed(held, rng);
        self.known[flow][direction] = Some(Known { connection: held.connection, queue });
        queue as usize
    }

    #[cold]
    fn hashed(&mut self, held: &Held, rng: &mut Rng) -> u32 {
        let key = *self.perturbation.get_or_insert_with(|| rng.next_u64());
        let mut tuple = [0; 9];
        tuple[..4].copy_from_slice(&held.packet.flow.to_le_bytes());
        tuple[4..8].copy_from_slice(&held.connection.to_le_bytes());
        tuple[8] = u8::from(held.packet.is_reverse());
        let mut hasher = SipHasher13::new_with_keys(key, 0);
        hasher.write(&tuple);
        let scaled = ((hasher.finish() >> 32) * self.queues.len() as u64) >> 32;
        u32::try_from(scaled).unwrap_or(0)
    }

    /// State of a queue's manager, and the backlog of the queue.
    pub fn manager(&mut self, queue: usize) -> (&mut M, Backlog) {
        let queue = &mut self.queues[queue];
        (&mut queue.memory, queue.waiting.backlog())
    }

    /// Appends a packet to a queue.
    #[inline]
    pub fn push(&mut self, index: usize, held: Held) {
        let queue = &mut self.queues[index];
        self.backlog.packets += 1;
        self.backlog.bytes += u64::from(held.packet.wire_size);
        queue.waiting.push(held);
        if !queue.is_listed {
            queue.is_listed = true;
            queue.deficit = self.quantum;
            self.new.push_back(u32::try_from(index).unwrap_or(0));
        }
    }

    /// Returns the next packet (section 4.2): `take` takes it from the queue whose turn it is, or
    /// from the queues after it.
    #[inline]
    pub fn dequeue(
        &mut self,
        mut take: impl FnMut(&mut M, &mut Waiting) -> Option<Held>,
    ) -> Option<Held> {
        loop {
            let is_new = !self.new.is_empty();
            let list = if is_new { &mut self.new } else { &mut self.old };
            let index = *list.front()?;
            let queue = &mut self.queues[index as usize];
            if queue.deficit <= 0 {
                queue.deficit += self.quantum;
                list.drop_front();
                self.old.push_back(index);
                continue;
            }
            let before = queue.waiting.backlog();
            let taken = take(&mut queue.memory, &mut queue.waiting);
            let after = queue.waiting.backlog();
            self.backlog.packets -= before.packets - after.packets;
            self.backlog.bytes -= before.bytes - after.bytes;
            if let Some(held) = taken {
                queue.deficit -= i64::from(held.packet.wire_size);
                return Some(held);
            }
            list.drop_front();
            if is_new {
                // A new queue that is empty waits for a turn among the old. Otherwise each of its
                // packets would come first.
                self.old.push_back(index);
            } else {
                queue.is_listed = false;
            }
        }
    }

    /// Index of the queue with the most bytes; of equal queues the first.
    pub fn fattest(&self) -> usize {
        let bytes = |index: usize| self.queues[index].waiting.backlog().bytes;
        (1..self.queues.len())
            .fold(0, |fattest, index| if bytes(index) > bytes(fattest) { index } else { fattest })
    }

    /// Takes the head of a queue out of turn.
    pub fn pop(&mut self, queue: usize) -> Option<Held> {
        let held = self.queues[queue].waiting.pop()?;
        self.backlog.packets -= 1;
        self.backlog.bytes -= u64::from(held.packet.wire_size);
        Some(held)
    }

    /// Backlog of all queues together.
    #[inline]
    pub fn backlog(&self) -> Backlog {
        self.backlog
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::Packet;
    use crate::rng;
    use ackclock_units::Time;

    fn spread(seed: u64) -> Vec<usize> {
        let (mut queues, mut rng) = (FlowQueues::new(1024, 1514, &()), rng::stream(seed, "q"));
        let held = |flow| Held::of(&Packet { flow, ..Packet::default() }, Time::ZERO);
        (0..1000).map(|flow| queues.queue_of(&held(flow), &mut rng)).collect()
    }

    /// A thousand flows occupy 1024 (1 - (1 - 1/1024)^1000) = 638.6 queues, with a standard
    /// deviation of 10.5; five of them are allowed.
    #[test]
    fn flows_spread_over_the_queues_as_by_chance() {
        for seed in 0..10 {
            let mut hit = spread(seed);
            assert!(hit.iter().all(|queue| *queue < 1024));
            hit.sort_unstable();
            hit.dedup();
            assert!((586..=691).contains(&hit.len()), "{}", hit.len());
        }
    }

    #[test]
    fn the_seed_decides_who_shares_a_queue() {
        assert_eq!(spread(1), spread(1));
        assert_ne!(spread(1), spread(2));
    }
}
