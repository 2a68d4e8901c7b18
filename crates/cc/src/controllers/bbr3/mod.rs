//! `BBRv3` as draft-ietf-ccwg-bbr specifies it (text of August 2026): a model of the path's
//! bandwidth, delay and volume, and a state machine that keeps the model fresh.
//!
//! Names follow the draft: a method's doc comment names its procedure, and a field's its variable.
//! Where the code follows Linux (Google's v3 branch) against the draft, a comment says so.

mod cwnd;
mod drain;
mod ecn;
mod long_term;
mod max_bw;
mod model;
mod options;
mod pacing;
mod probe_bw;
mod probe_rtt;
mod short_term;
mod startup;
mod state;
mod undo;

pub use options::ENTRY;

use ackclock_units::{Duration, Rate, Time};

use crate::cast::{float, integer};
use crate::{
    AckEvent, Call, CongestionControl, CongestionEvent, Decision, LostSegment, Rng, Rule, Signal,
};

use ecn::EcnResponse;
use max_bw::MaxBw;
use model::{Aggregation, Latest, Rounds};
use options::Options;
use probe_bw::Cycle;
use probe_rtt::{Minimum, ProbeRtt};
use short_term::Bounds;
use startup::{FullBw, LostRanges};
use state::State;
use undo::Undo;

/// The draft's Infinity.
const UNBOUNDED: u64 = u64::MAX;
const UNBOUNDED_RATE: Rate = Rate::from_bps(u64::MAX);

/// `bytes * gain`, rounded down.
fn scale(bytes: u64, gain: f64) -> u64 {
    integer(float(bytes) * gain)
}

/// `part / whole`; zero if `whole` is zero.
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { float(part) / float(whole) }
}

/// Loss recovery: whether losses are being repaired, and how they were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Recovery {
    None,
    Fast,
    Timeout,
}

/// The controller.
#[derive(Clone, Debug)]
pub struct Bbr3 {
    options: Options,
    /// `Now()` of the event that is being handled; `delivered` is its `C.delivered`.
    now: Time,
    delivered: u64,
    is_begun: bool,
    has_rtt: bool,
    cwnd: u64,
    pacing_rate: Rate,
    state: State,
    recovery: Recovery,
    rounds: Rounds,
    max_bw: MaxBw,
    /// `BBR.bw`: bandwidth of the model.
    bw: Rate,
    /// `BBR.min_rtt` and `BBR.min_rtt_stamp`: smallest RTT of ten seconds.
    min_rtt: Minimum,
    latest: Latest,
    aggregation: Aggregation,
    full_bw: FullBw,
    lost_ranges: LostRanges,
    /// `BBR.drain_start_round`: round in which drain began.
    drain_start_round: u64,
    cycle: Cycle,
    probe_rtt: ProbeRtt,
    bounds: Bounds,
    ecn: EcnResponse,
    undo: Undo,
}

impl Bbr3 {
    /// `OnInit`, as far as it needs no clock.
    fn new(options: Options, ecn: EcnResponse) -> Self {
        Self {
            now: Time::ZERO,
            delivered: 0,
            is_begun: false,
            has_rtt: false,
            cwnd: options.initial_window,
            pacing_rate: Self::initial_pacing_rate(options.initial_window, None),
            state: State::Startup,
            recovery: Recovery::None,
            rounds: Rounds::default(),
            max_bw: MaxBw::default(),
            bw: Rate::default(),
            min_rtt: Minimum::default(),
            latest: Latest::default(),
            aggregation: Aggregation::default(),
            full_bw: FullBw::default(),
            lost_ranges: LostRanges::default(),
            drain_start_round: 0,
            cycle: Cycle::default(),
            probe_rtt: ProbeRtt::default(),
            bounds: Bounds::default(),
            ecn,
            undo: Undo::default(),
            options,
        }
    }

    /// Handles the instant of an event. The first event starts the clocks.
    fn at(&mut self, now: Time) {
        self.now = now;
        if !self.is_begun {
            self.is_begun = true;
            self.min_rtt.stamp = now;
            self.probe_rtt.min.stamp = now;
            self.aggregation.restart(now);
        }
    }

    /// Takes the handshake's RTT, which the first ACK reports.
    fn learn_first_rtt(&mut self, ack: &AckEvent) {
        if !self.has_rtt && !ack.srtt.is_zero() {
            self.has_rtt = true;
            self.min_rtt.value = ack.min_rtt;
            self.probe_rtt.min.value = ack.min_rtt;
            self.pacing_rate =
                Self::initial_pacing_rate(self.options.initial_window, Some(ack.srtt));
        }
    }
}

impl CongestionControl for Bbr3 {
    /// `UpdateOnACK`: updates the model, the state and the decision.
    fn on_ack(&mut self, ack: &AckEvent, rng: &mut Rng) {
        self.at(ack.now);
        self.delivered = ack.delivered;
        self.learn_first_rtt(ack);
        self.cycle.draw(rng);

        self.update_latest_delivery_signals(ack);
        self.update_max_bw(ack);
        self.update_ecn(ack);
        self.update_congestion_signals();
        self.update_ack_aggregation(ack);
        self.check_full_bw_reached(ack);
        self.check_startup_done(ack);
        self.check_drain_done(ack);
        self.update_probe_bw_cycle_phase(ack);
        self.update_min_rtt(ack);
        self.check_probe_rtt(ack);
        self.advance_latest_delivery_signals(ack);
        self.bound_bw_for_model();

        self.set_pacing_rate(self.state.pacing_gain());
        self.set_cwnd(ack);
    }

