//! An analytic link: its departures are computed when packets arrive. This takes a constant rate
//! and a discipline that only judges arrivals, and a packet then costs one event. Packets that have
//! left the queue since the last call are taken out when somebody asks ([`Analytic::settle`]).

use std::collections::VecDeque;

use ackclock_units::{Duration, Rate, Time};

use super::flight::Flight;
use super::{Fate, LinkPlan, LinkStats};
use crate::net::hosts::Hosts;
use crate::net::loss::Loss;
use crate::net::transmitter::Times;
use crate::packet::{Ecn, Packet};
use crate::qdisc::{Admission as _, Arrival, Backlog, DropReason, Gate, LimitPlan, Verdict};
use crate::ring::Ring;
use crate::rng::{self, Rng};

/// A link whose departures follow from its arrivals.
pub struct Analytic {
    rate: Option<Rate>,
    delay: Duration,
    /// Propagation delay, and the time to transmit one byte.
    least_delay: Duration,
    qdisc: Gate,
    qdisc_rng: Rng,
    loss: Option<Loss>,
    flight: Flight,
    waiting: Ring<Waits>,
    /// Time at which the first of `waiting` leaves the queue; [`Time::MAX`]: none waits.
    leaves_at: Time,
    backlog: Backlog,
    /// Time at which the transmitter has sent all packets that have arrived.
    free_at: Time,
    times: Times,
    /// Packets that the wire will lose, with the start of their transmission.
    doomed: VecDeque<(Time, Packet)>,
    /// Start of the transmission of the first of `doomed`; [`Time::MAX`]: there is none.
    loses_at: Time,
    /// Whether departures from the queue are events.
    shows_departures: bool,
    /// Sum of the times that the packets in the queue had waited when measuring began, ps.
    waited_before: u128,
    /// Counters since the warm-up.
    pub stats: LinkStats,
}

/// A packet that waits.
#[derive(Clone, Copy, Debug, Default)]
struct Waits {
    /// Start of its transmission.
    start: Time,
    arrived: Time,
    /// Size on the wire, bytes.
    size: u32,
}

/// Decision of an analytic link about a packet that arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// The packet reaches the far end.
    Sent {
        /// When it does.
        arrives: Time,
        /// Whether the discipline marked it.
        marked: bool,
    },
    /// The packet is transmitted, and lost on the wire.
    Lost {
        /// Start of the transmission.
        start: Time,
        /// Whether the discipline marked it.
        marked: bool,
    },
    /// The discipline dropped the packet.
    Dropped(DropReason),
}

impl Entered {
    /// The drop or the mark, if there is one.
    #[must_use]
    #[inline]
    pub fn trouble(self) -> Option<Fate> {
        match self {
            Self::Sent { marked, .. } | Self::Lost { marked, .. } => {
                marked.then_some(Fate::Sent { marked })
            }
            Self::Dropped(reason) => Some(Fate::Dropped(reason)),
        }
    }
}

impl Analytic {
    /// Makes an empty link.
    #[must_use]
    pub fn new(plan: &LinkPlan, qdisc: Gate, seed: u64) -> Self {
        let rate = plan.rate_bps.map(Rate::from_bps);
        let delay = Duration::from_ps(plan.delay_ps);
        Self {
            rate,
            delay,
            least_delay: delay + rate.map_or(Duration::ZERO, |rate| rate.time_for(1)),
            qdisc,
            qdisc_rng: rng::stream(seed, &format!("link/{}/qdisc", plan.name)),
            loss: plan.loss.as_ref().map(|loss| {
                Loss::new(
                    loss,
                    plan.loss_window,
                    rng::stream(seed, &format!("link/{}/loss", plan.name)),
                )
            }),
            flight: Flight::default(),
            waiting: Ring::default(),
            leaves_at: Time::MAX,
            backlog: Backlog::default(),
            free_at: Time::ZERO,
            times: Times::default(),
            doomed: VecDeque::new(),
            loses_at: Time::MAX,
            shows_departures: false,
            waited_before: 0,
            stats: LinkStats::default(),
        }
    }

