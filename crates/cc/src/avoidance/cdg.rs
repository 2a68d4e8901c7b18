//! CDG (Hayes & Armitage, Networking 2011): backs off with a probability that rises with the
//! gradient of the delay.

use std::collections::VecDeque;

use rand_core::Rng as _;

use super::Avoidance;
use crate::cast::float;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{DelayedAcks, MICROSECOND, RoundTrip, RoundTrips};
use crate::window::{Increase, Tally, Window};
use crate::{
    AckEvent, CaState, CongestionEvent, Duration, Rng, RttSample, Rule, Ruled, Setup, Time,
};

/// Share of the window that a loss leaves.
const LOSS_BETA: f64 = 0.5;
/// Fall of the delay that says that backing off has helped, seconds over the window of gradients
/// (Linux).
const FALLING: f64 = 32e-6;
/// Changes of the delay nearer to zero than this are noise when the queue's state is guessed,
/// seconds over the window of gradients (Linux).
const NOISE: f64 = 32e-6;

/// Parameters of the paper.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Share of the window that a backoff leaves.
    pub beta: f64,
    /// G: a gradient of G backs off with probability 1 - 1/e. Seconds per round trip.
    pub g: f64,
    /// Round trips over which gradients are averaged.
    pub window: usize,
    /// Backoffs in a row without effect that mean competition with loss-based flows. Zero: none do.
    pub ineffective: u32,
    /// Whether the window that a loss-based flow would have softens the reaction to a loss.
    pub shadow: bool,
    /// Whether a loss without a full queue counts as no congestion.
    pub tolerance: bool,
}

/// State of the bottleneck's queue, as the trends of the largest and the smallest RTT show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Queue {
    Unknown,
    NotFull,
    Full,
}

/// Reno's growth, and backoffs drawn at random by the delay's gradient.
#[derive(Clone, Debug)]
pub struct Cdg {
    options: Options,
    /// The round trip before the running one.
    previous: Option<RoundTrip>,
    /// Changes of the (smallest, largest) RTT from round to round, seconds.
    gradients: VecDeque<(f64, f64)>,
    /// Mean gradient that has not been judged, seconds per round trip.
    gradient: Option<f64>,
    queue: Queue,
    /// Backoffs since the delay last fell.
    backoffs: u32,
    /// Round in which the flow backed off. Nothing is decided until it ends.
    backing_off: Option<u64>,
    /// Window that a loss-based flow would have, bytes.
    shadow: u64,
    rounds: RoundTrips,
    delayed_acks: DelayedAcks,
    increase: Increase,
}

const SOURCE: &str = "Hayes & Armitage 2011";
const GROWTH: Rule = Rule::new("the delay does not rise: Reno's growth", SOURCE);
const BACKOFF: Rule =
    Rule::new("the delay rises: backoff, drawn with probability 1 - exp(-g/G)", SOURCE);
const NO_GROWTH: Rule = Rule::new("no growth in the round of a backoff", SOURCE);
const CUT: Rule = Rule::cut("halves the window, but not below the shadow window", SOURCE);
const TOLERATED: Rule =
    Rule::cut("changes nothing: the flow backs off already, or the queue is not full", SOURCE);

