//! A TCP segment, read from a frame.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use etherparse::{
    EtherType, LaxNetSlice, LaxSlicedPacket, TcpHeaderSlice, TcpOptionElement, ip_number,
};

use crate::file::Frame;

/// Bits of the TCP header's flags.
pub mod flags {
    /// No more data from the sender.
    pub const FIN: u16 = 0x01;
    /// Synchronise sequence numbers.
    pub const SYN: u16 = 0x02;
    /// Reset the connection.
    pub const RST: u16 = 0x04;
    /// Push.
    pub const PSH: u16 = 0x08;
    /// The acknowledgment field counts.
    pub const ACK: u16 = 0x10;
    /// Urgent.
    pub const URG: u16 = 0x20;
    /// ECN echo.
    pub const ECE: u16 = 0x40;
    /// Congestion window reduced.
    pub const CWR: u16 = 0x80;
}

/// One end of a connection.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Endpoint {
    /// IP address.
    pub address: IpAddr,
    /// TCP port.
    pub port: u16,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address {
            IpAddr::V4(address) => write!(f, "{address}:{}", self.port),
            IpAddr::V6(address) => write!(f, "[{address}]:{}", self.port),
        }
    }
}

/// Options of a TCP segment that matter here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Maximum segment size (RFC 9293 section 3.7.1), bytes.
    pub mss: Option<u16>,
    /// Shift of the window (RFC 7323 section 2).
    pub window_shift: Option<u8>,
    /// Whether SACK is permitted (RFC 2018).
    pub sack_permitted: bool,
    /// Value and echo of the timestamps (RFC 7323 section 3).
    pub timestamps: Option<(u32, u32)>,
    /// SACK blocks.
    pub sacks: [(u32, u32); 4],
    /// SACK blocks in use.
    pub sack_count: u8,
}

/// A TCP segment as its headers tell it.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Number of the frame in the file.
    pub frame: u64,
    /// Time of the capture, ns.
    pub time_ns: u64,
    /// The end that sent it.
    pub source: Endpoint,
    /// The end that it is for.
    pub destination: Endpoint,
    /// Sequence number.
    pub seq: u32,
    /// Acknowledgment number.
    pub ack: u32,
    /// Flag bits.
    pub flags: u16,
    /// Window field, not scaled.
    pub window: u16,
    /// Payload, bytes.
    pub payload: u32,
    /// Length of the IP packet, bytes.
    pub ip_bytes: u32,
    /// Time to live, or hop limit.
    pub ttl: u8,
    /// ECN field of the IP header.
    pub ecn: u8,
    /// The options; none if the capture cut them off.
    pub options: Options,
}

impl Segment {
    /// Whether the flag is set.
    #[must_use]
    pub fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Sequence numbers that the segment takes.
    #[must_use]
    pub fn length(&self) -> u32 {
        let ends = u32::from(self.has(flags::SYN)) + u32::from(self.has(flags::FIN));
        self.payload.saturating_add(ends)
    }
}

/// Why a frame holds no segment.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Skip {
    /// The link layer is none that is read here.
    Link,
    /// Neither IP nor TCP.
    Other,
    /// The capture kept too little of the frame.
    Short,
    /// A fragment of an IP packet.
    Fragment,
}

