//! The far end of a link, where packets go on to the next link or to their hosts.

use ackclock_units::Time;

use super::super::Route;
use crate::event::{Moment, Source, Step};
use crate::net::transit::{Edge, Inbox, Transit};
use crate::packet::{Ecn, Extra, Thin};

/// The far end of a link.
pub(super) struct FarEnd<'a> {
    link: Source,
    /// Number of the last packet, modulo 2^32.
    number: u32,
    /// The link is the last one of all flows that cross it.
    is_last: bool,
    routes: &'a [Route],
    numbers: &'a mut u32,
    edges: &'a mut [Edge],
    edge_of_hop: &'a [u32],
    data: &'a mut [Inbox],
    acks: &'a mut [Inbox],
}

impl<'a> FarEnd<'a> {
    #[inline]
    pub fn of(link: Source, transit: &'a mut Transit, routes: &'a [Route]) -> Self {
        let at = link as usize;
        Self {
            link,
            number: transit.numbers[at],
            is_last: transit.is_last[at],
            routes,
            numbers: &mut transit.numbers[at],
            edges: &mut transit.edges,
            edge_of_hop: &transit.edge_of_hop,
            data: &mut transit.data,
            acks: &mut transit.acks,
        }
    }

    /// A packet that reaches the far end at `time` goes on. Returns when it arrives, with its
    /// number.
    #[expect(clippy::inline_always, reason = "once per packet and link")]
    #[inline(always)]
    pub fn send_on(
        &mut self,
        thin: &Thin,
        extra: impl FnOnce() -> Extra,
        ecn: Ecn,
        time: Time,
    ) -> (Time, u64) {
        self.number = self.number.wrapping_add(1);
        let number = u64::from(self.number) * 256;
        if time == Time::MAX {
            // The packet is on its way for longer than the clock runs.
            return (time, number);
        }
        let (flow, passed) = (thin.flow as usize, thin.passed_on(ecn));
        if !self.is_last
            && let Some(hop) = self.routes[flow].hop(thin.is_reverse(), passed.hop())
        {
            let edge = &mut self.edges[self.edge_of_hop[hop] as usize];
            let moment = Moment::of(time, self.link, number);
            // After the rows of what the link does at that moment.
            edge.push_thin(Step { moment, number: 1 }, passed);
            if thin.has_extra() {
                edge.push_extra(&extra());
            }
            return (time, number);
        }
        let inboxes = if thin.is_reverse() { &mut *self.acks } else { &mut *self.data };
        inboxes[flow].push(time, number, passed, extra)
    }
}

impl Drop for FarEnd<'_> {
    #[inline]
    fn drop(&mut self) {
        *self.numbers = self.number;
    }
}