impl Cdg {
    /// A CDG before its first round trip.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            previous: None,
            gradients: VecDeque::with_capacity(options.window),
            gradient: None,
            queue: Queue::Unknown,
            backoffs: 0,
            backing_off: None,
            shadow: 0,
            rounds: RoundTrips::default(),
            delayed_acks: DelayedAcks::default(),
            increase: Increase::default(),
        }
    }

    /// Discards what was measured in a round with a cut: the cut changed the delay, not the path.
    fn forget_round(&mut self) {
        self.previous = None;
        self.gradient = None;
    }

    /// Takes the gradients of the round's smallest and largest RTT into the moving average
    /// (`tcp_cdg_grad`).
    fn end_round(&mut self, round: RoundTrip) {
        let Some(previous) = self.previous.replace(round) else { return };
        if self.gradients.len() == self.options.window {
            self.gradients.pop_front();
        }
        let change =
            |now: crate::Duration, then: crate::Duration| now.as_secs_f64() - then.as_secs_f64();
        self.gradients
            .push_back((change(round.min, previous.min), change(round.max, previous.max)));
        let sum = self.gradients.iter().fold((0.0, 0.0), |sum, g| (sum.0 + g.0, sum.1 + g.1));
        let count = float(self.gradients.len() as u64);
        self.gradient = Some(if sum.0 > 0.0 { sum.0 } else { sum.1 } / count);
        if sum.0 <= -FALLING || sum.1 <= -FALLING {
            self.backoffs = 0;
        }
        // In a full queue the smallest RTT still rises while the largest cannot.
        let (is_rising, can_rise) = (sum.0 > NOISE, sum.1 > NOISE);
        if is_rising && !can_rise {
            self.queue = Queue::Full;
        } else if (is_rising && can_rise) || sum.1 < -NOISE {
            self.queue = Queue::NotFull;
        }
    }

    /// Draws whether to back off, with probability 1 - exp(-g/G). Flows of any RTT then back off
    /// equally often on average (`tcp_cdg_backoff`).
    fn backs_off(&mut self, gradient: f64, rng: &mut Rng) -> bool {
        let draw = float(rng.next_u64() >> 11) / float(1_u64 << 53);
        if draw < libm::exp(-gradient / self.options.g) {
            return false;
        }
        self.backoffs = self.backoffs.saturating_add(1);
        self.options.ineffective == 0 || self.backoffs <= self.options.ineffective
    }
}

impl Avoidance for Cdg {
    fn begin(&mut self, window: &Window, _now: Time) {
        self.shadow = self.shadow.max(window.cwnd);
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        if ack.in_recovery {
            self.forget_round();
        }
        self.backing_off = self.backing_off.filter(|round| ack.round.count <= *round);
        if !ack.is_cwnd_limited {
            self.shadow = self.shadow.min(window.cwnd);
        }
        let is_late = self.delayed_acks.may_be_late(ack, window);
        if let Some(round) = self.rounds.on_sample(ack, ack.rtt_sample.filter(|_| !is_late)) {
            self.end_round(round);
        }
    }

