//! Events that a sender handles.

/// Event that a sender handles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Cause {
    /// The connection opens: SYN, or SYN-ACK.
    Start = 0,
    /// An ACK.
    Ack = 1,
    /// The retransmission timer of a SYN or of data.
    Timeout = 2,
    /// The timer of the tail loss probe.
    TailProbe = 3,
    /// RACK's timer of segments that may be lost.
    ReorderingTimer = 4,
    /// The pacer lets the next packet go.
    PacingTimer = 5,
    /// The persist timer of a shut receive window.
    WindowProbe = 6,
    /// The application writes, or closes the connection.
    Application = 7,
}

impl Cause {
    /// Names, by code.
    pub const NAMES: [&str; 8] = [
        "start",
        "ack",
        "timeout",
        "tail_probe",
        "reordering_timer",
        "pacing_timer",
        "window_probe",
        "application",
    ];
}
