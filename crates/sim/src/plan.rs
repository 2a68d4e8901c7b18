//! What a run needs to know, with nothing left to resolve: quantities are numbers in base units, routes are lists of
//! links, distributions are drawn. A scenario becomes a plan in Python; the JSON form of these types is the border.

use ackclock_cc::Setup;
use ackclock_units::Duration;
use serde::{Deserialize, Serialize};

use crate::app::OnOffPlan;
use crate::app::session::SessionPlan;
use crate::distribution::Distribution;
use crate::net::impairment::ImpairmentPlan;
use crate::net::policer::PolicerPlan;
use crate::net::transmitter::ServicePlan;
use crate::qdisc::{CobaltPlan, CodelPlan, DrrPlan, Dualpi2Plan, FqCodelPlan, FqPiePlan, PiePlan, PrioPlan, TbfPlan};
use crate::transport::rtt::TimestampClock;
use crate::udp::StreamPlan;

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Seed of every named random stream.
    pub seed: u64,
    /// Flows and sessions of one start time start in an order that the seed draws; otherwise in that of the plan.
    #[serde(default)]
    pub draws_start_order: bool,
    /// The run ends here, or when every flow has finished, ps.
    pub duration_ps: u64,
    /// Metrics count from here, ps.
    #[serde(default)]
    pub warmup_ps: u64,
    /// Every link, one entry per direction.
    pub links: Vec<LinkPlan>,
    /// Every flow.
    pub flows: Vec<FlowPlan>,
    /// Every UDP stream; among flows and streams it is numbered after the flows.
    #[serde(default)]
    pub streams: Vec<StreamPlan>,
    /// What runs the flows whose application is `session`.
    #[serde(default)]
    pub sessions: Vec<SessionPlan>,
    /// What is written down while running.
    #[serde(default)]
    pub record: RecordPlan,
}

/// One direction of a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkPlan {
    /// Unique name; random streams are keyed by it.
    pub name: String,
    /// Line rate, bit/s; absent: infinitely fast, and then nothing ever queues.
    pub rate_bps: Option<u64>,
    /// Propagation delay, ps.
    pub delay_ps: u64,
    /// What stands before the queue.
    #[serde(default)]
    pub policer: Option<PolicerPlan>,
    /// Queue discipline.
    pub qdisc: QdiscPlan,
    /// Loss on the wire, after the queue.
    #[serde(default)]
    pub loss: Option<LossPlan>,
    /// A rate that varies; `rate_bps` is then what others may take for it.
    #[serde(default)]
    pub service: Option<ServicePlan>,
    /// What the wire does besides, in this order.
    #[serde(default)]
    pub impairments: Vec<ImpairmentPlan>,
}

impl Default for QdiscPlan {
    fn default() -> Self {
        Self::Fifo(LimitPlan::default())
    }
}

/// A queue discipline with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum QdiscPlan {
    /// First in, first out, tail drop.
    Fifo(LimitPlan),
    /// Random early detection.
    Red(RedPlan),
    /// Step marking.
    Step(StepPlan),
    /// Token bucket filter.
    Tbf(TbfPlan),
    /// Deficit round robin.
    Drr(DrrPlan),
    /// Proportional integral controller enhanced.
    Pie(PiePlan),
    /// Controlled delay.
    Codel(CodelPlan),
    /// Flow queueing with controlled delay.
    #[serde(rename = "fq_codel")]
    FqCodel(FqCodelPlan),
    /// Coupled dual queue.
    Dualpi2(Dualpi2Plan),
    /// Strict priority.
    Prio(PrioPlan),
    /// Controlled delay with BLUE.
    Cobalt(CobaltPlan),
    /// Flow queueing with PIE.
    #[serde(rename = "fq_pie")]
    FqPie(FqPiePlan),
}

/// The most that may wait. The packet being transmitted does not count. Absent: no limit of that kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitPlan {
    /// In packets.
    #[serde(default)]
    pub limit_packets: Option<u64>,
    /// In bytes.
    #[serde(default)]
    pub limit_bytes: Option<u64>,
}

/// RED's parameters, in the names of Floyd & Jacobson and ns-2. Thresholds are bytes if `byte_mode`, else packets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own, as users name it")]
pub struct RedPlan {
    /// Hard limit, as for fifo.
    pub limit: LimitPlan,
    /// Lower threshold of the average queue.
    pub min_threshold: f64,
    /// Upper threshold.
    pub max_threshold: f64,
    /// Drop probability at the upper threshold.
    pub max_p: f64,
    /// Weight of a new sample in the average.
    pub weight: f64,
    /// Between `max_threshold` and twice that, rise from `max_p` to 1 rather than drop all.
    pub gentle: bool,
    /// Space drops out: use ns-2's `wait_` (no two drops closer than 1/p packets).
    pub wait: bool,
    /// Adaptive RED (Floyd, Gummadi & Shenker 2001): `max_p` follows the average.
    pub adaptive: bool,
    /// Count bytes rather than packets, and scale the probability by packet size.
    pub byte_mode: bool,
    /// Mean packet size, bytes: for idle decay and byte mode.
    pub mean_packet_bytes: u32,
    /// Mark ECN-capable packets rather than drop them, below the upper (gentle: twice the upper) threshold.
    pub ecn: bool,
}

