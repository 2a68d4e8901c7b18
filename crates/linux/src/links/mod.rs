//! The kernel's own links as the network between hosts: veth pairs with queueing disciplines, which
//! `tc` made by the scenario's translation. Nothing here touches a packet on its way.
//!
//! What the results say of flows and delays is read from the packets themselves, which a passive
//! socket shows as they enter the network, leave a queue and reach the end of a link. What they say
//! of queues, of the causes of drops and of marks are the disciplines' own statistics.

mod books;
mod build;
mod inside;
mod tap;
mod tc;

use std::collections::{BTreeMap, VecDeque};
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicU64, Ordering};

use ackclock_sim::app::AppPlan;
use ackclock_sim::net::{Log, sampled_links};
use ackclock_sim::packet::{Ecn, Packet};
use ackclock_sim::plan::Plan;
use ackclock_sim::record::{FlowColumns, LinkColumns, PacketEvent, SamplePlan};
use ackclock_sim::udp::DatagramColumns;
use ackclock_sim::wire::LossCause;
use ackclock_units::{Duration, Time};
use nix::sys::epoll::EpollTimeout;

use crate::clock::Clock;
use crate::emulator::{EmulatorError, Owner, Punctuality, StreamEnds, Watch, owner};
use crate::endpoint::{EndpointOutput, Ends};
use crate::error::LinuxError;
use crate::frame::{self, Header};
use crate::lab::priority::{self, Role, Scheduling};
use crate::lab::{HostPair, Lab, LabError, Ring};
use crate::plan::LinuxPlan;
use crate::seen::{Seen, Tally};
use crate::shared::Shared;
use crate::together::{sleep, sleep_until_start, wait};
use books::{Book, Causes, Loss};
use inside::{Inside, Line};
use tap::Place;
use tc::{Statistics, Tc};

/// Longest time between two looks at the packets: the ring holds those of 0.1 s at 1 Gbit/s.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// After the end the network drains until nothing has been seen for so long and the longest way.
const QUIET: Duration = Duration::from_secs(2);

/// Makes the hosts, and the links of the plan between them.
///
/// # Errors
///
/// If the kernel lacks something for it.
pub fn lab(plan: &LinuxPlan) -> Result<Lab, LabError> {
    let lab = Lab::with(&plan.hosts, |_| tap::ring())?;
    build::build(plan, &lab, tc::find()?)?;
    Ok(lab)
}

/// A flow's counters at the moment of a sample.
#[derive(Clone, Copy, Debug)]
struct Moment {
    rtt: Option<Duration>,
    delivered: u64,
    sent: u64,
    retransmitted: u64,
}

/// Follows the packets through the links.
pub struct Observer<'a> {
    plan: &'a LinuxPlan,
    ring: &'a mut Ring,
    clock: Clock,
    shared: &'a Shared,
    tc: Option<Tc>,
    /// By flow or stream and direction: the links of its way that are more than a name.
    ways: Vec<Vec<u32>>,
    /// By link, then by flow or stream and direction: packets before the queue has let them go.
    waiting: Vec<Vec<Line>>,
    /// By link, then by flow or stream and direction: packets on the wire.
    flying: Vec<Vec<Line>>,
    books: Vec<Book>,
    losses: Vec<Loss>,
    marked: Vec<u64>,
    watches: Vec<Watch>,
    streams: StreamEnds,
    datagrams: DatagramColumns,
    log: Log,
    /// By moment of a sample, then by flow.
    moments: Vec<Vec<Moment>>,
    link_samples: LinkColumns,
    sampled: Vec<u32>,
    every: Option<Duration>,
    next_sample: Time,
    warmup: Time,
    measured_from: Time,
    /// Commands of `tc` that are still to come, with their times.
    changes: VecDeque<(Time, String)>,
    /// Statistics at the end of the run.
    last: BTreeMap<String, Statistics>,
    end: Time,
    unfinished: Option<usize>,
    events: u64,
    scheduling: Scheduling,
}

