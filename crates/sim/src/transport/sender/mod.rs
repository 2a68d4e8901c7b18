//! The sending side of a connection.
//!
//! A [`Sender`] is put together from parts. Each part owns its state and stands in a file of its
//! own; its fields are private, so that nothing else can change them.
//!
//! | part | owns |
//! |---|---|
//! | [`Connection`] | identity and life of the connection |
//! | [`CcDriver`] | the algorithm, its decision and its intervals |
//! | [`SendBuffer`] | data that the application has written |
//! | [`PeerWindow`] | the receiver's window, and the probes of a shut one |
//! | [`WindowUse`] | the used part of the congestion window |
//! | [`Episode`] | the recovery that is under way: PRR, F-RTO |
//! | [`Undo`] | evidence that a reaction was a mistake |
//! | [`TailProbe`] | the tail loss probe that is out |
//! | [`EcnEcho`] | marks reported, CWR owed |
//! | [`Timers`] | retransmission timer, pacer's timer |
//! | [`Ledger`] | counters, and the time under each limit |
//!
//! Parts that know nothing of a sender, such as scoreboard and pacer, are in the folder above.
//!
//! The other files hold the sender's actions. `ack` takes an ACK in, in the kernel's order, by the
//! steps in `ack_summary` (scoreboard, RTT), `losses` and `congestion_response` (episodes); `plain`
//! is its short way. `timer` acts when a timer runs out, and `open_close` opens and closes the
//! connection. `output` and `burst` decide what is sent, `transmit` sends it, and `validation`
//! shrinks an unused window.

#![expect(
    clippy::inline_always,
    reason = "per ACK or packet, with arguments and results that would go through memory"
)]

mod ack;
mod ack_summary;
mod burst;
mod cc_driver;
mod congestion_response;
mod connection;
mod ecn;
mod info;
mod ledger;
mod losses;
mod open_close;
mod options;
mod output;
mod peer_window;
mod plain;
mod recovery_episode;
mod send_buffer;
mod snapshot;
mod stats;
mod tail_probe;
mod timer;
mod timers;
mod transmit;
mod undo;
mod validation;
mod window_use;

use std::ops::Range;
use std::sync::Arc;

use ackclock_cc::{CongestionControl, Decision};
use ackclock_units::{Duration, Rate, Time};

use self::cc_driver::CcDriver;
use self::connection::{Connection, State};
use self::ecn::EcnEcho;
use self::ledger::Ledger;
use self::options::Options;
use self::peer_window::PeerWindow;
use self::recovery_episode::Episode;
use self::send_buffer::SendBuffer;
use self::tail_probe::TailProbe;
use self::timers::Timers;
use self::undo::Undo;
use self::window_use::WindowUse;
use super::loss_detection::Detector;
use super::pacer::Pacer;
use super::rate_sample::DeliveryRate;
use super::recovery::CaState;
use super::round::Rounds;
use super::rtt::RttEstimator;
use super::scoreboard::Scoreboard;
use crate::app::{App, AppPlan};
use crate::event::{Moment, Step};
use crate::histogram::DurationHistogram;
use crate::rng;
use crate::transport::flow::FlowPlan;
use crate::transport::plan::PacingMode;
use crate::wire::LossCause;

pub use info::TcpInfo;
pub(crate) use snapshot::{Detection, Snapshot};
pub use stats::SenderStats;

/// The sending side of a connection.
pub struct Sender {
    board: Scoreboard,
    rtt: RttEstimator,
    rate: DeliveryRate,
    peer: PeerWindow,
    pacer: Pacer,
    episode: Episode,
    control: CcDriver,
    timers: Timers,
    window_use: WindowUse,
    buffer: SendBuffer,
    connection: Connection,
    options: Arc<Options>,
    detector: Detector,
    rounds: Rounds,
    ledger: Ledger,
    probe: TailProbe,
    ecn: EcnEcho,
    undo: Undo,
}

impl Sender {
    /// A sender that waits for its start. `cc` and `app` are those of the plan.
    #[must_use]
    pub fn new(
        index: u32,
        plan: &FlowPlan,
        cc: Box<dyn CongestionControl>,
        app: Box<dyn App>,
        seed: u64,
    ) -> Self {
        let transport = &plan.transport;
        let options = Options::new(transport, cc.as_ref());
        // A session opens its connections itself.
        let start_at = if plan.app == (AppPlan::Session {}) {
            Time::MAX
        } else {
            Time::from_ps(plan.start_ps)
        };
        let rng = rng::stream(seed, &format!("flow/{}/cc", plan.name));
        Self {
            board: Scoreboard::new(options.mss, transport.window_counting),
            rtt: RttEstimator::default(),
            rate: DeliveryRate::default(),
            peer: PeerWindow::new(transport.mss),
            pacer: Pacer::default(),
            episode: Episode::default(),
            control: CcDriver::new(cc, rng),
            timers: Timers::new(),
            window_use: WindowUse::default(),
            buffer: SendBuffer::new(app, plan.stop_ps.map_or(Time::MAX, Time::from_ps)),
            connection: Connection::new(index, plan.priority, start_at),
            detector: Detector::new(transport.loss_detection, options.mss),
            rounds: Rounds::default(),
            ledger: Ledger::new(start_at),
            probe: TailProbe::default(),
            ecn: EcnEcho::default(),
            undo: Undo::default(),
            options: Arc::new(options),
        }
    }

