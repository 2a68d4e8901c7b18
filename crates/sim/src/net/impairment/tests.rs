//! Impairments on a link without a rate, packet by packet: which packets arrive, when, and in which
//! order.

use ackclock_units::{Duration, Time};

use super::{
    CorruptPlan, DelaySchedulePlan, DuplicatePlan, EcnRewritePlan, EcnRule, ImpairmentPlan,
    JitterPlan, ReorderPlan,
};
use crate::distribution::Distribution;
use crate::net::hosts::Hosts;
use crate::net::link::{EventDriven, LinkPlan, LinkStats};
use crate::packet::{Ecn, Packet};
use crate::qdisc::{LimitPlan, QdiscPlan, StepPlan};

const MS: u64 = 1_000_000_000;
/// Number of packets for shares within a percent.
const MANY: u64 = 100_000;

/// A packet that has arrived: its number from 0, and the times of sending and arrival, ps.
struct Arrival {
    number: u64,
    at: u64,
    is_corrupt: bool,
}

/// Sends `count` packets, `gap` ps apart, over a link with a delay of 10 ms, and returns those that
/// arrive. Every `ack_every`-th packet is a pure ACK.
fn cross(
    impairments: Vec<ImpairmentPlan>,
    count: u64,
    gap: u64,
    ack_every: u64,
) -> (Vec<Arrival>, LinkStats) {
    let mut link = EventDriven::new(
        &LinkPlan { name: "wire".into(), delay_ps: 10 * MS, impairments, ..LinkPlan::default() },
        1,
    );
    let mut arrivals = Vec::new();
    let mut take = |link: &mut EventDriven, until: Time| {
        while link.next_event() < until {
            let at = link.next_event();
            link.serve(at, &mut Hosts::default());
            let mut packet = Packet::default();
            if link.deliver(at, &mut packet) {
                arrivals.push(Arrival {
                    number: packet.seq,
                    at: at.as_ps(),
                    is_corrupt: packet.is_corrupt,
                });
            }
        }
    };
    for number in 0..count {
        let now = Time::from_ps(number * gap);
        take(&mut link, now);
        let packet = Packet {
            seq: number,
            wire_size: 1500,
            payload: if (number + 1).is_multiple_of(ack_every) { 0 } else { 1448 },
            ..Packet::default()
        };
        assert!(link.arrive(&packet, now, &mut Hosts::default()));
        link.troubles().clear();
    }
    take(&mut link, Time::MAX);
    (arrivals, link.stats.clone())
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn share(count: u64) -> f64 {
    count as f64 / MANY as f64
}

/// Five standard errors of a share of MANY independent packets.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn error(p: f64) -> f64 {
    5.0 * (p * (1.0 - p) / MANY as f64).sqrt()
}

fn jitter(delay: Distribution, correlation: f64, reorder: bool) -> Vec<ImpairmentPlan> {
    vec![ImpairmentPlan::Jitter(JitterPlan { delay, correlation, reorder })]
}

/// Two uniform jitters up to J differ by more than half of J with probability 1/8, and that is when
/// packets J/2 apart change places. Neighbours do it less often both than independent ones would,
/// so that the error of independent packets is an upper bound.
#[test]
fn jitter_that_may_reorder_does_at_the_share_that_is_expected() {
    let uniform = Distribution::Uniform { low: 0.0, high: 0.002 };
    let (arrivals, stats) = cross(jitter(uniform, 0.0, true), MANY, MS, u64::MAX);
    assert_eq!(arrivals.len() as u64, MANY);
    assert!(
        (share(stats.reordered_packets) - 0.125).abs() < error(0.125),
        "{}",
        stats.reordered_packets
    );
    // RFC 4737: a packet is reordered if it arrives after one that was sent later.
    let mut latest = 0;
    let late = arrivals.iter().filter(|arrival| {
        latest = latest.max(arrival.number);
        arrival.number < latest
    });
    assert_eq!(late.count() as u64, stats.reordered_packets);
    // Without order to keep, each delay is its own: 10 ms and a mean of 1 ms, whose standard error
    // is 2 ms / sqrt(12 n).
    let extra: u64 =
        arrivals.iter().map(|arrival| arrival.at - arrival.number * MS - 10 * MS).sum::<u64>()
            / MANY;
    assert!(extra.abs_diff(MS) < 5 * 1_830_000, "{extra}");
}

