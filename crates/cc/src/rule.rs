//! Rules: what an algorithm followed in a decision, and where that is written.
//!
//! An answer carries its rule as a pointer to a constant ([`Ruled`]), which costs next to nothing.
//! The text of a rule is put together only while decisions are recorded.

use crate::Signal;

/// Rule by which an algorithm decides, with its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    statement: &'static str,
    source: &'static str,
    /// The statement is what a signal does: `halves the window`.
    is_cut: bool,
}

impl Rule {
    /// Rule with this statement and source, as `slow start: cwnd grows by the bytes acknowledged`
    /// and `RFC 5681 section 3.1`.
    #[must_use]
    pub const fn new(statement: &'static str, source: &'static str) -> Self {
        Self { statement, source, is_cut: false }
    }

    /// Rule of congestion: its text is the signal, then `effect`, as `a loss halves the window`.
    #[must_use]
    pub const fn cut(effect: &'static str, source: &'static str) -> Self {
        Self { statement: effect, source, is_cut: true }
    }

    /// Answer by this rule.
    #[inline]
    pub const fn gives<T: Copy>(&'static self, answer: T) -> Ruled<T> {
        Ruled { answer, rule: Some(self) }
    }

    /// Text of the rule in the answer to a call.
    #[must_use]
    pub fn text(&self, call: Call) -> String {
        self.text_and(call, "")
    }

    /// [`Self::text`], with `more` after the statement.
    pub(crate) fn text_and(&self, call: Call, more: &str) -> String {
        let sign = match call {
            Call::Congestion(signal) if self.is_cut => match signal {
                Signal::Loss => "a loss ",
                Signal::Ecn => "a mark ",
                Signal::Rto => "a timeout ",
            },
            _ => "",
        };
        format!("{sign}{}{more} ({})", self.statement, self.source)
    }

    /// Text for an algorithm that does not name its rules: the name of its type or class.
    #[must_use]
    pub fn of_type(path: &str) -> String {
        let name = path.split('<').next().unwrap_or(path);
        let name = name.rsplit("::").next().unwrap_or(name);
        format!("{name} decides")
    }
}

impl core::fmt::Display for Rule {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} ({})", self.statement, self.source)
    }
}

/// Answer of a half of a windowed algorithm, and the rule that gave it. An answer becomes one
/// without a rule by `into()`; its rule is then the name of the type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ruled<T> {
    /// The answer.
    pub answer: T,
    /// The rule, if the algorithm names it.
    pub rule: Option<&'static Rule>,
}

impl<T> From<T> for Ruled<T> {
    fn from(answer: T) -> Self {
        Self { answer, rule: None }
    }
}

/// Call to a congestion control, for whose rule the record asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// `on_ack` or `answer`.
    Ack,
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

impl Call {
    /// Name of the call, as the record of decisions has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ack => "ack",
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
