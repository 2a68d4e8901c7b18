//! The tables with a row per flow, link, stream and session.

use ackclock_units::{Duration, Time};

use crate::columns::{OptionalPart, Rows, Within, columns, spread};
use crate::histogram::DurationHistogram;
use crate::net::link::LinkStats;
use crate::output::{FlowOutput, LinkOutput, SessionOutput, StreamOutput};
use crate::transport::accounting::Account;
use crate::transport::receiver::ReceiverStats;
use crate::transport::sender::SenderStats;
use crate::udp::{FrameStats, StreamSent, StreamStats};
use crate::wire::LossCause;

columns! {
    impl FlowOutput as flow {
        FLOW {
            /// The flow's name.
            name: &str = Text, "", &flow.name;
            /// The flow that this connection carries with others (`parallel`, or its application);
            /// null for a flow.
            part_of: Option<&str> = Text, "", flow.part_of.as_deref();
            /// Congestion control, as the registry reads it.
            cc: &str = Text, "", &flow.cc;
            /// When the flow starts by its plan. A connection of a session sends its SYN later.
            start_time: Time = Real, "s", flow.start;
            /// When the last byte was acknowledged; null if the flow did not finish.
            finish_time: Option<Time> = Real, "s", flow.finished;
            /// Flow completion time, from `start_time` to the last byte acknowledged; null if the
            /// flow did not finish.
            fct: Option<Duration> = Real, "s",
                flow.finished.filter(|_| !flow.is_endless).map(|at| at.since(flow.start));
            /// Time measured: from the later of start and warm-up to finish, stop or end of the
            /// run.
            active_time: Duration = Real, "s", flow.active;
        }
        PATH {
            /// The path's round-trip propagation time, without transmission, queueing or what hosts
            /// take.
            base_rtt: Duration = Real, "s", flow.base_rtt;
        }
        LOST {
            /// Data packets lost on the wire, those damaged there included; null for UDP streams.
            lost_wire: Option<u64> = Integer, "packets", lost(flow, LossCause::Wire);
            /// Data packets lost because the queue was full, or its average so high that every
            /// packet is dropped; null for UDP streams.
            lost_forced: Option<u64> = Integer, "packets", lost(flow, LossCause::Forced);
            /// Data packets lost by a queue's own decision (RED, `CoDel`, PIE, ...); null for UDP
            /// streams.
            lost_early: Option<u64> = Integer, "packets", lost(flow, LossCause::Early);
            /// Data packets lost to a policer; null for UDP streams.
            lost_policed: Option<u64> = Integer, "packets", lost(flow, LossCause::Policed);
        }
    }
}
spread!(impl FlowOutput as flow; RTT, "rtt", "round-trip time sampled by the sender", flow.rtt);

fn lost(flow: &FlowOutput, cause: LossCause) -> Option<u64> {
    flow.lost_by_cause.map(|lost| lost[cause as usize])
}

fn sender(flow: &FlowOutput) -> &SenderStats {
    &flow.sender
}

fn account(flow: &FlowOutput) -> Option<&Account> {
    flow.sender.account.as_deref()
}

/// A row per flow, connection of a transfer, and stream.
pub static FLOWS: &Rows<FlowOutput> = &[
    &FlowOutput::FLOW,
    &Within(sender, SenderStats::SENT),
    &Within(|flow: &FlowOutput| &flow.receiver, ReceiverStats::DELIVERED),
    &FlowOutput::NETWORK,
    &Within(sender, SenderStats::EPISODES),
    &FlowOutput::PATH,
    &FlowOutput::RTT,
    &Within(sender, SenderStats::LIMITED),
    &Within(sender, SenderStats::LARGEST),
    &FlowOutput::LOST,
    &OptionalPart(account, Account::TIMES),
    &OptionalPart(account, Account::WINDOW_AFTER),
    &OptionalPart(account, Account::REDUCTIONS),
    &OptionalPart(account, Account::SLOW_START),
];

