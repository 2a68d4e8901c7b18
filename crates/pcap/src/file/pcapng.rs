//! Files of blocks, as Wireshark writes them (draft-ietf-opsawg-pcapng).
//!
//! Comments, names and options that are not needed are passed over unread: many programs write
//! wrong ones.

use std::io::Read;

use super::bytes::{Got, Order, Source};
use super::{End, Frame, LINK_TYPE_BITS};
use crate::error::ReadError;

/// Type of a section's header, which begins each file; it reads alike in both byte orders.
pub const MAGIC: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];

const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
/// The obsolete packet block.
const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;
/// Blocks above this many bytes are damage, as for Wireshark.
const MOST_BYTES: u32 = 1 << 24;
/// Bytes of a block's type and its two lengths.
const FRAMING: u32 = 12;
const NS_PER_S: i128 = 1_000_000_000;
/// Interfaces of a section; no computer has as many.
const MOST_INTERFACES: usize = 1 << 16;

/// How an interface counts time.
struct Interface {
    link: u32,
    units_per_s: u128,
    offset_s: i64,
}

impl Interface {
    /// Reads the body of an interface description; a sentence if it makes no sense.
    fn read(order: Order, body: &[u8]) -> Result<Self, &'static str> {
        let link = order.u16(body, 0).ok_or("an interface has no link type")?;
        let mut interface =
            Self { link: u32::from(link) & LINK_TYPE_BITS, units_per_s: 1_000_000, offset_s: 0 };
        let mut at = 8;
        while let (Some(code), Some(length)) = (order.u16(body, at), order.u16(body, at + 2)) {
            at += 4;
            match (code, length) {
                // End of the options.
                (0, _) => break,
                // "If the Most Significant Bit is equal to zero, the remaining bits indicate the
                // resolution of the timestamp as a negative power of 10 [...] If the Most
                // Significant Bit is equal to one, [...] as negative power of 2" (section 4.2).
                (9, 1) => {
                    let resolution = *body.get(at).ok_or("an interface ends within an option")?;
                    let base: u128 = if resolution & 0x80 == 0 { 10 } else { 2 };
                    interface.units_per_s = base
                        .checked_pow(u32::from(resolution & 0x7f))
                        .ok_or("an interface counts time in units that are too small")?;
                }
                // "The if_tsoffset option is a 64-bit signed integer value" (section 4.2).
                (14, 8) => {
                    interface.offset_s =
                        order.i64(body, at).ok_or("an interface ends within an option")?;
                }
                _ => {}
            }
            at += usize::from(length).next_multiple_of(4);
        }
        Ok(interface)
    }

    fn time_ns(&self, units: u64) -> u64 {
        let scaled = u128::from(units).saturating_mul(NS_PER_S.unsigned_abs()) / self.units_per_s;
        let scaled = i128::try_from(scaled).unwrap_or(i128::MAX);
        let time = scaled.saturating_add(i128::from(self.offset_s) * NS_PER_S);
        u64::try_from(time.max(0)).unwrap_or(u64::MAX)
    }
}

/// Fields of a block that holds a packet.
struct Packet<'a> {
    interface: usize,
    units: u64,
    data: &'a [u8],
    original_bytes: u32,
}

impl<'a> Packet<'a> {
    fn read(order: Order, kind: u32, body: &'a [u8]) -> Option<Self> {
        // The obsolete block has the interface in 16 bits and lost packets in the other 16.
        let interface = if kind == PACKET {
            usize::from(order.u16(body, 0)?)
        } else {
            order.u32(body, 0)? as usize
        };
        let units = u64::from(order.u32(body, 4)?) << 32 | u64::from(order.u32(body, 8)?);
        let kept = order.u32(body, 12)? as usize;
        let original_bytes = order.u32(body, 16)?;
        let data = body.get(20..)?.get(..kept)?;
        Some(Self { interface, units, data, original_bytes })
    }
}