    /// Shares the options of `other`, if they are equal, as they are for thousands of flows.
    pub(crate) fn sharing(mut self, other: Option<&Self>) -> Self {
        if let Some(other) = other.filter(|other| other.options == self.options) {
            self.options = Arc::clone(&other.options);
        }
        self
    }

    /// Makes this the connection that follows `last` on the same flow: counters go on.
    pub(crate) fn follow(&mut self, last: Self) {
        self.connection.follow(&last.connection, last.acked_payload());
        self.control.follow(last.control);
        self.ledger.follow(last.ledger);
        self.rtt.follow(last.rtt);
    }

    /// Whether the connection waits for its start.
    pub(crate) fn is_closed(&self) -> bool {
        self.connection.state() == State::Closed
    }
    /// Whether the connection is being opened, open or being closed.
    #[must_use]
    pub fn is_active(&self) -> bool {
        matches!(self.connection.state(), State::SynSent | State::Established)
    }
    /// Whether everything is sent and acknowledged.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.connection.state() == State::Done
    }
    /// When the last byte was acknowledged.
    #[must_use]
    pub fn finished_at(&self) -> Option<Time> {
        self.connection.finished_at()
    }

    /// Congestion window in force, bytes.
    #[must_use]
    pub fn cwnd(&self) -> u64 {
        let cwnd = self.episode.window(self.control.cwnd());
        if self.episode.inflates(&self.options) { cwnd + self.board.sacked_bytes() } else { cwnd }
    }
    /// The algorithm's latest decision.
    #[must_use]
    pub fn decision(&self) -> &Decision {
        self.control.decision()
    }
    /// The algorithm, for its internals.
    #[must_use]
    pub fn cc(&self) -> &dyn CongestionControl {
        self.control.cc()
    }
    /// Bytes in flight.
    #[must_use]
    pub fn inflight(&self) -> u64 {
        self.board.inflight()
    }
    /// The retransmission timeout, backed off.
    #[must_use]
    pub fn rto(&self) -> Duration {
        self.rtt.rto(&self.options.rto)
    }
    /// The RTT estimator.
    #[must_use]
    pub fn rtt(&self) -> &RttEstimator {
        &self.rtt
    }
    /// All RTT samples since the warm-up.
    #[must_use]
    pub fn into_rtts(self) -> DurationHistogram {
        self.rtt.into_record()
    }
    /// State of congestion control.
    #[must_use]
    pub fn ca_state(&self) -> CaState {
        self.episode.state()
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
    /// Counters since the warm-up.
    #[must_use]
    pub fn stats(&self) -> &SenderStats {
        self.ledger.stats()
    }
    /// The rate at which the sender paces, if it does.
    #[must_use]
    pub fn pacing_rate(&self) -> Option<Rate> {
        match self.options.pacing {
            PacingMode::Off => None,
            PacingMode::Cc => self.control.pacing_rate(),
            PacingMode::Cwnd => self
                .control
                .pacing_rate()
                .or_else(|| self.rtt.has_sample().then(|| self.window_use.rate(self.rtt.srtt()))),
        }
    }

    /// Payload acknowledged cumulatively since the start, on all of the flow's connections.
    #[must_use]
    pub fn acked_in_all(&self) -> u64 {
        self.connection.acked_before() + self.acked_payload()
    }

    /// Payload acknowledged cumulatively on this connection.
    #[must_use]
    pub fn acked_payload(&self) -> u64 {
        self.buffer.payload_before(self.board.una())
    }

    /// Begins the measured part of the run.
    pub fn reset_stats(&mut self, now: Time) {
        self.ledger.reset(self.control.cwnd(), now);
        self.rtt.clear_record();
    }

    /// Whether the sender waits to hear why data was lost.
    #[inline]
    pub(crate) fn is_waiting_for_causes(&self) -> bool {
        self.ledger.is_waiting()
    }

    /// Tells the sender why data was lost that it asked for before `until`. `why_lost` answers as
    /// the network does at the step given first.
    pub(crate) fn hear_causes(
        &mut self,
        until: Moment,
        mut why_lost: impl FnMut(Step, u32, Range<u64>) -> Option<LossCause>,
    ) {
        self.ledger.hear(|question| {
            (question.asked.moment < until)
                .then(|| why_lost(question.asked, question.connection, question.data.clone()))
        });
    }

    /// Books the time under the present limit up to `now`.
    pub(crate) fn settle_limits(&mut self, now: Time) {
        self.ledger.settle(self.buffer.until(now));
    }
}
