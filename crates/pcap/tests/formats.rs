//! Is a capture read alike in every format?

use ackclock_pcap::{Layout, ReadError, lay_out, list};

use crate::made::{Bytes, Made, block, handshake, pcap, pcapng, raw};

fn packets() -> Vec<Made> {
    let mut packets = handshake();
    packets.extend([
        Made::data(20.0, 1, 1000),
        Made::data(20.5, 1001, 1000),
        Made::ack(30.0, 1001),
        Made::ack(30.5, 2001),
    ]);
    packets
}

fn check(file: &[u8]) -> Layout {
    let listing = list(file).unwrap();
    assert_eq!(listing.connections.len(), 1);
    assert_eq!(listing.connections[0].payload, [2000, 0]);
    let layout = lay_out(file, 0).unwrap();
    assert_eq!(layout.segments.frame, [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(layout.segments.seq, [0, 0, 1, 1, 1001, 1, 1]);
    assert_eq!(layout.segments.length, [0, 0, 0, 1000, 1000, 0, 0]);
    assert_eq!(layout.segments.outstanding[4..], [2000.0, 1000.0, 0.0]);
    assert!((layout.segments.ack_rtt[5] - 10e-3).abs() < 2e-6);
    assert!((layout.segments.time[6] - 30.5e-3).abs() < 1e-6);
    layout
}

fn framed(before: &[u8], packet: impl Fn(&Made) -> (Vec<u8>, u32)) -> Vec<Bytes> {
    let made = packets();
    let frames = made.iter().map(|it| {
        let (bytes, total) = packet(it);
        let length = total + u32::try_from(before.len()).unwrap();
        (it.time_ns, [before, &bytes].concat(), length)
    });
    frames.collect()
}

#[test]
fn in_both_orders_and_resolutions() {
    for big in [false, true] {
        for nano in [false, true] {
            check(&pcap(101, &raw(&packets()), big, nano));
        }
    }
    for digits in [6, 9] {
        check(&pcapng(101, &raw(&packets()), digits));
    }
}

#[test]
fn on_every_link() {
    let mac = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2];
    let ethernet = [&mac[..], &[8, 0]].concat();
    check(&pcap(1, &framed(&ethernet, Made::ipv4), false, false));
    let ethernet = [&mac[..], &[0x86, 0xdd]].concat();
    check(&pcap(1, &framed(&ethernet, Made::ipv6), false, false));
    let tagged = [&mac[..], &[0x81, 0, 0, 7, 8, 0]].concat();
    check(&pcap(1, &framed(&tagged, Made::ipv4), false, false));
    let twice = [&mac[..], &[0x88, 0xa8, 0, 7, 0x81, 0, 0, 7, 8, 0]].concat();
    check(&pcap(1, &framed(&twice, Made::ipv4), false, false));
    let cooked = [&[0, 0, 0, 1, 0, 6][..], &[2, 0, 0, 0, 0, 1, 0, 0], &[8, 0]].concat();
    check(&pcap(113, &framed(&cooked, Made::ipv4), false, false));
    let cooked = [&[0x86, 0xdd][..], &[0; 18]].concat();
    check(&pcap(276, &framed(&cooked, Made::ipv6), false, false));
    check(&pcap(0, &framed(&[2, 0, 0, 0], Made::ipv4), false, false));
    check(&pcap(108, &framed(&[0, 0, 0, 24], Made::ipv6), false, false));
    check(&pcap(101, &framed(&[], Made::ipv6), false, false));
}

#[test]
fn where_the_options_were_cut_off() {
    let made: Vec<Made> =
        packets().into_iter().map(|it| Made { timestamps: Some((1, 1)), ..it }).collect();
    let frames: Vec<Bytes> = raw(&made)
        .into_iter()
        .map(|(time, mut bytes, total)| {
            bytes.truncate(40);
            (time, bytes, total)
        })
        .collect();
    let layout = check(&pcap(101, &frames, false, false));
    assert!(!layout.figures.agreed.timestamps);
}

#[test]
fn a_packet_above_64_kib_has_its_length_from_the_capture() {
    let mut made = handshake();
    made.push(Made::data(20.0, 1, 100_000));
    let frames = raw(&made);
    assert_eq!(frames[3].1[2..4], [0, 0]);
    let layout = lay_out(pcap(101, &frames, false, false).as_slice(), 0).unwrap();
    assert_eq!(layout.segments.length[3], 100_000);
    assert!(layout.figures.has_offload);
}

#[test]
fn a_file_that_ends_within_a_frame_is_read_as_far_as_it_goes() {
    for file in [pcap(101, &raw(&packets()), false, false), pcapng(101, &raw(&packets()), 9)] {
        let listing = list(&file[..file.len() - 3]).unwrap();
        assert!(listing.is_cut);
        assert_eq!(listing.frames, 6);
    }
}

#[test]
fn wrong_comments_names_and_options_are_passed_over() {
    let mut file = pcapng(101, &raw(&packets()), 9);
    // A section whose comment is no UTF-8, and a name that ends nowhere.
    let section =
        [&[0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0][..], &[0xff; 8], &[1, 0, 2, 0, 0xff, 0xfe]];
    let mut whole = block(0x0a0d_0d0a, &section.concat());
    whole.extend(block(4, &[1, 0, 200, 0, 10]));
    // An interface whose filter is longer than its block; times count from a second later.
    let offset =
        [&[9, 0, 1, 0, 9, 0, 0, 0, 14, 0, 8, 0][..], &(1_i64).to_le_bytes(), &[11, 0, 90, 0, 1]]
            .concat();
    whole.extend(block(1, &[&[101, 0, 0, 0, 0, 0, 0, 0][..], &offset].concat()));
    file.drain(..28);
    whole.extend(file);
    check(&whole);
}

#[test]
fn a_length_that_no_capture_has_is_damage() {
    let told = |file: &[u8]| list(file).unwrap_err().to_string();
    let mut file = pcap(101, &raw(&packets()), false, false);
    file[24 + 8..24 + 12].copy_from_slice(&300_000_u32.to_le_bytes());
    assert_eq!(
        told(&file),
        "the capture is damaged after frame 0: more than 262144 bytes in one piece"
    );
    let mut file = pcapng(101, &raw(&packets()), 9);
    file[28 + 4..28 + 8].copy_from_slice(&7_u32.to_le_bytes());
    assert_eq!(
        told(&file),
        "the capture is damaged after frame 0: a block of type 0x1 and 7 bytes makes no sense"
    );
}

#[test]
fn a_clock_that_jumps_by_centuries_is_read() {
    let mut made = packets();
    for (one, packet) in made.iter_mut().enumerate().skip(4) {
        packet.time_ns = if one % 2 == 0 { u64::MAX } else { 0 };
    }
    let layout = lay_out(pcapng(101, &raw(&made), 9).as_slice(), 0).unwrap();
    assert_eq!(layout.segments.length[3..5], [1000, 1000]);
}

#[test]
fn an_error_is_a_sentence() {
    let told = |file: &[u8]| list(file).unwrap_err().to_string();
    assert_eq!(told(b"ab"), "this is no pcap or pcapng capture: it has 2 bytes");
    assert_eq!(
        told(b"# A list\n"),
        "this is no pcap or pcapng capture: it begins with 23 20 41 20"
    );
    assert_eq!(
        told(&[0x1f, 0x8b, 8, 0]),
        "this is no pcap or pcapng capture: it is compressed with gzip; unpack it first"
    );
    assert_eq!(
        told(&pcap(105, &raw(&packets()), false, false)),
        "the capture has no packet of TCP over IP: its link type 105 is not read; Ethernet, raw \
         IP, Linux cooked and loopback are"
    );
    assert_eq!(
        told(&pcap(101, &[], false, false)),
        "the capture has no packet of TCP over IP: it has 0 frames of other protocols"
    );
    let file = pcap(101, &raw(&packets()), false, false);
    let error = lay_out(file.as_slice(), 3).unwrap_err();
    assert!(matches!(error, ReadError::NoConnection { number: 3, count: 1 }));
    assert_eq!(error.to_string(), "there is no connection 3: the capture has one, number 0");
    let file = pcap(101, &raw(&handshake()), false, false);
    assert_eq!(
        lay_out(file.as_slice(), 0).unwrap_err().to_string(),
        "connection 0 carries no payload: there is nothing to lay out"
    );
}
