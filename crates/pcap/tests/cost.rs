//! Does reading cost in proportion to the capture, and can it be stopped?

use ackclock_pcap::{ReadError, lay_out_while, list_while};

use crate::made::{Made, handshake, pcap, raw};

fn file(packets: impl Iterator<Item = Made>) -> Vec<u8> {
    let all: Vec<Made> = handshake().into_iter().chain(packets).collect();
    pcap(101, &raw(&all), false, false)
}

/// Number of times that the reader asks whether to go on: once in so many steps of work.
fn asked(file: &[u8]) -> u32 {
    let mut asked = 0;
    lay_out_while(file, 0, &mut || {
        asked += 1;
        true
    })
    .unwrap();
    asked
}

/// A number of 0 to `count` that jumps about and comes once.
fn scattered(number: u32, count: u32) -> u32 {
    // A prime that divides no `count` of these tests.
    u32::try_from(u64::from(number) * 7919 % u64::from(count)).unwrap()
}

fn time(number: u32) -> f64 {
    20.0 + 0.01 * f64::from(number)
}

/// Each byte is a segment; every second one is `SACKed`, in scattered order.
fn scattered_sacks(count: u32) -> impl Iterator<Item = Made> {
    let sent = (0..count).map(|number| Made::data(time(number), 1 + number, 1));
    let sacked = (0..count / 2).map(move |number| {
        let at = 1 + 2 * scattered(number, count / 2);
        Made::ack(time(count + number), 1).sack(at, at + 1)
    });
    sent.chain(sacked)
}

/// One block covers all that was sent, again and again.
fn a_block_over_all(count: u32) -> impl Iterator<Item = Made> {
    let sent = (0..count).map(|number| Made::data(time(number), 1 + number, 1));
    let sacked =
        (0..count).map(move |number| Made::ack(time(count + number), 1).sack(2, 1 + count));
    sent.chain(sacked)
}

/// Segments that repeat all bytes at once, every second of which is `SACKed`.
fn repeats_of_all(count: u32) -> impl Iterator<Item = Made> {
    let repeats =
        (0..count).map(move |number| Made::data(time(2 * count + number), 1, count.min(60_000)));
    scattered_sacks(count).chain(repeats)
}

/// The head is repeated after each ACK of a byte, with all above it `SACKed`.
fn holes_at_the_head(count: u32) -> impl Iterator<Item = Made> {
    let acked = (0..count / 2).flat_map(move |number| {
        let at = time(2 * count + 2 * number);
        let head = 2 + 2 * number;
        [Made::ack(at, head), Made::data(at + 0.01, head, 1)]
    });
    scattered_sacks(count).chain(acked)
}

/// A segment, a silence, its repetition, its SACK: a timeout each.
fn timeouts(count: u32) -> impl Iterator<Item = Made> {
    (0..count).flat_map(|number| {
        let at = 20.0 + 5000.0 * f64::from(number);
        let byte = 2 + number;
        [
            Made::data(at, byte, 1),
            Made::data(at + 4000.0, byte, 1),
            Made::data(at + 4500.0, byte, 1),
            Made::ack(at + 4510.0, 1).sack(byte, byte + 1),
        ]
    })
}

/// Reads captures of growing length; twice the length may cost twice as much, and a little more.
fn grows_in_proportion<I: Iterator<Item = Made>>(packets: impl Fn(u32) -> I) {
    let costs = [10_000, 20_000].map(|count| f64::from(asked(&file(packets(count)))));
    assert!(costs[1] <= 2.5 * costs[0], "{costs:?}");
}

#[test]
fn twice_the_scattered_sacks_cost_twice_as_much() {
    grows_in_proportion(scattered_sacks);
}

#[test]
fn twice_the_blocks_over_all_cost_twice_as_much() {
    grows_in_proportion(a_block_over_all);
}

#[test]
fn twice_the_repeats_of_all_cost_twice_as_much() {
    grows_in_proportion(repeats_of_all);
}

#[test]
fn twice_the_holes_at_the_head_cost_twice_as_much() {
    grows_in_proportion(holes_at_the_head);
}

#[test]
fn twice_the_timeouts_cost_twice_as_much() {
    grows_in_proportion(timeouts);
}

#[test]
fn the_reader_stops_wherever_it_asks() {
    let file = file(scattered_sacks(10_000));
    let most = asked(&file);
    // The frames, then the layout.
    assert!(most > 10, "{most}");
    for allowed in 0..most {
        let mut asked = 0;
        let stopped = lay_out_while(file.as_slice(), 0, &mut || {
            asked += 1;
            asked <= allowed
        });
        assert!(matches!(stopped, Err(ReadError::Stopped)), "{allowed}");
        assert_eq!(asked, allowed + 1);
    }
    let stopped = list_while(file.as_slice(), &mut || false);
    assert!(matches!(stopped, Err(ReadError::Stopped)));
}
