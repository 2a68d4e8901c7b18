//! The text of a plan. Flows that differ in little are written once, with columns of what differs.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{MOST, Plan, PlanError};
use crate::app::session::SessionPlan;
use crate::app::{AppPlan, SubflowPlan};
use crate::net::link::LinkPlan;
use crate::record::RecordPlan;
use crate::transport::flow::FlowPlan;
use crate::udp::StreamPlan;

/// The plan of one run.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Plan")]
pub(super) struct PlanText {
    /// Seed of all named random streams.
    seed: u64,
    /// Whether the seed draws the order of flows and sessions that start at the same time;
    /// otherwise they start in the order of the plan.
    #[serde(default)]
    draws_start_order: bool,
    /// The run ends at this time, ps, or earlier, when every flow has finished.
    duration_ps: u64,
    /// Metrics count from this time on, ps.
    #[serde(default)]
    warmup_ps: u64,
    /// All links, one entry per direction.
    links: Vec<LinkPlan>,
    /// Links that are left out of `links`, in the order of their models.
    #[serde(default)]
    alike_links: Vec<AlikeLinks>,
    /// All flows.
    flows: Vec<FlowPlan>,
    /// Flows that are left out of `flows`, in the order of their models.
    #[serde(default)]
    alike_flows: Vec<AlikeFlows>,
    /// All UDP streams. Packets and tables number them after the flows.
    #[serde(default)]
    streams: Vec<StreamPlan>,
    /// All sessions. A session runs flows whose application is `session`.
    #[serde(default)]
    sessions: Vec<SessionPlan>,
    /// Tables and time series to record.
    #[serde(default)]
    record: RecordPlan,
}

/// Links that equal another one, their model, but for some keys. They follow their model. A key
/// that differs is a column, with a value for each link; an empty column stands for the model's
/// value.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AlikeLinks {
    /// Place of their model in `links`, as written.
    model: usize,
    /// Names.
    name: Vec<String>,
    /// Line rates, bit/s.
    #[serde(default)]
    rate_bps: Vec<Option<u64>>,
    /// Propagation delays, ps.
    #[serde(default)]
    delay_ps: Vec<u64>,
}

/// Flows that equal another one, their model, but for some keys. They follow their model. A key
/// that differs is a column, with a value for each flow; an empty column stands for the model's
/// value.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AlikeFlows {
    /// Place of their model in `flows`, as written.
    model: usize,
    /// Names.
    name: Vec<String>,
    /// When the SYNs are sent, ps.
    #[serde(default)]
    start_ps: Vec<u64>,
    /// When the applications stop writing, ps.
    #[serde(default)]
    stop_ps: Vec<Option<u64>>,
    /// Applications.
    #[serde(default)]
    app: Vec<AppPlan>,
    /// Parallel transfers of which the flows are subflows.
    #[serde(default)]
    part_of: Vec<Option<SubflowPlan>>,
    /// Links from sender to receiver.
    #[serde(default)]
    path: Vec<Vec<u32>>,
    /// Links from receiver to sender.
    #[serde(default)]
    reverse_path: Vec<Vec<u32>>,
    /// `clock_phase_ps` of the transports.
    #[serde(default)]
    clock_phase_ps: Vec<u64>,
}

/// A group of alike entries of a list.
trait Alike<T> {
    const LIST: &'static str;

    fn model(&self) -> usize;

    fn len(&self) -> usize;

    /// Lengths of the columns that may be empty.
    fn lengths(&self) -> Vec<usize>;

    /// Appends the entries to the list.
    fn append(self, model: &T, list: &mut Vec<T>);
}

/// Sets a key from its column, if the column has values.
fn set<V>(key: &mut V, column: &mut std::vec::IntoIter<V>) {
    if let Some(value) = column.next() {
        *key = value;
    }
}

impl Alike<LinkPlan> for AlikeLinks {
    const LIST: &'static str = "links";

    fn model(&self) -> usize {
        self.model
    }

    fn len(&self) -> usize {
        self.name.len()
    }

    fn lengths(&self) -> Vec<usize> {
        vec![self.rate_bps.len(), self.delay_ps.len()]
    }

    fn append(self, model: &LinkPlan, list: &mut Vec<LinkPlan>) {
        let (mut rates, mut delays) = (self.rate_bps.into_iter(), self.delay_ps.into_iter());
        for name in self.name {
            let mut link = LinkPlan { name, ..model.clone() };
            set(&mut link.rate_bps, &mut rates);
            set(&mut link.delay_ps, &mut delays);
            list.push(link);
        }
    }
}

impl Alike<FlowPlan> for AlikeFlows {
    const LIST: &'static str = "flows";

    fn model(&self) -> usize {
        self.model
    }

    fn len(&self) -> usize {
        self.name.len()
    }

    fn lengths(&self) -> Vec<usize> {
        vec![
            self.start_ps.len(),
            self.stop_ps.len(),
            self.app.len(),
            self.part_of.len(),
            self.path.len(),
            self.reverse_path.len(),
            self.clock_phase_ps.len(),
        ]
    }