    fn take_over(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Option<Ruled<u64>> {
        let gradient = self.gradient.take().filter(|gradient| *gradient > 0.0)?;
        self.backs_off(gradient, rng).then(|| {
            self.backing_off = Some(ack.round.count);
            self.forget_round();
            self.shadow = self.shadow.max(window.cwnd);
            BACKOFF.gives(window.in_bytes(window.segments() * self.options.beta))
        })
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Ruled<u64> {
        if self.backing_off.is_some() {
            return NO_GROWTH.gives(window.cwnd);
        }
        if let Some(backoff) = self.take_over(ack, window, rng) {
            return backoff;
        }
        let grown = self.increase.per_window(1.0, ack, window);
        self.shadow = self.shadow.saturating_add(grown - window.cwnd);
        GROWTH.gives(grown)
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.forget_round();
        let is_tolerated = self.options.tolerance && self.queue == Queue::NotFull;
        self.queue = Queue::Unknown;
        if self.backing_off.is_some() || is_tolerated {
            return TOLERATED.gives(window.cwnd);
        }
        let halved = window.in_bytes(window.segments() * LOSS_BETA);
        self.shadow = (self.shadow / 2).min(window.cwnd);
        CUT.gives(if self.options.shadow { self.shadow.max(halved) } else { halved })
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("shadow", float(self.shadow));
        show("backoffs", f64::from(self.backoffs));
        if let Some(&(min, max)) = self.gradients.back() {
            show("gradient_min", min);
            show("gradient_max", max);
        }
    }
}

/// CDG as Linux computes it (`net/ipv4/tcp_cdg.c`): microseconds and whole packets, a `HyStart` of
/// its own, and backoffs over a round trip, in which the window does not grow.
#[derive(Clone, Debug)]
struct CdgLinux {
    options: Options,
    /// Smallest and largest RTT of the running round and of the one before; zero: none.
    rtt: Range,
    previous: Range,
    /// Gradients of the last rounds, a ring, and their sums.
    gradients: Vec<Range>,
    sums: Range,
    tail: usize,
    is_filled: bool,
    queue: Queue,
    is_backing_off: bool,
    wants_reduction: bool,
    backoffs: u32,
    /// ACKs of several segments less those of one: how often a late ACK is to be expected.
    delayed: u8,
    /// SND.NXT when the round began.
    end: u64,
    una: u64,
    next: u64,
    /// Window that a loss-based flow would have, packets; `None` before the first ACK.
    shadow: Option<u64>,
    tally: Tally,
    /// State of `HyStart`: smallest RTT, ACKs in the round, instants of the latest ACK of the train
    /// and of its beginning.
    delay_min: i64,
    samples: u32,
    train: Option<(Time, Time)>,
}

/// The smallest and the largest of something, microseconds.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Range {
    min: i64,
    max: i64,
}

/// Share of the window that a backoff leaves, 1024ths (sqrt(0.5)).
const BACKOFF_BETA: u64 = 724;
/// A gradient of 1e6 / 42 us, summed over the window of gradients, backs off with probability
/// 1 - 1/e (`backoff_factor`).
const BACKOFF_FACTOR: f64 = 42e-6;
/// Sums of gradients nearer to zero are noise, microseconds.
const NOISE_LINUX: i64 = 32;
/// ACKs so close belong to a train.
const TRAIN_GAP: Duration = Duration::from_millis(3);
/// Least length of a train, and least RTT above the smallest, that ends slow start, microseconds.
const LEAST_DELAY: i64 = 125;
/// Samples of a round before its smallest RTT counts.
const FIRST_SAMPLES: u32 = 8;
/// Largest `delayed`.
const MEMORY: u8 = 5;

const TRAIN: Rule = Rule::new(
    "CDG's HyStart ends slow start: the ACK train is as long as the path, or the RTT has risen",
    "Linux 6 net/ipv4/tcp_cdg.c, tcp_cdg_hystart_update",
);

/// The smaller number that is not zero.
fn min_not_zero(one: i64, other: i64) -> i64 {
    if one == 0 || other != 0 && other < one { other } else { one }
}

impl CdgLinux {
    fn new(options: Options) -> Self {
        Self {
            rtt: Range::default(),
            previous: Range::default(),
            gradients: vec![Range::default(); options.window],
            options,
            sums: Range::default(),
            tail: 0,
            is_filled: false,
            queue: Queue::Unknown,
            is_backing_off: false,
            wants_reduction: false,
            backoffs: 0,
            delayed: 0,
            end: 0,
            una: 0,
            next: 0,
            shadow: None,
            tally: Tally::default(),
            delay_min: 0,
            samples: 0,
            train: None,
        }
    }

    /// Whether slow start ends (`tcp_cdg_hystart_update`).
    fn ends_slow_start(&mut self, now: Time) -> bool {
        self.delay_min = min_not_zero(self.delay_min, self.rtt.min);
        if self.delay_min == 0 {
            return false;
        }
        match self.train {
            None => self.train = Some((now, now)),
            Some((last, began)) if now < last + TRAIN_GAP => {
                self.train = Some((now, began));
                let length = (self.delay_min / 2).max(LEAST_DELAY);
                if microseconds(now.since(began)) > length {
                    return true;
                }
            }
            Some(_) => {}
        }
        if self.samples < FIRST_SAMPLES {
            self.samples += 1;
            return false;
        }
        self.rtt.min > (self.delay_min + self.delay_min / 8).max(LEAST_DELAY)
    }

