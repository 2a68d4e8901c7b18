//! One direction of a link: a queue discipline, a transmitter, a wire.
//!
//! Most links are [`Computed`]; one whose rate varies, whose discipline decides at departures, or whose wire does more than lose packets is
//! [`Served`]. To everybody else both are the same.

mod computed;
mod flight;
mod served;

use ackclock_units::{Duration, Rate, Time};

use crate::histogram::DurationHistogram;
use crate::plan::LinkPlan;
use crate::qdisc::{self, Backlog, DropReason};
pub use computed::Computed;
pub use flight::{Flight, OnWire};
pub use served::Served;

/// What became of a packet that arrived at a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It will be delivered; whether the qdisc marked it.
    Sent {
        /// Marked on the way in.
        marked: bool,
    },
    /// The qdisc dropped it.
    Dropped(DropReason),
    /// It was transmitted and lost on the wire.
    LostOnWire,
    /// The wire made a copy of it.
    Duplicated,
}

/// Counters, since the warm-up.
#[derive(Clone, Debug, Default)]
pub struct LinkStats {
    /// Packets that arrived.
    pub arrived_packets: u64,
    /// Packets that reached the far end.
    pub delivered_packets: u64,
    /// Bytes that reached the far end.
    pub delivered_bytes: u64,
    /// Drops because a limit (or RED's upper threshold) was reached.
    pub dropped_forced: u64,
    /// The discipline's own drops before a limit was reached: a signal.
    pub dropped_early: u64,
    /// Drops by the policer before the queue.
    pub dropped_policed: u64,
    /// Lost on the wire.
    pub dropped_wire: u64,
    /// Of those that reached the far end, damaged here.
    pub corrupted_packets: u64,
    /// Copies that the wire made.
    pub duplicated_packets: u64,
    /// Packets that one sent later overtook here (RFC 4737 section 3.3: reordered).
    pub reordered_packets: u64,
    /// Packets marked CE here.
    pub marked_packets: u64,
    /// Time spent transmitting, including what is committed beyond now.
    pub busy: Duration,
    /// Waiting time of each packet that was transmitted, without its transmission.
    pub queue_delay: DurationHistogram,
}

impl LinkStats {
    /// All drops.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped_forced + self.dropped_early + self.dropped_policed + self.dropped_wire
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
    reason = "nearly all links are computed, and one look less per packet counts"
)]
pub enum Link {
    /// Departures follow from arrivals.
    Computed(Computed),
    /// Departures are events.
    Served(Box<Served>),
}

macro_rules! either {
    ($link:expr, $it:ident => $body:expr) => {
        match $link {
            Link::Computed($it) => $body,
            Link::Served($it) => $body,
        }
    };
}

impl Link {
    /// An empty link.
    #[must_use]
    pub fn new(plan: &LinkPlan, seed: u64) -> Self {
        if plan.service.is_none()
            && plan.impairments.is_empty()
            && plan.policer.is_none()
            && let Some(admission) = qdisc::admission(&plan.qdisc, plan.rate_bps.map(Rate::from_bps))
        {
            return Self::Computed(Computed::new(plan, admission, seed));
        }
        Self::Served(Box::new(Served::new(plan, seed)))
    }

    /// Counters.
    #[must_use]
    pub fn stats(&self) -> &LinkStats {
        either!(self, link => &link.stats)
    }

    /// What is on its way to the far end.
    #[must_use]
    pub fn flight(&self) -> &Flight {
        either!(self, link => link.flight())
    }

    /// Packets inside: on the wire or waiting.
    #[must_use]
    pub fn packets_inside(&self) -> usize {
        match self {
            Self::Computed(link) => link.flight().len(),
            Self::Served(link) => link.flight().len() + usize::try_from(link.backlog().packets).unwrap_or(usize::MAX),
        }
    }

    /// What waits now; a computed link must have been settled.
    #[must_use]
    pub fn backlog(&self) -> Backlog {
        either!(self, link => link.backlog())
    }

    /// What a packet arriving at `now` would wait, behind all that waits.
    #[must_use]
    pub fn queue_delay(&self, now: Time) -> Duration {
        either!(self, link => link.queue_delay(now))
    }

    /// The discipline's own average queue, if it keeps one.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        either!(self, link => link.average())
    }

    /// Time spent transmitting up to `now`.
    #[must_use]
    pub fn busy_until(&self, now: Time) -> Duration {
        either!(self, link => link.busy_until(now))
    }

    /// Begins the measured part of the run: counters start again, with what is committed beyond `now` still to come.
    pub fn reset_stats(&mut self, now: Time) {
        either!(self, link => link.reset_stats(now));
    }

    /// Brings a computed link's queue up to `now`, showing each departure since and the backlog after it; a served link always is.
    #[inline]
    pub fn settle(&mut self, now: Time, left: impl FnMut(Time, Backlog)) {
        if let Self::Computed(link) = self {
            link.settle(now, left);
        }
    }
}
