//! COBALT against Linux's `sch_cake.c`, with packets of 1000 bytes that leave one per millisecond,
//! as for `CoDel`.

use ackclock_sim::packet::{Ecn, Packet};
use ackclock_sim::qdisc::{Cobalt, CobaltPlan, DropReason, LimitPlan, Qdisc, Trouble};
use ackclock_units::{Rate, Time};

use super::desk::{Desk, ect, ms, packet};
use crate::plain_plans::{MS, packets};

fn plan() -> CobaltPlan {
    CobaltPlan {
        limit: LimitPlan::default(),
        target_ps: 5 * MS,
        interval_ps: 100 * MS,
        ecn: true,
        p_inc: 1.0 / 256.0,
        p_dec: 1.0 / 4096.0,
    }
}

fn limited(limit: u64) -> CobaltPlan {
    CobaltPlan { limit: packets(limit), ..plan() }
}

fn plain() -> Packet {
    packet(0, 0, 1000)
}

fn standing(template: Packet) -> Desk<Cobalt> {
    let mut desk = Desk::new(Cobalt::new(&plan()));
    desk.fill(Time::ZERO, 2000, template, 0);
    desk
}

/// The packet of 6 ms is the first that waited more than the target, and the first drop comes an
/// interval later. The next come after 100/sqrt(2) ms, at 176.7, after 100/sqrt(3), at 234.4, and
/// at 284.4 and 329.2. Unlike `CoDel`, COBALT shortens the interval from the first drop on.
const DROPS: [u64; 5] = [106, 177, 235, 285, 330];

#[test]
fn drops_come_an_interval_over_the_root_of_their_number_apart() {
    assert_eq!(standing(plain()).troubled(0..370), DROPS);
}

#[test]
fn marks_where_it_would_drop() {
    let mut desk = standing(ect(plain()));
    assert_eq!(desk.troubled(0..370), DROPS);
    assert_eq!(desk.qdisc.backlog().packets, 2000 - 370);
    let plan = CobaltPlan { ecn: false, ..plan() };
    let mut desk = Desk::new(Cobalt::new(&plan));
    desk.fill(Time::ZERO, 2000, ect(plain()), 0);
    assert_eq!(desk.troubled(0..370), DROPS);
    assert_eq!(desk.qdisc.backlog().packets, 2000 - 370 - 5);
}

/// Five drops leave a count of 6, and the next is due at 329.2 + 100/sqrt(6) = 370.0. No packet is
/// late from 331 on: the count falls to 5 at 370 and to 4 at 414.7. The queue stands again from
/// 416, is late from 422 on, and drops 100/sqrt(4) later, at 472, and 100/sqrt(5) later, at 516.7.
#[test]
fn the_count_falls_by_one_where_a_drop_would_have_been_due() {
    let mut desk = standing(plain());
    assert_eq!(desk.troubled(0..331), DROPS);
    while desk.take(ms(331)).is_some() {}
    for now in 332..416 {
        desk.put(ms(now), plain()).unwrap();
        assert!(desk.take(ms(now)).is_some());
    }
    assert!(desk.troubles().is_empty());
    desk.fill(ms(416), 2000, plain(), 0);
    assert_eq!(desk.troubled(416..518), [472, 517]);
}

/// At 1 Mbit/s a packet takes 8 ms, and nothing is late before 32.
#[test]
fn nothing_is_late_that_waited_for_less_than_four_packets() {
    let mut desk = standing(plain());
    desk.rate = Some(Rate::from_bps(1_000_000));
    assert_eq!(desk.troubled(0..134), [133]);
}

#[test]
fn the_last_packet_is_never_dropped() {
    let mut desk = Desk::new(Cobalt::new(&plan()));
    for now in (100..20_000).step_by(100) {
        desk.put(ms(now - 50), plain()).unwrap();
        assert!(desk.take(ms(now)).is_some());
    }
    assert!(desk.troubles().is_empty());
}

