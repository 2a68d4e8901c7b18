//! The graph of links and hosts, and whether a run can be cut at its edges.

use std::collections::BTreeMap;

use ackclock_units::Duration;

use crate::app::AppPlan;
use crate::event::{Moment, Source};
use crate::net::Network;
use crate::net::transit::{Edge, Fed, Feeder, Inbox};
use crate::plan::Plan;
use crate::transport::flow::FlowPlan;

/// Least time around a circle of links for which rounds are worth it. Rounds are about as long.
const LEAST_CIRCLE: Duration = Duration::from_micros(1);

/// Hosts that one link reaches last: what reaches them is known as far as the link has come.
#[derive(Default)]
pub(super) struct Hosts {
    pub receivers: Vec<u32>,
    pub senders: Vec<u32>,
    pub sinks: Vec<u32>,
    /// Edges that they feed.
    pub edges: Vec<u32>,
}

impl Hosts {
    /// Whether no host is behind the link.
    pub fn is_empty(&self) -> bool {
        self.receivers.is_empty() && self.senders.is_empty() && self.sinks.is_empty()
    }
}

/// Links and hosts, and the edges between them.
#[derive(Default)]
pub(super) struct Graph {
    /// By link: the edges into it.
    pub feeders: Vec<Vec<Fed>>,
    /// By link: the hosts behind it.
    pub hosts: Vec<Hosts>,
    /// Links, in an order in which packets mostly cross them.
    pub order: Vec<Source>,
    /// Links with senders behind them.
    pub before_senders: Vec<Source>,
    /// Flows that act together: those of sessions and parallel transfers.
    pub coupled: Vec<u32>,
    /// Edges that coupled flows feed.
    pub coupled_edges: Vec<u32>,
    /// Edges that the streams feed.
    pub stream_edges: Vec<u32>,
}

/// Whether the flow's connection acts together with others: through a session, or through an
/// application that they share.
pub(super) fn is_of_party(flow: &FlowPlan) -> bool {
    flow.app == AppPlan::Session {} || flow.part_of.is_some() && flow.app != AppPlan::Bulk {}
}

/// Whether a run of the plan can be cut into rounds: every packet takes time to cross a link, and
/// more of it to come back around a circle of links and hosts.
pub(super) fn can_be_cut(plan: &Plan, network: &Network) -> bool {
    let sources = 2 * plan.flows.len() + plan.streams.len() + plan.sessions.len();
    network.links.len() + sources < Moment::MOST_SOURCES
        && plan.flows.iter().all(|flow| flow.transport.header_bytes > 0)
        && plan.streams.iter().all(|stream| stream.header_bytes > 0)
        && network.links.iter().all(|link| link.least_delay() > Duration::ZERO)
        && plan.record.decision_flows.is_empty()
        && !ends_with_a_session(plan)
        && !has_short_circle(plan, network)
}

/// Whether the run may end with a session. Each of its events could be the last one, so that rounds
/// would be as short as they are.
fn ends_with_a_session(plan: &Plan) -> bool {
    let is_endless = |flow: &FlowPlan| flow.app == AppPlan::Bulk {} && flow.stop_ps.is_none();
    !plan.sessions.is_empty() && plan.streams.is_empty() && !plan.flows.iter().any(is_endless)
}

