//! The sending side of a connection: its state and what it sends. How it takes in ACKs is in `ack`, what its timers
//! do in `timer`, how much it hands over at once in `burst`.

mod ack;
mod burst;
mod info;
mod timer;

use std::sync::Arc;

use ackclock_cc::{CongestionControl, Decision};
use ackclock_units::{Duration, Rate, Time};

use self::burst::HostSegments;
use self::timer::{JIFFY, Timer};
use super::account::{Account, Phase, Reason};
use super::loss_detection::Detector;
use super::monitor::Monitor;
use super::pacer::Pacer;
use super::rate_sample::DeliveryRate;
use super::recovery::{CaState, Prr, Undo};
use super::round::Rounds;
use super::rtt::{RtoBounds, RttEstimator, TimestampClock};
use super::scoreboard::{Scoreboard, Segment};
use crate::app::{App, Written};
use crate::histogram::DurationHistogram;
use crate::net::Wire;
use crate::packet::{Ecn, MAX_SACK_BLOCKS, Packet, SackBlock, flags};
use crate::plan::{
    AckCounting, AppPlan, DupackRecovery, EcnMode, FlowPlan, LossDetection, LossRules, PacingMode, RttTiming, TransportPlan, WindowApproach,
};
use crate::rng::{self, Rng};

pub use info::TcpInfo;

/// Where the connection is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Waits for its start.
    Closed,
    /// The SYN is out.
    SynSent,
    /// Data may flow.
    Established,
    /// Everything, the FIN included, is acknowledged.
    Done,
}

/// Why a sender does not send more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Congestion window.
    Cwnd,
    /// Receiver's window.
    ReceiveWindow,
    /// Nothing to send.
    Application,
    /// The pacer.
    Pacing,
    /// The sender's own clamp on cwnd.
    Clamp,
    /// Not established, or done.
    Idle,
}

impl Limit {
    /// How many there are.
    pub const COUNT: usize = 6;

    /// Those of a connection that is open.
    pub const OF_A_CONNECTION: [Self; 5] = [Self::Cwnd, Self::ReceiveWindow, Self::Application, Self::Pacing, Self::Clamp];
}

/// Counters, since the warm-up.
#[derive(Clone, Debug, Default)]
pub struct SenderStats {
    /// Data packets, retransmissions included.
    pub sent_packets: u64,
    /// Their bytes on the wire.
    pub sent_bytes: u64,
    /// Their payload.
    pub sent_payload_bytes: u64,
    /// Retransmissions.
    pub retransmitted_packets: u64,
    /// Payload acknowledged cumulatively.
    pub acked_bytes: u64,
    /// Retransmission timeouts.
    pub timeouts: u32,
    /// Of these, shown spurious.
    pub spurious_timeouts: u32,
    /// Fast recoveries.
    pub recoveries: u32,
    /// Reactions taken back.
    pub undos: u32,
    /// Tail loss probes.
    pub tail_probes: u32,
    /// Reductions because of ECN.
    pub ecn_reductions: u32,
    /// Largest window, bytes.
    pub cwnd_max: u64,
    /// Time spent under each [`Limit`].
    pub limited: [Duration; Limit::COUNT],
    /// Times by state and reductions by reason; none before the connection is open, and on a kernel.
    pub account: Option<Box<Account>>,
}

impl SenderStats {
    /// Adds what another sender counted; of the largest windows the larger stays.
    pub fn add(&mut self, other: &Self) {
        // Taken apart, so that a new counter cannot be forgotten here.
        let Self {
            sent_packets,
            sent_bytes,
            sent_payload_bytes,
            retransmitted_packets,
            acked_bytes,
            timeouts,
            spurious_timeouts,
            recoveries,
            undos,
            tail_probes,
            ecn_reductions,
            cwnd_max,
            limited,
            account,
        } = other;
        self.sent_packets += sent_packets;
        self.sent_bytes += sent_bytes;
        self.sent_payload_bytes += sent_payload_bytes;
        self.retransmitted_packets += retransmitted_packets;
        self.acked_bytes += acked_bytes;
        self.timeouts += timeouts;
        self.spurious_timeouts += spurious_timeouts;
        self.recoveries += recoveries;
        self.undos += undos;
        self.tail_probes += tail_probes;
        self.ecn_reductions += ecn_reductions;
        self.cwnd_max = self.cwnd_max.max(*cwnd_max);
        for (spent, more) in self.limited.iter_mut().zip(limited) {
            *spent += *more;
        }
        if let Some(more) = account {
            self.account.get_or_insert_default().add(more);
        }
    }
}

/// The options that the sending side reads; flows that have the same share them.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
#[derive(PartialEq, Debug)]
struct Options {
    mss: u64,
    header_bytes: u32,
    initial_window: u64,
    owns_window: bool,
    /// The algorithm is shown RTT samples by themselves.
    takes_rtts: bool,
    /// The most that an ACK may count for when the window grows.
    credit_per_ack: u64,
    max_cwnd: Option<u64>,
    has_sack: bool,
    timestamps: bool,
    times_one: bool,
    /// [`LossRules::Ns2`], without SACK.
    ns2_rules: bool,
    clock: TimestampClock,
    dupack_recovery: DupackRecovery,
    prr: bool,
    /// PRR reduces in proportion to cwnd, and not to what was in flight.
    prr_of_cwnd: bool,
    limited_transmit: bool,
    tail_loss_probe: bool,
    frto: bool,
    undo: bool,
    idle_restart: bool,
    ecn: EcnMode,
    pacing: PacingMode,
    tso_defer: bool,
    rto: RtoBounds,
}