fn assert_p_drop(desk: &Desk<Cobalt>, per_4096: f64) {
    assert!(
        (desk.qdisc.p_drop() * 4096.0 - per_4096).abs() < 1e-9,
        "{} / 4096",
        desk.qdisc.p_drop() * 4096.0
    );
}

#[test]
fn an_overflow_drops_the_head_and_raises_the_probability_once_per_target() {
    let mut desk = Desk::new(Cobalt::new(&limited(3)));
    desk.fill(ms(10), 3, plain(), 0);
    for (now, number, sixteenths) in [(10, 3, 1.0), (12, 4, 1.0), (15, 5, 1.0), (16, 6, 2.0)] {
        desk.put(ms(now), packet(0, number, 1000)).unwrap();
        let troubles: Vec<_> =
            desk.troubles().iter().map(|(what, packet)| (*what, packet.seq)).collect();
        assert_eq!(troubles, [(Trouble::Dropped(DropReason::Forced), number - 3)]);
        assert_p_drop(&desk, 16.0 * sixteenths);
    }
}

/// A run begins at the time 0, and Linux's clock has run for longer than `target` by then.
#[test]
fn an_overflow_at_the_beginning_of_a_run_counts() {
    let mut desk = Desk::new(Cobalt::new(&limited(3)));
    desk.fill(ms(1), 4, plain(), 0);
    assert_p_drop(&desk, 16.0);
}

#[test]
fn an_empty_queue_lowers_the_probability_once_per_target() {
    let mut desk = Desk::new(Cobalt::new(&limited(1)));
    desk.fill(ms(10), 2, plain(), 0);
    assert_p_drop(&desk, 16.0);
    assert!(desk.take(ms(11)).is_some());
    for (now, per_4096) in [(12, 16.0), (16, 15.0), (18, 15.0), (22, 14.0)] {
        assert!(desk.take(ms(now)).is_none());
        assert_p_drop(&desk, per_4096);
    }
    for step in 1..20 {
        desk.take(ms(22 + 6 * step));
    }
    assert_p_drop(&desk, 0.0);
}

/// A probability of 1 drops all but the last, ECN-capable or not.
#[test]
fn blue_drops_who_could_be_marked() {
    let mut desk = Desk::new(Cobalt::new(&CobaltPlan { p_inc: 1.0, ..limited(3) }));
    desk.fill(ms(10), 4, ect(plain()), 0);
    assert_eq!(desk.troubles().len(), 1);
    let last = desk.take(ms(10)).unwrap();
    assert_eq!((last.seq, last.ecn), (3, Ecn::Ect0));
    let troubles: Vec<_> =
        desk.troubles().iter().map(|(what, packet)| (*what, packet.seq)).collect();
    let early = Trouble::Dropped(DropReason::Early);
    assert_eq!(troubles, [(early, 1), (early, 2)]);
}

/// A quarter of a million packets at a probability of 3/256: 2930 drops, with a standard error of
/// 54; five of them are allowed.
#[test]
fn blue_drops_at_its_probability() {
    let mut desk =
        Desk::new(Cobalt::new(&CobaltPlan { target_ps: 5 * MS, p_inc: 3.0 / 256.0, ..limited(3) }));
    desk.fill(ms(10), 4, plain(), 0);
    desk.troubles();
    let mut drops = 0;
    for _ in 0..250_000 {
        while desk.qdisc.backlog().packets < 3 {
            desk.put(ms(10), plain()).unwrap();
        }
        desk.take(ms(10));
        drops += u32::try_from(desk.troubles().len()).unwrap();
    }
    // A packet that leaves after a drop is judged too: 250,000 departures are 250,000 / (1 - p)
    // judgements.
    let expected = 250_000.0 * (3.0 / 256.0) / (1.0 - 3.0 / 256.0);
    assert!((f64::from(drops) - expected).abs() < 5.0 * 54.0, "{drops}, not {expected}");
}
