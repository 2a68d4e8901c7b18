//! A fifo link fed with Poisson arrivals against queueing theory. Waiting is in the queue only,
//! without the packet's own transmission.
//!
//! Every figure is a mean over batches of arrivals, each much longer than the queue's memory. The
//! spread of the batch means gives the standard error. The figure must be within four standard
//! errors of theory (by chance 1 in 16,000 is not), and the error must be small enough for a test.

use std::collections::VecDeque;

use ackclock_sim::distribution::{self, Distribution};
use ackclock_sim::net::hosts::Hosts;
use ackclock_sim::net::impairment::{CorruptPlan, ImpairmentPlan};
use ackclock_sim::net::link::{Analytic, Entered, EventDriven, LinkPlan};
use ackclock_sim::packet::Packet;
use ackclock_sim::qdisc::{LimitPlan, QdiscPlan};
use ackclock_sim::{qdisc, rng};
use ackclock_units::{Duration, Time};

const BATCHES: usize = 40;
const BATCH: usize = 50_000;

/// A link of 8 Mbit/s: it takes 1 ms for 1000 bytes.
fn plan(limit_packets: Option<u64>) -> LinkPlan {
    LinkPlan {
        name: "link".into(),
        rate_bps: Some(8_000_000),
        delay_ps: 5_000_000_000,
        qdisc: QdiscPlan::Fifo(LimitPlan { limit_packets, limit_bytes: None }.into()),
        ..LinkPlan::default()
    }
}

fn link(limit_packets: Option<u64>) -> Analytic {
    let plan = plan(limit_packets);
    Analytic::new(&plan, qdisc::admission(&plan.qdisc, None).unwrap(), 1)
}

fn packet(wire_size: u32) -> Packet {
    Packet { wire_size, payload: wire_size, ..Packet::default() }
}

/// Exponential times between the arrivals of all batches, s.
fn gaps(mean: f64) -> Vec<f64> {
    distribution::draw(1, "arrivals", &Distribution::Exponential { mean }, BATCHES * BATCH).unwrap()
}

/// Figures of one batch of arrivals.
struct Batch {
    mean_wait: f64,
    loss_rate: f64,
    mean_backlog: f64,
    arrival_rate: f64,
}

/// Drives the link with Poisson arrivals, `mean_gap` seconds apart on average, of sizes that `size`
/// draws.
fn batches(mut link: Analytic, mean_gap: f64, mut size: impl FnMut() -> u32) -> Vec<Batch> {
    let gaps = gaps(mean_gap);
    let mut now = Time::ZERO;
    // Waits of the packets in the queue. Each counts in the batch in which it is over.
    let mut standing = VecDeque::new();
    let batch = |gaps: &[f64]| {
        let begin = now;
        let (mut wait, mut lost, mut packet_time) = (0.0, 0, 0.0);
        let (mut waited, mut left_packets) = (0.0, 0);
        link.reset_stats(now);
        for gap in gaps {
            let (mut since, mut backlog) = (now, link.backlog().packets);
            now += Duration::from_secs_f64(*gap);
            link.settle(now, |at, left| {
                packet_time += count(backlog) * at.since(since).as_secs_f64();
                (since, backlog) = (at, left.packets);
                waited += standing.pop_front().unwrap_or(f64::NAN);
                left_packets += 1;
            });
            packet_time += count(backlog) * now.since(since).as_secs_f64();
            while link.flight().next() <= now {
                link.deliver(&mut Packet::default());
            }
            let would_wait = link.queue_delay(now).as_secs_f64();
            match link.arrive(&packet(size()), now, &mut Hosts::default()) {
                Entered::Sent { .. } if would_wait > 0.0 => {
                    wait += would_wait;
                    standing.push_back(would_wait);
                }
                Entered::Sent { .. } => left_packets += 1,
                _ => lost += 1,
            }
        }
        let sent = count(BATCH as u64 - lost);
        let (delays, mean) = (&link.stats.queue_delay, waited / count(left_packets));
        let recorded = delays.mean().unwrap().as_secs_f64();
        assert_eq!(delays.count(), left_packets);
        assert!((recorded - mean).abs() < 1e-11, "the link's mean wait is {recorded}, not {mean}");
        #[expect(clippy::cast_precision_loss, reason = "compared to nine digits")]
        let queued = link.queued(now) as f64 * 1e-12;
        assert!(
            (queued - packet_time).abs() <= 1e-9 * packet_time,
            "the link's queue is {queued} packets times s, not {packet_time}"
        );
        assert_eq!((link.stats.arrived_packets, link.stats.dropped_forced), (BATCH as u64, lost));
        Batch {
            mean_wait: wait / sent,
            loss_rate: count(lost) / count(BATCH as u64),
            mean_backlog: packet_time / now.since(begin).as_secs_f64(),
            arrival_rate: count(BATCH as u64) / now.since(begin).as_secs_f64(),
        }
    };
    gaps.chunks(BATCH).map(batch).collect()
}