impl Options {
    fn new(plan: &TransportPlan, cc: &dyn CongestionControl) -> Self {
        // What decides the window in recovery itself is not approached, nor restarted after idleness (Linux's `cong_control`).
        let owns_window = cc.owns_window();
        Self {
            mss: u64::from(plan.mss),
            header_bytes: plan.header_bytes,
            initial_window: plan.initial_window_bytes,
            owns_window,
            takes_rtts: cc.takes_rtts(),
            credit_per_ack: match plan.ack_counting {
                AckCounting::Bytes => u64::MAX,
                AckCounting::Packets => u64::from(plan.mss),
            },
            max_cwnd: plan.max_cwnd_bytes,
            has_sack: plan.loss_detection != LossDetection::Dupack,
            timestamps: plan.timestamps,
            times_one: plan.rtt_timing == RttTiming::OnePerRtt,
            ns2_rules: plan.loss_rules == LossRules::Ns2 && plan.loss_detection == LossDetection::Dupack,
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
                clock: if plan.rtt_timing == RttTiming::OnePerRtt {
                    Duration::from_ps(plan.rtt_clock_ps)
                } else {
                    Duration::ZERO
                },
            },
        }
    }
}

/// How much of the window was used (Linux's `tcp_cwnd_validate`): a window that is not used must not grow.
#[derive(Clone, Debug, Default)]
struct Usage {
    is_cwnd_limited: bool,
    /// Bytes; a window is less than 2^30 (RFC 7323 section 2.3), and there are many connections.
    max_outstanding: u32,
    /// The verdict holds until this is acknowledged.
    until: u64,
    /// The most that was out since the window was last full, or reduced for not being used (Linux's `snd_cwnd_used`).
    used: u32,
    /// When the window was last full, changed or confirmed by an ACK (Linux's `snd_cwnd_stamp`).
    noted_at: Time,
}

/// What the answer to an ACK repairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Repair {
    /// Lost segments are sent again, then new data.
    LostFirst,
    /// Lost segments only: RACK's timer has run out, and no ACK makes room for new data (Linux's `tcp_rack_reo_timeout`).
    /// What waits for an ACK waits on.
    LostOnly,
    /// Nothing but what another timer has sent.
    Silent,
    /// New data only; lost segments where there is none (RFC 5682 section 3.1 step 2b).
    NewFirst,
    /// New data only: originals arrive of what was declared lost, or the application has written.
    Nothing,
    /// As [`Repair::LostFirst`], after an original of what was declared lost took the recovery back.
    Undone,
}

/// A sender.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Sender {
    flow: u32,
    /// Which of the flow's connections, one after another, this is.
    connection: u32,
    /// Payload acknowledged on those before it.
    acked_before: u64,
    priority: u8,
    options: Arc<Options>,
    state: State,
    cc: Box<dyn CongestionControl>,
    rng: Rng,
    decision: Decision,
    board: Scoreboard,
    rtt: RttEstimator,
    rate: DeliveryRate,
    rounds: Rounds,
    /// Of algorithms that ask for intervals.
    monitor: Option<Box<Monitor>>,
    has_sent: bool,
    detector: Detector,
    pacer: Pacer,
    ca: CaState,
    /// SND.NXT when the episode began; before any, 0.
    recovery_point: u64,
    /// Of an episode, which most flows are not in.
    prr: Option<Box<Prr>>,
    undo: Option<Box<Undo>>,
    /// Segments sent again on this connection, less those that D-SACKs reported as received twice.
    unreported: i32,
    /// Timestamp of the first retransmission since nothing that was sent again was out (Linux's `retrans_stamp`).
    first_retransmission: Option<u32>,
    /// F-RTO still has its question open.
    frto: bool,
    dupacks: u32,
    /// A timeout has happened since SND.UNA last advanced.
    has_timed_out: bool,
    /// A partial ACK has restarted the timer in this recovery.
    partial_acked: bool,
    /// The next retransmission waits for no window (fast retransmit, RFC 5681 section 3.2 step 3).
    must_retransmit: bool,
    /// What is sent in answer to the current ACK.
    repair: Repair,
    /// SND.NXT when the last tail loss probe was sent, until it is known what became of it; 0: none is out.
    probe_end: u64,
    /// That probe was a retransmission.
    probe_repeats: bool,
    /// The current ACK restarts the probe's timer, unless what is sent in answer does.
    probe_restarts: bool,
    usage: Usage,
    /// The window, or what was out if that was more, when an ACK last changed the rate at which a window is paced; bytes.
    rate_window: u32,
    /// Whether it was below half of ssthresh then.
    rate_doubles: bool,
    /// Highest sequence number that the receiver's window allows.
    peer_edge: u64,
    /// An ACK has told it, and not only the SYN-ACK.
    has_taken_window: bool,
    /// The receiver's latest timestamp.
    echo: u32,
    /// Whether the next new data carries CWR.
    send_cwr: bool,
    /// Marked payload bytes that the receiver reported (accurate feedback).
    marked_seen: u32,
    /// Receiver's FIN seen: our ACKs acknowledge it.
    peer_closed: bool,
    app: Box<dyn App>,
    written: Written,
    /// Where the host's segments of what is written and not sent end; the last one is open.
    host_segments: HostSegments,
    /// When it starts; then, when its first SYN left.
    start_at: Time,
    /// When its application is to stop writing; [`Time::MAX`]: never, or it has.
    stop_at: Time,
    last_sent_at: Time,
    /// When the last byte was acknowledged; [`Time::MAX`]: not yet.
    finished_at: Time,
    /// The timer of what is out, and when it runs out; [`Time::MAX`]: it does not run.
    timer: Timer,
    timer_at: Time,
    pace_at: Time,
    persist_at: Time,
    /// Window probes without an answer; as many as a byte counts wait no less than more would.
    persist_backoff: u8,
    limit: Limit,
    /// Since when it is the limit; [`Time::MAX`]: its time is not counted any more.
    limit_since: Time,
    /// Counters.
    pub stats: SenderStats,
}