impl<'a> Observer<'a> {
    /// An observer of the empty network.
    ///
    /// # Errors
    ///
    /// If the sockets of streams cannot be used, or `tc` does not start.
    pub fn new(
        plan: &'a LinuxPlan,
        lab: &'a mut Lab,
        clock: Clock,
        shared: &'a Shared,
    ) -> Result<Self, EmulatorError> {
        let Lab { pairs, ring, .. } = lab;
        let pairs: &[HostPair] = pairs;
        let streams = StreamEnds::new(plan, pairs)?;
        let Plan { links, flows, record, .. } = &plan.plan;
        let is_real = |link: &&u32| !plan.links[**link as usize].setup.is_empty();
        let ways: Vec<Vec<u32>> = plan
            .plan
            .paths()
            .flatten()
            .map(|path| path.iter().filter(is_real).copied().collect())
            .collect();
        let lines = vec![vec![Line::default(); ways.len()]; links.len()];
        let every = match record.samples {
            SamplePlan::Period { period_ps } => Some(Duration::from_ps(period_ps.max(1))),
            SamplePlan::Off | SamplePlan::Changes {} => None,
        };
        // As in the simulator, a flow of a session finishes with its session.
        let of_sessions = flows.iter().filter(|flow| flow.app == (AppPlan::Session {})).count();
        let has_end = plan.plan.streams.is_empty() && !flows.is_empty();
        Ok(Self {
            ring,
            clock,
            shared,
            tc: Some(Tc::start(tc::find()?)?),
            marked: vec![0; ways.len()],
            ways,
            waiting: lines.clone(),
            flying: lines,
            books: links.iter().map(Book::new).collect(),
            losses: Vec::new(),
            watches: (0..)
                .zip(flows)
                .map(|(index, flow)| Watch::new(index, flow.priority))
                .collect(),
            streams,
            datagrams: DatagramColumns::bounded(record.max_bytes),
            log: Log::new(record, links, flows.len() + plan.plan.streams.len()),
            moments: Vec::new(),
            link_samples: LinkColumns::bounded(record.max_bytes),
            sampled: sampled_links(record, links),
            every,
            next_sample: if every.is_some() { Time::ZERO } else { Time::MAX },
            warmup: if plan.plan.warmup_ps > 0 {
                Time::from_ps(plan.plan.warmup_ps)
            } else {
                Time::MAX
            },
            measured_from: Time::ZERO,
            changes: changes(plan),
            last: BTreeMap::new(),
            end: Time::from_ps(plan.plan.duration_ps),
            unfinished: has_end.then_some(flows.len() - of_sessions),
            events: 0,
            scheduling: Scheduling::Ordinary,
            plan,
        })
    }

    /// Runs hosts and network to the end of the plan, until all flows have finished, or until the
    /// run is stopped. `at` has the present time, ps. One thread does it all, because the kernel
    /// has one processor.
    ///
    /// # Errors
    ///
    /// If a command of `tc` or a system call fails.
    pub fn run(
        mut self,
        mut ends: Ends,
        at: &AtomicU64,
    ) -> Result<(Seen, EndpointOutput), LinuxError> {
        self.scheduling = priority::take(Role::Endpoint);
        sleep_until_start(self.clock);
        let mut deadline = Time::ZERO;
        let mut due = Time::ZERO;
        while !self.shared.stop.load(Ordering::Relaxed) {
            let now = self.clock.now();
            if deadline <= now {
                ends.senders.on_time(now)?;
                deadline = ends.senders.deadline();
            }
            if due <= now {
                match self.turn(now)? {
                    Some(next) => due = next,
                    None => break,
                }
                at.store(now.as_ps(), Ordering::Relaxed);
            }
            let [has_sent, has_read] =
                wait([ends.senders.as_fd(), ends.receivers.as_fd()], due.min(deadline).since(now))?;
            if has_read {
                ends.receivers.on_sockets(EpollTimeout::ZERO)?;
            }
            if has_sent {
                ends.senders.on_sockets(EpollTimeout::ZERO)?;
                deadline = ends.senders.deadline();
            }
        }
        self.streams.settle();
        self.last = self.tc()?.statistics()?;
        let mut endpoints = ends.finish(self.scheduling);
        let seen = self.finish(&mut endpoints.flow_samples)?;
        Ok((seen, endpoints))
    }

