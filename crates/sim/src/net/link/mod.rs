//! One direction of a link: a queue discipline, a transmitter, a wire.
//!
//! Most links are [`Analytic`]. A link is [`EventDriven`] if its rate varies, its discipline
//! decides at departures, a policer stands before its queue, or its wire does more than lose
//! packets. To the rest of the network both are a [`Link`].

mod analytic;
mod event_driven;
mod flight;
mod rests;

use ackclock_units::{Duration, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::columns::counters;
use crate::histogram::DurationHistogram;
use crate::net::impairment::ImpairmentPlan;
use crate::net::loss::{LossPlan, LossWindowPlan};
use crate::net::policer::PolicerPlan;
use crate::net::transmitter::ServicePlan;
use crate::qdisc::{self, Backlog, DropReason, QdiscPlan};
pub use analytic::{Analytic, Entered};
pub use event_driven::EventDriven;
pub use flight::{Flight, OnWire};

/// The plan of one direction of a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkPlan {
    /// Unique name; random streams are keyed by it.
    pub name: String,
    /// Line rate, bit/s; absent: infinitely fast, so that nothing ever queues.
    pub rate_bps: Option<u64>,
    /// Propagation delay, ps.
    pub delay_ps: u64,
    /// Policer before the queue.
    #[serde(default)]
    pub policer: Option<PolicerPlan>,
    /// Queue discipline.
    pub qdisc: QdiscPlan,
    /// Loss on the wire, after the queue.
    #[serde(default)]
    pub loss: Option<LossPlan>,
    /// Time in which `loss` acts; absent: always.
    #[serde(default)]
    pub loss_window: Option<LossWindowPlan>,
    /// A rate that varies. `rate_bps` is then the rate that disciplines assume.
    #[serde(default)]
    pub service: Option<ServicePlan>,
    /// Impairments of the wire, in the order in which packets meet them.
    #[serde(default)]
    pub impairments: Vec<ImpairmentPlan>,
}

impl LinkPlan {
    /// Checks the numbers of the loss, of the rates and of the impairments.
    ///
    /// # Errors
    /// One line that says which number is wrong.
    pub fn check(&self) -> Result<(), String> {
        self.loss.as_ref().map_or(Ok(()), LossPlan::check)?;
        self.service.as_ref().map_or(Ok(()), ServicePlan::check)?;
        self.impairments.iter().try_for_each(ImpairmentPlan::check)
    }
}

/// The fate of a packet that arrived at a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The packet will be delivered.
    Sent {
        /// Whether the discipline marked it.
        marked: bool,
    },
    /// The discipline or the policer dropped the packet.
    Dropped(DropReason),
    /// The packet was transmitted and lost on the wire.
    LostOnWire,
    /// The wire made a copy of the packet.
    Duplicated,
}

counters! {
    /// Counters of a link, from the end of the warm-up to the end of the run.
    ///
    /// What happens at the end of the warm-up belongs to the warm-up, and what happens at the end
    /// of the run to the run. Everything counts when it happens:
    ///
    /// - an arrival, and a drop or mark by the policer or the discipline, when it is decided;
    /// - a packet's wait, from its arrival on, when its transmission begins;
    /// - what the wire does (loss, damage, a copy, an overtaking) when the transmission of the
    ///   packet begins that it is done to, or by which others are overtaken;
    /// - a delivery when the packet reaches the far end; on the last link of a route, when the host
    ///   has taken it in;
    /// - busy time and the length of the queue at each instant.
    ///
    /// An analytic link counts as an event-driven one does, although it knows all this beforehand.
    #[derive(Clone, Debug, Default)]
    pub struct LinkStats {
        CARRIED {
            /// Packets that arrived at the link, before its policer and its queue.
            arrived_packets: u64 = sum, Integer, "packets";
            /// Packets that reached the far end.
            delivered_packets: u64 = sum, Integer, "packets";
            /// Wire bytes of the packets that reached the far end.
            delivered_bytes: u64 = sum, Integer, "bytes";
        }
        DROPPED {
            /// Dropped because the queue was full, or its average so high that every packet is
            /// dropped.
            dropped_forced: u64 = sum, Integer, "packets";
            /// Dropped by the queue's own decision: a signal (RED, `CoDel`, PIE, ...).
            dropped_early: u64 = sum, Integer, "packets";
            /// Dropped by the policer before the queue.
            dropped_policed: u64 = sum, Integer, "packets";
            /// Lost on the wire: by the loss model, in an outage, or on a link that never sends
            /// again.
            dropped_wire: u64 = sum, Integer, "packets";
            /// Marked CE by the queue, and by none before it.
            marked_packets: u64 = sum, Integer, "packets";
            /// Damaged on the wire; the host where they end discards them.
            corrupted_packets: u64 = sum, Integer, "packets";
            /// Copies that the wire made.
            duplicated_packets: u64 = sum, Integer, "packets";
            /// Arrived after a packet that was sent later (RFC 4737 section 3.3).
            reordered_packets: u64 = sum, Integer, "packets";
        }
    }
    with {
        /// Time spent transmitting, including what is committed beyond now.
        pub busy: Duration = sum;
        /// Waiting time of each packet that was transmitted, without its transmission.
        pub queue_delay: DurationHistogram = sum;
        /// Time integral of the queue's length, packets times ps; zero before the end of the run.
        pub queued: u128 = sum;
    }
}

