//! A link that asks its discipline for each packet: any rate, any discipline, any wire.

use std::collections::VecDeque;

use ackclock_units::{Duration, Rate, Time};

use super::flight::{Flight, OnWire};
use super::{Fate, LinkStats};
use crate::net::hosts::Hosts;
use crate::net::impairment::{self, Crossing, Impairment};
use crate::net::loss::Loss;
use crate::net::policer::Policer;
use crate::net::transmitter::{self, Transmitter};
use crate::packet::Packet;
use crate::plan::LinkPlan;
use crate::qdisc::{self, Backlog, Context, Dequeued, DropReason, Held, Qdisc, Trouble};
use crate::rng::{self, Rng};

/// A discipline, a transmitter, a wire.
pub struct Served {
    delay: Duration,
    policer: Option<Policer>,
    qdisc: Box<dyn Qdisc>,
    qdisc_rng: Rng,
    transmitter: Box<dyn Transmitter>,
    loss: Option<Loss>,
    impairments: Vec<Box<dyn Impairment>>,
    flight: Flight,
    /// Of each packet in flight.
    crossings: VecDeque<Crossed>,
    /// The latest arrival of those that may not be overtaken.
    in_order_until: Time,
    /// When the transmitter has sent what it was given; [`Time::MAX`]: it is stuck for ever.
    free_at: Time,
    /// When to ask the discipline again: the transmitter is busy or closed, or the discipline holds back; [`Time::MAX`]: at an arrival.
    serve_at: Time,
    /// What the packets sent since [`Served::measured_from`] take of the transmitter's capacity, bytes.
    used: u64,
    measured_from: Time,
    /// What happened to packets since the last [`Served::troubles`].
    troubles: Vec<(Fate, Packet)>,
    scratch: Vec<(Trouble, Packet)>,
    /// Counters.
    pub stats: LinkStats,
}

/// A packet that is on the wire, or with its host.
#[derive(Clone, Copy)]
struct Crossed {
    /// When it reaches the far end, whatever time its host then takes.
    arrives: Time,
    /// Whether one sent later overtook it on the wire.
    was_overtaken: bool,
}

impl Served {
    /// An empty link.
    #[must_use]
    pub fn new(plan: &LinkPlan, seed: u64) -> Self {
        let rate = plan.rate_bps.map(Rate::from_bps);
        Self {
            delay: Duration::from_ps(plan.delay_ps),
            policer: plan.policer.map(Policer::new),
            qdisc: qdisc::build(&plan.qdisc, rate),
            qdisc_rng: rng::stream(seed, &format!("link/{}/qdisc", plan.name)),
            transmitter: transmitter::build(plan),
            loss: plan
                .loss
                .as_ref()
                .map(|loss| Loss::new(loss, rng::stream(seed, &format!("link/{}/loss", plan.name)))),
            impairments: plan
                .impairments
                .iter()
                .map(|impairment| impairment::build(impairment, &plan.name, seed))
                .collect(),
            flight: Flight::default(),
            crossings: VecDeque::new(),
            in_order_until: Time::ZERO,
            free_at: Time::ZERO,
            serve_at: Time::MAX,
            used: 0,
            measured_from: Time::ZERO,
            troubles: Vec::new(),
            scratch: Vec::new(),
            stats: LinkStats::default(),
        }
    }

    /// Takes in a packet at `now`; whether the discipline let it in. What happened to it or to others on the way is among the troubles.
    pub fn arrive(&mut self, packet: &Packet, now: Time, hosts: &mut Hosts) -> bool {
        self.serve(now, hosts);
        self.stats.arrived_packets += 1;
        if self.policer.as_mut().is_some_and(|policer| !policer.passes(packet.wire_size, now)) {
            self.count_drop(DropReason::Policed, *packet);
            return false;
        }
        let held = Held {
            packet: *packet,
            arrived: now,
        };
        let is_free = self.free_at <= now;
        if is_free && self.qdisc.backlog().packets == 0 {
            self.transmitter.idle(now);
        }
        let is_idle = is_free && self.qdisc.backlog().packets == 0 && self.transmitter.ready(now) <= now;
        let taken = {
            let mut context = Context {
                now,
                rng: &mut self.qdisc_rng,
                rate: self.transmitter.rate(now),
                idle_since: is_idle.then_some(self.free_at),
                troubles: &mut self.scratch,
            };
            self.qdisc.enqueue(held, &mut context)
        };
        self.book();
        if let Err(reason) = taken {
            self.count_drop(reason, *packet);
        }
        if self.qdisc.backlog().packets > 0 {
            self.serve_at = self.free_at.max(now);
            self.serve(now, hosts);
        }
        taken.is_ok()
    }

