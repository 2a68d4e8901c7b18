//! The state machine's states and what they control (draft section "Summary of Control Behavior in the State Machine").

/// `BBR.state`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum State {
    /// Doubles the rate each round trip until the pipe is full.
    Startup = 0,
    /// Drains what startup has queued.
    Drain = 1,
    /// `ProbeBW_DOWN`: sends slower than the path delivers.
    Down = 2,
    /// `ProbeBW_CRUISE`: as fast.
    Cruise = 3,
    /// `ProbeBW_REFILL`: fills the pipe for a round trip before it accelerates.
    Refill = 4,
    /// `ProbeBW_UP`: sends faster, to find more bandwidth.
    Up = 5,
    /// Empties the bottleneck's queue to measure the path's delay.
    ProbeRtt = 6,
}

impl State {
    /// `BBR.pacing_gain`: 4 ln 2 lets the rate double each round trip; 0.9 is the largest that lets flows converge after 1.25.
    pub fn pacing_gain(self) -> f64 {
        match self {
            Self::Startup => 2.77,
            Self::Drain => 0.5,
            Self::Down => 0.90,
            Self::Up => 1.25,
            Self::Cruise | Self::Refill | Self::ProbeRtt => 1.0,
        }
    }

    /// `BBR.cwnd_gain`.
    pub fn cwnd_gain(self) -> f64 {
        match self {
            Self::Up => 2.25,
            Self::ProbeRtt => 0.5,
            _ => 2.0,
        }
    }

    /// `IsInAProbeBWState`.
    pub fn is_probe_bw(self) -> bool {
        matches!(self, Self::Down | Self::Cruise | Self::Refill | Self::Up)
    }

    /// `IsProbingBW`: losses are the price of looking, and the short-term model does not answer them.
    pub fn is_probing_bw(self) -> bool {
        matches!(self, Self::Startup | Self::Refill | Self::Up)
    }
}
