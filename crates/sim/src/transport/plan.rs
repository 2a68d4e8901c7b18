//! The transport's options in a plan.

use ackclock_cc::Setup;
use ackclock_units::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rtt::TimestampClock;
use crate::distribution::Distribution;
use crate::limits::{LONGEST_PS, MOST_WINDOW_BYTES, at_most, packet_sizes};

/// Options of the transport. Each profile of Python (`linux`, `rfc`, `classic`) sets all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own, as users name it")]
pub struct TransportPlan {
    /// Payload of a full segment, bytes.
    pub mss: u32,
    /// Bytes of every packet besides its payload: IP, TCP, timestamps. SACK blocks are added.
    pub header_bytes: u32,
    /// Initial window, bytes.
    pub initial_window_bytes: u64,
    /// Initial ssthresh, bytes; absent: unlimited.
    pub initial_ssthresh_bytes: Option<u64>,
    /// Clamp on cwnd, bytes: the most that the sender keeps in flight; absent: none.
    pub max_cwnd_bytes: Option<u64>,
    /// Receiver's buffer, bytes: the largest window that the receiver advertises.
    pub receive_buffer_bytes: u64,
    /// Window that the receiver advertises before it has learned how much arrives in a round trip,
    /// bytes. If it is at least the buffer's size, the receiver learns nothing.
    pub initial_receive_window_bytes: u64,
    /// Rate at which the receiving application reads, bit/s; absent: at once.
    pub read_rate_bps: Option<u64>,
    /// Number of ACKs into which the receiver divides each ACK that acknowledges new data (Savage
    /// et al. 1999); 1: an honest receiver.
    #[serde(default = "one")]
    pub ack_division: u32,
    /// Data that the receiver acknowledges before it arrives, at most, bytes. Losses are then
    /// concealed (Savage et al. 1999). Absent: an honest receiver.
    #[serde(default)]
    pub optimistic_ack_bytes: Option<u64>,
    /// Whether the receiver conceals congestion marks (RFC 3168 section 18).
    #[serde(default)]
    pub hide_marks: bool,
    /// Segments per delayed ACK (RFC 1122: 2); 1: an ACK per packet.
    pub delayed_ack_count: u32,
    /// The longest that an ACK is delayed, ps (Linux: 40 ms).
    pub delayed_ack_timeout_ps: u64,
    /// Bytes that an ACK counts for when the window grows.
    pub ack_counting: AckCounting,
    /// Size of a segment in cwnd, inflight, and the bytes delivered, `SACKed` or lost.
    pub window_counting: WindowCounting,
    /// Whether the delay of ACKs adapts to the gaps between segments (Linux's `ato`).
    pub delayed_ack_adapts: bool,
    /// Segments acknowledged at once at the start and after a duplicate (Linux's quick ACKs).
    pub quick_acks: u32,
    /// Whether a segment with PSH, or one that is not full, is acknowledged once it is read.
    pub ack_pushed: bool,
    /// Time that duplicate ACKs after the third are held back, at most a 20th of the RTT, ps
    /// (Linux's SACK compression); 0: none.
    pub sack_delay_ps: u64,
    /// Timestamps option (RFC 7323).
    pub timestamps: bool,
    /// Step of the timestamp clock, ps (Linux: 1 ms, or 1 us by route).
    pub timestamp_clock_ps: u64,
    /// Rule by which losses are found.
    pub loss_detection: LossDetection,
    /// Recovery after three duplicate ACKs under `LossDetection::Dupack`.
    pub dupack_recovery: DupackRecovery,
    /// Way in which the sender approaches the new window in recovery.
    pub window_approach: WindowApproach,
    /// Limited transmit (RFC 3042).
    pub limited_transmit: bool,
    /// Tail loss probe (RFC 8985 section 7); only with `LossDetection::Rack`.
    pub tail_loss_probe: bool,
    /// F-RTO (RFC 5682): detect spurious timeouts from the ACKs that follow.
    pub frto: bool,
    /// Undo window reductions that D-SACK or timestamps prove spurious (RFC 3708, RFC 4015).
    pub undo: bool,
    /// Report duplicates received (RFC 2883).
    pub dsack: bool,
    /// Smallest RTO, ps (RFC 6298: 1 s; Linux: 200 ms).
    pub min_rto_ps: u64,
    /// Whether the minimum bounds the RTO's variance term, so that it is at least srtt + minimum
    /// (Linux), and not the RTO (RFC 6298).
    #[serde(default)]
    pub min_rto_bounds_variance: bool,
    /// Largest RTO, ps.
    pub max_rto_ps: u64,
    /// RTO before the first sample, ps (RFC 6298: 1 s).
    pub initial_rto_ps: u64,
    /// Number of timeouts of a SYN that do not double its RTO (Linux: 4; RFC 6298: 0).
    #[serde(default)]
    pub syn_linear_timeouts: u8,
    /// Segments that are timed for the RTO.
    #[serde(default)]
    pub rtt_timing: RttTiming,
    /// Step of the clock that times segments under `RttTiming::OnePerRtt`, ps; 0: exact.
    #[serde(default)]
    pub rtt_clock_ps: u64,
    /// Rules for duplicate ACKs and repeated timeouts under `LossDetection::Dupack`.
    #[serde(default)]
    pub loss_rules: LossRules,
    /// Restart from a small window after an idle period (RFC 5681 section 4.1).
    pub idle_restart: bool,
    /// Explicit congestion notification.
    pub ecn: EcnMode,
    /// Source of the pacing rate.
    pub pacing: PacingMode,
    /// Whether a small burst waits for an ACK that is due soon (Linux's `tcp_tso_should_defer`).
    #[serde(default)]
    pub tso_defer: bool,
    /// Time that the flow's hosts take over each packet that arrives, s; absent: none.
    #[serde(default)]
    pub host_time: Option<Distribution>,
    /// Time since the last tick of the hosts' timer and timestamp clocks when the run begins, ps.
    #[serde(default)]
    pub clock_phase_ps: u64,
}

