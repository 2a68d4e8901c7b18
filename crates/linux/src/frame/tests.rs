//! Against etherparse's own writer.

use ackclock_sim::packet::{Ecn, flags};
use etherparse::{Ipv4HeaderSlice, PacketBuilder, TcpOptionElement};

use super::{ETHERNET, read, set_ecn};

fn segment_with_two_sack_blocks() -> Vec<u8> {
    let mut frame = Vec::new();
    PacketBuilder::ethernet2([2; 6], [2; 6])
        .ipv4([10, 0, 7, 2], [10, 0, 7, 1], 64)
        .tcp(10_003, 1024, 0xffff_fff0, 500)
        .ack(77)
        .options(&[
            TcpOptionElement::Timestamp(5, 6),
            TcpOptionElement::SelectiveAcknowledgement(
                (100, 200),
                [Some((300, u32::MAX)), None, None],
            ),
        ])
        .expect("28 bytes of options")
        .write(&mut frame, b"abc")
        .expect("written to memory");
    frame
}

#[test]
fn every_field_of_a_segment_is_read() {
    let header = read(&segment_with_two_sack_blocks()).expect("a TCP segment");
    assert_eq!(
        (header.source.octets(), header.destination.octets()),
        ([10, 0, 7, 2], [10, 0, 7, 1])
    );
    assert_eq!(
        (header.source_port, header.destination_port, header.payload_bytes),
        (10_003, 1024, 3)
    );
    assert_eq!(header.ip_bytes, 20 + 20 + 10 + 18 + 3, "timestamps and two blocks");
    let tcp = header.tcp.expect("it is TCP");
    assert_eq!((tcp.seq, tcp.ack, tcp.window, tcp.flags), (0xffff_fff0, 77, 500, flags::ACK));
    assert_eq!(tcp.timestamps, Some((5, 6)));
    assert_eq!(&tcp.sack[..usize::from(tcp.sack_blocks)], [(100, 200), (300, u32::MAX)]);
}

#[test]
fn a_datagram_is_read_and_a_part_of_one_is_not() {
    let mut frame = Vec::new();
    PacketBuilder::ethernet2([2; 6], [2; 6])
        .ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
        .udp(1024, 10_001)
        .write(&mut frame, &[0; 100])
        .expect("written to memory");
    let header = read(&frame).expect("a UDP datagram");
    assert_eq!((header.payload_bytes, header.tcp), (100, None));
    assert_eq!(read(&frame[..frame.len() - 1]), None);
    // More fragments.
    frame[ETHERNET + 6] |= 0x20;
    assert_eq!(read(&frame), None);
}

#[test]
fn a_mark_leaves_a_valid_checksum() {
    for (from, to) in
        [(Ecn::Ect0, Ecn::Ce), (Ecn::NotEct, Ecn::Ect1), (Ecn::Ce, Ecn::NotEct), (Ecn::Ce, Ecn::Ce)]
    {
        let mut frame = segment_with_two_sack_blocks();
        set_ecn(&mut frame, from);
        set_ecn(&mut frame, to);
        assert_eq!(read(&frame).expect("still a segment").ecn, to);
        let header =
            Ipv4HeaderSlice::from_slice(&frame[ETHERNET..]).expect("an IPv4 header").to_header();
        assert_eq!(header.header_checksum, header.calc_header_checksum(), "{from:?} to {to:?}");
    }
}

proptest::proptest! {
    /// A good frame with other bytes anywhere, cut anywhere.
    #[test]
    fn no_damaged_frame_makes_read_panic(
        other: Vec<(proptest::sample::Index, u8)>,
        end: proptest::sample::Index,
    ) {
        let mut frame = segment_with_two_sack_blocks();
        for (at, byte) in other {
            let at = at.index(frame.len());
            frame[at] = byte;
        }
        frame.truncate(end.index(frame.len() + 1));
        if let Some(header) = read(&frame) {
            assert!(usize::from(header.ip_bytes) + ETHERNET <= frame.len(), "{header:?}");
            set_ecn(&mut frame, Ecn::Ce);
            assert_eq!(read(&frame).map(|header| header.ecn), Some(Ecn::Ce));
        }
    }
}
