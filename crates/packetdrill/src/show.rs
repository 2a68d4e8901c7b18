//! Packets as lines of a script.

use core::fmt::Write as _;

use ackclock_sim::packet::{self, flags};

use crate::language::Packet;

/// Flags of TCP by the letter, in the order in which they are shown.
pub const FLAGS: [(char, u16); 6] = [
    ('F', flags::FIN),
    ('S', flags::SYN),
    ('P', flags::PSH),
    ('E', flags::ECE),
    ('W', flags::CWR),
    ('.', flags::ACK),
];

/// A packet of the host, whose numbers do not count the SYN, in the numbers of a script.
pub fn sent(packet: &packet::Packet) -> String {
    let mut text: String =
        FLAGS.iter().filter(|(_, bit)| packet.has(*bit)).map(|(letter, _)| *letter).collect();
    let (start, payload) = (packet.seq + 1, packet.payload);
    let end = start + u64::from(payload);
    let _ = write!(text, " {start}:{end}({payload}) ack {}", packet.ack + 1);
    let blocks: Vec<_> = packet.sack_ranges().map(|(a, b)| (a + 1, b + 1)).collect();
    if !blocks.is_empty() {
        let _ = write!(text, " sack {}", sacks(&blocks));
    }
    text
}

/// A packet of a script.
pub fn described(packet: &Packet) -> String {
    let mut text = numbers(packet);
    if let Some(ack) = packet.ack {
        let _ = write!(text, " ack {ack}");
    }
    if let Some(window) = packet.window {
        let _ = write!(text, " win {window}");
    }
    if !packet.sacks.is_empty() {
        let _ = write!(text, " sack {}", sacks(&packet.sacks));
    }
    text
}

/// Flags and sequence numbers.
pub fn numbers(packet: &Packet) -> String {
    format!("{} {}:{}({})", packet.flags, packet.start, packet.end, packet.length)
}

/// SACK blocks.
pub fn sacks(blocks: &[(u64, u64)]) -> String {
    blocks.iter().map(|(start, end)| format!("{start}:{end}")).collect::<Vec<_>>().join(" ")
}