/// Most ACKs for one arrival: an ACK for each byte of the largest segment.
const MOST_PIECES: u64 = 65_535;

/// Division of ACKs by a receiver that divides none.
fn one() -> u32 {
    1
}

impl TransportPlan {
    /// Whether the receiver acknowledges in a way that no standard allows.
    #[must_use]
    pub fn misleads_by_acks(&self) -> bool {
        self.ack_division > 1 || self.optimistic_ack_bytes.is_some()
    }

    /// Checks that every number is in its range.
    ///
    /// # Errors
    /// Names the key, its value and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        if let Some(time) = &self.host_time {
            time.check().map_err(|error| format!("host_time: {error}"))?;
        }
        if self.mss == 0 || self.initial_window_bytes == 0 {
            return Err("mss and initial window must be positive".into());
        }
        at_most("timestamp_clock_ps", self.timestamp_clock_ps, LONGEST_PS)?;
        at_most("rtt_clock_ps", self.rtt_clock_ps, LONGEST_PS)?;
        at_most("clock_phase_ps", self.clock_phase_ps, LONGEST_PS)?;
        packet_sizes(&[("mss", self.mss), ("header_bytes", self.header_bytes)])?;
        for (key, bytes) in [
            ("initial_window_bytes", self.initial_window_bytes),
            ("receive_buffer_bytes", self.receive_buffer_bytes),
            ("initial_receive_window_bytes", self.initial_receive_window_bytes),
        ] {
            at_most(key, bytes, MOST_WINDOW_BYTES)?;
        }
        for (key, count) in
            [("delayed_ack_count", self.delayed_ack_count), ("ack_division", self.ack_division)]
        {
            if count == 0 {
                return Err(format!("{key} 0: must be at least 1"));
            }
        }
        at_most("ack_division", self.ack_division.into(), MOST_PIECES)?;
        at_most(
            "optimistic_ack_bytes",
            self.optimistic_ack_bytes.unwrap_or_default(),
            MOST_WINDOW_BYTES,
        )?;
        Ok(())
    }

    /// The options that a congestion control is told.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            mss: u64::from(self.mss),
            initial_window: self.initial_window_bytes,
            initial_ssthresh: self.initial_ssthresh_bytes,
            has_sack: self.loss_detection != LossDetection::Dupack,
            clock_phase: Duration::from_ps(self.clock_phase_ps),
            counts_packets: self.window_counting == WindowCounting::Packets,
        }
    }

    /// The clock of the timestamps option.
    #[must_use]
    pub fn timestamp_clock(&self) -> TimestampClock {
        TimestampClock {
            tick: Duration::from_ps(self.timestamp_clock_ps.max(1)),
            phase: Duration::from_ps(self.clock_phase_ps),
        }
    }
}

