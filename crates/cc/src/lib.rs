//! Congestion controls. This crate knows units and a random stream, nothing else: a QUIC stack could use it as it is.
//!
//! The *sender* owns sequence numbers, what is lost, the RTT estimator, packet-timed rounds, delivery-rate samples,
//! "react once per window" episodes, how cwnd is approached in recovery, pacing and inflight. An *algorithm* owns
//! three numbers, its [`Decision`]. It is told what happened by one [`AckEvent`] per ACK and one
//! [`CongestionEvent`] per episode, both given after all bookkeeping of that ACK. Most algorithms are an avoidance
//! that a slow start goes before ([`windowed`]); one that models the path instead is a whole controller
//! ([`CongestionControl`]), and only these need the events with empty defaults.

pub use ackclock_units::{Duration, Rate, Time};
pub use rand_xoshiro::Xoshiro256PlusPlus as Rng;

pub mod avoidance;
pub mod bbr;
pub mod bbr3;
pub mod copa;
pub mod entry;
pub mod foreign;
pub mod interval;
pub mod measure;
pub mod pcc;
pub mod registry;
pub mod slow_start;
pub mod window;
pub mod windowed;

pub use interval::{Interval, IntervalStart};

/// What the sender tells a controller once, before the first byte.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Payload of a full segment, bytes.
    pub mss: u64,
    /// Initial window, bytes.
    pub initial_window: u64,
    /// Initial slow-start threshold, bytes; `None`: not known, slow start goes on until congestion.
    pub initial_ssthresh: Option<u64>,
    /// Whether selective ACKs tell of more than one loss per round trip.
    pub has_sack: bool,
    /// How far the clock of the host's timers (Linux's jiffies) is past a tick when the run begins.
    pub clock_phase: Duration,
}

/// One ACK that delivered, lost or marked something.
#[derive(Clone, Copy, Debug)]
pub struct AckEvent {
    /// The current instant.
    pub now: Time,
    /// Bytes delivered by this ACK: cumulatively or selectively acknowledged for the first time.
    pub newly_acked: u64,
    /// Of these, the bytes that count towards growing the window by what was acknowledged: all of them (RFC 3465), or
    /// one segment per ACK (RFC 5681), as the connection is set.
    pub credited: u64,
    /// Bytes declared lost on this ACK.
    pub newly_lost: u64,
    /// Bytes that this ACK says were CE-marked.
    pub newly_marked: u64,
    /// RTT measured by this ACK, never from a retransmitted segment (Karn); raw, not smoothed.
    pub rtt_sample: Option<Duration>,
    /// Smoothed RTT of RFC 6298.
    pub srtt: Duration,
    /// RTT variation of RFC 6298.
    pub rttvar: Duration,
    /// Smallest RTT sample of the connection.
    pub min_rtt: Duration,
    /// Time from the segment's sending to its ACK's, by the timestamps that this ACK carries, in steps of their clock;
    /// `None` without timestamps or new data. On a real path the two clocks differ by a constant: only differences count.
    pub one_way_delay: Option<Duration>,
    /// Bytes sent, neither acknowledged nor lost, after this ACK.
    pub inflight: u64,
    /// The same before this ACK.
    pub prior_inflight: u64,
    /// Bytes delivered since the connection began.
    pub delivered: u64,
    /// Delivery-rate sample, where this ACK gave one.
    pub rate: Option<RateSample>,
    /// The packet-timed round trip that this ACK falls in.
    pub round: Round,
    /// How long the pacer holds the next segment back from now; zero: not at all.
    pub pacing_wait: Duration,
    /// Whether the window, and not the application or the receiver, limited what was sent (RFC 7661's condition to grow).
    pub is_cwnd_limited: bool,
    /// Whether the sender is repairing losses, or the ACK only reports something out of order; the composed algorithms do
    /// not grow then.
    pub in_recovery: bool,
}

