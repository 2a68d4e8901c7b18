//! SEARCH (slow start exit at the right chokepoint), draft-chung-ccwg-search-09: doubling ends when
//! what is delivered falls behind what was sent a round trip before, over a window of 3.5 initial
//! round trips.

use std::collections::VecDeque;

use super::{Growth, SlowStart};
use crate::cast::float;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::window::Window;
use crate::{AckEvent, Duration, Rule, Ruled, Setup, Time};

/// Constants of the draft.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Window over which sent and delivered bytes are compared, initial RTTs.
    pub window: f64,
    /// Bins per window.
    pub bins: u64,
    /// Bins beyond the window. They bound how far an inflated RTT can be looked back.
    pub extra_bins: u64,
    /// Shortfall that ends slow start, as a share of the expected bytes.
    pub threshold: f64,
    /// Expected bytes: those sent a round trip ago (draft -09), or else twice those delivered then
    /// (the drafts of 2024).
    pub sent: bool,
    /// Window after slow start: the bytes delivered in the last initial RTT, or else the window as
    /// it is.
    pub drain: bool,
}

/// Doubling with a memory of the sent and the delivered bytes.
#[derive(Clone, Debug)]
pub struct Search {
    options: Options,
    /// Bins since the first RTT sample.
    history: Option<History>,
    /// Normalised difference of expected and delivered bytes. Known on an ACK that ends a bin.
    norm_diff: Option<f64>,
    /// Bytes declared lost. The connection has sent them too.
    lost: u64,
    /// Window with which slow start began, bytes. Slow start does not end below it.
    initial_window: u64,
}

/// Sent and delivered bytes at the ends of the last bins.
#[derive(Clone, Debug)]
struct History {
    initial_rtt: Duration,
    rtt: Duration,
    bin_duration: Duration,
    /// Instant at which the bin after the newest ends.
    bin_end: Time,
    /// Counters at the ends of bins, the newest last.
    bins: VecDeque<Bin>,
}

/// Counters at the end of a bin, bytes since the connection began.
#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    sent: u64,
    delivered: u64,
}

impl History {
    fn new(options: &Options, rtt: Duration, now: Time, bin: Bin) -> Self {
        let bins = float(options.bins);
        let bin_duration = Duration::from_secs_f64(rtt.as_secs_f64() * options.window / bins)
            .max(Duration::from_ps(1));
        Self {
            initial_rtt: rtt,
            rtt,
            bin_duration,
            bin_end: now + bin_duration,
            bins: VecDeque::from([bin]),
        }
    }

    /// Counters at the end of the bin `back` bins before the newest.
    fn at(&self, back: u64) -> Option<Bin> {
        let index = (self.bins.len() as u64).checked_sub(back.checked_add(1)?)?;
        self.bins.get(usize::try_from(index).ok()?).copied()
    }

    /// Ends the bins that `now` is beyond. Returns false after a pause so long that the window
    /// holds nothing (the draft's option of handling missed bins).
    fn advance(&mut self, now: Time, bin: Bin, options: &Options) -> bool {
        let passed = now.since(self.bin_end).as_ps() / self.bin_duration.as_ps() + 1;
        if passed > options.bins {
            return false;
        }
        let before = self.bins[self.bins.len() - 1];
        self.bins.extend((1..passed).map(|_| before));
        self.bins.push_back(bin);
        while self.bins.len() as u64 > options.bins + options.extra_bins + 1 {
            self.bins.pop_front();
        }
        self.bin_end += self.bin_duration * passed;
        true
    }

    /// Shortfall of the newest window against the bytes expected from the window one RTT before, as
    /// a share of these. `None`: there are not that many bins.
    fn norm_diff(&self, options: &Options) -> Option<f64> {
        let back = self.rtt.as_ps() / self.bin_duration.as_ps();
        if back >= options.extra_bins {
            return None;
        }
        // The RTT reaches back beyond a bin's end by a fraction of the bin before it. The draft
        // takes the bin after; the implementation in Firefox calls that a slip.
        let fraction =
            float(self.rtt.as_ps() % self.bin_duration.as_ps()) / float(self.bin_duration.as_ps());
        let counter = |bin: Bin| float(if options.sent { bin.sent } else { 2 * bin.delivered });
        let expected_by = |back: u64| {
            Some(
                counter(self.at(back)?) * (1.0 - fraction) + counter(self.at(back + 1)?) * fraction,
            )
        };
        let expected: f64 = expected_by(back)? - expected_by(back + options.bins)?;
        let delivered = float(self.at(0)?.delivered - self.at(options.bins)?.delivered);
        (expected > 0.0).then(|| (expected - delivered) / expected)
    }

