//! YeAH-TCP (Baiocchi, Castellani & Vacirca, `PFLDnet` 2007): Scalable TCP while the queue is
//! short, and otherwise Reno that drains the queue.

use super::Avoidance;
use crate::cast::{float, integer, share};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{BaseRtt, RoundTrip, RoundTrips, VegasMeter, backlog};
use crate::window::{Increase, Tally, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, RttSample, Rule, Ruled, Setup, Time};

/// Acknowledged segments per segment of growth in fast mode (Scalable TCP's a = 0.01).
const FAST_INTERVAL: f64 = 100.0;
/// Largest share of the window that early decongestion takes in a round trip (epsilon), and largest
/// share that a loss takes.
const MAX_CUT: f64 = 0.5;
/// Smallest share of the window that a loss takes (delta).
const MIN_LOSS_CUT: f64 = 0.125;
/// RTT samples that a round needs to be judged, as in Linux's Vegas. With fewer, all may be of
/// delayed ACKs.
const MIN_SAMPLES: u32 = 3;
/// Smallest estimate of a competing Reno's window, segments.
const MIN_RENO: f64 = 2.0;

/// Thresholds of the paper.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Most segments that may be queued (`Q_max`).
    pub q_max: f64,
    /// A queueing delay of 1/phi of the smallest RTT is congestion.
    pub phi: f64,
    /// Early decongestion takes 1/gamma of the queue per round trip.
    pub gamma: f64,
    /// Slow rounds in a row that mean competition with Reno. A loss then halves.
    pub rho: f64,
    /// Fast rounds after which there is no competing Reno any more.
    pub zeta: f64,
}

/// `YeAH`. Windows are in segments, with fractions.
#[derive(Clone, Debug)]
pub struct Yeah {
    options: Options,
    /// Backlog of the last round.
    queue: f64,
    /// Estimate of a competing Reno's window. Early decongestion does not go below it.
    reno: f64,
    /// Slow rounds in a row. Zero: fast mode.
    slow_rounds: f64,
    /// Fast rounds since the last loss.
    fast_rounds: f64,
    /// Round that has ended and was not judged yet.
    ended: Option<RoundTrip>,
    base_rtt: BaseRtt,
    rounds: RoundTrips,
    increase: Increase,
}

const SOURCE: &str = "Baiocchi, Castellani & Vacirca 2007";
const FAST: Rule =
    Rule::new("fast mode: Scalable TCP's growth, a hundredth of the window per round trip", SOURCE);
const SLOW: Rule = Rule::new("slow mode: Reno's growth", SOURCE);
const EARLY: Rule = Rule::new(
    "early decongestion: the backlog is above Q_max, and 1/gamma of it is given up",
    SOURCE,
);
const ALONE: Rule = Rule::cut("takes what is queued, an eighth to a half of the window", SOURCE);
const COMPETING: Rule = Rule::cut("halves the window, because a Reno flow competes", SOURCE);

impl Yeah {
    /// A `YeAH` before its first round trip.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            queue: 0.0,
            reno: MIN_RENO,
            slow_rounds: 0.0,
            fast_rounds: 0.0,
            ended: None,
            base_rtt: BaseRtt::default(),
            rounds: RoundTrips::default(),
            increase: Increase::default(),
        }
    }

    fn is_fast(&self) -> bool {
        self.slow_rounds < 1.0
    }

    /// Sets the mode for the next round and returns the window, segments, after early decongestion.
    fn end_round(&mut self, round: &RoundTrip, mut cwnd: f64) -> f64 {
        let o = &self.options;
        let base_rtt = self.base_rtt.get();
        let delay = round.min.saturating_sub(base_rtt).as_secs_f64();
        let is_long = self.queue > o.q_max;
        if !is_long && delay <= base_rtt.as_secs_f64() / o.phi {
            self.slow_rounds = 0.0;
            self.fast_rounds += 1.0;
            if self.fast_rounds > o.zeta {
                self.reno = MIN_RENO;
                self.fast_rounds = 0.0;
            }
            return cwnd;
        }
        if is_long && cwnd > self.reno {
            cwnd = (cwnd - (self.queue / o.gamma).min(cwnd * MAX_CUT)).max(self.reno);
        }
        self.reno = if self.reno > MIN_RENO { self.reno + 1.0 } else { (cwnd / 2.0).max(MIN_RENO) };
        self.slow_rounds += 1.0;
        cwnd
    }
}

