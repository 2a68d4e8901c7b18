//! Counters of links at the end of the warm-up and at the end of the run.

use ackclock_sim::Output;
use ackclock_sim::app::AppPlan;
use ackclock_sim::net::impairment::{CorruptPlan, ImpairmentPlan};
use ackclock_sim::net::link::LinkStats;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::QdiscPlan;
use ackclock_sim::record::{RecordPlan, SamplePlan};
use ackclock_units::Time;
use proptest::prelude::*;

use crate::plain_plans::{MS, S, dumbbell, flow, packets};
use crate::{any_plan, cases, ends_after, run};

/// Events of a run: enough for every state of a connection.
const MOST_EVENTS: u64 = 10_000;

/// All that a link counts but its extremes and percentiles, which do not add up.
fn counts(stats: &LinkStats) -> [u128; 14] {
    [
        stats.arrived_packets,
        stats.delivered_packets,
        stats.delivered_bytes,
        stats.dropped_forced,
        stats.dropped_early,
        stats.dropped_policed,
        stats.dropped_wire,
        stats.marked_packets,
        stats.corrupted_packets,
        stats.duplicated_packets,
        stats.reordered_packets,
        stats.queue_delay.count(),
    ]
    .map(u128::from)
    .into_iter()
    .chain([stats.queue_delay.sum_ps(), stats.queued])
    .collect::<Vec<_>>()
    .try_into()
    .expect("there are as many")
}

fn measured(plan: &Plan, warmup_ps: u64, duration_ps: u64) -> Output {
    run(&Plan { warmup_ps, duration_ps, ..plan.clone() })
}

/// Mean of a link's queue by its series of all changes, from `from` to `end`.
fn mean_of_changes(output: &Output, link: u32, from: Time, end: Time) -> f64 {
    let rows = &output.link_samples;
    let of_link = (0..rows.time.len()).filter(|row| rows.link[*row] == link);
    let (mut sum, mut at, mut queue) = (0.0, from.as_secs_f64(), 0.0);
    for row in of_link {
        let time = rows.time[row].max(at);
        sum += queue * (time - at);
        (at, queue) = (time, f64::from(rows.queue_packets[row]));
    }
    let end = end.as_secs_f64();
    (sum + queue * (end - at)) / (end - from.as_secs_f64())
}