/// Shows every frame of the file, whose first four bytes were read.
pub fn frames(
    source: &mut Source<impl Read>,
    show: &mut dyn FnMut(Frame),
) -> Result<End, ReadError> {
    let Some(mut order) = section(source, 0)? else {
        return Err(ReadError::NotACapture("it ends within its first header".into()));
    };
    let mut interfaces = Vec::new();
    let mut frames = 0;
    let mut head = [0; 8];
    let mut body = Vec::new();
    loop {
        // A section's header is told by its type, before its byte order is known.
        match source.fill(&mut head[..4])? {
            Got::All => {}
            Got::Nothing => return Ok(End { frames, is_cut: false }),
            Got::Part(_) => return Ok(End { frames, is_cut: true }),
        }
        let cut = Ok(End { frames, is_cut: true });
        let damaged = |why: String| ReadError::Damaged { frames, why };
        let kind = order.u32(&head, 0).unwrap_or(0);
        if kind == SECTION {
            let Some(next) = section(source, frames)? else { return cut };
            order = next;
            interfaces.clear();
            continue;
        }
        if source.fill(&mut head[4..])? != Got::All {
            return cut;
        }
        let length = order.u32(&head, 4).unwrap_or(0);
        let rest = rest_of_block(length, frames)?;
        if !matches!(kind, INTERFACE | PACKET | SIMPLE_PACKET | ENHANCED_PACKET) {
            if !source.skip(rest)? {
                return cut;
            }
            continue;
        }
        if !source.take(rest, &mut body)? {
            return cut;
        }
        match kind {
            INTERFACE => {
                if interfaces.len() == MOST_INTERFACES {
                    return Err(damaged(format!("more than {MOST_INTERFACES} interfaces")));
                }
                let interface = Interface::read(order, &body).map_err(|it| damaged(it.into()))?;
                interfaces.push(interface);
            }
            // Without a time a packet cannot be laid out; other programs count it.
            SIMPLE_PACKET => frames += 1,
            _ => {
                let packet = Packet::read(order, kind, &body)
                    .ok_or_else(|| damaged("a frame is longer than its block".into()))?;
                let interface = interfaces.get(packet.interface).ok_or_else(|| {
                    damaged(format!(
                        "a frame names interface {}, which the file does not describe",
                        packet.interface
                    ))
                })?;
                frames += 1;
                show(Frame {
                    number: frames,
                    time_ns: interface.time_ns(packet.units),
                    link: interface.link,
                    data: packet.data,
                    original_bytes: packet.original_bytes,
                });
            }
        }
    }
}

/// Reads a section's header after its type: the byte order of what follows, or nothing where the
/// file ends within the header.
fn section(source: &mut Source<impl Read>, frames: u64) -> Result<Option<Order>, ReadError> {
    let mut head = [0; 8];
    if source.fill(&mut head)? != Got::All {
        return Ok(None);
    }
    let order = match head[4..] {
        [0x1a, 0x2b, 0x3c, 0x4d] => Order::Big,
        [0x4d, 0x3c, 0x2b, 0x1a] => Order::Little,
        _ => {
            let why = "a section begins without its byte order".into();
            return Err(ReadError::Damaged { frames, why });
        }
    };
    let length = order.u32(&head, 0).unwrap_or(0);
    let rest = rest_of_block(length, frames)?.saturating_sub(4);
    Ok(source.skip(rest)?.then_some(order))
}

/// Bytes of a block after its type and its length.
fn rest_of_block(length: u32, frames: u64) -> Result<u32, ReadError> {
    if !(FRAMING..=MOST_BYTES).contains(&length) {
        let why = format!("a block of {length} bytes, outside {FRAMING} to {MOST_BYTES}");
        return Err(ReadError::Damaged { frames, why });
    }
    // Blocks are padded to 32 bits, even where a wrong length does not say so.
    Ok(length.next_multiple_of(4) - 8)
}