    /// Sum of the gradients, extrapolated to a whole window of them (`tcp_cdg_grad`).
    fn gradient(&mut self) -> i64 {
        let latest =
            Range { min: self.rtt.min - self.previous.min, max: self.rtt.max - self.previous.max };
        let oldest = core::mem::replace(&mut self.gradients[self.tail], latest);
        self.sums.min += latest.min - oldest.min;
        self.sums.max += latest.max - oldest.max;
        self.tail = (self.tail + 1) % self.gradients.len();
        let Range { min, max } = self.sums;
        let mut gradient = if min > 0 { min } else { max };
        self.is_filled |= self.tail == 0;
        if !self.is_filled {
            gradient = gradient * length(self.gradients.len()) / length(self.tail);
        }
        if min <= -NOISE_LINUX || max <= -NOISE_LINUX {
            self.backoffs = 0;
        }
        let (is_rising, can_rise) = (min >= NOISE_LINUX, max >= NOISE_LINUX);
        if is_rising && !can_rise {
            self.queue = Queue::Full;
        } else if is_rising && can_rise || max <= -NOISE_LINUX {
            self.queue = Queue::NotFull;
        }
        gradient
    }

    /// Ends a round, and draws whether to back off (`tcp_cdg_backoff`).
    fn backs_off(&mut self, window: &Window, rng: &mut Rng) -> bool {
        if self.una <= self.end || self.rtt == Range::default() {
            return false;
        }
        let gradient = if self.previous == Range::default() { 0 } else { self.gradient() };
        self.begin_round();
        (self.train, self.samples) = (None, 0);
        if gradient <= 0 {
            return false;
        }
        let draw = f64::from(rng.next_u32()) / f64::from(u32::MAX);
        if draw <= libm::exp(-float(gradient.unsigned_abs()) * BACKOFF_FACTOR) {
            return false;
        }
        if self.options.ineffective > 0 {
            self.backoffs += 1;
            if self.backoffs > self.options.ineffective {
                return false;
            }
        }
        self.shadow = self.shadow.max(Some(window.whole_segments()));
        (self.is_backing_off, self.wants_reduction) = (true, true);
        true
    }

    fn begin_round(&mut self) {
        self.end = self.next;
        self.previous = core::mem::take(&mut self.rtt);
    }

    fn grow(&mut self, ack: &AckEvent, window: &Window) -> u64 {
        let grown = self.tally.reno(ack.credited, window);
        self.note_growth((grown - window.cwnd) / window.mss);
        grown
    }

    fn note_growth(&mut self, packets: u64) {
        self.shadow = self.shadow.map(|shadow| shadow + packets);
    }
}

impl Avoidance for CdgLinux {
    fn set_up(&mut self, setup: &Setup) {
        self.shadow = Some(setup.initial_window / setup.mss);
    }

    fn takes_rtts(&self) -> bool {
        true
    }

    /// `tcp_cdg_acked`.
    fn on_rtt(&mut self, sample: &RttSample, window: &Window) -> Option<Ruled<u64>> {
        (self.una, self.next) = (sample.una, sample.next);
        let rtt = microseconds(sample.rtt);
        if sample.state == CaState::Open {
            let acked = sample.acked / window.mss;
            if acked == 1 && self.delayed > 0 {
                self.rtt.min = self.rtt.min.min(rtt);
                self.delayed -= 1;
                return None;
            }
            self.delayed = (self.delayed + u8::from(acked > 1)).min(MEMORY);
        }
        self.rtt.min = min_not_zero(self.rtt.min, rtt);
        self.rtt.max = self.rtt.max.max(rtt);
        None
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        if ack.in_recovery || ack.newly_acked == 0 {
            return;
        }
        if !ack.is_cwnd_limited {
            self.shadow = self.shadow.min(Some(window.whole_segments()));
            self.train = None;
        }
    }

    /// CDG's own `HyStart` takes the place of others.
    fn discards_rtts(&self, _now: Time) -> bool {
        true
    }