/// Step marking's parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepPlan {
    /// Hard limit, as for fifo.
    pub limit: LimitPlan,
    /// Whoever would not fit if this were the limit is marked.
    pub threshold: LimitPlan,
}

/// Loss on the wire. Packets are counted per link, from 1, data packets only unless `acks`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum LossPlan {
    /// Each packet is lost with probability `p`, independently.
    Bernoulli {
        /// Probability.
        p: f64,
        /// Whether pure ACKs are lost too.
        #[serde(default)]
        acks: bool,
    },
    /// Gilbert 1960 and Elliott 1963: a good and a bad state, each with its own probability of loss.
    GilbertElliott {
        /// Probability, after each packet, to leave the good state, in which it begins.
        p: f64,
        /// Probability, after each packet, to leave the bad state.
        r: f64,
        /// Probability of loss in the bad state (1 - h).
        loss_bad: f64,
        /// Probability of loss in the good state (1 - k).
        loss_good: f64,
        /// Whether pure ACKs count and are lost too.
        #[serde(default)]
        acks: bool,
    },
    /// Every `every`-th packet is lost.
    Periodic {
        /// The period, packets.
        every: u64,
        /// Packets before the first period begins.
        #[serde(default)]
        offset: u64,
        /// Whether pure ACKs count and are lost too.
        #[serde(default)]
        acks: bool,
    },
    /// These packets are lost.
    List {
        /// Ordinal numbers, ascending.
        packets: Vec<u64>,
        /// Whether pure ACKs count and are lost too.
        #[serde(default)]
        acks: bool,
    },
}

/// One flow: a sender, a receiver, and what runs between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlowPlan {
    /// Unique name; random streams are keyed by it.
    pub name: String,
    /// Congestion control, as the registry reads it: `reno`, `cos+reno`, `hystart+cubic`, `cubic(beta=0.8)`.
    pub cc: String,
    /// The SYN is sent here, ps.
    pub start_ps: u64,
    /// The application stops writing here, ps.
    #[serde(default)]
    pub stop_ps: Option<u64>,
    /// What it sends.
    pub app: AppPlan,
    /// The transfer that it carries together with others; absent: alone.
    #[serde(default)]
    pub part_of: Option<PartPlan>,
    /// Links from sender to receiver, in order; indices into `Plan::links`.
    pub path: Vec<u32>,
    /// Links from receiver to sender.
    pub reverse_path: Vec<u32>,
    /// Class of its packets, both ways (Linux's `SO_PRIORITY`, 0 to 15).
    #[serde(default)]
    pub priority: u8,
    /// The transport's options.
    pub transport: TransportPlan,
}

/// One of the connections that carry one transfer: they have its application in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartPlan {
    /// The transfer's name, unique among flows and transfers.
    pub name: String,
    /// What a connection takes at a time from the application, bytes.
    pub chunk_bytes: u64,
    /// Whether it carries the transfer's requests, the other way, and is not counted with the rest.
    #[serde(default)]
    pub is_request: bool,
}

/// An application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum AppPlan {
    /// Writes at a steady rate.
    ApplicationLimited {
        /// The rate, bit/s.
        rate_bps: u64,
        /// Time from write to write, ps.
        every_ps: u64,
    },
    /// Always data to send.
    Bulk {},
    /// One file; then the connection is closed.
    File {
        /// Size, bytes.
        size_bytes: u64,
    },
    /// Bursts and silence in turn.
    OnOff(OnOffPlan),
    /// What the session writes that runs this flow; it starts when that opens it.
    Session {},
    /// Writes at given times (ps after the flow's start, bytes), ascending; then the connection is closed.
    Writes {
        /// The writes.
        writes: Vec<(u64, u64)>,
    },
}

impl AppPlan {
    /// Whether it has no end of its own, so that no completion is waited for.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        !matches!(self, Self::File { .. } | Self::Writes { .. })
    }
}