/// A delivery-rate sample (draft-ietf-ccwg-bbr section "Delivery Rate Samples").
#[derive(Clone, Copy, Debug)]
pub struct RateSample {
    /// Bytes delivered over `interval`, as a rate.
    pub delivery_rate: Rate,
    /// The longer of the send and the ACK interval.
    pub interval: Duration,
    /// Bytes delivered in the interval.
    pub delivered: u64,
    /// `delivered` of the connection when the newest acknowledged segment was sent.
    pub prior_delivered: u64,
    /// Bytes lost in the interval.
    pub lost: u64,
    /// inflight when that segment was sent, with it.
    pub tx_in_flight: u64,
    /// Whether the application, not the network, limited the sample.
    pub is_app_limited: bool,
}

/// A packet-timed round trip: it ends when a segment sent after its start is delivered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Round {
    /// Rounds since the connection began.
    pub count: u64,
    /// Whether this ACK began the round.
    pub start: bool,
    /// Bytes of the flight that this round delivers: what was outstanding when it began, the ACK that began it included.
    pub expected: u64,
    /// Bytes of that flight delivered so far, this ACK included; the ACK that begins a round is the first of its flight.
    pub acked: u64,
    /// The round that ended last.
    pub last: RoundSummary,
}

/// What happened in a finished round.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundSummary {
    /// Smallest RTT sample; `None` without any.
    pub min_rtt: Option<Duration>,
    /// RTT samples.
    pub samples: u32,
    /// Bytes delivered.
    pub acked: u64,
    /// Bytes declared lost.
    pub lost: u64,
    /// Bytes CE-marked.
    pub marked: u64,
}

/// Why an episode of congestion began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Loss found by duplicate ACKs, SACK or RACK.
    Loss,
    /// Congestion experienced, echoed by the receiver.
    Ecn,
    /// Retransmission timeout.
    Rto,
}

/// The first sign of congestion in a window.
#[derive(Clone, Copy, Debug)]
pub struct CongestionEvent {
    /// Its kind.
    pub signal: Signal,
    /// The current instant.
    pub now: Time,
    /// Bytes in flight before the loss was taken out (RFC 5681's `FlightSize`).
    pub inflight: u64,
    /// Bytes declared lost with it.
    pub newly_lost: u64,
    /// Smoothed RTT.
    pub srtt: Duration,
    /// Smallest RTT sample of the connection.
    pub min_rtt: Duration,
    /// Bytes delivered since the connection began.
    pub delivered: u64,
}

/// An RTT sample, before what its ACK means is judged.
#[derive(Clone, Copy, Debug)]
pub struct RttSample {
    /// The current instant.
    pub now: Time,
    /// The sample.
    pub rtt: Duration,
    /// Smoothed RTT, with it.
    pub srtt: Duration,
    /// The window in force, bytes: in recovery the one that the sender has come to on its way down.
    pub cwnd: u64,
    /// The first byte that is not acknowledged.
    pub una: u64,
    /// The first byte that was not sent.
    pub next: u64,
    /// `next` when the latest episode began; before any, 0.
    pub recovery_point: u64,
}

/// A segment that was just declared lost.
#[derive(Clone, Copy, Debug)]
pub struct LostSegment {
    /// The current instant.
    pub now: Time,
    /// Its first byte in the stream.
    pub seq: u64,
    /// Its bytes.
    pub bytes: u64,
    /// Bytes delivered since the connection began.
    pub delivered: u64,
    /// When it was last sent.
    pub sent_at: Time,
    /// inflight when it was sent, with it.
    pub tx_in_flight: u64,
    /// Bytes declared lost since it was sent, with it.
    pub lost: u64,
    /// Whether the application limited the sender when it was sent.
    pub is_app_limited: bool,
}

/// All that an algorithm decides; read by the sender after each event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Congestion window, bytes; at least one segment.
    pub cwnd: u64,
    /// Slow-start threshold, bytes; `None`: not found yet.
    pub ssthresh: Option<u64>,
    /// Pacing rate of the payload; `None`: clocked by ACKs.
    pub pacing_rate: Option<Rate>,
}

/// Faster than any link; what an algorithm answers for an RTT near zero.
pub const MAX_PACING_RATE: Rate = Rate::from_bps(1 << 50);

