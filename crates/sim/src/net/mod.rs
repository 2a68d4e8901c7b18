//! The network between hosts: links, the routes over them, and the record of what happens there.

pub mod hosts;
pub mod impairment;
pub(crate) mod later;
pub mod link;
mod log;
pub mod loss;
pub mod outage;
pub mod policer;
pub(crate) mod rounds;
pub mod transit;
pub mod transmitter;

use std::collections::VecDeque;
use std::ops::Range;

use ackclock_units::Time;

use crate::event::{Moment, Schedule, Source, Step};
use crate::packet::Packet;
use crate::qdisc::DropReason;
use crate::record::{PacketEvent, Point, RecordPlan};
use crate::transport::flow::FlowPlan;
use crate::wire::{Answer, LossCause, Wire};
use hosts::Hosts;
use link::{Entered, Fate, Link, LinkPlan};
pub use log::{Log, sampled_links};
use transit::Transit;

/// Losses and marks of a flow's data packets since the warm-up. Only a simulator knows them; the
/// sender has to infer them.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Data packets marked CE.
    pub marked_packets: u64,
    /// Absent before the first loss.
    losses: Option<Box<Losses>>,
}

/// Data packets of a flow that the network lost.
#[derive(Clone, Debug, Default)]
struct Losses {
    by_cause: [u64; LossCause::COUNT],
    /// The connection that lost data last.
    connection: u32,
    /// The latest losses of that connection that nobody has asked for, in order: offset of the
    /// first lost byte, and cause.
    latest: VecDeque<(u64, LossCause)>,
    /// In a run by rounds: losses that have not taken their turn yet, in the order of their steps.
    fresh: VecDeque<Loss>,
}

/// A data packet that the network lost.
#[derive(Clone, Copy, Debug)]
struct Loss {
    step: Step,
    connection: u32,
    seq: u64,
    cause: LossCause,
}

impl Losses {
    /// Number of losses that are kept: more than most recoveries repair, in at most 8 kB.
    const KEPT: usize = 256;

    fn note(&mut self, connection: u32, seq: u64, cause: LossCause) {
        if self.connection != connection {
            self.connection = connection;
            self.latest.clear();
        }
        let at = self.at(seq);
        match self.latest.get_mut(at) {
            Some(last) if last.0 == seq => last.1 = cause,
            _ => self.latest.insert(at, (seq, cause)),
        }
        if self.latest.len() > Self::KEPT {
            self.latest.pop_front();
        }
    }

    /// Index of the first loss at `seq` or behind.
    fn at(&self, seq: u64) -> usize {
        match self.latest.back() {
            Some(last) if seq <= last.0 => self.latest.partition_point(|loss| loss.0 < seq),
            _ => self.latest.len(),
        }
    }

    /// Notes the losses up to a step, in their order.
    fn settle(&mut self, step: Step) {
        while let Some(loss) = self.fresh.front().copied().filter(|loss| loss.step <= step) {
            self.fresh.pop_front();
            self.note(loss.connection, loss.seq, loss.cause);
        }
    }
}

impl Tally {
    /// Number of data packets dropped, for any cause.
    #[must_use]
    pub fn lost_packets(&self) -> u64 {
        self.losses.as_ref().map_or(0, |losses| losses.by_cause.iter().sum())
    }

    /// Number of data packets dropped, by [`LossCause`].
    #[must_use]
    pub fn lost_by_cause(&self) -> [u64; LossCause::COUNT] {
        self.losses.as_ref().map_or([0; LossCause::COUNT], |losses| losses.by_cause)
    }

    /// Counts a loss at a step; `None`: now, in a run by events.
    fn lose(&mut self, cause: LossCause, packet: &Packet, step: Option<Step>) {
        let losses = self.losses.get_or_insert_default();
        losses.by_cause[cause as usize] += 1;
        let (connection, seq) = (packet.connection, packet.seq);
        match step {
            Some(step) => {
                let at = losses.fresh.partition_point(|loss| loss.step <= step);
                losses.fresh.insert(at, Loss { step, connection, seq, cause });
            }
            None => losses.note(connection, seq, cause),
        }
    }

    /// Returns why data within a range was lost, as the network knows it at a step, and forgets
    /// that loss.
    pub fn why_lost_by(
        &mut self,
        step: Step,
        connection: u32,
        data: Range<u64>,
    ) -> Option<LossCause> {
        self.losses.as_mut()?.settle(step);
        self.why_lost(connection, data)
    }

