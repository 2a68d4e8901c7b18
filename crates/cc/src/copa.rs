//! Copa (Arun & Balakrishnan, Copa: practical delay-based congestion control for the Internet, NSDI 2018): the window moves
//! towards a target rate that is inversely proportional to the queueing delay.
//!
//! Windows here are in segments, with fractions. Sections are the paper's; "authors' code" is `genericCC`.

use core::cmp::Reverse;

use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::measure::SlidingMin;
use crate::{AckEvent, CongestionControl, CongestionEvent, Decision, Duration, MAX_PACING_RATE, Rate, Rng, Setup, Signal, Time};

/// Section 2.1: the queue is measured by the smallest RTT of half a smoothed RTT, so that ACKs that come in bursts do not count.
const STANDING_SRTT_DIVISOR: u64 = 2;
/// Section 2.1: the pacing rate is twice cwnd / `RTTstanding`, so that pacing smooths and cwnd decides.
const PACING_GAIN: f64 = 2.0;
/// Section 2.1: v doubles only when the direction has been the same for so many round trips; in equilibrium it is for 2.5.
const SAME_DIRECTION: u32 = 3;
/// Section 2.2: a queueing delay below this share of the swing of the last [`SWING_RTTS`] is nearly an empty queue.
const NEARLY_EMPTY: f64 = 0.1;
const SWING_RTTS: u64 = 4;
/// Of the authors' code, for buffers too small for the queue that Copa wants: after so large a share of losses cwnd is cut.
const EXCESSIVE_LOSS: f64 = 0.3;
const EXCESSIVE_LOSS_LEFT: f64 = 0.7;
/// Smallest window, segments (authors' code).
const MIN_CWND: f64 = 2.0;

/// Options.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What a packet of queueing is worth against throughput.
    pub delta: f64,
    /// Whether to look for flows that fill the buffer and compete with them.
    pub competitive: bool,
    /// Round trips without a nearly empty queue after which somebody else must be filling it.
    pub patience: f64,
    /// How long a smallest RTT is believed.
    pub min_rtt_window: Duration,
}

/// Copa.
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
    /// When the queue was last seen nearly empty.
    last_empty: Option<Time>,
    is_competing: bool,
    /// 1/delta in force, segments.
    inverse_delta: f64,
    /// For undo: the state before the last signal.
    before: Option<Box<Self>>,
}

/// Section 2.1, step 4.
#[derive(Clone, Copy, Debug)]
struct Velocity {
    v: f64,
    is_up: bool,
    /// Round trips that have confirmed the direction.
    confirmed: u32,
    /// cwnd when the round trip began; `None`: the direction is younger than that.
    from: Option<f64>,
}

impl Velocity {
    fn new(is_up: bool) -> Self {
        Self {
            v: 1.0,
            is_up,
            confirmed: 0,
            from: None,
        }
    }

    fn on_round_trip(&mut self, cwnd: f64, max: f64) {
        let Some(from) = self.from.replace(cwnd) else { return };
        let is_up = cwnd > from;
        if is_up != self.is_up {
            *self = Self {
                from: self.from,
                ..Self::new(is_up)
            };
            return;
        }
        self.confirmed += 1;
        if self.confirmed >= SAME_DIRECTION {
            self.v = (2.0 * self.v).min(max).max(1.0);
        }
    }
}