    /// Lets all packets leave whose turn has come by `now`.
    #[inline]
    pub fn serve(&mut self, now: Time, hosts: &mut Hosts) {
        if self.serve_at <= now {
            self.serve_due(now, hosts);
        }
    }

    fn serve_due(&mut self, now: Time, hosts: &mut Hosts) {
        while self.serve_at <= now {
            let at = self.serve_at;
            let ready = self.transmitter.ready(at);
            if ready > at {
                // A closed transmitter opens later; who waits, waits in the queue.
                self.serve_at = if self.qdisc.backlog().packets > 0 { ready } else { Time::MAX };
                continue;
            }
            let next = {
                let mut context = Context {
                    now: at,
                    rng: &mut self.qdisc_rng,
                    rate: self.transmitter.rate(at),
                    idle_since: Some(self.free_at),
                    troubles: &mut self.scratch,
                };
                self.qdisc.dequeue(&mut context)
            };
            self.book();
            self.serve_at = match next {
                Dequeued::Packet(held) => {
                    self.transmit(&held, at, hosts);
                    if self.qdisc.backlog().packets > 0 {
                        self.free_at
                    } else {
                        Time::MAX
                    }
                }
                Dequeued::Empty => Time::MAX,
                Dequeued::NotBefore(time) => time.max(at + Duration::from_ps(1)),
            };
        }
    }

    fn transmit(&mut self, held: &Held, start: Time, hosts: &mut Hosts) {
        let packet = &held.packet;
        self.free_at = self.transmitter.send(start, packet.wire_size);
        self.stats.queue_delay.record(start.since(held.arrived));
        if self.free_at == Time::MAX {
            // Nothing will ever leave again: what was begun is lost with the link.
            self.lose(*packet);
            return;
        }
        self.stats.busy += self.free_at.since(start);
        self.used += self.transmitter.work(packet.wire_size);
        let deliver_at = self.free_at.saturating_add(self.delay);
        if self.loss.as_mut().is_some_and(|loss| loss.lose(packet.payload == 0)) {
            self.lose(*packet);
        } else if self.impairments.is_empty() {
            // Nothing overtakes on the wire, so nobody has to know what crosses it.
            self.flight.append(deliver_at + hosts.take(packet), packet, packet.ecn);
        } else {
            let crossing = Crossing {
                packet: *packet,
                sent: self.free_at,
                deliver_at,
                copies: 1,
                may_overtake: false,
            };
            self.cross(crossing, 0, hosts);
        }
    }

    /// Leads a packet through the impairments from the one at `first` on; a copy that is made on the way meets the rest by itself.
    fn cross(&mut self, mut crossing: Crossing, first: usize, hosts: &mut Hosts) {
        let was_corrupt = crossing.packet.is_corrupt;
        for at in first..self.impairments.len() {
            self.impairments[at].apply(&mut crossing);
            if crossing.copies == 0 {
                self.lose(crossing.packet);
                return;
            }
            let copies = std::mem::replace(&mut crossing.copies, 1) - 1;
            for _ in 0..copies {
                self.stats.duplicated_packets += 1;
                self.troubles.push((Fate::Duplicated, crossing.packet));
                self.cross(crossing, at + 1, hosts);
            }
        }
        self.stats.corrupted_packets += u64::from(crossing.packet.is_corrupt && !was_corrupt);
        self.launch(&crossing, hosts);
    }

    fn lose(&mut self, packet: Packet) {
        self.stats.dropped_wire += 1;
        self.troubles.push((Fate::LostOnWire, packet));
    }