    /// Begins the measured part of the run.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Returns why data within a range was lost, and forgets that loss.
    fn why_lost(&mut self, connection: u32, data: Range<u64>) -> Option<LossCause> {
        let losses = self.losses.as_mut().filter(|losses| losses.connection == connection)?;
        let at = losses.at(data.start);
        losses.latest.get(at).filter(|loss| loss.0 < data.end)?;
        losses.latest.remove(at).map(|(_, cause)| cause)
    }
}

struct Route {
    forward: u32,
    reverse: u32,
    forward_hops: u8,
    reverse_hops: u8,
}

impl Route {
    /// Index of the link that a packet enters next, among all hops; `None`: it is at its host.
    /// `passed`: links that the packet has passed.
    #[inline]
    fn hop(&self, is_reverse: bool, passed: u8) -> Option<usize> {
        let (start, hops) = if is_reverse {
            (self.reverse, self.reverse_hops)
        } else {
            (self.forward, self.forward_hops)
        };
        (passed < hops).then(|| start as usize + usize::from(passed))
    }
}

/// All links, the routes over them, and the schedule shared by links and endpoints.
pub struct Network {
    /// All links. The index of a link is its number in the schedule.
    pub links: Vec<Link>,
    /// The next event of every link and endpoint.
    pub schedule: Schedule,
    /// Losses and marks, by flow.
    pub tally: Vec<Tally>,
    /// The record of packets and links.
    pub log: Log,
    /// Packets between links and hosts in a run by rounds.
    pub transit: Transit,
    /// In a run by rounds: the moment of what happens now.
    pub moment: Option<Moment>,
    /// Packets that a host has sent in this moment.
    sent: u32,
    hosts: Hosts,
    routes: Vec<Route>,
    hops: Vec<u32>,
}

impl Network {
    /// Builds an empty network with hosts that take no time.
    ///
    /// `paths` has the links there and back of each flow and then of each stream. `sources` is the
    /// number of all event sources.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds flows, links and hops")]
    pub fn new<'plan>(
        links: &[LinkPlan],
        paths: impl Iterator<Item = [&'plan [u32]; 2]>,
        record: &RecordPlan,
        seed: u64,
        sources: usize,
    ) -> Self {
        let mut hops = Vec::new();
        let mut lay = |path: &[u32]| {
            let start = hops.len() as u32;
            hops.extend_from_slice(path);
            (start, path.len() as u8)
        };
        let routes: Vec<Route> = paths
            .map(|[path, reverse_path]| {
                let (forward, forward_hops) = lay(path);
                let (reverse, reverse_hops) = lay(reverse_path);
                Route { forward, reverse, forward_hops, reverse_hops }
            })
            .collect();
        let log = Log::new(record, links, routes.len());
        let links: Vec<Link> = links
            .iter()
            .enumerate()
            .map(|(id, link)| {
                let mut link = Link::new(link, seed);
                if let Link::Analytic(analytic) = &mut link
                    && log.traces_changes(id)
                {
                    analytic.show_departures();
                }
                link
            })
            .collect();
        Self {
            schedule: Schedule::new(links.len(), sources),
            tally: vec![Tally::default(); routes.len()],
            links,
            log,
            transit: Transit::default(),
            moment: None,
            sent: 0,
            hosts: Hosts::default(),
            routes,
            hops,
        }
    }

    /// Adds the time that simulated hosts take for each packet. Real hosts take their own time.
    #[must_use]
    pub fn with_hosts(self, flows: &[FlowPlan], seed: u64) -> Self {
        Self { hosts: Hosts::new(flows, seed), ..self }
    }

    /// Handles a link's event. Returns true if a packet has reached its host; it is then in
    /// `packet`.
    ///
    /// The packet is the caller's, because a returned packet would be copied at each return.
    #[inline]
    pub fn on_link_event(&mut self, link: Source, now: Time, packet: &mut Packet) -> bool {
        let index = link as usize;
        match &mut self.links[index] {
            Link::Analytic(analytic) => {
                if analytic.acts_at() <= now {
                    self.settle_before(link, now);
                }
                let Link::Analytic(analytic) = &mut self.links[index] else { return false };
                let is_delivered = analytic.flight().next() <= now && analytic.deliver(packet);
                if is_delivered {
                    analytic.stats.count_delivered(1, packet.wire_size.into());
                }
                self.schedule.set(link, analytic.next_event());
                if !is_delivered {
                    return false;
                }
            }
            Link::EventDriven(event_driven) => {
                event_driven.serve(now, &mut self.hosts);
                let is_delivered = event_driven.deliver(now, packet);
                if is_delivered {
                    event_driven.stats.count_delivered(1, packet.wire_size.into());
                }
                self.after_event_driven(link, now);
                if !is_delivered {
                    return false;
                }
            }
        }
        self.pass_on(link, packet, now)
    }

