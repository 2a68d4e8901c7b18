//! Equal plans give equal numbers, for all cuts of the run into steps and all other parts of the
//! plan.

use crate::plain_plans::{S, dumbbell, flow, link, packets};
use crate::whole_output::text;
use crate::{any_plan, cases, ends_after, run as run_to_end};
use ackclock_sim::app::AppPlan;
use ackclock_sim::net::loss::LossPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::{QdiscPlan, RedPlan};
use ackclock_sim::record::{PacketEvent, RecordPlan, SamplePlan};
use ackclock_sim::transport::plan::EcnMode;
use ackclock_sim::{Output, Progress, Simulation};
use proptest::prelude::*;

/// Runs a plan, about `step` events at a time.
fn run(plan: &Plan, step: u64) -> Output {
    let mut simulation = Simulation::new(plan).expect("the plan is valid");
    while simulation.advance(step) != Progress::Finished {}
    simulation.finish()
}

/// Bound on the events of a random plan.
const MOST: u64 = 10_000;

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_run_is_the_same_in_steps_of_any_size(plan in any_plan()) {
        let mut plan = ends_after(MOST, plan);
        plan.record.samples = SamplePlan::Changes {};
        let reference = text(&run(&plan, MOST));
        for step in [1, 7, 100] {
            let other = text(&run(&plan, step));
            for (line, (left, right)) in reference.iter().zip(&other).enumerate() {
                prop_assert!(left == right, "line {line} differs in steps of {step}");
            }
            prop_assert_eq!(reference.len(), other.len());
        }
    }

    /// The record does not influence the run.
    #[test]
    fn counters_do_not_depend_on_the_record(plan in any_plan()) {
        let mut plan = ends_after(MOST, plan);
        let counters = |output: &Output| {
            let mut lines = text(output);
            lines.truncate(2 + output.flows.len() + output.links.len());
            lines.split_off(1)
        };
        let recorded = run(&plan, MOST);
        plan.record = RecordPlan::default();
        prop_assert_eq!(counters(&recorded), counters(&run(&plan, MOST)));
        plan.record.samples = SamplePlan::Changes {};
        prop_assert_eq!(counters(&recorded), counters(&run(&plan, MOST)));
    }
}

/// Ordinals of the data packets that a link's wire lost.
fn lost_on_wire(output: &Output, link: u32) -> Vec<u64> {
    let rows = &output.packets;
    let (mut entered, mut lost) = (Vec::new(), Vec::new());
    for row in (0..rows.event.len())
        .filter(|row| rows.point[*row] == 2 && rows.place[*row] == link && rows.length[*row] > 0)
    {
        // A loss is written down when the packet's transmission begins.
        let packet = (rows.flow[row], rows.seq[row], rows.ts_val[row]);
        match rows.event[row] {
            event if event == PacketEvent::DropWire as u8 => {
                let at = entered.iter().rposition(|other| *other == packet);
                lost.push(at.expect("it has entered") as u64 + 1);
            }
            event if event == PacketEvent::Send as u8 => entered.push(packet),
            _ => (),
        }
    }
    lost
}

#[test]
fn another_flow_or_link_does_not_move_a_links_losses() {
    let loss = Some(LossPlan::Bernoulli { p: 0.02, acks: false });
    let mut alone = dumbbell(vec![flow("a", "reno", AppPlan::Bulk {})], loss.clone(), 20);
    alone.record.packet_links = vec![0];
    let alone_output = run_to_end(&alone);
    let pattern = lost_on_wire(&alone_output, 0);
    // About 2 % of some thousand packets.
    assert!(pattern.len() > 50, "{}", pattern.len());

    // A second flow over links of its own changes no bit.
    let mut beside = alone.clone();
    beside.links.extend([link("other", 50, loss.clone()), link("other.reverse", 50, loss.clone())]);
    beside.flows.push(flow("b", "cubic", AppPlan::Bulk {}));
    (beside.flows[1].path, beside.flows[1].reverse_path) = (vec![2], vec![3]);
    let beside_output = run_to_end(&beside);
    assert_eq!(format!("{:?}", alone_output.packets), format!("{:?}", beside_output.packets));
    assert_eq!(
        format!("{:?}", alone_output.flows[0].sender),
        format!("{:?}", beside_output.flows[0].sender)
    );

    // A second flow over the link: the packets are others, but those of equal ordinals are lost.
    let mut shared = alone.clone();
    shared.flows.push(flow("b", "cubic", AppPlan::Bulk {}));
    let shared_pattern = lost_on_wire(&run_to_end(&shared), 0);
    assert!(shared_pattern.len() > pattern.len());
    assert_eq!(shared_pattern[..pattern.len()], pattern[..]);

    // Another seed: another pattern.
    alone.seed = 2;
    assert_ne!(lost_on_wire(&run_to_end(&alone), 0)[..20], pattern[..20]);
}