/// A congestion control.
pub trait CongestionControl: Send {
    /// An ACK delivered, lost or marked something.
    fn on_ack(&mut self, ack: &AckEvent, rng: &mut Rng);
    /// Whether it is shown RTT samples by themselves ([`Self::on_rtt`]). Asked once.
    fn takes_rtts(&self) -> bool {
        false
    }
    /// An ACK brought an RTT sample; what else it brought follows in the calls for that. True where the decision is another.
    fn on_rtt(&mut self, _sample: &RttSample) -> bool {
        false
    }
    /// Congestion began: called once per episode. After `Loss` and `Ecn` the decision's cwnd is what the sender
    /// approaches (by PRR or inflation) and has when recovery ends.
    fn on_congestion(&mut self, event: &CongestionEvent, rng: &mut Rng);
    /// A retransmission timeout restarts the window from `window` bytes: what is still in flight and one
    /// segment more (Linux's `tcp_enter_loss`). Called at each timeout, after `on_congestion` or
    /// `on_repeated_timeout`. By default a controller keeps what these decided.
    fn on_loss_window(&mut self, _window: u64, _now: Time) {}
    /// The handshake measured this RTT. Not called where the SYN was sent again.
    fn on_handshake(&mut self, _rtt: Duration) {}
    /// Fast recovery begins in a window that was reduced for a mark already: `on_congestion` is not called again.
    fn on_recovery_in_reduced_window(&mut self, _now: Time) {}
    /// The losses of an episode are repaired.
    fn on_recovery_exit(&mut self, _now: Time) {}
    /// A timeout within the window that a signal has reduced cwnd for already: cwnd is one segment,
    /// and ssthresh is not cut again (RFC 5681 section 3.1; Linux's `tcp_enter_loss` in recovery). An
    /// undo puts back the state before the first signal.
    fn on_repeated_timeout(&mut self, event: &CongestionEvent, rng: &mut Rng) {
        self.on_congestion(event, rng);
    }
    /// The connection was idle for longer than the RTO: data may be sent with `restart_window`, bytes.
    fn on_idle_restart(&mut self, restart_window: u64, now: Time);
    /// A reduction that is not taken back ends where the sender has come to on its way down, at `window` bytes.
    fn on_window_kept(&mut self, window: u64, now: Time) {
        self.on_idle_restart(window, now);
    }
    /// The SYN was lost: the connection begins with `window`, one segment, bytes (RFC 5681 section 3.1).
    fn on_lost_syn(&mut self, window: u64, now: Time) {
        self.on_idle_restart(window, now);
    }
    /// Whether the decision's cwnd holds in recovery and after idleness too (Linux's `cong_control`): then there is no PRR
    /// and no restart window. Asked once.
    fn owns_window(&self) -> bool {
        false
    }
    /// Whether the algorithm now sends less than the path could take, so that delivery-rate samples of it count as limited by
    /// the application (draft-ietf-ccwg-bbr's `MarkConnectionAppLimited`). Asked after each ACK of those that own their window.
    fn limits_itself(&self) -> bool {
        false
    }
    /// A segment is about to be sent while nothing is in flight; data was last sent `idle` ago.
    /// `is_app_limited`: because the application had no more.
    fn on_transmit_start(&mut self, _now: Time, _idle: Duration, _is_app_limited: bool) {}
    /// A segment was declared lost; before the `on_congestion` and `on_ack` of the same ACK.
    fn on_lost(&mut self, _segment: &LostSegment) {}
    /// The last `Loss` or `Rto` was spurious: takes its consequences back. What there is to put back
    /// the algorithm has kept itself, since `on_congestion`. Marks are never spurious.
    fn on_spurious(&mut self, now: Time);
    /// A monitor interval begins with the segment about to be sent; answers how long it lasts. `None`, at the first
    /// question: no intervals are kept.
    fn begin_interval(&mut self, _start: &IntervalStart, _rng: &mut Rng) -> Option<Duration> {
        None
    }
    /// All that was sent in an interval is delivered or lost; intervals end in order.
    fn on_interval(&mut self, _interval: &Interval, _rng: &mut Rng) {}
    /// Current decision.
    fn decision(&self) -> Decision;
    /// Shows internal state by name, for the record.
    fn internals(&self, show: &mut dyn FnMut(&'static str, f64));
    /// A copy.
    fn clone_box(&self) -> Box<dyn CongestionControl>;
}

impl Clone for Box<dyn CongestionControl> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}
