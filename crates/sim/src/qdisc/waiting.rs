//! Packets that wait in order of arrival: what disciplines that hold packets are made of.

use super::{Backlog, Held};
use crate::ring::Ring;

/// First in, first out, with the bytes counted.
#[derive(Debug, Default)]
pub struct Waiting {
    held: Ring<Held>,
    bytes: u64,
}

impl Waiting {
    /// Appends a packet.
    pub fn push(&mut self, held: Held) {
        self.bytes += u64::from(held.packet.wire_size);
        self.held.push_back(held);
    }

    /// Takes the oldest.
    pub fn pop(&mut self) -> Option<Held> {
        let held = *self.held.front()?;
        self.held.drop_front();
        self.bytes -= u64::from(held.packet.wire_size);
        Some(held)
    }

    /// The oldest.
    #[must_use]
    pub fn head(&self) -> Option<&Held> {
        self.held.front()
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// How much waits.
    #[must_use]
    pub fn backlog(&self) -> Backlog {
        Backlog {
            packets: self.held.len() as u64,
            bytes: self.bytes,
        }
    }
}
