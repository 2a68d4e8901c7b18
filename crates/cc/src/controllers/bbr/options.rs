//! Parameters of BBR, and the two names with different defaults.

use super::Bbr;
use super::quirks::{self, Faults};
use super::shrink::{NEVER, Stability};
use crate::entry::traits::{Law, Linearised, Phases};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::{CongestionControl, Setup};

/// When `MaxStableDuration` is checked. The paper: "when judging whether to enter the next stable
/// phase".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StableTest {
    /// Where a phase at gain 1 ends and another would follow, which is how we read the paper.
    PhaseEnd,
    /// At each ACK: a phase at gain 1 may be cut short.
    Ack,
}

impl StableTest {
    pub const CHOICES: &[&str] = &["phase-end", "ack"];

    pub fn named(name: &str) -> Self {
        if name == "ack" { Self::Ack } else { Self::PhaseEnd }
    }
}

/// Settings in which BBR of Linux 6 and Huang, Zhu & Wang's BBR differ.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Pacing and window gain of STARTUP. DRAIN paces at the inverse.
    pub high_gain: f64,
    /// Pacing gain of the phase that probes for bandwidth.
    pub probe_gain: f64,
    /// Pacing gain of the phase after the probe, which drains the queue that the probe made.
    pub drain_gain: f64,
    /// Window in `PROBE_BW`, bandwidth-delay products.
    pub cwnd_gain: f64,
    /// Whether the draining phase lasts until inflight is down to one bandwidth-delay product.
    pub drain_to_target: bool,
    /// Whether the probing phase ends as soon as inflight is up to its gain.
    pub early_probe_exit: bool,
    /// Whether `PROBE_RTT` leaves the bandwidth estimate as old as it was.
    pub carry_over_bw: bool,
    /// Time at gain 1 after which the next probe begins, ms. Zero: no bound.
    pub max_stable_duration: f64,
    /// When `max_stable_duration` is checked.
    pub max_stable_at: StableTest,
    /// Shortest time for which `PROBE_RTT` keeps four packets in flight, ms.
    pub probe_rtt_duration: f64,
    /// Step of the clock for the age of the smallest RTT and for `PROBE_RTT`, ms. Zero: exact.
    pub jiffy: f64,
    /// Whether BBR looks for policers.
    pub long_term_bw: bool,
    /// Whether what is queued beyond `delay_lower_bound` is taken out of the window.
    pub cumulative_shrink: bool,
    /// Queueing delay that is left alone, ms.
    pub delay_lower_bound: f64,
    /// Round trips over which the excess is taken out.
    pub cwnd_pace: f64,
    /// Round trips over which the shrink is given back (a share 1/n per round trip) while the delay
    /// is below the bound. Zero: at once. `NEVER`: not at all.
    pub give_back: f64,
    /// Test by which the RTT is stable. While it is not, the shrink stays as it is.
    pub stability: Stability,
    /// Whether STARTUP, DRAIN and `PROBE_RTT` set the shrink to zero. The paper leaves it alone.
    pub reset_shrink: bool,
    /// Time before the smallest RTT expires from which the shrink stays as it is, ms.
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
        // Most distributions have an HZ of 250.
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