impl Sender {
    /// A sender that waits for its start; `cc` and `app` are the plan's.
    #[must_use]
    pub fn new(index: u32, plan: &FlowPlan, cc: Box<dyn CongestionControl>, app: Box<dyn App>, seed: u64) -> Self {
        let transport = &plan.transport;
        let options = Options::new(transport, cc.as_ref());
        // What a session runs starts when that opens it.
        let start_at = if plan.app == (AppPlan::Session {}) {
            Time::MAX
        } else {
            Time::from_ps(plan.start_ps)
        };
        Self {
            flow: index,
            connection: 0,
            acked_before: 0,
            priority: plan.priority,
            state: State::Closed,
            decision: cc.decision(),
            cc,
            rng: rng::stream(seed, &format!("flow/{}/cc", plan.name)),
            board: Scoreboard::new(options.mss, transport.window_counting),
            rtt: RttEstimator::new(),
            rate: DeliveryRate::default(),
            rounds: Rounds::default(),
            monitor: None,
            has_sent: false,
            detector: Detector::new(transport.loss_detection, options.mss),
            pacer: Pacer::default(),
            ca: CaState::Open,
            recovery_point: 0,
            prr: None,
            undo: None,
            unreported: 0,
            first_retransmission: None,
            frto: false,
            dupacks: 0,
            has_timed_out: false,
            partial_acked: false,
            must_retransmit: false,
            repair: Repair::LostFirst,
            probe_end: 0,
            probe_repeats: false,
            probe_restarts: false,
            usage: Usage::default(),
            rate_window: 0,
            rate_doubles: true,
            peer_edge: 0,
            has_taken_window: false,
            echo: 0,
            send_cwr: false,
            marked_seen: 0,
            peer_closed: false,
            app,
            written: Written {
                next_write: Time::MAX,
                ..Written::NOTHING_YET
            },
            host_segments: HostSegments::new(transport.mss),
            start_at,
            stop_at: plan.stop_ps.map_or(Time::MAX, Time::from_ps),
            last_sent_at: Time::ZERO,
            finished_at: Time::MAX,
            timer: Timer::Rto,
            timer_at: Time::MAX,
            pace_at: Time::MAX,
            persist_at: Time::MAX,
            persist_backoff: 0,
            limit: Limit::Idle,
            limit_since: start_at,
            options: Arc::new(options),
            stats: SenderStats::default(),
        }
    }

    /// Keeps its options where `other` does, if they are the same: thousands of flows differ in nothing but their place.
    #[must_use]
    pub fn sharing(mut self, other: Option<&Self>) -> Self {
        if let Some(other) = other.filter(|other| other.options == self.options) {
            self.options = Arc::clone(&other.options);
        }
        self
    }

