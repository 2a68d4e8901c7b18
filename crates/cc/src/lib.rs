//! Congestion controls. The crate depends on units and a random stream only, so that another
//! transport, for example a QUIC stack, could use it as it is.
//!
//! The *sender* owns sequence numbers, loss detection, the RTT estimator, packet-timed rounds,
//! delivery-rate samples, one reaction to congestion per window, how cwnd is approached in
//! recovery, pacing and inflight. An *algorithm* owns three numbers, its [`Decision`]. The sender
//! tells it what happened: one [`AckEvent`] per ACK and one [`CongestionEvent`] per episode of
//! congestion, each after all bookkeeping of that ACK.
//!
//! Most algorithms are an avoidance with a slow start before it, composed by [`windowed`]. An
//! algorithm that models the path instead is a whole controller and implements
//! [`CongestionControl`] itself. A method of that trait with a default is optional; [`windowed`]
//! overrides some of them too.
//!
//! Where to look: `avoidance/`, `slow_start/` and `pairs/` (an avoidance and a slow start made for
//! each other) have a file for each windowed algorithm; `controllers/` has the whole controllers.
//! `window/` and `measure/` have what several algorithms share. `registry/` makes a controller from
//! its name.

#![warn(missing_debug_implementations)]

pub use ackclock_units::{Duration, Rate, Time};
pub use rand_xoshiro::Xoshiro256PlusPlus as Rng;

pub mod avoidance;
mod cast;
mod clone_box;
mod controllers;
pub mod entry;
pub mod interval;
mod measure;
mod pairs;
pub mod registry;
pub mod role;
pub mod rule;
pub mod slow_start;
pub mod window;
pub mod windowed;

pub use interval::{Interval, IntervalStart};
pub use rule::{Call, Rule, Ruled};

/// Facts of a connection that a controller learns once, before the first byte.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Payload of a full segment, bytes.
    pub mss: u64,
    /// Initial window, bytes.
    pub initial_window: u64,
    /// Initial slow-start threshold, bytes. `None`: unknown, and slow start goes on until
    /// congestion.
    pub initial_ssthresh: Option<u64>,
    /// Whether selective ACKs report more than one loss per round trip.
    pub has_sack: bool,
    /// Time since the last tick of the host's timer clock (Linux's jiffies) when the run begins.
    pub clock_phase: Duration,
    /// Whether the window counts packets, as Linux's does. An algorithm that Linux has computes as
    /// the kernel then, unless its spec says otherwise.
    pub counts_packets: bool,
}

/// State of a sender's congestion control: the kernel's `ca_state`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum CaState {
    /// Nothing is wrong.
    #[default]
    Open = 0,
    /// Something arrived out of order, which need not be a loss.
    Disorder = 1,
    /// The window is being reduced without a loss.
    Cwr = 2,
    /// Fast recovery.
    Recovery = 3,
    /// After a timeout.
    Loss = 4,
}

impl CaState {
    /// Linux's names of the states, by code.
    pub const NAMES: [&str; 5] = ["open", "disorder", "cwr", "recovery", "loss"];
}

