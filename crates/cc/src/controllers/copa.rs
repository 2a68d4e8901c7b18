//! Copa (Arun & Balakrishnan, Copa: practical delay-based congestion control for the Internet, NSDI
//! 2018): the window moves towards a target rate that is inversely proportional to the queueing
//! delay.
//!
//! Windows are in segments, with fractions. Sections are those of the paper; "authors' code" is
//! `genericCC`.

use core::cmp::Reverse;

use crate::cast::{float, integer};
use crate::entry::traits::Answers;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::SlidingMin;
use crate::{
    AckEvent, Call, CongestionControl, CongestionEvent, Decision, Duration, MAX_PACING_RATE, Rate,
    Rng, Rule, Setup, Signal, Time,
};

/// Section 2.1: the queue is measured by the smallest RTT of half a smoothed RTT, so that ACKs in
/// bursts do not count.
const STANDING_SRTT_DIVISOR: u64 = 2;
/// Section 2.1: the pacing rate is twice cwnd / `RTTstanding`. Pacing smooths, and cwnd decides.
const PACING_GAIN: f64 = 2.0;
/// Section 2.1: round trips in one direction after which v doubles. In equilibrium a direction
/// lasts 2.5.
const SAME_DIRECTION: u32 = 3;
/// Section 2.2: share of the swing of the last [`SWING_RTTS`] below which the queue is nearly
/// empty.
const NEARLY_EMPTY: f64 = 0.1;
const SWING_RTTS: u64 = 4;
/// Share of losses after which cwnd is cut, and the share of cwnd that the cut leaves. The authors'
/// code has it for buffers too small for the queue that Copa wants.
const EXCESSIVE_LOSS: f64 = 0.3;
const EXCESSIVE_LOSS_LEFT: f64 = 0.7;
/// Smallest window, segments (authors' code).
const MIN_CWND: f64 = 2.0;

/// Parameters of [`Copa`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Weight of delay against throughput.
    pub delta: f64,
    /// Whether Copa looks for flows that fill the buffer and competes with them.
    pub competitive: bool,
    /// Round trips without a nearly empty queue after which somebody else must be filling it.
    pub patience: f64,
    /// Time for which a smallest RTT is believed.
    pub min_rtt_window: Duration,
}

/// The controller.
#[derive(Clone, Debug)]
pub struct Copa {
    options: Options,
    mss: f64,
    cwnd: f64,
    in_slow_start: bool,
    rtt_min: SlidingMin<Duration>,
    rtt_standing: SlidingMin<Duration>,
    rtt_max: SlidingMin<Reverse<Duration>>,
    velocity: Velocity,
    /// Instant at which the queue was last nearly empty.
    last_empty: Option<Time>,
    is_competing: bool,
    /// 1/delta in force, segments.
    inverse_delta: f64,
    /// State before the last signal, for undo.
    before: Option<Box<Self>>,
    /// Rule of the latest ACK.
    rule: &'static Rule,
}

const SOURCE: &str = "Arun & Balakrishnan 2018 section 2.1";
const SLOW_START: Rule =
    Rule::new("slow start: the window doubles while below the target rate", SOURCE);
const GROWS: Rule = Rule::new(
    "the rate is below 1 / (delta dq): the window grows by v / (delta cwnd) per ACK",
    SOURCE,
);
const FALLS: Rule = Rule::new(
    "the rate is above 1 / (delta dq): the window falls by v / (delta cwnd) per ACK",
    SOURCE,
);
const STAYS: Rule = Rule::new("the window is at its floor, or was not used up: it stays", SOURCE);

/// Velocity of section 2.1, step 4.
#[derive(Clone, Copy, Debug)]
struct Velocity {
    v: f64,
    is_up: bool,
    /// Round trips that have confirmed the direction.
    confirmed: u32,
    /// cwnd when the round trip began. `None`: the direction is younger than the round trip.
    from: Option<f64>,
}

impl Velocity {
    fn new(is_up: bool) -> Self {
        Self { v: 1.0, is_up, confirmed: 0, from: None }
    }

    fn on_round_trip(&mut self, cwnd: f64, max: f64) {
        let Some(from) = self.from.replace(cwnd) else { return };
        let is_up = cwnd > from;
        if is_up != self.is_up {
            *self = Self { from: self.from, ..Self::new(is_up) };
            return;
        }
        self.confirmed += 1;
        if self.confirmed >= SAME_DIRECTION {
            self.v = (2.0 * self.v).min(max).max(1.0);
        }
    }
}

