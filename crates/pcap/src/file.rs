//! Frames of a pcap or pcapng file, one after another.
//!
//! The crate `pcap-parser` reads both formats. It leaves comments, names and options as they are:
//! many programs write wrong ones, and nothing here needs them.

use std::cell::RefCell;
use std::io::{self, Cursor, Read};

use pcap_parser::pcapng::{Block, InterfaceDescriptionBlock, UnknownBlock};
use pcap_parser::traits::{PcapNGPacketBlock, PcapReaderIterator};
use pcap_parser::{
    EPB_MAGIC, IDB_MAGIC, LegacyPcapReader, PcapBlockOwned, PcapError, PcapHeader, PcapNGReader,
    SHB_MAGIC, SPB_MAGIC,
};

use crate::error::ReadError;
use crate::pace::Pace;

/// A frame as it was captured.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Number in the file, from 1, as other programs count.
    pub number: u64,
    /// Time since 1970, ns.
    pub time_ns: u64,
    /// Kind of the first header, a link type of libpcap.
    pub link: u32,
    /// The bytes that were kept.
    pub data: &'a [u8],
    /// Length before the capture cut the frame, bytes.
    pub original_bytes: u32,
}

/// How a file ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct End {
    /// Frames, those without a time included.
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
/// The most bytes of a frame that other programs keep; a larger length is damage.
const MOST_OF_FRAME: usize = 1 << 18;
/// Blocks of pcapng above this many bytes are damage, as for Wireshark.
const MOST_OF_BLOCK: usize = 1 << 24;
/// Bytes before each frame of a pcap file.
const RECORD: usize = 16;
/// Bytes that are held at first; larger blocks make it more.
const BUFFER: usize = MOST_OF_FRAME + RECORD + 1;
/// Interfaces of a section; no computer has as many.
const MOST_INTERFACES: usize = 1 << 16;
/// The upper bits of a link type say how long the frame check sequence is.
const LINK_TYPE_BITS: u32 = 0xffff;
/// Type of the obsolete packet block of pcapng.
const OBSOLETE_PACKET: u32 = 2;
/// Types of the blocks without which the frames make no sense.
const NEEDED: [u32; 5] = [SHB_MAGIC, IDB_MAGIC, OBSOLETE_PACKET, SPB_MAGIC, EPB_MAGIC];
const NS_PER_S: i128 = 1_000_000_000;

/// Shows every frame of the file that `source` reads.
///
/// # Errors
/// If the file is no capture, or is damaged, or the reading is stopped. A file that ends within a
/// frame is no error.
pub fn frames(
    mut source: impl Read,
    pace: &mut Pace,
    show: &mut dyn FnMut(Frame),
) -> Result<End, ReadError> {
    // The reader wants the first header in one piece.
    let mut head = Vec::new();
    source.by_ref().take(BUFFER as u64).read_to_end(&mut head)?;
    let Some(&magic) = head.first_chunk::<4>() else {
        return Err(ReadError::NotACapture(match head.len() {
            0 => "it is empty".into(),
            1 => "it has 1 byte".into(),
            read => format!("it has {read} bytes"),
        }));
    };
    let failure = RefCell::new(None);
    let whole = Remembering { from: Cursor::new(head).chain(source), failure: &failure };
    let has_blocks = magic == NG_MAGIC;
    let interfaces = Vec::new();
    let mut frames =
        Frames { show, count: 0, has_blocks, legacy: None, is_big_endian: false, interfaces };
    let end = if has_blocks {
        let mut reader = PcapNGReader::new(BUFFER, whole).map_err(|error| no_header(&error))?;
        frames.read(&mut reader, MOST_OF_BLOCK, pace)
    } else if MAGIC.contains(&magic) {
        let mut reader = LegacyPcapReader::new(BUFFER, whole).map_err(|error| no_header(&error))?;
        frames.read(&mut reader, MOST_OF_FRAME, pace)
    } else {
        return Err(not_a_capture(magic));
    };
    failure.take().map_or(end, |error: io::Error| Err(error.into()))
}

fn not_a_capture(magic: [u8; 4]) -> ReadError {
    let [a, b, c, d] = magic;
    ReadError::NotACapture(if magic[..2] == [0x1f, 0x8b] {
        "it is compressed with gzip; unpack it first".into()
    } else if magic == [0x28, 0xb5, 0x2f, 0xfd] {
        "it is compressed with zstd; unpack it first".into()
    } else {
        format!("it begins with {a:02x} {b:02x} {c:02x} {d:02x}")
    })
}