/// Key numbers of three plans. If one of these changes, results change: bump `RESULTS_VERSION` and
/// say why in the changelog.
mod recorded {
    use super::*;

    /// (packets delivered, packets dropped by the queue, by the wire, bytes in order at the
    /// receivers).
    fn key(output: &Output) -> (u64, u64, u64, u64) {
        let stats = &output.links[0].stats;
        let goodput = output.flows.iter().map(|flow| flow.receiver.goodput_bytes).sum();
        (
            stats.delivered_packets,
            stats.dropped_forced + stats.dropped_early,
            stats.dropped_wire,
            goodput,
        )
    }

    /// A queue of 1.5 BDP keeps the line busy through every halving: 50 000 packets of 1500 bytes
    /// in 60 s, less the first round trips.
    #[test]
    fn a_reno_flow_fills_its_line() {
        let output = run_to_end(&dumbbell(vec![flow("f", "reno", AppPlan::Bulk {})], None, 60));
        let (delivered, ..) = key(&output);
        assert!((49_850..=50_000).contains(&delivered), "{delivered}");
        assert_eq!(key(&output), (49_913, 120, 0, 72_271_128));
    }

    /// Of n packets 1 % are lost, with the standard deviation sqrt(n 0.01 0.99). Five standard
    /// deviations are allowed.
    #[test]
    fn five_flows_with_random_loss() {
        let flows =
            (1..=5).map(|n| flow(&format!("f.{n}"), "cos+reno", AppPlan::Bulk {})).collect();
        let output =
            run_to_end(&dumbbell(flows, Some(LossPlan::Bernoulli { p: 0.01, acks: false }), 30));
        let (delivered, _, lost, _) = key(&output);
        let transmitted = delivered + lost;
        let expected = transmitted / 100;
        assert!(lost.abs_diff(expected) < 5 * expected.isqrt(), "{lost} of {transmitted}");
        assert_eq!(key(&output), (24_665, 96, 254, 35_681_616));
    }

    /// 5 MB take 3454 packets (and two of the handshake): 4.145 s of the line, beside a round trip
    /// for the handshake and half of one at the end. With marks instead of drops and a queue kept
    /// short the file takes little more.
    #[test]
    fn a_file_through_red_with_marks() {
        let mut plan = dumbbell(
            vec![flow("f", "hystart+cubic", AppPlan::File { size_bytes: 5_000_000 })],
            None,
            60,
        );
        plan.flows[0].transport.ecn = EcnMode::Classic;
        plan.links[0].qdisc = QdiscPlan::Red(RedPlan {
            limit: packets(200),
            min_threshold: 10.0,
            max_threshold: 30.0,
            max_p: 0.05,
            weight: 0.01,
            gentle: true,
            wait: true,
            adaptive: false,
            byte_mode: false,
            mean_packet_bytes: 1500,
            ecn: true,
        });
        let output = run_to_end(&plan);
        let finished = output.flows[0].finished.expect("the file arrives").as_ps();
        assert!((4_205 * S / 1000..5 * S).contains(&finished), "{finished} ps");
        assert!(output.links[0].stats.marked_packets > 0);
        assert_eq!((finished, output.links[0].stats.marked_packets), (4_292_118_400_000, 5));
        assert_eq!(key(&output), (3456, 0, 0, 5_000_000));
    }
}