columns! {
    impl LinkOutput as link {
        LINK {
            /// The link's name, one per direction.
            name: &str = Text, "", &link.name;
            /// Line rate; the nominal one where it varies; null for an infinitely fast link.
            rate: Option<u64> = Real, "bit/s", link.rate_bps;
        }
        ALL_DROPPED {
            /// All packets dropped: forced, early, policed and on the wire.
            dropped_packets: u64 = Integer, "packets", link.stats.dropped();
        }
        BUSY {
            /// Time spent transmitting; where the rate varies, `measured_time` times the share used
            /// of its capacity.
            busy_time: Duration = Real, "s", link.busy;
            /// From warm-up to the end of the run.
            measured_time: Duration = Real, "s", link.measured;
        }
        QUEUE {
            /// Time average of the queue's length over `measured_time`.
            queue_packets_mean: f64 = Real, "packets", mean_length(link);
        }
    }
}
spread!(
    impl LinkOutput as link;
    QUEUE_DELAY, "queue_delay", "time that packets waited, transmission not included",
    link.stats.queue_delay
);

#[expect(clippy::cast_precision_loss, reason = "a quotient of times of at least a picosecond")]
fn mean_length(link: &LinkOutput) -> f64 {
    let measured = link.measured.as_ps();
    if measured > 0 { link.stats.queued as f64 / measured as f64 } else { 0.0 }
}

fn stats(link: &LinkOutput) -> &LinkStats {
    &link.stats
}

/// A row per link and direction.
pub static LINKS: &Rows<LinkOutput> = &[
    &LinkOutput::LINK,
    &Within(stats, LinkStats::CARRIED),
    &LinkOutput::ALL_DROPPED,
    &Within(stats, LinkStats::DROPPED),
    &LinkOutput::BUSY,
    &LinkOutput::QUEUE_DELAY,
    &LinkOutput::QUEUE,
];

columns! {
    impl StreamOutput as stream {
        STREAM {
            /// The UDP stream's name.
            name: &str = Text, "", &stream.name;
        }
        LOST {
            /// Datagrams that the network dropped.
            lost_packets: u64 = Integer, "packets", stream.lost_packets;
        }
        LATE {
            /// Datagrams that came too late to be played.
            late_packets: u64 = Integer, "packets",
                stream.frames.map_or(stream.received.late_packets, |frames| frames.late_packets);
        }
        PLAYED {
            /// Mean time from sending to playing: a first one's delay and the buffer; null: nothing
            /// is played.
            playout_delay: Option<Duration> = Real, "s", stream.play_after;
        }
        JITTER {
            /// Interarrival jitter at the end (RFC 3550 section 6.4.1).
            jitter: Duration = Real, "s", stream.jitter;
            /// Largest interarrival jitter at any time.
            jitter_max: Duration = Real, "s", stream.received.jitter_max;
        }
    }
}
spread!(impl StreamOutput as stream; DELAY, "delay", "one-way delay", stream.received.delay);

fn received(stream: &StreamOutput) -> &StreamStats {
    &stream.received
}

/// A row per UDP stream.
pub static STREAMS: &Rows<StreamOutput> = &[
    &StreamOutput::STREAM,
    &Within(|stream: &StreamOutput| &stream.sent, StreamSent::SENT),
    &Within(received, StreamStats::RECEIVED),
    &StreamOutput::LOST,
    &Within(received, StreamStats::DISORDER),
    &StreamOutput::LATE,
    &Within(received, StreamStats::UNPLAYED),
    &StreamOutput::PLAYED,
    &StreamOutput::DELAY,
    &StreamOutput::JITTER,
    &OptionalPart(|stream: &StreamOutput| stream.frames.as_ref(), FrameStats::FRAMES),
];

columns! {
    impl SessionOutput as session {
        SESSION {
            /// The session's name.
            name: &str = Text, "", &session.name;
        }
    }
}

/// A row per session.
pub static SESSIONS: &Rows<SessionOutput> = &[&SessionOutput::SESSION, &SessionOutput::COUNTED];

impl StreamOutput {
    /// A stream as far as it is a flow: it has no ACKs, no window and no round trip.
    #[must_use]
    pub fn as_flow(&self) -> FlowOutput {
        FlowOutput {
            lost_packets: self.lost_packets,
            marked_packets: 0,
            name: self.name.clone(),
            part_of: None,
            cc: "udp".to_owned(),
            start: self.start,
            finished: None,
            is_endless: true,
            active: self.active,
            base_rtt: self.base_delay + self.base_delay,
            sender: SenderStats {
                sent_packets: self.sent.sent_packets,
                sent_bytes: self.sent.sent_bytes,
                sent_payload_bytes: self.sent.payload_bytes,
                ..SenderStats::default()
            },
            receiver: ReceiverStats {
                goodput_bytes: self.received.payload_bytes,
                received_bytes: self.received.received_bytes,
                acks: 0,
            },
            lost_by_cause: None,
            rtt: DurationHistogram::new(),
        }
    }
}
