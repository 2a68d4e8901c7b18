//! An event-driven link: it asks its discipline for each packet when the transmitter is free. It
//! takes any rate, any discipline and any impairment.

use std::collections::VecDeque;

use ackclock_units::{Duration, Rate, Time};

use super::flight::{Flight, OnWire};
use super::rests::Rests;
use super::{Fate, LinkPlan, LinkStats};
use crate::net::hosts::Hosts;
use crate::net::impairment::{self, Crossing, Impairment};
use crate::net::loss::Loss;
use crate::net::policer::Policer;
use crate::net::transmitter::{Service, Transmitter as _};
use crate::packet::Packet;
use crate::qdisc::{Backlog, Context, Dequeued, Discipline, DropReason, Held, Qdisc as _, Trouble};
use crate::rng::{self, Rng};

/// A link whose departures are events.
pub struct EventDriven {
    delay: Duration,
    policer: Option<Policer>,
    qdisc: Discipline,
    qdisc_rng: Rng,
    transmitter: Service,
    loss: Option<Loss>,
    impairments: Vec<Box<dyn Impairment>>,
    rests: Rests,
    /// Packets on the wire; in a run by rounds only those of an impaired link.
    flight: Flight,
    /// One entry for each packet in flight.
    crossings: VecDeque<Crossed>,
    /// Latest arrival of the packets that may not be overtaken.
    in_order_until: Time,
    /// Time at which the transmitter is free again; [`Time::MAX`]: never.
    free_at: Time,
    /// Time to ask the discipline for the next packet; [`Time::MAX`]: at the next arrival. Until
    /// then the transmitter is busy or closed, or the discipline holds packets back.
    serve_at: Time,
    /// Work of the packets sent since [`EventDriven::measured_from`], in bytes of the transmitter's
    /// capacity.
    used: u64,
    measured_from: Time,
    /// Marks, drops and losses since the last call of [`EventDriven::troubles`].
    troubles: Vec<(Fate, Packet)>,
    scratch: Vec<(Trouble, Held)>,
    /// Sum of the times at which packets left the queue since the warm-up, minus those at which
    /// they entered it, ps. It wraps, because a run may begin with a queue.
    queued: u128,
    /// Counters since the warm-up.
    pub stats: LinkStats,
}

/// A packet on the wire, or with its host.
#[derive(Clone, Copy)]
struct Crossed {
    /// Time at which it reaches the far end, without the time that the host takes.
    arrives: Time,
    /// Whether a packet sent later has overtaken it on the wire.
    was_overtaken: bool,
}

impl EventDriven {
    /// Makes an empty link.
    #[must_use]
    pub fn new(plan: &LinkPlan, seed: u64) -> Self {
        let rate = plan.rate_bps.map(Rate::from_bps);
        Self {
            delay: Duration::from_ps(plan.delay_ps),
            policer: plan.policer.map(Policer::new),
            qdisc: Discipline::new(&plan.qdisc, rate),
            qdisc_rng: rng::stream(seed, &format!("link/{}/qdisc", plan.name)),
            transmitter: Service::new(plan.service.as_ref(), rate),
            loss: plan.loss.as_ref().map(|loss| {
                Loss::new(
                    loss,
                    plan.loss_window,
                    rng::stream(seed, &format!("link/{}/loss", plan.name)),
                )
            }),
            impairments: plan
                .impairments
                .iter()
                .map(|impairment| impairment::build(impairment, &plan.name, seed))
                .collect(),
            rests: Rests::default(),
            flight: Flight::default(),
            crossings: VecDeque::new(),
            in_order_until: Time::ZERO,
            free_at: Time::ZERO,
            serve_at: Time::MAX,
            used: 0,
            measured_from: Time::ZERO,
            troubles: Vec::new(),
            scratch: Vec::new(),
            queued: 0,
            stats: LinkStats::default(),
        }
    }

    /// Takes in a packet at `now`. Returns whether the discipline let it in. Marks, drops and
    /// losses on the way, of this and other packets, are in [`EventDriven::troubles`].
    pub fn arrive(&mut self, packet: &Packet, now: Time, hosts: &mut Hosts) -> bool {
        self.serve(now, hosts);
        let rest = self.rests.keep(packet);
        let is_in = self.take_in(Held { rest, ..Held::of(packet, now) });
        self.serve(now, hosts);
        is_in
    }

    /// Takes in a packet that arrives now. [`EventDriven::next_sent`] must have been called before,
    /// and must be called after, until it returns nothing. Returns whether the discipline let the
    /// packet in.
    pub fn take_in(&mut self, held: Held) -> bool {
        let (now, size) = (held.arrived, held.packet.wire_size);
        self.stats.arrived_packets += 1;
        if self.policer.as_mut().is_some_and(|policer| !policer.passes(size, now)) {
            self.count_drop(DropReason::Policed, &held);
            return false;
        }
        let is_free = self.free_at <= now && self.qdisc.backlog().packets == 0;
        if is_free {
            self.transmitter.idle(now);
        }
        let is_idle = is_free && self.transmitter.ready(now) <= now;
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
        self.book(now);
        match taken {
            Ok(()) => self.queued = self.queued.wrapping_sub(now.as_ps().into()),
            Err(reason) => self.count_drop(reason, &held),
        }
        if self.qdisc.backlog().packets > 0 {
            self.serve_at = self.free_at.max(now);
        }
        taken.is_ok()
    }

