//! Packet events as a capture file: pcapng (draft-ietf-opsawg-pcapng) of raw IPv4 with the headers
//! that the packets would have had.

use std::borrow::Cow;
use std::io::Write;
use std::time::Duration;

use ackclock_sim::packet::{MAX_SACK_BLOCKS, flags};
use ackclock_sim::plan::Plan;
use ackclock_sim::record::{PacketColumns, PacketEvent, Point};
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_sim::transport::plan::LossDetection;
use etherparse::{IpEcn, IpNumber, Ipv4Header, TcpHeader, TcpOptionElement, TcpOptions, UdpHeader};
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketBlock;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::blocks::section_header::{SectionHeaderBlock, SectionHeaderOption};
use pcap_file::{DataLink, Endianness};

/// The longest headers: IPv4 without options, TCP with 40 bytes of them. No payload is kept; it
/// would be zeros.
const SNAPLEN: u32 = 80;
const LARGEST_IPV4: usize = 65_535;
static ZEROS: [u8; LARGEST_IPV4] = [0; LARGEST_IPV4];
/// 10^-9 s, as `if_tsresol` writes it.
const NANOSECONDS: u8 = 9;
const TIME_TO_LIVE: u8 = 64;
/// A port that the well-known analysis protocol of that number makes sense of: discard (RFC 863).
const RECEIVER_PORT: u16 = 9;
const FIRST_SENDER_PORT: u16 = 49_152;
const SENDER_PORTS: u16 = 16_384;
/// The timestamps option with its padding (RFC 7323 appendix A).
const TIMESTAMPS_BYTES: u32 = 12;
/// RFC 7323 section 2.3.
const LARGEST_SHIFT: u8 = 14;

/// Why no capture could be written.
pub enum CaptureError {
    /// The file's fault.
    Io(std::io::Error),
    /// The plan's fault, as a sentence.
    Unencodable(String),
}

impl From<std::io::Error> for CaptureError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<pcap_file::PcapError> for CaptureError {
    fn from(error: pcap_file::PcapError) -> Self {
        match error {
            pcap_file::PcapError::IoError(error) => Self::Io(error),
            other => Self::Io(std::io::Error::other(other)),
        }
    }
}

/// Writes the packets seen at `point` (at a link: those that reached its far end) and returns their
/// number. `place` is the link's index; hosts of all flows share one file.
pub fn write(
    out: impl Write,
    plan: &Plan,
    packets: &PacketColumns,
    point: Point,
    place: Option<u32>,
    interface: &str,
) -> Result<u64, CaptureError> {
    let section = SectionHeaderBlock {
        endianness: Endianness::Little,
        options: vec![SectionHeaderOption::UserApplication(Cow::Borrowed(concat!(
            "ackclock ",
            env!("CARGO_PKG_VERSION")
        )))],
        ..SectionHeaderBlock::default()
    };
    let mut writer = PcapNgWriter::with_section_header(out, section)?;
    writer.write_pcapng_block(InterfaceDescriptionBlock {
        linktype: DataLink::RAW,
        snaplen: SNAPLEN,
        options: vec![
            InterfaceDescriptionOption::IfName(Cow::Borrowed(interface)),
            InterfaceDescriptionOption::IfTsResol(NANOSECONDS),
        ],
    })?;

    let connections: Vec<Connection> =
        (0..).zip(&plan.flows).map(|(index, flow)| Connection::new(index, flow)).collect();
    let mut rows: Vec<usize> = (0..packets.time_ns.len())
        .filter(|&row| {
            packets.point[row] == point as u8
                && place.is_none_or(|place| packets.place[row] == place)
        })
        .filter(|&row| {
            packets.event[row] == PacketEvent::Receive as u8
                || (point != Point::Link && packets.event[row] == PacketEvent::Send as u8)
        })
        .collect();
    // A link may write events down ahead of their time.
    rows.sort_by_key(|&row| packets.time_ns[row]);
    for &row in &rows {
        let flow = packets.flow[row] as usize;
        let encoded = match connections.get(flow) {
            Some(connection) => connection.headers(packets, row),
            None => datagram(packets, row),
        };
        let (headers, length) = encoded.ok_or_else(|| {
            let names = plan
                .flows
                .iter()
                .map(|flow| &flow.name)
                .chain(plan.streams.iter().map(|stream| &stream.name));
            CaptureError::Unencodable(format!(
                "flow '{}': a payload of {} bytes does not fit into an IPv4 packet of at most \
                 {LARGEST_IPV4} bytes, so no capture can show it",
                names.into_iter().nth(flow).map_or("", String::as_str),
                packets.length[row]
            ))
        })?;
        writer.write_pcapng_block(EnhancedPacketBlock {
            interface_id: 0,
            timestamp: Duration::from_nanos(packets.time_ns[row]),
            original_len: length,
            data: Cow::Owned(headers),
            options: Vec::new(),
        })?;
    }
    writer.into_inner().flush().map_err(CaptureError::Io)?;
    Ok(rows.len() as u64)
}

