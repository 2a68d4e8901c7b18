//! The recorded table of decisions: what senders made of each event.

use std::borrow::Cow;

use ackclock_cc::{Call, Signal};
use ackclock_units::Time;

use crate::columns::table;
use crate::transport::accounting::Limit;
use crate::transport::cause::Cause;
use crate::transport::recovery::CaState;

/// Call to the congestion control, as the record names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum CallKind {
    /// Nothing.
    Nothing = 0,
    /// The RTT of the handshake.
    Handshake = 1,
    /// Sending begins with nothing in flight.
    TransmitStart = 2,
    /// An ACK.
    Ack = 3,
    /// A monitor interval begins or is settled.
    Interval = 4,
    /// The window after a timeout.
    LossWindow = 5,
    /// The end of a recovery.
    RecoveryExit = 6,
    /// A recovery in a window that a mark has reduced.
    RecoveryInReducedWindow = 7,
    /// An RTT sample that ended slow start.
    Rtt = 8,
    /// The window was unused.
    IdleRestart = 9,
    /// The window stays where the reduction has come to.
    WindowKept = 10,
    /// The SYN was lost.
    LostSyn = 11,
    /// The reaction was a mistake.
    Undo = 12,
    /// Another timeout in a reduced window.
    RepeatedTimeout = 13,
    /// Marks.
    Ecn = 14,
    /// Losses.
    Loss = 15,
    /// A timeout.
    Timeout = 16,
}

impl From<Call> for CallKind {
    fn from(call: Call) -> Self {
        match call {
            Call::Ack => Self::Ack,
            Call::Rtt => Self::Rtt,
            Call::Congestion(Signal::Loss) => Self::Loss,
            Call::Congestion(Signal::Ecn) => Self::Ecn,
            Call::Congestion(Signal::Rto) => Self::Timeout,
            Call::RepeatedTimeout => Self::RepeatedTimeout,
            Call::LossWindow => Self::LossWindow,
            Call::RecoveryInReducedWindow => Self::RecoveryInReducedWindow,
            Call::RecoveryExit => Self::RecoveryExit,
            Call::IdleRestart => Self::IdleRestart,
            Call::WindowKept => Self::WindowKept,
            Call::LostSyn => Self::LostSyn,
            Call::TransmitStart => Self::TransmitStart,
            Call::Handshake => Self::Handshake,
            Call::Undo => Self::Undo,
            Call::Interval => Self::Interval,
        }
    }
}

impl CallKind {
    /// Names, by code.
    pub const NAMES: [&str; 17] = [
        "nothing",
        "handshake",
        "transmit_start",
        "ack",
        "interval",
        "loss_window",
        "recovery_exit",
        "recovery_in_reduced_window",
        "rtt",
        "idle_restart",
        "window_kept",
        "lost_syn",
        "undo",
        "repeated_timeout",
        "ecn",
        "loss",
        "timeout",
    ];
}

/// Index of a rule that stands for none.
pub const NO_RULE: u16 = u16::MAX;

