//! Prague (draft-briscoe-iccrg-prague-congestion-control): DCTCP for the Internet. It is
//! independent of the RTT, grows all the time, and answers loss as Reno. Sections are those of the
//! draft.

use super::Avoidance;
use crate::cast::{float, integer};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled, Setup, Signal, Time};

/// Parameters of [`Prague`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Weight of a new sample in alpha.
    pub g: f64,
    /// RTT as which flows with a smaller RTT behave.
    pub reference_rtt: Duration,
    /// Round trips from the end of slow start to RTT independence.
    pub transition: u64,
}

/// The sender of section 2.4.
#[derive(Clone, Debug)]
pub struct Prague {
    options: Options,
    /// Estimate of the fraction of bytes that are marked.
    alpha: f64,
    /// Instant at which alpha was last updated; `acked` and `marked` count the bytes since.
    updated: Option<Time>,
    acked: u64,
    marked: u64,
    has_seen_mark: bool,
    /// Instant of the last cut for a mark.
    cut: Option<Time>,
    /// Round trips since slow start.
    rounds: u64,
    srtt: Duration,
    is_avoiding: bool,
    is_in_loss: bool,
    /// Growth that is not in the window yet, bytes.
    credit: f64,
}

const GROWTH: Rule = Rule::new(
    "a segment more per window of unmarked bytes",
    "draft-briscoe-iccrg-prague-congestion-control-00 section 2.4.3",
);
const SLOWER_GROWTH: Rule = Rule::new(
    "a segment per window of unmarked bytes, times (RTT / reference RTT)^2",
    "draft-briscoe-iccrg-prague-congestion-control-00 section 2.4.4",
);
const MARKS: Rule = Rule::new(
    "marks: the window falls by alpha / 2, half the estimated fraction of marked bytes",
    "draft-briscoe-iccrg-prague-congestion-control-00 section 2.4.2",
);
const TOO_EARLY: Rule = Rule::new(
    "a mark within the reference RTT of the last reduction takes nothing more",
    "draft-briscoe-iccrg-prague-congestion-control-00 section 2.4.4",
);
const LOSS: Rule = Rule::cut(
    "halves the window",
    "draft-briscoe-iccrg-prague-congestion-control-00 section 2.4.1",
);

impl Prague {
    /// A Prague before the first mark, with an alpha of 1.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            alpha: 1.0,
            updated: None,
            acked: 0,
            marked: 0,
            has_seen_mark: false,
            cut: None,
            rounds: 0,
            srtt: Duration::ZERO,
            is_avoiding: false,
            is_in_loss: false,
            credit: 0.0,
        }
    }

    /// Reference RTT, where it holds and the actual RTT is smaller (section 2.4.4).
    fn longer_rtt(&self) -> Option<Duration> {
        (self.is_avoiding
            && self.rounds >= self.options.transition
            && self.srtt < self.options.reference_rtt)
            .then_some(self.options.reference_rtt)
    }

    /// Whether a reference RTT has passed since an instant, where it holds.
    fn is_over(&self, since: Option<Time>, now: Time) -> bool {
        let (Some(since), Some(rtt)) = (since, self.longer_rtt()) else { return true };
        now.since(since) >= rtt
    }

    /// Takes the marked fraction of a round trip, or of a reference RTT if that is longer, into
    /// alpha (section 2.3.2).
    fn update_alpha(&mut self, now: Time) {
        // Before the first mark nobody knows that there is an AQM (Linux, `prague_update_alpha`).
        if self.has_seen_mark && self.acked > 0 {
            let fraction = (float(self.marked) / float(self.acked)).min(1.0);
            self.alpha += self.options.g * (fraction - self.alpha);
        }
        (self.acked, self.marked, self.updated) = (0, 0, Some(now));
    }

    /// Growth by a segment per window of unmarked bytes, scaled by 1 / M^2 (sections 2.4.3 and
    /// 2.4.4).
    fn grow(&mut self, ack: &AckEvent, window: &Window) {
        let ratio =
            self.longer_rtt().map_or(1.0, |rtt| self.srtt.as_secs_f64() / rtt.as_secs_f64());
        let unmarked = float(ack.newly_acked.saturating_sub(ack.newly_marked));
        self.credit += unmarked * float(window.mss) / float(window.cwnd) * ratio * ratio;
    }
}

impl Avoidance for Prague {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.is_avoiding = true;
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.srtt = ack.srtt;
        if ack.round.start {
            self.rounds += u64::from(self.is_avoiding);
            if self.is_over(self.updated, ack.now) {
                self.update_alpha(ack.now);
            }
        }
        self.has_seen_mark |= ack.newly_marked > 0;
        self.acked += ack.newly_acked;
        self.marked += ack.newly_marked;
        // Section 2.4.3: a reduction because of marks does not stop the growth. The growth is paid
        // out when the reduction is over.
        if ack.in_recovery && ack.is_cwnd_limited && self.is_avoiding && !self.is_in_loss {
            self.grow(ack, window);
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        self.is_in_loss = false;
        self.grow(ack, window);
        let whole = libm::floor(self.credit);
        self.credit -= whole;
        let rule = if self.longer_rtt().is_some() { &SLOWER_GROWTH } else { &GROWTH };
        rule.gives(window.cwnd + integer(whole))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        if event.signal != Signal::Ecn {
            // Section 2.4.1: a loss halves the window.
            self.is_in_loss = true;
            self.is_avoiding &= event.signal == Signal::Loss;
            self.credit = 0.0;
            return LOSS.gives(window.whole_segments() / 2 * window.mss);
        }
        if !self.is_over(self.cut, event.now) {
            return TOO_EARLY.gives(window.cwnd);
        }
        self.cut = Some(event.now);
        // Section 2.4.2: a mark takes half of alpha from the window.
        let left = integer(float(window.cwnd) * (1.0 - self.alpha / 2.0));
        MARKS.gives(left.max(window.smallest()))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("alpha", self.alpha);
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(Prague::new(Options {
        g: values.number("g"),
        reference_rtt: values.milliseconds("reference_rtt"),
        transition: values.whole("transition"),
    }))
}

/// Catalogue entry `prague`.
pub const ENTRY: Entry = Entry {
    name: "prague",
    summary: "DCTCP for the Internet: as fair to long RTTs as to short ones, growing through \
              reductions, Reno on loss; L4S.",
    parameters: &[
        Parameter::number("g", 0.0625, 0.0001..=1.0)
            .meaning("weight of a new sample in alpha, the estimate of the fraction marked"),
        Parameter::quantity("reference_rtt", 25.0, 0.0..=1000.0, "ms").meaning(
            "flows with a smaller RTT behave as if they had this one; 0: no RTT \
                      independence",
        ),
        Parameter::quantity("transition", 500.0, 0.0..=1e9, "round trips")
            .meaning("from the end of slow start to RTT independence"),
    ],
    reference: "draft-briscoe-iccrg-prague-congestion-control-00 section 2",
    implies: &[("ecn", "l4s"), ("pacing", "cwnd")],
    traits: Traits::RENO,
    make: Make::avoidance("classic", make),
};