#[test]
fn jitter_keeps_the_order_otherwise() {
    let uniform = Distribution::Uniform { low: 0.0, high: 0.01 };
    let (arrivals, stats) = cross(jitter(uniform, 0.0, false), 10_000, MS, u64::MAX);
    assert_eq!(stats.reordered_packets, 0);
    assert!(arrivals.iter().zip(0..).all(|(arrival, number)| arrival.number == number));
    assert!(arrivals.iter().all(|arrival| arrival.at - arrival.number * MS >= 10 * MS));
    // No packet waits longer than for the longest jitter of those before it.
    assert!(arrivals.iter().all(|arrival| arrival.at - arrival.number * MS < 20 * MS));
    // Ten packets could come before a late one: many arrive together with it.
    assert!(arrivals.windows(2).any(|two| two[0].at == two[1].at));
}

/// The difference of neighbours that are equal with probability rho, else independent, has (1 -
/// rho) of the variance.
#[test]
fn correlated_jitter_changes_less() {
    let variance = |correlation| {
        let uniform = Distribution::Uniform { low: 0.0, high: 0.002 };
        let (arrivals, _) = cross(jitter(uniform, correlation, false), 20_000, 10 * MS, u64::MAX);
        let extra = arrivals.iter().map(|arrival| arrival.at - arrival.number * 10 * MS - 10 * MS);
        let extra: Vec<f64> = extra.map(|ps| Duration::from_ps(ps).as_secs_f64() * 1e3).collect();
        extra.windows(2).map(|two| (two[1] - two[0]) * (two[1] - two[0])).sum::<f64>() / 20_000.0
    };
    // 2 J^2 / 12 with J = 2 ms; within 5 %.
    assert!((variance(0.0) - 2.0 / 3.0).abs() < 0.034, "{}", variance(0.0));
    assert!((variance(0.75) - 1.0 / 6.0).abs() < 0.017, "{}", variance(0.75));
}

fn schedule(period: Option<u64>, reorder: bool) -> Vec<ImpairmentPlan> {
    vec![ImpairmentPlan::DelaySchedule(DelaySchedulePlan {
        delays: vec![(20 * MS, 30 * MS), (50 * MS, 5 * MS)],
        period_ps: period,
        reorder,
    })]
}

fn in_ms(impairments: Vec<ImpairmentPlan>) -> Vec<(u64, u64)> {
    let (arrivals, _) = cross(impairments, 9, 10 * MS, u64::MAX);
    arrivals.iter().map(|arrival| (arrival.number, arrival.at / MS)).collect()
}

#[test]
fn a_delay_schedule_gives_each_packet_the_delay_of_its_moment() {
    // Packets are sent at 0, 10, ... ms. The delay is the link's 10 ms, 30 ms from 20 ms on, and 5
    // ms from 50 ms on. A packet that would overtake arrives with the last before it.
    assert_eq!(
        in_ms(schedule(None, false)),
        [(0, 10), (1, 20), (2, 50), (3, 60), (4, 70), (5, 70), (6, 70), (7, 75), (8, 85)]
    );
    assert_eq!(
        in_ms(schedule(None, true)),
        [(0, 10), (1, 20), (2, 50), (5, 55), (3, 60), (6, 65), (4, 70), (7, 75), (8, 85)]
    );
    // At 60 ms it begins again, with the link's own delay.
    assert_eq!(
        in_ms(schedule(Some(60 * MS), true)),
        [(0, 10), (1, 20), (2, 50), (5, 55), (3, 60), (4, 70), (6, 70), (7, 80), (8, 110)]
    );
}

fn reorder(
    p: f64,
    gap: u64,
    correlation: f64,
    extra: Option<f64>,
    acks: bool,
) -> Vec<ImpairmentPlan> {
    vec![ImpairmentPlan::Reorder(ReorderPlan {
        p,
        gap,
        correlation,
        extra: extra.map(|value| Distribution::Fixed { value }),
        acks,
    })]
}

/// Numbers, from 1, of the packets that took no time, or 17 ms.
fn others(impairments: Vec<ImpairmentPlan>, count: u64, ack_every: u64) -> Vec<u64> {
    let (mut arrivals, _) = cross(impairments, count, MS, ack_every);
    arrivals.sort_by_key(|arrival| arrival.number);
    let other = |arrival: &&Arrival| arrival.at - arrival.number * MS != 10 * MS;
    arrivals.iter().filter(other).map(|arrival| arrival.number + 1).collect()
}