    fn append(self, model: &FlowPlan, list: &mut Vec<FlowPlan>) {
        let (mut starts, mut stops) = (self.start_ps.into_iter(), self.stop_ps.into_iter());
        let (mut apps, mut wholes) = (self.app.into_iter(), self.part_of.into_iter());
        let (mut paths, mut back) = (self.path.into_iter(), self.reverse_path.into_iter());
        let mut phases = self.clock_phase_ps.into_iter();
        for name in self.name {
            let mut flow = FlowPlan { name, ..model.clone() };
            set(&mut flow.start_ps, &mut starts);
            set(&mut flow.stop_ps, &mut stops);
            set(&mut flow.app, &mut apps);
            set(&mut flow.part_of, &mut wholes);
            set(&mut flow.path, &mut paths);
            set(&mut flow.reverse_path, &mut back);
            set(&mut flow.transport.clock_phase_ps, &mut phases);
            list.push(flow);
        }
    }
}

/// The list with the entries that are alike in their places.
fn whole<T: Clone, A: Alike<T>>(written: Vec<T>, groups: Vec<A>) -> Result<Vec<T>, PlanError> {
    if groups.is_empty() {
        return Ok(written);
    }
    let list = A::LIST;
    let mut previous = None;
    for group in &groups {
        let (model, length) = (group.model(), group.len());
        if model >= written.len() || previous.is_some_and(|previous| model <= previous) {
            return Err(PlanError::new(format!(
                "alike_{list}: model {model} must be an entry of {list}, after that of the group \
                 before"
            )));
        }
        if group.lengths().iter().any(|&column| column != 0 && column != length) {
            return Err(PlanError::new(format!(
                "alike_{list}: each column must be empty or have {length} values, as name has"
            )));
        }
        previous = Some(model);
    }
    let length = groups.iter().map(Alike::len).fold(written.len(), usize::saturating_add);
    if length > MOST {
        return Err(PlanError::new(format!("{length} {list}: at most {MOST}")));
    }
    let mut all = Vec::with_capacity(length);
    let mut groups = groups.into_iter().peekable();
    for (place, entry) in written.into_iter().enumerate() {
        let model = groups.next_if(|group| group.model() == place).map(|group| {
            let model = entry.clone();
            (group, model)
        });
        all.push(entry);
        if let Some((group, model)) = model {
            group.append(&model, &mut all);
        }
    }
    Ok(all)
}

impl TryFrom<PlanText> for Plan {
    type Error = PlanError;

    fn try_from(text: PlanText) -> Result<Self, PlanError> {
        Ok(Self {
            seed: text.seed,
            draws_start_order: text.draws_start_order,
            duration_ps: text.duration_ps,
            warmup_ps: text.warmup_ps,
            links: whole(text.links, text.alike_links)?,
            flows: whole(text.flows, text.alike_flows)?,
            streams: text.streams,
            sessions: text.sessions,
            record: text.record,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(alike: &str) -> String {
        let link = r#"{"name": "up", "rate_bps": 8000000, "delay_ps": 1000000, "qdisc":
            {"kind": "fifo"}}"#;
        let flow = |name: &str| {
            format!(
                r#"{{"name": "{name}", "cc": "reno", "start_ps": 5, "app": {{"kind": "bulk"}},
                "path": [0], "reverse_path": [1], "transport": {}}}"#,
                include_str!("../../tests/support/linux.json")
            )
        };
        format!(
            r#"{{"seed": 1, "duration_ps": 1000, "links": [{link}], "flows": [{}, {}], {alike}}}"#,
            flow("a"),
            flow("b")
        )
    }

    fn error(alike: &str) -> String {
        serde_json::from_str::<Plan>(&text(alike)).expect_err("it is wrong").to_string()
    }

    #[test]
    fn alike_entries_follow_their_model_and_differ_in_their_columns() {
        let plan: Plan = serde_json::from_str(&text(
            r#""alike_links": [{"model": 0, "name": ["down"], "rate_bps": [null]}],
            "alike_flows": [{"model": 0, "name": ["a.2", "a.3"], "start_ps": [6, 7],
                "clock_phase_ps": [8, 9]}]"#,
        ))
        .expect("a plan");
        let links: Vec<_> = plan.links.iter().map(|link| (&link.name[..], link.rate_bps)).collect();
        assert_eq!(links, [("up", Some(8_000_000)), ("down", None)]);
        let flows: Vec<_> = plan
            .flows
            .iter()
            .map(|flow| (&flow.name[..], flow.start_ps, flow.transport.clock_phase_ps))
            .collect();
        assert_eq!(flows, [("a", 5, 0), ("a.2", 6, 8), ("a.3", 7, 9), ("b", 5, 0)]);
        let long = serde_json::to_string(&plan).expect("text");
        assert_eq!(serde_json::from_str::<Plan>(&long).expect("the long text"), plan);
    }

    #[test]
    fn a_group_that_does_not_fit_is_refused() {
        let short = error(r#""alike_flows": [{"model": 0, "name": ["x", "y"], "start_ps": [6]}]"#);
        assert!(short.contains("alike_flows: each column must be empty or have 2"), "{short}");
        let beyond = error(r#""alike_links": [{"model": 1, "name": []}]"#);
        assert!(beyond.contains("alike_links: model 1 must be an entry of links"), "{beyond}");
        let twice = r#"{"model": 0, "name": []}"#;
        let order = error(&format!(r#""alike_flows": [{twice}, {twice}]"#));
        assert!(order.contains("after that of the group before"), "{order}");
        let unknown = error(r#""alike_flows": [{"model": 0, "name": [], "cc": ["reno"]}]"#);
        assert!(unknown.contains("unknown field `cc`"), "{unknown}");
    }
}
