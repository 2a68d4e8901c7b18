//! Do connections survive wires that duplicate, damage, delay, scatter and reorder packets, all at
//! once?

use ackclock_sim::net::impairment::ImpairmentPlan;
use ackclock_sim::net::loss::LossPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::random::{self, Weather};
use ackclock_sim::{Progress, Simulation};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::{cases, drawn};

/// Largest share of damaged packets: too few to hit every copy of a segment.
const MOST_DAMAGED: f64 = 0.03;

/// Files over wires with all impairments and losses in bursts, with all the time that they need.
fn files_over_impaired_wires() -> impl Strategy<Value = Plan> {
    let weather = Weather { most_random: MOST_DAMAGED, least_period: 10, may_block: false };
    drawn(move |draw| {
        let mut plan = random::network(draw, weather, random::file, false);
        for link in &mut plan.links {
            link.impairments = random::wires(draw, weather);
            let bursts = draw.option(50, |draw| LossPlan::GilbertElliott {
                p: draw.value(0.0..0.01),
                r: draw.value(0.3..1.0),
                loss_bad: 0.7,
                loss_good: 0.0,
                acks: draw.flag(),
            });
            link.loss = bursts.or(link.loss.take());
        }
        plan
    })
}

proptest! {
    #![proptest_config(cases(400))]

    /// Every byte of every file arrives once, and every link's books balance at the end. The bound
    /// on events is generous: an hour for at most 200 kB at no less than 100 kbit/s.
    #[test]
    fn every_file_arrives(plan in files_over_impaired_wires()) {
        let mut simulation = Simulation::new(&plan).expect("the plan is valid");
        let progress = simulation.advance(4_000_000);
        prop_assert_eq!(progress, Progress::Finished, "millions of events for a few files");
        for (at, link) in simulation.network().links.iter().enumerate() {
            let inside = simulation.network().packets_inside(at) as u64;
            let stats = link.stats();
            let gone = stats.delivered_packets + stats.dropped();
            prop_assert_eq!(stats.arrived_packets + stats.duplicated_packets, gone + inside);
            prop_assert!(stats.duplicated_packets <= stats.arrived_packets);
            prop_assert!(stats.reordered_packets <= gone + inside);
        }
        crate::invariants::check_files(&plan, &simulation.finish())?;
    }

    /// Where nothing overtakes, nothing is reordered.
    #[test]
    fn order_is_kept_unless_asked(mut plan in files_over_impaired_wires()) {
        for link in &mut plan.links {
            for impairment in &mut link.impairments {
                match impairment {
                    ImpairmentPlan::Jitter(jitter) => jitter.reorder = false,
                    ImpairmentPlan::DelaySchedule(delays) => delays.reorder = false,
                    ImpairmentPlan::Reorder(reorder) => reorder.p = 0.0,
                    _ => {}
                }
            }
        }
        let mut simulation = Simulation::new(&plan).expect("the plan is valid");
        simulation.advance(100_000);
        for link in &simulation.network().links {
            prop_assert_eq!(link.stats().reordered_packets, 0);
        }
    }
}

/// A plan is checked even if no scenario stands behind it.
#[test]
fn a_distribution_without_end_is_refused() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut plan =
        files_over_impaired_wires().new_tree(&mut runner).expect("there are plans").current();
    plan.links[0].impairments = vec![
        serde_json::from_str(
            r#"{"kind": "jitter", "delay": {"kind": "pareto", "scale": 1, "shape": 1}}"#,
        )
        .unwrap(),
    ];
    let error = Simulation::new(&plan).err().expect("the mean is infinite").to_string();
    assert_eq!(
        error,
        "link link.0: pareto: shape is 1; it must be above 1, or the mean is infinite"
    );
}
