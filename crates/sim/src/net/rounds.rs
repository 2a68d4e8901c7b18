//! Links in a run by rounds: each takes in all packets up to a moment, before the next one has its
//! turn.

use ackclock_units::{Duration, Time};

use super::Network;
use super::link::{Fate, Link};
use super::transit::{Fed, Feeder, Incoming};
use crate::event::{Moment, Source, Step};
use crate::packet::{Ecn, Packet};
use crate::probe::{PacketEvent, Point};

impl Network {
    /// What follows happens at `moment`.
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

    /// Does everything that happens at a link before `until`. `feeders`: the edges into it. Returns the number of packets that
    /// entered.
    pub fn advance_link(&mut self, id: Source, feeders: &[Fed], until: Moment) -> u64 {
        let mut count = 0;
        loop {
            let next = self.first_of(feeders);
            let next = next.filter(|(moment, _)| *moment < until);
            // What the link causes itself comes after what it does at that moment.
            self.serve_until(id, next.map_or(until, |(moment, _)| moment.next()));
            let Some((_, at)) = next else { break };
            count += 1;
            let fed = feeders[at];
            let Some((step, packet)) = self.transit.edges[fed.edge as usize].take() else { break };
            let moment = step.moment;
            (self.moment, self.sent) = (Some(moment), step.number);
            self.log.at(step);
            if let Feeder::Link(from) = fed.by {
                self.leave(from, &packet, moment.time);
            }
            self.enter_in_round(id, &packet, moment);
        }
        for fed in feeders {
            self.transit.edges[fed.edge as usize].recycle();
        }
        if let Link::EventDriven(link) = &self.links[id as usize] {
            let known = link.horizon(until.time);
            self.pass_on_until(id, known);
        }
        count
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

    /// The edge whose first packet is the first of all, with its moment.
    #[inline]
    fn first_of(&self, feeders: &[Fed]) -> Option<(Moment, usize)> {
        let edges = &self.transit.edges;
        let first = |at: usize| edges[feeders[at].edge as usize].front();
        (0..feeders.len()).filter_map(|at| Some((first(at)?, at))).min()
    }

    /// A packet has reached the far end of a link.
    #[inline]
    pub fn leave(&mut self, link: Source, packet: &Packet, now: Time) {
        let left = &mut self.transit.left[link as usize];
        *left = left.wrapping_add(1);
        let stats = self.links[link as usize].stats_mut();
        stats.count_delivered(1, packet.wire_size.into());
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
    fn enter_in_round(&mut self, id: Source, packet: &Packet, moment: Moment) {
        let (index, now) = (id as usize, moment.time);
        let is_noted = self.log.notes(index);
        if is_noted {
            self.log.settle(id, now, &mut self.links[index]);
        }
        let Self { links, hosts, .. } = self;
        let Link::Analytic(link) = &mut links[index] else {
            self.arrive_event_driven(id, packet, now);
            return;
        };
        link.settle(now, |_, _| ());
        let mut sent = None;
        let fate = link.judge(packet, now, hosts, |_, at, ecn| sent = Some((at, ecn)));
        if let Some((at, ecn)) = sent {
            self.send_on(id, packet, ecn, at);
        }
        if fate != (Fate::Sent { marked: false }) {
            self.note_trouble(id, fate, packet, now);
        }
        if is_noted {
            self.note_entry(id, fate, packet, now);
        }
    }

    /// A packet that arrives at the far end of `link` at `time` goes on to the next link, or to its
    /// host.
    #[inline]
    fn send_on(&mut self, link: Source, packet: &Packet, ecn: Ecn, time: Time) {
        let number = &mut self.transit.numbers[link as usize];
        *number = number.wrapping_add(1);
        let (mut time, mut number) = (time, u64::from(*number) * 256);
        let packet = Packet { ecn, hop: packet.hop + 1, ..*packet };
        let (transit, flow) = (&mut self.transit, packet.flow as usize);
        if let Some(hop) = self.routes[flow].hop(&packet) {
            let edge = &mut transit.edges[transit.edge_of_hop[hop] as usize];
            let moment = Moment::of(time, link, number);
            // After the rows of what the link does at that moment.
            edge.push(Step { moment, number: 1 }, &packet);
        } else {
            let inboxes = if packet.is_reverse { &mut transit.acks } else { &mut transit.data };
            (time, number) = inboxes[flow].push(Incoming { time, number, packet });
        }
        if self.log.traces_changes(link as usize)
            && let Some(later) = self.log.later()
        {
            later.will_arrive(link, Moment::of(time, link, number), packet.wire_size);
        }
    }
}

// Event-driven links.
impl Network {
    fn arrive_event_driven(&mut self, id: Source, packet: &Packet, now: Time) {
        let Link::EventDriven(link) = &mut self.links[id as usize] else { return };
        if link.arrive(packet, now, &mut self.hosts) && self.log.watches_link(id as usize) {
            self.log.packet(Point::Link, id, PacketEvent::Send, now, packet);
        }
        self.note_troubles(id, now);
    }

    /// Does what an event-driven link does by itself before `until`.
    #[inline]
    fn serve_until(&mut self, id: Source, until: Moment) {
        if matches!(self.links[id as usize], Link::EventDriven(_)) {
            self.serve_event_driven(id, until);
        }
    }

    fn serve_event_driven(&mut self, id: Source, until: Moment) {
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
            if let Link::EventDriven(link) = &mut self.links[id as usize] {
                link.serve(next.time, &mut self.hosts);
            }
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
            self.send_on(id, &packet, packet.ecn, time);
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