impl Copa {
    /// A Copa before the first byte.
    #[must_use]
    pub fn new(options: Options, setup: &Setup) -> Self {
        let cwnd = (float(setup.initial_window) / float(setup.mss)).max(MIN_CWND);
        Self {
            options,
            mss: float(setup.mss),
            cwnd,
            in_slow_start: true,
            rtt_min: SlidingMin::default(),
            rtt_standing: SlidingMin::default(),
            rtt_max: SlidingMin::default(),
            velocity: Velocity::new(true),
            last_empty: None,
            is_competing: false,
            inverse_delta: 1.0 / options.delta,
            before: None,
            rule: &SLOW_START,
        }
    }

    fn observe_rtt(&mut self, rtt: Duration, ack: &AckEvent) {
        self.rtt_min.add(ack.now, rtt, self.options.min_rtt_window);
        self.rtt_standing.add(ack.now, rtt, ack.srtt / STANDING_SRTT_DIVISOR);
        self.rtt_max.add(ack.now, Reverse(rtt), ack.srtt.saturating_mul(SWING_RTTS));
        if self.options.competitive {
            self.choose_mode(ack);
        }
    }

    /// Chooses the default or the competitive mode (section 2.2).
    fn choose_mode(&mut self, ack: &AckEvent) {
        let (Some(min), Some(Reverse(max))) = (self.rtt_min.get(), self.rtt_max.get()) else {
            return;
        };
        let swing = max.saturating_sub(min).as_secs_f64();
        if self.last_empty.is_none() || self.queueing_delay() <= NEARLY_EMPTY * swing {
            self.last_empty = Some(ack.now);
        }
        let since_empty = self.last_empty.map_or(Duration::ZERO, |last| ack.now.since(last));
        let is_competing =
            since_empty.as_secs_f64() > self.options.patience * ack.srtt.as_secs_f64();
        if is_competing != self.is_competing {
            self.is_competing = is_competing;
            self.inverse_delta = 1.0 / self.options.delta;
            // The velocity was for another target. Kept, it would turn a mode that was entered by
            // mistake into a swing that never ends.
            self.velocity = Velocity::new(self.velocity.is_up);
        }
    }

    /// Queueing delay dq = `RTTstanding` - `RTTmin`, seconds (section 2.1, equation 2).
    fn queueing_delay(&self) -> f64 {
        match (self.rtt_standing.get(), self.rtt_min.get()) {
            (Some(standing), Some(min)) => standing.saturating_sub(min).as_secs_f64(),
            _ => 0.0,
        }
    }

    /// Whether cwnd / `RTTstanding` <= 1 / (delta dq) (section 2.1, step 3).
    fn is_below_target(&self) -> bool {
        let standing = self.rtt_standing.get().unwrap_or(Duration::ZERO).as_secs_f64();
        self.cwnd * self.queueing_delay() <= standing * self.inverse_delta
    }

    fn on_round_trip(&mut self, ack: &AckEvent) {
        let last = &ack.round.last;
        if self.is_competing && last.lost == 0 {
            // Section 2.2: AIMD on 1/delta.
            self.inverse_delta += 1.0;
        }
        if !self.in_slow_start {
            // As in the authors' code, at most a window per round trip.
            self.velocity.on_round_trip(self.cwnd, self.cwnd / self.inverse_delta);
        }
        let is_excessive = float(last.lost) > EXCESSIVE_LOSS * float(last.lost + last.acked);
        if is_excessive {
            self.cwnd *= EXCESSIVE_LOSS_LEFT;
            self.leave_slow_start();
        }
    }

    fn leave_slow_start(&mut self) {
        self.in_slow_start = false;
        self.velocity = Velocity::new(false);
    }

    fn move_window(&mut self, acked: f64, may_grow: bool) {
        let is_below_target = self.is_below_target();
        if self.in_slow_start && !is_below_target {
            self.leave_slow_start();
        }
        if is_below_target != self.velocity.is_up && self.velocity.v > 1.0 {
            // The velocity gained in one direction is not for the other, or the window would swing
            // for ever. mvfst's Copa does the same.
            self.velocity = Velocity::new(is_below_target);
        }
        let per_segment = (self.velocity.v * self.inverse_delta / self.cwnd).min(1.0);
        if !is_below_target {
            self.rule = if self.cwnd > MIN_CWND { &FALLS } else { &STAYS };
            self.cwnd = (self.cwnd - acked * per_segment).max(MIN_CWND);
        } else if self.in_slow_start {
            self.rule = &SLOW_START;
            if may_grow {
                self.cwnd += acked;
            }
        } else if may_grow {
            self.rule = &GROWS;
            self.cwnd += acked * per_segment;
        } else {
            self.rule = &STAYS;
        }
    }
}

impl CongestionControl for Copa {
    fn on_ack(&mut self, ack: &AckEvent, _rng: &mut Rng) {
        if let Some(rtt) = ack.rtt_sample {
            self.observe_rtt(rtt, ack);
        }
        if ack.round.start {
            self.on_round_trip(ack);
        }
        let acked = float(ack.newly_acked) / self.mss;
        self.move_window(acked, ack.is_cwnd_limited);
        self.cwnd = self.cwnd.max(MIN_CWND);
    }