impl Avoidance for Yeah {
    fn begin(&mut self, _window: &Window, _now: crate::Time) {
        self.ended = None;
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.base_rtt.observe(ack);
        if let Some(round) = self.rounds.on_ack(ack).filter(|round| round.samples >= MIN_SAMPLES) {
            // In slow start too: a loss that ends it takes what it queued.
            self.queue = backlog(window.segments(), round.min, self.base_rtt.get());
            self.ended = Some(round);
        }
    }

    /// Early decongestion ends slow start too, as in Linux.
    fn take_over(
        &mut self,
        _ack: &AckEvent,
        window: &Window,
        _rng: &mut Rng,
    ) -> Option<Ruled<u64>> {
        let cwnd = window.segments();
        let round = self.ended.take()?;
        let after = self.end_round(&round, cwnd);
        (after < cwnd).then(|| EARLY.gives(window.in_bytes(after)))
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let cwnd = window.segments();
        let grown = if self.is_fast() {
            let growth = (cwnd / FAST_INTERVAL).max(1.0);
            FAST.gives(self.increase.per_window(growth, ack, window))
        } else {
            SLOW.gives(self.increase.per_window(1.0, ack, window))
        };
        let Some(round) = self.ended.take() else { return grown };
        let after = self.end_round(&round, cwnd);
        if after < cwnd { EARLY.gives(window.in_bytes(after)) } else { grown }
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let cwnd = window.segments();
        // Giving up what is queued is enough for a flow alone. Where the loss is not congestion,
        // the small cut keeps the link busy.
        let (cut, rule) = if self.slow_rounds < self.options.rho {
            (self.queue.clamp(cwnd * MIN_LOSS_CUT, cwnd * MAX_CUT), &ALONE)
        } else {
            (cwnd * MAX_CUT, &COMPETING)
        };
        self.fast_rounds = 0.0;
        self.reno = (self.reno / 2.0).max(MIN_RENO);
        self.rounds.restart();
        rule.gives(window.in_bytes(cwnd - cut))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("queue", self.queue);
        show("fast", f64::from(u8::from(self.is_fast())));
        show("reno", self.reno);
    }
}

/// `YeAH` as Linux computes it (`net/ipv4/tcp_yeah.c`): whole packets, and Reno's growth where it
/// is faster than Scalable's.
#[derive(Clone, Debug)]
struct YeahLinux {
    options: Options,
    meter: VegasMeter,
    tally: Tally,
    queue: u64,
    /// Estimate of a competing Reno's window, packets.
    reno: u64,
    /// Slow rounds in a row, and fast rounds since the last loss.
    slow_rounds: u64,
    fast_rounds: u64,
    /// The latest ACK has brought early decongestion.
    has_cut: bool,
}

const MIN_RENO_LINUX: u64 = 2;

impl YeahLinux {
    fn new(options: Options) -> Self {
        Self {
            options,
            meter: VegasMeter::default(),
            tally: Tally::default(),
            queue: 0,
            reno: MIN_RENO_LINUX,
            slow_rounds: 0,
            fast_rounds: 0,
            has_cut: false,
        }
    }

    /// Judges the round that the ACK has ended. Returns the window after early decongestion.
    fn judge(&mut self, cwnd: u64) -> Option<u64> {
        let o = &self.options;
        let round = self.meter.end_round()?;
        if round.samples < u64::from(MIN_SAMPLES) {
            return None;
        }
        let delay = round.min - round.base;
        self.queue = share(cwnd, delay, round.min);
        let is_long = float(self.queue) > o.q_max;
        if !is_long && float(delay) <= libm::floor(float(round.base) / o.phi) {
            self.fast_rounds += 1;
            if float(self.fast_rounds) > o.zeta {
                (self.reno, self.fast_rounds) = (MIN_RENO_LINUX, 0);
            }
            self.slow_rounds = 0;
            return None;
        }
        let after = (is_long && cwnd > self.reno).then(|| {
            let given_up = integer(float(self.queue) / o.gamma).min(cwnd / 2);
            (cwnd - given_up).max(self.reno)
        });
        self.reno = if self.reno > MIN_RENO_LINUX {
            self.reno + 1
        } else {
            (after.unwrap_or(cwnd) / 2).max(MIN_RENO_LINUX)
        };
        self.slow_rounds += 1;
        after
    }
}

