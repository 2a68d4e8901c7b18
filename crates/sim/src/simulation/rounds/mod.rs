//! A run by rounds: each link and host does all that it has to do up to a moment, before the next
//! one has its turn.
//!
//! Links alone connect hosts, and a packet that enters a link at some time leaves it no earlier
//! than the link's horizon ([`crate::net::link::Link::horizon`]). So nothing that
//! a link or host does before the least horizon of the links before it depends on the future. A
//! round goes once around all links and hosts. It is about as long as a round trip, the time in
//! queues included.
//!
//! Links and hosts for which nothing is known to happen before some time are done up to that time
//! at once (`leap`). Rounds therefore cost something only where something happens.
//!
//! The order of packets at a link is that of the event loop ([`Moment`]), so that results are the
//! same to the byte. Rows of the record wait until all links and hosts have come past them.

mod coupled_flows;
mod end;
mod graph;
mod host_port;
mod hosts;
mod leap;
mod streams;
mod turn;

use ackclock_units::{Duration, Time};

use self::graph::Graph;
use self::streams::Queue;
use super::{Progress, Simulation};
use crate::event::{EventSource, Moment, Schedule, Source};
use crate::net::impairment::ImpairmentPlan;
use crate::net::link::LinkPlan;
use crate::net::transit::Feeder;
use crate::starts;
use crate::transport::sender::Sender;

/// Most events of a host in a round. Only timers that fire all the time reach it.
const MOST_IN_A_TURN: u64 = 1 << 17;
/// Events of a host in a round after which it may be interrupted, if the caller wants few.
const LEAST_IN_A_TURN: u64 = 64;
/// Hosts and links that can be found to have nothing to do in the time of an event.
const LOOKS_PER_EVENT: u64 = 64;

/// State of a run by rounds beside that of links and hosts.
pub(super) struct Rounds {
    graph: Graph,
    /// By link: everything before this moment has been done.
    links_done: Vec<Moment>,
    /// By link: before this moment, the hosts behind it have done everything.
    hosts_done: Vec<Moment>,
    /// By flow: when the receiver and the sender have something to do even if nothing reaches them.
    wakes: [Vec<Time>; 2],
    coupled_done: Moment,
    streams_done: Moment,
    streams: Queue,
    /// Whether nothing is recorded but samples at a period, and no link damages packets.
    is_plain: bool,
    /// By flow: time from its start to its first event; empty if all start at once.
    start_delays: Vec<Duration>,
    /// Flow that did not end the run soon when it was last looked at.
    witness: usize,
    /// The run does not end before this moment.
    no_end_before: Moment,
    /// The clock's next event; [`Time::MAX`]: none is left.
    clock: Time,
    /// Before this moment, everything had been done when the round began.
    done: Moment,
    /// Events of a host after which the next one has its turn.
    most_in_a_turn: u64,
    /// Events that take as long as a round in which nothing happens.
    cost: u64,
}