/// Reads the segment in a frame.
///
/// # Errors
/// If the frame holds none.
pub fn read(frame: &Frame) -> Result<Segment, Skip> {
    let packet = slice(frame.link, frame.data)?;
    let Some(net) = packet.net else { return Err(Skip::Other) };
    let (source, destination, header, total, ttl, ecn): (IpAddr, IpAddr, &[u8], u32, u8, u8) =
        match &net {
            LaxNetSlice::Ipv4(ip) => {
                let header = ip.header();
                (
                    Ipv4Addr::from(header.source()).into(),
                    Ipv4Addr::from(header.destination()).into(),
                    header.slice(),
                    header.total_len().into(),
                    header.ttl(),
                    header.ecn().value(),
                )
            }
            LaxNetSlice::Ipv6(ip) => {
                let header = ip.header();
                let length = match header.payload_length() {
                    0 => 0,
                    length => u32::from(length) + 40,
                };
                (
                    Ipv6Addr::from(header.source()).into(),
                    Ipv6Addr::from(header.destination()).into(),
                    header.slice(),
                    length,
                    header.hop_limit(),
                    header.traffic_class() & 0b11,
                )
            }
            LaxNetSlice::Arp(_) => return Err(Skip::Other),
        };
    let Some(payload) = net.ip_payload_ref() else { return Err(Skip::Other) };
    if payload.ip_number != ip_number::TCP {
        return Err(Skip::Other);
    }
    if payload.fragmented {
        return Err(Skip::Fragment);
    }
    let before_ip = offset(frame.data, header);
    // An IP packet above 64 KiB, made by offload, says 0.
    let ip_bytes = match total {
        0 => frame.original_bytes.saturating_sub(before_ip),
        total => total,
    };
    let before_tcp = offset(header, payload.payload);
    let bytes = payload.payload;
    let mut fixed = [0; 20];
    fixed.copy_from_slice(bytes.get(..20).ok_or(Skip::Short)?);
    let header_bytes = u32::from(fixed[12] >> 4) * 4;
    // A header whose options were cut off is read without them.
    let is_whole = TcpHeaderSlice::from_slice(bytes).is_ok();
    if !is_whole {
        fixed[12] = 5 << 4;
    }
    let kept = if is_whole { bytes } else { &fixed };
    let tcp = TcpHeaderSlice::from_slice(kept).map_err(|_| Skip::Short)?;
    let on = |is_set: bool, flag: u16| if is_set { flag } else { 0 };
    Ok(Segment {
        frame: frame.number,
        time_ns: frame.time_ns,
        source: Endpoint { address: source, port: tcp.source_port() },
        destination: Endpoint { address: destination, port: tcp.destination_port() },
        seq: tcp.sequence_number(),
        ack: tcp.acknowledgment_number(),
        flags: on(tcp.fin(), flags::FIN)
            | on(tcp.syn(), flags::SYN)
            | on(tcp.rst(), flags::RST)
            | on(tcp.psh(), flags::PSH)
            | on(tcp.ack(), flags::ACK)
            | on(tcp.urg(), flags::URG)
            | on(tcp.ece(), flags::ECE)
            | on(tcp.cwr(), flags::CWR),
        window: tcp.window_size(),
        payload: ip_bytes.saturating_sub(before_tcp).saturating_sub(header_bytes.max(20)),
        ip_bytes,
        ttl,
        ecn,
        options: options(&tcp),
    })
}

/// Link types of libpcap.
mod link {
    pub const NULL: u32 = 0;
    pub const ETHERNET: u32 = 1;
    pub const RAW: u32 = 101;
    pub const LOOP: u32 = 108;
    pub const LINUX_SLL: u32 = 113;
    pub const IPV4: u32 = 228;
    pub const IPV6: u32 = 229;
    pub const LINUX_SLL2: u32 = 276;
}

fn slice(kind: u32, data: &[u8]) -> Result<LaxSlicedPacket<'_>, Skip> {
    let from_type = |at: usize, header: usize| {
        let code = data.get(at..at + 2).ok_or(Skip::Short)?;
        let rest = data.get(header..).ok_or(Skip::Short)?;
        let code = EtherType(u16::from_be_bytes([code[0], code[1]]));
        Ok(LaxSlicedPacket::from_ether_type(code, rest))
    };
    let from_ip = |header: usize| {
        let rest = data.get(header..).ok_or(Skip::Short)?;
        LaxSlicedPacket::from_ip(rest).map_err(|_| Skip::Other)
    };
    match kind {
        link::ETHERNET => LaxSlicedPacket::from_ethernet(data).map_err(|_| Skip::Short),
        // Some systems write raw IP as 12 or 14.
        link::RAW | link::IPV4 | link::IPV6 | 12 | 14 => from_ip(0),
        // The address family before the packet differs by system, the IP version does not.
        link::NULL | link::LOOP => from_ip(4),
        link::LINUX_SLL => from_type(14, 16),
        link::LINUX_SLL2 => from_type(0, 20),
        _ => Err(Skip::Link),
    }
}

/// Bytes from the start of `whole` to the start of `part`, which lies in it.
fn offset(whole: &[u8], part: &[u8]) -> u32 {
    let bytes = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn options(tcp: &TcpHeaderSlice) -> Options {
    let mut found = Options::default();
    for option in tcp.options_iterator() {
        match option {
            Ok(TcpOptionElement::MaximumSegmentSize(mss)) => found.mss = Some(mss),
            // "If a Window Scale option is received with a shift.cnt value larger than 14, the TCP
            // SHOULD log the error but MUST use 14" (RFC 7323 section 2.3).
            Ok(TcpOptionElement::WindowScale(shift)) => found.window_shift = Some(shift.min(14)),
            Ok(TcpOptionElement::SelectiveAcknowledgementPermitted) => found.sack_permitted = true,
            Ok(TcpOptionElement::Timestamp(value, echo)) => {
                found.timestamps = Some((value, echo));
            }
            Ok(TcpOptionElement::SelectiveAcknowledgement(first, others)) => {
                found.sacks[0] = first;
                found.sack_count = 1;
                for (place, block) in found.sacks[1..].iter_mut().zip(others) {
                    if let Some(block) = block {
                        *place = block;
                        found.sack_count += 1;
                    }
                }
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    found
}
