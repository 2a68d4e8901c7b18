//! The record of decisions: it changes nothing, it is complete, and every rule has a source.

use ackclock_cc::entry::Make;
use ackclock_cc::registry::catalogue;
use ackclock_sim::app::AppPlan;
use ackclock_sim::net::loss::LossPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::record::{CallKind, Cause, DecisionColumns, NO_RULE, SamplePlan};
use ackclock_sim::transport::accounting::Limit;
use ackclock_sim::{Progress, Simulation};
use proptest::prelude::*;

use crate::plain_plans::{dumbbell, flow};
use crate::whole_output::text;
use crate::{any_plan, cases, ends_after, run};

/// Events of a run: enough for every state of a connection.
const MOST_EVENTS: u64 = 10_000;

fn recorded(mut plan: Plan) -> Plan {
    plan.record.decision_flows = (0..).take(plan.flows.len()).collect();
    plan
}

fn text_by_events(plan: &Plan) -> Vec<String> {
    let mut simulation = Simulation::by_events(plan).expect("the plan is valid");
    assert_eq!(simulation.advance(u64::MAX), Progress::Finished);
    text(&simulation.finish())
}

proptest! {
    #![proptest_config(cases(60))]

    /// The run is the same with and without the record.
    #[test]
    fn the_record_changes_nothing(mut plan in any_plan(), samples in any::<bool>()) {
        if samples {
            plan.record.samples = SamplePlan::Changes {};
        }
        let plan = ends_after(MOST_EVENTS, plan);
        let with = recorded(plan.clone());
        let (without, with) = (text_by_events(&plan), text_by_events(&with));
        for (left, right) in without.iter().zip(&with) {
            prop_assert_eq!(left, right);
        }
    }
}

proptest! {
    #![proptest_config(cases(40))]

    /// Rows add up to the counters, and each begins where the one before it ended.
    #[test]
    fn rows_add_up(plan in any_plan()) {
        let mut plan = recorded(ends_after(MOST_EVENTS, plan));
        plan.warmup_ps = 0;
        let output = run(&plan);
        let table = &output.decisions;
        for (index, flow) in (0..).zip(&output.flows) {
            let rows: Vec<usize> =
                (0..table.height()).filter(|row| table.flow[*row] == index).collect();
            let sent: u64 = rows.iter().map(|row| u64::from(table.sent[*row])).sum();
            let again: u64 = rows.iter().map(|row| u64::from(table.retransmitted[*row])).sum();
            let acked: u64 = rows.iter().map(|row| table.acked_bytes[*row]).sum();
            prop_assert_eq!(sent, flow.sender.sent_packets);
            prop_assert_eq!(again, flow.sender.retransmitted_packets);
            prop_assert_eq!(acked, flow.sender.acked_bytes);
        }
        for row in 0..table.height() {
            prop_assert!(usize::from(table.cause[row]) < Cause::NAMES.len());
            prop_assert!(usize::from(table.held_by[row]) < Limit::NAMES.len());
            prop_assert!(table.cwnd[row] > 0.0);
            for rule in [table.rule[row], table.transport_rule[row]] {
                prop_assert!(rule == NO_RULE || usize::from(rule) < table.names.len());
            }
        }
    }
}

/// Twenty seconds with losses.
fn hard(cc: &str) -> Plan {
    let loss = LossPlan::Bernoulli { p: 0.01, acks: false };
    recorded(dumbbell(vec![flow("one", cc, AppPlan::Bulk {})], Some(loss), 20))
}

fn rules(table: &DecisionColumns, call: CallKind) -> Vec<&str> {
    let rows = (0..table.height()).filter(|row| table.told[*row] == call as u8);
    let mut rules: Vec<&str> = rows
        .filter(|row| table.rule[*row] != NO_RULE)
        .map(|row| table.names[usize::from(table.rule[row])].as_ref())
        .collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

#[test]
fn every_algorithm_gives_its_rules_with_their_sources() {
    for entry in catalogue() {
        let spec = match entry.make {
            Make::SlowStart(_) => format!("{}+reno", entry.name),
            Make::Avoidance { .. } | Make::Whole(_) => entry.name.to_owned(),
        };
        let output = run(&hard(&spec));
        let table = &output.decisions;
        assert!(!rules(table, CallKind::Ack).is_empty(), "{spec}");
        assert!(!rules(table, CallKind::Loss).is_empty(), "{spec}");
        for rule in &table.names {
            assert!(rule.ends_with(')'), "{spec}: {rule}");
            assert!(!rule.contains(" decides"), "{spec}: {rule}");
        }
    }
}
