//! TCP-LP (Kuzmanovic & Knightly, INFOCOM 2003, `ToN` 14(4) 2006): yields as soon as the one-way
//! delay says that others send.

use rand_core::Rng as _;

use super::Avoidance;
use crate::cast::integer;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::DelayedAcks;
use crate::window::{Increase, Tally, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, RttSample, Rule, Ruled, Setup, Time};

/// Weight of a new one-way delay in the smoothed one (the paper's gamma).
const SMOOTHING: f64 = 0.125;
/// Share of the window that congestion leaves, whether seen early or by a loss.
const BETA: f64 = 0.5;
/// Largest delay after an early indication, as a multiple of the present one (Linux).
const RESET_MAX: f64 = 2.0;

/// Parameters of the paper.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Share of the range of delays from which there is early congestion (delta).
    pub threshold: f64,
    /// Length of the inference phase, round trips.
    pub inference: u64,
    /// Whether an early indication makes the present delay the smallest (Linux).
    pub reset: bool,
}

/// One-way delays, seconds.
#[derive(Clone, Copy, Debug)]
struct Delays {
    /// Smoothed delay since the last cut had its effect. `None`: nothing was measured since.
    smoothed: Option<f64>,
    min: f64,
    max: f64,
}

/// Reno's growth, and an early reaction to a rising delay.
#[derive(Clone, Debug)]
pub struct Lp {
    options: Options,
    delays: Option<Delays>,
    /// Whether the newest ACK says that others send.
    is_early: bool,
    delayed_acks: DelayedAcks,
    /// Instant and round of the last early indication.
    yielded: Option<(Time, u64)>,
    increase: Increase,
}

const SOURCE: &str = "Kuzmanovic & Knightly 2006";
const GROWTH: Rule = Rule::new("nobody else sends: Reno's growth", SOURCE);
const EARLY: Rule = Rule::new(
    "early congestion by the one-way delay: the window is halved, or one segment if the last sign \
     was an inference phase ago at most",
    SOURCE,
);
const INFERENCE: Rule = Rule::new("inference phase after an early sign: no growth", SOURCE);
const CUT: Rule = Rule::cut("halves the window", SOURCE);

impl Lp {
    /// An LP before its first delay.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            delays: None,
            is_early: false,
            delayed_acks: DelayedAcks::default(),
            yielded: None,
            increase: Increase::default(),
        }
    }

    /// One-way delay, as far as it is the path's.
    ///
    /// The timestamp that comes back is that of the earliest segment, which may have waited at the
    /// receiver for the next one. The RTT is that of the newest segment and bounds what can have
    /// been queued.
    fn measure(&mut self, ack: &AckEvent, window: &Window) -> Option<f64> {
        let is_late = self.delayed_acks.may_be_late(ack, window);
        let (delay, rtt) = (ack.one_way_delay?.as_secs_f64(), ack.rtt_sample?);
        let queueing = rtt.saturating_sub(ack.min_rtt).as_secs_f64();
        let bound = self.delays.map_or(delay, |d| d.min + queueing);
        (!is_late).then_some(delay.min(bound))
    }

    fn is_inferring(&self, now: Time, srtt: Duration) -> bool {
        let phase = srtt.saturating_mul(self.options.inference);
        self.yielded.is_some_and(|(at, _)| now.since(at) < phase)
    }

    fn on_early_congestion(&mut self, ack: &AckEvent, window: &Window) -> u64 {
        // A second indication within the inference phase means that others are there.
        let cwnd = if self.is_inferring(ack.now, ack.srtt) { window.mss } else { window.cwnd / 2 };
        self.yielded = Some((ack.now, ack.round.count));
        if let Some(d) = &mut self.delays
            && let Some(smoothed) = d.smoothed.take()
            && self.options.reset
        {
            d.min = smoothed;
            d.max = RESET_MAX * smoothed;
        }
        cwnd.max(window.mss)
    }
}

