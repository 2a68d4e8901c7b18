//! A connection's identity and life, and the fields that all its packets carry.

use ackclock_units::{Duration, Time};

use super::options::Options;
use crate::packet::Packet;

/// State of a connection's life.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// The connection waits for its start.
    #[default]
    Closed,
    /// The SYN is out.
    SynSent,
    /// Data may flow.
    Established,
    /// Everything is acknowledged, the FIN included.
    Done,
}

/// One connection of a flow.
#[derive(Default)]
pub(super) struct Connection {
    flow: u32,
    /// Number of this connection: 0 for the flow's first, and one more for each that follows.
    number: u32,
    /// Latest timestamp from the receiver.
    echo: u32,
    priority: u8,
    state: State,
    /// The receiver's FIN has arrived: our packets acknowledge it.
    peer_closed: bool,
    /// Planned start; from the first SYN on, the time of that SYN.
    start_at: Time,
    /// When the latest SYN or data segment was sent.
    last_sent_at: Time,
    /// When the last byte was acknowledged; [`Time::MAX`]: not yet.
    finished_at: Time,
    /// Payload acknowledged on the flow's earlier connections, bytes.
    acked_before: u64,
}

impl Connection {
    /// A flow's first connection, which waits for its start.
    pub fn new(flow: u32, priority: u8, start_at: Time) -> Self {
        Self { flow, priority, start_at, finished_at: Time::MAX, ..Self::default() }
    }

    /// Makes this the connection after `last`, on which `acked` bytes of payload were acknowledged.
    pub fn follow(&mut self, last: &Self, acked: u64) {
        self.number = last.number + 1;
        self.acked_before = last.acked_before + acked;
    }

    pub fn flow(&self) -> u32 {
        self.flow
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    pub fn state(&self) -> State {
        self.state
    }

    pub fn is_established(&self) -> bool {
        self.state == State::Established
    }

    pub fn acked_before(&self) -> u64 {
        self.acked_before
    }

    pub fn start_at(&self) -> Time {
        self.start_at
    }

    pub fn start_now(&mut self, now: Time) {
        self.start_at = now;
    }

    /// A SYN is sent.
    pub fn on_syn_sent(&mut self, now: Time) {
        if self.state == State::Closed {
            self.state = State::SynSent;
            self.start_at = now;
        }
        self.last_sent_at = now;
    }

    /// The SYN-ACK has arrived.
    pub fn establish(&mut self) {
        self.state = State::Established;
    }

    /// Everything is acknowledged, the FIN included.
    pub fn finish(&mut self) {
        self.state = State::Done;
    }

    /// A data segment is sent.
    pub fn on_sent(&mut self, now: Time) {
        self.last_sent_at = now;
    }

    pub fn last_sent_at(&self) -> Time {
        self.last_sent_at
    }

    /// Time since the latest SYN or data segment was sent.
    pub fn idle_time(&self, now: Time) -> Duration {
        now.since(self.last_sent_at)
    }

    /// When the last byte was acknowledged.
    pub fn finished_at(&self) -> Option<Time> {
        (self.finished_at < Time::MAX).then_some(self.finished_at)
    }

    /// The last byte is acknowledged.
    pub fn finish_data(&mut self, now: Time) {
        self.finished_at = now;
    }

    pub fn note_timestamp(&mut self, timestamp: u32) {
        self.echo = timestamp;
    }

    /// The receiver's FIN has arrived.
    pub fn close_peer(&mut self) {
        self.peer_closed = true;
    }

    /// A packet of this connection without payload.
    #[inline(always)]
    pub fn packet(&self, seq: u64, flags: u16, options: &Options, now: Time) -> Packet {
        Packet {
            seq,
            ack: u64::from(self.peer_closed),
            flow: self.flow,
            wire_size: options.header_bytes,
            window: 65_535,
            ts_val: if options.timestamps { options.clock.at(now) } else { 0 },
            ts_ecr: self.echo,
            flags,
            priority: self.priority,
            connection: self.number,
            ..Packet::default()
        }
    }
}
