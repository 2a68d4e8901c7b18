//! Does each discipline do what its file says of it?

use ackclock_sim::packet::{Ecn, Packet};
use ackclock_sim::qdisc::{CATALOGUE, Discipline, QdiscPlan, Traits, Trouble, admission};
use ackclock_sim::rng;
use ackclock_units::Rate;
use serde_json::{Value, json};

use super::desk::{Desk, ms, packet};

const SIZE: u32 = 1500;
const MS: u64 = 1_000_000_000;
const LIMIT: u64 = 100;

/// A plan of each kind; `inside` is the discipline within those that hold another.
fn plan(kind: &str, inside: &Value) -> QdiscPlan {
    let limit = json!({ "limit_packets": LIMIT });
    let codel = json!({ "target_ps": 5 * MS, "interval_ps": 100 * MS, "ecn": true });
    let pie = json!({
        "target_ps": 15 * MS, "tupdate_ps": 15 * MS, "alpha": 0.125, "beta": 1.25,
        "max_burst_ps": 150 * MS, "ecn": true, "ecn_prob": 1.0, "bytemode": false,
        "dq_rate_estimator": false, "mtu_bytes": SIZE,
    });
    let mut plan = match kind {
        "fifo" => limit.clone(),
        "red" => json!({
            "limit": limit, "min_threshold": 10.0, "max_threshold": 60.0, "max_p": 0.1,
            "weight": 0.002, "gentle": true, "wait": true, "adaptive": false, "byte_mode": false,
            "mean_packet_bytes": SIZE, "ecn": true,
        }),
        "step" => json!({ "limit": limit, "threshold": { "limit_packets": 20 } }),
        "codel" => json!({ "limit": limit, "control": codel }),
        "fq_codel" => json!({
            "limit": limit, "control": codel, "flows": 1024, "quantum_bytes": 1514,
            "memory_limit_bytes": 32 << 20, "drop_batch": 64,
        }),
        "pie" => json!({ "limit": limit, "control": pie }),
        "fq_pie" => json!({
            "limit": { "limit_packets": 10_000 }, "control": pie, "flows": 1024,
            "quantum_bytes": 1514, "memory_limit_bytes": 32 << 20,
        }),
        "cobalt" => json!({
            "limit": limit, "target_ps": 5 * MS, "interval_ps": 100 * MS, "ecn": true,
            "p_inc": 0.01, "p_dec": 0.001,
        }),
        "dualpi2" => json!({
            "limit": { "limit_packets": 10_000 }, "target_ps": 15 * MS, "tupdate_ps": 16 * MS,
            "alpha": 0.16, "beta": 3.2, "coupling_factor": 2.0,
            "step": { "kind": "time", "ps": MS }, "drop_on_overload": true, "drop_enqueue": false,
            "classic_protection": 10, "any_ect": false, "mtu_bytes": SIZE,
        }),
        "prio" => json!({ "children": [inside, inside], "priomap": vec![0; 16] }),
        "drr" => json!({ "limit": limit, "quantum_bytes": SIZE, "by": "flow" }),
        "tbf" => json!({
            "rate_bps": 1_000_000_000_000_u64, "burst_bytes": 100_000_000, "qdisc": inside,
        }),
        other => panic!("give a plan of {other} here"),
    };
    plan["kind"] = json!(kind);
    serde_json::from_value(plan).expect("a plan")
}

/// Behaviour under an overload.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an observation of its own")]
struct Story {
    /// Whether the generator of random numbers has moved.
    draws: bool,
    /// Packets that left, in order.
    left: Vec<u64>,
    drops_waiting: bool,
    marks: bool,
    overtakes: bool,
    /// Packets of the slower of two flows that left, as a share of those sent.
    slower: f64,
    /// Packets that left before the one of L4S that came after 50 others.
    before_l4s: u64,
}

