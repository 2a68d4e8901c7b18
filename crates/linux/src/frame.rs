//! Contents of an Ethernet frame of TCP or UDP over IPv4.

use std::net::Ipv4Addr;

use ackclock_sim::packet::Ecn;
use etherparse::{
    EtherType, Ethernet2Header, Ethernet2HeaderSlice, IpNumber, Ipv4HeaderSlice, TcpHeaderSlice,
    TcpOptionElement, UdpHeaderSlice,
};

/// Headers of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Source address.
    pub source: Ipv4Addr,
    /// Destination address.
    pub destination: Ipv4Addr,
    /// Length of the IP packet, bytes.
    pub ip_bytes: u16,
    /// ECN field of the IP header.
    pub ecn: Ecn,
    /// Source port.
    pub source_port: u16,
    /// Destination port.
    pub destination_port: u16,
    /// Bytes behind the transport's header.
    pub payload_bytes: u16,
    /// TCP header; absent for UDP.
    pub tcp: Option<Tcp>,
}

/// Fields of a TCP header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tcp {
    /// TCP's flags with the bits of the wire, as in `ackclock_sim::packet::flags`.
    pub flags: u16,
    /// Sequence number of the first byte.
    pub seq: u32,
    /// Next byte expected; it has no meaning without the ACK flag.
    pub ack: u32,
    /// Window as on the wire, unscaled.
    pub window: u16,
    /// Shift of later windows, which only a SYN has.
    pub window_scale: Option<u8>,
    /// Timestamp value and echo.
    pub timestamps: Option<(u32, u32)>,
    /// SACK blocks, first and past the last byte; only the first `sack_blocks` count.
    pub sack: [(u32, u32); 4],
    /// Number of SACK blocks.
    pub sack_blocks: u8,
}

/// Length of the Ethernet header.
const ETHERNET: usize = Ethernet2Header::LEN;
/// Where the IP header's type of service, identification and checksum are.
const TOS: usize = ETHERNET + 1;
const IDENTIFICATION: usize = ETHERNET + 4;
const CHECKSUM: usize = ETHERNET + 10;

/// Reads a frame; `None` if it is no whole packet of TCP or UDP over IPv4.
#[must_use]
pub fn read(frame: &[u8]) -> Option<Header> {
    read_start(frame).filter(|header| frame.len() >= ETHERNET + usize::from(header.ip_bytes))
}

/// Reads the start of a frame, which must have the headers; `None` if it is no packet of TCP or UDP
/// over IPv4.
#[must_use]
pub fn read_start(frame: &[u8]) -> Option<Header> {
    let ethernet = Ethernet2HeaderSlice::from_slice(frame).ok()?;
    if ethernet.ether_type() != EtherType::IPV4 {
        return None;
    }
    let ip = Ipv4HeaderSlice::from_slice(&frame[ETHERNET..]).ok()?;
    if ip.is_fragmenting_payload() {
        return None;
    }
    let bytes = usize::from(ip.total_len()).checked_sub(ip.slice().len())?;
    let rest = frame.get(ETHERNET + ip.slice().len()..)?;
    let rest = &rest[..rest.len().min(bytes)];
    let (ports, header, tcp) = match ip.protocol() {
        IpNumber::TCP => {
            let tcp = TcpHeaderSlice::from_slice(rest).ok()?;
            ((tcp.source_port(), tcp.destination_port()), tcp.slice().len(), Some(self::tcp(&tcp)))
        }
        IpNumber::UDP => {
            let udp = UdpHeaderSlice::from_slice(rest).ok()?;
            ((udp.source_port(), udp.destination_port()), udp.slice().len(), None)
        }
        _ => return None,
    };
    Some(Header {
        source: ip.source_addr(),
        destination: ip.destination_addr(),
        ip_bytes: ip.total_len(),
        ecn: match ip.ecn().value() {
            0 => Ecn::NotEct,
            1 => Ecn::Ect1,
            2 => Ecn::Ect0,
            _ => Ecn::Ce,
        },
        source_port: ports.0,
        destination_port: ports.1,
        payload_bytes: u16::try_from(bytes.checked_sub(header)?).ok()?,
        tcp,
    })
}

/// The identification of an IP header, by which a host's kernel numbers its packets.
///
/// # Panics
/// If the frame has no IPv4 header.
#[must_use]
pub fn identification(frame: &[u8]) -> u16 {
    u16::from_be_bytes([frame[IDENTIFICATION], frame[IDENTIFICATION + 1]])
}

fn tcp(header: &TcpHeaderSlice<'_>) -> Tcp {
    let mut tcp = Tcp {
        // The low bits of the header's fourth word, without the flag of RFC 3540.
        flags: u16::from(header.slice()[13]),
        seq: header.sequence_number(),
        ack: header.acknowledgment_number(),
        window: header.window_size(),
        ..Tcp::default()
    };
    // An option that is not well formed ends the list.
    for option in header.options_iterator().map_while(Result::ok) {
        match option {
            TcpOptionElement::Timestamp(value, echo) => tcp.timestamps = Some((value, echo)),
            TcpOptionElement::WindowScale(scale) => tcp.window_scale = Some(scale),
            TcpOptionElement::SelectiveAcknowledgement(first, others) => {
                for block in core::iter::once(first).chain(others.into_iter().flatten()) {
                    tcp.sack[usize::from(tcp.sack_blocks)] = block;
                    tcp.sack_blocks += 1;
                }
            }
            _ => {}
        }
    }
    tcp
}

/// Sets the ECN bits of a frame that `read` could read, and mends the IP checksum (RFC 1624
/// equation 3).
///
/// # Panics
/// If the frame has no IPv4 header.
pub fn set_ecn(frame: &mut [u8], ecn: Ecn) {
    let word = |frame: &[u8]| u16::from_be_bytes([frame[ETHERNET], frame[TOS]]);
    let before = word(frame);
    frame[TOS] = frame[TOS] & !0b11 | ecn as u8;
    let checksum = u16::from_be_bytes([frame[CHECKSUM], frame[CHECKSUM + 1]]);
    let mut sum = u32::from(!checksum) + u32::from(!before) + u32::from(word(frame));
    while let Ok(carry @ 1..) = u16::try_from(sum >> 16) {
        sum = (sum & 0xffff) + u32::from(carry);
    }
    let [high, low] = (!u16::try_from(sum).expect("folded")).to_be_bytes();
    frame[CHECKSUM] = high;
    frame[CHECKSUM + 1] = low;
}

#[cfg(test)]
mod tests;