/// One ACK that delivered, lost or marked something.
#[derive(Clone, Copy, Debug)]
pub struct AckEvent {
    /// The current instant.
    pub now: Time,
    /// Bytes delivered by this ACK: cumulatively or selectively acknowledged for the first time.
    pub newly_acked: u64,
    /// Part of `newly_acked` by which the window may grow: all of it (RFC 3465), or one segment per
    /// ACK (RFC 5681), as the connection is configured.
    pub credited: u64,
    /// Bytes that the sender declared lost on this ACK.
    pub newly_lost: u64,
    /// Bytes that this ACK reports as CE-marked.
    pub newly_marked: u64,
    /// RTT that this ACK measured, not smoothed. If only retransmitted segments were acknowledged,
    /// their timestamp gives the sample; without timestamps there is none (Karn's rule).
    pub rtt_sample: Option<Duration>,
    /// Smoothed RTT of RFC 6298.
    pub srtt: Duration,
    /// RTT variation of RFC 6298.
    pub rttvar: Duration,
    /// Smallest RTT sample of the connection.
    pub min_rtt: Duration,
    /// Time from the sending of the segment to the sending of its ACK, by the ACK's timestamps and
    /// in steps of their clock. `None` without timestamps or new data. On a real path the two
    /// clocks differ by a constant, so only differences between samples mean something.
    pub one_way_delay: Option<Duration>,
    /// Bytes in flight after this ACK: sent, and neither acknowledged nor declared lost.
    pub inflight: u64,
    /// Bytes in flight before this ACK.
    pub prior_inflight: u64,
    /// Bytes delivered since the connection began.
    pub delivered: u64,
    /// Delivery-rate sample, if this ACK gave one.
    pub rate: Option<RateSample>,
    /// Packet-timed round trip that this ACK falls in.
    pub round: Round,
    /// Time from now for which the pacer holds back the next segment; zero if it does not.
    pub pacing_wait: Duration,
    /// Whether the window limited what was sent, rather than the application or the receiver. RFC
    /// 7661 lets the window grow only then.
    pub is_cwnd_limited: bool,
    /// Whether a windowed algorithm must not grow: while the window is being reduced after a mark,
    /// in fast recovery, and at an ACK that does not advance SND.UNA. Such an ACK may grow the
    /// window if it `SACKs` new data and the network reorders by more than three segments. False
    /// after a timeout, because slow start repairs those losses.
    pub in_recovery: bool,
    /// State of the sender after it has judged this ACK.
    pub state: CaState,
}

/// Delivery-rate sample (draft-ietf-ccwg-bbr, section "Delivery Rate Samples").
#[derive(Clone, Copy, Debug)]
pub struct RateSample {
    /// `delivered` over `interval`.
    pub delivery_rate: Rate,
    /// Time over which `delivered` was delivered: the longer of the send interval and the ACK
    /// interval.
    pub interval: Duration,
    /// Bytes delivered in the interval.
    pub delivered: u64,
    /// Bytes that the connection had delivered when the newest acknowledged segment was sent.
    pub prior_delivered: u64,
    /// Bytes lost in the interval.
    pub lost: u64,
    /// Bytes in flight just after the newest acknowledged segment was sent.
    pub tx_in_flight: u64,
    /// Whether the application, and not the network, limited the sample.
    pub is_app_limited: bool,
}

/// Packet-timed round trip. It ends when a segment that was sent after its start is delivered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Round {
    /// Rounds since the connection began.
    pub count: u64,
    /// Whether this ACK began the round.
    pub start: bool,
    /// Bytes that this round will deliver: those in flight when it began, with the ACK that began
    /// it.
    pub expected: u64,
    /// Bytes of `expected` delivered so far, with this ACK.
    pub acked: u64,
    /// Summary of the round that ended last.
    pub last: RoundSummary,
}

/// Summary of a finished round.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoundSummary {
    /// Smallest RTT sample; `None` without samples.
    pub min_rtt: Option<Duration>,
    /// Number of RTT samples.
    pub samples: u32,
    /// Bytes delivered.
    pub acked: u64,
    /// Bytes declared lost.
    pub lost: u64,
    /// Bytes CE-marked.
    pub marked: u64,
}

/// Reason why an episode of congestion begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Losses found by duplicate ACKs, SACK or RACK.
    Loss,
    /// A CE mark that the receiver echoed.
    Ecn,
    /// A retransmission timeout.
    Rto,
}

/// Beginning of an episode of congestion: the first sign in a window of data.
#[derive(Clone, Copy, Debug)]
pub struct CongestionEvent {
    /// Kind of sign.
    pub signal: Signal,
    /// The current instant.
    pub now: Time,
    /// Bytes in flight with those just declared lost (RFC 5681's `FlightSize`).
    pub inflight: u64,
    /// Bytes declared lost when the episode began.
    pub newly_lost: u64,
    /// Smoothed RTT.
    pub srtt: Duration,
    /// Smallest RTT sample of the connection.
    pub min_rtt: Duration,
    /// Bytes delivered since the connection began.
    pub delivered: u64,
}

