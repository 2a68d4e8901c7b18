//! Parameters of `bbr3`, and what a connection is made with.

use super::Bbr3;
use super::ecn::EcnResponse;
use crate::entry::traits::{Answers, Phases};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::{CongestionControl, Setup};

/// Constants of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub mss: u64,
    pub initial_window: u64,
    pub has_sack: bool,
    /// `BBR.LossThresh`: lost share that says that inflight is too high.
    pub loss_thresh: f64,
    /// `BBR.Beta`: least share of a bound that a round with losses leaves.
    pub beta: f64,
    /// `BBR.Headroom`: share of the long-term bound that is left to other flows.
    pub headroom: f64,
    /// Send quanta in `BBR.offload_budget`.
    pub offload_quanta: u64,
}

fn make(values: &Values, setup: &Setup) -> Box<dyn CongestionControl> {
    let options = Options {
        mss: setup.mss,
        initial_window: setup.initial_window,
        has_sack: setup.has_sack,
        loss_thresh: values.number("loss_thresh"),
        beta: values.number("beta"),
        headroom: values.number("headroom"),
        offload_quanta: values.whole("offload_quanta"),
    };
    let ecn_max_rtt = values.milliseconds("ecn_max_rtt");
    Box::new(Bbr3::new(options, EcnResponse::new(values.flag("ecn").then_some(ecn_max_rtt))))
}

/// Catalogue entry `bbr3`.
pub const ENTRY: Entry = Entry {
    name: "bbr3",
    summary: "Bottleneck bandwidth and RTT, version 3: a model of the path, bounded by the losses \
              that probing causes.",
    parameters: &[
        Parameter::number("loss_thresh", 0.02, 0.0..=0.5).meaning(
            "share lost in a round trip that says that inflight is too high \
                      (BBR.LossThresh)",
        ),
        Parameter::number("beta", 0.7, 0.1..=0.99)
            .meaning("what is left at least of a bound after a round with losses (BBR.Beta)"),
        Parameter::number("headroom", 0.15, 0.0..=0.9)
            .meaning("share of inflight_longterm left to others while not probing (BBR.Headroom)"),
        Parameter::quantity("offload_quanta", 3.0, 0.0..=16.0, "send quanta").meaning(
            "least inflight that the hosts' offloads need: 3 for TCP, 1 for QUIC \
                      (BBR.offload_budget)",
        ),
        Parameter::flag("ecn", false).meaning(
            "answer the share of CE marks as Linux's BBRv3; the transport's ecn must be \
                      \"accurate\" or \"l4s\"",
        ),
        Parameter::quantity("ecn_max_rtt", 5.0, 0.0..=10_000.0, "ms")
            .meaning("with ecn: the largest min_rtt at which marks are answered, 0 for any"),
    ],
    reference: "draft-ietf-ccwg-bbr (2026-08)",
    implies: &[("pacing", "cc")],
    traits: Traits {
        draws: true,
        answers: Answers { loss: true, marks: true, delay: false },
        phases: Some(Phases {
            internal: "state",
            names: &[
                "STARTUP",
                "DRAIN",
                "PROBE_BW down",
                "PROBE_BW cruise",
                "PROBE_BW refill",
                "PROBE_BW up",
                "PROBE_RTT",
            ],
        }),
        ..Traits::MODEL_BASED
    },
    make: Make::whole(make),
};
