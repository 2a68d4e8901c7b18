//! What a user can set, and the two names that are settings of it.

use super::Bbr;
use super::quirks::{self, Faults};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::{CongestionControl, Setup};

/// Everything that differs between BBR as in Linux 6 and Huang, Zhu & Wang's changes to it.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Pacing and window gain of STARTUP; DRAIN paces at its inverse.
    pub high_gain: f64,
    /// Pacing gain of the phase that probes for bandwidth.
    pub probe_gain: f64,
    /// Pacing gain of the phase after it, which drains what that queued.
    pub drain_gain: f64,
    /// Window, in bandwidth-delay products, of `PROBE_BW`.
    pub cwnd_gain: f64,
    /// The draining phase lasts until inflight is down to one bandwidth-delay product, however long.
    pub drain_to_target: bool,
    /// The probing phase ends as soon as inflight is up to its gain, however soon.
    pub early_probe_exit: bool,
    /// `PROBE_RTT` leaves the bandwidth estimate as old as it was.
    pub carry_over_bw: bool,
    /// The gain-1 phases together last no longer than this, ms; 0: no bound.
    pub max_stable_duration: f64,
    /// How long `PROBE_RTT` keeps four packets in flight, at least, ms.
    pub probe_rtt_duration: f64,
    /// Step of the clock that the smallest RTT's age and `PROBE_RTT` go by, ms; 0: exact.
    pub jiffy: f64,
    /// Long-term (policer) bandwidth sampling.
    pub long_term_bw: bool,
    /// What is queued beyond `delay_lower_bound` is taken out of the window.
    pub cumulative_shrink: bool,
    /// Queueing delay that is left alone, ms.
    pub delay_lower_bound: f64,
    /// Round trips over which the excess is taken out.
    pub cwnd_pace: f64,
    /// Round trips over which the shrink is given back (a share 1/n per round trip) while the delay is below the bound; 0: at once.
    pub give_back: f64,
    /// Faults of ns-3's BBR.
    pub quirks: Faults,
}

/// Linux counts gains in 256ths: 2885/1000 of 256, rounded down, plus one.
const HIGH_GAIN: f64 = 739.0 / 256.0;

impl Options {
    /// Linux 6, `net/ipv4/tcp_bbr.c`.
    pub const LINUX: Self = Self {
        high_gain: HIGH_GAIN,
        probe_gain: 1.25,
        drain_gain: 0.75,
        cwnd_gain: 2.0,
        drain_to_target: false,
        early_probe_exit: false,
        carry_over_bw: false,
        max_stable_duration: 0.0,
        probe_rtt_duration: 200.0,
        // Most distributions' HZ, 250.
        jiffy: 4.0,
        long_term_bw: true,
        cumulative_shrink: false,
        delay_lower_bound: 10.0,
        cwnd_pace: 30.0,
        give_back: 30.0,
        quirks: Faults::NONE,
    };
    /// Huang, Zhu & Wang's improved BBR.
    pub const LOW_LATENCY: Self = Self {
        probe_gain: 1.2,
        drain_gain: 0.8,
        cwnd_gain: 1.0,
        drain_to_target: true,
        early_probe_exit: true,
        carry_over_bw: true,
        max_stable_duration: 400.0,
        cumulative_shrink: true,
        ..Self::LINUX
    };

    fn read(values: &Values) -> Self {
        Self {
            high_gain: values.number("high_gain"),
            probe_gain: values.number("probe_gain"),
            drain_gain: values.number("drain_gain"),
            cwnd_gain: values.number("cwnd_gain"),
            drain_to_target: values.flag("drain_to_target"),
            early_probe_exit: values.flag("early_probe_exit"),
            carry_over_bw: values.flag("carry_over_bw"),
            max_stable_duration: values.number("max_stable_duration"),
            probe_rtt_duration: values.number("probe_rtt_duration"),
            jiffy: values.number("jiffy"),
            long_term_bw: values.flag("long_term_bw"),
            cumulative_shrink: values.flag("cumulative_shrink"),
            delay_lower_bound: values.number("delay_lower_bound"),
            cwnd_pace: values.number("cwnd_pace"),
            give_back: values.number("give_back"),
            quirks: Faults::named(values.choice("quirks")),
        }
    }
}

