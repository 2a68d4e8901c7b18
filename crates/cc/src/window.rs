//! What the two halves of a windowed algorithm decide about.

/// The window as both halves see it.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Congestion window, bytes.
    pub cwnd: u64,
    /// Slow-start threshold, bytes; `None`: not found yet.
    pub ssthresh: Option<u64>,
    /// Payload of a full segment, bytes.
    pub mss: u64,
}