    /// Moves a packet on to the next link of its route. Returns true if it has reached its host.
    fn pass_on(&mut self, link: Source, packet: &mut Packet, now: Time) -> bool {
        if self.log.watches_link(link as usize) {
            self.log.packet(Point::Link, link, PacketEvent::Receive, now, packet);
        }
        packet.hop += 1;
        if let Some(hop) = self.routes[packet.flow as usize].hop(packet.is_reverse, packet.hop) {
            self.enter(self.hops[hop], packet, now);
            return false;
        }
        self.reach_host(packet, now)
    }

    /// Hands a packet to its host. False: the host discards it.
    #[inline]
    fn reach_host(&mut self, packet: &Packet, now: Time) -> bool {
        if packet.is_corrupt {
            self.discard(packet, now);
            return false;
        }
        self.log.host(PacketEvent::Receive, now, packet);
        true
    }

    /// RFC 9293 section 3.1: the receiver "MUST check" the checksum; a damaged segment is
    /// discarded.
    #[cold]
    fn discard(&mut self, packet: &Packet, now: Time) {
        if packet.payload > 0 {
            self.lose(LossCause::Wire, packet);
        }
        self.log.host(PacketEvent::Corrupt, now, packet);
    }

    fn enter(&mut self, id: Source, packet: &Packet, now: Time) {
        let Link::Analytic(link) = &mut self.links[id as usize] else {
            self.enter_event_driven(id, packet, now);
            return;
        };
        let head = link.next_event();
        self.settle_before(id, now);
        let Link::Analytic(link) = &mut self.links[id as usize] else { return };
        let entered = link.arrive(packet, now, &mut self.hosts);
        self.after_entry(id, entered, packet, now);
        let Link::Analytic(link) = &self.links[id as usize] else { return };
        let next = link.next_event();
        if next != head {
            self.schedule.set(id, next);
        }
    }

    /// Does what an analytic link does by itself up to `now`, before a packet enters or leaves it.
    #[inline]
    fn settle_before(&mut self, id: Source, now: Time) {
        let Link::Analytic(link) = &self.links[id as usize] else { return };
        if link.loses_at() <= now {
            self.lose_due(id, now);
        }
        let link = &mut self.links[id as usize];
        if self.log.notes(id as usize) {
            self.log.settle(id, now, link);
        }
        link.settle(now, |_, _| ());
    }

    /// Records what an analytic link did with a packet that entered it.
    #[inline]
    fn after_entry(&mut self, id: Source, entered: Entered, packet: &Packet, now: Time) {
        let is_noted = self.log.notes(id as usize);
        if is_noted && !matches!(entered, Entered::Dropped(_)) {
            self.note_packet(id, PacketEvent::Send, packet, now);
        }
        if let Some(fate) = entered.trouble() {
            self.note_trouble(id, fate, packet, now);
        }
        if matches!(entered, Entered::Lost { .. }) {
            // On a link that is free.
            self.lose_due(id, now);
        }
        if is_noted && self.log.traces_changes(id as usize) {
            let link = &self.links[id as usize];
            self.log.link(id, now, link.backlog(), link);
        }
    }

    /// Records the losses on the wire of an analytic link: of packets whose transmission has begun
    /// by `now`, which others than these have not since.
    #[cold]
    fn lose_due(&mut self, id: Source, now: Time) {
        // Rows of departures before this one do not have its loss.
        if let Some(before) = now.as_ps().checked_sub(1).map(Time::from_ps) {
            self.log.settle(id, before, &mut self.links[id as usize]);
        }
        loop {
            let Link::Analytic(link) = &mut self.links[id as usize] else { return };
            let Some(packet) = link.lose(now) else { return };
            self.note_trouble(id, Fate::LostOnWire, &packet, now);
        }
    }

    #[cold]
    fn note_packet(&mut self, id: Source, event: PacketEvent, packet: &Packet, now: Time) {
        if self.log.watches_link(id as usize) {
            self.log.packet(Point::Link, id, event, now, packet);
        }
    }

