//! Counters of each link, from the places at which its packets were seen and from the statistics of
//! its disciplines.

use ackclock_sim::net::link::{LinkPlan, LinkStats};
use ackclock_sim::net::transmitter::{Service, Transmitter as _};
use ackclock_sim::output::LinkOutput;
use ackclock_sim::packet::Packet;
use ackclock_sim::record::LinkSample;
use ackclock_sim::wire::LossCause;
use ackclock_units::{Duration, Rate, Time};

use super::tc::Statistics;

/// A packet that a link lost.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// Time of the loss, as far as the places tell it.
    pub at: Time,
    /// Index of the link.
    pub link: usize,
    /// Whether the queue had let the packet go.
    pub is_on_wire: bool,
    /// The packet.
    pub packet: Packet,
}

/// The books of one link.
pub struct Book {
    plan: LinkPlan,
    service: Service,
    /// Time at which the last transmission ends.
    free_at: Time,
    stats: LinkStats,
    /// Statistics at the end of the warm-up.
    base: Statistics,
    has_policer: bool,
}

/// The causes of the packets that a link's queue dropped, since the warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    forced: u64,
    early: u64,
    policed: u64,
}

impl Causes {
    /// The cause of each of them, if all have one.
    pub fn only(self) -> Option<LossCause> {
        match self {
            Self { early: 0, policed: 0, .. } => Some(LossCause::Forced),
            Self { forced: 0, policed: 0, .. } => Some(LossCause::Early),
            Self { forced: 0, early: 0, .. } => Some(LossCause::Policed),
            _ => None,
        }
    }
}

impl Book {
    /// Empty books.
    pub fn new(plan: &LinkPlan) -> Self {
        let rate = plan.rate_bps.map(Rate::from_bps);
        Self {
            service: Service::new(plan.service.as_ref(), rate),
            free_at: Time::ZERO,
            stats: LinkStats::default(),
            base: Statistics::default(),
            has_policer: plan.policer.is_some(),
            plan: plan.clone(),
        }
    }

    fn time_for(&self, bytes: u64, now: Time) -> Duration {
        self.service.rate(now).map_or(Duration::ZERO, |rate| rate.time_for(bytes))
    }

    /// A packet came to the link.
    pub fn arrives(&mut self) {
        self.stats.arrived_packets += 1;
    }

    /// A packet that came at `since` leaves the queue.
    pub fn leaves(&mut self, bytes: u32, since: Time, now: Time) {
        let time = self.time_for(bytes.into(), now);
        self.free_at = now + time;
        self.stats.busy += time;
        let waited = now.since(since);
        self.stats.queue_delay.record(waited);
        self.stats.queued += u128::from(waited.as_ps());
    }

    /// A packet reached the far end.
    pub fn delivers(&mut self, bytes: u32) {
        self.stats.delivered_packets += 1;
        self.stats.delivered_bytes += u64::from(bytes);
    }

    /// Begins the measured part of the run.
    pub fn begin_measuring(&mut self, now: Time, statistics: Statistics) {
        let committed = self.free_at.since(now);
        self.stats = LinkStats { busy: committed, ..LinkStats::default() };
        self.base = statistics;
    }

    /// The row of the series at `now`; `on_wire`: packets lost there since the warm-up.
    pub fn sample(
        &self,
        link: u32,
        now: Time,
        statistics: &Statistics,
        on_wire: u64,
    ) -> LinkSample {
        let causes = self.causes(statistics, None);
        let wait = self.free_at.since(now) + self.time_for(statistics.queue_bytes, now);
        LinkSample {
            time: now.as_secs_f64(),
            link,
            queue_packets: u32::try_from(statistics.queue_packets).unwrap_or(u32::MAX),
            queue_bytes: statistics.queue_bytes,
            queue_delay: wait.as_secs_f64(),
            dropped: causes.forced + causes.early + on_wire,
            dropped_forced: causes.forced,
            dropped_early: causes.early,
            marked: statistics.marked.saturating_sub(self.base.marked),
            delivered_bytes: self.stats.delivered_bytes,
            red_average: f64::NAN,
        }
    }

    /// The causes by the disciplines' own counters; `lost`: packets that came and never left.
    pub fn causes(&self, statistics: &Statistics, lost: Option<u64>) -> Causes {
        let since = |now: u64, base: u64| now.saturating_sub(base);
        let dropped = since(statistics.dropped, self.base.dropped);
        let forced = since(statistics.overflowed, self.base.overflowed).min(dropped);
        // The policer stands before the discipline, which does not count its drops.
        let policed =
            lost.filter(|_| self.has_policer).map_or(0, |lost| lost.saturating_sub(dropped));
        Causes { forced, early: dropped - forced, policed }
    }

    /// The results; `on_wire`: packets lost there.
    pub fn output(
        &self,
        end: Time,
        measured: Duration,
        statistics: &Statistics,
        causes: Causes,
        on_wire: u64,
    ) -> LinkOutput {
        LinkOutput {
            name: self.plan.name.clone(),
            rate_bps: self.plan.rate_bps,
            busy: self.stats.busy.saturating_sub(self.free_at.since(end)),
            measured,
            stats: LinkStats {
                dropped_forced: causes.forced,
                dropped_early: causes.early,
                dropped_policed: causes.policed,
                dropped_wire: on_wire,
                marked_packets: statistics.marked.saturating_sub(self.base.marked),
                ..self.stats.clone()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_count_from_the_warm_up_and_leave_the_rest_to_the_policer() {
        let plan = LinkPlan { rate_bps: Some(8_000_000), ..LinkPlan::default() };
        let mut book = Book { has_policer: true, ..Book::new(&plan) };
        let early = Statistics { dropped: 5, overflowed: 1, ..Statistics::default() };
        book.begin_measuring(Time::ZERO, early);
        let now = Statistics { dropped: 9, overflowed: 3, marked: 2, ..Statistics::default() };
        let causes = book.causes(&now, Some(7));
        assert_eq!(causes, Causes { forced: 2, early: 2, policed: 3 });
        assert_eq!(causes.only(), None);
        assert_eq!(Causes { early: 4, ..Causes::default() }.only(), Some(LossCause::Early));
        let output = book.output(Time::ZERO, Duration::ZERO, &now, causes, 1);
        assert_eq!((output.stats.dropped(), output.stats.marked_packets), (8, 2));
    }

    #[test]
    fn a_packet_waits_until_its_transmission_begins() {
        let plan = LinkPlan { rate_bps: Some(8_000_000), ..LinkPlan::default() };
        let mut book = Book::new(&plan);
        let at = |ms| Time::ZERO + Duration::from_millis(ms);
        book.leaves(1000, at(1), at(3));
        let waits = Statistics { queue_packets: 2, queue_bytes: 2000, ..Statistics::default() };
        // A thousand bytes take 1 ms; the transmission at 3 ms ends at 4 ms.
        assert!((book.sample(0, at(3), &waits, 0).queue_delay - 0.003).abs() < 1e-12);
        let output = book.output(at(3), Duration::from_millis(3), &waits, Causes::default(), 0);
        assert_eq!(output.busy, Duration::ZERO);
        assert_eq!(output.stats.queue_delay.max(), Some(Duration::from_millis(2)));
    }
}