    /// Does all that is due, and returns the time of the next turn; `None`: the run has ended.
    fn turn(&mut self, now: Time) -> Result<Option<Time>, EmulatorError> {
        while self.changes.front().is_some_and(|(due, _)| *due <= now) {
            if let Some((_, command)) = self.changes.pop_front() {
                self.tc()?.change(&command)?;
            }
        }
        for stream in 0..self.streams.len() {
            self.streams.on_timer(stream, now, &mut self.datagrams)?;
        }
        self.drain()?;
        self.pass(now)?;
        for flow in 0..self.watches.len() {
            self.note_end(flow, now);
        }
        if self.has_finished() {
            self.end = self.last_end(now);
            return Ok(None);
        }
        if now >= self.end {
            return Ok(None);
        }
        let moments = [now + LOOK_EVERY, self.next_sample, self.warmup, self.end];
        let change = self.changes.front().map(|(at, _)| *at);
        Ok(self.streams.deadlines().chain(change).chain(moments).min())
    }

    fn tc(&mut self) -> Result<&mut Tc, LabError> {
        self.tc.as_mut().ok_or_else(|| LabError("`tc` has ended".into()))
    }

    fn has_finished(&self) -> bool {
        self.unfinished == Some(0) && self.shared.sessions.load(Ordering::Acquire) == 0
    }

    /// When the last flow finished, of flows that all have finished.
    fn last_end(&self, now: Time) -> Time {
        if !self.plan.plan.sessions.is_empty() {
            return now;
        }
        let ends = self.shared.flows.iter().map(|flow| flow.finished_ps.load(Ordering::Relaxed));
        ends.max().map_or(now, Time::from_ps)
    }

    fn drain(&mut self) -> Result<(), EmulatorError> {
        let mut seen = Vec::new();
        let clock = self.clock;
        self.ring.drain(|arrival| {
            let header = frame::read_start(arrival.frame);
            if let (Some(place), Some(header)) = (Place::of(&arrival), header) {
                let id = frame::identification(arrival.frame);
                seen.push((clock.at(arrival.stamp_ns), place, header, id));
            }
        });
        for (at, place, header, id) in seen {
            // What happens at a moment belongs to the time before it.
            self.pass(Time::from_ps(at.as_ps().saturating_sub(1)))?;
            self.on_packet(at, place, &header, id);
        }
        Ok(())
    }

    /// Comes to the moments up to `now`.
    fn pass(&mut self, now: Time) -> Result<(), EmulatorError> {
        while self.warmup.min(self.next_sample) <= now.min(self.end) {
            let statistics = self.tc()?.statistics()?;
            if self.warmup <= self.next_sample {
                self.begin_measuring(&statistics);
            } else {
                self.sample(&statistics);
            }
        }
        Ok(())
    }

    fn begin_measuring(&mut self, statistics: &BTreeMap<String, Statistics>) {
        self.measured_from = std::mem::replace(&mut self.warmup, Time::MAX);
        for (link, book) in self.books.iter_mut().enumerate() {
            book.begin_measuring(self.measured_from, of_link(statistics, link));
        }
        self.watches.iter_mut().for_each(Watch::reset_stats);
        self.streams.reset_stats();
        self.marked.fill(0);
    }

