//! The network: what packets cross between two hosts.

pub mod hosts;
pub mod impairment;
pub mod link;
pub mod loss;
pub mod outage;
pub mod policer;
pub mod transmitter;

use std::collections::BTreeMap;
use std::ops::Range;

use ackclock_units::Time;

use crate::event::{Schedule, Source};
use crate::packet::Packet;
use crate::plan::Plan;
use crate::probe::{Log, PacketEvent, Point};
use crate::qdisc::DropReason;
use hosts::Hosts;
use link::{Fate, Link};

/// Where a transport puts its packets; the simulator's [`Network`], or a test's list.
pub trait Wire {
    /// Sends a packet from a host.
    fn send(&mut self, packet: &Packet, now: Time);

    /// Why the network lost data of a flow's connection; none: it did not, or does not tell. It tells once of each loss.
    fn why_lost(&mut self, _flow: u32, _connection: u32, _data: Range<u64>) -> Option<LossCause> {
        None
    }
}

/// Why the network lost a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LossCause {
    /// An impairment of the wire: lost, or damaged and discarded by the host.
    Wire,
    /// The queue was full.
    Forced,
    /// The queue's own decision.
    Early,
    /// The policer before the queue.
    Policed,
}

impl LossCause {
    /// How many there are.
    pub const COUNT: usize = 4;

    /// All of them.
    pub const ALL: [Self; Self::COUNT] = [Self::Wire, Self::Forced, Self::Early, Self::Policed];
}

/// What the network did to a flow's data packets, since the warm-up. Only a simulator knows it; the sender has to infer.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Data packets marked CE.
    pub marked_packets: u64,
    /// None before the first loss.
    losses: Option<Box<Losses>>,
}

/// Data packets of a flow that the network lost.
#[derive(Clone, Debug, Default)]
struct Losses {
    by_cause: [u64; LossCause::COUNT],
    /// The connection that lost last.
    connection: u32,
    /// Where the data begins that this connection lost latest, and why: the losses that nobody has asked for yet.
    latest: BTreeMap<u64, LossCause>,
}

impl Losses {
    /// How many of them are kept: more than most episodes repair, in 8 kB at most.
    const KEPT: usize = 256;
}

impl Tally {
    /// Data packets dropped, for whatever reason.
    #[must_use]
    pub fn lost_packets(&self) -> u64 {
        self.losses.as_ref().map_or(0, |losses| losses.by_cause.iter().sum())
    }

    /// Data packets lost, by [`LossCause`].
    #[must_use]
    pub fn lost_by_cause(&self) -> [u64; LossCause::COUNT] {
        self.losses.as_ref().map_or([0; LossCause::COUNT], |losses| losses.by_cause)
    }

    fn lose(&mut self, cause: LossCause, packet: &Packet) {
        let losses = self.losses.get_or_insert_default();
        losses.by_cause[cause as usize] += 1;
        if losses.connection != packet.connection {
            losses.connection = packet.connection;
            losses.latest.clear();
        }
        losses.latest.insert(packet.seq, cause);
        if losses.latest.len() > Losses::KEPT {
            losses.latest.pop_first();
        }
    }

    /// Why data within a range was lost.
    fn why_lost(&mut self, connection: u32, data: Range<u64>) -> Option<LossCause> {
        let losses = self.losses.as_mut().filter(|losses| losses.connection == connection)?;
        let (&seq, _) = losses.latest.range(data).next()?;
        losses.latest.remove(&seq)
    }
}

struct Route {
    forward: u32,
    reverse: u32,
    forward_hops: u8,
    reverse_hops: u8,
}

/// All links, the routes over them, and the schedule that they and the endpoints share.
pub struct Network {
    /// Every link; its index is its event source.
    pub links: Vec<Link>,
    /// What happens next.
    pub schedule: Schedule,
    /// Per flow.
    pub tally: Vec<Tally>,
    /// What is written down about packets and links.
    pub log: Log,
    hosts: Hosts,
    routes: Vec<Route>,
    hops: Vec<u32>,
}

impl Network {
    /// The plan's links and routes between hosts that take no time; `sources` counts links, endpoints and whatever else has events.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds flows, links and hops")]
    pub fn new(plan: &Plan, sources: usize) -> Self {
        let mut hops = Vec::new();
        let mut lay = |path: &[u32]| {
            let start = hops.len() as u32;
            hops.extend_from_slice(path);
            (start, path.len() as u8)
        };
        let flows = plan.flows.iter().map(|flow| (&flow.path[..], &flow.reverse_path[..]));
        let streams = plan.streams.iter().map(|stream| (&stream.path[..], &[][..]));
        let routes = flows
            .chain(streams)
            .map(|(path, reverse_path)| {
                let (forward, forward_hops) = lay(path);
                let (reverse, reverse_hops) = lay(reverse_path);
                Route {
                    forward,
                    reverse,
                    forward_hops,
                    reverse_hops,
                }
            })
            .collect();
        Self {
            links: plan.links.iter().map(|link| Link::new(link, plan.seed)).collect(),
            schedule: Schedule::new(plan.links.len(), sources),
            tally: vec![Tally::default(); plan.flows.len() + plan.streams.len()],
            log: Log::new(plan),
            hosts: Hosts::default(),
            routes,
            hops,
        }
    }

    /// The same with the plan's simulated hosts, of which real ones need none.
    #[must_use]
    pub fn with_hosts(self, plan: &Plan) -> Self {
        Self {
            hosts: Hosts::new(plan),
            ..self
        }
    }

