//! State that the emulator and the endpoints share during a run.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

/// Shared state of one run, behind an `Arc`.
#[derive(Debug)]
pub struct Shared {
    /// Set when the run is over: endpoints close and return.
    pub stop: AtomicBool,
    /// Number of sessions that have not ended. The endpoint writes it.
    pub sessions: AtomicUsize,
    /// State of each flow. Flows of a session never set `closes_at`, because they may be opened
    /// again until the session has ended.
    pub flows: Vec<FlowShared>,
}

/// Shared state of one flow. `u64::MAX` stands for "none yet".
#[derive(Debug)]
pub struct FlowShared {
    /// Latest round-trip time, ns. The emulator writes it.
    pub rtt_ns: AtomicU64,
    /// In-order bytes handed to the receiver. The emulator writes it.
    pub delivered: AtomicU64,
    /// Bytes acknowledged. The emulator writes it.
    pub acked: AtomicU64,
    /// Data packets sent, retransmissions included. The emulator writes it.
    pub sent: AtomicU64,
    /// Packets retransmitted. The emulator writes it.
    pub retransmitted: AtomicU64,
    /// Packets that the network dropped. The emulator writes it.
    pub lost: AtomicU64,
    /// Number of bytes of the application, once it will write no more. The endpoint writes it.
    pub closes_at: AtomicU64,
    /// Time at which an ACK of `closes_at` bytes was handed over, ps. The emulator writes it.
    pub finished_ps: AtomicU64,
}

impl Shared {
    /// State for this number of flows.
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
            sent: AtomicU64::new(0),
            retransmitted: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            closes_at: AtomicU64::new(u64::MAX),
            finished_ps: AtomicU64::new(u64::MAX),
        }
    }
}
