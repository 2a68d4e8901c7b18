//! What a user can set, and the two names that are settings of it.

use super::Bbr;
use super::probe_bw::StableTest;
use super::quirks::{self, Faults};
use super::shrink::{NEVER, Stability};
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
    /// After this long at gain 1 the next probe begins, ms; 0: no bound.
    pub max_stable_duration: f64,
    /// When `max_stable_duration` is looked at.
    pub max_stable_at: StableTest,
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
    /// Round trips over which the shrink is given back (a share 1/n per round trip) while the delay is below the bound; 0: at once;
    /// `NEVER`: not.
    pub give_back: f64,
    /// How the RTT is judged stable, without which the shrink is left alone.
    pub stability: Stability,
    /// STARTUP, DRAIN and `PROBE_RTT` set the shrink to zero, where the paper leaves it alone.
    pub reset_shrink: bool,
    /// How long before the smallest RTT expires the shrink is already left alone, ms.
    pub near_probe_rtt: f64,
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
        max_stable_at: StableTest::PhaseEnd,
        probe_rtt_duration: 200.0,
        // Most distributions' HZ, 250.
        jiffy: 4.0,
        long_term_bw: true,
        cumulative_shrink: false,
        delay_lower_bound: 10.0,
        cwnd_pace: 30.0,
        give_back: NEVER,
        stability: Stability::Variance,
        reset_shrink: false,
        near_probe_rtt: 0.0,
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
            max_stable_at: StableTest::named(values.choice("max_stable_at")),
            probe_rtt_duration: values.number("probe_rtt_duration"),
            jiffy: values.number("jiffy"),
            long_term_bw: values.flag("long_term_bw"),
            cumulative_shrink: values.flag("cumulative_shrink"),
            delay_lower_bound: values.number("delay_lower_bound"),
            cwnd_pace: values.number("cwnd_pace"),
            give_back: values.number("give_back"),
            stability: Stability::named(values.choice("stability")),
            reset_shrink: values.flag("reset_shrink"),
            near_probe_rtt: values.number("near_probe_rtt"),
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

const fn choice(name: &'static str, default: &'static str, words: &'static [&'static str], meaning: &'static str) -> Parameter {
    Parameter {
        name,
        default: Value::Choice(default, words),
        range: (0.0, 0.0),
        unit: "",
        meaning,
    }
}

#[expect(clippy::too_many_lines, reason = "a list")]
const fn parameters(default: &Options) -> [Parameter; 20] {
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
            "time at gain 1 after which the next probe begins; 0: the six phases",
        ),
        choice(
            "max_stable_at",
            "phase-end",
            StableTest::CHOICES,
            "when max_stable_duration is looked at: where a phase ends (the paper), or at each ACK",
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
            "in how many the shrink is given back below the bound; 0: at once; 1e9: never",
        ),
        choice(
            "stability",
            "variance",
            Stability::CHOICES,
            "what of the RTT is 0.3 of its mean at most while the shrink changes: its variance in ms (the paper) or in s, or its \
             standard deviation",
        ),
        flag(
            "reset_shrink",
            default.reset_shrink,
            "STARTUP, DRAIN and PROBE_RTT give the whole shrink back; without it they leave it alone (the paper)",
        ),
        number(
            "near_probe_rtt",
            default.near_probe_rtt,
            (0.0, 10_000.0),
            "ms",
            "how long before PROBE_RTT the shrink is already left alone",
        ),
        choice(
            "quirks",
            "none",
            quirks::CHOICES,
            "faults of the inputs that ns-3's BBR had in these releases, or one of them",
        ),
    ]
}

static LINUX_PARAMETERS: [Parameter; 20] = parameters(&Options::LINUX);
static LOW_LATENCY_PARAMETERS: [Parameter; 20] = parameters(&Options::LOW_LATENCY);

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
