//! `CoDel` against RFC 8289's pseudocode, with packets of 1000 bytes that leave one per
//! millisecond: the n-th of a standing queue that came at 0 has waited n ms.

use ackclock_sim::packet::{Ecn, Packet};
use ackclock_sim::qdisc::{Codel, CodelControl, CodelPlan, DropReason, LimitPlan, Qdisc, Trouble};
use ackclock_units::Time;

use super::desk::{Desk, ect, ms, packet};
use crate::plain_plans::{MS, packets};

fn control() -> CodelControl {
    CodelControl { target_ps: 5 * MS, interval_ps: 100 * MS, ecn: false, ce_threshold_ps: None }
}

fn desk(control: CodelControl) -> Desk<Codel> {
    Desk::new(Codel::new(&CodelPlan { limit: LimitPlan::default(), control }))
}

/// A standing queue from the beginning.
fn standing(control: CodelControl, template: Packet) -> Desk<Codel> {
    let mut desk = desk(control);
    desk.fill(Time::ZERO, 2000, template, 0);
    desk
}

fn plain() -> Packet {
    packet(0, 0, 1000)
}

/// Above the target from 5 ms on, so the first drop is at 105. The next come at 205, + 100/sqrt(2)
/// = 275.7, + 100/sqrt(3) = 333.4, 383.4, 428.2, 469.0, 506.8, each at the departure that follows.
const DROPS: [u64; 8] = [105, 205, 276, 334, 384, 429, 469, 507];

#[test]
fn drops_come_an_interval_over_the_root_of_the_count_apart() {
    assert_eq!(standing(control(), plain()).troubled(0..542), DROPS);
}

#[test]
fn the_head_is_dropped_and_the_one_behind_it_leaves() {
    let mut desk = standing(control(), plain());
    for now in 0..105 {
        assert_eq!(desk.take(ms(now)).map(|packet| packet.seq), Some(now));
    }
    assert_eq!(desk.take(ms(105)).map(|packet| packet.seq), Some(106));
    let troubles: Vec<_> =
        desk.troubles().iter().map(|(what, packet)| (*what, packet.seq)).collect();
    assert_eq!(troubles, [(Trouble::Dropped(DropReason::Early), 105)]);
    assert_eq!(desk.qdisc.backlog().packets, 2000 - 107);
}

/// No packet leaves between 205, when a drop is due, and 300, when the drop of 275.7 is due too.
#[test]
fn a_late_departure_makes_up_for_the_drops_that_were_due() {
    let mut desk = standing(control(), plain());
    assert_eq!(desk.troubled(0..205), [105]);
    assert_eq!(desk.troubled(300..301), [300, 300]);
    assert_eq!(desk.troubled(301..335), [334]);
}

fn empty(desk: &mut Desk<Codel>, now: u64) {
    while desk.take(ms(now)).is_some() {}
    assert!(desk.troubles().is_empty(), "no drop is due");
}

/// After eight drops the count restarts at 7, without the first. The queue stands again from 510,
/// is above the target from 515, and drops at 615. The next drops come 100/sqrt(7) later, at 652.8,
/// and 100/sqrt(8) later, at 688.2.
#[test]
fn a_state_that_follows_soon_carries_on_with_its_count() {
    let mut desk = standing(control(), plain());
    assert_eq!(desk.troubled(0..510), DROPS);
    empty(&mut desk, 510);
    desk.fill(ms(510), 2000, plain(), 0);
    assert_eq!(desk.troubled(510..700), [615, 653, 689]);
}

/// The next drop would have been at 506.8 + 100/sqrt(8) = 542.1, and sixteen intervals end at
/// 2142.1.
#[test]
fn a_state_within_sixteen_intervals_of_the_last_drop_is_soon() {
    for (first, second) in [(2142, 2142 + 38), (2143, 2143 + 100)] {
        let mut desk = standing(control(), plain());
        assert_eq!(desk.troubled(0..510), DROPS);
        empty(&mut desk, 510);
        desk.fill(ms(first - 105), 2000, plain(), 0);
        assert_eq!(desk.troubled(first - 105..second + 1), [first, second]);
    }
}