#[test]
fn reordered_packets_skip_the_delay_as_netems_do() {
    // Every fifth, as `reorder 100% gap 5` in tc-netem(8).
    assert_eq!(others(reorder(1.0, 5, 0.0, None, false), 22, u64::MAX), [5, 10, 15, 20]);
    assert_eq!(others(reorder(0.0, 1, 0.0, None, false), 22, u64::MAX), [0; 0]);
    // Pure ACKs, every second, neither count nor skip unless asked.
    assert_eq!(others(reorder(1.0, 3, 0.0, None, false), 18, 2), [5, 11, 17]);
    assert_eq!(others(reorder(1.0, 3, 0.0, None, true), 18, 2), [3, 6, 9, 12, 15, 18]);
    // Each share is as given; correlation changes the order of decisions, not their share.
    let skipped = others(reorder(0.25, 1, 0.0, None, false), MANY, u64::MAX).len() as u64;
    assert!((share(skipped) - 0.25).abs() < error(0.25), "{skipped}");
    let skipped = others(reorder(0.25, 1, 0.5, None, false), MANY, u64::MAX).len() as u64;
    assert!((share(skipped) - 0.25).abs() < error(0.25) * 3_f64.sqrt(), "{skipped}");
}

#[test]
fn who_skips_the_delay_overtakes_all_that_did_not() {
    let (arrivals, stats) = cross(reorder(1.0, 5, 0.0, None, false), 10, MS, u64::MAX);
    let order: Vec<u64> = arrivals.iter().map(|arrival| arrival.number).collect();
    // The fifth is there at once, and so is the tenth, before the first has come.
    assert_eq!(order, [4, 9, 0, 1, 2, 3, 5, 6, 7, 8]);
    assert_eq!(stats.reordered_packets, 8);
}

#[test]
fn with_an_extra_delay_who_takes_the_other_way_is_late() {
    let (arrivals, stats) =
        cross(reorder(1.0, 4, 0.0, Some(0.002_000_000_001), false), 8, MS, u64::MAX);
    let order: Vec<u64> = arrivals.iter().map(|arrival| arrival.number).collect();
    assert_eq!(order, [0, 1, 2, 4, 5, 3, 6, 7]);
    assert_eq!(stats.reordered_packets, 1);
}

fn duplicate(p: f64, acks: bool) -> ImpairmentPlan {
    ImpairmentPlan::Duplicate(DuplicatePlan { p, correlation: 0.0, acks })
}

fn corrupt(p: f64, acks: bool) -> ImpairmentPlan {
    ImpairmentPlan::Corrupt(CorruptPlan { p, correlation: 0.0, acks })
}

#[test]
fn duplicates_follow_their_originals() {
    let (arrivals, stats) = cross(vec![duplicate(1.0, false)], 4, MS, 2);
    let order: Vec<(u64, u64)> =
        arrivals.iter().map(|arrival| (arrival.number, arrival.at / MS)).collect();
    assert_eq!(order, [(0, 10), (0, 10), (1, 11), (2, 12), (2, 12), (3, 13)], "no pure ACKs");
    assert_eq!((stats.duplicated_packets, stats.reordered_packets), (2, 0));
    let (arrivals, stats) = cross(vec![duplicate(0.1, true)], MANY, MS, 2);
    assert_eq!(arrivals.len() as u64, MANY + stats.duplicated_packets);
    assert!(
        (share(stats.duplicated_packets) - 0.1).abs() < error(0.1),
        "{}",
        stats.duplicated_packets
    );
}

#[test]
fn corrupted_packets_arrive_and_are_counted() {
    let (arrivals, stats) = cross(vec![corrupt(0.1, false)], MANY, MS, u64::MAX);
    assert_eq!(arrivals.len() as u64, MANY);
    assert!(
        (share(stats.corrupted_packets) - 0.1).abs() < error(0.1),
        "{}",
        stats.corrupted_packets
    );
    assert_eq!(
        arrivals.iter().filter(|arrival| arrival.is_corrupt).count() as u64,
        stats.corrupted_packets
    );
    let (arrivals, _) = cross(vec![corrupt(1.0, false)], 6, MS, 3);
    let intact: Vec<u64> = arrivals
        .iter()
        .filter(|arrival| !arrival.is_corrupt)
        .map(|arrival| arrival.number)
        .collect();
    assert_eq!(intact, [2, 5], "pure ACKs only if asked");
}

