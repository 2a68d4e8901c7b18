//! CUBIC as RFC 9438 writes it: the window is a cubic function of the time since the last
//! congestion. Sections are those of the RFC.

use super::{CONCAVE, CONVERGENCE, CONVEX, CUT, NO_PEAK, Options, RENO_FRIENDLY, TIMEOUT};
use crate::avoidance::Avoidance;
use crate::cast::{float, integer};
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, Ruled, Signal, Time};

/// CUBIC. Windows are in segments, with fractions.
#[derive(Clone, Debug)]
pub struct Cubic {
    options: Options,
    /// Window before the last reduction, less what fast convergence gives up. `None`: unknown,
    /// because the first avoidance began without a loss (section 4.10) or after a timeout (section
    /// 4.8).
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
    /// K: seconds from the start of the stage to the plateau.
    k: f64,
    /// Window of the plateau.
    origin: f64,
    /// Window that Reno would have.
    w_est: f64,
    /// Window from which on Reno's estimate grows by one segment per round trip.
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

    /// Begins a stage of congestion avoidance (sections 4.2, 4.8 and 4.10), on the first ACK that
    /// may grow the window. After a loss that is the first ACK after recovery.
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

    /// `alpha_cubic` of section 4.3. With CUBIC's reduction, this growth gives Reno's average
    /// window.
    fn alpha(&self) -> f64 {
        3.0 * (1.0 - self.options.beta) / (1.0 + self.options.beta)
    }
}

impl Epoch {
    /// Window of the curve, `t` seconds after the start of the stage (section 4.2, figure 1).
    fn w_cubic(&self, c: f64, t: f64) -> f64 {
        let x = t - self.k;
        c * x * x * x + self.origin
    }

    /// Leaves idle time out of the time since the start. Section 4.2: "The elapsed time t in Figure
    /// 1 MUST NOT include periods during which cwnd has not been updated due to application-limited
    /// behavior".
    fn exclude(&mut self, idle: Duration) {
        self.start = self.start.saturating_add(idle);
    }
}

/// Smoothed RTTs without an ACK that count as idle. ACKs of a flow that sends come within a round
/// trip of each other.
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

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let mss = float(window.mss);
        let cwnd = float(window.cwnd) / mss;
        let c = self.options.c;
        let mut epoch = self.epoch.unwrap_or_else(|| self.new_epoch(cwnd, ack.now));
        let t = ack.now.since(epoch.start).as_secs_f64();
        let share = float(ack.newly_acked) / float(window.cwnd);

        // Section 4.3: "Once W_est has grown to reach the cwnd at the time of most recently
        // setting ssthresh [...] the sender SHOULD set alpha_cubic to 1".
        epoch.w_est += share * if epoch.w_est < epoch.cwnd_prior { self.alpha() } else { 1.0 };
        // Section 4.3: "CUBIC checks whether W_cubic(t) is less than W_est. If so, CUBIC is in the
        // Reno-friendly region and cwnd SHOULD be set to W_est".
        let is_reno_region = self.options.reno_friendly && epoch.w_cubic(c, t) < epoch.w_est;
        let (growth, rule) = if is_reno_region {
            (epoch.w_est - cwnd, &RENO_FRIENDLY)
        } else {
            // Sections 4.4 and 4.5 add (target - cwnd) / cwnd for each new ACK; here each
            // acknowledged segment adds it. The target is where the curve is one RTT ahead, at
            // most 1.5 windows (section 4.2).
            let target = epoch.w_cubic(c, t + ack.srtt.as_secs_f64()).min(1.5 * cwnd);
            let rule = match self.w_max {
                None => &NO_PEAK,
                Some(_) if t < epoch.k => &CONCAVE,
                Some(_) => &CONVEX,
            };
            ((target - cwnd) * share, rule)
        };
        self.epoch = Some(epoch);
        rule.gives(self.increase.add(growth * mss, window))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let cwnd = float(window.cwnd) / float(window.mss);
        // Section 4.7: W_max becomes cwnd * (1 + beta_cubic) / 2 where cwnd is below it. The two
        // are compared in whole segments, as the window is used: a peak that is lower by a fraction
        // is the same.
        let is_falling = self.w_max.is_some_and(|w_max| libm::floor(cwnd) < libm::floor(w_max));
        let rule;
        (self.w_max, rule) = match event.signal {
            Signal::Rto => (None, &TIMEOUT),
            _ if is_falling && self.options.fast_convergence => {
                (Some(cwnd * f64::midpoint(1.0, self.options.beta)), &CONVERGENCE)
            }
            _ => (Some(cwnd), &CUT),
        };
        self.cwnd_prior = Some(cwnd);
        self.epoch = None;
        // Section 4.6 takes the flight size times beta, Linux cwnd. The two differ only for a
        // sender that its application limits, whose window the frame does not grow.
        rule.gives(integer(float(window.cwnd) * self.options.beta))
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
}
