//! `BBRv3` as draft-ietf-ccwg-bbr specifies it (text of August 2026): a model of the path, its bandwidth, its delay and how much it holds,
//! and a state machine that keeps the model fresh.
//!
//! Names are the draft's: a method's comment names the procedure that it is, a field's the variable. Where the draft and Linux's
//! code (Google's v3 branch) differ and we follow the code, the place says so.

mod cwnd;
mod drain;
mod ecn;
mod filters;
mod long_term;
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

use crate::{AckEvent, CongestionControl, CongestionEvent, Decision, LostSegment, Rng, Signal};

use ecn::EcnResponse;
use filters::MaxBw;
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
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "volumes are far below 2^53; the cast saturates"
)]
fn scale(bytes: u64, gain: f64) -> u64 {
    (bytes as f64 * gain) as u64
}

/// `part / whole`, zero of nothing.
#[expect(clippy::cast_precision_loss, reason = "volumes are far below 2^53")]
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Whether losses are being repaired, and how they were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Recovery {
    None,
    Fast,
    Timeout,
}

/// `BBRv3`.
#[derive(Clone, Debug)]
pub struct Bbr3 {
    options: Options,
    /// Of the event that is being handled: `Now()`, `C.delivered`.
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
    /// `BBR.bw`.
    bw: Rate,
    /// `BBR.min_rtt` and `BBR.min_rtt_stamp`.
    min_rtt: Minimum,
    latest: Latest,
    aggregation: Aggregation,
    full_bw: FullBw,
    lost_ranges: LostRanges,
    /// `BBR.drain_start_round`.
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

    /// An event happens; the first one starts the clocks.
    fn at(&mut self, now: Time) {
        self.now = now;
        if !self.is_begun {
            self.is_begun = true;
            self.min_rtt.stamp = now;
            self.probe_rtt.min.stamp = now;
            self.aggregation.restart(now);
        }
    }

    /// The handshake's RTT, which the first ACK tells.
    fn learn_first_rtt(&mut self, ack: &AckEvent) {
        if !self.has_rtt && !ack.srtt.is_zero() {
            self.has_rtt = true;
            self.min_rtt.value = ack.min_rtt;
            self.probe_rtt.min.value = ack.min_rtt;
            self.pacing_rate = Self::initial_pacing_rate(self.options.initial_window, Some(ack.srtt));
        }
    }
}

impl CongestionControl for Bbr3 {
    /// `UpdateOnACK`.
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
                // OnEnterRTO: nothing is in flight, and one segment may be.
                self.cwnd = self.options.mss;
            }
            // A mark is congestion (section "ECN"): where its share is not answered it counts as a loss.
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

    /// `OnTransmit`.
    fn on_transmit_start(&mut self, now: Time, _idle: Duration, is_app_limited: bool) {
        self.at(now);
        if is_app_limited {
            self.handle_restart_from_idle();
        }
    }

    /// `HandleLostPacket`.
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
        Decision {
            cwnd: self.cwnd,
            ssthresh: None,
            pacing_rate: Some(self.pacing_rate),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "for the record")]
    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("state", f64::from(self.state as u8));
        show("max_bw", self.max_bw.max().as_bps() as f64);
        show("bw", self.bw.as_bps() as f64);
        show("pacing_gain", self.state.pacing_gain());
        show("cwnd_gain", self.state.cwnd_gain());
        show("extra_acked", self.aggregation.extra_acked() as f64);
        show("full_bw_count", f64::from(self.full_bw.count));
        show("full_bw_now", f64::from(u8::from(self.full_bw.is_now)));
        show("full_bw_reached", f64::from(u8::from(self.full_bw.is_reached)));
        show("round_count", self.rounds.count as f64);
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
            show(name, value as f64);
        }
        if self.ecn.is_on() {
            show("ecn_alpha", self.ecn.alpha());
        }
    }

    fn clone_box(&self) -> Box<dyn CongestionControl> {
        Box::new(self.clone())
    }
}