impl LinkStats {
    /// Number of packets dropped, for any reason.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped_forced + self.dropped_early + self.dropped_policed + self.dropped_wire
    }

    /// Counts packets that have reached the far end.
    #[inline]
    pub(crate) fn count_delivered(&mut self, packets: u64, bytes: u64) {
        self.delivered_packets += packets;
        self.delivered_bytes += bytes;
    }

    /// Counts a drop.
    pub(crate) fn count_drop(&mut self, reason: DropReason) {
        match reason {
            DropReason::Forced => self.dropped_forced += 1,
            DropReason::Early => self.dropped_early += 1,
            DropReason::Policed => self.dropped_policed += 1,
        }
    }
}

/// One direction of a link.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all links are analytic, and one indirection less per packet counts"
)]
pub enum Link {
    /// An analytic link: departures follow from arrivals.
    Analytic(Analytic),
    /// An event-driven link: departures are events.
    EventDriven(Box<EventDriven>),
}

macro_rules! either {
    ($link:expr, $it:ident => $body:expr) => {
        match $link {
            Link::Analytic($it) => $body,
            Link::EventDriven($it) => $body,
        }
    };
}

impl Link {
    /// Makes an empty link, analytic if possible.
    #[must_use]
    pub fn new(plan: &LinkPlan, seed: u64) -> Self {
        if plan.service.is_none()
            && plan.impairments.is_empty()
            && plan.policer.is_none()
            && let Some(admission) =
                qdisc::admission(&plan.qdisc, plan.rate_bps.map(Rate::from_bps))
        {
            return Self::Analytic(Analytic::new(plan, admission, seed));
        }
        Self::EventDriven(Box::new(EventDriven::new(plan, seed)))
    }

    /// Counters since the warm-up.
    #[must_use]
    pub fn stats(&self) -> &LinkStats {
        either!(self, link => &link.stats)
    }

    /// The counters, for a caller that counts what reaches the far end.
    pub(crate) fn stats_mut(&mut self) -> &mut LinkStats {
        either!(self, link => &mut link.stats)
    }

    /// Least time at which a packet reaches the far end that is not on its way yet. Everything
    /// before `now` has been done.
    #[must_use]
    #[inline]
    pub fn horizon(&self, now: Time) -> Time {
        either!(self, link => link.horizon(now))
    }

    /// Least time that a packet takes to cross the link.
    #[must_use]
    pub fn least_delay(&self) -> Duration {
        either!(self, link => link.least_delay())
    }

    /// Packets on their way to the far end; on an analytic link also those that wait.
    #[must_use]
    pub fn flight(&self) -> &Flight {
        either!(self, link => link.flight())
    }

    /// Number of packets on the wire or waiting.
    #[must_use]
    pub fn packets_inside(&self) -> usize {
        match self {
            Self::Analytic(link) => link.flight().len() + link.doomed(),
            Self::EventDriven(link) => {
                link.flight().len() + usize::try_from(link.backlog().packets).unwrap_or(usize::MAX)
            }
        }
    }

    /// Packets and bytes that wait now. An analytic link must have been settled.
    #[must_use]
    pub fn backlog(&self) -> Backlog {
        either!(self, link => link.backlog())
    }

    /// Time that a packet arriving at `now` would wait behind the backlog.
    #[must_use]
    pub fn queue_delay(&self, now: Time) -> Duration {
        either!(self, link => link.queue_delay(now))
    }

    /// The average queue that the discipline keeps, if it keeps one.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        either!(self, link => link.average())
    }

    /// Time spent transmitting, up to `now`.
    #[must_use]
    pub fn busy_until(&self, now: Time) -> Duration {
        either!(self, link => link.busy_until(now))
    }

    /// Begins the measured part of the run: counters start again, with the transmissions that are
    /// committed beyond `now`.
    pub fn reset_stats(&mut self, now: Time) {
        self.settle(now, |_, _| ());
        either!(self, link => link.reset_stats(now));
    }

    /// The counters at `now`, the end of the run. An analytic link must have been settled.
    #[must_use]
    pub fn final_stats(&self, now: Time) -> LinkStats {
        LinkStats { queued: either!(self, link => link.queued(now)), ..self.stats().clone() }
    }

    /// Brings the queue of an analytic link up to `now`. Calls `left` with the time of each
    /// departure and the backlog after it. The queue of an event-driven link is always up to date.
    #[inline]
    pub fn settle(&mut self, now: Time, left: impl FnMut(Time, Backlog)) {
        if let Self::Analytic(link) = self {
            link.settle(now, left);
        }
    }
}
