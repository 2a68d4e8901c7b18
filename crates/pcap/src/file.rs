//! Frames of a pcap or pcapng file, one after another.

use std::io::{self, Cursor, Read};

use pcap_file::pcap::PcapReader;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::{Block, PcapNgReader};
use pcap_file::{DataLink, PcapError, TsResolution};

use crate::error::ReadError;

/// A frame as it was captured.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Number in the file, from 1, as other programs count.
    pub number: u64,
    /// Time since 1970, ns.
    pub time_ns: u64,
    /// Kind of the first header.
    pub link: DataLink,
    /// The bytes that were kept.
    pub data: &'a [u8],
    /// Length before the capture cut the frame, bytes.
    pub original_bytes: u32,
}

/// How a file ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct End {
    /// Frames with a time.
    pub frames: u64,
    /// Whether the last frame is incomplete, as when a capture is copied while it is written.
    pub is_cut: bool,
}

const NG_MAGIC: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];
const MAGIC: [[u8; 4]; 4] = [
    [0xa1, 0xb2, 0xc3, 0xd4],
    [0xd4, 0xc3, 0xb2, 0xa1],
    [0xa1, 0xb2, 0x3c, 0x4d],
    [0x4d, 0x3c, 0xb2, 0xa1],
];
/// The upper bits of a link type say how long the frame check sequence is.
const LINK_TYPE_BITS: u32 = 0xffff;
const NS_PER_S: u128 = 1_000_000_000;

/// Shows every frame of the file that `source` reads.
///
/// # Errors
/// If the file is no capture, or is damaged. A file that ends within a frame is no error.
pub fn frames(mut source: impl Read, show: &mut dyn FnMut(Frame)) -> Result<End, ReadError> {
    let mut magic = [0; 4];
    let read = fill(&mut source, &mut magic)?;
    if read < magic.len() {
        return Err(ReadError::NotACapture(format!("it has {read} bytes")));
    }
    let whole = Cursor::new(magic).chain(source);
    if magic == NG_MAGIC {
        pcapng(whole, show)
    } else if MAGIC.contains(&magic) {
        pcap(whole, show)
    } else if magic[..2] == [0x1f, 0x8b] {
        Err(ReadError::NotACapture("it is compressed with gzip; unpack it first".into()))
    } else if magic == [0x28, 0xb5, 0x2f, 0xfd] {
        Err(ReadError::NotACapture("it is compressed with zstd; unpack it first".into()))
    } else {
        let [a, b, c, d] = magic;
        Err(ReadError::NotACapture(format!("it begins with {a:02x} {b:02x} {c:02x} {d:02x}")))
    }
}