    /// Whether the connection is being opened, open or being closed.
    #[must_use]
    pub fn is_active(&self) -> bool {
        matches!(self.state, State::SynSent | State::Established)
    }
    /// Whether everything was sent and acknowledged.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.state == State::Done
    }
    /// When the last byte was acknowledged.
    #[must_use]
    pub fn finished_at(&self) -> Option<Time> {
        (self.finished_at < Time::MAX).then_some(self.finished_at)
    }
    /// The window in force, bytes.
    #[must_use]
    pub fn cwnd(&self) -> u64 {
        let cwnd = self.prr.as_deref().map_or(self.decision.cwnd, Prr::cwnd);
        // Without SACK and PRR this is what RFC 5681 calls inflation: each duplicate ACK stands for a departed segment.
        if self.ca == CaState::Recovery && !self.options.has_sack && self.prr.is_none() {
            return cwnd + self.board.sacked_bytes();
        }
        cwnd
    }
    /// What the algorithm decided last.
    #[must_use]
    pub fn decision(&self) -> &Decision {
        &self.decision
    }
    /// The algorithm, for its internals.
    #[must_use]
    pub fn cc(&self) -> &dyn CongestionControl {
        self.cc.as_ref()
    }
    /// Bytes in flight.
    #[must_use]
    pub fn inflight(&self) -> u64 {
        self.board.inflight()
    }
    /// The retransmission timeout.
    #[must_use]
    pub fn rto(&self) -> Duration {
        self.rtt.rto(&self.options.rto)
    }
    /// The RTT estimator.
    #[must_use]
    pub fn rtt(&self) -> &RttEstimator {
        &self.rtt
    }
    /// All RTT samples since the warm-up, of who is not needed any more.
    #[must_use]
    pub fn into_rtts(self) -> DurationHistogram {
        self.rtt.into_record()
    }
    /// The episode's state.
    #[must_use]
    pub fn ca_state(&self) -> CaState {
        self.ca
    }
    /// The latest delivery-rate sample.
    #[must_use]
    pub fn delivery_rate(&self) -> Option<Rate> {
        self.rate.latest()
    }
    /// The scoreboard, for checks.
    #[must_use]
    pub fn board(&self) -> &Scoreboard {
        &self.board
    }
    /// The rate at which it paces, if it does.
    #[must_use]
    pub fn pacing_rate(&self) -> Option<Rate> {
        match self.options.pacing {
            PacingMode::Off => None,
            PacingMode::Cc => self.decision.pacing_rate,
            PacingMode::Cwnd => self
                .decision
                .pacing_rate
                .or_else(|| self.rtt.has_sample().then(|| self.window_rate())),
        }
    }

    /// Payload acknowledged cumulatively since the start, on all of the flow's connections.
    #[must_use]
    pub fn acked_in_all(&self) -> u64 {
        self.acked_before + self.acked_payload()
    }

    /// Payload acknowledged cumulatively on this connection.
    #[must_use]
    pub fn acked_payload(&self) -> u64 {
        self.board.una().min(self.written.bytes)
    }

    /// Starts now: what a session opens.
    pub fn open(&mut self, now: Time, wire: &mut impl Wire) {
        self.start_at = now;
        self.limit_since = now;
        self.on_timer(now, wire);
    }

    /// Whether it has not started.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    /// Its session writes.
    pub fn hand_in(&mut self, bytes: u64, closes: bool, now: Time, wire: &mut impl Wire) {
        self.app.hand_in(bytes, closes);
        if self.state == State::Established {
            self.ask_app(now);
            // A write lets new data go only: lost segments wait for an ACK (Linux's `tcp_sendmsg`).
            self.repair = Repair::Nothing;
            self.pump(now, wire);
        }
    }

    /// Makes this the connection that follows `last` on the same flow: counters go on.
    pub fn follow(&mut self, last: Self) {
        self.connection = last.connection + 1;
        self.acked_before = last.acked_before + last.acked_payload();
        self.rng = last.rng;
        self.stats = last.stats;
        self.rtt.follow(last.rtt);
    }

    /// Begins the measured part of the run.
    pub fn reset_stats(&mut self, now: Time) {
        let mut account = self.stats.account.take();
        if let Some(account) = &mut account {
            account.reset(now);
        }
        self.stats = SenderStats {
            cwnd_max: self.decision.cwnd,
            account,
            ..SenderStats::default()
        };
        self.rtt.clear_record();
        self.limit_since = self.limit_since.max(now);
    }

    /// Closes the account of what limited it, at the end of the run.
    pub fn settle_limits(&mut self, now: Time) {
        self.note_limit(self.limit, now.min(self.stop_at));
        if let Some(account) = &mut self.stats.account {
            account.settle(&self.stats.limited);
        }
    }

    /// Times under a limit end now.
    #[cold]
    #[inline(never)]
    pub(super) fn stop_limits(&mut self, now: Time) {
        self.settle_limits(now);
        self.limit_since = Time::MAX;
    }

    /// The connection is open: from now on its time is booked by state.
    #[cold]
    fn open_account(&mut self) {
        match &mut self.stats.account {
            Some(account) => account.restart(&self.stats.limited),
            None => self.stats.account = Some(Box::new(Account::since(&self.stats.limited))),
        }
    }

    /// The phase that the sender is in. What owns its window has no slow start that ssthresh would tell.
    fn phase(&self) -> Phase {
        match self.ca {
            CaState::Recovery => Phase::Recovery,
            CaState::Loss => Phase::Loss,
            CaState::Open | CaState::Disorder | CaState::Cwr => {
                let is_below = self.decision.ssthresh.is_none_or(|ssthresh| self.decision.cwnd < ssthresh);
                if is_below && !self.options.owns_window {
                    Phase::SlowStart
                } else {
                    Phase::Avoidance
                }
            }
        }
    }

    /// Books the time so far, where the phase may have changed.
    #[inline(never)]
    fn note_phase(&mut self, now: Time) {
        let phase = self.phase();
        if self.stats.account.as_ref().is_some_and(|account| account.phase() != phase) {
            self.settle_limits(now);
            let cwnd = self.decision.cwnd;
            if let Some(account) = &mut self.stats.account {
                account.enter(phase, cwnd, now);
            }
        }
    }

    /// Books that the window is reduced now.
    #[inline(never)]
    fn note_reduction(&mut self, reason: Reason, now: Time) {
        self.settle_limits(now);
        if let Some(account) = &mut self.stats.account {
            account.reduce(reason, self.board.una());
        }
    }

    /// Sends what may be sent, where no ACK has asked for it: [`Sender::answer`] as a function of its own, for its code is long.
    fn pump(&mut self, now: Time, wire: &mut impl Wire) {
        self.answer(now, wire);
    }

    /// Sends what may be sent, and starts the timers of what was.
    #[expect(clippy::inline_always, reason = "once per ACK, and it has all of the sender's state to hand")]
    #[inline(always)]
    fn answer(&mut self, now: Time, wire: &mut impl Wire) {
        if self.state != State::Established {
            return;
        }
        let (before, was_empty) = (self.board.next(), self.board.segments() == 0);
        let limit = loop {
            let limit = self.send_all(now, wire);
            if self.repair != Repair::NewFirst || self.board.next() != self.recovery_point {
                break limit;
            }
            // RFC 5682 section 3.1 step 2b needs new data; without it, the conventional recovery goes on.
            self.frto = false;
            self.repair = Repair::LostFirst;
        };
        let has_sent = self.board.next() > before;
        if has_sent && !self.schedule_probe(false, now) && (was_empty || self.timer == Timer::Probe) {
            self.rearm_rto(now);
        }
        if !has_sent {
            self.restart_probe(now);
        }
        self.probe_restarts = false;
        let repair = core::mem::replace(&mut self.repair, Repair::LostFirst);
        self.pacer.end_burst();
        self.pace_at = if limit == Limit::Pacing {
            self.pacer.shut_until(now).unwrap_or(Time::MAX)
        } else if repair == Repair::Nothing && self.pace_at > now {
            // The pacer's timer runs on for what is to be sent again.
            self.pace_at
        } else {
            Time::MAX
        };
        if limit != Limit::Pacing
            && let Some(monitor) = &mut self.monitor
        {
            monitor.note_limited();
        }
        if !self.written.has_more && self.written.bytes < Written::ENDLESS {
            self.cut_what_is_written();
        }
        if !matches!(repair, Repair::LostOnly | Repair::Silent) {
            self.note_usage(limit, has_sent, now);
        }
        self.note_limit(limit, now);
        self.arm_persist(limit, now);
    }

    /// Sends until something forbids it, which is returned.
    #[expect(clippy::inline_always, reason = "once per answer to an ACK")]
    #[inline(always)]
    fn send_all(&mut self, now: Time, wire: &mut impl Wire) -> Limit {
        let mut is_repairing = false;
        loop {
            if let Some(number) = self.next_lost() {
                is_repairing = true;
                // Linux's __tcp_retransmit_skb: beyond a window that has shrunk only the first segment is sent again.
                let is_beyond = self.board.get(number).seq >= self.peer_edge;
                if is_beyond && self.board.first_number() != Some(number) {
                    return Limit::ReceiveWindow;
                }
                let size = self.board.weight(u64::from(self.board.get(number).len));
                if let Err(limit) = self.may_send(size, false, now) {
                    return limit;
                }
                self.retransmit(number, now, wire);
            } else if matches!(self.repair, Repair::LostOnly | Repair::Silent) {
                // Where the pacer holds back what is lost, it lets new data go as well.
                let waits = self.repair == Repair::LostOnly && self.ca >= CaState::Recovery && self.is_shut(now);
                return if waits { Limit::Pacing } else { self.limit };
            } else {
                if core::mem::take(&mut is_repairing) {
                    // The host hands new data over by itself.
                    self.pacer.end_burst();
                }
                let (payload, fin) = match self.next_segment(now) {
                    Ok(segment) => segment,
                    Err(limit) => return limit,
                };
                if let Err(limit) = self.may_send(self.board.weight(payload), true, now) {
                    return limit;
                }
                self.send_new(payload, fin, now, wire);
            }
        }
    }

    /// The segment to send again next, if one is lost.
    fn next_lost(&mut self) -> Option<u64> {
        if self.ca >= CaState::Recovery && matches!(self.repair, Repair::LostFirst | Repair::LostOnly | Repair::Undone) {
            self.board.next_lost()
        } else {
            None
        }
    }

    fn is_shut(&self, now: Time) -> bool {
        self.pacer.is_shut(now) && self.pacing_rate().is_some()
    }

    /// Whether a segment of `size` may leave, as the next of a burst: what forbids it, if something does.
    #[expect(clippy::inline_always, reason = "once per packet, and more often where it says no")]
    #[inline(always)]
    fn may_send(&mut self, size: u64, is_new: bool, now: Time) -> Result<(), Limit> {
        // Linux's tcp_xmit_retransmit_queue waits for the pacer as new data does.
        if self.is_shut(now) {
            return Err(Limit::Pacing);
        }
        let mut inflight = self.board.inflight();
        if self.ca != CaState::Open {
            inflight = self.counted_inflight(inflight, is_new);
        }
        let cwnd = self.prr.as_deref().map_or(self.decision.cwnd, Prr::cwnd);
        if self.must_retransmit && !is_new {
            return self.go_on(cwnd.saturating_sub(inflight).max(size), cwnd, is_new, now);
        }
        if inflight + size > cwnd {
            return Err(Limit::Cwnd);
        }
        if self
            .options
            .max_cwnd
            .is_some_and(|clamp| inflight + size > clamp.max(self.options.mss))
        {
            return Err(Limit::Clamp);
        }
        self.go_on(cwnd - inflight, cwnd, is_new, now)
    }

    /// Goes on with the burst that is leaving, or begins one.
    #[inline]
    fn go_on(&mut self, room: u64, cwnd: u64, is_new: bool, now: Time) -> Result<(), Limit> {
        if self.pacer.is_in_burst() {
            return Ok(());
        }
        self.begin_burst(room, cwnd, is_new, now)
    }

    /// What an episode counts as in flight where it is asked whether a segment may leave.
    fn counted_inflight(&self, inflight: u64, is_new: bool) -> u64 {
        if self.options.ns2_rules {
            self.inflight_by_ns2(inflight)
        } else if is_new && self.ca == CaState::Disorder && !self.options.limited_transmit {
            inflight + self.board.sacked_bytes()
        } else {
            inflight
        }
    }

    /// ns-2's `singledup_`: outside of fast recovery the first two duplicate ACKs allow a segment each,
    /// after a timeout too, where that is the next one to be sent again; later ones allow none.
    fn inflight_by_ns2(&self, inflight: u64) -> u64 {
        let out = match self.ca {
            CaState::Disorder => inflight + self.board.sacked_bytes(),
            CaState::Loss => inflight,
            CaState::Open | CaState::Cwr | CaState::Recovery => return inflight,
        };
        let allowed = if self.options.limited_transmit { self.dupacks.min(2) } else { 0 };
        out.saturating_sub(u64::from(allowed) * self.options.mss)
    }

    /// Payload of the next new segment and whether the FIN goes with it, if data and the receiver's window allow one.
    #[expect(clippy::inline_always, reason = "once per packet, and what it returns would go through memory")]
    #[inline(always)]
    fn next_segment(&mut self, now: Time) -> Result<(u64, bool), Limit> {
        let (next, full) = (self.board.next(), self.full_segment());
        if next + full < self.written.bytes && next + full <= self.peer_edge {
            return Ok((full, false));
        }
        self.last_segment(now)
    }

    /// The next new segment where the data or the receiver's window ends with a full one, or before.
    fn last_segment(&mut self, now: Time) -> Result<(u64, bool), Limit> {
        let next = self.board.next();
        if self.written.has_more && self.is_dry() || next >= self.written.bytes && !self.written.closed {
            self.poll_app(now);
        }
        let left = self.written.bytes.saturating_sub(next);
        if left == 0 {
            // The FIN follows the data at once; it is sent alone only where closing came later than the last data.
            let fin_due = self.written.closed && next == self.written.bytes;
            return match fin_due {
                true if next < self.peer_edge => Ok((0, true)),
                true => Err(Limit::ReceiveWindow),
                false => Err(Limit::Application),
            };
        }
        let payload = left.min(self.full_segment());
        if next + payload > self.peer_edge {
            let room = self.peer_edge.saturating_sub(next);
            // What the window has room for goes with the full segments before it (Linux's tcp_mss_split_point).
            return if room > 0 && self.is_behind_full_segment(now) {
                Ok((room, false))
            } else {
                Err(Limit::ReceiveWindow)
            };
        }
        Ok((payload, self.written.closed && payload == left))
    }

    /// Whether the host is handing over a burst whose last segment was new and full.
    fn is_behind_full_segment(&self, now: Time) -> bool {
        let last = self.board.last_number().map(|number| self.board.get(number));
        let is_full = |segment: &Segment| segment.sent_at == now && u64::from(segment.len) == self.full_segment();
        self.options.tso_defer && self.pacer.is_in_burst() && last.is_some_and(is_full)
    }

    fn poll_app(&mut self, now: Time) {
        if now >= self.stop_at {
            self.close_app();
        } else if self.written.has_more || self.written.next_write <= now {
            self.ask_app(now);
        }
    }

    fn ask_app(&mut self, now: Time) {
        let before = self.written;
        self.written = self.app.written(now, self.is_dry());
        // An application that offers data without end has written once, when its offer began.
        let goes_on = before.has_more && self.written.has_more;
        if self.written.bytes > before.bytes && !goes_on {
            self.on_write(before.bytes, now);
        }
    }

    /// The application wrote beyond byte `before`.
    fn on_write(&mut self, before: u64, now: Time) {
        if self.begins_host_segment(before) {
            self.restart_after_idle(now);
        }
        // Linux's tcp_rate_check_app_limited: the path stood empty until this write.
        let was_dry = before.saturating_sub(self.board.next()) < self.full_segment();
        let has_room = self.board.inflight() < self.cwnd();
        if was_dry && has_room && self.board.lost_bytes() <= self.board.retrans_bytes() {
            self.rate.mark_app_limited(self.board.inflight());
        }
    }

    /// Whether less than a full segment is left of what the application has written.
    fn is_dry(&self) -> bool {
        self.board.next() + self.options.mss > self.written.bytes
    }

    /// Whether there is new data for the asking.
    fn has_unsent(&self) -> bool {
        self.written.has_more || self.written.bytes > self.board.next() || self.owes_fin()
    }

    /// Whether the FIN is still to be sent.
    fn owes_fin(&self) -> bool {
        self.written.closed && self.board.next() <= self.written.bytes
    }

    /// The flow's stop: what was sent is all there is.
    fn close_app(&mut self) {
        if !self.written.closed || self.board.next() < self.written.bytes {
            self.written = Written {
                bytes: self.board.next().min(self.written.bytes),
                closed: true,
                has_more: false,
                next_write: Time::MAX,
            };
        }
    }

    /// Tells the algorithm, before a segment is stamped, what begins with it.
    #[expect(clippy::inline_always, reason = "once per packet, and what it returns would go through memory")]
    #[inline(always)]
    fn before_transmit(&mut self, bytes: u64, now: Time) {
        if self.board.inflight() == 0 {
            self.cc
                .on_transmit_start(now, now.since(self.last_sent_at), self.rate.is_app_limited());
            self.decision = self.cc.decision();
        }
        if !self.has_sent {
            // The first question, to whose answer it owes its place.
            self.has_sent = true;
            self.monitor = Some(Box::default());
        }
        let Some(monitor) = &mut self.monitor else { return };
        let srtt = self.rtt.has_sample().then(|| self.rtt.srtt());
        if let Some(start) = monitor.next(now, srtt, self.decision.pacing_rate) {
            let Some(duration) = self.cc.begin_interval(&start, &mut self.rng) else {
                self.monitor = None;
                return;
            };
            self.decision = self.cc.decision();
            monitor.begin(&start, duration, self.decision.pacing_rate);
        }
        monitor.on_sent(bytes, now);
    }

    #[expect(clippy::cast_possible_truncation, reason = "a payload is at most one mss")]
    #[expect(clippy::inline_always, reason = "once per packet")]
    #[inline(always)]
    fn send_new(&mut self, payload: u64, fin: bool, now: Time, wire: &mut impl Wire) {
        self.before_transmit(payload + u64::from(fin), now);
        let mut segment = Segment::new(self.board.next(), payload as u32 + u32::from(fin), fin);
        segment.set_host_start(self.pacer.begins_burst());
        let weight = self.board.weight(u64::from(segment.len));
        self.rate
            .stamp(&mut segment, weight, now, self.board.inflight(), self.board.segments() == 0);
        self.board.push(segment);
        if self.options.times_one {
            self.rtt.begin_timing(self.board.next(), now);
        }
        let mut bits = flags::ACK | if fin { flags::FIN } else { 0 };
        // What an application writes ends with PSH (RFC 9293 section 3.9.1), and so does a burst.
        let ends_writing = segment.seq + payload >= self.written.bytes && payload > 0 && !self.written.has_more;
        if self.pacer.ends_burst() || ends_writing {
            bits |= flags::PSH;
        }
        if self.send_cwr && payload > 0 {
            bits |= flags::CWR;
            self.send_cwr = false;
        }
        let ecn = match self.options.ecn {
            _ if payload == 0 => Ecn::NotEct,
            EcnMode::Off => Ecn::NotEct,
            EcnMode::Classic | EcnMode::Accurate => Ecn::Ect0,
            EcnMode::L4s => Ecn::Ect1,
        };
        self.transmit(segment.seq, payload as u32, bits, ecn, now, wire);
        if let Some(prr) = &mut self.prr {
            prr.on_sent(weight);
        }
    }

    /// Sends a lost segment again.
    fn retransmit(&mut self, number: u64, now: Time, wire: &mut impl Wire) {
        self.first_retransmission.get_or_insert_with(|| self.options.clock.at(now));
        if let Some(undo) = &mut self.undo {
            undo.on_retransmission();
        }
        self.ask_for_cause(number, false, wire);
        let weight = self.send_again(number, Scoreboard::retransmit, now, wire);
        if let Some(prr) = &mut self.prr {
            // Of what is sent again; a tail loss probe that repeats a segment does not count.
            prr.on_sent(weight);
        }
        self.must_retransmit = false;
        // As Linux and ns-2, a fast retransmission restarts the timer: that of the flight before would cut recovery short.
        let is_fast = self.ca >= CaState::Recovery && self.board.first_number() == Some(number) && !self.is_impatient();
        if self.timer_at == Time::MAX || is_fast && self.timer != Timer::Reorder {
            self.arm(Timer::Rto, now.saturating_add(self.rto()));
        }
    }

    /// Sends a segment again as a tail loss probe.
    fn repeat(&mut self, number: u64, now: Time, wire: &mut impl Wire) {
        self.ask_for_cause(number, true, wire);
        self.send_again(number, Scoreboard::repeat, now, wire);
    }

    /// Books why the network lost what is sent again, if it lost something; `is_probe`: by a tail loss probe.
    #[inline(never)]
    fn ask_for_cause(&mut self, number: u64, is_probe: bool, wire: &mut impl Wire) {
        let Some(account) = &mut self.stats.account else { return };
        let segment = self.board.get(number);
        let data = segment.seq..segment.seq + u64::from(segment.len).max(1);
        if let Some(cause) = wire.why_lost(self.flow, self.connection, data) {
            // A probe's segment is acknowledged when the window is reduced for it.
            account.blame(cause, if is_probe { u64::MAX } else { segment.seq });
        }
    }

    /// Sends a segment again, and answers what it counts for.
    fn send_again(&mut self, number: u64, book: impl FnOnce(&mut Scoreboard, u64), now: Time, wire: &mut impl Wire) -> u64 {
        if !self.pacer.is_in_burst() {
            // By a timer: by itself, whatever it was sent with.
            self.board.cut_before(number);
            self.board.cut_before(number + 1);
        }
        self.board.trim_acked(number);
        let segment = self.board.get(number);
        let payload = segment.len - u32::from(segment.is_fin());
        let room = self.peer_edge.saturating_sub(segment.seq);
        if room > 0 && room < u64::from(payload) {
            // As much as a window that has shrunk has room for (Linux's __tcp_retransmit_skb).
            self.board.split(number, u32::try_from(room).unwrap_or(payload));
        }
        self.before_transmit(u64::from(self.board.get(number).len), now);
        let inflight = self.board.inflight();
        let weight = self.board.weight(u64::from(self.board.get(number).len));
        let segment = self.board.get_mut(number);
        self.rate.stamp(segment, weight, now, inflight, false);
        let (seq, len, fin) = (segment.seq, segment.len, segment.is_fin());
        book(&mut self.board, number);
        self.stats.retransmitted_packets += 1;
        self.unreported += 1;
        let bits = flags::ACK | if fin { flags::FIN } else { 0 };
        // RFC 3168 section 6.1.5: retransmissions are not ECN-capable.
        self.transmit(seq, len - u32::from(fin), bits, Ecn::NotEct, now, wire);
        weight
    }

    /// `NewReno` after its first partial ACK: the timer goes on, whatever is acknowledged (RFC 6582 section 3.2 step 3).
    fn is_impatient(&self) -> bool {
        self.partial_acked
            && self.ca == CaState::Recovery
            && !self.options.has_sack
            && self.options.dupack_recovery == DupackRecovery::Newreno
    }

    /// Puts a data segment on the wire.
    #[expect(clippy::inline_always, reason = "once per packet, and what it returns would go through memory")]
    #[inline(always)]
    fn transmit(&mut self, seq: u64, payload: u32, bits: u16, ecn: Ecn, now: Time, wire: &mut impl Wire) {
        let packet = Packet {
            payload,
            wire_size: self.options.header_bytes + payload,
            ecn,
            ..self.bare(seq, bits, now)
        };
        self.stats.sent_packets += 1;
        self.stats.sent_bytes += u64::from(packet.wire_size);
        self.stats.sent_payload_bytes += u64::from(payload);
        self.last_sent_at = now;
        if !self.pacer.is_in_burst() {
            // Sent without asking: by a timer, or a fast retransmission.
            self.pacer.begin_burst(1, now);
        }
        self.pacer.on_sent();
        if let Some(rate) = self.pacing_rate() {
            self.pacer.pay(u64::from(payload), rate, now);
        }
        wire.send(&packet, now);
    }

    /// A packet without payload: SYN, handshake ACK, window probe, ACK of the receiver's FIN.
    fn send_control(&self, seq: u64, bits: u16, now: Time, wire: &mut impl Wire) {
        wire.send(&self.bare(seq, bits, now), now);
    }

    fn bare(&self, seq: u64, bits: u16, now: Time) -> Packet {
        Packet {
            seq,
            ack: u64::from(self.peer_closed),
            flow: self.flow,
            wire_size: self.options.header_bytes,
            payload: 0,
            window: 65_535,
            ts_val: if self.options.timestamps { self.options.clock.at(now) } else { 0 },
            ts_ecr: self.echo,
            ce_bytes: 0,
            flags: bits,
            hop: 0,
            ecn: Ecn::NotEct,
            sack_count: 0,
            is_reverse: false,
            is_corrupt: false,
            priority: self.priority,
            connection: self.connection,
            sacks: [SackBlock::default(); MAX_SACK_BLOCKS],
        }
    }

    /// RFC 5681 section 4.1 as Linux does it (`tcp_slow_start_after_idle_check`, `tcp_cwnd_restart`): the window halves
    /// for each RTO of idleness, down to the initial window. Asked where the application writes, and where the receiver
    /// changes its window.
    fn restart_after_idle(&mut self, now: Time) {
        if !self.options.idle_restart || self.board.segments() > 0 || self.board.next() == 0 {
            return;
        }
        let (idle, rto) = if self.options.rto.min_bounds_variance {
            // Linux counts both in whole jiffies.
            let ticks = |time: Time| time.as_ps() / JIFFY.as_ps();
            (
                JIFFY * (ticks(now) - ticks(self.last_sent_at)),
                JIFFY * self.rto().as_ps().div_ceil(JIFFY.as_ps()),
            )
        } else {
            (now.since(self.last_sent_at), self.rto())
        };
        if idle <= rto {
            return;
        }
        let cwnd = self.cwnd();
        let floor = self.options.initial_window.min(cwnd);
        // An RTO of idleness is free.
        let halvings = ((idle.as_ps() - 1) / rto.as_ps()).min(63);
        let window = ((cwnd >> halvings).max(floor) / self.options.mss * self.options.mss).max(self.options.mss);
        if let Some(prr) = &mut self.prr {
            // A reduction that is under way ends where it would have.
            prr.restart(window);
        } else {
            self.cc.on_idle_restart(window, now);
            self.decision = self.cc.decision();
        }
        (self.usage.used, self.usage.noted_at) = (0, now);
    }

    /// Linux's `tcp_cwnd_validate`: asked where new data was waiting.
    #[expect(clippy::inline_always, reason = "once per answer to an ACK")]
    #[inline(always)]
    fn note_usage(&mut self, limit: Limit, has_sent: bool, now: Time) {
        let cwnd = self.cwnd();
        // A full window counts as used, even if the application has no more to send.
        let is_cwnd_limited = limit == Limit::Cwnd || self.board.inflight() + self.options.mss > cwnd;
        if has_sent || is_cwnd_limited && self.has_unsent() {
            let outstanding = u32::try_from(self.board.outstanding()).unwrap_or(u32::MAX);
            let usage = &mut self.usage;
            if self.board.una() >= usage.until || is_cwnd_limited || (!usage.is_cwnd_limited && outstanding > usage.max_outstanding) {
                usage.is_cwnd_limited = is_cwnd_limited;
                usage.max_outstanding = outstanding;
                usage.until = self.board.next();
            }
            if self.is_cwnd_limited() {
                (self.usage.used, self.usage.noted_at) = (0, now);
            } else {
                self.note_starving(outstanding, now);
            }
        }
        self.stats.cwnd_max = self.stats.cwnd_max.max(self.decision.cwnd);
    }

    /// A window that was not full, and that no ACK has confirmed, for an RTO: half of what is unused is given up (RFC 2861, and
    /// Linux's `tcp_cwnd_application_limited`).
    fn note_starving(&mut self, outstanding: u32, now: Time) {
        self.usage.used = self.usage.used.max(outstanding);
        if !self.options.idle_restart || now.since(self.usage.noted_at) < self.rto() {
            return;
        }
        let used = u64::from(self.usage.used).max(self.options.initial_window);
        if self.ca == CaState::Open && used < self.decision.cwnd {
            let window = u64::midpoint(self.decision.cwnd, used) / self.options.mss * self.options.mss;
            self.cc.on_idle_restart(window, now);
            self.decision = self.cc.decision();
        }
        if self.ca == CaState::Open {
            self.usage.used = 0;
        }
        self.usage.noted_at = now;
    }

    /// Linux's `tcp_is_cwnd_limited`: in slow start, which is the windowed algorithms', the window may grow to twice what was in use.
    fn is_cwnd_limited(&self) -> bool {
        let in_slow_start = !self.options.owns_window && self.decision.ssthresh.is_none_or(|ssthresh| self.decision.cwnd < ssthresh);
        self.usage.is_cwnd_limited || (in_slow_start && self.decision.cwnd < 2 * u64::from(self.usage.max_outstanding))
    }

    #[inline]
    fn note_limit(&mut self, limit: Limit, now: Time) {
        if self.limit_since < now {
            self.stats.limited[self.limit as usize] += now.since(self.limit_since);
            self.limit_since = now;
        }
        self.limit = limit;
    }
}
