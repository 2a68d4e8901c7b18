//! Silence: where nothing happens, time jumps to the next event.
//!
//! A round is as short as the least circle of links, 4 us in a data centre. A silence of a second
//! would be 250,000 rounds.

use super::super::Simulation;
use super::Rounds;
use crate::event::{EventSource, Moment};
use crate::net::link::Link;
use crate::net::transit::{Edge, Inbox};

impl Simulation<'_> {
    /// Takes all links and hosts to the next event of any of them, but not beyond `limit`.
    ///
    /// It looks at every flow and link, as a round does. So it follows a round in which nothing has
    /// happened, and no other.
    #[cold]
    pub(super) fn leap(&mut self, rounds: &mut Rounds, limit: Moment) {
        let to = self.first_event(rounds).min(limit);
        let links = rounds.links_done.iter_mut().zip(&rounds.graph.feeders);
        for (link, (done, feeders)) in (0..).zip(links) {
            if to > *done {
                *done = to;
                // An event-driven link passes on what arrives before its new horizon.
                self.network.advance_link(link, feeders, to);
            }
        }
        let hosts = rounds.hosts_done.iter_mut();
        for done in hosts.chain([&mut rounds.coupled_done, &mut rounds.streams_done]) {
            *done = to.max(*done);
        }
    }

    /// A moment before which nothing happens anywhere: when the first of all packets, timers and
    /// sessions is due. Every event has one of them as its first cause.
    pub(super) fn first_event(&self, rounds: &Rounds) -> Moment {
        let transit = &self.network.transit;
        let edges = transit.edges.iter().filter_map(Edge::front);
        let arrivals = self.plan.paths().enumerate().flat_map(|(flow, [path, back])| {
            let first = |inbox: Option<&Inbox>, path: &[u32]| {
                let ((time, number), link) = (inbox?.front()?, path.last()?);
                Some(Moment::of(time, *link, number))
            };
            [first(transit.data.get(flow), path), first(transit.acks.get(flow), back)]
        });
        let serves = (0..).zip(&self.network.links).map(|(id, link)| match link {
            Link::EventDriven(link) => {
                Moment::of(link.serve_at(), id, 0).min(Moment::before(link.flight().next()))
            }
            Link::Analytic(link) => Moment::of(link.acts_at(), id, 0),
        });
        let fires = |source, time| Moment::of(time, self.sources.number(source), 0);
        let senders = (0..).zip(&self.senders);
        let senders = senders
            .map(|(flow, _)| fires(EventSource::Sender(flow), rounds.next_of(flow, &self.senders)));
        let receivers = (0..).zip(&self.receivers);
        let receivers =
            receivers.map(|(flow, host)| fires(EventSource::Receiver(flow), host.deadline()));
        let timers = self.network.schedule.peek().map(|(time, by)| Moment::of(time, by, 0));
        let streams =
            rounds.streams.next().map(|(time, index, _)| fires(EventSource::Stream(index), time));
        edges
            .chain(arrivals.flatten())
            .chain(serves)
            .chain(senders)
            .chain(receivers)
            .chain(timers)
            .chain(streams)
            .min()
            .unwrap_or(Moment::NEVER)
    }
}