/// RTT sample, handed over before the sender judges what else its ACK means.
#[derive(Clone, Copy, Debug)]
pub struct RttSample {
    /// The current instant.
    pub now: Time,
    /// The RTT.
    pub rtt: Duration,
    /// Smoothed RTT with this sample in it.
    pub srtt: Duration,
    /// Window in force, bytes. In recovery it is the one that the sender has come to on its way
    /// down.
    pub cwnd: u64,
    /// Sequence number of the first byte that is not acknowledged.
    pub una: u64,
    /// Sequence number of the first byte that was not sent.
    pub next: u64,
    /// `next` when the latest episode of congestion began; 0 before any.
    pub recovery_point: u64,
    /// Bytes by which this ACK has moved `una`.
    pub acked: u64,
    /// Bytes delivered since the connection began, with this ACK's.
    pub delivered: u64,
    /// Bytes delivered by this ACK.
    pub newly_delivered: u64,
    /// Bytes that this ACK reports as CE-marked.
    pub newly_marked: u64,
    /// State of the sender before it judges this ACK.
    pub state: CaState,
    /// The ACK's timestamps (RFC 7323), if the connection has them.
    pub timestamps: Option<Timestamps>,
}

/// Timestamps of an ACK, in steps of their clocks, which wrap.
#[derive(Clone, Copy, Debug)]
pub struct Timestamps {
    /// The receiver's clock when it sent the ACK (`TSval`).
    pub remote: u32,
    /// The sender's clock when it sent what is acknowledged (`TSecr`).
    pub echo: u32,
    /// The sender's clock now.
    pub now: u32,
}

/// A segment that was just declared lost.
#[derive(Clone, Copy, Debug)]
pub struct LostSegment {
    /// The current instant.
    pub now: Time,
    /// Sequence number of the segment's first byte.
    pub seq: u64,
    /// Length of the segment, bytes.
    pub bytes: u64,
    /// Bytes delivered since the connection began.
    pub delivered: u64,
    /// Instant at which the segment was last sent.
    pub sent_at: Time,
    /// Bytes in flight just after the segment was sent.
    pub tx_in_flight: u64,
    /// Bytes declared lost since the segment was sent, with it.
    pub lost: u64,
    /// Whether the application limited the sender when the segment was sent.
    pub is_app_limited: bool,
}

/// Everything that an algorithm decides. The sender reads it after each event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Congestion window, bytes; at least one segment.
    pub cwnd: u64,
    /// Slow-start threshold, bytes; `None`: not found yet.
    pub ssthresh: Option<u64>,
    /// Pacing rate of the payload. `None`: ACKs clock the sending.
    pub pacing_rate: Option<Rate>,
}

/// Largest pacing rate, faster than any link. An algorithm that divides by an RTT near zero answers
/// it.
pub const MAX_PACING_RATE: Rate = Rate::from_bps(1 << 50);

