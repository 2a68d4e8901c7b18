//! Blocks that ACKs report: SACK (RFC 2018) and D-SACK (RFC 2883).

use super::reassembly::{NO_BYTE, Reassembly};
use crate::packet::{MAX_SACK_BLOCKS, Packet, SackBlock, sack_option_bytes};

/// Blocks remembered: one more than fits beside timestamps, so that three are left when two become
/// one (Linux's `selective_acks`).
const REMEMBERED_BLOCKS: usize = MAX_SACK_BLOCKS + 1;

/// One byte of each block reported lately, the most recent first, and [`NO_BYTE`] as filler.
type Recent = [u64; REMEMBERED_BLOCKS];

/// The first [`REMEMBERED_BLOCKS`] of `bytes`, with [`NO_BYTE`] as filler.
fn blocks_of(bytes: impl Iterator<Item = u64>) -> Recent {
    let mut recent = [NO_BYTE; REMEMBERED_BLOCKS];
    for (slot, byte) in recent.iter_mut().zip(bytes) {
        *slot = byte;
    }
    recent
}

/// Blocks to report.
#[derive(Default)]
pub(super) struct SackBlocks {
    /// None before the first block, because most connections never report one.
    recent: Option<Box<Recent>>,
    /// Range that the next ACK reports as received twice; empty: none.
    duplicate: (u64, u64),
}

impl SackBlocks {
    /// `[start, end)` has arrived twice.
    pub fn note_duplicate(&mut self, start: u64, end: u64) {
        self.duplicate = (start, end);
    }

    /// Puts the block of the newest segment first, which has `byte` (RFC 2018 section 4).
    pub fn remember(&mut self, byte: u64, data: &Reassembly) {
        let (start, end) = data.block(byte).unwrap_or((byte, byte));
        let recent = self.recent.get_or_insert_with(|| Box::new(blocks_of(std::iter::empty())));
        // No block contains NO_BYTE.
        let is_other = |known: &u64| *known < NO_BYTE && (*known < start || *known >= end);
        let others = recent.iter().copied().filter(is_other);
        **recent = blocks_of(std::iter::once(byte).chain(others));
    }

    /// Forgets the blocks below the cumulative ACK.
    pub fn forget_delivered(&mut self, data: &Reassembly) {
        let Some(recent) = &mut self.recent else { return };
        **recent = blocks_of(recent.iter().copied().filter(|byte| *byte >= data.next()));
        if recent[0] == NO_BYTE
            && let Some((start, _)) = data.first_block()
        {
            recent[0] = start;
        }
    }

    /// Whether a segment at `start` belongs to neither of the two blocks reported last.
    pub fn has_no_place_for(&self, start: u64, data: &Reassembly) -> bool {
        let mut blocks = self.recent_blocks(data);
        let joins =
            |block: Option<(u64, u64)>| block.is_none_or(|(from, to)| from <= start && start <= to);
        !joins(blocks.next()) && !joins(blocks.next())
    }

    /// Reports the blocks in an ACK.
    #[inline]
    pub fn fill(&mut self, packet: &mut Packet, data: &Reassembly) {
        let duplicate = Some(self.duplicate).filter(|(start, end)| start < end);
        if duplicate.is_none() && !data.has_hole() {
            return;
        }
        let ack = packet.ack;
        #[expect(clippy::cast_possible_truncation, reason = "windows are below 2^31 bytes")]
        let relative = |byte: u64| (byte.cast_signed() - ack.cast_signed()) as i32;
        let mut count = 0;
        for (slot, (start, end)) in
            packet.sacks.iter_mut().zip(duplicate.into_iter().chain(self.recent_blocks(data)))
        {
            *slot = SackBlock { start: relative(start), end: relative(end) };
            count += 1;
        }
        packet.sack_count = count;
        packet.wire_size += sack_option_bytes(count);
        self.duplicate = (0, 0);
    }

    /// The blocks reported lately, the most recent first.
    fn recent_blocks(&self, data: &Reassembly) -> impl Iterator<Item = (u64, u64)> {
        // No block contains NO_BYTE.
        let bytes: &[u64] = self.recent.as_ref().map_or(&[], |recent| &recent[..]);
        let known = bytes.iter().take_while(|byte| **byte != NO_BYTE);
        known.filter_map(|byte| data.block(*byte))
    }
}
