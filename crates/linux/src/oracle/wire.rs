//! Packets as a TUN device carries them: IPv4 and TCP, without an Ethernet header.

use std::net::Ipv4Addr;

const IP: usize = 20;
const TCP: usize = 20;
const TCP_PROTOCOL: u8 = 6;
/// Kinds of TCP options (RFC 9293, 7323 and 2018).
const MSS: u8 = 2;
const WINDOW_SCALE: u8 = 3;
const SACK_PERMITTED: u8 = 4;
const SACK: u8 = 5;
const TIMESTAMPS: u8 = 8;

/// A packet that the kernel sent, with the fields that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub source_port: u16,
    pub destination_port: u16,
    pub seq: u32,
    pub ack: u32,
    /// TCP flag bits.
    pub flags: u16,
    pub payload: u32,
    pub timestamp: u32,
}

/// Reads a packet; `None` if it is not TCP over IPv4.
pub fn read(packet: &[u8]) -> Option<Seen> {
    let header = usize::from(packet.first()? & 0xf) * 4;
    if packet[0] >> 4 != 4 || *packet.get(9)? != TCP_PROTOCOL {
        return None;
    }
    let total = usize::from(u16::from_be_bytes([*packet.get(2)?, *packet.get(3)?]));
    let tcp = packet.get(header..total)?;
    let word = |at: usize| Some(u32::from_be_bytes(tcp.get(at..at + 4)?.try_into().ok()?));
    let length = usize::from(*tcp.get(12)? >> 4) * 4;
    let ports = word(0)?;
    Some(Seen {
        source_port: (ports >> 16) as u16,
        destination_port: (ports & 0xffff) as u16,
        seq: word(4)?,
        ack: word(8)?,
        flags: u16::from(*tcp.get(13)?),
        payload: u32::try_from(tcp.len().checked_sub(length)?).ok()?,
        timestamp: timestamp(tcp.get(TCP..length)?).unwrap_or_default(),
    })
}

fn timestamp(mut options: &[u8]) -> Option<u32> {
    loop {
        match *options.first()? {
            0 => return None,
            1 => options = &options[1..],
            TIMESTAMPS => return Some(u32::from_be_bytes(options.get(2..6)?.try_into().ok()?)),
            _ => options = options.get(usize::from(*options.get(1)?).max(2)..)?,
        }
    }
}

/// A packet of the peer.
#[derive(Clone, Debug)]
pub struct Reply<'a> {
    pub from: (Ipv4Addr, u16),
    pub to: (Ipv4Addr, u16),
    pub seq: u32,
    pub ack: u32,
    /// TCP flag bits.
    pub flags: u16,
    /// Window as in the header, already shifted.
    pub window: u16,
    pub timestamps: (u32, u32),
    pub sacks: &'a [(u32, u32)],
    /// Options of a SYN: mss and window shift.
    pub opens: Option<(u16, u8)>,
}

