//! What all hosts send, with the kernel's stamps: a receive ring shared with the kernel.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

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
}

impl Ring {
    /// Shows all packets that have come, in order, and gives their places back. The number of them.
    pub fn drain(&mut self, seen: impl FnMut(Arrival<'_>)) -> usize {
        let _ = seen;
        unimplemented!()
    }

    /// How many packets found no place in the ring so far.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        unimplemented!()
    }
}

impl AsFd for Ring {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
