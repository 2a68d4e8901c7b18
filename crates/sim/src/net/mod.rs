//! The network: what packets cross between two hosts.

pub mod link;
pub mod loss;

use ackclock_units::Time;

use crate::event::{Schedule, Source};
use crate::packet::Packet;
use crate::plan::Plan;
use crate::probe::{Log, PacketEvent, Point};
use crate::qdisc::DropReason;
use link::{Fate, Link};

/// Where a transport puts its packets; the simulator's [`Network`], or a test's list.
pub trait Wire {
    /// Sends a packet from a host.
    fn send(&mut self, packet: &Packet, now: Time);
}

/// What the network did to a flow's data packets, since the warm-up. Only a simulator knows it; the sender has to infer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Data packets dropped, for whatever reason.
    pub lost_packets: u64,
    /// Data packets marked CE.
    pub marked_packets: u64,
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
    routes: Vec<Route>,
    hops: Vec<u32>,
}

impl Network {
    /// The plan's links and routes; `sources` counts links, endpoints and whatever else has events.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds flows, links and hops")]
    pub fn new(plan: &Plan, sources: usize) -> Self {
        let mut hops = Vec::new();
        let mut lay = |path: &[u32]| {
            let start = hops.len() as u32;
            hops.extend_from_slice(path);
            (start, path.len() as u8)
        };
        let routes = plan
            .flows
            .iter()
            .map(|flow| {
                let (forward, forward_hops) = lay(&flow.path);
                let (reverse, reverse_hops) = lay(&flow.reverse_path);
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
            schedule: Schedule::new(sources),
            tally: vec![Tally::default(); plan.flows.len()],
            log: Log::new(plan),
            routes,
            hops,
        }
    }

    /// The head of a link's wire arrives; returned if that is at a host.
    pub fn on_link_event(&mut self, link: Source, now: Time) -> Option<Packet> {
        let index = link as usize;
        let mut packet = self.links[index].deliver()?;
        match self.links[index].next_delivery() {
            Some(next) => self.schedule.set(link, next),
            None => self.schedule.cancel(link),
        }
        if self.log.watches_link(index) {
            self.log.packet(Point::Link, link, PacketEvent::Receive, now, &packet);
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
            self.enter(next, &packet, now);
            return None;
        }
        self.log.host(PacketEvent::Receive, now, &packet);
        Some(packet)
    }

    fn enter(&mut self, id: Source, packet: &Packet, now: Time) {
        let index = id as usize;
        let link = &mut self.links[index];
        let log = &mut self.log;
        let traced = log.traces_changes(index);
        if traced {
            log.settle(id, now, link);
        } else {
            link.settle(now, |_, _| ());
        }
        let was_empty = link.next_delivery().is_none();
        let fate = link.arrive(packet, now);
        if was_empty && let Some(next) = link.next_delivery() {
            self.schedule.set(id, next);
        }
        if traced {
            log.link(id, now, self.links[index].backlog(), &self.links[index]);
        }
        if fate != (Fate::Sent { marked: false }) {
            self.note_trouble(id, fate, packet, now);
        }
        if self.log.watches_link(index) && !matches!(fate, Fate::Dropped(_)) {
            self.log.packet(Point::Link, id, PacketEvent::Send, now, packet);
        }
    }

    #[cold]
    fn note_trouble(&mut self, id: Source, fate: Fate, packet: &Packet, now: Time) {
        let event = match fate {
            Fate::Sent { .. } => PacketEvent::Mark,
            Fate::Dropped(DropReason::Forced) => PacketEvent::DropForced,
            Fate::Dropped(DropReason::Early) => PacketEvent::DropEarly,
            Fate::LostOnWire => PacketEvent::DropWire,
        };
        if packet.payload > 0 {
            let tally = &mut self.tally[packet.flow as usize];
            match event {
                PacketEvent::Mark => tally.marked_packets += 1,
                _ => tally.lost_packets += 1,
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
}