    fn sample(&mut self, statistics: &BTreeMap<String, Statistics>) {
        let now = self.next_sample;
        self.next_sample = self.every.map_or(Time::MAX, |every| now + every);
        let moment = |watch: &Watch| Moment {
            rtt: watch.rtt_latest,
            delivered: watch.delivered(),
            sent: watch.sender.sent_packets,
            retransmitted: watch.sender.retransmitted_packets,
        };
        self.moments.push(self.watches.iter().map(moment).collect());
        for &link in &self.sampled {
            if !self.link_samples.has_room(now) {
                break;
            }
            let on_wire = self.lost_on_wire(link as usize, now);
            let of_link = of_link(statistics, link as usize);
            self.link_samples.push(self.books[link as usize].sample(link, now, &of_link, on_wire));
        }
    }

    /// Packets lost on a link's wire from the warm-up to `until`, as far as it is known now.
    fn lost_on_wire(&self, link: usize, until: Time) -> u64 {
        let is_there = |loss: &&Loss| {
            loss.link == link
                && loss.is_on_wire
                && self.measured_from <= loss.at
                && loss.at <= until
        };
        self.losses.iter().filter(is_there).count() as u64
    }

    fn on_packet(&mut self, at: Time, place: Place, header: &Header, id: u16) {
        let flows = self.watches.len();
        let Some(owner) = owner(header, flows, self.streams.len()) else { return };
        let way = match owner {
            Owner::Flow { index, is_reverse } => 2 * index + usize::from(is_reverse),
            Owner::Stream(index) => 2 * (flows + index),
        };
        self.events += 1;
        match place {
            Place::Host if at <= self.end => {
                let packet = match (owner, &header.tcp) {
                    (Owner::Flow { index, is_reverse }, Some(tcp)) => {
                        Some(self.watches[index].sent(header, tcp, is_reverse, at))
                    }
                    (Owner::Stream(index), _) => self.streams.take_sent(index),
                    (Owner::Flow { .. }, None) => None,
                };
                if let Some(packet) = packet {
                    self.log.host(PacketEvent::Send, at, &packet);
                    self.arrive(way, Inside { id, packet, since: at });
                }
            }
            // What enters after the end is part of no result.
            Place::Host => {}
            Place::Queue(link) => self.leave(way, link, id, at),
            Place::End(link) => self.reach(way, link, id, header.ecn, at),
        }
    }

    /// A packet comes to the next link of its way, or to its host.
    fn arrive(&mut self, way: usize, inside: Inside) {
        let Some(&link) = self.ways[way].get(usize::from(inside.packet.hop)) else {
            return self.deliver(way, &inside.packet, inside.since);
        };
        let link = link as usize;
        if inside.since <= self.end {
            self.books[link].arrives();
        }
        if self.plan.links[link].setup.iter().flatten().any(|word| word == "DEVICE") {
            self.waiting[link][way].push(inside);
        } else {
            self.books[link].leaves(inside.packet.wire_size, inside.since, inside.since);
            self.flying[link][way].push(inside);
        }
    }

    /// A packet leaves a queue: those of its flow before it were dropped there.
    fn leave(&mut self, way: usize, link: usize, id: u16, now: Time) {
        let drops_at_departure = self.plan.links[link].drops_at_departure;
        let losses = &mut self.losses;
        let lost = |inside: Inside| {
            let at = if drops_at_departure { now } else { inside.since };
            losses.push(Loss { at, link, is_on_wire: false, packet: inside.packet });
        };
        let Some(inside) = self.waiting[link][way].take(id, true, lost) else { return };
        if now <= self.end {
            self.books[link].leaves(inside.packet.wire_size, inside.since, now);
        }
        self.flying[link][way].push(Inside { since: now, ..inside });
    }

    /// A packet reaches the end of a link.
    fn reach(&mut self, way: usize, link: usize, id: u16, ecn: Ecn, now: Time) {
        let keeps_order = !self.plan.links[link].reorders;
        let losses = &mut self.losses;
        let lost = |inside: Inside| {
            losses.push(Loss { at: inside.since, link, is_on_wire: true, packet: inside.packet });
        };
        let Some(inside) = self.flying[link][way].take(id, keeps_order, lost) else { return };
        let packet = Packet { ecn, hop: inside.packet.hop + 1, ..inside.packet };
        if now <= self.end {
            self.books[link].delivers(packet.wire_size);
            let is_data = !packet.is_reverse && packet.payload > 0;
            let is_marked = ecn == Ecn::Ce && inside.packet.ecn != Ecn::Ce;
            self.marked[way] += u64::from(is_data && is_marked);
        }
        self.arrive(way, Inside { id, packet, since: now });
    }

