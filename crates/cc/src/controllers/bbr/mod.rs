//! BBR version 1 as Linux 6 has it (`net/ipv4/tcp_bbr.c`), with Huang, Zhu & Wang's changes as
//! options.
//!
//! BBR models the path by the largest delivery rate of ten rounds and the smallest RTT of ten
//! seconds. A machine of four modes keeps both measured. There is a file per concern: the
//! measurements (`max_bw`, `long_term`, `aggregation`), the modes (`startup`, `probe_bw`,
//! `probe_rtt`), and the decisions (`pacing`, `cwnd`, `shrink`). A doc comment names the function
//! of Linux that the code follows. `quirks` has faults of another simulator.

mod aggregation;
mod cwnd;
mod long_term;
mod max_bw;
mod options;
mod pacing;
mod probe_bw;
mod probe_rtt;
mod quirks;
mod shrink;
mod startup;

pub use options::{ENTRY, LOWLAT, Options};

use crate::cast::float;
use crate::{
    AckEvent, Call, CongestionControl, CongestionEvent, Decision, Duration, LostSegment, Rate, Rng,
    Rule, Setup, Signal, Time,
};
use aggregation::Aggregation;
use cwnd::Recovery;
use long_term::LongTerm;
use max_bw::WindowedMax;
use pacing::Pacing;
use probe_bw::Cycle;
use probe_rtt::{MinRtt, ProbeRtt};
use quirks::Quirks;
use shrink::Shrink;
use startup::FullPipe;

/// Mode of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Doubles the rate each round trip until the pipe is full.
    Startup,
    /// Drains the queue that STARTUP has made.
    Drain,
    /// Cycles the pacing gain around the bandwidth estimate.
    ProbeBw,
    /// Empties the pipe to measure the propagation delay.
    ProbeRtt,
}

/// Packet-timed rounds as BBR counts them. Unlike the sender's they begin again when recovery or
/// the dip of `PROBE_RTT` begins.
#[derive(Clone, Debug, Default)]
struct Rounds {
    count: u64,
    /// Bytes delivered by the connection when the running round ends.
    ends_at: u64,
    /// Whether this ACK began a round.
    start: bool,
}

/// Totals of the connection, from which differences are taken.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    delivered: u64,
    delivered_at: Time,
    lost: u64,
}

/// The controller.
#[derive(Clone, Debug)]
pub struct Bbr {
    options: Options,
    quirks: Option<Box<Quirks>>,
    jiffy: Duration,
    /// Time since the last jiffy when the run begins.
    clock_phase: Duration,
    mss: u64,
    mode: Mode,
    totals: Totals,
    rounds: Rounds,
    /// Bandwidth estimate: the largest delivery rate of [`BW_WINDOW_ROUNDS`].
    max_bw: WindowedMax,
    min_rtt: MinRtt,
    full_pipe: FullPipe,
    cycle: Cycle,
    probe_rtt: ProbeRtt,
    long_term: LongTerm,
    aggregation: Aggregation,
    shrink: Shrink,
    recovery: Recovery,
    pacing: Pacing,
    pacing_gain: f64,
    cwnd_gain: f64,
    /// Whether data is sent again after the application was silent, and no ACK has come yet.
    is_idle_restart: bool,
    cwnd: u64,
    ssthresh: Option<u64>,
    /// Least ssthresh after an undo (Linux's `prior_ssthresh`).
    prior_ssthresh: Option<u64>,
}

/// Rounds that the bandwidth filter looks back: the gain cycle and two more.
const BW_WINDOW_ROUNDS: u64 = probe_bw::PHASES as u64 + 2;

impl Bbr {
    /// A BBR before the first byte (`bbr_init`).
    #[must_use]
    pub fn new(setup: &Setup, options: Options) -> Self {
        Self {
            quirks: Quirks::new(options.quirks),
            jiffy: Duration::from_secs_f64(options.jiffy * 1e-3),
            clock_phase: setup.clock_phase,
            mss: setup.mss,
            mode: Mode::Startup,
            totals: Totals::default(),
            rounds: Rounds::default(),
            max_bw: WindowedMax::new(BW_WINDOW_ROUNDS),
            min_rtt: MinRtt::default(),
            full_pipe: FullPipe::default(),
            cycle: Cycle::default(),
            probe_rtt: ProbeRtt::default(),
            long_term: LongTerm::default(),
            aggregation: Aggregation::default(),
            shrink: Shrink::default(),
            recovery: Recovery::default(),
            pacing: Pacing::new(
                setup.initial_window,
                setup.mss,
                options.high_gain,
                !options.quirks.no_margin,
            ),
            pacing_gain: options.high_gain,
            cwnd_gain: options.high_gain,
            is_idle_restart: false,
            cwnd: setup.initial_window,
            ssthresh: None,
            prior_ssthresh: None,
            options,
        }
    }

    /// Bandwidth that the model uses now.
    fn bw(&self) -> Rate {
        self.long_term.in_use().unwrap_or_else(|| self.max_bw.get())
    }