proptest! {
    #![proptest_config(cases(150))]

    /// A run that ends at some time, and the rest after a warm-up that ends then, count together
    /// what the whole run counts: nothing is counted twice, and nothing is left out.
    #[test]
    fn both_parts_of_a_run_count_what_the_whole_counts(
        plan in any_plan(),
        share in 0.0..1.0_f64,
    ) {
        let mut plan = ends_after(MOST_EVENTS, plan);
        plan.record = RecordPlan::default();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "some part of the duration"
        )]
        let cut = ((plan.duration_ps as f64 * share) as u64).max(1);
        let whole = measured(&plan, 0, plan.duration_ps);
        prop_assume!(cut < whole.end.as_ps());
        let first = measured(&plan, 0, cut);
        let rest = measured(&plan, cut, plan.duration_ps);
        prop_assert_eq!(first.end.as_ps(), cut);
        for (link, whole) in whole.links.iter().enumerate() {
            let [first, rest] = [&first, &rest].map(|part| counts(&part.links[link].stats));
            let sum: Vec<u128> = first.iter().zip(rest).map(|(early, late)| early + late).collect();
            prop_assert_eq!(counts(&whole.stats).to_vec(), sum, "{}", &whole.name);
        }
        for (flow, whole) in whole.flows.iter().enumerate() {
            let lost = |output: &Output| {
                let flow = &output.flows[flow];
                (flow.lost_by_cause.unwrap_or_default(), flow.marked_packets)
            };
            let (first, rest) = (lost(&first), lost(&rest));
            let sums = first.0.iter().zip(rest.0).map(|(early, late)| early + late);
            let sum: Vec<_> = sums.collect();
            prop_assert_eq!(whole.lost_by_cause.unwrap_or_default().to_vec(), sum);
            prop_assert_eq!(whole.marked_packets, first.1 + rest.1);
        }
    }

    /// The series has a row for each change, with a time of 53 bits.
    #[test]
    fn the_mean_queue_is_that_of_the_series_of_all_changes(plan in any_plan()) {
        let mut plan = ends_after(MOST_EVENTS, plan);
        plan.record = RecordPlan { samples: SamplePlan::Changes {}, ..RecordPlan::default() };
        let output = run(&plan);
        prop_assume!(output.measured.as_ps() > 0);
        let from = Time::from_ps(plan.warmup_ps);
        for (id, link) in (0..).zip(&output.links).filter(|(_, link)| link.rate_bps.is_some()) {
            #[expect(clippy::cast_precision_loss, reason = "compared to six digits")]
            let mean = link.stats.queued as f64 / link.measured.as_ps() as f64;
            let series = mean_of_changes(&output, id, from, output.end);
            let error = (mean - series).abs();
            prop_assert!(error <= 1e-6 * series + 1e-9, "{}: {mean}, not {series}", link.name);
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// A departure has its row when it happens, with what has reached the far end by then, also
    /// if nothing comes after it.
    #[test]
    fn a_run_that_ends_earlier_has_the_first_rows_of_all_changes(
        plan in any_plan(),
        parts in 2..5_u64,
    ) {
        let mut plan = ends_after(MOST_EVENTS, plan);
        plan.record = RecordPlan { samples: SamplePlan::Changes {}, ..RecordPlan::default() };
        let cut = (plan.duration_ps / parts).max(1);
        plan.warmup_ps = plan.warmup_ps.min(cut - 1);
        let whole = run(&plan);
        prop_assert!(whole.link_samples.time.is_sorted());
        let first = run(&Plan { duration_ps: cut, ..plan });
        let rows = |output: &Output| {
            let rows = &output.link_samples;
            let early = rows.time.partition_point(|time| *time < first.end.as_secs_f64());
            let row = |at: usize| {
                let queue = (rows.queue_packets[at], rows.queue_bytes[at], rows.queue_delay[at]);
                let counts = (rows.dropped[at], rows.marked[at], rows.delivered_bytes[at]);
                format!("{} {} {queue:?} {counts:?}", rows.time[at], rows.link[at])
            };
            (0..early).map(row).collect::<Vec<_>>()
        };
        prop_assert_eq!(rows(&first), rows(&whole));
    }
}

/// A buffer of 100 packets that stays full to the end of a short run: 2 Mbit/s over 10 ms. Samples
/// of every millisecond differ from the integral by what the queue changes within one, less than a
/// packet.
#[test]
fn a_queue_that_stands_at_the_end_counts_up_to_the_end() {
    let mut plan = dumbbell(vec![flow("f", "reno", AppPlan::Bulk {})], None, 2);
    for link in &mut plan.links {
        link.delay_ps = 10 * MS;
    }
    (plan.links[0].rate_bps, plan.links[1].rate_bps) = (Some(2_000_000), None);
    plan.links[0].qdisc = QdiscPlan::Fifo(packets(100).into());
    plan.record.samples = SamplePlan::Period { period_ps: MS };
    let mut neutral = plan.clone();
    let nothing = CorruptPlan { p: 0.0, correlation: 0.0, acks: true };
    neutral.links[0].impairments = vec![ImpairmentPlan::Corrupt(nothing)];
    let mut figures = Vec::new();
    for plan in [plan, neutral] {
        let output = run(&plan);
        let (rows, stats) = (&output.link_samples, &output.links[0].stats);
        let of_link = (0..rows.time.len()).filter(|row| rows.link[*row] == 0);
        let queues: Vec<f64> = of_link.map(|row| f64::from(rows.queue_packets[row])).collect();
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let (samples, mean) = (
            queues.iter().sum::<f64>() / queues.len() as f64,
            stats.queued as f64 / (2 * S) as f64,
        );
        assert!(queues.last().is_some_and(|last| *last > 50.0), "no queue stands at the end");
        assert!((mean - samples).abs() < 0.5, "{mean}, and {samples} by samples");
        assert!(stats.queue_delay.max().is_some_and(|longest| longest.as_ps() < 2 * S));
        figures.push(format!("{:?} {}", stats.queue_delay, stats.queued));
    }
    assert_eq!(figures[0], figures[1]);
}
