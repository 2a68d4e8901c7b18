//! Options of the receiving side, which never change while a connection runs.

use super::schedule::AckRules;
use crate::transport::plan::{EcnMode, LossDetection, TransportPlan};
use crate::transport::rtt::TimestampClock;

/// Options that the receiving side reads. Flows with equal options share one copy.
#[derive(PartialEq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct Options {
    /// Headers of each packet, bytes.
    pub header_bytes: u32,
    /// Largest payload of a segment, bytes.
    pub mss: u64,
    /// Largest size of the buffer, bytes.
    pub buffer: u64,
    pub timestamps: bool,
    pub clock: TimestampClock,
    pub has_sack: bool,
    pub dsack: bool,
    pub ecn: EcnMode,
    pub hides_marks: bool,
    /// Number of ACKs that a divided ACK becomes.
    pub ack_division: u64,
    pub acks: AckRules,
}

impl Options {
    /// The receiver's options in a plan.
    pub fn new(plan: &TransportPlan) -> Self {
        Self {
            header_bytes: plan.header_bytes,
            mss: u64::from(plan.mss),
            buffer: plan.receive_buffer_bytes,
            timestamps: plan.timestamps,
            clock: plan.timestamp_clock(),
            has_sack: plan.loss_detection != LossDetection::Dupack,
            dsack: plan.dsack,
            ecn: plan.ecn,
            hides_marks: plan.hide_marks,
            ack_division: plan.ack_division.into(),
            acks: AckRules::new(plan),
        }
    }
}
