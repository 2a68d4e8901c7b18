//! Links that take in a batch of packets, of which nothing is recorded.

use ackclock_units::Time;

use super::far_end::FarEnd;
use super::{Left, Network};
use crate::event::{Moment, Source, Step};
use crate::net::link::{Entered, Fate, Link};
use crate::net::transit::{Due, Edge};
use crate::packet::{Ecn, Extra};
use crate::qdisc::{DropReason, Held};

/// Fate of a packet that finds the queue of a plain link full.
const FULL: Fate = Fate::Dropped(DropReason::Forced);

impl Network {
    /// Takes in the packets of an edge that enter a link before `until`.
    pub(super) fn take_in_edge(&mut self, id: Source, edge: &mut Edge, until: Moment) -> Left {
        let mut due = edge.due(until);
        let packets = due.len();
        let bytes = match &self.links[id as usize] {
            Link::Analytic(link) if link.is_plain() => self.take_in_plain(id, &mut due),
            Link::Analytic(_) => self.take_in_analytic(id, &mut due, until),
            Link::EventDriven(_) => self.take_in_event_driven(id, &mut due, until),
        };
        edge.drop_first(packets);
        Left { packets: u32::try_from(packets).unwrap_or(u32::MAX), bytes }
    }

    /// An analytic link without a discipline but its limit. Returns the bytes that enter.
    fn take_in_plain(&mut self, id: Source, due: &mut Due) -> u64 {
        let mut bytes = 0;
        loop {
            let Self { links, hosts, transit, routes, .. } = self;
            let Link::Analytic(link) = &mut links[id as usize] else { return bytes };
            let mut far_end = FarEnd::of(id, transit, routes);
            let mut batch = link.batch();
            let dropped = loop {
                let Some(entry) = due.next() else { break None };
                let thin = &entry.thin;
                bytes += u64::from(thin.wire_size);
                let Some(at) = batch.enter(thin.wire_size, entry.moment.time) else {
                    break Some(entry);
                };
                let at = at + hosts.take(thin.flow, thin.is_reverse(), thin.hop());
                far_end.send_on(thin, || due.extra(entry), thin.ecn(), at);
            };
            drop((far_end, batch));
            let Some(entry) = dropped else { return bytes };
            (self.moment, self.sent) = (Some(entry.moment), entry.number);
            let packet = entry.thin.packet(&due.extra(entry));
            self.note_trouble(id, FULL, &packet, entry.moment.time);
        }
    }

    /// An analytic link with any discipline, which also loses packets by itself before `until`.
    /// Returns the bytes that enter.
    fn take_in_analytic(&mut self, id: Source, due: &mut Due, until: Moment) -> u64 {
        let mut bytes = 0;
        let mut next = due.next();
        loop {
            let Self { links, hosts, transit, routes, .. } = self;
            let Link::Analytic(link) = &mut links[id as usize] else { return bytes };
            let mut far_end = FarEnd::of(id, transit, routes);
            let trouble = loop {
                let Some(entry) = next else { break None };
                let (thin, now) = (&entry.thin, entry.moment.time);
                if link.loses_at() <= now {
                    break None;
                }
                next = due.next();
                bytes += u64::from(thin.wire_size);
                link.settle(now, |_, _| ());
                let entered = link.judge(thin.wire_size, thin.ecn(), thin.has_payload(), now);
                match entered {
                    Entered::Sent { arrives, marked } => {
                        let ecn = if marked { Ecn::Ce } else { thin.ecn() };
                        let at = arrives + hosts.take(thin.flow, thin.is_reverse(), thin.hop());
                        far_end.send_on(thin, || due.extra(entry), ecn, at);
                    }
                    Entered::Lost { start, marked } => {
                        link.doom(start, &thin.packet(&due.extra(entry)), marked);
                    }
                    Entered::Dropped(_) => (),
                }
                if !matches!(entered, Entered::Sent { marked: false, .. }) {
                    break Some((entered, entry));
                }
            };
            let loses_at = link.loses_at();
            drop(far_end);
            if let Some((entered, entry)) = trouble {
                (self.moment, self.sent) = (Some(entry.moment), entry.number);
                let packet = entry.thin.packet(&due.extra(entry));
                self.after_entry(id, entered, &packet, entry.moment.time);
                continue;
            }
            // As on an event-driven link, what may leave when a packet enters leaves before.
            let loses = Moment::of(loses_at, id, 0);
            match next {
                Some(entry) if entry.moment < loses => {
                    (self.moment, self.sent) = (Some(entry.moment), entry.number);
                    self.lose_due(id, entry.moment.time);
                }
                None if until <= loses => return bytes,
                _ => {
                    (self.moment, self.sent) = (Some(loses), 0);
                    self.lose_due(id, loses_at);
                }
            }
        }
    }

    /// An event-driven link, which also does what it does by itself before `until`. Returns the
    /// bytes that enter.
    fn take_in_event_driven(&mut self, id: Source, due: &mut Due, until: Moment) -> u64 {
        let mut bytes = 0;
        let (mut step, mut now) = (Step::begins(Moment::before(Time::ZERO)), Time::ZERO);
        let mut next = due.next();
        loop {
            let Self { links, hosts, transit, routes, .. } = self;
            let Link::EventDriven(link) = &mut links[id as usize] else { return bytes };
            let mut far_end = FarEnd::of(id, transit, routes);
            let is_over = loop {
                if let Some((held, deliver_at)) = link.next_sent(now) {
                    if link.is_impaired() {
                        link.launch(&held, deliver_at, hosts);
                        continue;
                    }
                    let thin = &held.packet;
                    let at = deliver_at + hosts.take(thin.flow, thin.is_reverse(), thin.hop());
                    let extra = || Extra::of(&link.rests().give_back(&held));
                    far_end.send_on(thin, extra, thin.ecn(), at);
                    continue;
                }
                if link.has_troubles() {
                    break false;
                }
                let serves = Moment::of(link.serve_at(), id, 0);
                if serves < next.map_or(until, |entry| entry.moment) {
                    (step, now) = (Step::begins(serves), serves.time);
                    continue;
                }
                let Some(entry) = next else { break true };
                (step, now) = (entry.step(), entry.moment.time);
                if link.serve_at() <= now {
                    // What may leave at that time leaves before.
                    continue;
                }
                let thin = entry.thin;
                bytes += u64::from(thin.wire_size);
                let (connection, rest) = if thin.has_extra() {
                    let packet = thin.packet(&due.extra(entry));
                    (packet.connection, link.rests().keep(&packet))
                } else {
                    (0, 0)
                };
                link.take_in(Held { packet: thin, arrived: now, connection, rest });
                next = due.next();
            };
            drop(far_end);
            if is_over {
                return bytes;
            }
            (self.moment, self.sent) = (Some(step.moment), step.number);
            self.take_troubles(id, now);
        }
    }
}
