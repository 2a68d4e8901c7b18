//! Does deficit round robin share as its paper says?

use ackclock_sim::qdisc::{Drr, DrrClasses, DrrPlan, LimitPlan};
use ackclock_sim::rng;

use super::desk::{Desk, ms, packet};

const LARGEST: u32 = 1500;

/// Bytes of each flow after each packet that leaves, while all of them have packets waiting; sizes
/// are uniform up to the largest.
fn sent(quanta: &[u64]) -> Vec<Vec<u64>> {
    let quanta_by_priority = quanta
        .iter()
        .enumerate()
        .map(|(priority, quantum)| (u8::try_from(priority).unwrap(), *quantum));
    let plan = DrrPlan {
        limit: LimitPlan::default(),
        quantum_bytes: u64::from(LARGEST),
        by: DrrClasses::Priority,
        quanta: quanta_by_priority.collect(),
    };
    let mut desk = Desk::new(Drr::new(&plan));
    let mut sizes = rng::stream(1, "sizes");
    let mut waiting = vec![0; quanta.len()];
    for number in 0..3000 {
        for (flow, waiting) in (0..).zip(&mut waiting) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "up to 1500"
            )]
            let size = 40 + (rng::unit(&mut sizes) * f64::from(LARGEST - 39)) as u32;
            let mut arrival = packet(flow, number, size);
            arrival.priority = u8::try_from(flow).unwrap();
            desk.put(ms(0), arrival).expect("no limit");
            *waiting += 1;
        }
    }
    let mut totals = vec![0; quanta.len()];
    let mut rows = vec![totals.clone()];
    while waiting.iter().all(|waiting| *waiting > 0) {
        let departure = desk.take(ms(0)).expect("all wait");
        totals[departure.flow as usize] += u64::from(departure.wire_size);
        waiting[departure.flow as usize] -= 1;
        rows.push(totals.clone());
    }
    rows
}

/// Theorem 4.1 of the paper: of two flows that always wait, one sends more than the other by at
/// most a quantum and two packets in any interval.
#[test]
fn no_interval_is_unfairer_than_a_quantum_and_two_packets() {
    for quantum in [1500, 4000] {
        let rows = sent(&[quantum; 4]);
        for (class, other) in [(0, 1), (0, 3), (1, 2)] {
            let ahead = rows.iter().map(|row| row[class].cast_signed() - row[other].cast_signed());
            let spread = ahead.clone().max().unwrap() - ahead.min().unwrap();
            assert!(
                spread <= (quantum + 2 * u64::from(LARGEST)).cast_signed(),
                "{spread} at a quantum of {quantum}"
            );
            // It is not only bounded: a quantum goes to one of them before the other has its turn.
            assert!(spread >= quantum.cast_signed(), "{spread} at a quantum of {quantum}");
        }
    }
}

/// Lemma 4.1: after r rounds a flow has sent r quanta, less the deficit that is left, which is
/// below its next packet.
#[test]
fn shares_are_those_of_the_quanta() {
    let quanta = [1500, 3000, 4500, 500];
    let rows = sent(&quanta);
    let last = rows.last().unwrap();
    let rounds = last[2] / quanta[2];
    for (sent, quantum) in last.iter().zip(quanta) {
        let due = rounds * quantum;
        assert!(sent.abs_diff(due) <= quantum + u64::from(LARGEST), "{sent} sent, {due} due");
    }
    assert!(rounds > 400, "{rounds}");
}
