//! Packets as text.

use crate::packet::{Ecn, Packet, flags};

/// Describes a packet in the words of a transcript.
#[must_use]
pub fn describe(packet: &Packet) -> String {
    let mut text = if packet.has(flags::SYN | flags::ACK) {
        "synack".into()
    } else if packet.has(flags::SYN) {
        "syn".into()
    } else if packet.payload > 0 {
        format!("data {}:{}", packet.seq, packet.seq + u64::from(packet.payload))
    } else if packet.is_reverse {
        format!("ack {}", packet.ack)
    } else if packet.has(flags::FIN) {
        format!("fin {}", packet.seq)
    } else {
        // The sender's own: an ACK of the handshake or the receiver's FIN, or a window probe.
        format!("ack {} (or probe {})", packet.ack, packet.seq)
    };
    let is_bare_fin = packet.payload == 0 && !packet.is_reverse;
    for (bit, name) in [(flags::FIN, "fin"), (flags::ECE, "ece"), (flags::CWR, "cwr")] {
        if packet.has(bit) && !(bit == flags::FIN && is_bare_fin) {
            text += " ";
            text += name;
        }
    }
    let sacks: Vec<String> =
        packet.sack_ranges().map(|(start, end)| format!("{start}:{end}")).collect();
    if !sacks.is_empty() {
        text += " sack ";
        text += &sacks.join(",");
    }
    match packet.ecn {
        Ecn::NotEct => (),
        Ecn::Ect0 => text += " ect0",
        Ecn::Ect1 => text += " ect1",
        Ecn::Ce => text += " ce",
    }
    if packet.is_reverse {
        text += " win ";
        text += &packet.window.to_string();
    }
    text
}