    /// Bytes delivered in the last initial RTT, rounded up to bins: what the path holds without a
    /// queue.
    fn target(&self) -> u64 {
        let back = self.initial_rtt.as_ps().div_ceil(self.bin_duration.as_ps());
        let newest = self.bins[self.bins.len() - 1];
        newest.delivered - self.at(back).unwrap_or(self.bins[0]).delivered
    }
}

impl Search {
    /// A SEARCH with these constants.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, history: None, norm_diff: None, lost: 0, initial_window: 0 }
    }
}

const SOURCE: &str = "draft-chung-ccwg-search-09, section \"SEARCH Algorithm\"";
const GROWTH: Rule =
    Rule::new("slow start with SEARCH: cwnd grows by the bytes acknowledged", SOURCE);
const END: Rule = Rule::new(
    "SEARCH ends slow start: less is delivered than was sent a round trip before",
    SOURCE,
);

impl SlowStart for Search {
    fn begin(&mut self, window: &Window) {
        *self = Self { lost: self.lost, initial_window: window.cwnd, ..Self::new(self.options) };
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.norm_diff = None;
        self.lost += ack.newly_lost;
        let bin = Bin { sent: ack.delivered + ack.inflight + self.lost, delivered: ack.delivered };
        let Some(history) = &mut self.history else {
            self.history = ack.rtt_sample.map(|rtt| History::new(&self.options, rtt, ack.now, bin));
            return;
        };
        history.rtt = ack.rtt_sample.unwrap_or(history.rtt);
        if ack.now <= history.bin_end {
            return;
        }
        if history.advance(ack.now, bin, &self.options) {
            self.norm_diff = history.norm_diff(&self.options);
        } else {
            self.history = None;
        }
    }

    fn find_end(&mut self, _ack: &AckEvent, window: &Window) -> Option<Ruled<u64>> {
        let history = self.history.as_ref()?;
        self.norm_diff.filter(|norm_diff| *norm_diff >= self.options.threshold)?;
        let target = if self.options.drain { history.target() } else { window.cwnd };
        Some(END.gives(target.max(self.initial_window).min(window.cwnd)))
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        GROWTH.gives(Growth::double(ack, window))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(norm_diff) = self.norm_diff {
            show("search_norm_diff", norm_diff);
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn SlowStart> {
    Box::new(Search::new(Options {
        window: values.number("window"),
        bins: values.whole("bins"),
        extra_bins: values.whole("extra_bins"),
        threshold: values.number("threshold"),
        sent: values.flag("sent"),
        drain: values.flag("drain"),
    }))
}

/// Catalogue entry `search`.
pub const ENTRY: Entry = Entry {
    name: "search",
    summary: "Doubles until less is delivered than was sent a round trip before, over 3.5 round \
              trips; leaves with what the path holds.",
    parameters: &[
        Parameter::quantity("window", 3.5, 1.0..=100.0, "RTTs")
            .meaning("the window of the comparison, in initial RTTs"),
        Parameter::quantity("bins", 10.0, 2.0..=200.0, "bins").meaning("bins per window"),
        Parameter::quantity("extra_bins", 15.0, 1.0..=200.0, "bins")
            .meaning("how far beyond the window an inflated RTT can be looked back"),
        Parameter::number("threshold", 0.26, 0.0..=1.0)
            .meaning("share of what was expected whose lack ends it (0.35 for sent=false)"),
        Parameter::flag("sent", true).meaning(
            "expect what was sent one RTT ago, not twice what was delivered then (the \
                      drafts of 2024)",
        ),
        Parameter::flag("drain", true).meaning(
            "leave with what the last initial RTT delivered as window, not with the \
                      window as it is",
        ),
    ],
    reference: "draft-chung-ccwg-search-09",
    implies: &[],
    traits: Traits::SLOW_START,
    make: Make::slow_start(make),
};
