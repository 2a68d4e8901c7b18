//! States of the machine and what each controls (draft section "Summary of Control Behavior in the
//! State Machine").

use crate::Rule;

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

    /// Rule of a loss in this state.
    pub fn rule_of_loss(self) -> Rule {
        match self {
            Self::Startup => Rule::new(
                "a loss: the window is saved; a round with many losses ends Startup",
                "draft-ietf-ccwg-bbr, section \"Exiting Startup Based on Packet Loss\"",
            ),
            Self::Refill | Self::Up => Rule::new(
                "a loss: the window is saved; a loss rate above 2 % bounds the long-term inflight",
                "draft-ietf-ccwg-bbr, section \"Probing for Bandwidth In ProbeBW\"",
            ),
            Self::Drain | Self::Down | Self::Cruise | Self::ProbeRtt => Rule::new(
                "a loss: the window is saved, and the round's end cuts the short-term bounds",
                "draft-ietf-ccwg-bbr, section \"When not Probing for Bandwidth\"",
            ),
        }
    }

    /// Rule of an ACK in this state.
    pub fn rule(self) -> Rule {
        match self {
            Self::Startup => Rule::new(
                "BBR, Startup: the rate is 2.77 bandwidth estimates, and doubles per round trip",
                "draft-ietf-ccwg-bbr, section \"Startup\"",
            ),
            Self::Drain => Rule::new(
                "BBR, Drain: half the bandwidth estimate, until Startup's queue is gone",
                "draft-ietf-ccwg-bbr, section \"Drain\"",
            ),
            Self::Down => Rule::new(
                "BBR, ProbeBW_DOWN: 0.9 of the bandwidth estimate, to drain the probe's queue",
                "draft-ietf-ccwg-bbr, section \"ProbeBW_DOWN\"",
            ),
            Self::Cruise => Rule::new(
                "BBR, ProbeBW_CRUISE: the rate is the bandwidth estimate, with headroom in flight",
                "draft-ietf-ccwg-bbr, section \"ProbeBW_CRUISE\"",
            ),
            Self::Refill => Rule::new(
                "BBR, ProbeBW_REFILL: a round trip at the bandwidth estimate fills the pipe",
                "draft-ietf-ccwg-bbr, section \"ProbeBW_REFILL\"",
            ),
            Self::Up => Rule::new(
                "BBR, ProbeBW_UP: 1.25 bandwidth estimates ask for more",
                "draft-ietf-ccwg-bbr, section \"ProbeBW_UP\"",
            ),
            Self::ProbeRtt => Rule::new(
                "BBR, ProbeRTT: half a BDP in flight for 200 ms, to measure the RTT without a \
                 queue",
                "draft-ietf-ccwg-bbr, section \"ProbeRTT\"",
            ),
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