    /// Brings all queues up to `now`. What happens at `now` itself, happens if it comes before
    /// `end` in the order of the run.
    pub fn settle(&mut self, now: Time, end: Moment) {
        for (id, link) in (0..).zip(&mut self.links) {
            let at = if Moment::of(now, id, 0) < end {
                now
            } else {
                Time::from_ps(now.as_ps().saturating_sub(1))
            };
            self.log.settle(id, at, link);
            link.settle(at, |_, _| ());
        }
    }

    /// Begins the measured part of the run at links and in the record.
    pub fn begin_measuring(&mut self, now: Time) {
        self.settle(now, Moment::after(now));
        self.links.iter_mut().for_each(|link| link.reset_stats(now));
        self.tally.iter_mut().for_each(Tally::reset);
        self.log.reset();
    }

    fn enter_event_driven(&mut self, id: Source, packet: &Packet, now: Time) {
        let Link::EventDriven(link) = &mut self.links[id as usize] else { return };
        if link.arrive(packet, now, &mut self.hosts) && self.log.watches_link(id as usize) {
            self.log.packet(Point::Link, id, PacketEvent::Send, now, packet);
        }
        self.after_event_driven(id, now);
    }

    /// Records what happened at an event-driven link, and schedules its next event.
    fn after_event_driven(&mut self, id: Source, now: Time) {
        let Link::EventDriven(link) = &mut self.links[id as usize] else { return };
        let next = link.next_event();
        if next != self.schedule.due(id) {
            self.schedule.set(id, next);
        }
        self.take_troubles(id, now);
        if self.log.traces_changes(id as usize) {
            self.log.link(id, now, self.links[id as usize].backlog(), &self.links[id as usize]);
        }
    }

    /// Records the drops, losses and marks at an event-driven link.
    fn take_troubles(&mut self, id: Source, now: Time) {
        let Link::EventDriven(link) = &mut self.links[id as usize] else { return };
        if link.troubles().is_empty() {
            return;
        }
        let mut troubles = std::mem::take(link.troubles());
        for (fate, packet) in troubles.drain(..) {
            self.note_trouble(id, fate, &packet, now);
        }
        if let Link::EventDriven(link) = &mut self.links[id as usize] {
            *link.troubles() = troubles;
        }
    }

    fn lose(&mut self, cause: LossCause, packet: &Packet) {
        let step = self.step();
        self.tally[packet.flow as usize].lose(cause, packet, step);
        self.log.lose(packet.flow, step);
    }

    #[cold]
    fn note_trouble(&mut self, id: Source, fate: Fate, packet: &Packet, now: Time) {
        let event = match fate {
            Fate::Sent { .. } => PacketEvent::Mark,
            Fate::Dropped(DropReason::Forced) => PacketEvent::DropForced,
            Fate::Dropped(DropReason::Early) => PacketEvent::DropEarly,
            Fate::Dropped(DropReason::Policed) => PacketEvent::DropPoliced,
            Fate::LostOnWire => PacketEvent::DropWire,
            Fate::Duplicated => PacketEvent::Duplicate,
        };
        if packet.payload > 0 {
            match fate {
                Fate::Sent { .. } => self.tally[packet.flow as usize].marked_packets += 1,
                Fate::Duplicated => {}
                Fate::LostOnWire => self.lose(LossCause::Wire, packet),
                Fate::Dropped(DropReason::Forced) => self.lose(LossCause::Forced, packet),
                Fate::Dropped(DropReason::Early) => self.lose(LossCause::Early, packet),
                Fate::Dropped(DropReason::Policed) => self.lose(LossCause::Policed, packet),
            }
        }
        self.note_packet(id, event, packet, now);
    }
}

impl Wire for Network {
    fn send(&mut self, packet: &Packet, now: Time) {
        if let Some(moment) = self.moment {
            self.sent += 1;
            self.log.at(Step { moment, number: self.sent });
        }
        self.log.host(PacketEvent::Send, now, packet);
        let route = &self.routes[packet.flow as usize];
        let first = if packet.is_reverse { route.reverse } else { route.forward };
        match self.moment {
            Some(moment) => {
                let edge = self.transit.edge_of_hop[first as usize];
                self.transit.edges[edge as usize].push(Step { moment, number: self.sent }, packet);
            }
            None => self.enter(self.hops[first as usize], packet, now),
        }
    }

    fn why_lost(&mut self, flow: u32, connection: u32, data: Range<u64>) -> Answer {
        match self.step() {
            Some(step) => Answer::Later(step),
            None => Answer::Known(self.tally[flow as usize].why_lost(connection, data)),
        }
    }
}