table! {
    /// Decisions of senders: a row per event that a sender handled.
    pub struct DecisionColumns of DecisionRow {
        /// Simulated time.
        time: f64 = Real, "s";
        /// The flow's name.
        flow: u32 = Flow, "";
        /// Event that the sender handled: {names}. A pacing timer that changed nothing has no row.
        cause: u8 = Code(&Cause::NAMES), "";
        /// Payload that the event acknowledged cumulatively.
        acked_bytes: u64 = Integer, "bytes";
        /// Bytes that the ACK acknowledged selectively for the first time.
        sacked_bytes: u64 = Integer, "bytes";
        /// Bytes that the sender declared lost at the event.
        lost_bytes: u64 = Integer, "bytes";
        /// 1 for a duplicate ACK, else 0.
        is_duplicate: u8 = Integer, "";
        /// 1 for an ACK that tells of CE marks, else 0.
        has_ece: u8 = Integer, "";
        /// Payload acknowledged cumulatively since the start, on all of the flow's connections.
        una: u64 = Integer, "bytes";
        /// Sender's state after the event: {names} (as Linux's `ca_state`).
        episode: u8 = Code(&CaState::NAMES), "";
        /// Packet-timed round trips since the connection began.
        round: u64 = Integer, "1";
        /// 1 if the ACK began a round trip, else 0.
        round_start: u8 = Integer, "";
        /// Delivery-rate sample of the ACK; null: it gave none.
        delivery_rate: f64 = Real, "bit/s";
        /// Time over which the delivery-rate sample was taken; null: there is no sample.
        sample_interval: f64 = Real, "s";
        /// 1 if the application limited the delivery-rate sample, else 0.
        is_app_limited: u8 = Integer, "";
        /// RTT that the ACK measured; null: none.
        rtt_sample: f64 = Real, "s";
        /// Smoothed RTT after the event (RFC 6298); null before the first sample.
        srtt: f64 = Real, "s";
        /// RTT variation after the event (RFC 6298); null before the first sample.
        rttvar: f64 = Real, "s";
        /// Smallest RTT sample of the connection; null before the first.
        min_rtt: f64 = Real, "s";
        /// Retransmission timeout after the event, backed off.
        rto: f64 = Real, "s";
        /// Weightiest call that told the congestion control of the event: {names}.
        told: u8 = Code(&CallKind::NAMES), "";
        /// All calls that told the congestion control of the event: bit n is set for code n of
        /// `told`.
        calls: u32 = Integer, "";
        /// Congestion window in force before the event.
        cwnd_before: f64 = Real, "bytes";
        /// Congestion window in force after the event; in recovery, what PRR or inflation allows.
        cwnd: f64 = Real, "bytes";
        /// The algorithm's own window after the event; in recovery, `cwnd` approaches it.
        target_cwnd: f64 = Real, "bytes";
        /// Slow-start threshold before the event; null: none yet.
        ssthresh_before: f64 = Real, "bytes";
        /// Slow-start threshold after the event; null: none yet.
        ssthresh: f64 = Real, "bytes";
        /// Pacing rate before the event; null: not paced.
        pacing_before: f64 = Real, "bit/s";
        /// Pacing rate after the event; null: not paced.
        pacing_rate: f64 = Real, "bit/s";
        /// Rule that set the window, with its source: the algorithm's, or the transport's where
        /// that decided alone; null: nothing was decided.
        rule: u16 = Internal, "";
        /// Rule of the transport that applied: loss detection, PRR, timers, undo, window
        /// validation; null: none.
        transport_rule: u16 = Internal, "";
        /// Sent, not acknowledged, not deemed lost, after the event.
        inflight: f64 = Real, "bytes";
        /// Full packets that cwnd allowed to send at the event.
        window_room as "room": u32 = Integer, "packets";
        /// Data packets sent at the event, retransmissions included.
        sent: u32 = Integer, "packets";
        /// Data packets sent again at the event.
        retransmitted: u32 = Integer, "packets";
        /// Limit that held the sender back after the event: {names}.
        held_by: u8 = Code(&Limit::NAMES), "";
    }
    with {
        /// Rules, each with its source in parentheses.
        pub names: Vec<Cow<'static, str>>;
    }
}

impl DecisionColumns {
    /// Rows that belong to moments before `time`. They come in the order of time.
    #[must_use]
    pub fn rows_before(&self, time: Time) -> usize {
        let seconds = time.as_secs_f64();
        self.time.partition_point(|row| *row < seconds)
    }

    /// Index of a rule in `names`, which is perhaps the one at `guess`. Rules beyond 65534 are all
    /// [`NO_RULE`].
    pub fn number_of(&mut self, rule: &str, guess: u16) -> u16 {
        if self.names.get(usize::from(guess)).is_some_and(|known| known == rule) {
            return guess;
        }
        let at = self.names.iter().position(|known| known == rule).unwrap_or_else(|| {
            if self.names.len() < usize::from(NO_RULE) {
                self.names.push(Cow::Owned(rule.to_owned()));
                self.names.len() - 1
            } else {
                usize::from(NO_RULE)
            }
        });
        u16::try_from(at).unwrap_or(NO_RULE)
    }
}
