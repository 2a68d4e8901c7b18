//! `bbr3` in the registry: its parameters, and what a connection is made with.

use ackclock_units::Duration;

use super::Bbr3;
use super::ecn::EcnResponse;
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::{CongestionControl, Setup};

/// What does not change.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub mss: u64,
    pub initial_window: u64,
    pub has_sack: bool,
    /// `BBR.LossThresh`.
    pub loss_thresh: f64,
    /// `BBR.Beta`.
    pub beta: f64,
    /// `BBR.Headroom`.
    pub headroom: f64,
    /// Send quanta in `BBR.offload_budget`.
    pub offload_quanta: u64,
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the parameter's range is 0 to 16"
)]
fn make(values: &Values, setup: &Setup) -> Box<dyn CongestionControl> {
    let options = Options {
        mss: setup.mss,
        initial_window: setup.initial_window,
        has_sack: setup.has_sack,
        loss_thresh: values.number("loss_thresh"),
        beta: values.number("beta"),
        headroom: values.number("headroom"),
        offload_quanta: values.number("offload_quanta") as u64,
    };
    let ecn_max_rtt = Duration::from_secs_f64(values.number("ecn_max_rtt") * 1e-3);
    Box::new(Bbr3::new(options, EcnResponse::new(values.flag("ecn").then_some(ecn_max_rtt))))
}

/// `bbr3`.
pub const ENTRY: Entry = Entry {
    name: "bbr3",
    summary: "Bottleneck bandwidth and RTT, version 3: a model of the path, bounded by the losses that probing causes.",
    parameters: &[
        Parameter {
            name: "loss_thresh",
            default: Value::Number(0.02),
            range: (0.0, 0.5),
            unit: "",
            meaning: "share lost in a round trip that says that inflight is too high (BBR.LossThresh)",
        },
        Parameter {
            name: "beta",
            default: Value::Number(0.7),
            range: (0.1, 0.99),
            unit: "",
            meaning: "what is left at least of a bound after a round with losses (BBR.Beta)",
        },
        Parameter {
            name: "headroom",
            default: Value::Number(0.15),
            range: (0.0, 0.9),
            unit: "",
            meaning: "share of inflight_longterm left to others while not probing (BBR.Headroom)",
        },
        Parameter {
            name: "offload_quanta",
            default: Value::Number(3.0),
            range: (0.0, 16.0),
            unit: "send quanta",
            meaning: "least inflight that the hosts' offloads need: 3 for TCP, 1 for QUIC (BBR.offload_budget)",
        },
        Parameter {
            name: "ecn",
            default: Value::Flag(false),
            range: (0.0, 0.0),
            unit: "",
            meaning: "answer the share of CE marks as Linux's BBRv3; the transport's ecn must be \"accurate\" or \"l4s\"",
        },
        Parameter {
            name: "ecn_max_rtt",
            default: Value::Number(5.0),
            range: (0.0, 10_000.0),
            unit: "ms",
            meaning: "with ecn: the largest min_rtt at which marks are answered, 0 for any",
        },
    ],
    reference: "draft-ietf-ccwg-bbr (2026-08)",
    implies: &[("pacing", "cc")],
    make: Make::Whole(make),
};
