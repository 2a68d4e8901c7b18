//! States of the machine and what each controls (draft section "Summary of Control Behavior in the
//! State Machine").

/// `BBR.state`: state of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum State {
    // Doubles the rate each round trip until the pipe is full.
    Startup = 0,
    // Drains the queue that startup has made.
    Drain = 1,
    // `ProbeBW_DOWN`: sends slower than the path delivers.
    Down = 2,
    // `ProbeBW_CRUISE`: sends as fast as the path delivers.
    Cruise = 3,
    // `ProbeBW_REFILL`: fills the pipe for a round trip before the probe.
    Refill = 4,
    // `ProbeBW_UP`: sends faster, to find more bandwidth.
    Up = 5,
    // Empties the bottleneck's queue to measure the path's delay.
    ProbeRtt = 6,
}

impl State {
    /// `BBR.pacing_gain`. In startup 4 ln 2 lets the rate double each round trip. In `ProbeBW_DOWN`
    /// 0.9 is the largest gain that lets flows converge after one of 1.25.
    pub fn pacing_gain(self) -> f64 {
        match self {
            Self::Startup => 2.77,
            Self::Drain => 0.5,
            Self::Down => 0.90,
            Self::Up => 1.25,
            Self::Cruise | Self::Refill | Self::ProbeRtt => 1.0,
        }
    }

    /// `BBR.cwnd_gain`: window in BDPs.
    pub fn cwnd_gain(self) -> f64 {
        match self {
            Self::Up => 2.25,
            Self::ProbeRtt => 0.5,
            _ => 2.0,
        }
    }

    /// `IsInAProbeBWState`: whether the state is one of the four of `ProbeBW`.
    pub fn is_probe_bw(self) -> bool {
        matches!(self, Self::Down | Self::Cruise | Self::Refill | Self::Up)
    }

    /// `IsProbingBW`. Losses are then the price of probing, and the short-term model does not
    /// answer them.
    pub fn is_probing_bw(self) -> bool {
        matches!(self, Self::Startup | Self::Refill | Self::Up)
    }
}
