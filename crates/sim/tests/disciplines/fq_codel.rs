//! `FQ-CoDel` against RFC 8290: who comes first, who gets how much, who is dropped when too much
//! waits.

use ackclock_sim::packet::{Ecn, Packet};
use ackclock_sim::qdisc::{CodelControl, DropReason, FqCodel, FqCodelPlan, Qdisc, Trouble};
use ackclock_units::Time;

use super::desk::{Desk, ect, ms, packet};
use crate::plain_plans::{MS, packets};

fn plan() -> FqCodelPlan {
    FqCodelPlan {
        limit: packets(10_240),
        control: CodelControl {
            target_ps: 5 * MS,
            interval_ps: 100 * MS,
            ecn: true,
            ce_threshold_ps: None,
        },
        flows: 1024,
        quantum_bytes: 1514,
        memory_limit_bytes: 32 << 20,
        drop_batch: 64,
    }
}

fn desk(plan: &FqCodelPlan) -> Desk<FqCodel> {
    Desk::new(FqCodel::new(plan))
}

/// Takes packets at once and returns their flows.
fn flows(desk: &mut Desk<FqCodel>, count: usize) -> Vec<u32> {
    (0..count).map(|_| desk.take(Time::ZERO).expect("one waits").flow).collect()
}

/// A quantum of 1514 bytes lets two packets of 1500 leave in the first turn.
#[test]
fn a_flow_that_begins_comes_before_those_that_have_had_a_turn() {
    let mut desk = desk(&plan());
    desk.fill(Time::ZERO, 100, packet(0, 0, 1500), 0);
    assert_eq!(flows(&mut desk, 5), [0; 5]);
    desk.put(Time::ZERO, packet(1, 0, 100)).unwrap();
    assert_eq!(flows(&mut desk, 2), [1, 0]);
}

/// A queue that runs empty stays listed, behind the others, until its turn finds it empty: a flow
/// that sends one packet at a time is not new each time.
#[test]
fn a_flow_that_goes_on_after_running_empty_waits_for_its_turn() {
    let mut desk = desk(&plan());
    desk.fill(Time::ZERO, 100, packet(0, 0, 300), 0);
    // Six in its first turn, and one of six in its second.
    assert_eq!(flows(&mut desk, 7), [0; 7]);
    desk.put(Time::ZERO, packet(1, 0, 100)).unwrap();
    // The departure after flow 1's finds that empty and puts it behind flow 0, which has three
    // left.
    assert_eq!(flows(&mut desk, 2), [1, 0]);
    desk.put(Time::ZERO, packet(1, 1, 100)).unwrap();
    assert_eq!(flows(&mut desk, 4), [0, 0, 0, 1]);
}

#[test]
fn turns_are_counted_in_bytes() {
    let mut desk = desk(&plan());
    desk.fill(Time::ZERO, 1000, packet(0, 0, 1500), 0);
    desk.fill(Time::ZERO, 5000, packet(1, 0, 300), 0);
    desk.fill(Time::ZERO, 1500, packet(2, 0, 1000), 0);
    let mut bytes = [0_u64; 3];
    while bytes[0] < 1_000_000 {
        let packet = desk.take(Time::ZERO).unwrap();
        bytes[packet.flow as usize] += u64::from(packet.wire_size);
        // Two flows that always wait never differ by more than a quantum and the largest packets
        // of both.
        let (most, least) = (bytes.iter().max().unwrap(), bytes.iter().min().unwrap());
        assert!(most - least <= 1514 + 3000, "{bytes:?}");
    }
}

