//! Token bucket filter: a shaper.

use ackclock_units::Rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::token_bucket::TokenBucket;
use super::{
    Backlog, Context, Dequeued, DisciplinePlan, DropReason, Held, Qdisc, QdiscPlan, Traits,
};

/// Parameters of TBF, with the names of tc-tbf(8).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TbfPlan {
    /// Rate of the tokens, bit/s.
    pub rate_bps: u64,
    /// Size of the bucket, bytes.
    pub burst_bytes: u64,
    /// Second bucket, from which packets need tokens, too.
    #[serde(default)]
    pub peak: Option<PeakPlan>,
    /// Discipline of the packets that wait, with its limit.
    pub qdisc: Box<QdiscPlan>,
}

impl DisciplinePlan for TbfPlan {
    const TRAITS: Traits = Traits { kind: "tbf", ..Traits::SCHEDULER };

    fn hold(&self, rate: Option<Rate>) -> Box<dyn Qdisc> {
        Box::new(Tbf::new(self, rate))
    }
}

/// Parameters of the second bucket. It bounds the rate at which the first is emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeakPlan {
    /// Rate of the tokens (tc's `peakrate`), bit/s.
    pub rate_bps: u64,
    /// Size of the bucket (tc's `mtu`), bytes.
    pub mtu_bytes: u64,
}

/// Linux's token bucket filter (`sch_tbf.c`): the head of the inner discipline leaves when both
/// buckets have tokens for all of it, and takes them (`tbf_dequeue`). A packet that is larger than
/// a bucket is dropped on arrival (`tbf_enqueue`).
///
/// The head is taken from the inner discipline as soon as the link asks, and waits for its tokens
/// here. Linux does this for inner disciplines that decide at dequeue (`qdisc_peek_dequeued`). The
/// head counts as the packet that is being transmitted: the inner limit applies to the packets
/// behind it.
pub struct Tbf {
    buckets: Vec<TokenBucket>,
    inner: Box<dyn Qdisc>,
    head: Option<Held>,
}

impl Tbf {
    /// Makes an empty shaper at a link of this `rate`; `None`: infinitely fast.
    #[must_use]
    pub fn new(plan: &TbfPlan, rate: Option<Rate>) -> Self {
        let mut buckets = vec![TokenBucket::new(Rate::from_bps(plan.rate_bps), plan.burst_bytes)];
        buckets.extend(
            plan.peak.map(|peak| TokenBucket::new(Rate::from_bps(peak.rate_bps), peak.mtu_bytes)),
        );
        let shaped = slower(rate, buckets[0].rate());
        Self { buckets, inner: super::build(&plan.qdisc, Some(shaped)), head: None }
    }

    /// The context of the inner discipline: a link of the shaper's rate, idle while no head waits.
    fn inside<'a>(rate: Rate, has_head: bool, context: &'a mut Context) -> Context<'a> {
        Context {
            now: context.now,
            rng: context.rng,
            rate: Some(slower(context.rate, rate)),
            idle_since: if has_head { None } else { context.idle_since },
            troubles: context.troubles,
        }
    }
}

fn slower(link: Option<Rate>, shaper: Rate) -> Rate {
    link.map_or(shaper, |rate| rate.min(shaper))
}

impl Qdisc for Tbf {
    fn enqueue(&mut self, held: Held, context: &mut Context) -> Result<(), DropReason> {
        if self.buckets.iter().any(|bucket| !bucket.holds(held.packet.wire_size)) {
            return Err(DropReason::Forced);
        }
        let rate = self.buckets[0].rate();
        self.inner.enqueue(held, &mut Self::inside(rate, self.head.is_some(), context))
    }

    fn dequeue(&mut self, context: &mut Context) -> Dequeued {
        let now = context.now;
        let head = match self.head {
            Some(head) => head,
            None => {
                match self.inner.dequeue(&mut Self::inside(self.buckets[0].rate(), false, context))
                {
                    Dequeued::Packet(head) => head,
                    other => return other,
                }
            }
        };
        let size = head.packet.wire_size;
        let ready =
            self.buckets.iter_mut().map(|bucket| bucket.ready(size, now)).max().unwrap_or(now);
        if ready > now {
            self.head = Some(head);
            return Dequeued::NotBefore(ready);
        }
        self.head = None;
        for bucket in &mut self.buckets {
            bucket.take(size, now);
        }
        Dequeued::Packet(head)
    }

    fn backlog(&self) -> Backlog {
        let mut backlog = self.inner.backlog();
        if let Some(head) = &self.head {
            backlog.packets += 1;
            backlog.bytes += u64::from(head.packet.wire_size);
        }
        backlog
    }

    fn average(&self) -> Option<f64> {
        self.inner.average()
    }

    fn shaped(&self) -> Option<Rate> {
        Some(self.buckets[0].rate())
    }
}

#[cfg(test)]
mod tests {
    use ackclock_units::Time;

