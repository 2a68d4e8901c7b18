//! The network as a host sees it.

use std::ops::Range;

use ackclock_units::Time;

use crate::event::{Moment, Source, Step};
use crate::net::Network;
use crate::net::rounds::Left;
use crate::net::transit::{Edge, Inbox};
use crate::packet::Packet;
use crate::wire::{Answer, Wire};

/// The network as a host sees it, through which it knows what reaches it and when.
pub(super) trait HostPort: Wire {
    /// Packets that reach the host.
    fn inbox(&mut self) -> &mut Inbox;

    /// Everything from now on happens at `moment`.
    fn at(&mut self, moment: Moment);

    /// Takes a packet off its last link. False: the host discards it.
    fn accept(&mut self, packet: &Packet, now: Time) -> bool;
}

/// The port of a host of which nothing is recorded.
pub(super) struct Plain<'a> {
    pub inbox: &'a mut Inbox,
    pub edge: &'a mut Edge,
    pub step: Step,
    pub left: Left,
}

impl Wire for Plain<'_> {
    #[expect(clippy::inline_always, reason = "once per packet, whose fields are known")]
    #[inline(always)]
    fn send(&mut self, packet: &Packet, _now: Time) {
        self.step.number += 1;
        self.edge.push(self.step, packet);
    }

    fn why_lost(&mut self, _flow: u32, _connection: u32, _data: Range<u64>) -> Answer {
        Answer::Later(self.step)
    }
}

impl HostPort for Plain<'_> {
    #[inline]
    fn inbox(&mut self) -> &mut Inbox {
        self.inbox
    }

    #[inline]
    fn at(&mut self, moment: Moment) {
        self.step = Step::begins(moment);
    }

    #[inline]
    fn accept(&mut self, packet: &Packet, _now: Time) -> bool {
        self.left.count(packet.wire_size);
        true
    }
}

/// The port of a host that may be recorded.
pub(super) struct Recorded<'a> {
    pub network: &'a mut Network,
    pub link: Source,
    pub flow: u32,
    pub is_sender: bool,
}

impl Wire for Recorded<'_> {
    fn send(&mut self, packet: &Packet, now: Time) {
        self.network.send(packet, now);
    }

    fn why_lost(&mut self, flow: u32, connection: u32, data: Range<u64>) -> Answer {
        self.network.why_lost(flow, connection, data)
    }
}

impl HostPort for Recorded<'_> {
    fn inbox(&mut self) -> &mut Inbox {
        let transit = &mut self.network.transit;
        let inboxes = if self.is_sender { &mut transit.acks } else { &mut transit.data };
        &mut inboxes[self.flow as usize]
    }

    fn at(&mut self, moment: Moment) {
        self.network.at(moment);
    }

    fn accept(&mut self, packet: &Packet, now: Time) -> bool {
        self.network.arrive(self.link, packet, now)
    }
}
