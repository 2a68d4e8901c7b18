//! A test bed for the unit tests of disciplines.

use ackclock_units::{Duration, Rate, Time};

use super::{Context, Dequeued, DropReason, Held, Qdisc, Trouble};
use crate::packet::{Ecn, Packet};
use crate::rng::{self, Rng};

/// A link that is transmitting, as its discipline sees it.
pub struct Bed {
    pub now: Time,
    pub rng: Rng,
    pub troubles: Vec<(Trouble, Held)>,
}

impl Bed {
    pub fn new() -> Self {
        Self { now: Time::ZERO, rng: rng::stream(1, "q"), troubles: Vec::new() }
    }

    fn context(&mut self) -> Context<'_> {
        Context {
            now: self.now,
            rng: &mut self.rng,
            rate: Some(Rate::from_bps(10_000_000)),
            idle_since: None,
            troubles: &mut self.troubles,
        }
    }

    pub fn wait(&mut self, time: Duration) {
        self.now += time;
    }

    pub fn enqueue(&mut self, qdisc: &mut impl Qdisc, packet: Packet) -> Result<(), DropReason> {
        let held = Held::of(&packet, self.now);
        qdisc.enqueue(held, &mut self.context())
    }

    pub fn dequeue(&mut self, qdisc: &mut impl Qdisc) -> Option<Packet> {
        match qdisc.dequeue(&mut self.context()) {
            Dequeued::Packet(held) => Some(held.packet()),
            _ => None,
        }
    }
}

/// Makes a packet of a flow.
pub fn packet(flow: u32, wire_size: u32, ecn: Ecn) -> Packet {
    Packet { flow, wire_size, ecn, ..Packet::default() }
}