impl Avoidance for Lp {
    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.is_early = false;
        let Some(delay) = self.measure(ack, window) else { return };
        let d = self.delays.get_or_insert(Delays { smoothed: None, min: delay, max: delay });
        d.min = d.min.min(delay);
        d.max = d.max.max(delay);
        // What was sent before a cut comes back in this round and the next. It cannot tell whether
        // the cut helped.
        let is_answer = self.yielded.is_none_or(|(_, round)| ack.round.count > round + 1);
        if ack.in_recovery || !is_answer {
            return;
        }
        // Congestion is early when the smoothed delay leaves the lowest part of its range.
        let smoothed =
            d.smoothed.map_or(delay, |smoothed| smoothed + SMOOTHING * (delay - smoothed));
        d.smoothed = Some(smoothed);
        self.is_early = smoothed > d.min + self.options.threshold * (d.max - d.min);
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        if self.is_early {
            EARLY.gives(self.on_early_congestion(ack, window))
        } else if self.is_inferring(ack.now, ack.srtt) {
            INFERENCE.gives(window.cwnd)
        } else {
            GROWTH.gives(self.increase.per_window(1.0, ack, window))
        }
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        if let Some(d) = &mut self.delays {
            d.smoothed = None;
        }
        CUT.gives(window.in_bytes(window.segments() * BETA))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(d) = &self.delays {
            if let Some(smoothed) = d.smoothed {
                show("owd", smoothed);
            }
            show("owd_min", d.min);
            show("owd_max", d.max);
        }
    }
}

/// TCP-LP as Linux computes it from the ACKs' timestamps (`net/ipv4/tcp_lp.c`).
///
/// The receiver's timestamps begin at a random number, and LP's delay is the difference of the two
/// clocks, in which the path's milliseconds are the last digits. The smoothed delay has 29 bits of
/// its 32. So seven connections of eight see no early congestion ever, and are Reno. The eighth
/// takes its first delay for early congestion, for it is not below a threshold that is itself. Then
/// the largest delay becomes twice the smallest, and the threshold is out of reach.
#[derive(Clone, Debug)]
struct LpLinux {
    options: Options,
    /// Origin of the receiver's timestamps. `None` before the first ACK. The kernel takes the
    /// sender's out again, so that its clock counts from the start of the host.
    origin: Option<u32>,
    /// Timestamps of the ACK before: the echo and the receiver's.
    before: Option<(u32, u32)>,
    /// Steps of the receiver's clock per second.
    remote_rate: u32,
    /// Smoothed delay, eighths of a step.
    smoothed: u32,
    /// Smallest delay; largest, which lags by one; and the largest of all.
    min: u32,
    max: u32,
    reserve: u32,
    /// Time of the last early sign, and length of the inference phase, steps.
    yielded: Option<u32>,
    inference: u32,
    is_inferring: bool,
    tally: Tally,
}

/// Steps of the sender's clock per second.
const STEPS: u32 = 1000;

impl LpLinux {
    fn new(options: Options) -> Self {
        Self {
            options,
            origin: None,
            before: None,
            remote_rate: 0,
            smoothed: 0,
            min: u32::MAX,
            max: 0,
            reserve: 0,
            yielded: None,
            inference: 0,
            is_inferring: false,
            tally: Tally::default(),
        }
    }

    /// The difference of the clocks (`tcp_lp_owd_calculator`). `None` before the rate of the
    /// receiver's clock is known.
    fn delay(&mut self, echo: u32, remote: u32) -> Option<u32> {
        let (echo_before, remote_before) = self.before.replace((echo, remote))?;
        let ours = echo.wrapping_sub(echo_before);
        let theirs = remote.wrapping_sub(remote_before);
        if ours > 0 && theirs > 0 {
            let rate = STEPS.wrapping_mul(theirs) / ours;
            // The fractions of the mean are lost each time.
            self.remote_rate = match self.remote_rate {
                0 => rate,
                old => old.saturating_mul(63).saturating_add(rate) / 64,
            };
        }
        let origin = self.origin?;
        let scale = STEPS.checked_div(self.remote_rate)?;
        let remote = remote.wrapping_add(origin).wrapping_mul(scale);
        Some(remote.wrapping_sub(echo)).filter(|delay| *delay > 0)
    }

