//! Tables of a connection that was laid out.

use ackclock_sim::table;

/// Names of [`Kind`], in its order.
pub const KINDS: [&str; 14] = [
    "new data",
    "after a gap",
    "fast retransmission",
    "timeout retransmission",
    "tail loss probe",
    "retransmission",
    "out of order",
    "keep-alive",
    "window probe",
    "acknowledgment",
    "duplicate acknowledgment",
    "window update",
    "handshake",
    "reset",
];

/// Kind of a segment, as far as the capture shows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum Kind {
    /// Data, or a FIN, in its place.
    New,
    /// Data beyond bytes that the capture has not seen.
    AfterGap,
    /// A repetition that SACK blocks or three duplicate ACKs asked for.
    Fast,
    /// A repetition after a silence of the retransmission timeout, or after such a one.
    Timeout,
    /// A repetition of the last segment after a silence below the timeout (RFC 8985 section 7).
    TailProbe,
    /// A repetition without a visible cause.
    Retransmission,
    /// Bytes of a gap that came too soon to be a repetition.
    OutOfOrder,
    /// At most a byte, from just below the next sequence number.
    KeepAlive,
    /// A byte into a window of zero.
    WindowProbe,
    /// An ACK without data.
    Ack,
    /// An ACK that repeats the last one.
    DuplicateAck,
    /// An ACK that changes the window only.
    WindowUpdate,
    /// A SYN.
    Handshake,
    /// A RST.
    Reset,
}

impl Kind {
    /// Whether it repeats bytes that had been sent.
    #[must_use]
    pub fn is_retransmission(self) -> bool {
        matches!(self, Self::Fast | Self::Timeout | Self::TailProbe | Self::Retransmission)
    }
}

/// Evidence that a retransmission was not needed, by its code.
pub const SPURIOUS: [&str; 3] = ["", "acknowledged before", "DSACK"];

table! {
    /// Segments of the connection in the order of the capture: a row per segment.
    pub struct SegmentColumns of SegmentSeen {
        /// Number of the frame in the file, from 1.
        frame: u64 = Integer, "";
        /// Time since the connection's first segment.
        time: f64 = Real, "s";
        /// 1 from the sender of the data, 0 from its receiver.
        is_data: u8 = Integer, "";
        /// Kind of the segment: {names}.
        kind: u8 = Code(&KINDS), "";
        /// Evidence that a retransmission was not needed: {names}.
        spurious: u8 = Code(&SPURIOUS), "";
        /// Sequence number, relative to the first one of its direction.
        seq: u64 = Integer, "bytes";
        /// Payload.
        length: u32 = Integer, "bytes";
        /// Acknowledgment number, relative to the first sequence number of the other direction.
        ack: u64 = Integer, "bytes";
        /// Advertised window, scaled; not scaled if the handshake was not captured.
        window: u32 = Integer, "bytes";
        /// TCP flag bits, as in the header.
        flags: u16 = Integer, "";
        /// IP ECN field, 0 to 3.
        ecn: u8 = Integer, "";
        /// SACK blocks of the segment.
        sack_count: u8 = Integer, "";
        /// Time from data at the capture to their ACK, without repeated data (Karn's rule).
        ack_rtt: f64 = Real, "s";
        /// Time from the data of the echoed timestamp to the ACK (RFC 7323).
        echo_rtt: f64 = Real, "s";
        /// Time from an ACK to the data that echo its timestamp: the capture's way to the sender.
        sender_rtt: f64 = Real, "s";
        /// Bytes that are sent, and reported neither by an ACK nor by SACK.
        outstanding: f64 = Real, "bytes";
        /// Bytes in the network (RFC 6675 pipe): outstanding without those judged lost.
        inflight: f64 = Real, "bytes";
        /// Estimated cwnd: the largest inflight of the last round trip.
        cwnd: f64 = Real, "bytes";
        /// Highest byte that the receiver has offered to take: ACK plus window.
        right_edge: f64 = Real, "bytes";
    }
}

table! {
    /// SACK blocks of the receiver: a row per block.
    pub struct SackColumns of SackSeen {
        /// Time since the connection's first segment.
        time: f64 = Real, "s";
        /// First byte, relative to the first sequence number.
        start: u64 = Integer, "bytes";
        /// End of the block.
        end: u64 = Integer, "bytes";
        /// 1: the block reports bytes that came twice (RFC 2883).
        is_dsack: u8 = Integer, "";
    }
}

table! {
    /// Rates of the connection: a row per interval of equal length.
    pub struct RateColumns of RateSeen {
        /// Middle of the interval.
        time: f64 = Real, "s";
        /// Payload that an ACK or SACK reports for the first time.
        goodput: f64 = Real, "bit/s";
        /// Payload seen, repetitions included.
        throughput: f64 = Real, "bit/s";
        /// Payload of retransmissions.
        retransmitted: f64 = Real, "bit/s";
    }
}
