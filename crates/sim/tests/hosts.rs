//! The time that hosts take for each packet that reaches them.

use crate::plain_plans::{MS, dumbbell, flow};
use crate::run;
use ackclock_sim::Output;
use ackclock_sim::app::AppPlan;
use ackclock_sim::distribution::Distribution;
use ackclock_sim::net::impairment::{ImpairmentPlan, JitterPlan};
use ackclock_sim::plan::Plan;
use ackclock_sim::record::{PacketEvent, SamplePlan};
use ackclock_units::Duration;

const FOUR_MS: Distribution = Distribution::Fixed { value: 4e-3 };

fn two_flows(seconds: u64) -> Plan {
    let flows = vec![flow("a", "reno", AppPlan::Bulk {}), flow("b", "cubic", AppPlan::Bulk {})];
    dumbbell(flows, None, seconds)
}

/// All counters of flows and links, but not the base RTTs.
fn told(output: &Output) -> String {
    let flows: Vec<_> =
        output.flows.iter().map(|flow| (&flow.sender, &flow.receiver, &flow.rtt)).collect();
    let links: Vec<_> = output.links.iter().map(|link| &link.stats).collect();
    format!("{flows:?} {links:?} {:?} {:?}", output.flow_samples, output.internals)
}

#[test]
fn what_every_host_takes_over_every_packet_is_more_delay() {
    let mut slow_hosts = two_flows(20);
    slow_hosts.record.samples = SamplePlan::Changes {};
    let mut long_path = slow_hosts.clone();
    for flow in &mut slow_hosts.flows {
        flow.transport.host_time = Some(FOUR_MS);
    }
    for link in &mut long_path.links {
        link.delay_ps += 4 * MS;
    }
    let (slow, long) = (run(&slow_hosts), run(&long_path));
    assert_eq!(told(&slow), told(&long));
    assert_eq!(slow.flows[0].base_rtt, Duration::from_millis(40));
    assert_eq!(slow.events, long.events);
}

/// Both flows share the last link of both ways. Packets of one overtake those of the other there,
/// and the hosts of one flow do not delay the other.
#[test]
fn hosts_delay_their_own_flow_only() {
    let file = || AppPlan::File { size_bytes: 1448 };
    let mut plan =
        dumbbell(vec![flow("slow", "reno", file()), flow("quick", "reno", file())], None, 5);
    plan.flows[0].transport.host_time = Some(FOUR_MS);
    // The slow flow's packets are before the quick one's on the wire.
    plan.flows[1].start_ps = MS;
    let least = |plan: &Plan, flow: usize| {
        let sample = run(plan).flows[flow].rtt.min();
        sample.expect("it has sent").as_secs_f64()
    };
    let mut without = plan.clone();
    without.flows[0].transport.host_time = None;
    assert!((least(&plan, 0) - least(&without, 0) - 8e-3).abs() < 1e-9);
    assert!((least(&plan, 1) - least(&without, 1)).abs() < 1e-9);
}

/// Makes the hosts' times vary by more than the gaps between packets.
fn restless(plan: &mut Plan) {
    for flow in &mut plan.flows {
        flow.transport.host_time = Some(Distribution::Exponential { mean: 5e-3 });
    }
}

#[test]
fn a_flow_stays_in_order_whatever_its_hosts_take() {
    let mut plan = two_flows(10);
    restless(&mut plan);
    plan.record.packet_receivers = vec![0, 1];
    let output = run(&plan);
    let packets = &output.packets;
    let mut next = [0; 2];
    let mut count = 0;
    for row in 0..packets.time_ns.len() {
        let is_data = packets.is_ack[row] == 0 && packets.length[row] > 0;
        if is_data && packets.event[row] == PacketEvent::Receive as u8 {
            let next = &mut next[packets.flow[row] as usize];
            // Only a retransmission begins before the highest byte so far.
            count += u64::from(packets.seq[row] < *next);
            *next = (packets.seq[row] + u64::from(packets.length[row])).max(*next);
        }
    }
    let retransmitted: u64 =
        output.flows.iter().map(|flow| flow.sender.retransmitted_packets).sum();
    assert!(count <= retransmitted, "{count} out of order, {retransmitted} retransmitted");
    assert!(output.flows.iter().all(|flow| flow.sender.timeouts == 0));
}

/// A link counts reordering by its wire, as of netem's jitter. The hosts' times change the order of
/// packets too, but do not count.
#[test]
fn a_link_counts_as_reordered_what_its_wire_did() {
    let mut plan = two_flows(10);
    plan.links[0].impairments = vec![ImpairmentPlan::Jitter(JitterPlan {
        delay: Distribution::Fixed { value: 1e-3 },
        correlation: 0.0,
        reorder: true,
    })];
    restless(&mut plan);
    assert_eq!(run(&plan).links[0].stats.reordered_packets, 0);
}
