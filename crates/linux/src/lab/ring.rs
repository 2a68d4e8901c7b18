//! Packets of all hosts with the kernel's timestamps, in a receive ring shared with the kernel
//! (Linux `Documentation/networking/packet_mmap.rst`).
#![allow(unsafe_code)]

use std::cell::Cell;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::AtomicU32;

use memmap2::{MmapOptions, MmapRaw};
use nix::sys::socket::{setsockopt, sockopt};

use super::ring_slots::{Arrival, RingSlots};
use super::{LabError, packet};

/// Size of the ring: 16384 packets of 1500 bytes, a fifth of a second at 1 Gbit/s.
const RING_BYTES: usize = 32 << 20;
/// Size of a block: a multiple of every page size.
const BLOCK_BYTES: usize = 1 << 16;
/// Bytes before the IP packet: the kernel's header and alignment, and the Ethernet header.
const BEFORE_IP: usize = 128;

/// A memory-mapped receive ring (`TPACKET_V2`).
#[derive(Debug)]
pub struct Ring {
    socket: OwnedFd,
    memory: MmapRaw,
    slots: RingSlots,
    dropped: Cell<u64>,
}

impl Ring {
    /// Receives IPv4 packets of up to `mtu` bytes that come in at any device of the calling
    /// thread's network namespace.
    pub(super) fn new(mtu: u32) -> Result<Self, LabError> {
        Self::open(mtu, None).map_err(|error| Self::refused(&error))
    }

    /// Receives the first `bytes` of the packets that pass `filter` (bpf(4), classic), which come
    /// in or go out at any device of the calling thread's network namespace.
    pub(crate) fn tap(bytes: u32, filter: &mut [libc::sock_filter]) -> Result<Self, LabError> {
        Self::open(bytes, Some(filter)).map_err(|error| Self::refused(&error))
    }

    fn refused(error: &io::Error) -> LabError {
        LabError(format!("no receive ring of {} MiB: {error}", RING_BYTES >> 20))
    }

    fn open(mtu: u32, filter: Option<&mut [libc::sock_filter]>) -> io::Result<Self> {
        let socket = packet::open()?;
        setsockopt(&socket, packet::Version, &(libc::tpacket_versions::TPACKET_V2 as libc::c_int))?;
        setsockopt(&socket, packet::IgnoreOutgoing, &filter.is_none())?;
        // Stamps at the device instead of at the ring: earlier, and before any other packet socket
        // has its turn.
        setsockopt(&socket, sockopt::ReceiveTimestampns, &true)?;
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
        setsockopt(&socket, packet::ReceiveRing, &request)?;
        let memory = MmapOptions::new().len(RING_BYTES).map_raw(&socket)?;
        let protocol = match filter {
            None => libc::ETH_P_IP,
            Some(filter) => {
                packet::attach(&socket, filter)?;
                // Packets that leave are shown to sockets for all protocols only.
                libc::ETH_P_ALL
            }
        };
        packet::bind(&socket, 0, u16::try_from(protocol).expect("an EtherType"))?;
        Ok(Self {
            socket,
            memory,
            slots: RingSlots::new(RING_BYTES / frame_bytes, frame_bytes),
            dropped: Cell::new(0),
        })
    }

    /// Shows the packets that have come, in order, and gives their slots back: at most one round
    /// of the ring. Returns the number of packets.
    pub fn drain(&mut self, seen: impl FnMut(Arrival<'_>)) -> usize {
        #[expect(clippy::cast_ptr_alignment, reason = "a mapping starts at a page")]
        let words = self.memory.as_mut_ptr().cast::<AtomicU32>();
        // SAFETY: the mapping is RING_BYTES long and starts at a page, so it is aligned for u32. It
        // is readable and writable until `memory` is dropped, which `self` outlives. All
        // bits are a value of AtomicU32, and the kernel may write to it at any time, as to any
        // atomic.
        let words =
            unsafe { core::slice::from_raw_parts(words, RING_BYTES / size_of::<AtomicU32>()) };
        // SAFETY: this is the kernel's ring: it does not touch a slot from when it has set
        // `TP_STATUS_USER` until we clear the status (packet_mmap.rst, "Ring buffer": the
        // two hand each slot to each other by its status).
        unsafe { self.slots.drain(words, seen) }
    }

    /// Number of packets that found no slot in the ring so far.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        // It fails for nothing but sockets of another kind.
        let new = packet::drops(&self.socket).unwrap_or_default();
        self.dropped.update(|dropped| dropped + u64::from(new));
        self.dropped.get()
    }
}

impl AsFd for Ring {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
