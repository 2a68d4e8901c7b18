//! Hosts that one link reaches last: each has its turn when the link has had its own.

use ackclock_units::Time;

use super::super::Simulation;
use super::Rounds;
use super::host_port::{Plain, Recorded};
use super::turn::{Pause, Turn};
use crate::event::{EventSource, Moment, Source, Step};
use crate::net::rounds::Left;
use crate::net::transit::Feeder;

impl Simulation<'_> {
    /// Advances the hosts behind a link.
    pub(super) fn advance_hosts(&mut self, rounds: &mut Rounds, link: Source, limit: Moment) {
        let until = self.known(rounds, Feeder::Link(link)).min(limit);
        let at = link as usize;
        if rounds.graph.hosts[at].is_empty() || until <= rounds.hosts_done[at] {
            return;
        }
        let (mut left, mut done) = (Left::default(), until);
        let [mut receivers, mut senders] = std::mem::take(&mut rounds.wakes);
        let hosts = &rounds.graph.hosts[at];
        for flow in &hosts.receivers {
            let (at, inboxes) = (*flow as usize, &self.network.transit.data);
            // Most hosts rest in a round that is shorter than their round trip.
            if receivers[at] <= until.time || !inboxes[at].is_quiet_until(until.time) {
                done = done.min(self.advance_receiver(rounds, *flow, link, until, &mut left));
                receivers[at] = self.receivers[at].deadline();
            }
        }
        for flow in &hosts.senders {
            let (at, inboxes) = (*flow as usize, &self.network.transit.acks);
            if senders[at] <= until.time || !inboxes[at].is_quiet_until(until.time) {
                self.hear_causes(*flow, rounds.done);
                done = done.min(self.advance_sender(rounds, *flow, link, until, &mut left));
                senders[at] = rounds.next_of(*flow, &self.senders);
            }
        }
        for flow in &hosts.sinks {
            self.advance_sink(*flow, link, until);
        }
        rounds.wakes = [receivers, senders];
        let hosts = &rounds.graph.hosts[at];
        self.network.count_left(link, left);
        for edge in &hosts.edges {
            self.network.transit.seal(*edge);
        }
        rounds.hosts_done[at] = done;
    }

    /// The turn of a host whose first event is at `start`.
    #[inline]
    fn turn(
        &self,
        rounds: &Rounds,
        timer: EventSource,
        start: Time,
        link: Source,
        until: Moment,
    ) -> Turn {
        let (EventSource::Sender(flow) | EventSource::Receiver(flow)) = timer else {
            unreachable!("only hosts of flows have turns")
        };
        Turn {
            flow,
            link,
            timer: self.sources.number(timer),
            start,
            until,
            events: 0,
            most: rounds.most_in_a_turn,
            instant: Time::MAX,
            spins: 0,
        }
    }

    fn advance_receiver(
        &mut self,
        rounds: &Rounds,
        flow: u32,
        link: Source,
        until: Moment,
        left: &mut Left,
    ) -> Moment {
        let mut turn = self.turn(rounds, EventSource::Receiver(flow), Time::MAX, link, until);
        let at = flow as usize;
        let done = loop {
            let receiver = &mut self.receivers[at];
            let pause = if rounds.is_plain {
                let edge = self.network.first_edge(flow, true) as usize;
                let transit = &mut self.network.transit;
                let edge = &mut transit.edges[edge];
                let step = Step::begins(until);
                let inbox = &mut transit.data[at];
                let mut port = Plain { inbox, edge, step, left: Left::default() };
                let pause = turn.receive(receiver, false, &mut port);
                left.add(port.left);
                pause
            } else {
                let network = &mut self.network;
                let mut port = Recorded { network, link, flow, is_sender: false };
                turn.receive(receiver, self.sampling.changes, &mut port)
            };
            match pause {
                Ok(()) | Err(Pause::End) => break until,
                Err(Pause::Enough(moment)) => break moment,
                Err(Pause::StandStill(now)) => {
                    self.stand_still(EventSource::Receiver(flow), now);
                    break until;
                }
                Err(Pause::Change(_)) => {
                    let delivered = self.receivers[at].delivered_in_all();
                    self.sampler.delivered(flow, delivered, self.network.step());
                }
            }
        };
        self.network.transit.data[at].recycle();
        self.events += turn.events;
        done
    }

    fn advance_sender(
        &mut self,
        rounds: &Rounds,
        flow: u32,
        link: Source,
        until: Moment,
        left: &mut Left,
    ) -> Moment {
        let start = rounds.start(flow, &self.senders);
        let mut turn = self.turn(rounds, EventSource::Sender(flow), start, link, until);
        let at = flow as usize;
        let done = loop {
            let (sender, was_done) = (&mut self.senders[at], self.sampling.is_done[at]);
            let pause = if rounds.is_plain {
                let edge = self.network.first_edge(flow, false) as usize;
                let transit = &mut self.network.transit;
                let edge = &mut transit.edges[edge];
                let step = Step::begins(until);
                let inbox = &mut transit.acks[at];
                let mut port = Plain { inbox, edge, step, left: Left::default() };
                let pause = turn.send(sender, was_done, false, &mut port);
                left.add(port.left);
                self.network.moment = Some(port.step.moment);
                pause
            } else {
                let network = &mut self.network;
                let mut port = Recorded { network, link, flow, is_sender: true };
                turn.send(sender, was_done, self.sampling.changes, &mut port)
            };
            match pause {
                Ok(()) | Err(Pause::End) => break until,
                Err(Pause::Enough(moment)) => break moment,
                Err(Pause::StandStill(now)) => {
                    self.stand_still(EventSource::Sender(flow), now);
                    break until;
                }
                Err(Pause::Change(now)) => self.note_sender(flow, now),
            }
        };
        self.network.transit.acks[at].recycle();
        self.events += turn.events;
        done
    }

    fn advance_sink(&mut self, flow: u32, link: Source, until: Moment) {
        let at = flow as usize;
        while let Some((time, number)) = self.network.transit.data[at].front() {
            let moment = Moment::of(time, link, number);
            if moment >= until {
                break;
            }
            let Some((thin, extra)) = self.network.transit.data[at].take(flow) else { break };
            let packet = thin.packet(&extra.unwrap_or_default());
            self.network.at(moment);
            if self.network.arrive(link, &packet, moment.time) {
                let stream = &mut self.streams[at - self.receivers.len()];
                stream.on_packet(&packet, moment.time, &mut self.datagrams);
            }
            self.events += 1;
        }
        self.network.transit.data[at].recycle();
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
