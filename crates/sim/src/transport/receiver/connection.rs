//! A connection's identity and life.

use ackclock_units::{Duration, Time};

use super::options::Options;
use crate::packet::Packet;

/// One connection of a flow.
#[derive(Default)]
pub(super) struct Connection {
    flow: u32,
    /// Number of this connection: 0 for the flow's first, and one more for each that follows.
    number: u32,
    priority: u8,
    /// The SYN has arrived.
    is_open: bool,
    /// Round trip of the handshake; zero until its end.
    rtt: Duration,
    /// In-order payload of the flow's connections before this one, bytes.
    delivered_before: u64,
}

impl Connection {
    /// A flow's first connection.
    pub fn new(flow: u32, priority: u8) -> Self {
        Self { flow, priority, ..Self::default() }
    }

    /// Makes this the connection after `last`. `delivered`: in-order payload so far, bytes.
    pub fn follow(&mut self, last: &Self, delivered: u64) {
        self.number = last.number + 1;
        self.delivered_before = delivered;
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    pub fn delivered_before(&self) -> u64 {
        self.delivered_before
    }

    /// The SYN has arrived.
    pub fn open(&mut self) {
        self.is_open = true;
    }

    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// The SYN-ACK of a SYN that arrived at `syn_at` is answered.
    pub fn establish(&mut self, syn_at: Time, now: Time) {
        self.rtt = now.since(syn_at).max(Duration::from_ps(1));
    }

    #[inline]
    pub fn is_established(&self) -> bool {
        self.rtt > Duration::ZERO
    }

    /// Round trip of the handshake; zero until its end.
    #[inline]
    pub fn rtt(&self) -> Duration {
        self.rtt
    }

    /// A packet of this connection that acknowledges nothing yet.
    #[inline]
    pub fn packet(&self, options: &Options, now: Time) -> Packet {
        Packet {
            flow: self.flow,
            wire_size: options.header_bytes,
            ts_val: if options.timestamps { options.clock.at(now) } else { 0 },
            is_reverse: true,
            priority: self.priority,
            connection: self.number,
            ..Packet::default()
        }
    }
}