/// Whether packets that cause each other can go around a circle in less than [`LEAST_CIRCLE`].
fn has_short_circle(plan: &Plan, network: &Network) -> bool {
    let count = network.links.len();
    let is_short: Vec<bool> =
        network.links.iter().map(|link| link.least_delay() < LEAST_CIRCLE).collect();
    // Short links and hosts that follow each other. Hosts of coupled flows follow all its links.
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    for (flow, [path, back]) in plan.paths().enumerate() {
        let together = plan.flows.get(flow).is_some_and(is_of_party);
        for (path, next) in [(path, back), (back, path)] {
            for pair in path.windows(2) {
                after[pair[0] as usize].push(pair[1] as usize);
            }
            let (Some(last), Some(first)) = (path.last(), next.first()) else { continue };
            if together {
                after[*last as usize].push(count);
                after[count].push(*first as usize);
            } else {
                after[*last as usize].push(*first as usize);
            }
        }
    }
    let is_short = |node: usize| node == count || is_short[node];
    // Nodes without a short one before them go, until none is left or all are in circles.
    let mut before = vec![0_usize; count + 1];
    for next in (0..=count).filter(|node| is_short(*node)).flat_map(|node| &after[node]) {
        before[*next] += 1;
    }
    let mut free: Vec<usize> =
        (0..=count).filter(|node| is_short(*node) && before[*node] == 0).collect();
    let mut left = (0..=count).filter(|node| is_short(*node)).count();
    while let Some(node) = free.pop() {
        left -= 1;
        for next in &after[node] {
            before[*next] -= 1;
            if before[*next] == 0 && is_short(*next) {
                free.push(*next);
            }
        }
    }
    left > 0
}

impl Graph {
    /// Finds links, hosts and edges, and makes the edges in the network.
    #[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds flows and links")]
    pub fn new(plan: &Plan, network: &mut Network) -> Self {
        let links = network.links.len();
        let mut graph = Self {
            feeders: vec![Vec::new(); links],
            hosts: (0..links).map(|_| Hosts::default()).collect(),
            ..Self::default()
        };
        network.transit.is_last = vec![true; links];
        let mut depth = vec![0_usize; links];
        let mut known: BTreeMap<(Source, Feeder), u32> = BTreeMap::new();
        let mut edge_of_hop = Vec::new();
        for (flow, [path, back]) in (0_u32..).zip(plan.paths()) {
            let of_flow = plan.flows.get(flow as usize);
            let together = of_flow.is_some_and(is_of_party);
            if together {
                graph.coupled.push(flow);
            }
            for (path, reached_by, is_back) in [(path, back, false), (back, path, true)] {
                let host = match reached_by.last() {
                    _ if together => Feeder::Coupled,
                    Some(link) if of_flow.is_some() => Feeder::Hosts(*link),
                    _ => Feeder::Streams,
                };
                let mut by = host;
                for (hop, link) in path.iter().enumerate() {
                    let to = *link as usize;
                    depth[to] = depth[to].max(hop + if is_back { 1 << 8 } else { 0 });
                    let edge = *known.entry((*link, by)).or_insert_with(|| {
                        let edge = network.transit.edges.len() as u32;
                        network.transit.edges.push(Edge::default());
                        graph.feeders[to].push(Fed { edge, by });
                        match by {
                            Feeder::Link(_) => (),
                            Feeder::Hosts(link) => graph.hosts[link as usize].edges.push(edge),
                            Feeder::Coupled => graph.coupled_edges.push(edge),
                            Feeder::Streams => graph.stream_edges.push(edge),
                        }
                        edge
                    });
                    edge_of_hop.push(edge);
                    network.transit.is_last[to] &= hop + 1 == path.len();
                    by = Feeder::Link(*link);
                }
                let Some(last) = path.last().filter(|_| !together) else { continue };
                let hosts = &mut graph.hosts[*last as usize];
                match (of_flow, is_back) {
                    (None, _) => hosts.sinks.push(flow),
                    (Some(_), false) => hosts.receivers.push(flow),
                    (Some(_), true) => hosts.senders.push(flow),
                }
            }
        }
        for hosts in &mut graph.hosts {
            hosts.receivers.shrink_to_fit();
            hosts.senders.shrink_to_fit();
        }
        graph.order = (0..links as Source).collect();
        graph.order.sort_by_key(|link| depth[*link as usize]);
        let has_senders = |link: &Source| !graph.hosts[*link as usize].senders.is_empty();
        graph.before_senders = (0..links as Source).filter(has_senders).collect();
        let inboxes = |count: usize| (0..count).map(|_| Inbox::default()).collect();
        network.transit.edge_of_hop = edge_of_hop;
        network.transit.data = inboxes(plan.flows.len() + plan.streams.len());
        network.transit.acks = inboxes(plan.flows.len());
        network.transit.numbers = vec![0; links];
        network.transit.left = vec![0; links];
        graph
    }
}