    /// Takes in a packet at `now`. [`Analytic::settle`] must have been called for `now`.
    pub fn arrive(&mut self, packet: &Packet, now: Time, hosts: &mut Hosts) -> Entered {
        let entered = self.judge(packet.wire_size, packet.ecn, packet.payload > 0, now);
        match entered {
            Entered::Sent { arrives, marked } => {
                let ecn = if marked { Ecn::Ce } else { packet.ecn };
                self.flight.append(arrives + hosts.take_for(packet), packet, ecn);
            }
            Entered::Lost { start, marked } => self.doom(start, packet, marked),
            Entered::Dropped(_) => (),
        }
        entered
    }

    /// Decides about a packet of `size` bytes that comes at `now`, and transmits it.
    /// [`Analytic::settle`] must have been called for `now`, and [`Analytic::doom`] must follow if
    /// the wire loses the packet.
    #[expect(clippy::inline_always, reason = "once per packet and link")]
    #[inline(always)]
    pub fn judge(&mut self, size: u32, ecn: Ecn, is_data: bool, now: Time) -> Entered {
        self.stats.arrived_packets += 1;
        let verdict = self.qdisc.arrive(
            &Arrival {
                now,
                size,
                ecn_capable: ecn != Ecn::NotEct,
                backlog: self.backlog,
                idle_since: (self.free_at <= now).then_some(self.free_at),
            },
            &mut self.qdisc_rng,
        );
        let marked = match verdict {
            Verdict::Enqueue => false,
            // RFC 3168 section 5: a packet that carries CE keeps it, and is not counted as marked
            // again.
            Verdict::Mark => ecn != Ecn::Ce,
            Verdict::Drop(reason) => {
                self.stats.count_drop(reason);
                return Entered::Dropped(reason);
            }
        };
        if marked {
            self.stats.marked_packets += 1;
        }
        let start = self.free_at.max(now);
        let transmission = self.times.of(size, self.rate);
        if start > now {
            self.waiting.push_back(Waits { start, arrived: now, size });
            self.leaves_at = self.leaves_at.min(start);
            self.backlog.packets += 1;
            self.backlog.bytes += u64::from(size);
        } else {
            self.stats.queue_delay.record_zero();
        }
        self.free_at = start + transmission;
        // The clock may end before the transmission does; busy time ends with the clock.
        self.stats.busy += self.free_at.since(start);
        if self.loss.as_mut().is_some_and(|loss| loss.lose(!is_data, self.free_at)) {
            return Entered::Lost { start, marked };
        }
        Entered::Sent { arrives: self.free_at + self.delay, marked }
    }

    /// Keeps a packet that the wire will lose, until its transmission begins at `start`.
    #[cold]
    pub fn doom(&mut self, start: Time, packet: &Packet, marked: bool) {
        let ecn = if marked { Ecn::Ce } else { packet.ecn };
        self.doomed.push_back((start, Packet { ecn, ..*packet }));
        self.loses_at = self.loses_at.min(start);
    }

    /// When the transmission of the next packet begins that the wire loses; [`Time::MAX`]: none is
    /// known.
    #[must_use]
    #[inline]
    pub fn loses_at(&self) -> Time {
        self.loses_at
    }

    /// Makes an event of each departure from the queue, for somebody who records them in order.
    pub fn show_departures(&mut self) {
        self.shows_departures = true;
    }

    /// When the link next does something by itself that others see before a packet reaches the far
    /// end: the wire loses a packet, or a departure is shown. [`Time::MAX`]: nothing is known.
    #[must_use]
    #[inline]
    pub fn acts_at(&self) -> Time {
        if self.shows_departures { self.loses_at.min(self.leaves_at) } else { self.loses_at }
    }