    /// `tcp_lp_rtt_sample`.
    fn measure(&mut self, delay: u32) {
        self.min = self.min.min(delay);
        if delay > self.reserve && delay > self.max {
            self.max = if self.reserve == 0 { delay } else { self.reserve };
            self.reserve = delay;
        } else {
            self.max = self.max.max(delay);
        }
        self.smoothed = match self.smoothed {
            0 => delay << 3,
            old => old.wrapping_add(delay).wrapping_sub(old >> 3),
        };
    }

    /// Smoothed delay above which there is early congestion.
    fn threshold(&self) -> u32 {
        let percent = u32::try_from(integer(self.options.threshold * 100.0)).unwrap_or(100);
        self.min.wrapping_add(self.max.wrapping_sub(self.min).wrapping_mul(percent) / 100)
    }
}

impl Avoidance for LpLinux {
    fn takes_rtts(&self) -> bool {
        true
    }

    /// `tcp_lp_pkts_acked`.
    fn on_rtt(&mut self, sample: &RttSample, window: &Window) -> Option<Ruled<u64>> {
        let stamps = sample.timestamps?;
        if let Some(delay) = self.delay(stamps.echo, stamps.remote) {
            self.measure(delay);
        }
        let (now, echo) = (stamps.now, stamps.echo);
        let rtt = now.wrapping_sub(echo);
        if rtt > 0 {
            self.inference =
                rtt.saturating_mul(u32::try_from(self.options.inference).unwrap_or(u32::MAX));
        }
        self.is_inferring = self.yielded.is_some_and(|at| now.wrapping_sub(at) < self.inference);
        if self.smoothed >> 3 < self.threshold() {
            return None;
        }
        self.min = self.smoothed >> 3;
        (self.max, self.reserve) = (self.smoothed >> 2, self.smoothed >> 2);
        self.yielded = Some(now);
        let cwnd = sample.cwnd / window.mss;
        Some(EARLY.gives(if self.is_inferring { 1 } else { (cwnd / 2).max(1) } * window.mss))
    }

    // Below ssthresh it is slow start after an early sign.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Ruled<u64> {
        self.take_over(ack, window, rng);
        if self.is_inferring {
            return INFERENCE.gives(window.cwnd);
        }
        let room = window.ssthresh.unwrap_or(u64::MAX).saturating_sub(window.cwnd);
        let grown = Window { cwnd: window.cwnd + ack.credited.min(room), ..*window };
        let rest = ack.credited.saturating_sub(room);
        GROWTH.gives(if rest > 0 { self.tally.reno(rest, &grown) } else { grown.cwnd })
    }

    /// The first ACK draws the origin, which the kernel does before the handshake.
    fn take_over(&mut self, _: &AckEvent, _: &Window, rng: &mut Rng) -> Option<Ruled<u64>> {
        self.origin.get_or_insert_with(|| rng.next_u32());
        None
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.tally.reset();
        CUT.gives(window.less_share(BETA))
    }

    fn has_undo_state(&self) -> bool {
        false
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let options = Options {
        threshold: values.number("threshold"),
        inference: values.whole("inference"),
        reset: values.flag("reset"),
    };
    if values.is_linux(setup) {
        Box::new(LpLinux::new(options))
    } else {
        Box::new(Lp::new(options))
    }
}

/// Catalogue entry `lp`.
pub const ENTRY: Entry = Entry {
    name: "lp",
    summary: "Low priority: takes what is left over, and halves or stops when the one-way delay \
              rises.",
    parameters: &[
        Parameter::number("threshold", 0.15, 0.0..=1.0)
            .meaning("share of the range of one-way delays that is early congestion"),
        Parameter::number("inference", 3.0, 0.0..=1000.0).meaning(
            "round trips after it in which the window does not grow, and a second sign \
                      stops the flow",
        ),
        Parameter::flag("reset", false)
            .meaning("take the delay at an early sign for the smallest from then on, as Linux"),
        Parameter::linux(
            "as Linux: delays by timestamps with a random origin, by which most connections \
             are Reno",
        ),
    ],
    reference: "Kuzmanovic & Knightly, TCP-LP: low-priority service via end-point congestion \
                control, IEEE/ACM ToN 14(4), 2006; Linux 6 net/ipv4/tcp_lp.c",
    implies: &[("timestamps", "true")],
    traits: Traits { gives_way: true, draws: true, ..Traits::DELAY_BASED },
    make: Make::avoidance("classic", make),
};
