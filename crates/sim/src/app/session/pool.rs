//! A pool of connections.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The free connections. The lowest is taken first, so that a connection that is rarely needed has
/// a high number.
pub struct Pool {
    free: BinaryHeap<Reverse<usize>>,
    size: usize,
}

impl Pool {
    /// Makes a pool with connections 0 to `size` - 1, all free.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self { free: (0..size).map(Reverse).collect(), size }
    }

    /// Takes a connection.
    pub fn take(&mut self) -> Option<usize> {
        self.free.pop().map(|Reverse(connection)| connection)
    }

    /// Gives a connection back.
    pub fn give(&mut self, connection: usize) {
        self.free.push(Reverse(connection));
    }

    /// Whether a connection is free.
    #[must_use]
    pub fn has_some(&self) -> bool {
        !self.free.is_empty()
    }

    /// Whether all connections are free.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.free.len() == self.size
    }
}
