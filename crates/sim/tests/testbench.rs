//! The bench that packetdrill scripts and random scripts share.

use ackclock_sim::packet::flags;
use ackclock_sim::testbench::{self, Arriving, Bench, Event};
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_units::{Duration, Time};

fn plan() -> FlowPlan {
    testbench::plan("bench", "reno", crate::plain_plans::linux())
}

const fn ms(count: u64) -> Time {
    Time::from_ps(count * 1_000_000_000)
}

fn acked(ack: u64) -> Arriving {
    Arriving { ack, flags: flags::ACK, ..Arriving::default() }
}

fn opened() -> Bench {
    let mut bench = Bench::sender(&plan()).expect("reno exists");
    assert!(bench.drain().is_empty(), "nothing is sent before the connection is opened");
    bench.open(ms(0));
    bench.advance(ms(100));
    let syn_ack = Arriving { flags: flags::SYN | flags::ACK, ..acked(0) };
    bench.inject(&syn_ack, ms(100));
    assert_eq!(bench.drain().len(), 2, "a SYN and the ACK of its answer");
    bench
}

#[test]
fn what_is_written_is_sent_and_counted() {
    let mut bench = opened();
    bench.write(1448 * 3 + 100, false, ms(200));
    let sent = bench.drain();
    assert_eq!(
        sent.iter().map(|(_, packet)| packet.payload).collect::<Vec<_>>(),
        [1448, 1448, 1448, 100]
    );
    assert!(sent.iter().all(|(at, _)| *at == ms(200)));
    let info = bench.info().expect("a sender has it");
    assert_eq!((info.unacked, info.snd_cwnd, info.delivered, info.notsent_bytes), (4, 10, 1, 0));
    assert_eq!(info.rtt, Duration::from_millis(100));
    bench.advance(ms(300));
    assert_eq!(bench.busy_time(), Duration::from_millis(100));
    bench.inject(&acked(1448 * 3 + 100), ms(300));
    let info = bench.info().expect("a sender has it");
    assert_eq!((info.unacked, info.delivered, info.bytes_acked), (0, 5, 1448 * 3 + 100));
    bench.advance(ms(1000));
    assert_eq!(bench.busy_time(), Duration::from_millis(100));
}

#[test]
fn segments_are_counted_as_the_scoreboard_has_them() {
    let mut bench = opened();
    bench.write(1448 * 10, false, ms(200));
    bench.inject(&Arriving { sacks: vec![(1448 * 2, 1448 * 6)], ..acked(0) }, ms(300));
    let info = bench.info().expect("a sender has it");
    // Two lost, one of which PRR has sent again; four delivered out of order.
    assert_eq!((info.unacked, info.sacked, info.lost), (10, 4, 2));
    assert_eq!(info.retrans, info.total_retrans);
    assert!(info.retrans >= 1);
}

/// Linux's `tcp_check_sack_reordering`: from the segment that came late to the end of the newest
/// one delivered.
#[test]
fn reordering_is_as_far_as_a_late_segment_was_overtaken() {
    let mut bench = opened();
    bench.write(1448 * 10, false, ms(200));
    bench.inject(&Arriving { sacks: vec![(1448 * 8, 1448 * 9)], ..acked(0) }, ms(300));
    let info = bench.info().expect("a sender has it");
    assert_eq!((info.reordering, info.reord_seen), (3, 0));
    bench.inject(&Arriving { sacks: vec![(1448 * 8, 1448 * 9)], ..acked(1448) }, ms(305));
    let info = bench.info().expect("a sender has it");
    assert_eq!((info.reordering, info.reord_seen), (9, 1));
}

#[test]
fn a_timer_due_at_an_arrivals_instant_comes_after_it() {
    let mut bench = opened();
    bench.write(1448, false, ms(200));
    bench.drain();
    let due = bench.deadline();
    bench.advance(due);
    assert!(bench.waiting().is_none(), "the timer waits for what arrives at its instant");
    bench.inject(&acked(1448), due);
    assert!(bench.next_sent(due + Duration::from_secs(10)).is_none());
}

#[test]
fn the_history_tells_what_happened_in_order() {
    let bench = opened();
    let calls: Vec<_> = bench
        .history()
        .iter()
        .map(|(_, event)| match event {
            Event::Sent(_) => "sent",
            Event::Arrived(_) => "arrived",
        })
        .collect();
    assert_eq!(calls, ["sent", "arrived", "sent"]);
}

#[test]
fn a_receiver_answers_what_arrives() {
    let mut bench = Bench::receiver(&plan());
    let syn = Arriving { flags: flags::SYN, ..Arriving::default() };
    bench.inject(&syn, ms(0));
    let data = Arriving { seq: 0, payload: 1448, flags: flags::ACK, ..Arriving::default() };
    bench.inject(&data, ms(100));
    let (at, ack) = bench.drain().pop().expect("quick ACKs at the start");
    assert_eq!((at, ack.ack, bench.delivered()), (ms(100), 1448, Some(1448)));
    assert!(bench.info().is_none());
}
