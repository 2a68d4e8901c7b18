//! Rules: what an algorithm followed in a decision, and where that is written.
//!
//! Nobody asks for a rule unless decisions are recorded, so a rule costs a run without a record
//! nothing. The record asks right after each call, and the algorithm answers from its state.

use std::borrow::Cow;

use crate::{AckEvent, Signal};

/// Rule by which an algorithm decided, with its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Statement of the rule, as `slow start: cwnd grows by the bytes acknowledged`.
    pub statement: Cow<'static, str>,
    /// Place where the rule is written, as `RFC 5681 section 3.1`; empty: nobody has said.
    pub source: Cow<'static, str>,
}

impl Rule {
    /// Rule with this statement and source.
    #[must_use]
    pub const fn new(statement: &'static str, source: &'static str) -> Self {
        Self { statement: Cow::Borrowed(statement), source: Cow::Borrowed(source) }
    }

    /// Rule of congestion: the signal, then `effect`, as `a loss` and `halves the window`.
    #[must_use]
    pub fn cut(signal: Signal, effect: &str, source: &'static str) -> Self {
        let sign = match signal {
            Signal::Loss => "a loss",
            Signal::Ecn => "a mark",
            Signal::Rto => "a timeout",
        };
        Self { statement: format!("{sign} {effect}").into(), source: Cow::Borrowed(source) }
    }

    /// Rule of an algorithm that does not name its rules: the name of its type or class.
    #[must_use]
    pub fn of_type(path: &str) -> Self {
        let name = path.split('<').next().unwrap_or(path);
        let name = name.rsplit("::").next().unwrap_or(name);
        Self { statement: format!("{name} decides").into(), source: Cow::Borrowed("") }
    }
}

impl core::fmt::Display for Rule {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.source.is_empty() {
            f.write_str(&self.statement)
        } else {
            write!(f, "{} ({})", self.statement, self.source)
        }
    }
}

/// Call to a congestion control, for whose rule the record asks.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    /// `on_ack` or `answer`.
    Ack(&'a AckEvent),
    /// `on_rtt`, and the decision has changed.
    Rtt,
    /// `on_congestion`.
    Congestion(Signal),
    /// `on_repeated_timeout`.
    RepeatedTimeout,
    /// `on_loss_window`.
    LossWindow,
    /// `on_recovery_in_reduced_window`.
    RecoveryInReducedWindow,
    /// `on_recovery_exit`.
    RecoveryExit,
    /// `on_idle_restart`.
    IdleRestart,
    /// `on_window_kept`.
    WindowKept,
    /// `on_lost_syn`.
    LostSyn,
    /// `on_transmit_start`, and the decision has changed.
    TransmitStart,
    /// `on_handshake`.
    Handshake,
    /// `on_spurious`.
    Undo,
    /// `begin_interval` or `on_interval`, and the decision has changed.
    Interval,
}

impl Call<'_> {
    /// Name of the call, as the record of decisions has it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ack(_) => "ack",
            Self::Rtt => "rtt",
            Self::Congestion(Signal::Loss) => "loss",
            Self::Congestion(Signal::Ecn) => "ecn",
            Self::Congestion(Signal::Rto) => "timeout",
            Self::RepeatedTimeout => "repeated_timeout",
            Self::LossWindow => "loss_window",
            Self::RecoveryInReducedWindow => "recovery_in_reduced_window",
            Self::RecoveryExit => "recovery_exit",
            Self::IdleRestart => "idle_restart",
            Self::WindowKept => "window_kept",
            Self::LostSyn => "lost_syn",
            Self::TransmitStart => "transmit_start",
            Self::Handshake => "handshake",
            Self::Undo => "undo",
            Self::Interval => "interval",
        }
    }
}

impl Act<'_> {
    /// Name of the decision, as [`Call::name`].
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Step { .. } => "ack",
            Self::TakeOver => "take_over",
            Self::Cut { signal, .. } => Call::Congestion(*signal).name(),
        }
    }
}

/// Decision of an avoidance, for whose rule the record asks.
#[derive(Clone, Copy, Debug)]
pub enum Act<'a> {
    /// `next_cwnd` for an ACK.
    Step {
        /// The ACK.
        ack: &'a AckEvent,
        /// Window before the ACK, bytes.
        before: u64,
    },
    /// `take_over` has ended slow start.
    TakeOver,
    /// `ssthresh` for a signal of congestion.
    Cut {
        /// The signal.
        signal: Signal,
        /// Window before the signal, bytes.
        before: u64,
    },
}