const fn parameters(default: &Options) -> [Parameter; 20] {
    [
        Parameter::number("high_gain", default.high_gain, 1.1..=8.0)
            .meaning("pacing and window gain of STARTUP; DRAIN paces at its inverse"),
        Parameter::number("probe_gain", default.probe_gain, 1.0..=4.0)
            .meaning("pacing gain of the phase that probes for bandwidth"),
        Parameter::number("drain_gain", default.drain_gain, 0.1..=1.0)
            .meaning("pacing gain of the phase after it"),
        Parameter::quantity("cwnd_gain", default.cwnd_gain, 0.5..=100.0, "bdp")
            .meaning("window while probing for bandwidth"),
        Parameter::flag("drain_to_target", default.drain_to_target)
            .meaning("the draining phase lasts until inflight is down to 1 bdp"),
        Parameter::flag("early_probe_exit", default.early_probe_exit)
            .meaning("the probing phase ends as soon as inflight is up to its gain"),
        Parameter::flag("carry_over_bw", default.carry_over_bw)
            .meaning("PROBE_RTT does not age the bandwidth estimate"),
        Parameter::quantity(
            "max_stable_duration",
            default.max_stable_duration,
            0.0..=100_000.0,
            "ms",
        )
        .meaning("time at gain 1 after which the next probe begins; 0: the six phases"),
        Parameter::choice("max_stable_at", "phase-end", StableTest::CHOICES).meaning(
            "when max_stable_duration is looked at: where a phase ends (the paper), or at \
                      each ACK",
        ),
        Parameter::quantity("probe_rtt_duration", default.probe_rtt_duration, 0.0..=10_000.0, "ms")
            .meaning("shortest time at four packets in PROBE_RTT"),
        Parameter::quantity("jiffy", default.jiffy, 0.0..=100.0, "ms")
            .meaning("step of the clock that the smallest RTT's age and PROBE_RTT go by; 0: exact"),
        Parameter::flag("long_term_bw", default.long_term_bw)
            .meaning("look for a policer, and keep to its rate"),
        Parameter::flag("cumulative_shrink", default.cumulative_shrink)
            .meaning("take what is queued beyond delay_lower_bound out of the window"),
        Parameter::quantity("delay_lower_bound", default.delay_lower_bound, 0.0..=1_000.0, "ms")
            .meaning("queueing delay that is left alone"),
        Parameter::quantity("cwnd_pace", default.cwnd_pace, 1.0..=10_000.0, "round trips")
            .meaning("in how many the excess is taken out"),
        Parameter::quantity("give_back", default.give_back, 0.0..=1e9, "round trips").meaning(
            "in how many the shrink is given back below the bound; 0: at once; 1e9: never",
        ),
        Parameter::choice("stability", "variance", Stability::CHOICES).meaning(
            "what of the RTT is 0.3 of its mean at most while the shrink changes: its \
                      variance in ms (the paper) or in s, or its standard deviation",
        ),
        Parameter::flag("reset_shrink", default.reset_shrink).meaning(
            "STARTUP, DRAIN and PROBE_RTT give the whole shrink back; without it they \
                      leave it alone (the paper)",
        ),
        Parameter::quantity("near_probe_rtt", default.near_probe_rtt, 0.0..=10_000.0, "ms")
            .meaning("how long before PROBE_RTT the shrink is already left alone"),
        Parameter::choice("quirks", "none", quirks::CHOICES)
            .meaning("faults of the inputs that ns-3's BBR had in these releases, or one of them"),
    ]
}

static LINUX_PARAMETERS: [Parameter; 20] = parameters(&Options::LINUX);
static LOW_LATENCY_PARAMETERS: [Parameter; 20] = parameters(&Options::LOW_LATENCY);

fn make(values: &Values, setup: &Setup) -> Box<dyn CongestionControl> {
    Box::new(Bbr::new(setup, Options::read(values)))
}

/// BBR's cycle of gains, and the losses that it bears.
const CYCLE: Traits = Traits {
    draws: true,
    tolerance: Some(Law::new("bbr_loss_cliff", &[], "BBR's cliff, Cardwell et al. 2016")),
    phases: Some(Phases {
        internal: "mode",
        names: &["STARTUP", "DRAIN", "PROBE_BW", "PROBE_RTT"],
    }),
    ..Traits::MODEL_BASED
};

/// Catalogue entry `bbr`.
pub const ENTRY: Entry = Entry {
    name: "bbr",
    summary: "BBR version 1 as in Linux 6: sends at the bandwidth that it measures, with two \
              bandwidth-delay products in flight at most.",
    parameters: &LINUX_PARAMETERS,
    reference: "Cardwell et al., BBR, ACM Queue 14(5), 2016; Linux net/ipv4/tcp_bbr.c",
    implies: &[("pacing", "cc")],
    traits: Traits {
        linearised: Linearised::Without(
            "it answers neither loss nor delay with a rate, but filters of maxima and minima: \
             bbr_flow_map says how these contract; a fluid model is that of Scherrer, Legner, \
             Perrig & Schmid, IMC 2022",
        ),
        ..CYCLE
    },
    make: Make::whole(make),
};

/// Catalogue entry `bbr-lowlat`.
pub const LOWLAT: Entry = Entry {
    name: "bbr-lowlat",
    summary: "BBR changed for a short queue: one bandwidth-delay product in flight, less what is \
              seen to queue; gentler, shorter probes.",
    parameters: &LOW_LATENCY_PARAMETERS,
    reference: "Huang, Zhu & Wang, Reducing BBR's Latency",
    implies: &[("pacing", "cc")],
    traits: CYCLE,
    make: Make::whole(make),
};
