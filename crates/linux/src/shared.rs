//! What the emulator and the endpoints tell each other while a run goes on.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

/// One per run, behind an `Arc`.
#[derive(Debug)]
pub struct Shared {
    /// Set when the run is over: endpoints close and return.
    pub stop: AtomicBool,
    /// Sessions that have not come to their end. The endpoint writes.
    pub sessions: AtomicUsize,
    /// Each flow. Those that a session runs never set `closes_at`: they may be opened again until that has ended.
    pub flows: Vec<FlowShared>,
}

/// What is known of one flow. `u64::MAX` stands for "none yet".
#[derive(Debug)]
pub struct FlowShared {
    /// The latest round-trip time, ns. The emulator writes.
    pub rtt_ns: AtomicU64,
    /// In-order bytes handed to the receiver. The emulator writes.
    pub delivered: AtomicU64,
    /// Bytes acknowledged. The emulator writes.
    pub acked: AtomicU64,
    /// Packets sent again. The emulator writes.
    pub retransmitted: AtomicU64,
    /// Packets that the network dropped. The emulator writes.
    pub lost: AtomicU64,
    /// All bytes of the application, as soon as it has no more to write. The endpoint writes.
    pub closes_at: AtomicU64,
    /// When an ACK of `closes_at` bytes was handed over, ps. The emulator writes.
    pub finished_ps: AtomicU64,
}

impl Shared {
    /// For so many flows.
    #[must_use]
    pub fn new(flows: usize) -> Self {
        Self {
            stop: AtomicBool::new(false),
            sessions: AtomicUsize::new(0),
            flows: (0..flows).map(|_| FlowShared::default()).collect(),
        }
    }
}

impl Default for FlowShared {
    fn default() -> Self {
        Self {
            rtt_ns: AtomicU64::new(u64::MAX),
            delivered: AtomicU64::new(0),
            acked: AtomicU64::new(0),
            retransmitted: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            closes_at: AtomicU64::new(u64::MAX),
            finished_ps: AtomicU64::new(u64::MAX),
        }
    }
}
