//! The slots of a receive ring, and how the kernel and the reader hand them to each other. No
//! system calls: miri runs the tests.
#![allow(unsafe_code)]

use core::mem::offset_of;
use core::sync::atomic::{AtomicU32, Ordering};

use libc::{sockaddr_ll, tpacket2_hdr};

/// Bytes of a word of the ring.
const WORD: usize = size_of::<u32>();

/// A packet that a host sent.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Time of `CLOCK_REALTIME` at which the sender sent it, ns.
    pub stamp_ns: u64,
    /// Frame with its Ethernet header, or the start of it.
    pub frame: &'a [u8],
    /// Index of the device at which the packet was seen.
    pub device: u32,
    /// Whether the packet left through the device; otherwise it came in there.
    pub is_outgoing: bool,
}

/// Equal slots one after another, each a header and a frame (`TPACKET_V2`); filled in order, again
/// from the first after the last.
#[derive(Clone, Debug)]
pub struct RingSlots {
    count: usize,
    bytes: usize,
    next: usize,
}

impl RingSlots {
    /// Slots that all belong to the kernel.
    ///
    /// # Panics
    ///
    /// If a slot of `bytes` is not whole words, or cannot hold its header.
    pub fn new(count: usize, bytes: usize) -> Self {
        assert!(
            bytes.is_multiple_of(WORD) && bytes >= ADDRESS + size_of::<sockaddr_ll>(),
            "a slot of {bytes} bytes"
        );
        Self { count, bytes, next: 0 }
    }

    /// Shows the packets that have come into the ring `words`, in order, and gives their slots
    /// back: one round at most. The number of them.
    ///
    /// # Panics
    /// If `words` is shorter than all slots, or if a header tells of a frame outside of its slot.
    ///
    /// # Safety
    /// Nobody may write to a slot while its status has `TP_STATUS_USER`; who sets that must have
    /// written the slot before (release).
    pub unsafe fn drain(
        &mut self,
        words: &[AtomicU32],
        mut seen: impl FnMut(Arrival<'_>),
    ) -> usize {
        for count in 0..self.count {
            let slot = &words[self.next * self.bytes / WORD..][..self.bytes / WORD];
            let status = &slot[offset_of!(tpacket2_hdr, tp_status) / WORD];
            if status.load(Ordering::Acquire) & libc::TP_STATUS_USER == 0 {
                return count;
            }
            let (stamp_ns, start, length) = header(slot);
            // SAFETY: `header` has checked that these bytes lie within the slot. Its status has
            // `TP_STATUS_USER`, so by the caller's promise nobody writes to it until we
            // store the status. That is after the last use of the slice: `seen` takes an arrival of
            // any lifetime, so it cannot keep it. u8 has no alignment, and any bits are
            // a value.
            let frame = unsafe {
                core::slice::from_raw_parts(slot.as_ptr().cast::<u8>().add(start), length)
            };
            let (device, is_outgoing) = place(slot);
            seen(Arrival { stamp_ns, frame, device, is_outgoing });
            status.store(libc::TP_STATUS_KERNEL, Ordering::Release);
            self.next = (self.next + 1) % self.count;
        }
        self.count
    }
}

/// Sending time of a slot's frame, ns; its offset in the slot and its length, bytes.
fn header(slot: &[AtomicU32]) -> (u64, usize, usize) {
    let word = |at: usize| slot[at / WORD].load(Ordering::Relaxed);
    // `tp_mac` is the first half of its word in memory.
    let [mac @ .., _, _] = word(offset_of!(tpacket2_hdr, tp_mac)).to_ne_bytes();
    let start = usize::from(u16::from_ne_bytes(mac));
    let length = word(offset_of!(tpacket2_hdr, tp_snaplen)) as usize;
    let whole = size_of_val(slot);
    assert!(
        start >= size_of::<tpacket2_hdr>() && start <= whole && length <= whole - start,
        "the kernel keeps within the slot"
    );
    let [sec, nsec] = [offset_of!(tpacket2_hdr, tp_sec), offset_of!(tpacket2_hdr, tp_nsec)]
        .map(|at| u64::from(word(at)));
    (sec * 1_000_000_000 + nsec, start, length)
}

/// Where a slot's `sockaddr_ll` is: behind the header, aligned to `TPACKET_ALIGNMENT`.
const ADDRESS: usize = size_of::<tpacket2_hdr>().next_multiple_of(16);

/// Device of a slot's frame, and whether the frame left there.
fn place(slot: &[AtomicU32]) -> (u32, bool) {
    const KIND: usize = offset_of!(sockaddr_ll, sll_pkttype);
    let word = |at: usize| slot[(ADDRESS + at) / WORD].load(Ordering::Relaxed);
    let kind = word(KIND).to_ne_bytes()[KIND % WORD];
    (word(offset_of!(sockaddr_ll, sll_ifindex)), kind == libc::PACKET_OUTGOING)
}

const _: () = assert!(
    offset_of!(tpacket2_hdr, tp_mac).is_multiple_of(WORD) && align_of::<tpacket2_hdr>() == WORD
);

#[cfg(test)]
mod tests;