    fn launch(&mut self, crossing: &Crossing, hosts: &mut Hosts) {
        let mut arrives = crossing.deliver_at.max(crossing.sent);
        if !crossing.may_overtake {
            arrives = arrives.max(self.in_order_until);
            self.in_order_until = arrives;
        }
        for other in self.crossings.range_mut(self.flight.later_than(arrives)) {
            if other.arrives > arrives {
                self.stats.reordered_packets += u64::from(!std::mem::replace(&mut other.was_overtaken, true));
            }
        }
        let entry = OnWire {
            deliver_at: arrives + hosts.take(&crossing.packet),
            packet: crossing.packet,
        };
        let crossings = &mut self.crossings;
        let at = crossings.len() - self.flight.insert(entry, |other| crossings[other].arrives > arrives);
        crossings.insert(
            at,
            Crossed {
                arrives,
                was_overtaken: false,
            },
        );
    }

    /// When something happens here next.
    #[must_use]
    pub fn next_event(&self) -> Time {
        self.serve_at.min(self.flight.next())
    }

    /// Makes `packet` the one that has reached the far end by `now`, if there is one.
    pub fn deliver(&mut self, now: Time, packet: &mut Packet) -> bool {
        if self.flight.next() > now || !self.flight.take(packet) {
            return false;
        }
        self.crossings.pop_front();
        self.stats.delivered_packets += 1;
        self.stats.delivered_bytes += u64::from(packet.wire_size);
        true
    }

    /// What happened to packets since the last call: marks, drops, losses.
    pub fn troubles(&mut self) -> &mut Vec<(Fate, Packet)> {
        &mut self.troubles
    }

    /// What is on the wire.
    #[must_use]
    pub fn flight(&self) -> &Flight {
        &self.flight
    }

    /// What waits.
    #[must_use]
    pub fn backlog(&self) -> Backlog {
        self.qdisc.backlog()
    }

    /// What a packet arriving at `now` would wait behind all that waits; nothing where nothing will ever leave.
    #[must_use]
    pub fn queue_delay(&self, now: Time) -> Duration {
        let backlog = self.qdisc.backlog();
        let next = if backlog.packets > 0 { self.serve_at } else { self.free_at };
        if next == Time::MAX {
            return Duration::ZERO;
        }
        let shaped = self.qdisc.shaped().map_or(next, |rate| next + rate.time_for(backlog.bytes));
        match self.transmitter.drained(next.max(now), backlog.bytes).max(shaped) {
            Time::MAX => Duration::ZERO,
            last => last.since(now),
        }
    }

    /// The discipline's own average queue, if it keeps one.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        self.qdisc.average()
    }

    /// Time spent transmitting up to `now`; where the rate varies, the time measured times the share that was used of what could have been sent.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a time that is far below 2^63 ps"
    )]
    pub fn busy_until(&self, now: Time) -> Duration {
        if let Some(capacity) = self.transmitter.capacity(self.measured_from, now) {
            let share = self.used.min(capacity) as f64 / capacity.max(1) as f64;
            return Duration::from_ps((now.since(self.measured_from).as_ps() as f64 * share) as u64);
        }
        if self.free_at == Time::MAX {
            return self.stats.busy;
        }
        self.stats.busy.saturating_sub(self.free_at.since(now))
    }

    /// Begins the measured part of the run.
    pub fn reset_stats(&mut self, now: Time) {
        let committed = if self.free_at == Time::MAX {
            Duration::ZERO
        } else {
            self.free_at.since(now)
        };
        self.used = 0;
        self.measured_from = now;
        self.stats = LinkStats {
            busy: committed,
            ..LinkStats::default()
        };
    }

    /// Counts what the discipline said, in the order in which it did.
    #[inline]
    fn book(&mut self) {
        if !self.scratch.is_empty() {
            self.book_troubles();
        }
    }

    fn book_troubles(&mut self) {
        let mut said = std::mem::take(&mut self.scratch);
        for (trouble, packet) in said.drain(..) {
            match trouble {
                Trouble::Marked => {
                    self.stats.marked_packets += 1;
                    self.troubles.push((Fate::Sent { marked: true }, packet));
                }
                Trouble::Dropped(reason) => self.count_drop(reason, packet),
            }
        }
        self.scratch = said;
    }

    fn count_drop(&mut self, reason: DropReason, packet: Packet) {
        self.stats.count_drop(reason);
        self.troubles.push((Fate::Dropped(reason), packet));
    }
}