/// A congestion control.
pub trait CongestionControl: CloneControl + Send {
    /// An ACK delivered, lost or marked something.
    fn on_ack(&mut self, ack: &AckEvent, rng: &mut Rng);
    /// [`Self::on_ack`] and the decision after it, in one call.
    fn answer(&mut self, ack: &AckEvent, rng: &mut Rng) -> Decision {
        self.on_ack(ack, rng);
        self.decision()
    }
    /// Whether the controller wants RTT samples by themselves ([`Self::on_rtt`]). The sender asks
    /// once.
    fn takes_rtts(&self) -> bool {
        false
    }
    /// An ACK brought an RTT sample. The calls for the rest of the ACK follow. Returns true if the
    /// decision has changed.
    fn on_rtt(&mut self, _sample: &RttSample) -> bool {
        false
    }
    /// An episode of congestion begins. After `Loss` and `Ecn` the sender approaches the decision's
    /// cwnd, by PRR or inflation, and has it when recovery ends.
    fn on_congestion(&mut self, event: &CongestionEvent, rng: &mut Rng);
    /// A retransmission timeout restarts the window from `window` bytes: what is still in flight
    /// and one segment more (Linux's `tcp_enter_loss`). It follows `on_congestion` or
    /// `on_repeated_timeout` at each timeout. By default a controller keeps what these have
    /// decided.
    fn on_loss_window(&mut self, _window: u64, _now: Time) {}
    /// The handshake measured `rtt`. If the SYN was sent again, this takes timestamps (RFC 7323
    /// section 4.1).
    fn on_handshake(&mut self, _rtt: Duration) {}
    /// Fast recovery begins in a window that was already reduced for a mark. `on_congestion` is not
    /// called again.
    fn on_recovery_in_reduced_window(&mut self, _now: Time) {}
    /// All losses of an episode are repaired.
    fn on_recovery_exit(&mut self, _now: Time) {}
    /// A timeout in a window for which a signal has already reduced cwnd: cwnd becomes one segment,
    /// and ssthresh is not cut again (RFC 5681 section 3.1; Linux's `tcp_enter_loss` in recovery).
    /// An undo puts back the state before the first signal.
    fn on_repeated_timeout(&mut self, event: &CongestionEvent, rng: &mut Rng) {
        self.on_congestion(event, rng);
    }
    /// The window falls to `restart_window` bytes, because the connection was idle for longer than
    /// the RTO, or did not fill its window for that long. The defaults of `on_window_kept` and
    /// `on_lost_syn` call it too.
    fn on_idle_restart(&mut self, restart_window: u64, now: Time);
    /// An episode ends, and the window stays at the `window` bytes that the sender has come to on
    /// its way down.
    fn on_window_kept(&mut self, window: u64, now: Time) {
        self.on_idle_restart(window, now);
    }
    /// The SYN was lost, and the connection begins with `window` bytes, one segment. RFC 5681
    /// section 3.1: "if the SYN or SYN/ACK is lost, the initial window used by a sender after a
    /// correctly transmitted SYN MUST be one segment".
    fn on_lost_syn(&mut self, window: u64, now: Time) {
        self.on_idle_restart(window, now);
    }
    /// Whether the decision's cwnd holds in recovery and after idle periods too (Linux's
    /// `cong_control`). The sender then applies neither PRR nor a restart window. It asks once.
    fn owns_window(&self) -> bool {
        false
    }
    /// Whether the algorithm now sends less than the path could carry. The sender then counts
    /// delivery-rate samples as limited by the application (draft-ietf-ccwg-bbr's
    /// `MarkConnectionAppLimited`). It asks after each ACK if the algorithm owns its window.
    fn limits_itself(&self) -> bool {
        false
    }
    /// Whether the controller may ask for a reduction of its window
    /// ([`Self::takes_reduction`]). The sender asks once.
    fn reduces_itself(&self) -> bool {
        false
    }
    /// Whether the latest ACK has made the controller want a smaller window. The sender then begins
    /// an episode as for a mark: `on_congestion` with [`Signal::Ecn`] follows, and the window comes
    /// down over a round trip (Linux's `tcp_enter_cwr`).
    fn takes_reduction(&mut self) -> bool {
        false
    }
    /// A segment is about to be sent while nothing is in flight. Data was last sent `idle` ago;
    /// `is_app_limited` says whether the application had no more.
    fn on_transmit_start(&mut self, _now: Time, _idle: Duration, _is_app_limited: bool) {}
    /// A segment was declared lost. Called before the `on_congestion` and `on_ack` of the same ACK.
    fn on_lost(&mut self, _segment: &LostSegment) {}
    /// The last `Loss` or `Rto` was spurious. The algorithm takes back its consequences from a copy
    /// that it has kept since `on_congestion`. Marks are never spurious.
    fn on_spurious(&mut self, now: Time);
    /// A monitor interval begins with the segment about to be sent. Returns how long it lasts.
    /// `None` at the first call: the algorithm uses no intervals.
    fn begin_interval(&mut self, _start: &IntervalStart, _rng: &mut Rng) -> Option<Duration> {
        None
    }
    /// Everything sent in an interval is now delivered or lost. Intervals end in order.
    fn on_interval(&mut self, _interval: &Interval, _rng: &mut Rng) {}
    /// Current decision.
    fn decision(&self) -> Decision;
    /// Text of the rule by which the latest call was answered. It is asked only while decisions are
    /// recorded, right after the call. By default it names the type.
    fn rule(&self, _call: Call) -> String {
        Rule::of_type(core::any::type_name::<Self>())
    }
    /// Shows internal state by name, for the recorded series.
    fn internals(&self, show: &mut dyn FnMut(&'static str, f64));
}

clone_box::copies_in_box!(CongestionControl, CloneControl);

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