    use super::*;
    use crate::packet::Packet;
    use crate::qdisc::{LimitPlan, Trouble};
    use crate::rng;

    const MS: u64 = 1_000_000_000;

    fn tbf(peak: Option<PeakPlan>, limit_packets: u64) -> Tbf {
        let plan = TbfPlan {
            rate_bps: 8_000_000,
            burst_bytes: 3000,
            peak,
            qdisc: Box::new(QdiscPlan::Fifo(
                LimitPlan { limit_packets: Some(limit_packets), limit_bytes: None }.into(),
            )),
        };
        Tbf::new(&plan, None)
    }

    fn context<'a>(
        ms: u64,
        rng: &'a mut rng::Rng,
        troubles: &'a mut Vec<(Trouble, Held)>,
    ) -> Context<'a> {
        Context { now: Time::from_ps(ms * MS), rng, rate: None, idle_since: None, troubles }
    }

    fn enqueue(tbf: &mut Tbf, wire_size: u32, ms: u64) -> Result<(), DropReason> {
        let packet = Packet { wire_size, ..Packet::default() };
        let held = Held::of(&packet, Time::from_ps(ms * MS));
        tbf.enqueue(held, &mut context(ms, &mut rng::stream(1, "q"), &mut Vec::new()))
    }

    fn dequeue(tbf: &mut Tbf, ms: u64) -> Option<Result<u32, u64>> {
        match tbf.dequeue(&mut context(ms, &mut rng::stream(1, "q"), &mut Vec::new())) {
            Dequeued::Packet(held) => Some(Ok(held.packet.wire_size)),
            Dequeued::NotBefore(time) => Some(Err(time.as_ps() / MS)),
            Dequeued::Empty => None,
        }
    }

    /// A byte per microsecond: three packets of 1000 bytes at once, then one per millisecond.
    #[test]
    fn a_burst_leaves_at_once_and_the_rest_at_the_rate() {
        let mut tbf = tbf(None, 10);
        for _ in 0..5 {
            assert_eq!(enqueue(&mut tbf, 1000, 0), Ok(()));
        }
        assert_eq!(
            [0; 4].map(|ms| dequeue(&mut tbf, ms)),
            [Some(Ok(1000)), Some(Ok(1000)), Some(Ok(1000)), Some(Err(1))]
        );
        assert_eq!(tbf.backlog(), Backlog { packets: 2, bytes: 2000 });
        assert_eq!((dequeue(&mut tbf, 1), dequeue(&mut tbf, 1)), (Some(Ok(1000)), Some(Err(2))));
        assert_eq!((dequeue(&mut tbf, 4), dequeue(&mut tbf, 4)), (Some(Ok(1000)), None));
        // Two tokens' worth were left at 4 ms, and one more has come since.
        assert_eq!(enqueue(&mut tbf, 3000, 5), Ok(()));
        assert_eq!((dequeue(&mut tbf, 5), dequeue(&mut tbf, 5)), (Some(Ok(3000)), None));
    }

    /// At a peak rate of 12 Mbit/s a packet of 1500 bytes needs 1 ms, however many tokens the first
    /// bucket holds.
    #[test]
    fn the_peak_rate_spaces_a_burst() {
        let peak = PeakPlan { rate_bps: 12_000_000, mtu_bytes: 1500 };
        let mut tbf = tbf(Some(peak), 10);
        for _ in 0..3 {
            assert_eq!(enqueue(&mut tbf, 1500, 0), Ok(()));
        }
        assert_eq!((dequeue(&mut tbf, 0), dequeue(&mut tbf, 0)), (Some(Ok(1500)), Some(Err(1))));
        assert_eq!((dequeue(&mut tbf, 1), dequeue(&mut tbf, 1)), (Some(Ok(1500)), Some(Err(2))));
        assert_eq!((dequeue(&mut tbf, 2), dequeue(&mut tbf, 2)), (Some(Ok(1500)), None));
        assert_eq!(enqueue(&mut tbf, 1501, 2), Err(DropReason::Forced));
    }

    #[test]
    fn what_no_bucket_holds_is_dropped_and_the_limit_is_what_waits_behind_the_head() {
        let mut tbf = tbf(None, 1);
        assert_eq!(enqueue(&mut tbf, 3001, 0), Err(DropReason::Forced));
        assert_eq!(enqueue(&mut tbf, 3000, 0), Ok(()));
        assert_eq!(dequeue(&mut tbf, 0), Some(Ok(3000)));
        assert_eq!(enqueue(&mut tbf, 1000, 0), Ok(()));
        assert_eq!(dequeue(&mut tbf, 0), Some(Err(1)));
        assert_eq!(
            (enqueue(&mut tbf, 1000, 0), enqueue(&mut tbf, 1000, 0)),
            (Ok(()), Err(DropReason::Forced))
        );
        assert_eq!(tbf.backlog().packets, 2);
    }
}