impl Reply<'_> {
    /// The packet's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut options = Vec::with_capacity(40);
        if let Some((mss, _)) = self.opens {
            options.extend([MSS, 4]);
            options.extend(mss.to_be_bytes());
            options.extend([SACK_PERMITTED, 2, TIMESTAMPS, 10]);
        } else {
            options.extend([1, 1, TIMESTAMPS, 10]);
        }
        options.extend(self.timestamps.0.to_be_bytes());
        options.extend(self.timestamps.1.to_be_bytes());
        if let Some((_, shift)) = self.opens {
            options.extend([1, WINDOW_SCALE, 3, shift]);
        }
        if !self.sacks.is_empty() {
            options.extend([1, 1, SACK, 2 + 8 * u8::try_from(self.sacks.len()).unwrap_or(3)]);
            for (start, end) in self.sacks {
                options.extend(start.to_be_bytes());
                options.extend(end.to_be_bytes());
            }
        }
        let total = u16::try_from(IP + TCP + options.len()).unwrap_or(u16::MAX);
        let mut packet = Vec::with_capacity(usize::from(total));
        packet.extend([0x45, 0]);
        packet.extend(total.to_be_bytes());
        packet.extend([0, 0, 0x40, 0, 64, TCP_PROTOCOL, 0, 0]);
        packet.extend(self.from.0.octets());
        packet.extend(self.to.0.octets());
        let sum = checksum(&[&packet]);
        packet[10..12].copy_from_slice(&sum.to_be_bytes());
        packet.extend(self.from.1.to_be_bytes());
        packet.extend(self.to.1.to_be_bytes());
        packet.extend(self.seq.to_be_bytes());
        packet.extend(self.ack.to_be_bytes());
        packet.push(u8::try_from((TCP + options.len()) / 4).unwrap_or_default() << 4);
        packet.push(u8::try_from(self.flags & 0xff).unwrap_or_default());
        packet.extend(self.window.to_be_bytes());
        packet.extend([0, 0, 0, 0]);
        packet.extend(&options);
        let length = u16::try_from(packet.len() - IP).unwrap_or_default().to_be_bytes();
        let pseudo = [0, TCP_PROTOCOL, length[0], length[1]];
        let sum = checksum(&[&packet[12..20], &pseudo, &packet[IP..]]);
        packet[IP + 16..IP + 18].copy_from_slice(&sum.to_be_bytes());
        packet
    }
}

/// RFC 1071, over parts of even length.
fn checksum(parts: &[&[u8]]) -> u16 {
    let words = parts.iter().flat_map(|part| part.chunks(2));
    let mut sum: u32 = words
        .map(|word| u32::from(u16::from_be_bytes([word[0], *word.get(1).unwrap_or(&0)])))
        .sum();
    while let Ok(carry @ 1..) = u16::try_from(sum >> 16) {
        sum = (sum & 0xffff) + u32::from(carry);
    }
    !u16::try_from(sum & 0xffff).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ackclock_sim::packet::flags;
    use etherparse::{Ipv4HeaderSlice, TcpSlice};

    use super::*;

    const HERE: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
    const THERE: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);

    proptest::proptest! {
        /// Options of length zero and beyond the end, headers longer than the packet, no packet at
        /// all.
        #[test]
        fn no_bytes_panic(
            mut bytes: Vec<u8>,
            options in proptest::collection::vec(0..12_u8, 0..60),
        ) {
            read(&bytes);
            timestamp(&options);
            if bytes.len() > 9 {
                (bytes[0], bytes[9]) = (0x45, TCP_PROTOCOL);
                read(&bytes);
            }
        }
    }

    /// Another library reads the bytes and finds both checksums right.
    #[test]
    fn a_reply_is_a_valid_packet() {
        let sacks = [(5000, 6000), (8000, 9000), (11_000, 12_000)];
        for (opens, sacks) in [(Some((1460, 7)), &[][..]), (None, &[][..]), (None, &sacks[..])] {
            let reply = Reply {
                from: (THERE, 4000),
                to: (HERE, 3000),
                seq: 77,
                ack: 0xffff_fff0,
                flags: flags::ACK,
                window: 512,
                timestamps: (1, 2),
                sacks,
                opens,
            };
            let bytes = reply.bytes();
            let ip = Ipv4HeaderSlice::from_slice(&bytes).expect("an IP header");
            assert_eq!(ip.header_checksum(), ip.to_header().calc_header_checksum());
            let tcp = TcpSlice::from_slice(&bytes[IP..]).expect("a TCP header");
            let right = tcp.calc_checksum_ipv4(THERE.octets(), HERE.octets());
            assert_eq!(tcp.checksum(), right.expect("short enough"));
            assert_eq!(tcp.options_iterator().filter(Result::is_err).count(), 0);
            let seen = read(&bytes).expect("readable");
            assert_eq!(
                (seen.source_port, seen.destination_port, seen.seq, seen.ack),
                (4000, 3000, 77, 0xffff_fff0)
            );
            assert_eq!((seen.timestamp, seen.payload, seen.flags), (1, 0, flags::ACK));
        }
    }
}
