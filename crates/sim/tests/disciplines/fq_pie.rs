//! `FQ-PIE` against tc-fq_pie(8) and Linux's `sch_fq_pie.c`.

use ackclock_sim::packet::Packet;
use ackclock_sim::qdisc::{
    DropReason, FqPie, FqPiePlan, Pie, PieControlPlan, PiePlan, Qdisc, Trouble,
};
use ackclock_units::Time;
use rand_core::Rng as _;

use super::desk::{Desk, ect, ms, packet};
use crate::plain_plans::{MS, packets};

fn plan() -> FqPiePlan {
    FqPiePlan {
        limit: packets(10_240),
        control: PieControlPlan {
            target_ps: 15 * MS,
            tupdate_ps: 15 * MS,
            alpha: 0.125,
            beta: 1.25,
            max_burst_ps: 150 * MS,
            ecn: true,
            ecn_prob: 0.1,
            bytemode: false,
            dq_rate_estimator: false,
            mtu_bytes: 1500,
        },
        flows: 1024,
        quantum_bytes: 1514,
        memory_limit_bytes: 32 << 20,
    }
}

/// Packets that left, troubles of the others, and for each arrival whether it was let in.
type Story = (Vec<Option<u64>>, Vec<(Trouble, u64)>, Vec<bool>);

/// Overloads the discipline for four seconds, then sends less than it can pass for two.
fn story(desk: &mut Desk<impl Qdisc>) -> Story {
    let (mut left, mut taken) = (Vec::new(), Vec::new());
    for now in 0..6000 {
        let arrivals = if now < 4000 { 1 + u64::from(now % 10 == 0) } else { now % 2 };
        for number in 0..arrivals {
            let packet = packet(0, 10 * now + number, 1500);
            let packet = if now % 3 == 0 { ect(packet) } else { packet };
            taken.push(desk.put(ms(now), packet).is_ok());
        }
        left.push(desk.take(ms(now)).map(|packet| packet.seq));
    }
    let troubles = desk.troubles().iter().map(|(what, packet)| (*what, packet.seq)).collect();
    (left, troubles, taken)
}

#[test]
fn a_single_queue_is_pie() {
    let plan = FqPiePlan { flows: 1, ..plan() };
    let fair = story(&mut Desk::new(FqPie::new(&plan)));
    let mut pie = Desk::new(Pie::new(&PiePlan { limit: plan.limit, control: plan.control }));
    // The key of the hash is drawn first.
    pie.rng.next_u64();
    assert_eq!(fair, story(&mut pie));
    assert!(fair.2.iter().any(|taken| !taken), "some are dropped");
    assert!(!fair.1.is_empty(), "some are marked");
}

/// Flow 0 sends two packets per millisecond where one leaves; flow 1 one every 20 ms, which leaves
/// at once and is never dropped.
#[test]
fn only_the_flow_with_a_queue_is_dropped_and_the_other_comes_first() {
    let mut desk = Desk::new(FqPie::new(&plan()));
    let mut drops = [0; 2];
    for now in 0..4000 {
        let sparse = (now % 20 == 0).then(|| packet(1, now, 1000));
        for arrival in [packet(0, now, 1000), packet(0, now, 1000)].into_iter().chain(sparse) {
            drops[arrival.flow as usize] += u32::from(desk.put(ms(now), arrival).is_err());
        }
        let left = desk.take(ms(now)).unwrap();
        if now % 20 == 0 && now > 0 {
            assert_eq!((left.flow, left.seq), (1, now));
        }
    }
    assert!(drops[0] > 1000, "{drops:?}");
    assert_eq!(drops[1], 0);
}

#[test]
fn the_limit_and_the_memory_limit_drop_any_arrival() {
    for plan in [
        FqPiePlan { limit: packets(3), ..plan() },
        FqPiePlan { memory_limit_bytes: 3000, ..plan() },
    ] {
        let mut desk = Desk::new(FqPie::new(&plan));
        desk.fill(Time::ZERO, 3, packet(0, 0, 1000), 0);
        let other = Packet { flow: 1, ..packet(0, 0, 1000) };
        assert_eq!(desk.put(Time::ZERO, other), Err(DropReason::Forced));
        desk.take(Time::ZERO);
        assert_eq!(desk.put(Time::ZERO, other), Ok(()));
        assert_eq!(desk.qdisc.backlog().packets, 3);
    }
}