    /// Something happens at a link; whether a packet reaches a host by it, which is then `packet`.
    ///
    /// The caller's packet, because one handed up would be copied at each return.
    #[inline]
    pub fn on_link_event(&mut self, link: Source, now: Time, packet: &mut Packet) -> bool {
        let index = link as usize;
        match &mut self.links[index] {
            Link::Computed(computed) => {
                if !computed.deliver(packet) {
                    return false;
                }
                self.schedule.set(link, computed.flight().next());
            }
            Link::Served(served) => {
                served.serve(now, &mut self.hosts);
                let is_delivered = served.deliver(now, packet);
                self.after_served(link, now);
                if !is_delivered {
                    return false;
                }
            }
        }
        self.pass_on(link, packet, now)
    }

    /// A packet has crossed a link; whether it is at its host.
    fn pass_on(&mut self, link: Source, packet: &mut Packet, now: Time) -> bool {
        if self.log.watches_link(link as usize) {
            self.log.packet(Point::Link, link, PacketEvent::Receive, now, packet);
        }
        packet.hop += 1;
        let route = &self.routes[packet.flow as usize];
        let (start, hops) = if packet.is_reverse {
            (route.reverse, route.reverse_hops)
        } else {
            (route.forward, route.forward_hops)
        };
        if packet.hop < hops {
            let next = self.hops[start as usize + usize::from(packet.hop)];
            self.enter(next, packet, now);
            return false;
        }
        if packet.is_corrupt {
            self.discard(packet, now);
            return false;
        }
        self.log.host(PacketEvent::Receive, now, packet);
        true
    }

    /// RFC 9293 section 3.1: a segment whose checksum is wrong is discarded.
    #[cold]
    fn discard(&mut self, packet: &Packet, now: Time) {
        if packet.payload > 0 {
            self.tally[packet.flow as usize].lose(LossCause::Wire, packet);
        }
        self.log.host(PacketEvent::Corrupt, now, packet);
    }

    fn enter(&mut self, id: Source, packet: &Packet, now: Time) {
        let index = id as usize;
        let is_noted = self.log.notes(index);
        if is_noted {
            self.log.settle(id, now, &mut self.links[index]);
        }
        let Link::Computed(link) = &mut self.links[index] else {
            self.enter_served(id, packet, now);
            return;
        };
        link.settle(now, |_, _| ());
        let head = link.flight().next();
        let fate = link.arrive(packet, now, &mut self.hosts);
        let next = link.flight().next();
        if next != head {
            self.schedule.set(id, next);
        }
        if fate != (Fate::Sent { marked: false }) {
            self.note_trouble(id, fate, packet, now);
        }
        if is_noted {
            self.note_entry(id, fate, packet, now);
        }
    }

    #[cold]
    fn note_entry(&mut self, id: Source, fate: Fate, packet: &Packet, now: Time) {
        let index = id as usize;
        if self.log.traces_changes(index) {
            self.log.link(id, now, self.links[index].backlog(), &self.links[index]);
        }
        if self.log.watches_link(index) && !matches!(fate, Fate::Dropped(_)) {
            self.log.packet(Point::Link, id, PacketEvent::Send, now, packet);
        }
    }

    fn enter_served(&mut self, id: Source, packet: &Packet, now: Time) {
        let Link::Served(link) = &mut self.links[id as usize] else { return };
        if link.arrive(packet, now, &mut self.hosts) && self.log.watches_link(id as usize) {
            self.log.packet(Point::Link, id, PacketEvent::Send, now, packet);
        }
        self.after_served(id, now);
    }

    /// Writes down what happened at a served link, and when something will next.
    fn after_served(&mut self, id: Source, now: Time) {
        let Link::Served(link) = &mut self.links[id as usize] else { return };
        let next = link.next_event();
        if next != self.schedule.due(id) {
            self.schedule.set(id, next);
        }
        if !link.troubles().is_empty() {
            let mut troubles = std::mem::take(link.troubles());
            for (fate, packet) in troubles.drain(..) {
                self.note_trouble(id, fate, &packet, now);
            }
            if let Link::Served(link) = &mut self.links[id as usize] {
                *link.troubles() = troubles;
            }
        }
        if self.log.traces_changes(id as usize) {
            self.log.link(id, now, self.links[id as usize].backlog(), &self.links[id as usize]);
        }
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
            let tally = &mut self.tally[packet.flow as usize];
            match fate {
                Fate::Sent { .. } => tally.marked_packets += 1,
                Fate::Duplicated => {}
                Fate::LostOnWire => tally.lose(LossCause::Wire, packet),
                Fate::Dropped(DropReason::Forced) => tally.lose(LossCause::Forced, packet),
                Fate::Dropped(DropReason::Early) => tally.lose(LossCause::Early, packet),
                Fate::Dropped(DropReason::Policed) => tally.lose(LossCause::Policed, packet),
            }
        }
        if self.log.watches_link(id as usize) {
            self.log.packet(Point::Link, id, event, now, packet);
        }
    }
}

impl Wire for Network {
    fn send(&mut self, packet: &Packet, now: Time) {
        self.log.host(PacketEvent::Send, now, packet);
        let route = &self.routes[packet.flow as usize];
        let first = if packet.is_reverse { route.reverse } else { route.forward };
        self.enter(self.hops[first as usize], packet, now);
    }

    fn why_lost(&mut self, flow: u32, connection: u32, data: Range<u64>) -> Option<LossCause> {
        self.tally[flow as usize].why_lost(connection, data)
    }
}
