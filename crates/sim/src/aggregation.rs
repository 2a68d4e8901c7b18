//! Aggregation of subflows: the connections that carry one transfer, counted as the one flow that
//! their user sees.

use std::collections::BTreeMap;

use crate::columns::{Divide, Sum};
use crate::output::{FlowOutput, Output};
use crate::plan::Plan;

impl Output {
    /// Aggregates the subflows of each transfer of `plan`, the plan of this run. A transfer's key
    /// is the index of its first subflow.
    #[must_use]
    pub fn transfers(&self, plan: &Plan) -> BTreeMap<usize, FlowOutput> {
        let mut subflows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, flow) in plan.flows.iter().enumerate() {
            if let Some(part) = flow.part_of.as_ref().filter(|part| !part.is_request) {
                subflows.entry(&part.name).or_default().push(index);
            }
        }
        subflows
            .into_iter()
            .map(|(name, subflows)| {
                let outputs: Vec<&FlowOutput> =
                    subflows.iter().map(|index| &self.flows[*index]).collect();
                (subflows[0], FlowOutput::aggregate(name, &outputs))
            })
            .collect()
    }

    /// Shows each row of the table of flows: flows with each of these transfers before its
    /// subflows, then UDP streams.
    pub fn each_flow(
        &self,
        transfers: &BTreeMap<usize, FlowOutput>,
        show: &mut dyn FnMut(&FlowOutput),
    ) {
        for (index, flow) in self.flows.iter().enumerate() {
            if let Some(transfer) = transfers.get(&index) {
                show(transfer);
            }
            show(flow);
        }
        for stream in &self.streams {
            show(&stream.as_flow());
        }
    }
}

impl FlowOutput {
    /// Adds up the subflows of a transfer `name`, of which there is one at least: each counter by
    /// the rule in its definition.
    #[must_use]
    pub fn aggregate(name: &str, subflows: &[&Self]) -> Self {
        let mut whole = Self { name: name.to_owned(), part_of: None, ..subflows[0].clone() };
        for subflow in &subflows[1..] {
            whole.add(subflow);
        }
        whole.divide(u64::try_from(subflows.len()).unwrap_or(u64::MAX));
        whole
    }
}