    fn on_congestion(&mut self, event: &CongestionEvent, rng: &mut Rng) {
        self.at(event.now);
        self.delivered = event.delivered;
        self.cycle.draw(rng);
        match event.signal {
            Signal::Loss => {
                self.enter_recovery();
                self.note_loss();
            }
            Signal::Rto => {
                self.enter_recovery();
                self.note_loss();
                self.recovery = Recovery::Timeout;
                // `OnEnterRTO`: nothing is in flight, and one segment may be.
                self.cwnd = self.options.mss;
            }
            // A mark is congestion (section "ECN"). Where its share is not answered, it counts as a
            // loss.
            Signal::Ecn if self.ecn.is_answering() => (),
            Signal::Ecn => self.note_loss(),
        }
    }

    fn on_recovery_exit(&mut self, now: Time) {
        self.at(now);
        if self.recovery != Recovery::None {
            self.recovery = Recovery::None;
            self.restore_cwnd();
        }
    }

    fn on_idle_restart(&mut self, restart_window: u64, now: Time) {
        self.at(now);
        self.cwnd = self.cwnd.min(restart_window);
    }

    fn owns_window(&self) -> bool {
        true
    }

    fn limits_itself(&self) -> bool {
        self.state == State::ProbeRtt
    }

    /// `OnTransmit`: sending begins again with nothing in flight.
    fn on_transmit_start(&mut self, now: Time, _idle: Duration, is_app_limited: bool) {
        self.at(now);
        if is_app_limited {
            self.handle_restart_from_idle();
        }
    }

    /// `HandleLostPacket`: notes the loss and checks whether inflight was too high.
    fn on_lost(&mut self, segment: &LostSegment) {
        self.at(segment.now);
        self.delivered = segment.delivered;
        if self.recovery == Recovery::None {
            self.enter_recovery();
        }
        self.note_loss();
        self.ecn.note_loss();
        self.lost_ranges.add(segment);
        self.handle_lost_packet(segment);
    }

    fn on_spurious(&mut self, now: Time) {
        self.at(now);
        self.handle_spurious_loss();
    }

    fn decision(&self) -> Decision {
        Decision { cwnd: self.cwnd, ssthresh: None, pacing_rate: Some(self.pacing_rate) }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("state", f64::from(self.state as u8));
        show("max_bw", float(self.max_bw.max().as_bps()));
        show("bw", float(self.bw.as_bps()));
        show("pacing_gain", self.state.pacing_gain());
        show("cwnd_gain", self.state.cwnd_gain());
        show("extra_acked", float(self.aggregation.extra_acked()));
        show("full_bw_count", f64::from(self.full_bw.count));
        show("full_bw_now", f64::from(u8::from(self.full_bw.is_now)));
        show("full_bw_reached", f64::from(u8::from(self.full_bw.is_reached)));
        show("round_count", float(self.rounds.count));
        show("idle_restart", f64::from(u8::from(self.probe_rtt.is_idle_restart)));
        if self.min_rtt.value != Duration::MAX {
            show("min_rtt", self.min_rtt.value.as_secs_f64());
        }
        let bounds = [
            ("bw_shortterm", self.bounds.bw_shortterm.as_bps()),
            ("inflight_shortterm", self.bounds.inflight_shortterm),
            ("inflight_longterm", self.bounds.inflight_longterm),
        ];
        for (name, value) in bounds.into_iter().filter(|&(_, value)| value != UNBOUNDED) {
            show(name, float(value));
        }
        if self.ecn.is_on() {
            show("ecn_alpha", self.ecn.alpha());
        }
    }

    fn rule(&self, call: Call) -> String {
        let rule = match call {
            Call::Ack | Call::Rtt | Call::Interval => self.state.rule(),
            Call::Congestion(Signal::Rto) | Call::RepeatedTimeout => Rule::new(
                "a timeout: nothing is in flight, and one segment may be",
                "draft-ietf-ccwg-bbr, section \"Modulating cwnd in Loss Recovery\"",
            ),
            Call::Congestion(Signal::Ecn) if self.ecn.is_answering() => Rule::new(
                "marks: the round's end cuts the short-term bound of inflight by a third of \
                 their share",
                "Linux v3 net/ipv4/tcp_bbr.c, bbr_ecn_lower_bounds",
            ),
            Call::Congestion(Signal::Ecn) => {
                Rule::new("marks count as a loss", "draft-ietf-ccwg-bbr, section \"ECN\"")
            }
            Call::Congestion(Signal::Loss) | Call::RecoveryInReducedWindow => {
                self.state.rule_of_loss()
            }
            Call::LossWindow => Rule::new(
                "the window after a timeout is one segment",
                "draft-ietf-ccwg-bbr, section \"Modulating cwnd in Loss Recovery\"",
            ),
            Call::RecoveryExit | Call::WindowKept => Rule::new(
                "recovery is over: the saved window comes back, within the model's bounds",
                "draft-ietf-ccwg-bbr, section \"Modulating cwnd in Loss Recovery\"",
            ),
            Call::IdleRestart | Call::LostSyn => Rule::new(
                "the SYN was lost: the initial window is one segment",
                "RFC 5681 section 3.1",
            ),
            Call::Undo => Rule::new(
                "the losses were a mistake: window, bounds and state from before them come back",
                "draft-ietf-ccwg-bbr, section \"Updating the Model Upon Detecting a Spurious Loss \
                 Recovery\"",
            ),
            Call::TransmitStart => Rule::new(
                "sending begins after an idle period: the rate is the bandwidth estimate",
                "draft-ietf-ccwg-bbr, section \"Actions when Restarting from Idle\"",
            ),
            Call::Handshake => Rule::new(
                "the first rate is the initial window per RTT, 1 ms at first, times Startup's gain",
                "draft-ietf-ccwg-bbr, section \"Pacing Rate: C.pacing_rate\"",
            ),
        };
        rule.text(call)
    }
}
