//! What all hosts send, with the kernel's stamps: a receive ring shared with the kernel (Linux `Documentation/networking/packet_mmap.rst`).
#![allow(unsafe_code)]

use std::cell::Cell;
use std::io;
use std::mem::size_of;
use std::num::NonZeroUsize;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use libc::tpacket2_hdr;
use nix::sys::mman::{MapFlags, ProtFlags, mmap, munmap};

use super::{LabError, packet};

/// At 1500 bytes, 16384 packets: a fifth of a second at 1 Gbit/s.
const RING_BYTES: usize = 32 << 20;
/// A multiple of every page size.
const BLOCK_BYTES: usize = 1 << 16;
/// The kernel's header and alignment before a packet, and the Ethernet header.
const BEFORE_IP: usize = 128;

/// A packet that a host sent.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// `CLOCK_REALTIME` while its sender sent it, ns.
    pub stamp_ns: u64,
    /// The Ethernet header first.
    pub frame: &'a [u8],
}

/// A memory-mapped receive ring (`TPACKET_V2`).
#[derive(Debug)]
pub struct Ring {
    socket: OwnedFd,
    memory: NonNull<u8>,
    frame_bytes: usize,
    frames: usize,
    next: usize,
    dropped: Cell<u64>,
}

// SAFETY: the mapping belongs to this value alone, whichever thread has it.
unsafe impl Send for Ring {}

impl Ring {
    /// Receives IPv4 packets of up to `mtu` bytes that come in at any device of the calling thread's network namespace.
    pub(super) fn new(mtu: u32) -> Result<Self, LabError> {
        Self::open(mtu).map_err(|error| LabError(format!("no receive ring of {} MiB: {error}", RING_BYTES >> 20)))
    }

    fn open(mtu: u32) -> io::Result<Self> {
        let socket = packet::open()?;
        packet::set(&socket, libc::PACKET_VERSION, &(libc::tpacket_versions::TPACKET_V2 as libc::c_int))?;
        packet::set(&socket, libc::PACKET_IGNORE_OUTGOING, &1)?;
        // Stamps at the device instead of at the ring: earlier, and before any other packet socket has its turn.
        packet::set_at(&socket, libc::SOL_SOCKET, libc::SO_TIMESTAMPNS, &1)?;
        let frame_bytes = (mtu as usize + BEFORE_IP).next_power_of_two();
        let block_bytes = frame_bytes.max(BLOCK_BYTES);
        let [block_size, block_count, frame_size, frame_count] =
            [block_bytes, RING_BYTES / block_bytes, frame_bytes, RING_BYTES / frame_bytes]
                .map(|n| libc::c_uint::try_from(n).expect("below 2^25"));
        let request = libc::tpacket_req {
            tp_block_size: block_size,
            tp_block_nr: block_count,
            tp_frame_size: frame_size,
            tp_frame_nr: frame_count,
        };
        packet::set(&socket, libc::PACKET_RX_RING, &request)?;
        let length = NonZeroUsize::new(RING_BYTES).expect("a constant");
        // SAFETY: a new mapping at an address of the kernel's choice; it is unmapped once, in drop.
        let memory = unsafe {
            mmap(
                None,
                length,
                ProtFlags::PROT_READ | ProtFlags::PROT_WRITE,
                MapFlags::MAP_SHARED,
                &socket,
                0,
            )?
        };
        packet::bind(&socket, 0, u16::try_from(libc::ETH_P_IP).expect("an EtherType"))?;
        Ok(Self {
            socket,
            memory: memory.cast(),
            frame_bytes,
            frames: RING_BYTES / frame_bytes,
            next: 0,
            dropped: Cell::new(0),
        })
    }

    /// Shows the packets that have come, in order, and gives their places back: one round of the ring at most. The number of them.
    pub fn drain(&mut self, mut seen: impl FnMut(Arrival<'_>)) -> usize {
        for count in 0..self.frames {
            // SAFETY: `next` is below `frames`, so the header lies within the mapping, aligned to the frame size.
            let header = unsafe { self.memory.add(self.next * self.frame_bytes) }.cast::<tpacket2_hdr>();
            // SAFETY: the status is the word by which the kernel and we hand the place to each other; both access it atomically.
            let status = unsafe { AtomicU32::from_ptr(&raw mut (*header.as_ptr()).tp_status) };
            if status.load(Ordering::Acquire) & libc::TP_STATUS_USER == 0 {
                return count;
            }
            // SAFETY: the place is ours until we store the status; the kernel has written a header and a frame that end within it.
            seen(unsafe { arrival(header, self.frame_bytes) });
            status.store(libc::TP_STATUS_KERNEL, Ordering::Release);
            self.next = (self.next + 1) % self.frames;
        }
        self.frames
    }

    /// How many packets found no place in the ring so far.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        // It fails for nothing but sockets of another kind.
        let new = packet::drops(&self.socket).unwrap_or_default();
        self.dropped.update(|dropped| dropped + u64::from(new));
        self.dropped.get()
    }
}

/// # Safety
/// `header` must be of a place of `size` bytes that is ours.
unsafe fn arrival<'a>(header: NonNull<tpacket2_hdr>, size: usize) -> Arrival<'a> {
    // SAFETY: as above.
    let told = unsafe { header.read() };
    let [start, length] = [usize::from(told.tp_mac), told.tp_snaplen as usize];
    assert!(
        start >= size_of::<tpacket2_hdr>() && start + length <= size,
        "the kernel keeps within the place"
    );
    Arrival {
        stamp_ns: u64::from(told.tp_sec) * 1_000_000_000 + u64::from(told.tp_nsec),
        // SAFETY: as above.
        frame: unsafe { core::slice::from_raw_parts(header.cast::<u8>().add(start).as_ptr(), length) },
    }
}

impl AsFd for Ring {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: this mapping, whole, and nothing borrows from it any more. It can only fail for arguments that are not a mapping.
        let _ = unsafe { munmap(self.memory.cast(), RING_BYTES) };
    }
}
