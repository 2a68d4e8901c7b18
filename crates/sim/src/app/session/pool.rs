//! Connections that are lent to whoever needs one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Those that are free; the lowest goes first, so that a connection that is rarely needed has a high number.
pub struct Pool {
    free: BinaryHeap<Reverse<usize>>,
    size: usize,
}

impl Pool {
    /// All of `size` connections.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self {
            free: (0..size).map(Reverse).collect(),
            size,
        }
    }

    /// Takes one.
    pub fn take(&mut self) -> Option<usize> {
        self.free.pop().map(|Reverse(connection)| connection)
    }

    /// Gives one back.
    pub fn give(&mut self, connection: usize) {
        self.free.push(Reverse(connection));
    }

    /// Whether one is free.
    #[must_use]
    pub fn has_some(&self) -> bool {
        !self.free.is_empty()
    }

    /// Whether none is out.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.free.len() == self.size
    }
}
