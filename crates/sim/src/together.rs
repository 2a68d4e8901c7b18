//! The connections that carry one transfer, counted as the one flow that it is for its user.

use std::collections::BTreeMap;

use ackclock_units::{Duration, Time};

use crate::histogram::DurationHistogram;
use crate::plan::Plan;
use crate::sim::{FlowOutput, Output};
use crate::transport::receiver::ReceiverStats;
use crate::transport::sender::SenderStats;

impl Output {
    /// The transfers that several flows of `plan`, which gave this, carried: each by the index of its first connection.
    #[must_use]
    pub fn transfers(&self, plan: &Plan) -> BTreeMap<usize, FlowOutput> {
        let mut parts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, flow) in plan.flows.iter().enumerate() {
            if let Some(part) = flow.part_of.as_ref().filter(|part| !part.is_request) {
                parts.entry(&part.name).or_default().push(index);
            }
        }
        parts
            .into_iter()
            .map(|(name, parts)| {
                let connections: Vec<&FlowOutput> = parts.iter().map(|index| &self.flows[*index]).collect();
                (parts[0], FlowOutput::together(name, &connections))
            })
            .collect()
    }
}

impl FlowOutput {
    /// The transfer `name` of these connections: what they counted together. It finishes when the last of them does; what
    /// limited it, and for how long, is the mean over them; its largest window is the largest of theirs.
    #[must_use]
    pub fn together(name: &str, parts: &[&Self]) -> Self {
        let mut sender = SenderStats::default();
        let mut receiver = ReceiverStats::default();
        let mut rtt = DurationHistogram::new();
        for part in parts {
            sender.add(&part.sender);
            receiver.add(&part.receiver);
            rtt.add(&part.rtt);
        }
        let count = u64::try_from(parts.len()).unwrap_or(u64::MAX).max(1);
        sender.limited = sender.limited.map(|spent| spent / count);
        if let Some(account) = &mut sender.account {
            account.divide(count);
        }
        let finished: Option<Vec<Time>> = parts.iter().map(|part| part.finished).collect();
        Self {
            name: name.to_owned(),
            cc: parts.first().map_or_else(String::new, |part| part.cc.clone()),
            start: parts.iter().map(|part| part.start).min().unwrap_or(Time::ZERO),
            finished: finished.and_then(|times| times.into_iter().max()),
            active: parts.iter().map(|part| part.active).max().unwrap_or(Duration::ZERO),
            base_rtt: parts.first().map_or(Duration::ZERO, |part| part.base_rtt),
            sender,
            receiver,
            lost_packets: parts.iter().map(|part| part.lost_packets).sum(),
            lost_by_cause: std::array::from_fn(|cause| parts.iter().map(|part| part.lost_by_cause[cause]).sum()),
            marked_packets: parts.iter().map(|part| part.marked_packets).sum(),
            rtt,
        }
    }
}