/// The headers of a stream's packet; what else than IP and UDP it has counts as payload.
fn datagram(packets: &PacketColumns, row: usize) -> Option<(Vec<u8>, u32)> {
    let (sender, receiver) = ends(packets.flow[row], 0);
    let headers = Ipv4Header::MIN_LEN + UdpHeader::LEN;
    let payload = (packets.wire_size[row] as usize).checked_sub(headers)?;
    let mut ip = Ipv4Header {
        total_len: u16::try_from(headers + payload).ok()?,
        ecn: IpEcn::try_new(packets.ecn[row]).ok()?,
        dont_fragment: true,
        time_to_live: TIME_TO_LIVE,
        protocol: IpNumber::UDP,
        source: sender.address,
        destination: receiver.address,
        ..Ipv4Header::default()
    };
    ip.header_checksum = ip.calc_header_checksum();
    let udp =
        UdpHeader::with_ipv4_checksum(sender.port, receiver.port, &ip, &ZEROS[..payload]).ok()?;
    Some(([ip.to_bytes().as_slice(), udp.to_bytes().as_slice()].concat(), u32::from(ip.total_len)))
}

/// Sender and receiver of flow number `index` on the `connection`-th of its connections.
#[expect(clippy::cast_possible_truncation, reason = "the index is taken apart, 16 bits each")]
fn ends(index: u32, connection: u32) -> (End, End) {
    let [high, low] = (index as u16).to_be_bytes();
    let end = |host: u8, port: u16| End {
        address: [10, high, low, host],
        port,
        initial_sequence: scramble(
            2 * u64::from(index) + u64::from(host - 1) + (u64::from(connection) << 33),
        ),
    };
    // A session that opens a connection again takes the next port.
    let port = (index >> 16).wrapping_add(connection) as u16 % SENDER_PORTS;
    (end(1, FIRST_SENDER_PORT + port), end(2, RECEIVER_PORT))
}

/// One end of a connection.
#[derive(Clone, Copy)]
struct End {
    address: [u8; 4],
    port: u16,
    initial_sequence: u32,
}

/// Agreements of both ends of a connection.
struct Connection {
    index: u32,
    mss: u16,
    window_shift: u8,
    timestamps: bool,
    sack: bool,
}

impl Connection {
    fn new(index: u32, flow: &FlowPlan) -> Self {
        let transport = &flow.transport;
        let window_shift = (0..LARGEST_SHIFT)
            .find(|shift| u16::try_from(transport.receive_buffer_bytes >> shift).is_ok())
            .unwrap_or(LARGEST_SHIFT);
        Self {
            index,
            // The option counts neither header's options (RFC 6691), the payload of a full segment
            // does.
            mss: u16::try_from(
                transport.mss + if transport.timestamps { TIMESTAMPS_BYTES } else { 0 },
            )
            .unwrap_or(u16::MAX),
            window_shift,
            timestamps: transport.timestamps,
            sack: transport.loss_detection != LossDetection::Dupack,
        }
    }