const fn number(name: &'static str, default: f64, range: (f64, f64), unit: &'static str, meaning: &'static str) -> Parameter {
    Parameter {
        name,
        default: Value::Number(default),
        range,
        unit,
        meaning,
    }
}

const fn flag(name: &'static str, default: bool, meaning: &'static str) -> Parameter {
    Parameter {
        name,
        default: Value::Flag(default),
        range: (0.0, 0.0),
        unit: "",
        meaning,
    }
}

const fn parameters(default: &Options) -> [Parameter; 16] {
    [
        number(
            "high_gain",
            default.high_gain,
            (1.1, 8.0),
            "",
            "pacing and window gain of STARTUP; DRAIN paces at its inverse",
        ),
        number(
            "probe_gain",
            default.probe_gain,
            (1.0, 4.0),
            "",
            "pacing gain of the phase that probes for bandwidth",
        ),
        number(
            "drain_gain",
            default.drain_gain,
            (0.1, 1.0),
            "",
            "pacing gain of the phase after it",
        ),
        number(
            "cwnd_gain",
            default.cwnd_gain,
            (0.5, 100.0),
            "bdp",
            "window while probing for bandwidth",
        ),
        flag(
            "drain_to_target",
            default.drain_to_target,
            "the draining phase lasts until inflight is down to 1 bdp",
        ),
        flag(
            "early_probe_exit",
            default.early_probe_exit,
            "the probing phase ends as soon as inflight is up to its gain",
        ),
        flag(
            "carry_over_bw",
            default.carry_over_bw,
            "PROBE_RTT does not age the bandwidth estimate",
        ),
        number(
            "max_stable_duration",
            default.max_stable_duration,
            (0.0, 100_000.0),
            "ms",
            "longest time at gain 1 between two probes; 0: the six phases",
        ),
        number(
            "probe_rtt_duration",
            default.probe_rtt_duration,
            (0.0, 10_000.0),
            "ms",
            "shortest time at four packets in PROBE_RTT",
        ),
        number(
            "jiffy",
            default.jiffy,
            (0.0, 100.0),
            "ms",
            "step of the clock that the smallest RTT's age and PROBE_RTT go by; 0: exact",
        ),
        flag("long_term_bw", default.long_term_bw, "look for a policer, and keep to its rate"),
        flag(
            "cumulative_shrink",
            default.cumulative_shrink,
            "take what is queued beyond delay_lower_bound out of the window",
        ),
        number(
            "delay_lower_bound",
            default.delay_lower_bound,
            (0.0, 1_000.0),
            "ms",
            "queueing delay that is left alone",
        ),
        number(
            "cwnd_pace",
            default.cwnd_pace,
            (1.0, 10_000.0),
            "round trips",
            "in how many the excess is taken out",
        ),
        number(
            "give_back",
            default.give_back,
            (0.0, 1e9),
            "round trips",
            "in how many the shrink is given back below the bound; 0: at once",
        ),
        Parameter {
            name: "quirks",
            default: Value::Choice("none", quirks::CHOICES),
            range: (0.0, 0.0),
            unit: "",
            meaning: "faults of the inputs that ns-3's BBR had in these releases, or one of them",
        },
    ]
}

static LINUX_PARAMETERS: [Parameter; 16] = parameters(&Options::LINUX);
static LOW_LATENCY_PARAMETERS: [Parameter; 16] = parameters(&Options::LOW_LATENCY);

fn make(values: &Values, setup: &Setup) -> Box<dyn CongestionControl> {
    Box::new(Bbr::new(setup, Options::read(values)))
}

/// `bbr`.
pub const ENTRY: Entry = Entry {
    name: "bbr",
    summary: "BBR version 1 as in Linux 6: sends at the bandwidth that it measures, with two bandwidth-delay products in flight at most.",
    parameters: &LINUX_PARAMETERS,
    reference: "Cardwell et al., BBR, ACM Queue 14(5), 2016; Linux net/ipv4/tcp_bbr.c",
    implies: &[("pacing", "cc")],
    make: Make::Whole(make),
};

/// `bbr-lowlat`.
pub const LOWLAT: Entry = Entry {
    name: "bbr-lowlat",
    summary: "BBR changed for a short queue: one bandwidth-delay product in flight, less what is seen to queue; gentler, shorter probes.",
    parameters: &LOW_LATENCY_PARAMETERS,
    reference: "Huang, Zhu & Wang, Reducing BBR's Latency",
    ..ENTRY
};