    fn on_congestion(&mut self, event: &CongestionEvent, _rng: &mut Rng) {
        self.before = None;
        self.before = Some(Box::new(self.clone()));
        if event.signal == Signal::Rto {
            self.cwnd = MIN_CWND;
            self.in_slow_start = true;
        } else if self.in_slow_start {
            // The buffer is too small for the rate to exceed its target. Without this the window
            // would double for ever.
            self.leave_slow_start();
        }
        if self.is_competing {
            self.inverse_delta = (self.inverse_delta / 2.0).max(1.0 / self.options.delta);
        }
    }

    fn on_spurious(&mut self, _now: Time) {
        if let Some(before) = self.before.take() {
            *self = *before;
        }
    }

    fn owns_window(&self) -> bool {
        true
    }

    fn on_idle_restart(&mut self, restart_window: u64, _now: Time) {
        let restart = float(restart_window) / self.mss;
        self.cwnd = self.cwnd.min(restart).max(MIN_CWND);
    }

    fn decision(&self) -> Decision {
        let bytes = self.cwnd * self.mss;
        let standing = self.rtt_standing.get().map(Duration::as_secs_f64);
        Decision {
            cwnd: integer(bytes),
            ssthresh: None,
            pacing_rate: standing.filter(|standing| *standing > 0.0).map(|standing| {
                Rate::from_bps(integer(8.0 * PACING_GAIN * bytes / standing))
                    .clamp(Rate::from_bps(1), MAX_PACING_RATE)
            }),
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("slow_start", f64::from(u8::from(self.in_slow_start)));
        show("competing", f64::from(u8::from(self.is_competing)));
        show("delta", 1.0 / self.inverse_delta);
        show("velocity", self.velocity.v);
        show("queueing_delay", self.queueing_delay());
    }

    fn rule(&self, call: Call) -> String {
        let rule = match call {
            Call::Ack | Call::Rtt | Call::Interval => *self.rule,
            Call::Congestion(Signal::Rto) | Call::RepeatedTimeout | Call::LossWindow => Rule::new(
                "a timeout: two segments, and slow start begins again",
                "RFC 5681 section 3.1",
            ),
            Call::Congestion(_) => Rule::cut(
                "ends slow start and, in competitive mode, halves 1 / delta; cwnd stays",
                "Arun & Balakrishnan 2018 section 2.2",
            ),
            Call::RecoveryInReducedWindow | Call::RecoveryExit => {
                Rule::new("the window follows the target rate in recovery, too", SOURCE)
            }
            Call::Undo => Rule::new(
                "the loss was a mistake: the state from before it comes back",
                "RFC 4015 section 3.4",
            ),
            Call::IdleRestart | Call::WindowKept | Call::LostSyn => Rule::new(
                "the window is at most the one that the sender restarts with",
                "RFC 5681 sections 3.1 and 4.1",
            ),
            Call::TransmitStart | Call::Handshake => {
                Rule::new("the pacing rate is 2 cwnd / RTTstanding", SOURCE)
            }
        };
        rule.text(call)
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn CongestionControl> {
    let options = Options {
        delta: values.number("delta"),
        competitive: values.flag("competitive"),
        patience: values.number("patience"),
        min_rtt_window: Duration::from_secs_f64(values.number("min_rtt_window")),
    };
    Box::new(Copa::new(options, setup))
}

/// Catalogue entry `copa`.
pub const ENTRY: Entry = Entry {
    name: "copa",
    summary: "Keeps about 1/delta packets queued and empties the queue every 5 round trips; \
              competes where others fill the buffer.",
    parameters: &[
        Parameter::quantity("delta", 0.5, 0.001..=1.0, "1/segments").meaning(
            "weight of delay against throughput: about 1/delta packets of each flow are \
                      queued",
        ),
        Parameter::flag("competitive", true).meaning(
            "lower delta by AIMD while the queue never empties, so as not to starve \
                      beside flows that fill it",
        ),
        Parameter::quantity("patience", 5.0, 1.0..=1e6, "RTTs").meaning(
            "without a nearly empty queue, after which it competes; Copa flows alone \
                      empty it every 5",
        ),
        Parameter::quantity("min_rtt_window", 10.0, 0.1..=3600.0, "s")
            .meaning("how long a smallest RTT is believed"),
    ],
    reference: "Arun & Balakrishnan, Copa: practical delay-based congestion control for the \
                Internet, NSDI 2018",
    implies: &[("pacing", "cc")],
    traits: Traits {
        answers: Answers { delay: true, ..Traits::MODEL_BASED.answers },
        ..Traits::MODEL_BASED
    },
    make: Make::whole(make),
};