    /// The packet's headers and its whole length as IPv4 counts it; `None` if that is more than
    /// IPv4 can say.
    fn headers(&self, packets: &PacketColumns, row: usize) -> Option<(Vec<u8>, u32)> {
        let (sender, receiver) = ends(self.index, packets.connection[row]);
        let (from, to) =
            if packets.is_ack[row] == 0 { (sender, receiver) } else { (receiver, sender) };
        let mut tcp = self.tcp(packets, row, from, to);
        let payload = packets.length[row] as usize;
        let total = Ipv4Header::MIN_LEN + tcp.header_len() + payload;
        let mut ip = Ipv4Header {
            total_len: u16::try_from(total).ok()?,
            ecn: IpEcn::try_new(packets.ecn[row]).ok()?,
            dont_fragment: true,
            time_to_live: TIME_TO_LIVE,
            protocol: IpNumber::TCP,
            source: from.address,
            destination: to.address,
            ..Ipv4Header::default()
        };
        ip.header_checksum = ip.calc_header_checksum();
        tcp.checksum = tcp.calc_checksum_ipv4(&ip, &ZEROS[..payload]).ok()?;
        let headers = [ip.to_bytes().as_slice(), tcp.to_bytes().as_slice()].concat();
        Some((headers, u32::from(ip.total_len)))
    }

    fn tcp(&self, packets: &PacketColumns, row: usize, from: End, to: End) -> TcpHeader {
        let has = |bit: u16| packets.flags[row] & bit != 0;
        let is_syn = has(flags::SYN);
        let number = |end: End, offset: u64| wire_number(end.initial_sequence, offset);
        let window =
            if is_syn { packets.window[row] } else { packets.window[row] >> self.window_shift };
        TcpHeader {
            source_port: from.port,
            destination_port: to.port,
            sequence_number: if is_syn {
                from.initial_sequence
            } else {
                number(from, packets.seq[row])
            },
            acknowledgment_number: if has(flags::ACK) { number(to, packets.ack[row]) } else { 0 },
            fin: has(flags::FIN),
            psh: has(flags::PSH),
            syn: is_syn,
            ack: has(flags::ACK),
            ece: has(flags::ECE),
            cwr: has(flags::CWR),
            window_size: u16::try_from(window).unwrap_or(u16::MAX),
            options: self.options(packets, row, to),
            ..TcpHeader::default()
        }
    }

    /// In the order in which common stacks write them, padded to 32 bits (RFC 7323 appendix A).
    fn options(&self, packets: &PacketColumns, row: usize, to: End) -> TcpOptions {
        use TcpOptionElement::{
            MaximumSegmentSize, Noop, SelectiveAcknowledgement, SelectiveAcknowledgementPermitted,
            Timestamp, WindowScale,
        };
        let mut options = Vec::with_capacity(8);
        let is_syn = packets.flags[row] & flags::SYN != 0;
        if is_syn {
            options.extend([MaximumSegmentSize(self.mss), Noop, WindowScale(self.window_shift)]);
        }
        // "SACK permitted" takes the two bytes that otherwise pad the timestamps.
        match (is_syn && self.sack, self.timestamps) {
            (true, _) => options.push(SelectiveAcknowledgementPermitted),
            (false, true) => options.extend([Noop, Noop]),
            (false, false) => {}
        }
        if self.timestamps {
            options.push(Timestamp(packets.ts_val[row], packets.ts_ecr[row]));
        } else if is_syn && self.sack {
            options.extend([Noop, Noop]);
        }
        let blocks = usize::from(packets.sack_count[row]).min(MAX_SACK_BLOCKS);
        if blocks > 0 {
            let sacks = packets.sacks(row);
            let block = |i: usize| {
                (i < blocks).then(|| {
                    let (start, end) = sacks[i];
                    (wire_number(to.initial_sequence, start), wire_number(to.initial_sequence, end))
                })
            };
            if let Some(first) = block(0) {
                options.extend([
                    Noop,
                    Noop,
                    SelectiveAcknowledgement(first, [block(1), block(2), None]),
                ]);
            }
        }
        TcpOptions::try_from_elements(&options)
            .expect("three SACK blocks and timestamps fill the 40 bytes, SYNs carry no SACK")
    }
}

/// The number on the wire of the byte at `offset`: the SYN takes the initial number itself (RFC
/// 9293 section 3.4).
#[expect(clippy::cast_possible_truncation, reason = "sequence numbers wrap at 2^32")]
fn wire_number(initial: u32, offset: u64) -> u32 {
    initial.wrapping_add(1).wrapping_add(offset as u32)
}

/// Initial numbers that differ between connections, so that none can be mistaken for another's: the
/// finaliser of `SplitMix64` (Steele, Lea & Flood 2014).
fn scramble(x: u64) -> u32 {
    let mut z = x.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 32) as u32
}
