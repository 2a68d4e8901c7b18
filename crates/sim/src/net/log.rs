//! The record of packet events and queues, which must be written when they happen.

use ackclock_units::Time;

use super::later::Later;
use super::link::{Link, LinkPlan};
use crate::event::{Moment, Step};
use crate::packet::Packet;
use crate::qdisc::Backlog;
use crate::record::{
    LinkColumns, LinkSample, PacketColumns, PacketEvent, PacketSeen, Point, RecordPlan, SamplePlan,
};

/// The record of packets and links.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// By link: whether the series has a row for every change.
    traced: Vec<bool>,
    watched_links: Vec<bool>,
    watched_senders: Vec<bool>,
    watched_receivers: Vec<bool>,
    watches_hosts: bool,
    /// Whether the series or the packets of any link are recorded.
    notes_links: bool,
    /// Scratch space of [`Log::settle`].
    left: Vec<(Time, Backlog)>,
    /// In a run by rounds: rows that wait. Absent if nothing is recorded but samples at a period.
    later: Option<Box<Later>>,
    /// In a run by rounds with rows of flows that wait: losses by flow. Otherwise absent.
    losses: Option<Vec<(Step, u32)>>,
    /// Table of packet events.
    pub packets: PacketColumns,
    /// Time series of links.
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
    /// Makes the empty record of a network with `flows` flows and streams.
    #[must_use]
    pub fn new(record: &RecordPlan, links: &[LinkPlan], flows: usize) -> Self {
        let traced = if matches!(record.samples, SamplePlan::Changes {}) {
            marks(links.len(), &sampled_links(record, links))
        } else {
            vec![false; links.len()]
        };
        Self {
            traced,
            watched_links: marks(links.len(), &record.packet_links),
            watched_senders: marks(flows, &record.packet_senders),
            watched_receivers: marks(flows, &record.packet_receivers),
            notes_links: matches!(record.samples, SamplePlan::Changes {})
                || !record.packet_links.is_empty(),
            packets: PacketColumns::bounded(record.max_bytes),
            links: LinkColumns::bounded(record.max_bytes),
            watches_hosts: !record.packet_senders.is_empty() || !record.packet_receivers.is_empty(),
            ..Self::default()
        }
    }

    /// Whether rows are kept of single packets or changes.
    #[must_use]
    pub fn records_each_event(&self) -> bool {
        self.notes_links || self.watches_hosts
    }

    /// Keeps rows until [`Log::flush`], because links and hosts do not come to them in the order of
    /// time. `notes_losses`: each loss is noted.
    pub fn wait(&mut self, notes_losses: bool) {
        self.later = self.records_each_event().then(|| Box::new(Later::new(self.traced.len())));
        self.losses = notes_losses.then(Vec::new);
    }

    /// The rows that wait.
    pub fn later(&mut self) -> Option<&mut Later> {
        self.later.as_deref_mut()
    }

    /// Everything from now on happens at this step of a run by rounds.
    #[inline]
    pub fn at(&mut self, step: Step) {
        if let Some(later) = &mut self.later {
            later.at(step);
        }
    }

    /// Notes a loss of a flow.
    #[inline]
    pub fn lose(&mut self, flow: u32, step: Option<Step>) {
        if let (Some(losses), Some(step)) = (&mut self.losses, step) {
            losses.push((step, flow));
        }
    }

    /// The losses that were noted; [`Log::wait`] says whether any are.
    pub fn losses(&mut self) -> Option<&mut Vec<(Step, u32)>> {
        self.losses.as_mut()
    }

    /// Begins the measured part of the run.
    pub fn reset(&mut self) {
        if let Some(later) = &mut self.later {
            later.reset();
        }
    }

    /// Writes the rows before `until`.
    pub fn flush(&mut self, until: Moment) {
        if let Some(later) = &mut self.later {
            later.flush(until, &mut self.packets, &mut self.links);
        }
    }

    /// Whether packets that enter the link are recorded, in its series or as events.
    #[must_use]
    #[inline]
    pub fn notes(&self, link: usize) -> bool {
        self.notes_links && (self.traced[link] || self.watched_links[link])
    }

    /// Whether the link's series has a row for every change.
    #[must_use]
    pub fn traces_changes(&self, link: usize) -> bool {
        self.traced[link]
    }

    /// Whether the link's packet events are recorded.
    #[must_use]
    #[inline]
    pub fn watches_link(&self, link: usize) -> bool {
        self.notes_links && self.watched_links[link]
    }

    /// Records that a packet left or reached a host, if that host is watched.
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

    /// Records a packet event.
    #[cold]
    pub fn packet(
        &mut self,
        point: Point,
        place: u32,
        event: PacketEvent,
        now: Time,
        packet: &Packet,
    ) {
        if self.later.is_none() && !self.packets.has_room(now) {
            return;
        }
        let mut blocks = packet.sack_ranges();
        let [sack0, sack1, sack2] = [(); 3].map(|()| blocks.next().unwrap_or((0, 0)));
        let row = PacketSeen {
            time_ns: now.as_ps() / 1000,
            point: point as u8,
            place,
            event: event as u8,
            flow: packet.flow,
            connection: packet.connection,
            is_ack: u8::from(packet.is_reverse),
            seq: packet.seq,
            length: packet.payload,
            ack: packet.ack,
            wire_size: packet.wire_size,
            flags: packet.flags,
            ecn: packet.ecn as u8,
            window: packet.window,
            ts_val: packet.ts_val,
            ts_ecr: packet.ts_ecr,
            sack_count: packet.sack_count,
            sack0_start: sack0.0,
            sack0_end: sack0.1,
            sack1_start: sack1.0,
            sack1_end: sack1.1,
            sack2_start: sack2.0,
            sack2_end: sack2.1,
        };
        match &mut self.later {
            Some(later) => later.packet(now, row),
            None => self.packets.push(row),
        }
    }

    /// Records a row of a link's series: its present counters, with the backlog of time `at`.
    pub fn link(&mut self, id: u32, at: Time, backlog: Backlog, link: &Link) {
        let stats = link.stats();
        let row = LinkSample {
            time: at.as_secs_f64(),
            link: id,
            queue_packets: u32::try_from(backlog.packets).unwrap_or(u32::MAX),
            queue_bytes: backlog.bytes,
            queue_delay: link.queue_delay(at).as_secs_f64(),
            dropped: stats.dropped(),
            dropped_forced: stats.dropped_forced,
            dropped_early: stats.dropped_early,
            marked: stats.marked_packets,
            delivered_bytes: stats.delivered_bytes,
            red_average: link.average().unwrap_or(f64::NAN),
        };
        match &mut self.later {
            Some(later) if self.traced[id as usize] => later.link(at, row),
            _ if self.links.has_room(at) => self.links.push(row),
            _ => (),
        }
    }

    /// Settles a traced link, with a row for each packet that has left its queue since the last
    /// call.
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

/// Indices of the links whose series are kept.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds the number of links")]
pub fn sampled_links(record: &RecordPlan, links: &[LinkPlan]) -> Vec<u32> {
    record.links.clone().unwrap_or_else(|| {
        (0..links.len()).filter(|at| links[*at].rate_bps.is_some()).map(|at| at as u32).collect()
    })
}