#[test]
fn both_directions_and_each_connection_have_their_own_queue() {
    let first = packet(0, 0, 1500);
    let others = [
        Packet { is_reverse: true, ..first },
        Packet { connection: 1, ..first },
        Packet { flow: 1, ..first },
    ];
    for other in others {
        let mut desk = desk(&plan());
        desk.fill(Time::ZERO, 10, first, 0);
        flows(&mut desk, 4);
        desk.put(Time::ZERO, Packet { seq: 99, ..other }).unwrap();
        assert_eq!(desk.take(Time::ZERO).unwrap().seq, 99, "{other:?}");
    }
    let mut one_queue = desk(&FqCodelPlan { flows: 1, ..plan() });
    one_queue.fill(Time::ZERO, 10, first, 0);
    one_queue.put(Time::ZERO, packet(1, 99, 1500)).unwrap();
    assert_eq!(flows(&mut one_queue, 11), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
}

/// Flows and numbers of the packets that were dropped.
fn dropped(desk: &mut Desk<FqCodel>) -> Vec<(u32, u64)> {
    let drops = desk.troubles();
    assert!(drops.iter().all(|(what, _)| *what == Trouble::Dropped(DropReason::Forced)));
    drops.iter().map(|(_, packet)| (packet.flow, packet.seq)).collect()
}

/// Flow 0 has the most bytes, 40 kB, and loses half of them from its head; flow 1 has the most
/// packets.
#[test]
fn too_much_is_dropped_from_the_flow_with_the_most_bytes() {
    let mut desk = desk(&FqCodelPlan { limit: packets(100), ..plan() });
    desk.fill(Time::ZERO, 60, packet(1, 0, 100), 0);
    desk.fill(Time::ZERO, 40, packet(0, 0, 1000), 0);
    assert_eq!(dropped(&mut desk), []);
    desk.put(Time::ZERO, packet(2, 0, 1500)).unwrap();
    let heads: Vec<_> = (0..20).map(|number| (0, number)).collect();
    assert_eq!(dropped(&mut desk), heads);
    assert_eq!(desk.qdisc.backlog().packets, 81);
    assert_eq!(desk.qdisc.backlog().bytes, 6000 + 20_000 + 1500);
}

#[test]
fn a_batch_bounds_what_is_dropped_at_once() {
    for (drop_batch, drops) in [(64, 64), (1, 1), (1000, 501)] {
        let mut desk = desk(&FqCodelPlan { limit: packets(1000), drop_batch, ..plan() });
        desk.fill(Time::ZERO, 1001, packet(0, 0, 1000), 0);
        // Half of 1001 kB is reached with 501 packets.
        assert_eq!(dropped(&mut desk).len(), drops);
    }
}

/// With a limit in bytes one batch may not be enough: a large packet came, and the head of the
/// fattest queue is small.
#[test]
fn bytes_are_dropped_until_the_rest_fits() {
    let mut desk = desk(&FqCodelPlan { memory_limit_bytes: 5000, drop_batch: 1, ..plan() });
    desk.fill(Time::ZERO, 40, packet(0, 0, 100), 0);
    desk.fill(Time::ZERO, 2, packet(0, 0, 1500), 40);
    assert_eq!(dropped(&mut desk).len(), 20);
    assert_eq!(desk.qdisc.backlog().bytes, 5000);
}

/// As in Linux: 64 drops of an overload count. The first late packet is that of 5 ms, the first
/// drop at 105 ms; the count goes on from 64, and the second drop comes 100/sqrt(64) = 12.5 ms
/// later, the third 100/sqrt(65) = 12.4. An overload is the same at any time of the run.
#[test]
fn drops_of_an_overload_count_for_the_law() {
    for begin in [0, 100_000] {
        let mut desk = desk(&FqCodelPlan { limit: packets(1000), ..plan() });
        desk.fill(ms(begin), 1001, packet(0, 0, 1000), 0);
        assert_eq!(dropped(&mut desk).len(), 64);
        assert_eq!(desk.troubled(begin..begin + 131), [105, 118, 130].map(|after| begin + after));
    }
}

/// Two flows share a link that sends a packet per millisecond. Flow 0 keeps a standing queue; flow
/// 1 sends a packet every 10 ms and never waits.
#[test]
fn each_flow_is_under_a_law_of_its_own() {
    let mut desk = desk(&plan());
    desk.fill(Time::ZERO, 2000, packet(0, 0, 1000), 0);
    for now in 0..1000 {
        if now % 10 == 0 {
            desk.put(ms(now), packet(1, now, 1000)).unwrap();
        }
        desk.take(ms(now));
    }
    let drops = desk.troubles();
    // At 105, 205, 276, ... as codel; the n-th is about (n/2)^2 intervals of 100 ms after the
    // first: some 20 in 0.9 s.
    assert!((15..30).contains(&drops.len()), "{}", drops.len());
    assert!(
        drops
            .iter()
            .all(|(what, packet)| *what == Trouble::Dropped(DropReason::Early) && packet.flow == 0)
    );
}

#[test]
fn marks_by_default_and_drops_who_cannot_be_marked() {
    let mut desk = desk(&plan());
    desk.fill(Time::ZERO, 1000, ect(packet(0, 0, 1000)), 0);
    let marked: Vec<u64> = (0..210)
        .filter(|now| desk.take(ms(*now)).is_some_and(|packet| packet.ecn == Ecn::Ce))
        .collect();
    assert_eq!(marked, [105, 205]);
    assert_eq!(desk.qdisc.backlog().packets, 1000 - 210);
}