/// One drop leaves nothing to carry on with: count - lastcount is 0.
#[test]
fn a_state_of_one_drop_leaves_no_count() {
    let mut desk = standing(control(), plain());
    assert_eq!(desk.troubled(0..110), [105]);
    empty(&mut desk, 110);
    desk.fill(ms(110), 2000, plain(), 0);
    assert_eq!(desk.troubled(110..316), [215, 315]);
}

#[test]
fn one_packet_below_the_target_begins_the_interval_anew() {
    let mut desk = desk(control());
    desk.fill(Time::ZERO, 60, plain(), 0);
    // At 60 ms come those that leave at 60 to 64, after less than the target, and stay above it
    // from 65 on.
    assert!(desk.troubled(0..60).is_empty());
    desk.fill(ms(60), 2000, plain(), 0);
    assert_eq!(desk.troubled(60..166), [165]);
}

#[test]
fn nothing_is_dropped_below_the_target() {
    let mut desk = desk(control());
    desk.fill(Time::ZERO, 4, plain(), 0);
    for now in 0..5000 {
        desk.put(ms(now), plain()).unwrap();
        assert!(desk.take(ms(now)).is_some());
    }
    assert!(desk.troubles().is_empty(), "the sojourn is 4 ms throughout");
}

/// Every departure finds a head that has waited 20 ms. Two packets of 1000 bytes behind it are more
/// than one of 1000 or 1500; one is not.
#[test]
fn nothing_is_dropped_while_no_more_than_a_packet_waits() {
    for (behind, largest, may_drop) in
        [(1, 1000, false), (2, 1000, true), (1, 1500, false), (2, 1500, true), (2, 2000, false)]
    {
        let mut desk = desk(control());
        desk.put(Time::ZERO, packet(0, 0, largest)).unwrap();
        desk.take(Time::ZERO);
        let mut drops = 0;
        for now in 20..500 {
            while desk.qdisc.backlog().packets <= behind {
                desk.put(ms(now - 20), plain()).unwrap();
            }
            desk.take(ms(now));
            drops += desk.troubles().len();
        }
        assert_eq!(drops > 0, may_drop, "{behind} behind, largest {largest}: {drops} drops");
    }
}

#[test]
fn ecn_marks_where_it_would_drop() {
    let marking = CodelControl { ecn: true, ..control() };
    let mut desk = standing(marking, ect(plain()));
    assert_eq!(desk.troubled(0..542), DROPS);
    assert_eq!(desk.qdisc.backlog().packets, 2000 - 542, "all of them left");
    assert_eq!(standing(control(), ect(plain())).troubled(0..542), DROPS);
    // A packet that cannot be marked is dropped.
    let mut desk = standing(marking, plain());
    assert_eq!(desk.troubled(0..542), DROPS);
    assert_eq!(desk.qdisc.backlog().packets, 2000 - 542 - 8);
}

/// As in Linux: a drop makes up for several in one call, a mark does not; the one due at 275.7
/// marks the next packet.
#[test]
fn at_most_one_mark_is_set_per_departure() {
    let mut desk = standing(CodelControl { ecn: true, ..control() }, ect(plain()));
    assert_eq!(desk.troubled(0..205), [105]);
    assert_eq!(desk.troubled(300..303), [300, 301]);
}

#[test]
fn ce_threshold_marks_whoever_waited_longer() {
    let shallow = CodelControl { ce_threshold_ps: Some(MS), ..control() };
    let mut desk = desk(shallow);
    desk.fill(Time::ZERO, 3, ect(plain()), 0);
    let ecn = [0, 1, 2].map(|now| desk.take(ms(now)).unwrap().ecn);
    assert_eq!(ecn, [Ecn::Ect0, Ecn::Ect0, Ecn::Ce], "1 ms is not more than 1 ms");
    desk.fill(Time::ZERO, 3, plain(), 0);
    assert_eq!(desk.take(ms(2)).unwrap().ecn, Ecn::NotEct);
}

#[test]
fn the_limit_drops_arrivals() {
    let mut desk = Desk::new(Codel::new(&CodelPlan { limit: packets(3), control: control() }));
    desk.fill(Time::ZERO, 3, plain(), 0);
    assert_eq!(desk.put(Time::ZERO, plain()), Err(DropReason::Forced));
    desk.take(Time::ZERO);
    assert_eq!(desk.put(Time::ZERO, plain()), Ok(()));
}
