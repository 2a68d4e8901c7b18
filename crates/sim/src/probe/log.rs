//! Events of packets and queues, written down while they happen because nobody could pull them later.

use ackclock_units::Time;

use super::{LinkColumns, PacketColumns};
use crate::net::link::Link;
use crate::packet::Packet;
use crate::plan::{Plan, SamplePlan};
use crate::qdisc::Backlog;

/// Where a packet was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Point {
    /// The sender's host.
    Sender = 0,
    /// The receiver's host.
    Receiver = 1,
    /// A link.
    Link = 2,
}

/// What happened to it there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum PacketEvent {
    /// Left the host, or was accepted by the link.
    Send = 0,
    /// Reached the host, or the link's far end.
    Receive = 1,
    /// Dropped at a limit.
    DropForced = 2,
    /// Dropped early by the discipline.
    DropEarly = 3,
    /// Lost on the wire.
    DropWire = 4,
    /// Accepted and marked CE.
    Mark = 5,
    /// Reached the host damaged, and was discarded.
    Corrupt = 6,
    /// Dropped by a policer.
    DropPoliced = 7,
    /// The wire made a copy.
    Duplicate = 8,
}

/// The record of packets and links.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Links whose series take a row at every change.
    traced: Vec<bool>,
    watched_links: Vec<bool>,
    watched_senders: Vec<bool>,
    watched_receivers: Vec<bool>,
    watches_hosts: bool,
    /// Whether any link's series or packets are.
    notes_links: bool,
    /// Scratch of [`Log::settle`].
    left: Vec<(Time, Backlog)>,
    /// Packet events.
    pub packets: PacketColumns,
    /// Series of links.
    pub links: LinkColumns,
}

fn marks(length: usize, indices: &[u32]) -> Vec<bool> {
    let mut marks = vec![false; length];
    for index in indices {
        marks[*index as usize] = true;
    }
    marks
}

impl Log {
    /// What the plan asks for.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let record = &plan.record;
        let traced = if matches!(record.samples, SamplePlan::Changes {}) {
            marks(plan.links.len(), &sampled_links(plan))
        } else {
            vec![false; plan.links.len()]
        };
        Self {
            traced,
            watched_links: marks(plan.links.len(), &record.packet_links),
            watched_senders: marks(plan.flows.len() + plan.streams.len(), &record.packet_senders),
            watched_receivers: marks(plan.flows.len() + plan.streams.len(), &record.packet_receivers),
            notes_links: matches!(record.samples, SamplePlan::Changes {}) || !record.packet_links.is_empty(),
            packets: PacketColumns::bounded(record.max_bytes),
            links: LinkColumns::bounded(record.max_bytes),
            watches_hosts: !record.packet_senders.is_empty() || !record.packet_receivers.is_empty(),
            ..Self::default()
        }
    }

    /// Whether anything of what enters the link is written down.
    #[must_use]
    #[inline]
    pub fn notes(&self, link: usize) -> bool {
        self.notes_links && (self.traced[link] || self.watched_links[link])
    }

    /// Whether the link's series take a row at every change.
    #[must_use]
    pub fn traces_changes(&self, link: usize) -> bool {
        self.traced[link]
    }

    /// Whether the link's packets are written down.
    #[must_use]
    #[inline]
    pub fn watches_link(&self, link: usize) -> bool {
        self.notes_links && self.watched_links[link]
    }

    /// A packet left or reached a host.
    #[inline]
    pub fn host(&mut self, event: PacketEvent, now: Time, packet: &Packet) {
        if self.watches_hosts {
            self.host_watched(event, now, packet);
        }
    }

    #[cold]
    fn host_watched(&mut self, event: PacketEvent, now: Time, packet: &Packet) {
        let at_sender = (event == PacketEvent::Send) != packet.is_reverse;
        let (point, watched) = if at_sender {
            (Point::Sender, &self.watched_senders)
        } else {
            (Point::Receiver, &self.watched_receivers)
        };
        if watched[packet.flow as usize] {
            self.packet(point, packet.flow, event, now, packet);
        }
    }

    /// Writes down a packet event.
    #[cold]
    pub fn packet(&mut self, point: Point, place: u32, event: PacketEvent, now: Time, packet: &Packet) {
        let c = &mut self.packets;
        if !c.has_room(now) {
            return;
        }
        c.time_ns.push(now.as_ps() / 1000);
        c.point.push(point as u8);
        c.place.push(place);
        c.event.push(event as u8);
        c.flow.push(packet.flow);
        c.connection.push(packet.connection);
        c.is_ack.push(u8::from(packet.is_reverse));
        c.seq.push(packet.seq);
        c.length.push(packet.payload);
        c.ack.push(packet.ack);
        c.wire_size.push(packet.wire_size);
        c.flags.push(packet.flags);
        c.ecn.push(packet.ecn as u8);
        c.window.push(packet.window);
        c.ts_val.push(packet.ts_val);
        c.ts_ecr.push(packet.ts_ecr);
        c.sack_count.push(packet.sack_count);
        let mut blocks = packet.sack_ranges();
        for pair in c.sacks.chunks_exact_mut(2) {
            let (start, end) = blocks.next().unwrap_or((0, 0));
            pair[0].push(start);
            pair[1].push(end);
        }
    }

    /// A row of a link's series: the link as it is, at `at` with this backlog.
    pub fn link(&mut self, id: u32, at: Time, backlog: Backlog, link: &Link) {
        if !self.links.has_room(at) {
            return;
        }
        let stats = link.stats();
        self.links.time.push(at.as_secs_f64());
        self.links.link.push(id);
        self.links.queue_packets.push(u32::try_from(backlog.packets).unwrap_or(u32::MAX));
        self.links.queue_bytes.push(backlog.bytes);
        self.links.queue_delay.push(link.queue_delay(at).as_secs_f64());
        self.links.red_average.push(link.average().unwrap_or(f64::NAN));
        self.links.dropped.push(stats.dropped());
        self.links.dropped_forced.push(stats.dropped_forced);
        self.links.dropped_early.push(stats.dropped_early);
        self.links.marked.push(stats.marked_packets);
        self.links.delivered_bytes.push(stats.delivered_bytes);
    }

    /// Settles a traced link with a row for each packet that has left its queue since.
    #[cold]
    pub fn settle(&mut self, id: u32, now: Time, link: &mut Link) {
        if !self.traces_changes(id as usize) {
            return;
        }
        let mut left = std::mem::take(&mut self.left);
        link.settle(now, |at, backlog| left.push((at, backlog)));
        for (at, backlog) in left.drain(..) {
            self.link(id, at, backlog, link);
        }
        self.left = left;
    }
}

/// The links whose series are kept.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds the number of links")]
pub fn sampled_links(plan: &Plan) -> Vec<u32> {
    match &plan.record.links {
        Some(links) => links.clone(),
        None => (0..plan.links.len())
            .filter(|i| plan.links[*i].rate_bps.is_some())
            .map(|i| i as u32)
            .collect(),
    }
}