impl Simulation<'_> {
    /// Prepares the run for rounds, if it can be cut.
    pub(super) fn cut(&mut self) {
        if self.unfinished == 0 || !graph::can_be_cut(self.plan, &self.network) {
            return;
        }
        let graph = Graph::new(self.plan, &mut self.network);
        if graph.coupled.is_empty() {
            // Nobody goes by events.
            self.network.schedule = Schedule::new(0, 0);
        }
        let zero = Moment::before(Time::ZERO);
        let (flow_delays, session_delays) = starts::delays(self.plan);
        for flow in &graph.coupled {
            let deadline = self.senders[*flow as usize].deadline();
            let delay = flow_delays[*flow as usize];
            self.schedule_start(EventSource::Sender(*flow), deadline.saturating_add(delay));
        }
        for (index, delay) in (0..).zip(session_delays) {
            let deadline = self.sessions.running[index as usize].deadline();
            self.schedule_start(EventSource::Session(index), deadline.saturating_add(delay));
        }
        // A session's connection has a row at its close, also among samples at a period.
        let has_rows_of_senders =
            self.sampling.changes || (self.sampling.is_on() && !self.plan.sessions.is_empty());
        self.network.log.wait(has_rows_of_senders);
        self.network.at(zero);
        if has_rows_of_senders {
            self.sampler.wait(self.sampling.changes);
        }
        let links = self.network.links.len();
        let damages = |plan: &LinkPlan| {
            plan.impairments.iter().any(|plan| matches!(plan, ImpairmentPlan::Corrupt(_)))
        };
        let is_plain = self.network.log.later().is_none() && !self.plan.links.iter().any(damages);
        self.rounds = Some(Box::new(Rounds {
            links_done: vec![zero; links],
            hosts_done: graph
                .hosts
                .iter()
                .map(|hosts| if hosts.is_empty() { Moment::NEVER } else { zero })
                .collect(),
            wakes: [vec![Time::ZERO; self.receivers.len()], vec![Time::ZERO; self.senders.len()]],
            coupled_done: if graph.coupled.is_empty() { Moment::NEVER } else { zero },
            streams_done: if self.streams.is_empty() { Moment::NEVER } else { zero },
            streams: Queue::of(&self.streams),
            start_delays: if self.plan.draws_start_order { flow_delays } else { Vec::new() },
            is_plain,
            witness: 0,
            no_end_before: zero,
            clock: self.next_strike(),
            done: zero,
            most_in_a_turn: MOST_IN_A_TURN,
            cost: 1 + (links + self.senders.len()) as u64 / LOOKS_PER_EVENT,
            graph,
        }));
    }

    fn schedule_start(&mut self, source: EventSource, deadline: Time) {
        if deadline < Time::MAX {
            self.network.schedule.set(self.sources.number(source), deadline);
        }
    }

    /// Goes on by whole rounds until about `max_events` events have been handled. A round counts as
    /// events too, so that the caller gets its turn even if nothing happens.
    pub(super) fn advance_by_rounds(&mut self, max_events: u64) -> Progress {
        let Some(mut rounds) = self.rounds.take() else { return Progress::Finished };
        let mut left = max_events;
        let progress = loop {
            if self.fault.is_some() || self.stopped.is_some() {
                break Progress::Finished;
            }
            if left == 0 {
                break Progress::Running { now: self.now };
            }
            rounds.most_in_a_turn = left.clamp(LEAST_IN_A_TURN, MOST_IN_A_TURN);
            let before = self.events;
            self.one_round(&mut rounds);
            left = left.saturating_sub(self.events - before + rounds.cost);
        };
        self.rounds = Some(rounds);
        progress
    }

    fn one_round(&mut self, rounds: &mut Rounds) {
        let strikes = if rounds.clock == Time::MAX {
            Moment::after(self.end)
        } else {
            Moment::of(rounds.clock, self.sources.number(EventSource::Clock), 0)
        };
        let limit = if self.unfinished == 0 {
            self.last_finish.next()
        } else {
            self.earliest_end(rounds).min(strikes)
        };
        let before = self.events;
        self.advance_all(rounds, limit, strikes);
        if self.events == before {
            self.leap(rounds, limit);
        }
        let done = rounds.least_done();
        rounds.done = done;
        self.now = self.now.max(done.time.min(self.end));
        self.write_rows(done);
        self.fault = self.fault.take().or_else(|| self.overflow());
        if done < limit {
            return;
        }
        if self.unfinished == 0 {
            if limit == self.last_finish.next() {
                self.hear_all_causes(limit);
                self.end = self.last_finish.time;
                (self.now, self.stopped) = (self.end, Some(limit));
            }
            return;
        }
        if limit < strikes {
            // Nothing ends the run before the next event.
            let next = self.first_event(rounds).next();
            rounds.no_end_before = rounds.no_end_before.max(next);
            return;
        }
        self.hear_all_causes(limit);
        if rounds.clock == Time::MAX {
            (self.now, self.stopped) = (self.end, Some(limit));
            return;
        }
        self.events += 1;
        self.network.at(strikes);
        self.strike(rounds.clock);
        rounds.clock = if rounds.clock < self.end { self.next_strike() } else { Time::MAX };
    }

    /// Advances all links and hosts once, as far as is known what reaches them.
    fn advance_all(&mut self, rounds: &mut Rounds, limit: Moment, strikes: Moment) {
        self.advance_streams(rounds, limit);
        // Senders come first: if all that reaches them before the limit is known, one round is
        // enough.
        for at in 0..rounds.graph.before_senders.len() {
            self.advance_hosts(rounds, rounds.graph.before_senders[at], limit);
        }
        for at in 0..rounds.graph.order.len() {
            let link = rounds.graph.order[at];
            self.advance_link(rounds, link, limit);
            if rounds.graph.hosts[link as usize].senders.is_empty() {
                self.advance_hosts(rounds, link, limit);
            }
        }
        // The run cannot end before the last session does.
        let limit = if self.sessions.left > 0 { strikes } else { limit };
        self.advance_party(rounds, limit);
    }

    fn advance_link(&mut self, rounds: &mut Rounds, link: Source, limit: Moment) {
        let feeders = &rounds.graph.feeders[link as usize];
        let known = feeders.iter().map(|fed| self.known(rounds, fed.by)).min();
        let until = known.map_or(limit, |known| known.min(limit));
        if until > rounds.links_done[link as usize] {
            self.events += self.network.advance_link(link, feeders, until);
            rounds.links_done[link as usize] = until;
        }
    }

    /// The moment before which everything that a feeder sends is on its edges.
    fn known(&self, rounds: &Rounds, feeder: Feeder) -> Moment {
        match feeder {
            Feeder::Link(link) => {
                let done = rounds.links_done[link as usize].time;
                Moment::before(self.network.links[link as usize].horizon(done))
            }
            Feeder::Hosts(link) => rounds.hosts_done[link as usize],
            Feeder::Coupled => rounds.coupled_done,
            Feeder::Streams => rounds.streams_done,
        }
    }
}

impl Rounds {
    /// Time of a flow's first event, if the flow has not started; otherwise [`Time::MAX`].
    #[inline]
    fn start(&self, flow: u32, senders: &[Sender]) -> Time {
        let sender = &senders[flow as usize];
        if !sender.is_closed() {
            return Time::MAX;
        }
        let delay = self.start_delays.get(flow as usize).copied().unwrap_or(Duration::ZERO);
        sender.deadline().saturating_add(delay)
    }

    /// When a sender has something to do even if nothing reaches it.
    #[inline]
    fn next_of(&self, flow: u32, senders: &[Sender]) -> Time {
        let sender = &senders[flow as usize];
        if sender.is_closed() { self.start(flow, senders) } else { sender.deadline() }
    }

    /// The moment before which all links and hosts have done everything.
    fn least_done(&self) -> Moment {
        let hosts = self.hosts_done.iter().chain([&self.coupled_done, &self.streams_done]);
        self.links_done.iter().chain(hosts).copied().min().unwrap_or(Moment::NEVER)
    }
}
