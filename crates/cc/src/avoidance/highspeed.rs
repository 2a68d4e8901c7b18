//! `HighSpeed` TCP (RFC 3649): AIMD whose two numbers depend on the window, so that W = 0.12 / p^0.835 above 38 segments.

use super::{Avoidance, Credit, less_share, segments};
use crate::entry::{Entry, Make, Parameter, Value};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng};

/// Standard TCP's response function as RFC 3649 section 2 writes it: W = 1.2 / sqrt(p).
const STANDARD: f64 = 1.2;
/// What standard TCP gives up.
const STANDARD_DECREASE: f64 = 0.5;

/// RFC 3649's parameters (section 5), and which form of a(w) and b(w).
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Largest window with Reno's rules, segments.
    pub low_window: f64,
    /// A window, segments, and the loss rate and the decrease that belong to it.
    pub high_window: f64,
    /// Loss rate at `high_window`.
    pub high_p: f64,
    /// Decrease at `high_window`, and above it.
    pub high_decrease: f64,
    /// The table of appendix B as Linux looks it up, for its one set of parameters.
    pub linux: bool,
}

/// AIMD(a(w), b(w)).
#[derive(Clone, Debug)]
pub struct HighSpeed {
    options: Options,
    credit: Credit,
}

impl HighSpeed {
    /// With these parameters.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            credit: Credit::default(),
        }
    }

    /// a(w), segments per round trip, and b(w) for a window in segments.
    #[must_use]
    pub fn response(&self, w: f64) -> (f64, f64) {
        let Options {
            low_window,
            high_window,
            high_p,
            high_decrease,
            linux,
        } = self.options;
        if linux {
            return table(w);
        }
        if w <= low_window {
            return (1.0, STANDARD_DECREASE);
        }
        // Section 5: log p and b are linear in log w, between standard TCP at low_window and the given point.
        let at = libm::log(w / low_window) / libm::log(high_window / low_window);
        let low_p = STANDARD * STANDARD / (low_window * low_window);
        let p = low_p * libm::pow(high_p / low_p, at);
        let b = STANDARD_DECREASE + (high_decrease - STANDARD_DECREASE) * at.min(1.0);
        // 1.2 is rounded from sqrt(1.5): just above low_window the formula would be below Reno.
        ((w * w * p * 2.0 * b / (2.0 - b)).max(1.0), b)
    }
}

impl Avoidance for HighSpeed {
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        let (a, _) = self.response(segments(window));
        self.credit.per_window(ack, window, a)
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        self.credit.reset();
        let (_, b) = self.response(segments(window));
        less_share(window, b)
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

/// Linux 6 `net/ipv4/tcp_highspeed.c`: the n-th row holds up to this window, with a = n.
fn table(w: f64) -> (f64, f64) {
    let row = ROWS.partition_point(|(up_to, _)| f64::from(*up_to) < w).min(ROWS.len() - 1);
    #[expect(clippy::cast_precision_loss, reason = "72 rows")]
    let a = (row + 1) as f64;
    (a, f64::from(ROWS[row].1) / 256.0)
}

/// RFC 3649 appendix B, with b in 256ths as Linux holds it.
const ROWS: [(u32, u8); 72] = [
    (38, 128),
    (118, 112),
    (221, 104),
    (347, 98),
    (495, 93),
    (663, 89),
    (851, 86),
    (1058, 83),
    (1284, 81),
    (1529, 78),
    (1793, 76),
    (2076, 74),
    (2378, 72),
    (2699, 71),
    (3039, 69),
    (3399, 68),
    (3778, 66),
    (4177, 65),
    (4596, 64),
    (5036, 62),
    (5497, 61),
    (5979, 60),
    (6483, 59),
    (7009, 58),
    (7558, 57),
    (8130, 56),
    (8726, 55),
    (9346, 54),
    (9991, 53),
    (10661, 52),
    (11358, 52),
    (12082, 51),
    (12834, 50),
    (13614, 49),
    (14424, 48),
    (15265, 48),
    (16137, 47),
    (17042, 46),
    (17981, 45),
    (18955, 45),
    (19965, 44),
    (21013, 43),
    (22101, 43),
    (23230, 42),
    (24402, 41),
    (25618, 41),
    (26881, 40),
    (28193, 39),
    (29557, 39),
    (30975, 38),
    (32450, 38),
    (33986, 37),
    (35586, 36),
    (37253, 36),
    (38992, 35),
    (40808, 35),
    (42707, 34),
    (44694, 33),
    (46776, 33),
    (48961, 32),
    (51258, 32),
    (53677, 31),
    (56230, 30),
    (58932, 30),
    (61799, 29),
    (64851, 28),
    (68113, 28),
    (71617, 27),
    (75401, 26),
    (79517, 26),
    (84035, 25),
    (89053, 24),
];

fn make(values: &crate::entry::Values) -> Box<dyn Avoidance> {
    let low_window = values.number("low_window");
    // Two points make a line only if they differ; W ~ 1/p is the steepest, Scalable's, beyond which growth has no bounds.
    let high_window = values.number("high_window").max(2.0 * low_window);
    Box::new(HighSpeed::new(Options {
        low_window,
        high_window,
        high_p: values.number("high_p").min(STANDARD * STANDARD / (low_window * high_window)),
        high_decrease: values.number("high_decrease"),
        linux: values.flag("linux"),
    }))
}

/// `highspeed`.
pub const ENTRY: Entry = Entry {
    name: "highspeed",
    summary: "Reno up to 38 segments; above, growth rises and the cut falls with the window, for W = 0.12 / p^0.835.",
    parameters: &[
        Parameter {
            name: "low_window",
            default: Value::Number(38.0),
            range: (1.0, 1e5),
            unit: "segments",
            meaning: "largest window with Reno's rules",
        },
        Parameter {
            name: "high_window",
            default: Value::Number(83_000.0),
            range: (2.0, 1e8),
            unit: "segments",
            meaning: "mean window at high_p; at least twice low_window",
        },
        Parameter {
            name: "high_p",
            default: Value::Number(1e-7),
            range: (1e-12, 0.1),
            unit: "",
            meaning: "loss rate that gives high_window; at most 1.44 / (low_window high_window)",
        },
        Parameter {
            name: "high_decrease",
            default: Value::Number(0.1),
            range: (0.01, 0.9),
            unit: "",
            meaning: "share that congestion takes at high_window and above",
        },
        Parameter {
            name: "linux",
            default: Value::Flag(false),
            range: (0.0, 0.0),
            unit: "",
            meaning: "look a(w) and b(w) up in the RFC's table as Linux 6 does; the other parameters have no effect",
        },
    ],
    reference: "RFC 3649",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "classic",
        make,
    },
};
