//! `HighSpeed` TCP (RFC 3649): AIMD whose two numbers depend on the window. Above 38 segments the
//! response function is W = 0.12 / p^0.835. Sections are those of the RFC.

use super::Avoidance;
use crate::cast::float;
use crate::entry::traits::{Law, Linearised, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::window::{Credit, Window};
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled, Setup};

/// Standard TCP's response function as section 2 writes it: W = 1.2 / sqrt(p).
const STANDARD: f64 = 1.2;
/// Share of the window that standard TCP gives up.
const STANDARD_DECREASE: f64 = 0.5;

/// Parameters of section 5, and the form in which a(w) and b(w) are computed.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// `Low_Window`: largest window with Reno's rules, segments.
    pub low_window: f64,
    /// `High_Window`: mean window at the loss rate `high_p`, segments.
    pub high_window: f64,
    /// `High_P`: loss rate at `high_window`.
    pub high_p: f64,
    /// `High_Decrease`: share that congestion takes at `high_window` and above.
    pub high_decrease: f64,
    /// Whether to look up the table of appendix B, as Linux does. The table holds for the RFC's
    /// parameters only.
    pub linux: bool,
}

/// AIMD(a(w), b(w)).
#[derive(Clone, Debug)]
pub struct HighSpeed {
    options: Options,
    credit: Credit,
    /// Linux's row of the table, which it looks up where the window grows and not at a loss, and
    /// the growth that it has counted (`net/ipv4/tcp_highspeed.c`).
    row: usize,
    counted: u64,
}

const SOURCE: &str = "RFC 3649 section 7";
const LOW_GROWTH: Rule = Rule::new("up to Low_Window: standard TCP's growth", SOURCE);
const GROWTH: Rule = Rule::new("a(w) segments more per acknowledged window", SOURCE);
const LOW_CUT: Rule = Rule::cut("halves a window of at most Low_Window", SOURCE);
const CUT: Rule = Rule::cut("takes the share b(w) of the window", SOURCE);

impl HighSpeed {
    /// `HighSpeed` TCP with these parameters.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, credit: Credit::default(), row: 0, counted: 0 }
    }

    /// Growth a(w) in segments per round trip, and decrease b(w), for a window of `w` segments.
    #[must_use]
    pub fn response(&self, w: f64) -> (f64, f64) {
        let Options { low_window, high_window, high_p, high_decrease, linux } = self.options;
        if linux {
            return table(w);
        }
        if w <= low_window {
            return (1.0, STANDARD_DECREASE);
        }
        // Section 5: log p and b are linear in log w, between standard TCP's at `low_window` and
        // the given point.
        let at = libm::log(w / low_window) / libm::log(high_window / low_window);
        let low_p = STANDARD * STANDARD / (low_window * low_window);
        let p = low_p * libm::pow(high_p / low_p, at);
        let b = STANDARD_DECREASE + (high_decrease - STANDARD_DECREASE) * at.min(1.0);
        // The RFC's 1.2 is rounded from sqrt(1.5). Just above `low_window` its formula would be
        // below Reno.
        ((w * w * p * 2.0 * b / (2.0 - b)).max(1.0), b)
    }
}

impl Avoidance for HighSpeed {
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let w = window.segments();
        let rule = if w <= self.options.low_window { &LOW_GROWTH } else { &GROWTH };
        if self.options.linux {
            self.row = row(w);
            // The row's growth for each ACK, however much it acknowledges.
            self.counted += self.row as u64 + 1;
            let price = window.whole_segments();
            let grows = self.counted >= price;
            self.counted -= if grows { price } else { 0 };
            return rule.gives(window.cwnd + u64::from(grows) * window.mss);
        }
        rule.gives(self.credit.per_window(ack, window, self.response(w).0))
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.credit.reset();
        let w = window.segments();
        let rule = if w <= self.options.low_window { &LOW_CUT } else { &CUT };
        if self.options.linux {
            self.counted = 0;
            let segments = window.whole_segments();
            let given_up = segments * u64::from(DECREASES[self.row]) / 256;
            return rule.gives((segments - given_up) * window.mss);
        }
        rule.gives(window.less_share(self.response(w).1))
    }

    fn takes_rest(&self) -> bool {
        !self.options.linux
    }

    fn has_undo_state(&self) -> bool {
        false
    }
}

