//! Frames of a pcap or pcapng file, one after another.

mod bytes;
mod pcap;
mod pcapng;

use std::io::{BufReader, Read};

use crate::error::ReadError;
use bytes::{Got, Source};

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

/// Bytes that are read from the file at once.
const BUFFER: usize = 1 << 18;
/// The upper bits of a link type say how long the frame check sequence is.
const LINK_TYPE_BITS: u32 = 0xffff;

/// Shows every frame of the file that `source` reads.
///
/// # Errors
/// If the file is no capture, or is damaged. A file that ends within a frame is no error.
pub fn frames(source: impl Read, show: &mut dyn FnMut(Frame)) -> Result<End, ReadError> {
    let mut source = Source::new(BufReader::with_capacity(BUFFER, source));
    let mut magic = [0; 4];
    match source.fill(&mut magic)? {
        Got::All => {}
        Got::Nothing => return Err(ReadError::NotACapture("it is empty".into())),
        Got::Part(read) => {
            let bytes = if read == 1 { "byte" } else { "bytes" };
            return Err(ReadError::NotACapture(format!("it has {read} {bytes}")));
        }
    }
    if magic == pcapng::MAGIC {
        return pcapng::frames(&mut source, show);
    }
    if let Some(header) = pcap::Magic::read(magic) {
        return pcap::frames(&mut source, header, show);
    }
    let [a, b, c, d] = magic;
    Err(ReadError::NotACapture(if magic[..2] == [0x1f, 0x8b] {
        "it is compressed with gzip; unpack it first".into()
    } else if magic == [0x28, 0xb5, 0x2f, 0xfd] {
        "it is compressed with zstd; unpack it first".into()
    } else {
        format!("it begins with {a:02x} {b:02x} {c:02x} {d:02x}")
    }))
}
