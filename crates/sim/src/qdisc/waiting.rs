//! A first-in, first-out queue, of which disciplines that hold packets are made.

use super::{Backlog, Held};
use crate::ring::Ring;

/// Packets in order of arrival, with their bytes counted.
#[derive(Debug, Default)]
pub struct Waiting {
    held: Ring<Held>,
    bytes: u64,
}

impl Waiting {
    /// Appends a packet.
    #[inline]
    pub fn push(&mut self, held: Held) {
        self.bytes += u64::from(held.packet.wire_size);
        self.held.push_back(held);
    }

    /// Takes the oldest packet.
    #[inline]
    pub fn pop(&mut self) -> Option<Held> {
        let held = *self.held.front()?;
        self.held.drop_front();
        self.bytes -= u64::from(held.packet.wire_size);
        Some(held)
    }

    /// The oldest packet.
    #[must_use]
    pub fn head(&self) -> Option<&Held> {
        self.held.front()
    }

    /// Whether no packet waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Packets and bytes that wait.
    #[inline]
    #[must_use]
    pub fn backlog(&self) -> Backlog {
        Backlog { packets: self.held.len() as u64, bytes: self.bytes }
    }
}