    /// Loses the packet whose transmission begins by `now`. `None`: there is none.
    pub fn lose(&mut self, now: Time) -> Option<Packet> {
        if self.loses_at > now {
            return None;
        }
        let (_, packet) = self.doomed.pop_front()?;
        self.loses_at = self.doomed.front().map_or(Time::MAX, |next| next.0);
        self.stats.dropped_wire += 1;
        Some(packet)
    }

    /// Number of packets in the queue that the wire will lose.
    #[must_use]
    pub fn doomed(&self) -> usize {
        self.doomed.len()
    }

    /// Time of the next event of this link in a run by events.
    #[must_use]
    #[inline]
    pub fn next_event(&self) -> Time {
        self.flight.next().min(self.acts_at())
    }

    /// Whether the link loses no packet but for the limit of its queue, and marks none.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        matches!(self.qdisc, Gate::Fifo(_)) && self.loss.is_none()
    }

    /// Begins a batch of packets. The link must be plain.
    #[must_use]
    #[inline]
    pub fn batch(&mut self) -> Batch<'_> {
        let limit = if let Gate::Fifo(fifo) = &self.qdisc { fifo.limit() } else { LimitPlan::NONE };
        Batch {
            most_packets: limit.limit_packets.unwrap_or(u64::MAX),
            most_bytes: limit.limit_bytes.unwrap_or(u64::MAX),
            leaves_at: self.leaves_at,
            backlog: self.backlog,
            free_at: self.free_at,
            arrived: 0,
            idle: Duration::ZERO,
            link: self,
        }
    }

    /// Least time from now on at which a packet arrives that enters at `now` or later.
    #[must_use]
    #[inline]
    pub fn horizon(&self, now: Time) -> Time {
        self.free_at.max(now).saturating_add(self.least_delay)
    }

    /// Least time that a packet takes to cross the link.
    #[must_use]
    pub fn least_delay(&self) -> Duration {
        self.least_delay
    }

    /// Takes out of the queue the packets whose transmission has begun by `now`. Calls `left` with
    /// the time of each departure and the backlog after it.
    #[inline]
    pub fn settle(&mut self, now: Time, mut left: impl FnMut(Time, Backlog)) {
        while self.leaves_at <= now {
            let Some(&Waits { start, arrived, size }) = self.waiting.front() else { return };
            self.waiting.drop_front();
            self.leaves_at = self.waiting.front().map_or(Time::MAX, |next| next.start);
            self.backlog.packets -= 1;
            self.backlog.bytes -= u64::from(size);
            self.stats.queue_delay.record(start.since(arrived));
            left(start, self.backlog);
        }
    }

    /// Packets that wait or are on the wire.
    #[must_use]
    pub fn flight(&self) -> &Flight {
        &self.flight
    }

    /// Takes the next packet that reaches the far end into `packet`. False: there is none.
    #[inline]
    pub fn deliver(&mut self, packet: &mut Packet) -> bool {
        self.flight.take(packet)
    }

    /// Backlog as of the last [`Analytic::settle`].
    #[must_use]
    pub fn backlog(&self) -> Backlog {
        self.backlog
    }

    /// Time that a packet arriving at `now` would wait.
    #[must_use]
    pub fn queue_delay(&self, now: Time) -> Duration {
        self.free_at.since(now)
    }

    /// The average queue that the discipline keeps, if it keeps one.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        self.qdisc.average()
    }

    /// Time spent transmitting, up to `now`.
    #[must_use]
    pub fn busy_until(&self, now: Time) -> Duration {
        self.stats.busy.saturating_sub(self.free_at.since(now))
    }

    /// Begins the measured part of the run: counters start again, with the transmissions that are
    /// committed beyond `now`. [`Analytic::settle`] must have been called for `now`.
    pub fn reset_stats(&mut self, now: Time) {
        let committed = self.free_at.since(now);
        self.stats = LinkStats { busy: committed, ..LinkStats::default() };
        self.waited_before = self.waited(now);
    }

    /// Packets in the queue times the time that they were in it since the warm-up, up to `now`.
    /// [`Analytic::settle`] must have been called for `now`.
    #[must_use]
    pub fn queued(&self, now: Time) -> u128 {
        self.stats.queue_delay.sum_ps() + self.waited(now) - self.waited_before
    }

    /// Sum of the times that the packets in the queue have waited so far, ps.
    fn waited(&self, now: Time) -> u128 {
        self.waiting.iter().map(|packet| u128::from(now.since(packet.arrived).as_ps())).sum()
    }
}