    /// Counts rounds and takes the delivery rate into the bandwidth estimate (`bbr_update_bw`).
    fn update_bandwidth(&mut self, ack: &AckEvent) {
        self.rounds.start = false;
        let Some(sample) = ack.rate else { return };
        if sample.prior_delivered >= self.rounds.ends_at {
            self.rounds.ends_at = ack.delivered;
            self.rounds.count += 1;
            self.rounds.start = true;
            self.recovery.end_conservation();
        }
        self.sample_long_term(ack.newly_lost > 0, sample.is_app_limited);
        // A sample that the application limited says little about the path, unless it was faster
        // than the model.
        if !sample.is_app_limited || sample.delivery_rate >= self.max_bw.get() {
            self.max_bw.add(self.rounds.count, sample.delivery_rate);
        }
    }

    /// Goes back to STARTUP or `PROBE_BW` after `PROBE_RTT` (`bbr_reset_mode`).
    fn resume(&mut self) {
        if self.full_pipe.is_reached {
            self.enter_probe_bw(self.totals.delivered_at);
        } else {
            self.mode = Mode::Startup;
        }
    }

    /// Sets the gains of the present mode (`bbr_update_gains`).
    fn update_gains(&mut self) {
        let high = self.options.high_gain;
        (self.pacing_gain, self.cwnd_gain) = match self.mode {
            Mode::Startup => (high, high),
            Mode::Drain => (startup::drain_gain(high), high),
            Mode::ProbeBw if self.long_term.in_use().is_some() => (1.0, self.options.cwnd_gain),
            Mode::ProbeBw => (self.cycle.gain(&self.options), self.options.cwnd_gain),
            Mode::ProbeRtt => (1.0, 1.0),
        };
    }
}

// Rules, for the record of decisions.
impl Bbr {
    fn rule_of_ack(&self) -> Rule {
        const MODES: &str = "Linux 6 net/ipv4/tcp_bbr.c, bbr_update_gains; Cardwell et al. 2016";
        if self.recovery.is_conserving() && self.mode != Mode::ProbeRtt {
            return Rule::new(
                "first round of recovery: a packet is sent for each that is delivered",
                "Linux 6 net/ipv4/tcp_bbr.c, bbr_set_cwnd_to_recover_or_restore",
            );
        }
        match self.mode {
            Mode::Startup => Rule::new(
                "STARTUP: the rate is 2.89 bandwidth estimates, and doubles per round trip",
                MODES,
            ),
            Mode::Drain => {
                Rule::new("DRAIN: slower than the bottleneck, until STARTUP's queue is gone", MODES)
            }
            Mode::ProbeBw if self.long_term.in_use().is_some() => Rule::new(
                "PROBE_BW at the rate of a policer, which two lossy stretches have shown",
                "Linux 6 net/ipv4/tcp_bbr.c, bbr_lt_bw_interval_done",
            ),
            Mode::ProbeBw => self.cycle.rule(),
            Mode::ProbeRtt => Rule::new(
                "PROBE_RTT: four packets in flight for 200 ms, to measure the RTT without a queue",
                "Linux 6 net/ipv4/tcp_bbr.c, bbr_update_min_rtt; Cardwell et al. 2016",
            ),
        }
    }
}

impl CongestionControl for Bbr {
    /// Updates the model, the mode and the decision, in the order of `bbr_main`.
    fn on_ack(&mut self, ack: &AckEvent, rng: &mut Rng) {
        let told = self.quirks.as_mut().map(|quirks| quirks.faulty(ack));
        let ack = told.as_ref().unwrap_or(ack);
        self.totals.delivered = ack.delivered;
        if ack.newly_acked > 0 {
            self.totals.delivered_at = ack.now;
        }
        self.cycle.draw_start(rng);
        self.update_bandwidth(ack);
        self.update_aggregation(ack);
        self.update_cycle(ack);
        self.check_full_pipe(ack);
        self.check_drain(ack);
        self.update_min_rtt(ack);
        self.update_gains();
        self.update_shrink(ack);
        self.update_pacing_rate(ack);
        self.update_cwnd(ack);
    }

    /// As `bbr_ssthresh`. The timeout's own consequences follow in `on_loss_window`.
    fn on_congestion(&mut self, event: &CongestionEvent, _rng: &mut Rng) {
        self.save_cwnd();
        let segments = self.cwnd / self.mss;
        let three_quarters = (segments / 2 + segments / 4) * self.mss;
        self.prior_ssthresh = self.ssthresh.map(|ssthresh| ssthresh.max(three_quarters));
        match event.signal {
            Signal::Ecn | Signal::Rto => {}
            Signal::Loss => self.recovery.begin(),
        }
    }

    /// The window restarts. The one to restore stays that from before the first signal.
    fn on_repeated_timeout(&mut self, _event: &CongestionEvent, _rng: &mut Rng) {}

    /// As `tcp_enter_loss` and `bbr_set_state`: nothing is in flight any more, and a round ends.
    fn on_loss_window(&mut self, window: u64, _now: Time) {
        self.recovery.begin_loss();
        self.cwnd = window.max(self.mss);
        self.full_pipe.on_timeout();
        self.rounds.start = true;
        self.sample_long_term(true, false);
    }

