//! Links in a run by rounds: each takes in all packets up to a moment, before the next one has its
//! turn.

mod batch;
mod far_end;

use ackclock_units::{Duration, Time};

use self::far_end::FarEnd;
use super::Network;
use super::link::{Entered, Link};
use super::transit::{Edge, Fed, Feeder};
use crate::event::{Moment, Source, Step};
use crate::packet::{Ecn, Extra, Packet, Thin};
use crate::qdisc::Held;
use crate::record::{PacketEvent, Point};

/// Packets and bytes that have reached the far end of a link.
#[derive(Clone, Copy, Default)]
pub struct Left {
    /// Packets.
    pub packets: u32,
    /// Bytes on the link.
    pub bytes: u64,
}

impl Left {
    /// Counts a packet.
    #[inline]
    pub fn count(&mut self, wire_size: u32) {
        self.packets += 1;
        self.bytes += u64::from(wire_size);
    }

    /// Counts packets that were counted apart.
    #[inline]
    pub fn add(&mut self, other: Self) {
        self.packets += other.packets;
        self.bytes += other.bytes;
    }
}

impl Network {
    /// Everything from now on happens at `moment`.
    #[inline]
    pub fn at(&mut self, moment: Moment) {
        (self.moment, self.sent) = (Some(moment), 0);
        self.log.at(Step::begins(moment));
    }

    /// The present step.
    #[must_use]
    pub fn step(&self) -> Option<Step> {
        self.moment.map(|moment| Step { moment, number: self.sent })
    }

    /// Does everything that happens at a link before `until`. `feeders`: the edges into it. Returns
    /// the number of packets that entered.
    pub fn advance_link(&mut self, id: Source, feeders: &[Fed], until: Moment) -> u64 {
        let count = if self.log.later().is_some() {
            self.take_in_one_by_one(id, feeders, until)
        } else {
            self.take_in(id, feeders, until)
        };
        for fed in feeders {
            self.transit.edges[fed.edge as usize].recycle();
        }
        if let Link::EventDriven(link) = &self.links[id as usize] {
            let known = link.horizon(until.time);
            self.pass_on_until(id, known);
        }
        count
    }

    /// The edge over which what a host of a flow sends enters its first link.
    #[must_use]
    #[inline]
    pub fn first_edge(&self, flow: u32, is_reverse: bool) -> u32 {
        let route = &self.routes[flow as usize];
        let first = if is_reverse { route.reverse } else { route.forward };
        self.transit.edge_of_hop[first as usize]
    }

    /// Counts packets that have reached the far end of a link.
    pub fn count_left(&mut self, link: Source, left: Left) {
        let gone = &mut self.transit.left[link as usize];
        *gone = gone.wrapping_add(left.packets);
        let stats = self.links[link as usize].stats_mut();
        stats.count_delivered(u64::from(left.packets), left.bytes);
    }

    /// Number of packets in a link's queue and on its wire, up to their hosts.
    #[must_use]
    pub fn packets_inside(&self, link: usize) -> usize {
        let transit = &self.transit;
        let ahead = match transit.left.get(link) {
            Some(left) => transit.numbers[link].wrapping_sub(*left) as usize,
            None => 0,
        };
        self.links[link].packets_inside() + ahead
    }

    /// Takes in the packets of all feeders, if nothing of them is recorded.
    fn take_in(&mut self, id: Source, feeders: &[Fed], until: Moment) -> u64 {
        match feeders {
            [only] if only.by != Feeder::Link(id) => {
                let mut edge = std::mem::take(&mut self.transit.edges[only.edge as usize]);
                let left = self.take_in_edge(id, &mut edge, until);
                self.transit.edges[only.edge as usize] = edge;
                if let Feeder::Link(from) = only.by {
                    self.count_left(from, left);
                }
                u64::from(left.packets)
            }
            _ => {
                let mut edge = std::mem::take(&mut self.transit.merged);
                self.merge(feeders, until, &mut edge);
                let left = self.take_in_edge(id, &mut edge, until);
                edge.recycle();
                self.transit.merged = edge;
                u64::from(left.packets)
            }
        }
    }

    /// Moves what enters before `until` to one edge, in order.
    fn merge(&mut self, feeders: &[Fed], until: Moment, to: &mut Edge) {
        for fed in feeders {
            let mut left = Left::default();
            let edge = &mut self.transit.edges[fed.edge as usize];
            while let Some((step, thin)) = edge.take_before(until) {
                left.count(thin.wire_size);
                to.push_thin(step, thin);
                if thin.has_extra() {
                    to.push_extra(&edge.extra());
                }
            }
            if let Feeder::Link(from) = fed.by {
                self.count_left(from, left);
            }
        }
        to.seal(&mut self.transit.sorter);
    }
}

// What is recorded.
impl Network {
    /// Takes in packets one after another, each with the rows of the record that belong to it.
    fn take_in_one_by_one(&mut self, id: Source, feeders: &[Fed], until: Moment) -> u64 {
        let mut count = 0;
        loop {
            let next = self.first_of(feeders).filter(|(moment, _)| *moment < until);
            // What the link causes itself comes after what it does at that moment.
            self.serve_until(id, next.map_or(until, |(moment, _)| moment.next()));
            let Some((_, at)) = next else { return count };
            let fed = feeders[at];
            let edge = &mut self.transit.edges[fed.edge as usize];
            let Some((step, thin)) = edge.take_before(until) else { return count };
            let extra = edge.extra();
            count += 1;
            (self.moment, self.sent) = (Some(step.moment), step.number);
            self.log.at(step);
            let packet = thin.packet(&extra);
            if let Feeder::Link(from) = fed.by {
                self.leave(from, &packet, step.moment.time);
            }
            self.enter_in_round(id, &packet, step.moment.time);
        }
    }