/// Options of the transport; the profiles `linux` and `classic` are two settings of all of them, made in Python.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own, as users name it")]
pub struct TransportPlan {
    /// Payload of a full segment, bytes.
    pub mss: u32,
    /// Bytes that every packet occupies on a link besides its payload (IP, TCP, timestamps; not SACK blocks, which are added).
    pub header_bytes: u32,
    /// Initial window, bytes.
    pub initial_window_bytes: u64,
    /// Initial ssthresh, bytes; absent: unlimited.
    pub initial_ssthresh_bytes: Option<u64>,
    /// Most that the sender keeps in flight whatever cwnd says (a clamp, reported when it limits); absent: none.
    pub max_cwnd_bytes: Option<u64>,
    /// Receiver's buffer, bytes: the most that it advertises.
    pub receive_buffer_bytes: u64,
    /// What it advertises before it has learned how much arrives in a round trip; from the buffer's size on nothing is learned.
    pub initial_receive_window_bytes: u64,
    /// Rate at which the receiving application reads, bit/s; absent: at once.
    pub read_rate_bps: Option<u64>,
    /// Segments per delayed ACK (RFC 1122: 2); 1: an ACK per packet.
    pub delayed_ack_count: u32,
    /// The longest that an ACK is delayed, ps (Linux: 40 ms).
    pub delayed_ack_timeout_ps: u64,
    /// What an ACK counts for when the window grows by what was acknowledged.
    pub ack_counting: AckCounting,
    /// What a segment counts for in cwnd, inflight, and what is delivered, `SACKed` or lost.
    pub window_counting: WindowCounting,
    /// Whether that adapts to how the data comes (Linux's `ato`).
    pub delayed_ack_adapts: bool,
    /// Segments acknowledged at once at the start (Linux's quick ACKs), and again after one that had arrived before.
    pub quick_acks: u32,
    /// Whether a segment with PSH, or one that is not full, is acknowledged as soon as the application has read it.
    pub ack_pushed: bool,
    /// How long duplicate ACKs after the third are held back, at most a 20th of the RTT, ps (Linux's SACK compression); 0: not at all.
    pub sack_delay_ps: u64,
    /// Timestamps option (RFC 7323).
    pub timestamps: bool,
    /// Step of its clock, ps (Linux: 1 ms, or 1 us by route).
    pub timestamp_clock_ps: u64,
    /// How losses are found.
    pub loss_detection: LossDetection,
    /// What follows three duplicate ACKs under `LossDetection::Dupack`.
    pub dupack_recovery: DupackRecovery,
    /// How the sender approaches the new window in recovery.
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
    /// Whether the minimum bounds the RTO's variance term, so that it is at least srtt + minimum (Linux), and not the RTO (RFC 6298).
    #[serde(default)]
    pub min_rto_bounds_variance: bool,
    /// Largest RTO, ps.
    pub max_rto_ps: u64,
    /// RTO before the first sample, ps (RFC 6298: 1 s).
    pub initial_rto_ps: u64,
    /// How many timeouts of a SYN do not double its RTO (Linux: 4; RFC 6298: 0).
    #[serde(default)]
    pub syn_linear_timeouts: u8,
    /// Which segments are timed for the RTO.
    #[serde(default)]
    pub rtt_timing: RttTiming,
    /// Step of the clock that times them under `RttTiming::OnePerRtt`, ps; 0: exact.
    #[serde(default)]
    pub rtt_clock_ps: u64,
    /// What duplicate ACKs and repeated timeouts do under `LossDetection::Dupack`.
    #[serde(default)]
    pub loss_rules: LossRules,
    /// Restart from a small window after an idle period (RFC 5681 section 4.1).
    pub idle_restart: bool,
    /// Explicit congestion notification.
    pub ecn: EcnMode,
    /// Where pacing comes from.
    pub pacing: PacingMode,
    /// A burst that is not full waits for an ACK that is near (Linux's `tcp_tso_should_defer`).
    #[serde(default)]
    pub tso_defer: bool,
    /// Time that its hosts take over each packet that arrives, s; absent: none.
    #[serde(default)]
    pub host_time: Option<Distribution>,
    /// How far its hosts' clocks, of timers and of timestamps, are past a tick when the run begins, ps.
    #[serde(default)]
    pub clock_phase_ps: u64,
}

impl TransportPlan {
    /// What its sender tells a congestion control.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            mss: u64::from(self.mss),
            initial_window: self.initial_window_bytes,
            initial_ssthresh: self.initial_ssthresh_bytes,
            has_sack: self.loss_detection != LossDetection::Dupack,
            clock_phase: Duration::from_ps(self.clock_phase_ps),
        }
    }

    /// The clock of its timestamps.
    #[must_use]
    pub fn timestamp_clock(&self) -> TimestampClock {
        TimestampClock {
            tick: Duration::from_ps(self.timestamp_clock_ps.max(1)),
            phase: Duration::from_ps(self.clock_phase_ps),
        }
    }
}

impl EcnMode {
    /// Whether every ACK says how much was marked.
    #[must_use]
    pub fn is_accurate(self) -> bool {
        matches!(self, Self::Accurate | Self::L4s)
    }
}