fn fill(source: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while done < into.len() {
        match source.read(&mut into[done..]) {
            Ok(0) => break,
            Ok(more) => done += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// The outcome of reading one piece of a file.
enum Step<T> {
    Piece(T),
    Over(End),
}

fn step<T>(piece: Option<Result<T, PcapError>>, frames: u64) -> Result<Step<T>, ReadError> {
    match piece {
        None => Ok(Step::Over(End { frames, is_cut: false })),
        Some(Ok(piece)) => Ok(Step::Piece(piece)),
        Some(Err(PcapError::IoError(error))) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Ok(Step::Over(End { frames, is_cut: true }))
        }
        Some(Err(PcapError::IoError(error))) => Err(error.into()),
        Some(Err(error)) => Err(ReadError::Damaged { frames, why: error.to_string() }),
    }
}

fn not_a_capture(error: PcapError) -> ReadError {
    match error {
        PcapError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            ReadError::NotACapture("it ends within its first header".into())
        }
        PcapError::IoError(error) => error.into(),
        other => ReadError::NotACapture(other.to_string()),
    }
}

fn pcap(source: impl Read, show: &mut dyn FnMut(Frame)) -> Result<End, ReadError> {
    let mut reader = PcapReader::new(source).map_err(not_a_capture)?;
    let header = reader.header();
    let link = DataLink::from(u32::from(header.datalink) & LINK_TYPE_BITS);
    let unit = if header.ts_resolution == TsResolution::MicroSecond { 1000 } else { 1 };
    let mut number = 0;
    loop {
        let packet = match step(reader.next_raw_packet(), number)? {
            Step::Piece(packet) => packet,
            Step::Over(end) => return Ok(end),
        };
        number += 1;
        let time_ns = u64::from(packet.ts_sec) * 1_000_000_000 + u64::from(packet.ts_frac) * unit;
        let original_bytes = packet.orig_len;
        show(Frame { number, time_ns, link, data: &packet.data, original_bytes });
    }
}

/// How an interface of a pcapng file counts time.
struct Interface {
    link: DataLink,
    units_per_s: u128,
    offset_s: u64,
}

impl Interface {
    fn new(block: &InterfaceDescriptionBlock) -> Option<Self> {
        let mut interface = Self {
            link: DataLink::from(u32::from(block.linktype) & LINK_TYPE_BITS),
            units_per_s: 1_000_000,
            offset_s: 0,
        };
        for option in &block.options {
            match option {
                // "If the Most Significant Bit is equal to zero, the remaining bits indicate the
                // resolution of the timestamp as a negative power of 10 [...] If the Most
                // Significant Bit is equal to one, [...] as negative power of 2"
                // (draft-ietf-opsawg-pcapng, section 4.2).
                InterfaceDescriptionOption::IfTsResol(code) => {
                    let power = u32::from(code & 0x7f);
                    let base: u128 = if code & 0x80 == 0 { 10 } else { 2 };
                    interface.units_per_s = base.checked_pow(power)?;
                }
                InterfaceDescriptionOption::IfTsOffset(seconds) => interface.offset_s = *seconds,
                _ => {}
            }
        }
        Some(interface)
    }

    fn time_ns(&self, units: u128) -> u64 {
        let scaled = units.saturating_mul(NS_PER_S) / self.units_per_s;
        let scaled = u64::try_from(scaled).unwrap_or(u64::MAX);
        scaled.saturating_add(self.offset_s.saturating_mul(1_000_000_000))
    }
}

fn pcapng(source: impl Read, show: &mut dyn FnMut(Frame)) -> Result<End, ReadError> {
    let mut reader = PcapNgReader::new(source).map_err(not_a_capture)?;
    let mut interfaces = Vec::new();
    let mut number = 0;
    loop {
        let block = match step(reader.next_block(), number)? {
            Step::Piece(block) => block,
            Step::Over(end) => return Ok(end),
        };
        let (interface, units, original_bytes, data) = match &block {
            Block::SectionHeader(_) => {
                interfaces.clear();
                continue;
            }
            Block::InterfaceDescription(interface) => {
                interfaces.push(Interface::new(interface).ok_or_else(|| ReadError::Damaged {
                    frames: number,
                    why: "an interface counts time in units that are too small".into(),
                })?);
                continue;
            }
            Block::EnhancedPacket(packet) => {
                // The library takes the units of the interface for ns.
                let units = packet.timestamp.as_nanos();
                (packet.interface_id as usize, units, packet.original_len, &packet.data)
            }
            Block::Packet(packet) => (
                usize::from(packet.interface_id),
                u128::from(packet.timestamp),
                packet.original_len,
                &packet.data,
            ),
            // Without a time a packet cannot be laid out; other programs count it.
            Block::SimplePacket(_) => {
                number += 1;
                continue;
            }
            _ => continue,
        };
        number += 1;
        let interface = interfaces.get(interface).ok_or_else(|| ReadError::Damaged {
            frames: number - 1,
            why: format!("a frame names interface {interface}, which the file does not describe"),
        })?;
        let (time_ns, link) = (interface.time_ns(units), interface.link);
        show(Frame { number, time_ns, link, data, original_bytes });
    }
}