    /// The edge whose first packet is the first of all, with its moment.
    fn first_of(&self, feeders: &[Fed]) -> Option<(Moment, usize)> {
        let edges = &self.transit.edges;
        let first = |at: usize| edges[feeders[at].edge as usize].front();
        (0..feeders.len()).filter_map(|at| Some((first(at)?, at))).min()
    }

    /// A packet has reached the far end of a link.
    fn leave(&mut self, link: Source, packet: &Packet, now: Time) {
        self.count_left(link, Left { packets: 1, bytes: packet.wire_size.into() });
        if self.log.watches_link(link as usize) {
            self.log.packet(Point::Link, link, PacketEvent::Receive, now, packet);
        }
    }

    /// Takes a packet off its last link. False: its host discards it.
    #[inline]
    pub fn arrive(&mut self, link: Source, packet: &Packet, now: Time) -> bool {
        self.leave(link, packet, now);
        self.reach_host(packet, now)
    }

    /// A packet enters a link.
    fn enter_in_round(&mut self, id: Source, packet: &Packet, now: Time) {
        if let Link::EventDriven(_) = &self.links[id as usize] {
            self.enter_event_driven_in_round(id, packet, now);
            return;
        }
        self.settle_before(id, now);
        let Link::Analytic(link) = &mut self.links[id as usize] else { return };
        let entered = link.judge(packet.wire_size, packet.ecn, packet.payload > 0, now);
        match entered {
            Entered::Sent { arrives, marked } => {
                let ecn = if marked { Ecn::Ce } else { packet.ecn };
                let at = arrives + self.hosts.take_for(packet);
                self.send_on_recorded(id, packet, ecn, at);
            }
            Entered::Lost { start, marked } => link.doom(start, packet, marked),
            Entered::Dropped(_) => (),
        }
        self.after_entry(id, entered, packet, now);
    }

    fn send_on_recorded(&mut self, link: Source, packet: &Packet, ecn: Ecn, time: Time) {
        let mut far_end = FarEnd::of(link, &mut self.transit, &self.routes);
        let extra = || Extra::of(packet);
        let (time, number) = far_end.send_on(&Thin::of(packet), extra, ecn, time);
        if self.log.traces_changes(link as usize)
            && let Some(later) = self.log.later()
        {
            later.will_arrive(link, Moment::of(time, link, number), packet.wire_size);
        }
    }
}

// Event-driven links.
impl Network {
    fn enter_event_driven_in_round(&mut self, id: Source, packet: &Packet, now: Time) {
        self.serve_in_round(id, now);
        let Link::EventDriven(link) = &mut self.links[id as usize] else { return };
        let rest = link.rests().keep(packet);
        let is_in = link.take_in(Held { rest, ..Held::of(packet, now) });
        self.serve_in_round(id, now);
        if is_in && self.log.watches_link(id as usize) {
            self.log.packet(Point::Link, id, PacketEvent::Send, now, packet);
        }
        self.note_troubles(id, now);
    }

    /// Transmits all packets that may leave by `now`.
    fn serve_in_round(&mut self, id: Source, now: Time) {
        loop {
            let Link::EventDriven(link) = &mut self.links[id as usize] else { return };
            let Some((held, deliver_at)) = link.next_sent(now) else { return };
            if link.is_impaired() {
                link.launch(&held, deliver_at, &mut self.hosts);
                continue;
            }
            let packet = link.rests().give_back(&held);
            let at = deliver_at + self.hosts.take_for(&packet);
            self.send_on_recorded(id, &packet, packet.ecn, at);
        }
    }

    /// Does what a link does by itself before `until`.
    fn serve_until(&mut self, id: Source, until: Moment) {
        while let Link::Analytic(link) = &self.links[id as usize] {
            let next = Moment::of(link.acts_at(), id, 0);
            if next >= until {
                return;
            }
            self.at(next);
            self.settle_before(id, next.time);
        }
        let is_traced = self.log.traces_changes(id as usize);
        loop {
            let Link::EventDriven(link) = &self.links[id as usize] else { return };
            let (serve_at, arrives_at) = (link.serve_at(), link.flight().next());
            let mut next = Moment::of(serve_at, id, 0);
            if is_traced {
                // Each packet that reaches the far end is a change of its own in the link's series.
                let known = self.log.later().and_then(|later| later.next_arrival(id));
                let is_next = arrives_at <= serve_at && Moment::of(arrives_at, id, 0) < until;
                if known.is_none() && is_next {
                    self.pass_on_until(id, arrives_at + Duration::from_ps(1));
                    continue;
                }
                next = known.map_or(next, |known| known.min(next));
            }
            if next >= until {
                return;
            }
            self.at(next);
            self.serve_in_round(id, next.time);
            if let Some(later) = self.log.later().filter(|_| is_traced)
                && later.next_arrival(id).is_some_and(|arrives| arrives.time <= next.time)
            {
                later.count_arrival(id);
            }
            self.note_troubles(id, next.time);
        }
    }

    /// Passes on the packets that reach a link's far end before `known`.
    fn pass_on_until(&mut self, id: Source, known: Time) {
        let mut packet = Packet::default();
        loop {
            let Link::EventDriven(link) = &mut self.links[id as usize] else { return };
            let time = link.flight().next();
            if time >= known || !link.deliver(time, &mut packet) {
                return;
            }
            self.send_on_recorded(id, &packet, packet.ecn, time);
        }
    }

    /// Records what happened at an event-driven link.
    fn note_troubles(&mut self, id: Source, now: Time) {
        self.take_troubles(id, now);
        if self.log.traces_changes(id as usize) {
            self.log.link(id, now, self.links[id as usize].backlog(), &self.links[id as usize]);
        }
    }
}
