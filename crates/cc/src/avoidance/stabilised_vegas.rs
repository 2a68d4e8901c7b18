//! Stabilised Vegas: Vegas's equilibrium, reached by steps that shrink near it and see the queue coming.

use core::f64::consts::FRAC_2_PI;

use super::vegas::MIN_SAMPLES;
use super::{Avoidance, MIN_WINDOW_SEGMENTS, in_bytes, segments, whole_segments};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::measure::{BaseRtt, RoundTrip, RoundTrips, backlog};
use crate::slow_start::vegas_start::GAMMA;
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, Time};

/// Choe & Low's control law, x' = (2 / (pi T^2)) atan(eta (1 - x q / alpha - kappa q')), for a window: once per round trip
/// W changes by (2 / pi) atan(mu (alpha - b - a W q')), b = x q the packets queued, that is by less than one packet.
/// The gains are eta = mu alpha and kappa = a W / alpha: the loop around the equilibrium then depends on mu and a alone,
/// not on the rate, the delay or the number of flows.
#[derive(Clone, Debug)]
pub struct StabilisedVegas {
    /// Packets to keep queued.
    alpha: f64,
    /// Steepness around the equilibrium.
    mu: f64,
    /// Weight of the queue's slope, in round trips that it looks ahead.
    a: f64,
    base_rtt: BaseRtt,
    rounds: RoundTrips,
    /// The round trip that the present ACK ended.
    ended: Option<RoundTrip>,
    /// The RTT of the round before, and when that ended.
    before: Option<(Duration, Time)>,
    diff: f64,
}

impl StabilisedVegas {
    /// `alpha` packets, gains `mu` and `a`.
    #[must_use]
    pub fn new(alpha: f64, mu: f64, a: f64) -> Self {
        Self {
            alpha,
            mu,
            a,
            base_rtt: BaseRtt::default(),
            rounds: RoundTrips::default(),
            ended: None,
            before: None,
            diff: 0.0,
        }
    }

    /// By how many packets the window changes.
    fn step(&mut self, round: &RoundTrip, ack: &AckEvent, window: &Window) -> f64 {
        if round.samples < MIN_SAMPLES {
            return 1.0;
        }
        let rtt = round.min;
        self.diff = backlog(segments(window), rtt, self.base_rtt.get());
        let slope = self.before.map_or(0.0, |(rtt_before, then)| {
            let elapsed = ack.now.since(then).as_secs_f64();
            if elapsed > 0.0 {
                (rtt.as_secs_f64() - rtt_before.as_secs_f64()) / elapsed
            } else {
                0.0
            }
        });
        self.before = Some((rtt, ack.now));
        FRAC_2_PI * libm::atan(self.mu * (self.alpha - self.diff - self.a * segments(window) * slope))
    }
}

impl Avoidance for StabilisedVegas {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.rounds.restart();
        self.before = None;
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.base_rtt.observe(ack);
        self.ended = self.rounds.on_ack(ack);
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        let Some(round) = self.ended else {
            return window.cwnd;
        };
        let step = self.step(&round, ack, window);
        in_bytes(segments(window) + step, window).max(MIN_WINDOW_SEGMENTS * window.mss)
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        whole_segments(window) / 2 * window.mss
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("vegas_diff", self.diff);
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn Avoidance> {
    Box::new(StabilisedVegas::new(
        values.number("alpha"),
        values.number("mu"),
        values.number("a"),
    ))
}

/// `stabilised-vegas`.
pub const ENTRY: Entry = Entry {
    name: "stabilised-vegas",
    summary: "Vegas's equilibrium with steps of less than a packet that also follow the queue's slope, for long delays.",
    parameters: &[
        Parameter {
            name: "alpha",
            default: Value::Number(3.0),
            range: (0.1, 1e6),
            unit: "packets",
            meaning: "how many to keep queued",
        },
        GAMMA,
        Parameter {
            name: "mu",
            default: Value::Number(0.3),
            range: (0.001, 10.0),
            unit: "",
            meaning: "gain around the equilibrium",
        },
        Parameter {
            name: "a",
            default: Value::Number(2.0),
            range: (0.0, 20.0),
            unit: "RTTs",
            meaning: "how far the queue's slope looks ahead",
        },
    ],
    reference: "Choe & Low, Stabilized Vegas, INFOCOM 2003",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "vegas-start",
        make,
    },
};