/// For ten seconds flow 1 sends three packets per millisecond, flow 2 one, and two leave. Half of
/// the packets can be marked.
fn overload(plan: &QdiscPlan, seed: u64) -> Story {
    let mut desk = Desk::new(Discipline::new(plan, Some(Rate::from_bps(24_000_000))));
    desk.rate = Some(Rate::from_bps(24_000_000));
    desk.rng = rng::stream(seed, "link/desk/qdisc");
    let (mut story, mut number, mut last, mut left) = (Story::default(), 0, 0, 0_u32);
    for now in 0..10_000 {
        for flow in [1, 1, 2, 1] {
            number += 1;
            let ecn = if number % 2 == 0 { Ecn::Ect0 } else { Ecn::NotEct };
            let _ = desk.put(ms(now), Packet { ecn, ..packet(flow, number, SIZE) });
        }
        for _ in 0..2 {
            let Some(next) = desk.take(ms(now)) else { continue };
            story.overtakes |= next.seq < last;
            last = next.seq;
            story.left.push(next.seq);
            left += u32::from(next.flow == 2);
        }
        for (trouble, _) in desk.troubles() {
            story.drops_waiting |= matches!(trouble, Trouble::Dropped(_));
            story.marks |= trouble == Trouble::Marked;
        }
    }
    story.draws = desk.rng != rng::stream(seed, "link/desk/qdisc");
    story.slower = f64::from(left) / 10_000.0;
    let after;
    (story.before_l4s, after) = around_l4s(plan);
    story.overtakes |= after > 0;
    story
}

/// Number of packets that leave before one of L4S that came last, and after it.
fn around_l4s(plan: &QdiscPlan) -> (u64, u64) {
    let mut desk = Desk::new(Discipline::new(plan, Some(Rate::from_bps(24_000_000))));
    for number in 1..=50 {
        let _ = desk.put(ms(0), packet(1, number, SIZE));
    }
    let _ = desk.put(ms(0), Packet { ecn: Ecn::Ect1, ..packet(1, 51, SIZE) });
    let order: Vec<u64> =
        std::iter::from_fn(|| desk.take(ms(0))).map(|packet| packet.seq).collect();
    let before = order.iter().take_while(|&&seq| seq != 51).count();
    (before as u64, order.len().saturating_sub(before + 1) as u64)
}

/// Plans with two disciplines inside: one in order of arrival, and one fair.
fn plans(kind: &str) -> [QdiscPlan; 2] {
    let inside =
        |kind: &str| serde_json::to_value(plan(kind, &Value::Null)).expect("a plan is plain data");
    [inside("fifo"), inside("drr")].map(|inside| plan(kind, &inside))
}

#[test]
fn a_discipline_does_what_its_traits_say_with_all_disciplines_inside() {
    let mut faults = Vec::new();
    for traits in CATALOGUE {
        let Traits { kind, draws, keeps_waiting, in_order, is_fair, marks, serves_l4s, .. } =
            *traits;
        let plans = plans(kind);
        let stories = plans.each_ref().map(|plan| overload(plan, 1));
        let some = |holds: fn(&Story) -> bool| stories.iter().any(holds);
        // The place of a flow in a hash is drawn, too, but changes nothing of the order here.
        let is_equal = overload(&plans[0], 2).left == stories[0].left;
        let claims = [
            ("draws", if draws { some(|it| it.draws) } else { is_equal }),
            // A queue for each flow promises nothing, though FQ-PIE drops arrivals alone.
            ("keeps_waiting", !(keeps_waiting && some(|it| it.drops_waiting))),
            ("in_order", some(|it| it.overtakes) != in_order),
            // With a fifo the slower flow gets half: as much as all packets together.
            ("is_fair", some(|it| it.slower < 0.9) != is_fair),
            ("marks", some(|it| it.marks) == marks),
            ("serves_l4s", some(|it| it.before_l4s > 5) != serves_l4s),
        ];
        let wrong = claims.iter().filter(|(_, holds)| !holds);
        faults.extend(wrong.map(|(claim, _)| format!("{kind}: {claim}")));
    }
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn a_discipline_that_only_judges_arrivals_is_made_as_one() {
    for traits in CATALOGUE {
        let plan = plan(traits.kind, &json!({ "kind": "fifo", "limit_packets": LIMIT }));
        assert_eq!(admission(&plan, None).is_some(), traits.judges_arrivals, "{}", traits.kind);
    }
}