    fn deliver(&mut self, way: usize, packet: &Packet, now: Time) {
        if now > self.end {
            return;
        }
        self.log.host(PacketEvent::Receive, now, packet);
        let index = way / 2;
        let Some(watch) = self.watches.get_mut(index) else {
            let stream = index - self.watches.len();
            return self.streams.on_packet(stream, packet, now, &mut self.datagrams);
        };
        watch.handed_over(packet, now);
        if packet.is_reverse {
            self.note_end(index, now);
        }
    }

    /// Notes the end of a flow if all data that its application will ever write is acknowledged.
    fn note_end(&mut self, flow: usize, now: Time) {
        let shared = &self.shared.flows[flow];
        let closes_at = shared.closes_at.load(Ordering::Acquire);
        if closes_at == u64::MAX
            || self.watches[flow].acked() < closes_at
            || shared.finished_ps.load(Ordering::Relaxed) != u64::MAX
        {
            return;
        }
        let at = self.watches[flow].acked_at.unwrap_or(now);
        shared.finished_ps.store(at.as_ps(), Ordering::Release);
        if let Some(unfinished) = &mut self.unfinished {
            *unfinished = unfinished.saturating_sub(1);
        }
    }

    /// Lets the network drain, when its hosts are silent, and says what was seen. `samples` get the
    /// columns that only the network knows.
    ///
    /// # Errors
    ///
    /// If a command of `tc` had failed.
    fn finish(mut self, samples: &mut FlowColumns) -> Result<Seen, EmulatorError> {
        let plan = &self.plan.plan;
        let longest = plan.links.iter().map(|link| Duration::from_ps(link.delay_ps)).max();
        let quiet = QUIET + longest.unwrap_or(Duration::ZERO).saturating_mul(2);
        let mut quiet_since = self.clock.now();
        let is_left = |lines: &[Vec<Line>]| lines.iter().flatten().any(|line| !line.is_empty());
        while is_left(&self.waiting) || is_left(&self.flying) {
            let before = self.events;
            self.drain()?;
            let now = self.clock.now();
            if self.events > before {
                quiet_since = now;
            } else if now.since(quiet_since) > quiet {
                break;
            }
            sleep(LOOK_EVERY.saturating_mul(5));
        }
        self.lose_the_rest();
        if let Some(tc) = self.tc.take() {
            tc.finish()?;
        }
        self.losses.retain(|loss| loss.at <= self.end);
        self.losses.sort_by_key(|loss| loss.at);
        self.complete(samples);
        Ok(self.seen())
    }

    /// Packets that neither a queue nor a wire has given out are lost.
    fn lose_the_rest(&mut self) {
        let places = [(&mut self.waiting, false), (&mut self.flying, true)];
        for (place, is_on_wire) in places {
            for (link, line) in place
                .iter_mut()
                .enumerate()
                .flat_map(|(link, lines)| lines.iter_mut().map(move |line| (link, line)))
            {
                let loss =
                    |Inside { packet, since, .. }| Loss { at: since, link, is_on_wire, packet };
                self.losses.extend(line.clear().map(loss));
            }
        }
    }

