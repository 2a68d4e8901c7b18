//! Is each segment called what it is?

use ackclock_pcap::{KINDS, Layout, SPURIOUS, lay_out};

use crate::made::{ACK, FIN, Made, handshake, pcap, raw};

fn laid_out(packets: Vec<Made>) -> Layout {
    let all: Vec<Made> = handshake().into_iter().chain(packets).collect();
    lay_out(pcap(101, &raw(&all), false, true).as_slice(), 0).unwrap()
}

/// Kinds of the segments after the handshake.
fn kinds(layout: &Layout) -> Vec<&'static str> {
    layout.segments.kind[3..].iter().map(|&kind| KINDS[usize::from(kind)]).collect()
}

fn spurious(layout: &Layout, row: usize) -> &'static str {
    SPURIOUS[usize::from(layout.segments.spurious[3 + row])]
}

/// Segments of 1000 bytes, sent together.
fn flight(time_ms: f64, first: u32, count: u32) -> Vec<Made> {
    (0..count).map(|number| Made::data(time_ms, first + 1000 * number, 1000)).collect()
}

#[test]
fn what_sack_blocks_ask_for_is_a_fast_retransmission() {
    let mut packets = flight(20.0, 1, 5);
    packets.extend([
        Made::ack(30.0, 1).sack(1001, 2001),
        Made::ack(30.1, 1).sack(1001, 3001),
        Made::ack(30.2, 1).sack(1001, 4001),
        Made::data(30.3, 1, 1000),
        Made::ack(40.3, 5001),
    ]);
    let layout = laid_out(packets);
    assert_eq!(
        kinds(&layout)[5..],
        [
            "duplicate acknowledgment",
            "duplicate acknowledgment",
            "duplicate acknowledgment",
            "fast retransmission",
            "acknowledgment",
        ]
    );
    // Two segments above were SACKed: not more than (DupThresh - 1) * SMSS. With three it is lost.
    assert_eq!(layout.segments.inflight[8..11], [4000.0, 3000.0, 1000.0]);
    assert_eq!(layout.segments.outstanding[8..11], [4000.0, 3000.0, 2000.0]);
    assert_eq!(layout.segments.inflight[11..], [2000.0, 0.0]);
    // Karn: a repeated segment brought this ACK.
    assert!(layout.segments.ack_rtt[12].is_nan());
}

#[test]
fn the_first_segment_after_a_silence_is_a_timeout_and_the_last_a_probe() {
    let mut packets = flight(20.0, 1, 4);
    packets.extend([Made::ack(30.0, 2001), Made::data(51.0, 3001, 1000)]);
    packets.extend([Made::data(300.0, 2001, 1000), Made::data(310.0, 3001, 1000)]);
    let layout = laid_out(packets);
    assert_eq!(
        kinds(&layout)[5..],
        ["tail loss probe", "timeout retransmission", "timeout retransmission",]
    );
}

#[test]
fn bytes_that_were_acknowledged_are_sent_needlessly() {
    let mut packets = flight(20.0, 1, 2);
    packets.extend([Made::ack(30.0, 2001), Made::data(31.0, 1, 1000)]);
    let layout = laid_out(packets);
    assert_eq!(kinds(&layout)[3], "retransmission");
    assert_eq!(spurious(&layout, 3), "acknowledged before");
}

#[test]
fn a_dsack_says_that_a_retransmission_was_needless() {
    let mut packets = flight(20.0, 1, 5);
    packets.extend([
        Made::ack(30.0, 1).sack(1001, 4001),
        Made::data(30.1, 1, 1000),
        Made::ack(31.0, 5001),
        Made::ack(40.1, 5001).sack(1, 1001),
    ]);
    let layout = laid_out(packets);
    assert_eq!(kinds(&layout)[6], "fast retransmission");
    assert_eq!(spurious(&layout, 6), "DSACK");
    assert_eq!(layout.figures.spurious, 1);
    assert!(layout.figures.loss.abs() < 1e-12);
    assert_eq!(layout.sacks.is_dsack, [0, 1]);
}

#[test]
fn bytes_of_a_gap_that_come_at_once_are_out_of_order() {
    let packets = vec![
        Made::data(20.0, 1, 1000),
        Made::data(20.1, 2001, 1000),
        Made::data(20.2, 1001, 1000),
        Made::data(20.3, 4001, 1000),
        Made::data(60.0, 3001, 1000),
    ];
    assert_eq!(
        kinds(&laid_out(packets)),
        ["new data", "after a gap", "out of order", "after a gap", "retransmission",]
    );
}

#[test]
fn windows_and_probes() {
    let packets = vec![
        Made::data(20.0, 1, 1000),
        Made::ack(30.0, 1001).window(0),
        Made::data(300.0, 1001, 1),
        Made::ack(310.0, 1001).window(0),
        Made::ack(320.0, 1001).window(5000),
        Made::data(320.1, 1002, 999),
        Made::ack(330.0, 2001),
        Made::data(9000.0, 2000, 0),
        Made::ack(9010.0, 2001),
        Made::data(9020.0, 2001, 0).flags(FIN | ACK),
    ];
    let layout = laid_out(packets);
    assert_eq!(
        kinds(&layout),
        [
            "new data",
            "acknowledgment",
            "window probe",
            "acknowledgment",
            "window update",
            "new data",
            "acknowledgment",
            "keep-alive",
            "acknowledgment",
            "new data",
        ]
    );
    assert_eq!(layout.figures.zero_windows, 2);
}

#[test]
fn an_end_that_sent_nothing_can_be_kept_alive() {
    let made = vec![
        Made::data(0.0, 1, 1000),
        Made::ack(10.0, 1001),
        Made { seq: 0, ..Made::ack(9000.0, 1001) },
        Made::data(9010.0, 1001, 0),
    ];
    let layout = lay_out(pcap(101, &raw(&made), false, true).as_slice(), 0).unwrap();
    let kinds: Vec<&str> =
        layout.segments.kind.iter().map(|&kind| KINDS[usize::from(kind)]).collect();
    assert_eq!(kinds[2..], ["keep-alive", "acknowledgment"]);
}