/// Row of the table for a window.
fn row(w: f64) -> usize {
    WINDOWS.partition_point(|up_to| f64::from(*up_to) < w).min(WINDOWS.len() - 1)
}

/// a(w) and b(w) from the table, as in Linux 6 (`net/ipv4/tcp_highspeed.c`). Row n holds up to its
/// window and has a = n.
fn table(w: f64) -> (f64, f64) {
    let row = row(w);
    let a = float(row as u64 + 1);
    (a, f64::from(DECREASES[row]) / 256.0)
}

/// Column w of RFC 3649 appendix B, segments.
const WINDOWS: [u32; 72] = [
    38, 118, 221, 347, 495, 663, 851, 1058, 1284, 1529, 1793, 2076, 2378, 2699, 3039, 3399, 3778,
    4177, 4596, 5036, 5497, 5979, 6483, 7009, 7558, 8130, 8726, 9346, 9991, 10661, 11358, 12082,
    12834, 13614, 14424, 15265, 16137, 17042, 17981, 18955, 19965, 21013, 22101, 23230, 24402,
    25618, 26881, 28193, 29557, 30975, 32450, 33986, 35586, 37253, 38992, 40808, 42707, 44694,
    46776, 48961, 51258, 53677, 56230, 58932, 61799, 64851, 68113, 71617, 75401, 79517, 84035,
    89053,
];

/// Column b(w) of RFC 3649 appendix B, in 256ths as Linux holds it.
const DECREASES: [u8; 72] = [
    128, 112, 104, 98, 93, 89, 86, 83, 81, 78, 76, 74, 72, 71, 69, 68, 66, 65, 64, 62, 61, 60, 59,
    58, 57, 56, 55, 54, 53, 52, 52, 51, 50, 49, 48, 48, 47, 46, 45, 45, 44, 43, 43, 42, 41, 41, 40,
    39, 39, 38, 38, 37, 36, 36, 35, 35, 34, 33, 33, 32, 32, 31, 30, 30, 29, 28, 28, 27, 26, 26, 25,
    24,
];

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let low_window = values.number("low_window");
    // Two points make a line only if they differ. W ~ 1/p is the steepest line, Scalable's; beyond
    // it growth has no bound.
    let high_window = values.number("high_window").max(2.0 * low_window);
    Box::new(HighSpeed::new(Options {
        low_window,
        high_window,
        high_p: values.number("high_p").min(STANDARD * STANDARD / (low_window * high_window)),
        high_decrease: values.number("high_decrease"),
        linux: values.is_linux(setup),
    }))
}

/// Catalogue entry `highspeed`.
pub const ENTRY: Entry = Entry {
    name: "highspeed",
    summary: "Reno up to 38 segments; above, growth rises and the cut falls with the window, for \
              W = 0.12 / p^0.835.",
    parameters: &[
        Parameter::quantity("low_window", 38.0, 1.0..=1e5, "segments")
            .meaning("largest window with Reno's rules"),
        Parameter::quantity("high_window", 83_000.0, 2.0..=1e8, "segments")
            .meaning("mean window at high_p; at least twice low_window"),
        Parameter::number("high_p", 1e-7, 1e-12..=0.1)
            .meaning("loss rate that gives high_window; at most 1.44 / (low_window high_window)"),
        Parameter::number("high_decrease", 0.1, 0.01..=0.9)
            .meaning("share that congestion takes at high_window and above"),
        Parameter::linux(
            "as Linux: a(w) and b(w) from the RFC's table, growth for each ACK, b(w) of the window \
             that grew last; the other parameters have no effect",
        ),
    ],
    reference: "RFC 3649; Linux 6 net/ipv4/tcp_highspeed.c",
    implies: &[],
    traits: Traits {
        response: &[Law::new(
            "highspeed_window",
            &[
                ("loss_rate", Term::LossRate),
                ("low_window", Term::Parameter("low_window")),
                ("high_window", Term::Parameter("high_window")),
                ("high_p", Term::Parameter("high_p")),
            ],
            "RFC 3649",
        )],
        linearised: Linearised::Law(Law::new(
            "highspeed",
            &[
                ("low_window", Term::Parameter("low_window")),
                ("high_window", Term::Parameter("high_window")),
                ("high_p", Term::Parameter("high_p")),
                ("high_decrease", Term::Parameter("high_decrease")),
            ],
            "RFC 3649",
        )),
        ..Traits::AVOIDANCE
    },
    make: Make::avoidance("classic", make),
};