/// A plain link while a batch of packets enters, its state at hand.
pub struct Batch<'a> {
    link: &'a mut Analytic,
    most_packets: u64,
    most_bytes: u64,
    leaves_at: Time,
    backlog: Backlog,
    free_at: Time,
    arrived: u64,
    /// Time before `free_at` in which nothing was transmitted.
    idle: Duration,
}

impl Batch<'_> {
    /// Takes in a packet of `size` bytes at `now`. Returns when it reaches the far end; `None`: the
    /// queue is full.
    #[expect(clippy::inline_always, reason = "once per packet and link")]
    #[inline(always)]
    pub fn enter(&mut self, size: u32, now: Time) -> Option<Time> {
        let bytes = u64::from(size);
        while self.leaves_at <= now {
            let Some(&left) = self.link.waiting.front() else { break };
            self.link.waiting.drop_front();
            self.leaves_at = self.link.waiting.front().map_or(Time::MAX, |next| next.start);
            self.backlog.packets -= 1;
            self.backlog.bytes -= u64::from(left.size);
            self.link.stats.queue_delay.record(left.start.since(left.arrived));
        }
        self.arrived += 1;
        let mut start = now;
        if self.free_at > now {
            let has_room = self.backlog.packets < self.most_packets
                && self.backlog.bytes + bytes <= self.most_bytes;
            if !has_room {
                self.link.stats.count_drop(DropReason::Forced);
                return None;
            }
            start = self.free_at;
            self.link.waiting.push_back(Waits { start, arrived: now, size });
            self.leaves_at = self.leaves_at.min(start);
            self.backlog.packets += 1;
            self.backlog.bytes += bytes;
        } else {
            self.idle += now.since(self.free_at);
            self.link.stats.queue_delay.record_zero();
        }
        self.free_at = start + self.link.times.of(size, self.link.rate);
        Some(self.free_at + self.link.delay)
    }
}

impl Drop for Batch<'_> {
    #[inline]
    fn drop(&mut self) {
        let link = &mut *self.link;
        link.stats.arrived_packets += self.arrived;
        // The clock may end before the transmission does; busy time ends with the clock.
        link.stats.busy += self.free_at.since(link.free_at).saturating_sub(self.idle);
        (link.leaves_at, link.backlog, link.free_at) = (self.leaves_at, self.backlog, self.free_at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qdisc::Admission;

    /// A discipline that marks every packet.
    struct MarksAll;

    impl Admission for MarksAll {
        fn arrive(&mut self, _arrival: &Arrival, _rng: &mut Rng) -> Verdict {
            Verdict::Mark
        }
    }

    #[test]
    fn a_packet_that_was_marked_before_is_not_counted_as_marked_here() {
        let mut link = Analytic::new(&LinkPlan::default(), Gate::Other(Box::new(MarksAll)), 1);
        let mut hosts = Hosts::default();
        for (ecn, is_first) in [(Ecn::Ect0, true), (Ecn::Ce, false), (Ecn::Ect1, true)] {
            let packet = Packet { ecn, ..Packet::default() };
            assert_eq!(
                link.arrive(&packet, Time::ZERO, &mut hosts),
                Entered::Sent { arrives: Time::ZERO, marked: is_first }
            );
            let mut delivered = Packet::default();
            assert!(link.deliver(&mut delivered));
            assert_eq!(delivered.ecn, Ecn::Ce);
        }
        assert_eq!(link.stats.marked_packets, 2);
    }
}