/// Runs an event-driven link in batches. The wait of a packet counts in the batch in which its
/// transmission begins.
fn event_driven_batches(
    plan: &LinkPlan,
    mean_gap: f64,
    mut size: impl FnMut() -> u32,
) -> Vec<Batch> {
    let mut link = EventDriven::new(plan, 1);
    let gaps = gaps(mean_gap);
    let mut now = Time::ZERO;
    let batch = |gaps: &[f64]| {
        let begin = now;
        link.reset_stats(now);
        for gap in gaps {
            now += Duration::from_secs_f64(*gap);
            while link.next_event() <= now {
                let at = link.next_event();
                link.serve(at, &mut Hosts::default());
                link.deliver(at, &mut Packet::default());
            }
            link.arrive(&packet(size()), now, &mut Hosts::default());
        }
        Batch {
            mean_wait: link.stats.queue_delay.mean().unwrap().as_secs_f64(),
            loss_rate: count(link.stats.dropped_forced) / count(BATCH as u64),
            mean_backlog: f64::NAN,
            arrival_rate: count(BATCH as u64) / now.since(begin).as_secs_f64(),
        }
    };
    gaps.chunks(BATCH).map(batch).collect()
}

/// An event-driven link of 8 Mbit/s.
fn event_driven_plan(limit_packets: Option<u64>) -> LinkPlan {
    let idle = ImpairmentPlan::Corrupt(CorruptPlan { p: 0.0, correlation: 0.0, acks: false });
    LinkPlan { impairments: vec![idle], ..plan(limit_packets) }
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn count(n: u64) -> f64 {
    n as f64
}

/// The mean of the figure is within four standard errors of theory, and the standard error is at
/// most the share `precision` of the theory's value.
fn assert_agrees(
    what: &str,
    batches: &[Batch],
    figure: impl Fn(&Batch) -> f64,
    theory: f64,
    precision: f64,
) {
    let n = count(BATCHES as u64);
    let mean = batches.iter().map(&figure).sum::<f64>() / n;
    let variance =
        batches.iter().map(|b| (figure(b) - mean) * (figure(b) - mean)).sum::<f64>() / (n - 1.0);
    let error = (variance / n).sqrt();
    assert!(
        error <= precision * theory,
        "{what}: the standard error {error} is no test of {theory}"
    );
    assert!((mean - theory).abs() <= 4.0 * error, "{what}: {mean} +- {error}, not {theory}");
}

/// M/D/1: a mean wait of rho / (2 mu (1 - rho)), mu = 1000/s.
#[test]
fn mean_wait_of_m_d_1() {
    for (rho, precision) in [(0.3, 0.002), (0.6, 0.005), (0.9, 0.02)] {
        let batches = batches(link(None), 1e-3 / rho, || 1000);
        let theory = rho / (2.0 * 1000.0 * (1.0 - rho));
        assert_agrees(&format!("rho = {rho}"), &batches, |b| b.mean_wait, theory, precision);
    }
}

/// M/G/1, sizes of 40 and 1500 bytes with equal chances: Pollaczek & Khinchine, lambda E(S^2) / (2
/// (1 - rho)).
#[test]
fn mean_wait_of_two_packet_sizes() {
    let (rho, mean, square) = (0.7, 770e-6, 0.5 * (40e-6 * 40e-6 + 1500e-6 * 1500e-6));
    let mut sizes = rng::stream(1, "sizes");
    let batches =
        batches(link(None), mean / rho, || if rng::unit(&mut sizes) < 0.5 { 40 } else { 1500 });
    let theory = rho / mean * square / (2.0 * (1.0 - rho));
    assert_agrees("mean wait", &batches, |b| b.mean_wait, theory, 0.01);
}

/// Little's law: the mean number of waiting packets is the rate of the packets let in times their
/// mean wait. For a batch it is exact but for the packets that wait at its ends: 20 packets there
/// are 0.2 s of waiting, and a whole batch has 80 s or more.
#[test]
fn waiting_packets_obey_little() {
    for limit in [None, Some(5)] {
        for batch in batches(link(limit), 1e-3 / 0.8, || 1000) {
            let should = batch.arrival_rate * (1.0 - batch.loss_rate) * batch.mean_wait;
            assert!(
                (batch.mean_backlog / should - 1.0).abs() < 0.002,
                "{}, not {should}",
                batch.mean_backlog
            );
        }
    }
}

/// The blocking probability of M/D/1/K, where K includes the packet in transmission. The numbers of
/// packets left behind by departures are a Markov chain on 0 .. K - 1 in which a transmission sees
/// Poisson(rho) arrivals. Solved forwards from state 0 (Gross & Harris, "Fundamentals of Queueing
/// Theory", on M/G/1/K), it gives 1 - 1 / (`p_0` + rho).
fn blocking(rho: f64, k: usize) -> f64 {
    let mut arrivals = vec![libm::exp(-rho)];
    for n in 1..=k {
        arrivals.push(arrivals[n - 1] * rho / count(n as u64));
    }
    let mut p = vec![1.0];
    for n in 0..k - 1 {
        let others: f64 = (1..=n).map(|i| p[i] * arrivals[n - i + 1]).sum();
        p.push((p[n] - p[0] * arrivals[n] - others) / arrivals[0]);
    }
    1.0 - 1.0 / (p[0] / p.iter().sum::<f64>() + rho)
}

/// Without a queue every distribution of service times blocks alike: Erlang's B for one server.
/// With much room the probability is zero, or the share of the load in excess.
#[test]
fn blocking_at_its_known_ends() {
    assert!((blocking(0.8, 1) - 0.8 / 1.8).abs() < 1e-12);
    assert!(blocking(0.5, 30).abs() < 1e-9);
    assert!((blocking(1.5, 30) - (1.0 - 1.0 / 1.5)).abs() < 1e-9);
}

/// A limit of n packets waiting is K = n + 1. The loads are below, at and above the line rate.
#[test]
fn loss_of_m_d_1_k() {
    for (rho, limit, precision) in
        [(0.8, 0, 0.002), (0.8, 4, 0.01), (0.9, 9, 0.02), (1.0, 9, 0.01), (1.2, 19, 0.005)]
    {
        let batches = batches(link(Some(limit)), 1e-3 / rho, || 1000);
        let theory = blocking(rho, usize::try_from(limit).unwrap() + 1);
        assert_agrees(
            &format!("rho = {rho}, {limit} may wait"),
            &batches,
            |b| b.loss_rate,
            theory,
            precision,
        );
    }
}

/// M/D/1 and M/D/1/K, on an event-driven link.
#[test]
fn wait_and_loss_of_m_d_1_on_an_event_driven_link() {
    let batches = event_driven_batches(&event_driven_plan(None), 1e-3 / 0.8, || 1000);
    assert_agrees("wait", &batches, |b| b.mean_wait, 0.8 / (2.0 * 1000.0 * 0.2), 0.01);
    let batches = event_driven_batches(&event_driven_plan(Some(9)), 1e-3 / 0.9, || 1000);
    assert_agrees("loss", &batches, |b| b.loss_rate, blocking(0.9, 10), 0.02);
}

/// M/M/1: packets of exponential sizes with a mean of 1000 bytes wait rho / (mu (1 - rho)), and
/// with room for K the share (1 - rho) rho^K / (1 - rho^(K + 1)) is lost. Rounding sizes to whole
/// bytes changes the second moment by a millionth.
#[test]
fn wait_and_loss_of_m_m_1_on_an_event_driven_link() {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some thousand")]
    fn sizes() -> impl FnMut() -> u32 {
        let mut sizes = rng::stream(1, "sizes");
        move || libm::round(-1000.0 * libm::log(1.0 - rng::unit(&mut sizes))) as u32
    }
    let rho = 0.7;
    let batches = event_driven_batches(&event_driven_plan(None), 1e-3 / rho, sizes());
    assert_agrees("wait", &batches, |b| b.mean_wait, rho / (1000.0 * (1.0 - rho)), 0.01);
    let k = 6.0;
    let batches = event_driven_batches(&event_driven_plan(Some(5)), 1e-3 / rho, sizes());
    let theory = (1.0 - rho) * libm::pow(rho, k) / (1.0 - libm::pow(rho, k + 1.0));
    assert_agrees("loss", &batches, |b| b.loss_rate, theory, 0.02);
}
