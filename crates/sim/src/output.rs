//! The results of a run: counters of every flow, stream, link and session, and the recorded tables.

use ackclock_units::{Duration, Time};
use serde::{Deserialize, Serialize};

use crate::app::session::TransferColumns;
use crate::columns::{Table, counters};
use crate::histogram::DurationHistogram;
use crate::net::link::LinkStats;
use crate::record::{DecisionColumns, FlowColumns, InternalColumns, LinkColumns, PacketColumns};
use crate::transport::receiver::ReceiverStats;
use crate::transport::sender::SenderStats;
use crate::udp::{DatagramColumns, FrameColumns, FrameStats, StreamSent, StreamStats};
use crate::wire::LossCause;

counters! {
    /// The results of a flow.
    #[derive(Clone)]
    pub struct FlowOutput {
        NETWORK {
            /// Data packets that the network dropped.
            lost_packets: u64 = sum, Integer, "packets";
            /// Data packets that a queue marked CE.
            marked_packets: u64 = sum, Integer, "packets";
        }
    }
    with {
        /// Name of the flow.
        pub name: String = first;
        /// The transfer that this connection carries with others.
        pub part_of: Option<String> = first;
        /// Name of the congestion control.
        pub cc: String = first;
        /// Time at which the flow starts by its plan.
        pub start: Time = min;
        /// Time at which the last byte was acknowledged; `None`: the flow did not finish.
        pub finished: Option<Time> = all;
        /// Whether the application has no end of its own, so that the flow is never complete.
        pub is_endless: bool = first;
        /// Part of the measured time in which the flow was active.
        pub active: Duration = max;
        /// Propagation delay there and back.
        pub base_rtt: Duration = first;
        /// Counters of the sender.
        pub sender: SenderStats = mean;
        /// Counters of the receiver.
        pub receiver: ReceiverStats = sum;
        /// Data packets that the network dropped, by [`LossCause`]; `None`: not known.
        pub lost_by_cause: Option<[u64; LossCause::COUNT]> = sum;
        /// Histogram of RTT samples.
        pub rtt: DurationHistogram = sum;
    }
}

counters! {
    /// The results of a session besides the transfers.
    pub struct SessionOutput {
        COUNTED {
            /// Number of times that a transfer or a user found no connection free.
            waited: u64 = sum, Integer, "1";
        }
    }
    with {
        /// Name of the session.
        pub name: String = first;
    }
}

/// The results of a UDP stream.
#[derive(Serialize, Deserialize)]
pub struct StreamOutput {
    /// Name of the stream.
    pub name: String,
    /// Time at which the stream starts by its plan.
    pub start: Time,
    /// Part of the measured time in which the stream was active.
    pub active: Duration,
    /// Propagation delay, one way.
    pub base_delay: Duration,
    /// Counters of the sender.
    pub sent: StreamSent,
    /// Counters of the receiver.
    pub received: StreamStats,
    /// Jitter of RFC 3550 after the last arrival.
    pub jitter: Duration,
    /// Mean time from the sending of a datagram to its playing; `None`: nothing is played.
    pub play_after: Option<Duration>,
    /// Datagrams that the network dropped.
    pub lost_packets: u64,
    /// Counters of video frames; `None`: the stream is no video.
    pub frames: Option<FrameStats>,
}

/// The results of a link.
#[derive(Serialize, Deserialize)]
pub struct LinkOutput {
    /// Name of the link.
    pub name: String,
    /// Line rate, bit/s; `None`: infinitely fast.
    pub rate_bps: Option<u64>,
    /// Counters of the link.
    pub stats: LinkStats,
    /// Part of the measured time that was spent transmitting.
    pub busy: Duration,
    /// The measured time: from the warm-up to the end.
    pub measured: Duration,
}

/// Version of the results: columns, `summary.json`, names, and figures. Raised whenever an older
/// reader would misread them, or an equal scenario and seed give other figures.
pub const RESULTS_VERSION: u32 = 9;

/// A table that a run recorded.
pub struct Recorded<'a> {
    /// Name of the table.
    pub name: &'static str,
    /// The table.
    pub table: &'a dyn Table,
    /// Names that came up in the run, which a column indexes.
    pub names: Vec<&'a str>,
}

/// All results of a run.
#[derive(Default, Serialize, Deserialize)]
pub struct Output {
    /// Time at which the run ended.
    pub end: Time,
    /// Measured time: from the end of the warm-up to the end of the run.
    pub measured: Duration,
    /// Number of events handled.
    pub events: u64,
    /// Results of every flow, in the order of the plan.
    pub flows: Vec<FlowOutput>,
    /// Results of every UDP stream, in the order of the plan.
    pub streams: Vec<StreamOutput>,
    /// Results of every link, in the order of the plan.
    pub links: Vec<LinkOutput>,
    /// Results of every session, in the order of the plan.
    pub sessions: Vec<SessionOutput>,
    /// Table of the transfers of sessions.
    pub transfers: TransferColumns,
    /// Table of the datagrams of streams.
    pub datagrams: DatagramColumns,
    /// Table of the video frames of streams.
    pub frames: FrameColumns,
    /// Time at which a receiver had no memory for a further frame, so that its counters end there;
    /// `None`: they cover the whole run.
    pub frames_counted_until: Option<Time>,
    /// Time series of flows.
    pub flow_samples: FlowColumns,
    /// Time series of links.
    pub link_samples: LinkColumns,
    /// Time series of the internals of congestion controls.
    pub internals: InternalColumns,
    /// Table of packet events.
    pub packets: PacketColumns,
    /// Table of senders' decisions.
    pub decisions: DecisionColumns,
}

impl Output {
    /// The recorded tables.
    #[must_use]
    pub fn tables(&self) -> [Recorded<'_>; 8] {
        let rules = self.decisions.names.iter().map(AsRef::as_ref).collect();
        let internals = self.internals.names.iter().map(AsRef::as_ref).collect();
        let plain = |name, table| Recorded { name, table, names: Vec::new() };
        [
            plain("transfers", &self.transfers),
            plain("frames", &self.frames),
            plain("datagrams", &self.datagrams),
            plain("flow_samples", &self.flow_samples),
            plain("link_samples", &self.link_samples),
            Recorded { names: internals, ..plain("internals", &self.internals) },
            plain("packets", &self.packets),
            Recorded { names: rules, ..plain("decisions", &self.decisions) },
        ]
    }

    /// Names the tables that reached the memory bound of the record, each with the time of the
    /// first missing row. The name is `frame_counters` if a video had more frames than a receiver
    /// can judge.
    #[must_use]
    pub fn recorded_until(&self) -> Vec<(&'static str, Time)> {
        self.tables()
            .into_iter()
            .map(|recorded| (recorded.name, recorded.table.room().full_at()))
            .chain([("frame_counters", self.frames_counted_until)])
            .filter_map(|(table, until)| Some((table, until?)))
            .collect()
    }
}
