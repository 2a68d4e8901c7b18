//! Options of the sending side, which never change while a connection runs.

use ackclock_cc::CongestionControl;
use ackclock_units::Duration;

use crate::transport::plan::{
    AckCounting, DupackRecovery, EcnMode, LossDetection, LossRules, PacingMode, RttTiming,
    TransportPlan, WindowApproach,
};
use crate::transport::rtt::{RtoBounds, TimestampClock};

/// Options that the sending side reads. Flows with equal options share one copy.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
#[derive(PartialEq, Debug)]
pub(super) struct Options {
    /// Largest payload of a segment, bytes.
    pub mss: u64,
    /// Headers of each packet, bytes.
    pub header_bytes: u32,
    /// Initial window, bytes.
    pub initial_window: u64,
    /// The algorithm sets cwnd even in recovery and after idleness (Linux's `cong_control`).
    pub owns_window: bool,
    /// The algorithm wants each RTT sample in a call of its own.
    pub takes_rtts: bool,
    /// The algorithm may ask for a reduction of its window.
    pub reduces_itself: bool,
    /// Bytes that one ACK may count for at most when the window grows.
    pub credit_per_ack: u64,
    /// Clamp on cwnd, bytes.
    pub max_cwnd: Option<u64>,
    pub has_sack: bool,
    /// Acknowledgments in order may take the short way: nothing but them is counted or timed.
    pub has_plain_acks: bool,
    pub timestamps: bool,
    /// One segment per round trip is timed (RFC 6298 section 3), instead of every ACK.
    pub times_one: bool,
    /// [`LossRules::Ns2`]; always false with SACK.
    pub ns2_rules: bool,
    pub clock: TimestampClock,
    pub dupack_recovery: DupackRecovery,
    pub prr: bool,
    /// PRR reduces in proportion to cwnd (Linux) instead of to the bytes in flight (RFC 9937).
    pub prr_of_cwnd: bool,
    pub limited_transmit: bool,
    pub tail_loss_probe: bool,
    pub frto: bool,
    pub undo: bool,
    pub idle_restart: bool,
    pub ecn: EcnMode,
    pub pacing: PacingMode,
    pub tso_defer: bool,
    pub rto: RtoBounds,
}

impl Options {
    /// The sender's options in a plan, with the algorithm `cc`.
    pub fn new(plan: &TransportPlan, cc: &dyn CongestionControl) -> Self {
        let owns_window = cc.owns_window();
        let times_one = plan.rtt_timing == RttTiming::OnePerRtt;
        let has_sack = plan.loss_detection != LossDetection::Dupack;
        Self {
            mss: u64::from(plan.mss),
            header_bytes: plan.header_bytes,
            initial_window: plan.initial_window_bytes,
            owns_window,
            takes_rtts: cc.takes_rtts(),
            reduces_itself: cc.reduces_itself(),
            credit_per_ack: match plan.ack_counting {
                AckCounting::Bytes => u64::MAX,
                AckCounting::Packets => u64::from(plan.mss),
            },
            max_cwnd: plan.max_cwnd_bytes,
            has_sack,
            has_plain_acks: plan.loss_detection == LossDetection::Rack
                && matches!(plan.ecn, EcnMode::Off | EcnMode::Classic)
                && !times_one,
            timestamps: plan.timestamps,
            times_one,
            ns2_rules: plan.loss_rules == LossRules::Ns2 && !has_sack,
            clock: plan.timestamp_clock(),
            dupack_recovery: plan.dupack_recovery,
            prr: plan.window_approach != WindowApproach::Inflation && !owns_window,
            prr_of_cwnd: plan.window_approach == WindowApproach::PrrLinux,
            limited_transmit: plan.limited_transmit,
            tail_loss_probe: plan.tail_loss_probe && plan.loss_detection == LossDetection::Rack,
            frto: plan.frto,
            undo: plan.undo,
            idle_restart: plan.idle_restart && !owns_window,
            ecn: plan.ecn,
            pacing: plan.pacing,
            tso_defer: plan.tso_defer,
            rto: RtoBounds {
                min: Duration::from_ps(plan.min_rto_ps),
                max: Duration::from_ps(plan.max_rto_ps),
                initial: Duration::from_ps(plan.initial_rto_ps),
                linear_syns: plan.syn_linear_timeouts,
                min_bounds_variance: plan.min_rto_bounds_variance,
                clock: Duration::from_ps(if times_one { plan.rtt_clock_ps } else { 0 }),
            },
        }
    }

    /// Whether the connection treats three duplicate ACKs as a timeout.
    pub fn is_tahoe(&self) -> bool {
        self.dupack_recovery == DupackRecovery::Tahoe && !self.has_sack
    }
}