    /// Transmits all packets that may leave by `now`.
    #[inline]
    pub fn serve(&mut self, now: Time, hosts: &mut Hosts) {
        while let Some((held, deliver_at)) = self.next_sent(now) {
            self.launch(&held, deliver_at, hosts);
        }
    }

    /// Transmits the next packet that may leave by `now`. Returns it with the time at which it
    /// reaches the far end, if no impairment changes that.
    #[inline]
    pub fn next_sent(&mut self, now: Time) -> Option<(Held, Time)> {
        if self.serve_at <= now { self.next_due(now) } else { None }
    }

    fn next_due(&mut self, now: Time) -> Option<(Held, Time)> {
        while self.serve_at <= now {
            let at = self.serve_at;
            let ready = self.transmitter.ready(at);
            if ready > at {
                // A closed transmitter opens later; until then packets wait in the queue.
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
            self.book(at);
            self.serve_at = match next {
                Dequeued::Packet(held) => {
                    let sent = self.transmit(&held, at);
                    let has_more = self.qdisc.backlog().packets > 0;
                    self.serve_at = if has_more { self.free_at } else { Time::MAX };
                    if let Some(deliver_at) = sent {
                        return Some((held, deliver_at));
                    }
                    continue;
                }
                Dequeued::Empty => Time::MAX,
                Dequeued::NotBefore(time) => time.max(at + Duration::from_ps(1)),
            };
        }
        None
    }

    /// Sends a packet from `start` on. Returns when it reaches the far end; `None`: it is lost.
    #[expect(clippy::inline_always, reason = "once per packet and link")]
    #[inline(always)]
    fn transmit(&mut self, held: &Held, start: Time) -> Option<Time> {
        let size = held.packet.wire_size;
        self.free_at = self.transmitter.send(start, size);
        self.stats.queue_delay.record(start.since(held.arrived));
        self.queued = self.queued.wrapping_add(start.as_ps().into());
        if self.free_at == Time::MAX {
            // Nothing will ever leave this link again: the packet is lost.
            let packet = self.rests.give_back(held);
            self.lose(packet);
            return None;
        }
        self.stats.busy += self.free_at.since(start);
        self.used += self.transmitter.work(size);
        if self
            .loss
            .as_mut()
            .is_some_and(|loss| loss.lose(!held.packet.has_payload(), self.free_at))
        {
            let packet = self.rests.give_back(held);
            self.lose(packet);
            return None;
        }
        Some(self.free_at.saturating_add(self.delay))
    }

    /// Puts a packet on the wire that has been sent.
    pub fn launch(&mut self, held: &Held, deliver_at: Time, hosts: &mut Hosts) {
        let packet = self.rests.give_back(held);
        if !self.is_impaired() {
            // Without impairments nothing overtakes on the wire, so that `crossings` is not needed.
            self.flight.append(deliver_at + hosts.take_for(&packet), &packet, packet.ecn);
            return;
        }
        let crossing = Crossing {
            packet,
            entered: held.packet.unmarked(),
            sent: self.free_at,
            deliver_at,
            copies: 1,
            may_overtake: false,
        };
        self.cross(crossing, 0, hosts);
    }

    /// Whether impairments change when packets arrive.
    #[inline]
    #[must_use]
    pub fn is_impaired(&self) -> bool {
        !self.impairments.is_empty()
    }

    /// Parts of waiting packets that a [`Held`] does not have.
    #[inline]
    pub fn rests(&mut self) -> &mut Rests {
        &mut self.rests
    }

    /// Passes a packet through the impairments from index `first` on. A copy that is made on the
    /// way passes the remaining impairments by itself.
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
        self.land(&crossing, hosts);
    }

    fn lose(&mut self, packet: Packet) {
        self.stats.dropped_wire += 1;
        self.troubles.push((Fate::LostOnWire, packet));
    }

    fn land(&mut self, crossing: &Crossing, hosts: &mut Hosts) {
        let mut arrives = crossing.deliver_at.max(crossing.sent);
        if !crossing.may_overtake {
            arrives = arrives.max(self.in_order_until);
            self.in_order_until = arrives;
        }
        for other in self.crossings.range_mut(self.flight.later_than(arrives)) {
            if other.arrives > arrives {
                self.stats.reordered_packets +=
                    u64::from(!std::mem::replace(&mut other.was_overtaken, true));
            }
        }
        let entry = OnWire {
            deliver_at: arrives + hosts.take_for(&crossing.packet),
            packet: crossing.packet,
        };
        let crossings = &mut self.crossings;
        let at =
            crossings.len() - self.flight.insert(entry, |other| crossings[other].arrives > arrives);
        crossings.insert(at, Crossed { arrives, was_overtaken: false });
    }

