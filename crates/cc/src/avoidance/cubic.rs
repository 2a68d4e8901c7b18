//! CUBIC as RFC 9438 writes it: the window is a cubic function of the time since the last congestion.

use super::{Avoidance, CubicLinux, Increase};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, Signal, Time};

/// Parameters of both forms of CUBIC.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is left of the window after congestion.
    pub beta: f64,
    /// Steepness of the curve, segments/s^3.
    pub c: f64,
    /// RFC 9438 section 4.7: a flow whose peak falls gives up some more.
    pub fast_convergence: bool,
    /// RFC 9438 section 4.3: be no slower than Reno would be.
    pub reno_friendly: bool,
}

/// CUBIC; all windows here are in segments, with fractions.
#[derive(Clone, Debug)]
pub struct Cubic {
    options: Options,
    /// The window before the last reduction, less what fast convergence gives up; `None`: not known (first avoidance
    /// without a loss before it, section 4.10, or after a timeout, section 4.8).
    w_max: Option<f64>,
    /// cwnd when ssthresh was last set.
    cwnd_prior: Option<f64>,
    epoch: Option<Epoch>,
    increase: Increase,
    last_ack: Time,
}

/// One stage of congestion avoidance.
#[derive(Clone, Copy, Debug)]
struct Epoch {
    start: Time,
    /// Seconds from the start to the plateau.
    k: f64,
    /// The plateau.
    origin: f64,
    /// What Reno's window would be.
    w_est: f64,
    /// Where Reno would have caught up and its estimate goes on at one segment per round trip.
    cwnd_prior: f64,
}

impl Cubic {
    /// A CUBIC before its first congestion.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            w_max: None,
            cwnd_prior: None,
            epoch: None,
            increase: Increase::default(),
            last_ack: Time::ZERO,
        }
    }

    /// Sections 4.2, 4.8 and 4.10. The stage starts with the first ACK that may grow the window, that is, after recovery.
    fn new_epoch(&self, cwnd: f64, now: Time) -> Epoch {
        let plateau = self.w_max.filter(|w_max| *w_max > cwnd);
        Epoch {
            start: now,
            k: plateau.map_or(0.0, |w_max| libm::cbrt((w_max - cwnd) / self.options.c)),
            origin: plateau.unwrap_or(cwnd),
            w_est: cwnd,
            cwnd_prior: self.cwnd_prior.unwrap_or(cwnd),
        }
    }

    /// Section 4.3: makes Reno's growth with our reduction reach Reno's average window.
    fn alpha(&self) -> f64 {
        3.0 * (1.0 - self.options.beta) / (1.0 + self.options.beta)
    }
}

impl Epoch {
    /// Section 4.2, equation 1.
    fn w_cubic(&self, c: f64, t: f64) -> f64 {
        let x = t - self.k;
        c * x * x * x + self.origin
    }

    /// The time since the start does not count what the application left unused (sections 4.2 and 5.8).
    fn exclude(&mut self, idle: Duration) {
        self.start = self.start.saturating_add(idle);
    }
}

/// ACKs of a flow that sends come within a round trip of each other; a gap of this many was idle.
const IDLE_ROUND_TRIPS: u64 = 2;

impl Avoidance for Cubic {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.epoch = None;
        self.increase = Increase::default();
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        let gap = ack.now.since(self.last_ack);
        self.last_ack = ack.now;
        let Some(epoch) = &mut self.epoch else { return };
        if !ack.is_cwnd_limited {
            epoch.exclude(gap);
        } else if gap > ack.srtt.saturating_mul(IDLE_ROUND_TRIPS) {
            epoch.exclude(gap.saturating_sub(ack.srtt));
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        let mss = window.mss as f64;
        let cwnd = window.cwnd as f64 / mss;
        let c = self.options.c;
        let mut epoch = self.epoch.unwrap_or_else(|| self.new_epoch(cwnd, ack.now));
        let t = ack.now.since(epoch.start).as_secs_f64();
        let share = ack.newly_acked as f64 / window.cwnd as f64;

        epoch.w_est += share * if epoch.w_est < epoch.cwnd_prior { self.alpha() } else { 1.0 };
        let is_reno_region = self.options.reno_friendly && epoch.w_cubic(c, t) < epoch.w_est;
        let growth = if is_reno_region {
            epoch.w_est - cwnd
        } else {
            // Sections 4.2, 4.4 and 4.5: towards where the curve is one RTT ahead, at most by half a window per RTT.
            let target = epoch.w_cubic(c, t + ack.srtt.as_secs_f64()).min(1.5 * cwnd);
            (target - cwnd) * share
        };
        self.epoch = Some(epoch);
        self.increase.add(growth * mss, window)
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive window below 2^53")]
    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> u64 {
        let cwnd = window.cwnd as f64 / window.mss as f64;
        // In whole segments, which is how the window is used: a peak lower by a fraction is the same saturation point.
        let is_falling = self.w_max.is_some_and(|w_max| libm::floor(cwnd) < libm::floor(w_max));
        self.w_max = match event.signal {
            Signal::Rto => None,
            _ if is_falling && self.options.fast_convergence => Some(cwnd * f64::midpoint(1.0, self.options.beta)),
            _ => Some(cwnd),
        };
        self.cwnd_prior = Some(cwnd);
        self.epoch = None;
        (window.cwnd as f64 * self.options.beta) as u64
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(w_max) = self.w_max {
            show("w_max", w_max);
        }
        if let Some(epoch) = &self.epoch {
            show("k", epoch.k);
            show("w_est", epoch.w_est);
        }
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn Avoidance> {
    let options = Options {
        beta: values.number("beta"),
        c: values.number("c"),
        fast_convergence: values.flag("fast_convergence"),
        reno_friendly: values.flag("reno_friendly"),
    };
    if values.flag("linux") {
        Box::new(CubicLinux::new(&options))
    } else {
        Box::new(Cubic::new(options))
    }
}

/// `cubic`.
pub const ENTRY: Entry = Entry {
    name: "cubic",
    summary: "A cubic function of the time since the last loss; alone it brings hystart, as in Linux.",
    parameters: &[
        Parameter {
            name: "beta",
            default: Value::Number(0.7),
            range: (0.1, 0.99),
            unit: "",
            meaning: "what is left of the window after congestion",
        },
        Parameter {
            name: "c",
            default: Value::Number(0.4),
            range: (0.001, 100.0),
            unit: "segments/s^3",
            meaning: "steepness of the curve",
        },
        Parameter {
            name: "fast_convergence",
            default: Value::Flag(true),
            range: (0.0, 0.0),
            unit: "",
            meaning: "give up more when the peak is lower than the last one (RFC 9438 section 4.7)",
        },
        Parameter {
            name: "reno_friendly",
            default: Value::Flag(true),
            range: (0.0, 0.0),
            unit: "",
            meaning: "never slower than Reno (RFC 9438 section 4.3)",
        },
        Parameter {
            name: "linux",
            default: Value::Flag(true),
            range: (0.0, 0.0),
            unit: "",
            meaning: "compute in whole packets with the roundings of Linux 6; false: as RFC 9438 writes it",
        },
    ],
    reference: "RFC 9438",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "hystart",
        make,
    },
};
