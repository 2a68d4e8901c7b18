//! LEDBAT (RFC 6817): background traffic that keeps the queueing delay at a target and yields to
//! everybody else.

use super::Avoidance;
use crate::cast::float;
use crate::entry::traits::Law;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::QueueingDelay;
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled, Setup};

/// Parameters of [`Ledbat`], in the names of RFC 6817 section 2.5.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Queueing delay to keep, seconds.
    pub target: f64,
    /// Growth where nothing waits, segments per round trip, at most 1.
    pub gain: f64,
    /// Segments by which the window may exceed what is in flight.
    pub allowed_increase: f64,
    /// Minutes over which the base delay is the smallest.
    pub base_history: u64,
    /// Samples of which the current delay is the smallest.
    pub current_filter: usize,
}

/// The sender of RFC 6817 section 2.4.2.
#[derive(Clone, Debug)]
pub struct Ledbat {
    options: Options,
    delay: QueueingDelay,
    change: Increase,
}

const SOURCE: &str = "RFC 6817 section 2.4.2";
const GROWTH: Rule = Rule::new(
    "the window moves by GAIN (TARGET - queueing delay) / TARGET segments per round trip",
    SOURCE,
);
const CUT: Rule = Rule::cut("halves the window, down to MIN_CWND", SOURCE);

impl Ledbat {
    /// A LEDBAT before its first sample.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            delay: QueueingDelay::new(options.base_history, options.current_filter),
            change: Increase::default(),
        }
    }
}

impl Avoidance for Ledbat {
    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        if let Some(delay) = ack.one_way_delay {
            // RFC 6817 section 2.5 takes no sample that is older than an RTT.
            self.delay.add(delay, ack.now, ack.srtt);
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let Some(queueing_delay) = self.delay.seconds() else {
            return GROWTH.gives(window.cwnd);
        };
        let mss = float(window.mss);
        // RFC 6817 section 2.4.2: "cwnd += GAIN * off_target * bytes_newly_acked * MSS / cwnd".
        let off_target = (self.options.target - queueing_delay) / self.options.target;
        let windows = float(ack.newly_acked) / float(window.cwnd);
        // RFC 6817 section 2.4.2: "max_allowed_cwnd = flightsize + ALLOWED_INCREASE * MSS". The
        // RFC's flight size still contains what this ACK acknowledges.
        let room =
            float(ack.prior_inflight) + self.options.allowed_increase * mss - float(window.cwnd);
        let change = (self.options.gain * off_target * windows * mss).min(room);
        GROWTH.gives(self.change.change(change, window).max(window.smallest()))
    }

    /// Data loss halves the window as for any TCP, but never raises it. RFC 6817 section 2.4.2:
    /// `cwnd = min (cwnd, max (cwnd/2, MIN_CWND * MSS))`.
    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        CUT.gives(window.cwnd.min((window.cwnd / 2).max(window.smallest())))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let (Some(base), Some(queueing_delay)) = (self.delay.base(), self.delay.seconds()) {
            show("base_delay", base.as_secs_f64());
            show("queueing_delay", queueing_delay);
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(Ledbat::new(Options {
        target: values.number("target") * 1e-3,
        gain: values.number("gain"),
        allowed_increase: values.number("allowed_increase"),
        base_history: values.whole("base_history"),
        current_filter: values.count("current_filter") as usize,
    }))
}

/// Catalogue entry `ledbat`.
pub const ENTRY: Entry = Entry {
    name: "ledbat",
    summary: "Background traffic: keeps the one-way queueing delay at a target and yields to \
              whoever adds to it.",
    parameters: &[
        Parameter::quantity("target", 100.0, 1.0..=1000.0, "ms")
            .meaning("queueing delay to keep (RFC 6817: at most 100)"),
        Parameter::number("gain", 1.0, 0.001..=1.0)
            .meaning("segments per round trip where nothing waits"),
        Parameter::quantity("allowed_increase", 1.0, 0.1..=1000.0, "segments")
            .meaning("how far the window may be above what is in flight"),
        Parameter::quantity("base_history", 10.0, 1.0..=1000.0, "minutes")
            .meaning("how long the smallest delay is remembered"),
        Parameter::quantity("current_filter", 4.0, 1.0..=1000.0, "samples")
            .meaning("the smallest of how many, of the last RTT, is the present delay"),
    ],
    reference: "RFC 6817",
    implies: &[("timestamps", "true"), ("timestamp_clock", "1us"), ("initial_window", "2 packets")],
    traits: Traits { gives_way: true, response: &[Law::RENO], ..Traits::DELAY_BASED },
    make: Make::avoidance("classic", make),
};