    /// Least time at which a packet arrives that is not in flight yet. Everything before `now` has
    /// been done.
    #[must_use]
    pub fn horizon(&self, now: Time) -> Time {
        self.free_at.max(now).saturating_add(self.least_delay())
    }

    /// Least time from a packet's last bit to its arrival.
    #[must_use]
    pub fn least_delay(&self) -> Duration {
        self.impairments.iter().fold(self.delay, |delay, impairment| impairment.least_delay(delay))
    }

    /// Time to ask the discipline for the next packet; [`Time::MAX`]: at the next arrival.
    #[inline]
    #[must_use]
    pub fn serve_at(&self) -> Time {
        self.serve_at
    }

    /// Time of the next event of this link.
    #[must_use]
    pub fn next_event(&self) -> Time {
        self.serve_at.min(self.flight.next())
    }

    /// Takes a packet that has reached the far end by `now` into `packet`. False: there is none.
    pub fn deliver(&mut self, now: Time, packet: &mut Packet) -> bool {
        if self.flight.next() > now || !self.flight.take(packet) {
            return false;
        }
        self.crossings.pop_front();
        true
    }

    /// Whether there are marks, drops or losses that nobody has taken.
    #[inline]
    #[must_use]
    pub fn has_troubles(&self) -> bool {
        !self.troubles.is_empty()
    }

    /// Marks, drops and losses since the last call; the caller empties the list.
    pub fn troubles(&mut self) -> &mut Vec<(Fate, Packet)> {
        &mut self.troubles
    }

    /// Packets on the wire.
    #[must_use]
    pub fn flight(&self) -> &Flight {
        &self.flight
    }

    /// Packets and bytes that wait.
    #[must_use]
    pub fn backlog(&self) -> Backlog {
        self.qdisc.backlog()
    }

    /// Time that a packet arriving at `now` would wait behind the backlog; zero if nothing will
    /// ever leave.
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

    /// The average queue that the discipline keeps, if it keeps one.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        self.qdisc.average()
    }

    /// Time spent transmitting, up to `now`. If the rate varies: the measured time, times the share
    /// of the capacity that was used.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a time that is far below 2^63 ps"
    )]
    pub fn busy_until(&self, now: Time) -> Duration {
        if let Some(capacity) = self.transmitter.capacity(self.measured_from, now) {
            let share = if capacity > 0.0 { (self.used as f64 / capacity).min(1.0) } else { 0.0 };
            let measured = now.since(self.measured_from);
            return Duration::from_ps((measured.as_ps() as f64 * share) as u64).min(measured);
        }
        if self.free_at == Time::MAX {
            return self.stats.busy;
        }
        self.stats.busy.saturating_sub(self.free_at.since(now))
    }

    /// Begins the measured part of the run: counters start again, with the transmissions that are
    /// committed beyond `now`.
    pub fn reset_stats(&mut self, now: Time) {
        let committed =
            if self.free_at == Time::MAX { Duration::ZERO } else { self.free_at.since(now) };
        self.used = 0;
        self.measured_from = now;
        self.stats = LinkStats { busy: committed, ..LinkStats::default() };
        self.queued = self.until(now).wrapping_neg();
    }

    /// Packets in the queue times the time that they were in it since the warm-up, up to `now`.
    #[must_use]
    pub fn queued(&self, now: Time) -> u128 {
        self.queued.wrapping_add(self.until(now))
    }

    /// Growth of [`EventDriven::queued`] if all packets left the queue at `now`.
    fn until(&self, now: Time) -> u128 {
        u128::from(self.qdisc.backlog().packets) * u128::from(now.as_ps())
    }

    /// Counts the marks and drops that the discipline told at `now`, in their order.
    #[inline]
    fn book(&mut self, now: Time) {
        if !self.scratch.is_empty() {
            self.book_troubles(now);
        }
    }

    fn book_troubles(&mut self, now: Time) {
        let mut said = std::mem::take(&mut self.scratch);
        for (trouble, held) in said.drain(..) {
            match trouble {
                Trouble::Marked => {
                    self.stats.marked_packets += 1;
                    let packet = self.rests.packet(&held);
                    self.troubles.push((Fate::Sent { marked: true }, packet));
                }
                Trouble::Dropped(reason) => {
                    self.queued = self.queued.wrapping_add(now.as_ps().into());
                    self.count_drop(reason, &held);
                }
            }
        }
        self.scratch = said;
    }

    fn count_drop(&mut self, reason: DropReason, held: &Held) {
        self.stats.count_drop(reason);
        let packet = self.rests.give_back(held);
        self.troubles.push((Fate::Dropped(reason), packet));
    }
}
