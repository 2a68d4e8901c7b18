//! Hosts that one link reaches last: each does everything that is known to reach it.

use ackclock_units::Time;

use super::super::Simulation;
use super::super::runaway::MOST_AT_INSTANT;
use super::Rounds;
use crate::event::{EventSource, Moment, Source};
use crate::net::transit::Feeder;

impl Simulation<'_> {
    /// Advances the hosts behind a link.
    pub(super) fn advance_hosts(&mut self, rounds: &mut Rounds, link: Source, limit: Moment) {
        let until = self.known(rounds, Feeder::Link(link)).min(limit);
        let at = link as usize;
        if rounds.graph.hosts[at].is_empty() || until <= rounds.hosts_done[at] {
            return;
        }
        let known = rounds.done;
        let hosts = &rounds.graph.hosts[at];
        for flow in &hosts.receivers {
            self.advance_receiver(*flow, link, until);
        }
        for flow in &hosts.senders {
            self.hear_causes(*flow, known);
            self.advance_sender(*flow, link, rounds.starts[*flow as usize], until);
        }
        for flow in &hosts.sinks {
            self.advance_sink(*flow, link, until);
        }
        for edge in &hosts.edges {
            self.network.transit.edges[*edge as usize].seal();
        }
        rounds.hosts_done[at] = until;
    }

    fn advance_receiver(&mut self, flow: u32, link: Source, until: Moment) {
        let at = flow as usize;
        let source = self.sources.number(EventSource::Receiver(flow));
        let mut instant = Instant::default();
        loop {
            let deadline = self.receivers[at].deadline();
            match self.network.transit.data[at].front().filter(|first| first.time <= deadline) {
                Some(first) => {
                    let moment = Moment::of(first.time, link, first.number);
                    if moment >= until {
                        return;
                    }
                    let packet = first.packet;
                    self.network.transit.data[at].drop_front();
                    self.network.at(moment);
                    if self.network.arrive(link, &packet, moment.time) {
                        self.receivers[at].on_packet(&packet, moment.time, &mut self.network);
                    }
                }
                None => {
                    let moment = Moment::of(deadline, source, 0);
                    if moment >= until {
                        return;
                    }
                    if instant.is_endless(deadline) {
                        self.stand_still(EventSource::Receiver(flow), deadline);
                        return;
                    }
                    self.network.at(moment);
                    self.receivers[at].on_timer(deadline, &mut self.network);
                }
            }
            self.events += 1;
            if self.sampling.changes {
                let delivered = self.receivers[at].delivered_in_all();
                self.sampler.delivered(flow, delivered, self.network.step());
            }
        }
    }

    fn advance_sender(&mut self, flow: u32, link: Source, start: Time, until: Moment) {
        let at = flow as usize;
        let source = self.sources.number(EventSource::Sender(flow));
        let mut instant = Instant::default();
        loop {
            let sender = &mut self.senders[at];
            let deadline = if sender.is_closed() { start } else { sender.deadline() };
            let now = match self.network.transit.acks[at].front() {
                Some(first) if first.time <= deadline => {
                    let moment = Moment::of(first.time, link, first.number);
                    if moment >= until {
                        return;
                    }
                    let packet = first.packet;
                    self.network.transit.acks[at].drop_front();
                    self.network.at(moment);
                    self.events += 1;
                    if !self.network.arrive(link, &packet, moment.time) {
                        continue;
                    }
                    sender.on_packet(&packet, moment.time, &mut self.network);
                    moment.time
                }
                _ => {
                    let moment = Moment::of(deadline, source, 0);
                    if moment >= until {
                        return;
                    }
                    if instant.is_endless(deadline) {
                        self.stand_still(EventSource::Sender(flow), deadline);
                        return;
                    }
                    self.events += 1;
                    self.network.at(moment);
                    sender.on_timer(deadline, &mut self.network);
                    deadline
                }
            };
            if self.senders[at].is_done() || self.sampling.changes {
                self.note_sender(flow, now);
            }
        }
    }

    fn advance_sink(&mut self, flow: u32, link: Source, until: Moment) {
        let at = flow as usize;
        while let Some(first) = self.network.transit.data[at].front() {
            let moment = Moment::of(first.time, link, first.number);
            if moment >= until {
                return;
            }
            let packet = first.packet;
            self.network.transit.data[at].drop_front();
            self.network.at(moment);
            if self.network.arrive(link, &packet, moment.time) {
                let stream = &mut self.streams[at - self.receivers.len()];
                stream.on_packet(&packet, moment.time, &mut self.datagrams);
            }
            self.events += 1;
        }
    }

    /// Tells a sender why data was lost, as far as links know.
    #[inline]
    pub(super) fn hear_causes(&mut self, flow: u32, known: Moment) {
        let sender = &mut self.senders[flow as usize];
        if sender.is_waiting_for_causes() {
            let tally = &mut self.network.tally[flow as usize];
            sender.hear_causes(known, |asked, connection, data| {
                tally.why_lost_by(asked, connection, data)
            });
        }
    }

    /// Tells all senders why data was lost, when all links have done everything before `known`.
    pub(super) fn hear_all_causes(&mut self, known: Moment) {
        for flow in 0..self.senders.len() {
            #[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds the flows")]
            self.hear_causes(flow as u32, known);
        }
    }
}

/// Counts the timer events of one host at one time.
#[derive(Default)]
struct Instant {
    at: Time,
    events: u64,
}

impl Instant {
    /// Whether the host will never come past this time.
    #[inline]
    fn is_endless(&mut self, now: Time) -> bool {
        if now == self.at {
            self.events += 1;
        } else {
            (self.at, self.events) = (now, 0);
        }
        self.events > MOST_AT_INSTANT
    }
}
