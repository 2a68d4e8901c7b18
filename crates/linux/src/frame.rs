//! What an Ethernet frame of TCP or UDP over IPv4 says.

use ackclock_sim::packet::Ecn;

/// Its headers, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Source address.
    pub source: std::net::Ipv4Addr,
    /// Destination address.
    pub destination: std::net::Ipv4Addr,
    /// Length of the IP packet, bytes.
    pub ip_bytes: u16,
    /// The IP header's two bits.
    pub ecn: Ecn,
    /// Source port.
    pub source_port: u16,
    /// Destination port.
    pub destination_port: u16,
    /// Bytes behind the transport's header.
    pub payload_bytes: u16,
    /// TCP's own, or none for UDP.
    pub tcp: Option<Tcp>,
}

/// What a TCP header says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tcp {
    /// As `ackclock_sim::packet::Flags` has them: the wire's bits.
    pub flags: u16,
    /// Sequence number of the first byte.
    pub seq: u32,
    /// Next byte expected; meaningless without the ACK flag.
    pub ack: u32,
    /// Window as on the wire, unscaled.
    pub window: u16,
    /// The shift of the windows to come, which a SYN tells.
    pub window_scale: Option<u8>,
    /// Timestamp value and echo.
    pub timestamps: Option<(u32, u32)>,
    /// SACK blocks, first and past the last byte; only the first `sack_blocks` count.
    pub sack: [(u32, u32); 4],
    /// How many SACK blocks there are.
    pub sack_blocks: u8,
}

/// Reads a frame; none where it is no whole packet of TCP or UDP over IPv4.
#[must_use]
pub fn read(frame: &[u8]) -> Option<Header> {
    let _ = frame;
    unimplemented!()
}

/// Sets the IP header's ECN bits and mends its checksum (RFC 1624).
pub fn set_ecn(frame: &mut [u8], ecn: Ecn) {
    let _ = (frame, ecn);
    unimplemented!()
}