impl Copa {
    /// Before the first byte.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a segment and an initial window are far below 2^53 bytes")]
    pub fn new(options: Options, setup: &Setup) -> Self {
        let cwnd = (setup.initial_window as f64 / setup.mss as f64).max(MIN_CWND);
        Self {
            options,
            mss: setup.mss as f64,
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

    /// Section 2.2.
    fn choose_mode(&mut self, ack: &AckEvent) {
        let (Some(min), Some(Reverse(max))) = (self.rtt_min.get(), self.rtt_max.get()) else {
            return;
        };
        let swing = max.saturating_sub(min).as_secs_f64();
        if self.last_empty.is_none() || self.queueing_delay() <= NEARLY_EMPTY * swing {
            self.last_empty = Some(ack.now);
        }
        let since_empty = self.last_empty.map_or(Duration::ZERO, |last| ack.now.since(last));
        let is_competing = since_empty.as_secs_f64() > self.options.patience * ack.srtt.as_secs_f64();
        if is_competing != self.is_competing {
            self.is_competing = is_competing;
            self.inverse_delta = 1.0 / self.options.delta;
            // The speed was for another target; kept, it turns a mode entered by mistake into a swing that goes on for ever.
            self.velocity = Velocity::new(self.velocity.is_up);
        }
    }

    /// Section 2.1, equation 2: dq = `RTTstanding` - `RTTmin`, seconds.
    fn queueing_delay(&self) -> f64 {
        match (self.rtt_standing.get(), self.rtt_min.get()) {
            (Some(standing), Some(min)) => standing.saturating_sub(min).as_secs_f64(),
            _ => 0.0,
        }
    }

    /// Section 2.1, step 3: cwnd / `RTTstanding` <= 1 / (delta dq).
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
            // Never more than a window per round trip, as in the authors' code.
            self.velocity.on_round_trip(self.cwnd, self.cwnd / self.inverse_delta);
        }
        #[expect(clippy::cast_precision_loss, reason = "a round trip's bytes are far below 2^53")]
        let is_excessive = last.lost as f64 > EXCESSIVE_LOSS * (last.lost + last.acked) as f64;
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
            // The speed gained in one direction is not for the other: the window would swing for ever (mvfst's Copa does the same).
            self.velocity = Velocity::new(is_below_target);
        }
        let per_segment = (self.velocity.v * self.inverse_delta / self.cwnd).min(1.0);
        if !is_below_target {
            self.cwnd = (self.cwnd - acked * per_segment).max(MIN_CWND);
        } else if may_grow {
            self.cwnd += acked * if self.in_slow_start { 1.0 } else { per_segment };
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
        #[expect(clippy::cast_precision_loss, reason = "an ACK covers far less than 2^53 bytes")]
        let acked = ack.newly_acked as f64 / self.mss;
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
            // The buffer is too small for the rate to exceed its target: without this it would double for ever.
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
        #[expect(clippy::cast_precision_loss, reason = "a restart window is far below 2^53 bytes")]
        let restart = restart_window as f64 / self.mss;
        self.cwnd = self.cwnd.min(restart).max(MIN_CWND);
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; the casts saturate")]
    fn decision(&self) -> Decision {
        let bytes = self.cwnd * self.mss;
        let standing = self.rtt_standing.get().map(Duration::as_secs_f64);
        Decision {
            cwnd: bytes as u64,
            ssthresh: None,
            pacing_rate: standing
                .filter(|standing| *standing > 0.0)
                .map(|standing| Rate::from_bps((8.0 * PACING_GAIN * bytes / standing) as u64).clamp(Rate::from_bps(1), MAX_PACING_RATE)),
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("slow_start", f64::from(u8::from(self.in_slow_start)));
        show("competing", f64::from(u8::from(self.is_competing)));
        show("delta", 1.0 / self.inverse_delta);
        show("velocity", self.velocity.v);
        show("queueing_delay", self.queueing_delay());
    }

    fn clone_box(&self) -> Box<dyn CongestionControl> {
        Box::new(self.clone())
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

/// `copa`.
pub const ENTRY: Entry = Entry {
    name: "copa",
    summary: "Keeps about 1/delta packets queued and empties the queue every 5 round trips; competes where others fill the buffer.",
    parameters: &[
        Parameter {
            name: "delta",
            default: Value::Number(0.5),
            range: (0.001, 1.0),
            unit: "1/segments",
            meaning: "weight of delay against throughput: about 1/delta packets of each flow are queued",
        },
        Parameter {
            name: "competitive",
            default: Value::Flag(true),
            range: (0.0, 0.0),
            unit: "",
            meaning: "lower delta by AIMD while the queue never empties, so as not to starve beside flows that fill it",
        },
        Parameter {
            name: "patience",
            default: Value::Number(5.0),
            range: (1.0, 1e6),
            unit: "RTTs",
            meaning: "without a nearly empty queue, after which it competes; Copa flows alone empty it every 5",
        },
        Parameter {
            name: "min_rtt_window",
            default: Value::Number(10.0),
            range: (0.1, 3600.0),
            unit: "s",
            meaning: "how long a smallest RTT is believed",
        },
    ],
    reference: "Arun & Balakrishnan, Copa: practical delay-based congestion control for the Internet, NSDI 2018",
    implies: &[("pacing", "cc")],
    make: Make::Whole(make),
};