/// As with netem, where a copy enters the discipline again.
#[test]
fn a_copy_has_its_own_damage_and_its_own_delay() {
    let mut impairments = vec![duplicate(1.0, false), corrupt(0.5, false)];
    impairments.extend(jitter(Distribution::Uniform { low: 0.0, high: 0.001 }, 0.0, true));
    let (mut arrivals, stats) = cross(impairments, MANY / 2, 2 * MS, u64::MAX);
    arrivals.sort_by_key(|arrival| arrival.number);
    let pairs = || arrivals.chunks(2).map(|two| (&two[0], &two[1]));
    assert_eq!(arrivals.len() as u64, MANY);
    assert!(pairs().all(|(left, right)| left.number == right.number));
    assert!(pairs().filter(|(left, right)| left.at == right.at).count() < 10);
    // One of a pair in half of them: two are, none is, in a quarter each.
    let single = pairs().filter(|(left, right)| left.is_corrupt != right.is_corrupt).count() as u64;
    assert!((2.0 * share(single) - 0.5).abs() < error(0.5) * 2_f64.sqrt(), "{single}");
    assert!((share(stats.corrupted_packets) - 0.5).abs() < error(0.5));
}

/// ECN fields at the far end of packets that were sent with the four codepoints. The queue marks
/// every packet that may be marked if it `marks`.
fn rewritten(rule: EcnRule, marks: bool) -> [Ecn; 4] {
    let threshold = LimitPlan { limit_packets: marks.then_some(0), limit_bytes: None };
    let mut link = EventDriven::new(
        &LinkPlan {
            name: "wire".into(),
            rate_bps: Some(1_000_000_000),
            qdisc: QdiscPlan::Step(StepPlan { limit: LimitPlan::NONE, threshold }),
            impairments: vec![
                ImpairmentPlan::EcnRewrite(EcnRewritePlan { rule }),
                duplicate(1.0, true),
            ],
            ..LinkPlan::default()
        },
        1,
    );
    // The first packet finds nothing that waits.
    let ahead = [Packet { wire_size: 1500, ..Packet::default() }; 2];
    let sent = CODEPOINTS.map(|ecn| Packet { ecn, wire_size: 1500, payload: 1, ..ahead[0] });
    for packet in ahead.iter().chain(&sent) {
        assert!(link.arrive(packet, Time::ZERO, &mut Hosts::default()));
    }
    link.serve(Time::from_ps(1000 * MS), &mut Hosts::default());
    assert_eq!(link.stats.marked_packets, if marks { 2 } else { 0 });
    let mut packet = Packet::default();
    let all: Vec<Ecn> =
        core::iter::from_fn(|| link.deliver(Time::MAX, &mut packet).then_some(packet.ecn))
            .collect();
    assert_eq!(all.len(), 12, "each packet and its copy");
    core::array::from_fn(|at| {
        assert_eq!(all[4 + 2 * at], all[5 + 2 * at]);
        all[4 + 2 * at]
    })
}

const CODEPOINTS: [Ecn; 4] = [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce];

#[test]
fn bleached_packets_carry_nothing() {
    for marks in [false, true] {
        assert_eq!(rewritten(EcnRule::Bleach, marks), [Ecn::NotEct; 4]);
    }
}

/// The queue's mark goes, and the codepoint before it comes back. A packet that came with CE keeps
/// it, as the inner header of a tunnel does.
#[test]
fn a_tunnel_that_drops_the_outer_mark_gives_back_the_inner_codepoint() {
    for marks in [false, true] {
        assert_eq!(rewritten(EcnRule::ClearCe, marks), CODEPOINTS);
    }
}

#[test]
fn ect1_becomes_ect0_and_marks_stay() {
    use Ecn::{Ce, Ect0, NotEct};
    assert_eq!(rewritten(EcnRule::Ect1ToEct0, false), [NotEct, Ect0, Ect0, Ce]);
    assert_eq!(rewritten(EcnRule::Ect1ToEct0, true), [NotEct, Ce, Ce, Ce]);
}