fn no_header(error: &PcapError<&[u8]>) -> ReadError {
    ReadError::NotACapture(match error {
        PcapError::Incomplete(_) => "it ends within its first header".into(),
        _ => "its first header makes no sense".into(),
    })
}

/// A file whose failure is kept, which the reader of the formats does not tell.
struct Remembering<'a, R> {
    from: R,
    failure: &'a RefCell<Option<io::Error>>,
}

impl<R: Read> Read for Remembering<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.from.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    self.failure.replace(Some(error));
                    return Err(kind.into());
                }
                read => return read,
            }
        }
    }
}

/// Step after an answer of the reader.
enum Next {
    /// The block of so many bytes is done.
    Done(usize),
    /// Only a part of the block was read.
    More,
    /// The buffer is too small for the block.
    Larger,
    /// The block cannot be read.
    Wrong,
    /// The file is over.
    Over,
}

/// Frames so far, and what is known of those that come.
struct Frames<'a> {
    show: &'a mut dyn FnMut(Frame),
    count: u64,
    /// Whether the file is pcapng, a row of blocks that tell their lengths.
    has_blocks: bool,
    /// Header of a pcap file.
    legacy: Option<PcapHeader>,
    /// Byte order of the section.
    is_big_endian: bool,
    interfaces: Vec<Interface>,
}

impl Frames<'_> {
    fn read(
        &mut self,
        reader: &mut dyn PcapReaderIterator,
        most: usize,
        pace: &mut Pace,
    ) -> Result<End, ReadError> {
        let mut held = BUFFER;
        loop {
            pace.work(1)?;
            let whole = self.whole_block(reader.data());
            if let Some((kind, length)) = whole
                && !NEEDED.contains(&kind)
            {
                reader.consume(length);
                continue;
            }
            let next = match reader.next() {
                Ok((length, block)) => {
                    self.block(block)?;
                    Next::Done(length)
                }
                Err(PcapError::Eof) => Next::Over,
                // Of a whole block the reader tells so that its parts do not fit into it.
                Err(_) if whole.is_some() => Next::Wrong,
                Err(PcapError::UnexpectedEof) => Next::Over,
                Err(PcapError::Incomplete(_)) => Next::More,
                Err(PcapError::BufferTooSmall) => Next::Larger,
                Err(_) => Next::Wrong,
            };
            match next {
                Next::Done(length) => reader.consume(length),
                Next::More => {
                    if reader.refill().is_err() {
                        // The caller tells of the file's failure.
                        return Ok(End { frames: self.count, is_cut: true });
                    }
                }
                Next::Larger => {
                    if held > most {
                        return Err(self.damaged(format!("more than {most} bytes in one piece")));
                    }
                    held *= 2;
                    reader.grow(held);
                }
                Next::Wrong => {
                    let kind = self.number(reader.data(), 0).unwrap_or(0);
                    let length = self.number(reader.data(), 4).unwrap_or(0);
                    let why =
                        format!("a block of type {kind:#x} and {length} bytes makes no sense");
                    return Err(self.damaged(why));
                }
                Next::Over => {
                    let is_cut = !reader.data().is_empty();
                    return Ok(End { frames: self.count, is_cut });
                }
            }
        }
    }

    /// Type and length of the next block of a pcapng file, if all of it is there.
    fn whole_block(&self, data: &[u8]) -> Option<(u32, usize)> {
        let (kind, length) = (self.number(data, 0)?, self.number(data, 4)? as usize);
        let is_whole = self.has_blocks && (12..=data.len()).contains(&length);
        is_whole.then_some((kind, length))
    }

    fn damaged(&self, why: String) -> ReadError {
        ReadError::Damaged { frames: self.count, why }
    }

    fn number(&self, bytes: &[u8], at: usize) -> Option<u32> {
        let found = *bytes.get(at..)?.first_chunk()?;
        Some(if self.is_big_endian { u32::from_be_bytes(found) } else { u32::from_le_bytes(found) })
    }

    fn block(&mut self, block: PcapBlockOwned) -> Result<(), ReadError> {
        match block {
            PcapBlockOwned::LegacyHeader(header) => self.legacy = Some(header),
            PcapBlockOwned::Legacy(frame) => {
                let Some(header) = &self.legacy else { return Ok(()) };
                let unit_ns = if header.is_nanosecond_precision() { 1 } else { 1000 };
                let time_ns =
                    u64::from(frame.ts_sec) * 1_000_000_000 + u64::from(frame.ts_usec) * unit_ns;
                let link = link_type(header.network.0);
                self.show(time_ns, link, frame.data, frame.origlen);
            }
            PcapBlockOwned::NG(Block::SectionHeader(section)) => {
                self.is_big_endian = section.big_endian();
                self.interfaces.clear();
            }
            PcapBlockOwned::NG(Block::InterfaceDescription(described)) => {
                if self.interfaces.len() == MOST_INTERFACES {
                    return Err(self.damaged(format!("more than {MOST_INTERFACES} interfaces")));
                }
                let interface =
                    Interface::new(&described, self.is_big_endian).ok_or_else(|| {
                        self.damaged("an interface counts time in units that are too small".into())
                    })?;
                self.interfaces.push(interface);
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                let units = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
                self.seen(packet.if_id, units, packet.packet_data(), packet.origlen)?;
            }
            // Without a time a packet cannot be laid out; other programs count it.
            PcapBlockOwned::NG(Block::SimplePacket(_)) => self.count += 1,
            PcapBlockOwned::NG(Block::Unknown(block)) => self.obsolete(&block)?,
            PcapBlockOwned::NG(_) => {}
        }
        Ok(())
    }

    /// Reads an obsolete packet block (draft-ietf-opsawg-pcapng, appendix A).
    fn obsolete(&mut self, block: &UnknownBlock) -> Result<(), ReadError> {
        let kind = block.block_type;
        if OBSOLETE_PACKET != if self.is_big_endian { kind.swap_bytes() } else { kind } {
            return Ok(());
        }
        let number = |at| self.number(block.data, at);
        let (Some(first), Some(high), Some(low), Some(kept), Some(original)) =
            (number(0), number(4), number(8), number(12), number(16))
        else {
            return Err(self.damaged("a packet block ends within its header".into()));
        };
        // The interface has 16 bits, and the count of lost packets the other 16.
        let interface = if self.is_big_endian { first >> 16 } else { first & 0xffff };
        let units = u64::from(high) << 32 | u64::from(low);
        let data = block.data[20..].get(..kept as usize);
        let data = data.ok_or_else(|| self.damaged("a frame is longer than its block".into()))?;
        self.seen(interface, units, data, original)
    }

    fn seen(
        &mut self,
        interface: u32,
        units: u64,
        data: &[u8],
        original_bytes: u32,
    ) -> Result<(), ReadError> {
        let Some(described) = self.interfaces.get(interface as usize) else {
            let why =
                format!("a frame names interface {interface}, which the file does not describe");
            return Err(self.damaged(why));
        };
        self.show(described.time_ns(units), described.link, data, original_bytes);
        Ok(())
    }

    fn show(&mut self, time_ns: u64, link: u32, data: &[u8], original_bytes: u32) {
        self.count += 1;
        (self.show)(Frame { number: self.count, time_ns, link, data, original_bytes });
    }
}