/// Bytes that an ACK counts for when the window grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AckCounting {
    /// The bytes that the ACK acknowledges (RFC 3465 without its limit; Linux).
    Bytes,
    /// At most one segment, even for a delayed ACK (RFC 5681 section 3.1, equation 2; ns-2).
    Packets,
}

/// Size of a segment in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WindowCounting {
    /// The payload of the segment (RFC 5681, RFC 6675).
    Bytes,
    /// One full segment, even if it carries less (Linux, ns-2).
    Packets,
}

/// Segments that are timed for the retransmission timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RttTiming {
    /// Every segment that was sent once, or whose ACK carries a timestamp.
    #[default]
    EveryAck,
    /// One segment at a time (RFC 6298 section 3 asks for "at least one RTT measurement per
    /// RTT"; ns-2 without timestamps).
    OnePerRtt,
}

/// Rules without SACK on which ns-2 and the RFCs differ, as `docs/transport/README.md` lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LossRules {
    /// The RFCs and Linux.
    #[default]
    Rfc,
    /// ns-2's `singledup_`, `bugFix_`, and its reaction to repeated timeouts.
    #[serde(rename = "ns-2")]
    Ns2,
}

/// Rule by which losses are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LossDetection {
    /// Three duplicate cumulative ACKs; no SACK option.
    Dupack,
    /// RFC 6675.
    Sack,
    /// RFC 8985.
    Rack,
}

/// Recovery without SACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DupackRecovery {
    /// Retransmit and slow-start from one segment.
    Tahoe,
    /// Fast recovery until the first new ACK (RFC 2001).
    Reno,
    /// Fast recovery until everything sent before it is acknowledged (RFC 6582).
    Newreno,
}

/// Way in which the sender approaches the new window in recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WindowApproach {
    /// ssthresh plus three segments, inflated by each duplicate ACK (RFC 5681 section 3.2); with
    /// SACK, pipe against ssthresh (RFC 6675).
    Inflation,
    /// Proportional rate reduction (RFC 9937), from the bytes in flight when recovery begins.
    Prr,
    /// Proportional rate reduction as in Linux, from cwnd when recovery begins.
    PrrLinux,
}

impl EcnMode {
    /// Whether every ACK reports the number of marked bytes.
    #[must_use]
    pub fn is_accurate(self) -> bool {
        matches!(self, Self::Accurate | Self::L4s)
    }
}

/// Explicit congestion notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EcnMode {
    /// Not negotiated.
    Off,
    /// RFC 3168: ECE until CWR, once per window.
    Classic,
    /// Every ACK carries the exact count of marked bytes (as in RFC 9768).
    Accurate,
    /// As `accurate`, with packets sent as ECT(1) (scalable congestion control, RFC 9331).
    L4s,
}

/// Source of the pacing rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PacingMode {
    /// No pacing.
    Off,
    /// The algorithm's rate; else cwnd / srtt times 2 in slow start and 1.2 after, as in Linux.
    Cwnd,
    /// The algorithm's rate; else no pacing.
    Cc,
}