    fn on_handshake(&mut self, rtt: Duration) {
        self.see_rtt(rtt);
    }

    fn on_recovery_in_reduced_window(&mut self, _now: Time) {
        self.recovery.begin();
    }

    fn on_recovery_exit(&mut self, _now: Time) {
        self.recovery.end();
    }

    /// BBR restarts at its own rate after an idle period. Only a lost SYN shrinks the window.
    fn on_idle_restart(&mut self, restart_window: u64, _now: Time) {
        self.cwnd = self.cwnd.min(restart_window.max(self.mss));
    }

    fn owns_window(&self) -> bool {
        true
    }

    fn limits_itself(&self) -> bool {
        self.probe_rtt.ignores_samples
            && !self.quirks.as_ref().is_some_and(|quirks| quirks.believes_dips())
    }

    /// As `bbr_cwnd_event` for `CA_EVENT_TX_START`.
    fn on_transmit_start(&mut self, now: Time, _idle: Duration, is_app_limited: bool) {
        self.begin_min_rtt(now);
        if let Some(quirks) = &mut self.quirks {
            quirks.on_transmit_start(now);
        }
        if !is_app_limited {
            return;
        }
        self.is_idle_restart = true;
        self.aggregation.restart(now);
        match self.mode {
            // There is no queue to fill, and the application may have little: no faster than the
            // path can take.
            Mode::ProbeBw => self.pacing.set(self.bw(), 1.0, true),
            Mode::ProbeRtt => self.check_probe_rtt_done(now),
            Mode::Startup | Mode::Drain => {}
        }
    }

    fn on_lost(&mut self, segment: &LostSegment) {
        self.totals.lost += segment.bytes;
    }

    /// As `bbr_undo_cwnd`: what was taken for a full pipe or a policer may have been the mistake.
    /// The window comes back when the episode ends.
    fn on_spurious(&mut self, _now: Time) {
        self.full_pipe.forget();
        self.long_term.reset(&self.totals);
        self.ssthresh = self.ssthresh.zip(self.prior_ssthresh).map(|(now, prior)| now.max(prior));
        self.recovery.end();
    }

    fn decision(&self) -> Decision {
        Decision { cwnd: self.cwnd, ssthresh: self.ssthresh, pacing_rate: Some(self.pacing.rate()) }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("mode", f64::from(self.mode as u8));
        show("bw", float(self.bw().as_bps()));
        if let Some(min_rtt) = self.min_rtt.get() {
            show("min_rtt", min_rtt.as_secs_f64());
        }
        show("pacing_gain", self.pacing_gain);
        show("cwnd_gain", self.cwnd_gain);
        show("full_pipe", f64::from(u8::from(self.full_pipe.is_reached)));
        show("long_term", f64::from(u8::from(self.long_term.in_use().is_some())));
        show("extra_acked", float(self.aggregation.extra()));
        show("shrink", self.shrink.bytes());
    }

    fn rule(&self, call: Call) -> String {
        let rule = match call {
            Call::Ack => self.rule_of_ack(),
            Call::Congestion(Signal::Ecn) => {
                Rule::new("BBR does not answer marks", "Linux 6 net/ipv4/tcp_bbr.c, bbr_ssthresh")
            }
            Call::Congestion(Signal::Loss) => Rule::new(
                "a recovery begins: the window is saved, packets are conserved for a round trip",
                "Linux 6 net/ipv4/tcp_bbr.c, bbr_ssthresh; Linux 6 net/ipv4/tcp_bbr.c, \
                 bbr_set_cwnd_to_recover_or_restore",
            ),
            Call::Congestion(Signal::Rto) | Call::RepeatedTimeout | Call::LossWindow => Rule::new(
                "a timeout: one segment more than is in flight, and the growth of the rate \
                 counts anew",
                "Linux 6 net/ipv4/tcp_input.c, tcp_enter_loss; Linux 6 net/ipv4/tcp_bbr.c, \
                 bbr_set_state",
            ),
            Call::RecoveryInReducedWindow | Call::RecoveryExit | Call::WindowKept => Rule::new(
                "packets are conserved in recovery's first round; the saved window comes back \
                 after it",
                "Linux 6 net/ipv4/tcp_bbr.c, bbr_set_cwnd_to_recover_or_restore",
            ),
            Call::IdleRestart | Call::LostSyn => Rule::new(
                "the SYN was lost: the initial window is one segment",
                "RFC 5681 section 3.1",
            ),
            Call::Undo => Rule::new(
                "the losses were a mistake: what they said of a full pipe or a policer is \
                 forgotten",
                "Linux 6 net/ipv4/tcp_bbr.c, bbr_undo_cwnd",
            ),
            Call::TransmitStart => Rule::new(
                "sending begins after an idle period: the rate is the bandwidth estimate",
                "Linux 6 net/ipv4/tcp_bbr.c, bbr_cwnd_event",
            ),
            Call::Handshake | Call::Rtt | Call::Interval => Rule::new(
                "the first rate is the initial window per RTT, times the high gain",
                "Linux 6 net/ipv4/tcp_bbr.c, bbr_init_pacing_rate_from_rtt",
            ),
        };
        rule.text(call)
    }
}