/// What an ACK counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AckCounting {
    /// The bytes it acknowledges (RFC 3465, without its limit; Linux).
    Bytes,
    /// At most one segment (RFC 5681 section 3.1, equation 2; ns-2): a delayed ACK grows the window half as much.
    Packets,
}

/// What a segment counts for in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WindowCounting {
    /// The payload of the segment (RFC 5681, RFC 6675).
    Bytes,
    /// One full segment, whatever it carries (Linux, ns-2).
    Packets,
}

/// Which segments are timed for the retransmission timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RttTiming {
    /// Every segment that was sent once, or whose ACK carries a timestamp.
    #[default]
    EveryAck,
    /// One segment at a time (RFC 6298 section 3: "at least once per RTT"; ns-2 without timestamps).
    OnePerRtt,
}

/// Rules of a sender without SACK on which ns-2 and the RFCs differ; `docs/transport/README.md` lists them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossRules {
    /// The RFCs and Linux.
    #[default]
    Rfc,
    /// ns-2's `singledup_`, `bugFix_`, and its reaction to repeated timeouts.
    #[serde(rename = "ns-2")]
    Ns2,
}

/// How losses are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DupackRecovery {
    /// Retransmit and slow-start from one segment.
    Tahoe,
    /// Fast recovery until the first new ACK (RFC 2001).
    Reno,
    /// Fast recovery until everything sent before it is acknowledged (RFC 6582).
    Newreno,
}

/// How the sender approaches the new window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WindowApproach {
    /// ssthresh plus three segments, inflated by each duplicate ACK (RFC 5681 section 3.2); with SACK, pipe against ssthresh (RFC 6675).
    Inflation,
    /// Proportional rate reduction (RFC 9937): in proportion to `RecoverFS`, what is in flight when recovery begins.
    Prr,
    /// Proportional rate reduction as Linux has it: in proportion to cwnd before the reduction.
    PrrLinux,
}

/// Explicit congestion notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EcnMode {
    /// Not negotiated.
    Off,
    /// RFC 3168: ECE until CWR, once per window.
    Classic,
    /// Every ACK carries the count of marked bytes (as RFC 9768 does), so that `newly_marked` is exact.
    Accurate,
    /// The same, sent as ECT(1): the identifier of scalable congestion controls (RFC 9331).
    L4s,
}

/// Where pacing comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PacingMode {
    /// Never.
    Off,
    /// cwnd / srtt times 2 in slow start and 1.2 after, as Linux with fq.
    Cwnd,
    /// The algorithm's own rate if it sets one, else none.
    Cc,
}

/// What is written down while running; counters for the summary always are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordPlan {
    /// Time series of flows and links.
    #[serde(default)]
    pub samples: SamplePlan,
    /// Flows whose series are kept, by index; absent: all.
    #[serde(default)]
    pub flows: Option<Vec<u32>>,
    /// Links whose series are kept, by index; absent: all that have a rate.
    #[serde(default)]
    pub links: Option<Vec<u32>>,
    /// Every datagram of every stream.
    #[serde(default)]
    pub datagrams: bool,
    /// Links whose every packet event is kept.
    #[serde(default)]
    pub packet_links: Vec<u32>,
    /// Flows whose every packet, as their sender's host sees it, is kept.
    #[serde(default)]
    pub packet_senders: Vec<u32>,
    /// The same at the receiver's host.
    #[serde(default)]
    pub packet_receivers: Vec<u32>,
    /// Most memory of each table, bytes: one that is full takes no further rows, and the run goes on.
    #[serde(default = "RecordPlan::default_max_bytes", skip_serializing_if = "RecordPlan::is_default_max")]
    pub max_bytes: u64,
}

impl Default for RecordPlan {
    fn default() -> Self {
        Self {
            samples: SamplePlan::default(),
            flows: None,
            links: None,
            datagrams: false,
            packet_links: Vec::new(),
            packet_senders: Vec::new(),
            packet_receivers: Vec::new(),
            max_bytes: Self::MAX_BYTES,
        }
    }
}

impl RecordPlan {
    /// Most memory of each table where the plan says nothing else, bytes.
    pub const MAX_BYTES: u64 = 2_000_000_000;

    const fn default_max_bytes() -> u64 {
        Self::MAX_BYTES
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    const fn is_default_max(bytes: &u64) -> bool {
        *bytes == Self::MAX_BYTES
    }
}

/// When time series take a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SamplePlan {
    /// Never.
    #[default]
    Off,
    /// Every so often.
    Period {
        /// The period, ps.
        period_ps: u64,
    },
    /// Whenever something changed: flows after each ACK or timeout, links after each arrival and departure.
    Changes {},
}
