//! Files of libpcap's first format (draft-ietf-opsawg-pcap).

use std::io::Read;

use super::bytes::{Got, Order, Source};
use super::{End, Frame, LINK_TYPE_BITS};
use crate::error::ReadError;

/// The most bytes of a frame that other programs keep; a larger length is damage.
const MOST_BYTES: u32 = 1 << 18;
/// Bytes of the file's header after its first number.
const HEADER: usize = 20;
/// Bytes before each frame.
const RECORD: usize = 16;

/// What the first number of a file tells.
#[derive(Clone, Copy, Debug)]
pub struct Magic {
    order: Order,
    /// Unit of the fractions of seconds, ns.
    unit_ns: u64,
}

impl Magic {
    /// Reads the first four bytes of a file, if they are those of this format.
    pub fn read(bytes: [u8; 4]) -> Option<Self> {
        [Order::Big, Order::Little].into_iter().find_map(|order| {
            let unit_ns = match order.u32(&bytes, 0)? {
                0xa1b2_c3d4 => 1000,
                0xa1b2_3c4d => 1,
                _ => return None,
            };
            Some(Self { order, unit_ns })
        })
    }
}

/// Shows every frame of the file, whose first four bytes were read.
pub fn frames(
    source: &mut Source<impl Read>,
    Magic { order, unit_ns }: Magic,
    show: &mut dyn FnMut(Frame),
) -> Result<End, ReadError> {
    let mut header = [0; HEADER];
    if source.fill(&mut header)? != Got::All {
        return Err(ReadError::NotACapture("it ends within its first header".into()));
    }
    let link = order.u32(&header, 16).unwrap_or(0) & LINK_TYPE_BITS;
    let mut frames = 0;
    let mut record = [0; RECORD];
    let mut data = Vec::new();
    loop {
        match source.fill(&mut record)? {
            Got::All => {}
            Got::Nothing => return Ok(End { frames, is_cut: false }),
            Got::Part(_) => return Ok(End { frames, is_cut: true }),
        }
        let number = |at: usize| order.u32(&record, at).unwrap_or(0);
        let (kept, original_bytes) = (number(8), number(12));
        if kept > MOST_BYTES {
            let why = format!("a frame of {kept} bytes, above the {MOST_BYTES} of any capture");
            return Err(ReadError::Damaged { frames, why });
        }
        if !source.take(kept, &mut data)? {
            return Ok(End { frames, is_cut: true });
        }
        frames += 1;
        let time_ns = u64::from(number(0)) * 1_000_000_000 + u64::from(number(4)) * unit_ns;
        show(Frame { number: frames, time_ns, link, data: &data, original_bytes });
    }
}
