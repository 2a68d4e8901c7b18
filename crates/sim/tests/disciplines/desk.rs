//! Hands packets to a discipline and takes them from it, at times that the test says.

use ackclock_sim::packet::{Ecn, Packet};
use ackclock_sim::qdisc::{Context, Dequeued, DropReason, Held, Qdisc, Trouble};
use ackclock_sim::rng::{self, Rng};
use ackclock_units::{Duration, Rate, Time};

/// The time `ms` milliseconds after the beginning.
pub fn ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// A packet of this flow, known by its number.
pub fn packet(flow: u32, number: u64, size: u32) -> Packet {
    Packet { flow, seq: number, wire_size: size, ..Packet::default() }
}

/// The packet as an ECN-capable one.
pub fn ect(packet: Packet) -> Packet {
    Packet { ecn: Ecn::Ect0, ..packet }
}

/// A discipline, with the troubles of packets that it has reported.
pub struct Desk<Q> {
    pub qdisc: Q,
    pub rate: Option<Rate>,
    pub rng: Rng,
    troubles: Vec<(Trouble, Held)>,
}

impl<Q: Qdisc> Desk<Q> {
    pub fn new(qdisc: Q) -> Self {
        Self { qdisc, rate: None, rng: rng::stream(1, "link/desk/qdisc"), troubles: Vec::new() }
    }

    fn with<T>(&mut self, now: Time, call: impl FnOnce(&mut Q, &mut Context) -> T) -> T {
        let mut context = Context {
            now,
            rng: &mut self.rng,
            rate: self.rate,
            idle_since: None,
            troubles: &mut self.troubles,
        };
        call(&mut self.qdisc, &mut context)
    }

    pub fn put(&mut self, now: Time, packet: Packet) -> Result<(), DropReason> {
        self.with(now, |qdisc, context| qdisc.enqueue(Held::of(&packet, now), context))
    }

    /// Puts `count` packets like the template, numbered from `first`.
    pub fn fill(&mut self, now: Time, count: u64, template: Packet, first: u64) {
        for number in first..first + count {
            self.put(now, Packet { seq: number, ..template }).expect("there is room");
        }
    }

    pub fn take(&mut self, now: Time) -> Option<Packet> {
        match self.with(now, Qdisc::dequeue) {
            Dequeued::Packet(held) => Some(held.packet()),
            Dequeued::Empty => None,
            Dequeued::NotBefore(time) => panic!("held back until {time:?}"),
        }
    }

    /// The troubles reported since the last call.
    pub fn troubles(&mut self) -> Vec<(Trouble, Packet)> {
        self.troubles.drain(..).map(|(what, held)| (what, held.packet())).collect()
    }

    /// Takes a packet each millisecond of the range. Returns the milliseconds of drops and marks,
    /// each as often as there were any.
    pub fn troubled(&mut self, range: std::ops::Range<u64>) -> Vec<u64> {
        let mut moments = Vec::new();
        for now in range {
            self.take(ms(now));
            moments.extend(self.troubles().iter().map(|_| now));
        }
        moments
    }
}