    fn take_over(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Option<Ruled<u64>> {
        let ends = self.ends_slow_start(ack.now);
        if self.backs_off(window, rng) {
            return Some(BACKOFF.gives(window.cwnd));
        }
        if ends {
            return Some(TRAIN.gives(self.grow(ack, window)));
        }
        self.note_growth(ack.credited / window.mss);
        None
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Ruled<u64> {
        if self.backs_off(window, rng) {
            return BACKOFF.gives(window.cwnd);
        }
        GROWTH.gives(self.grow(ack, window))
    }

    fn reduces_itself(&self) -> bool {
        true
    }

    fn takes_reduction(&mut self) -> bool {
        core::mem::take(&mut self.wants_reduction)
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.tally.reset();
        let cwnd = window.whole_segments();
        if self.is_backing_off {
            return BACKOFF.gives(cwnd * BACKOFF_BETA / 1024 * window.mss);
        }
        if self.options.tolerance && self.queue == Queue::NotFull {
            return TOLERATED.gives(window.cwnd);
        }
        let shadow = (self.shadow.unwrap_or(0) / 2).min(cwnd);
        self.shadow = Some(shadow);
        let left = if self.options.shadow { shadow.max(cwnd / 2) } else { cwnd / 2 };
        CUT.gives(left * window.mss)
    }

    /// `CA_EVENT_COMPLETE_CWR`.
    fn on_reduced(&mut self, _window: &Window) -> Option<Ruled<u64>> {
        (self.is_backing_off, self.queue) = (false, Queue::Unknown);
        self.begin_round();
        None
    }

    fn has_undo_state(&self) -> bool {
        false
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("shadow", float(self.shadow.unwrap_or(0)));
        show("backoffs", f64::from(self.backoffs));
    }
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn microseconds(span: Duration) -> i64 {
    i64::try_from(span.as_ps() / MICROSECOND.as_ps()).unwrap_or(i64::MAX)
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let options = Options {
        beta: values.number("beta"),
        g: values.number("g") * 1e-3,
        window: values.count("window") as usize,
        ineffective: values.count("ineffective"),
        shadow: values.flag("shadow"),
        tolerance: values.flag("tolerance"),
    };
    if values.is_linux(setup) {
        Box::new(CdgLinux::new(options))
    } else {
        Box::new(Cdg::new(options))
    }
}

/// Catalogue entry `cdg`.
pub const ENTRY: Entry = Entry {
    name: "cdg",
    summary: "Reno's growth; backs off at random, the more probably the faster the delay rises.",
    parameters: &[
        Parameter::number("beta", 0.7, 0.1..=0.99)
            .meaning("what a backoff by delay leaves of the window (Linux: 0.707)"),
        Parameter::quantity("g", 3.0, 0.001..=1000.0, "ms").meaning(
            "a delay that rises by so much per round trip backs off with probability 0.63",
        ),
        Parameter::number("window", 8.0, 1.0..=256.0)
            .meaning("round trips over which gradients are averaged"),
        Parameter::number("ineffective", 5.0, 0.0..=1e6).meaning(
            "backoffs without effect after which it backs off no more until the delay \
                      falls; 0: never",
        ),
        Parameter::flag("shadow", true)
            .meaning("after a loss the window of a loss-based flow, where that is larger"),
        Parameter::flag("tolerance", false)
            .meaning("a loss without signs of a full queue is no congestion (the paper: true)"),
        Parameter::linux(
            "as Linux: beta 0.707 and g 3 ms, backoffs over a round trip, a HyStart of its own",
        ),
    ],
    reference: "Hayes & Armitage, Revisiting TCP congestion control using delay gradients, \
                Networking 2011; Linux 6 net/ipv4/tcp_cdg.c",
    implies: &[],
    traits: Traits { draws: true, ..Traits::DELAY_BASED },
    make: Make::avoidance("hystart", make),
};