    /// Fills the columns of flows' samples that only the network knows.
    fn complete(&self, samples: &mut FlowColumns) {
        let Some(every) = self.every else { return };
        let lost: Vec<Vec<Time>> = (0..self.watches.len())
            .map(|flow| {
                let data = self.losses.iter().filter(|loss| is_data_of(loss, flow));
                data.map(|loss| loss.at).collect()
            })
            .collect();
        for row in 0..samples.time.len() {
            let flow = samples.flow[row] as usize;
            let at = Duration::from_secs_f64(samples.time[row]);
            // Times are whole ps; the nearest moment at or before.
            let number = (at.as_ps() + 1) / every.as_ps();
            let number = usize::try_from(number)
                .unwrap_or(usize::MAX)
                .min(self.moments.len().wrapping_sub(1));
            let Some(moment) = self.moments.get(number).map(|moments| moments[flow]) else {
                continue;
            };
            let time = Time::ZERO + every.saturating_mul(number as u64);
            let from = if time >= self.measured_from { self.measured_from } else { Time::ZERO };
            samples.rtt_sample[row] = moment.rtt.map_or(f64::NAN, Duration::as_secs_f64);
            samples.delivered[row] = moment.delivered;
            samples.sent[row] = moment.sent;
            samples.retransmitted[row] = moment.retransmitted;
            let before = |until: Time| lost[flow].partition_point(|at| *at <= until) as u64;
            let earlier = lost[flow].partition_point(|at| *at < from) as u64;
            samples.lost[row] = before(time).saturating_sub(earlier);
        }
    }

    fn seen(self) -> Seen {
        let measured = self.end.since(self.measured_from);
        let in_time: Vec<&Loss> =
            self.losses.iter().filter(|loss| loss.at >= self.measured_from).collect();
        let count = |link: usize, is_on_wire: bool| {
            let there = |loss: &&&Loss| loss.link == link && loss.is_on_wire == is_on_wire;
            in_time.iter().filter(there).count() as u64
        };
        let causes: Vec<Causes> = self
            .books
            .iter()
            .enumerate()
            .map(|(link, book)| book.causes(&of_link(&self.last, link), Some(count(link, false))))
            .collect();
        let links = self.books.iter().zip(&causes).enumerate().map(|(link, (book, causes))| {
            book.output(self.end, measured, &of_link(&self.last, link), *causes, count(link, true))
        });
        let tally = (0..self.watches.len() + self.streams.len()).map(|flow| {
            let mut by_cause = Some([0; LossCause::COUNT]);
            let data: Vec<&&Loss> = in_time.iter().filter(|loss| is_data_of(loss, flow)).collect();
            for loss in &data {
                let cause =
                    if loss.is_on_wire { Some(LossCause::Wire) } else { causes[loss.link].only() };
                by_cause = by_cause.zip(cause).map(|(mut counts, cause)| {
                    counts[cause as usize] += 1;
                    counts
                });
            }
            let marked_packets = self.marked[2 * flow];
            Tally { lost_packets: data.len() as u64, by_cause, marked_packets }
        });
        Seen {
            links: links.collect(),
            tally: tally.collect(),
            link_samples: self.link_samples,
            packets: self.log.packets,
            watches: self.watches,
            streams: self.streams,
            datagrams: self.datagrams,
            punctuality: Punctuality::default(),
            end: self.end,
            measured_from: self.measured_from,
            events: self.events,
            scheduling: self.scheduling,
            cpu: Duration::ZERO,
        }
    }
}

/// The commands of all links for later times, in their order.
fn changes(plan: &LinuxPlan) -> VecDeque<(Time, String)> {
    let mut changes: Vec<(Time, String)> = Vec::new();
    for (number, link) in plan.links.iter().enumerate() {
        let command =
            |(at, words): &(u64, Vec<String>)| (Time::from_ps(*at), build::command(number, words));
        changes.extend(link.later.iter().map(command));
    }
    // A stable sort: changes of one time stay in the order of the plan.
    changes.sort_by_key(|(at, _)| *at);
    changes.into()
}

fn is_data_of(loss: &Loss, flow: usize) -> bool {
    let packet = &loss.packet;
    packet.flow as usize == flow && !packet.is_reverse && packet.payload > 0
}

/// Statistics of a link's queue; zeros of a link without one.
fn of_link(statistics: &BTreeMap<String, Statistics>, link: usize) -> Statistics {
    statistics.get(&format!("q{link}")).copied().unwrap_or_default()
}