impl Avoidance for YeahLinux {
    fn takes_rtts(&self) -> bool {
        true
    }

    fn on_rtt(&mut self, sample: &RttSample, _window: &Window) -> Option<Ruled<u64>> {
        self.meter.on_rtt(sample);
        None
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.meter.observe(ack);
    }

    fn on_transmit_start(&mut self, _now: Time, _idle: Duration) {
        self.meter.restart();
    }

    /// Linux judges a round with the window to which this ACK grows it.
    fn take_over(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Option<Ruled<u64>> {
        let grown = window.cwnd + ack.credited;
        let grown = window.ssthresh.map_or(grown, |ssthresh| grown.min(ssthresh));
        Some(EARLY.gives(self.judge(grown / window.mss)? * window.mss))
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let (price, rule) = if self.slow_rounds == 0 {
            (window.whole_segments().min(integer(FAST_INTERVAL)), &FAST)
        } else {
            (window.whole_segments(), &SLOW)
        };
        let grown = self.tally.next_cwnd(ack.credited, window, price);
        let after = self.judge(grown / window.mss);
        self.has_cut = after.is_some();
        after.map_or(rule.gives(grown), |after| EARLY.gives(after * window.mss))
    }

    fn next_ssthresh(&self, window: &Window) -> Option<u64> {
        if self.has_cut { Some(window.cwnd) } else { window.ssthresh }
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.tally.reset();
        let cwnd = window.whole_segments();
        let (cut, rule) = if float(self.slow_rounds) < self.options.rho {
            (self.queue.min(cwnd / 2).max(cwnd / 8), &ALONE)
        } else {
            (cwnd / 2, &COMPETING)
        };
        self.fast_rounds = 0;
        self.reno = (self.reno / 2).max(MIN_RENO_LINUX);
        rule.gives((cwnd - cut) * window.mss)
    }

    fn has_undo_state(&self) -> bool {
        false
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("queue", float(self.queue));
        show("fast", f64::from(u8::from(self.slow_rounds == 0)));
        show("reno", float(self.reno));
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let options = Options {
        q_max: values.number("q_max"),
        phi: values.number("phi"),
        gamma: values.number("gamma"),
        rho: values.number("rho"),
        zeta: values.number("zeta"),
    };
    if values.is_linux(setup) {
        Box::new(YeahLinux::new(options))
    } else {
        Box::new(Yeah::new(options))
    }
}

/// Catalogue entry `yeah`.
pub const ENTRY: Entry = Entry {
    name: "yeah",
    summary: "Scalable TCP while the queue is short; beyond that Reno, and what is queued is \
              given up.",
    parameters: &[
        Parameter::quantity("q_max", 80.0, 1.0..=1e6, "segments")
            .meaning("most that may be queued"),
        Parameter::number("phi", 8.0, 0.1..=1000.0)
            .meaning("a queueing delay of 1/phi of the smallest RTT is congestion"),
        Parameter::number("gamma", 1.0, 1.0..=100.0)
            .meaning("early decongestion takes 1/gamma of the queue per round trip"),
        Parameter::number("rho", 16.0, 1.0..=1e6)
            .meaning("after so many slow rounds in a row a loss halves the window"),
        Parameter::number("zeta", 50.0, 1.0..=1e6)
            .meaning("after so many fast rounds a competing Reno is forgotten"),
        Parameter::linux("compute as Linux, in whole packets, and never grow slower than Reno"),
    ],
    reference: "Baiocchi, Castellani & Vacirca, YeAH-TCP: Yet Another Highspeed TCP, PFLDnet \
                2007; Linux 6 net/ipv4/tcp_yeah.c",
    implies: &[],
    traits: Traits::AVOIDANCE,
    make: Make::avoidance("classic", make),
};