fn link_type(number: i32) -> u32 {
    number.cast_unsigned() & LINK_TYPE_BITS
}

/// How an interface of a pcapng file counts time.
struct Interface {
    link: u32,
    units_per_s: u128,
    offset_s: i64,
}

impl Interface {
    fn new(described: &InterfaceDescriptionBlock, is_big_endian: bool) -> Option<Self> {
        // "If the Most Significant Bit is equal to zero, the remaining bits indicate the resolution
        // of the timestamp as a negative power of 10 [...] If the Most Significant Bit is equal to
        // one, [...] as negative power of 2" (draft-ietf-opsawg-pcapng, section 4.2).
        let resolution = described.if_tsresol;
        let base: u128 = if resolution & 0x80 == 0 { 10 } else { 2 };
        // The crate reads the offset as little-endian in sections of both orders.
        let offset_s = described.if_tsoffset;
        Some(Self {
            link: link_type(described.linktype.0),
            units_per_s: base.checked_pow(u32::from(resolution & 0x7f))?,
            offset_s: if is_big_endian { offset_s.swap_bytes() } else { offset_s },
        })
    }

    fn time_ns(&self, units: u64) -> u64 {
        let scaled = u128::from(units).saturating_mul(NS_PER_S.unsigned_abs()) / self.units_per_s;
        let scaled = i128::try_from(scaled).unwrap_or(i128::MAX);
        let time = scaled.saturating_add(i128::from(self.offset_s) * NS_PER_S);
        u64::try_from(time.max(0)).unwrap_or(u64::MAX)
    }
}
