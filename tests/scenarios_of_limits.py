"""Scenarios with one intended limit each: what the diagnosis says first, and how it is lifted."""

import copy
from typing import Any, NamedTuple

import ackclock as ac
from ackclock.results import Result
from ackclock.scenario import Scenario

B = "network.bottleneck."
F = "flows.f."
T = "flows.f.transport."


class Case(NamedTuple):
    """A scenario, its first limit, and what lifts it."""

    changes: dict[str, Any]
    kind: str
    least: float
    """Least share of the flow's time."""
    key: str | None
    words: str
    """Words of the sentence."""
    cure: dict[str, Any] | None = None
    """The named key, changed as advised."""
    gain: float = 1.1
    """Goodput then, over goodput before, at least."""


def base() -> Scenario:
    """One Reno flow over 20 Mbit/s, 40 ms and a buffer of one BDP."""
    return Scenario.model_validate(
        {
            "name": "limits",
            "duration": "20s",
            "network": {
                "kind": "dumbbell",
                "bottleneck": {"rate": "20Mbit/s", "delay": "20ms", "limit": "1bdp"},
            },
            "flows": [{"name": "f", "cc": "reno"}],
        }
    )


def run(changes: dict[str, Any], cure: dict[str, Any] | None = None) -> Result:
    """Run the base with these changes."""
    changes, cure = copy.deepcopy((changes, cure or {}))
    first = {key: value for key, value in changes.items() if key == "flows"}
    scenario = base().replace(first) if first else base()
    rest = {key: value for key, value in changes.items() if key != "flows"}
    return ac.run(scenario.replace({**rest, **cure}))


def beside(**other: Any) -> dict[str, Any]:
    """The base's flow beside another, g."""
    return {"flows": [{"name": "f", "cc": "reno"}, {"name": "g", **other}]}


def loss(p: float) -> dict[str, Any]:
    """Independent losses."""
    return {"kind": "bernoulli", "p": p}


def aqm(kind: str, delay_ms: int, **options: Any) -> dict[str, Any]:
    """The base with a discipline of Linux's defaults, and a longer path."""
    return {
        "network.bottleneck": {
            "rate": "20Mbit/s",
            "delay": f"{delay_ms}ms",
            "qdisc": {"kind": kind, **options},
        }
    }


SHAPED: dict[str, Any] = {
    "rate": "100Mbit/s",
    "delay": "20ms",
    "qdisc": {"kind": "tbf", "rate": "8Mbit/s", "burst": "100kB", "latency": "50ms"},
}
SHORT = {"kind": "tbf", "rate": "20Mbit/s", "burst": "5kB", "latency": "3ms"}
LONG = {B + "rate": "200Mbit/s", B + "delay": "40ms", B + "loss": loss(5e-4)}
"""U1: a fast and long path that loses a packet in 2,000."""
NO_LOSS = {B + "loss.p": 1e-7}
LOSS_KEY = "network.bottleneck.loss"
TIMID = {"kind": "red", "min_threshold": "3 packets", "max_threshold": "9 packets", "max_p": 0.2}
FAST = {B + "rate": "100Mbit/s"}
TINY = FAST | {B + "limit": "10 packets"}
HIGHER = {B + "qdisc.min_threshold": "33 packets", B + "qdisc.max_threshold": "67 packets"}
JITTER = {B + "jitter": "uniform(0ms, 20ms)"}

CASES: dict[str, Case] = {
    "nothing": Case(
        {}, "link", 0.98, "network.bottleneck.rate", "busy for 99", {B + "rate": "40Mbit/s"}, 1.8
    ),
    "u1 reno": Case(LONG, "random-loss", 0.9, LOSS_KEY, "Mathis", NO_LOSS, 10.0),
    "u1 cubic": Case(
        LONG | {F + "cc": "cubic"},
        "random-loss",
        0.9,
        LOSS_KEY,
        "cubic averages about",
        NO_LOSS,
        10.0,
    ),
    "u1 vegas": Case(
        LONG | {F + "cc": "vegas"}, "random-loss", 0.9, LOSS_KEY, "no closed form", NO_LOSS, 5.0
    ),
    "u1 scalable": Case(
        LONG | {F + "cc": "scalable"}, "random-loss", 0.9, LOSS_KEY, "Kelly", NO_LOSS, 3.0
    ),
    "u1 dctcp": Case(
        LONG | {F + "cc": "dctcp"}, "random-loss", 0.9, LOSS_KEY, "Mathis", NO_LOSS, 10.0
    ),
    "u1 ledbat": Case(
        LONG | {F + "cc": "ledbat"}, "random-loss", 0.9, LOSS_KEY, "Mathis", NO_LOSS, 2.0
    ),
    "u1 other algorithm": Case(
        LONG, "random-loss", 0.9, LOSS_KEY, "or change flows.f.cc", {F + "cc": "bbr"}, 10.0
    ),
    "u1 bbr": Case(LONG | {F + "cc": "bbr"}, "link", 0.9, "network.bottleneck.rate", "alone"),
    "u1 copa": Case(LONG | {F + "cc": "copa"}, "link", 0.9, "network.bottleneck.rate", "alone"),
    "heavy loss": Case(
        {B + "loss": loss(0.05)}, "random-loss", 0.5, LOSS_KEY, "Padhye", NO_LOSS, 10.0
    ),
    "heavier loss": Case(
        {B + "loss": loss(0.2), T + "loss_detection": "dupack"},
        "timeouts",
        0.5,
        LOSS_KEY,
        "timeouts took",
        NO_LOSS,
        20.0,
    ),
    "bbr3 and loss": Case(
        {F + "cc": "bbr3", B + "loss": loss(0.05)},
        "random-loss",
        0.8,
        LOSS_KEY,
        "no closed form",
        NO_LOSS,
        3.0,
    ),
    "bbr beyond its cliff": Case(
        {F + "cc": "bbr", B + "loss": loss(0.25)},
        "random-loss",
        0.8,
        LOSS_KEY,
        "20 %",
        NO_LOSS,
        3.0,
    ),
    "burst loss": Case(
        {B + "loss": {"kind": "gilbert-elliott", "p": 0.002, "r": 0.3}},
        "random-loss",
        0.9,
        LOSS_KEY,
        "in bursts",
        NO_LOSS,
        2.0,
    ),
    "corruption": Case(
        {B + "corrupt": {"p": 0.004}},
        "random-loss",
        0.9,
        "network.bottleneck.corrupt",
        "Mathis",
        {B + "corrupt.p": 1e-7},
    ),
    "receive window": Case(
        {T + "receive_buffer": "30kB"},
        "receive-window",
        0.95,
        T + "receive_buffer",
        "allows 5.8",
        {T + "receive_buffer": "200kB"},
        3.0,
    ),
    "slow reader": Case(
        {T + "receive_buffer": "200kB", T + "read_rate": "5Mbit/s"},
        "receive-window",
        0.9,
        T + "read_rate",
        "reads 5 Mbit/s",
        {T + "read_rate": "50Mbit/s"},
        2.0,
    ),
    "clamp": Case(
        {T + "max_cwnd": "30kB"},
        "clamp",
        0.95,
        T + "max_cwnd",
        "allows 5.8",
        {T + "max_cwnd": "unlimited"},
        3.0,
    ),
    "application": Case(
        {F + "app": {"kind": "application-limited", "rate": "4Mbit/s"}},
        "application",
        0.95,
        F + "app",
        "writes 4 Mbit/s",
        {F + "app.rate": "10Mbit/s"},
        2.0,
    ),
    "on-off": Case(
        {F + "app": {"kind": "on-off", "rate": "10Mbit/s", "on": "1s", "off": "3s"}},
        "application",
        0.9,
        F + "app",
        "pauses",
        {F + "app.off": "1s"},
        1.5,
    ),
    "think times": Case(
        {F + "app": {"kind": "request-response", "response": "50kB"}},
        "application",
        0.9,
        F + "app",
        "waits between requests",
    ),
    "policer": Case(
        {B + "policer": {"rate": "8Mbit/s", "burst": "30kB"}},
        "policer",
        0.95,
        "network.bottleneck.policer",
        "passes 7.72 Mbit/s",
        {B + "policer.rate": "16Mbit/s"},
        1.5,
    ),
    "policer and bbr": Case(
        {F + "cc": "bbr", B + "policer": {"rate": "8Mbit/s", "burst": "30kB"}},
        "policer",
        0.9,
        "network.bottleneck.policer",
        "passes 7.72 Mbit/s",
        {B + "policer.rate": "16Mbit/s"},
        1.5,
    ),
    "tiny buffer": Case(
        {B + "limit": "5 packets"},
        "buffer",
        0.15,
        "network.bottleneck.limit",
        "0.075 BDP",
        {B + "limit": "1bdp"},
        1.2,
    ),
    "tiny buffer and cubic": Case(
        {F + "cc": "cubic", B + "limit": "4 packets", B + "rate": "100Mbit/s"},
        "buffer",
        0.4,
        "network.bottleneck.limit",
        "0.012 BDP",
        {B + "limit": "1bdp"},
        2.0,
    ),
    "red": Case({B + "qdisc": TIMID}, "aqm", 0.1, B + "qdisc", "before its limit", HIGHER),
    "red that marks": Case(
        {B + "qdisc": TIMID | {"ecn": True}, T + "ecn": "classic"},
        "marks",
        0.1,
        B + "qdisc",
        "were marked",
        HIGHER,
    ),
    "reordering": Case(
        {B + "reorder": {"p": 0.02, "extra": "15ms"}, T + "loss_detection": "dupack"},
        "reordering",
        0.5,
        "network.bottleneck.reorder",
        "losses that were none",
        {B + "reorder.p": 1e-7},
        1.5,
    ),
    "jitter and vegas": Case(
        JITTER | {F + "cc": "vegas"},
        "algorithm",
        0.6,
        F + "cc",
        "answers delay",
        {F + "cc": "cubic"},
        2.0,
    ),
    "short run": Case(
        {"duration": "0.4s", B + "rate": "200Mbit/s"},
        "slow-start",
        0.8,
        "duration",
        "round trips",
        {"duration": "5s"},
        2.0,
    ),
    "short file": Case(
        {F + "app": {"kind": "file", "size": "200kB"}, B + "rate": "100Mbit/s"},
        "slow-start",
        0.5,
        T + "initial_window",
        "round trips",
        {T + "initial_window": "60 packets"},
        1.2,
    ),
    "low ssthresh": Case(
        {T + "ssthresh": "20kB", B + "rate": "100Mbit/s"},
        "slow-start-end",
        0.25,
        T + "ssthresh",
        "at one segment per RTT",
        {T + "ssthresh": "1bdp"},
        1.3,
    ),
    "slow way back": Case(
        {B + "reverse": {"rate": "20kbit/s"}},
        "reverse-path",
        0.15,
        "network.bottleneck.reverse.rate",
        "the way back",
        {B + "reverse.rate": "1Mbit/s"},
        1.2,
    ),
    "lost acknowledgments": Case(
        {B + "reverse": {"loss": loss(0.5) | {"acks": True}}},
        "reverse-path",
        0.1,
        "network.bottleneck.reverse.loss",
        "of the ACKs were lost",
        {B + "reverse.loss.p": 1e-7},
        1.2,
    ),
    "access link": Case(
        {F + "access": {"rate": "5Mbit/s", "delay": "1ms"}},
        "other-link",
        0.95,
        "flows.f.access.rate",
        "f.access-up",
        {F + "access.rate": "50Mbit/s"},
        3.0,
    ),
    "udp": Case(
        beside(app={"kind": "cbr", "rate": "16Mbit/s", "packet": "1000 bytes"}),
        "unfair-share",
        0.95,
        "flows.g.app",
        "a UDP stream does not give way",
        {"flows.g.app.rate": "5Mbit/s"},
        2.0,
    ),
    "bbr beside": Case(
        beside(cc="bbr"),
        "unfair-share",
        0.9,
        F + "cc",
        "bbr takes more than reno",
        {F + "cc": "bbr"},
        1.5,
    ),
    "rtts": Case(
        {
            "flows": [
                {"name": "f", "cc": "reno", "access": {"delay": "40ms"}},
                {"name": "g", "cc": "reno", "access": {"delay": "1ms"}},
            ]
        },
        "unfair-share",
        0.9,
        F + "access.delay",
        "4.55 times as long",
        {F + "access.delay": "1ms"},
        1.5,
    ),
    "vegas beside cubic": Case(
        beside(cc="cubic") | {F + "cc": "vegas", B + "limit": "2bdp"},
        "gives-way",
        0.9,
        F + "cc",
        "backs off from the queue",
        {F + "cc": "cubic"},
        3.0,
    ),
    "late start": Case(
        {"flows": [{"name": "f", "cc": "reno", "start": "17s"}, {"name": "g", "cc": "reno"}]},
        "unfair-share",
        0.9,
        F + "start",
        "started later",
        {F + "start": "1s"},
        1.3,
    ),
    "lossy outages": Case(
        {B + "outages": {"windows": [["5s", "7s"], ["10s", "13s"]], "lossy": True}},
        "outage",
        0.2,
        "network.bottleneck.outages",
        "is down at times",
        {B + "outages.windows": [["5s", "5.1s"]]},
        1.2,
    ),
    "slots": Case(
        {B + "slot": {"min_delay": "10ms", "packets": 5}},
        "slots",
        0.9,
        "network.bottleneck.slot",
        "carry 5.79 Mbit/s",
        {B + "slot.packets": 50},
        2.0,
    ),
    "varying rate": Case(
        {B + "rate": {"schedule": [["0s", "20Mbit/s"], ["5s", "10Mbit/s"], ["10s", "20Mbit/s"]]}},
        "link",
        0.9,
        "network.bottleneck.rate",
        "could carry on average",
    ),
    "priority": Case(
        {
            "flows": [{"name": "f", "cc": "reno"}, {"name": "g", "cc": "reno", "priority": 6}],
            "network.bottleneck": {"rate": "20Mbit/s", "delay": "20ms", "qdisc": {"kind": "prio"}},
        },
        "unfair-share",
        0.9,
        F + "priority",
        "another priority",
        {F + "priority": 6},
        3.0,
    ),
    # A drop at the limit of a tiny queue ends slow start; what follows is growth, and no sawtooth
    # yet.
    "tiny queue, young reno": Case(
        TINY,
        "slow-start-end",
        0.2,
        B + "limit",
        "ended slow start at 9 %",
        {B + "limit": "1bdp"},
        1.4,
    ),
    "tiny queue, young cubic": Case(
        TINY | {F + "cc": "cubic"},
        "slow-start-end",
        0.2,
        B + "limit",
        "ended slow start at 13 %",
        {B + "limit": "1bdp"},
        1.4,
    ),
    "tiny queue, long path": Case(
        {
            B + "rate": "200Mbit/s",
            B + "delay": "40ms",
            B + "limit": "10 packets",
            "duration": "15s",
        },
        "slow-start-end",
        0.8,
        B + "limit",
        "ended slow start at 2.2 %",
        {B + "limit": "1bdp"},
        8.0,
    ),
    "tiny queue, bbr": Case(
        FAST | {F + "cc": "bbr", B + "limit": "4 packets"},
        "buffer",
        0.3,
        B + "limit",
        "0.012 BDP",
        {B + "limit": "1bdp"},
        1.4,
    ),
    "ssthresh below the first window": Case(
        {T + "ssthresh": "2 packets", B + "rate": "50Mbit/s", B + "delay": "50ms"},
        "slow-start-end",
        0.6,
        T + "ssthresh",
        "at the initial ssthresh",
        {T + "ssthresh": "1bdp"},
        3.0,
    ),
    "jitter that keeps the order": Case(
        {B + "jitter": {"distribution": "uniform(0ms, 100ms)", "reorder": False}},
        "jitter",
        0.15,
        B + "jitter",
        "in bursts of up to",
        {B + "jitter": "uniform(0ms, 0.1ms)"},
        1.25,
    ),
    "jitter on the way back": Case(
        FAST
        | {
            B + "limit": "100 packets",
            B + "reverse": {"jitter": {"distribution": "uniform(0ms, 60ms)", "reorder": False}},
        },
        "jitter",
        0.4,
        B + "reverse.jitter",
        "in bursts of up to",
        {B + "reverse.jitter": "uniform(0ms, 0.1ms)"},
        1.5,
    ),
    "jitter and hystart": Case(
        FAST | {F + "cc": "cubic", B + "jitter": "uniform(0ms, 12ms)", "duration": "10s"},
        "jitter",
        0.05,
        B + "jitter",
        "slow start took it for a queue",
        {B + "jitter": "uniform(0ms, 0.01ms)"},
        1.05,
    ),
    "jitter that reorders": Case(
        {B + "jitter": {"distribution": "uniform(0ms, 20ms)", "reorder": True}},
        "reordering",
        0.5,
        B + "jitter",
        "losses that were none",
        {B + "jitter.distribution": "uniform(0ms, 0.1ms)"},
        1.15,
    ),
    "slots on the way back": Case(
        FAST
        | {
            B + "limit": "100 packets",
            B + "reverse": {"slot": {"min_delay": "20ms", "max_delay": "30ms", "packets": 64}},
        },
        "slots",
        0.6,
        B + "reverse.slot",
        "up to 30 ms apart",
        {B + "reverse.slot": {"min_delay": "0.1ms", "max_delay": "0.2ms", "packets": 64}},
        3.0,
    ),
    "small target": Case(
        aqm("codel", 40, target="1ms"),
        "aqm",
        0.15,
        B + "qdisc.target",
        "before its limit",
        {B + "qdisc.target": "80ms"},
        1.2,
    ),
    "codel and a long RTT": Case(
        aqm("codel", 150) | {"duration": "60s"},
        "slow-start-end",
        0.2,
        B + "qdisc",
        "a drop by codel of bottleneck ended slow start",
        {B + "qdisc": {"kind": "codel", "target": "300ms", "interval": "600ms"}},
        1.2,
    ),
    "pie and a long RTT": Case(
        aqm("pie", 150) | {"duration": "60s"},
        "aqm",
        0.3,
        B + "qdisc.target",
        "before its limit",
        {B + "qdisc.target": "300ms"},
        1.4,
    ),
    "dualpi2 and a long RTT": Case(
        aqm("dualpi2", 150) | {"duration": "60s"},
        "slow-start-end",
        0.2,
        B + "qdisc.target",
        "a drop by dualpi2",
        {B + "qdisc.target": "300ms"},
        1.8,
    ),
    "cobalt and a long RTT": Case(
        aqm("cobalt", 150) | {"duration": "60s"},
        "slow-start-end",
        0.2,
        B + "qdisc",
        "a drop by cobalt",
        {B + "qdisc": "fifo"},
        1.8,
    ),
    "codel that marks": Case(
        aqm("codel", 100, ecn=True)
        | {F + "cc": "cubic", T + "ecn": "classic", B + "rate": "50Mbit/s"},
        "marks",
        0.1,
        B + "qdisc",
        "were marked by codel",
        {B + "qdisc": {"kind": "codel", "ecn": True, "target": "200ms", "interval": "400ms"}},
        1.2,
    ),
    "codel that fills its link": Case(
        aqm("codel", 20, target="1ms") | {B + "rate": "1Mbit/s"},
        "link",
        0.9,
        B + "rate",
        "of the 1 Mbit/s",
        {B + "rate": "2Mbit/s"},
        1.8,
    ),
    "l4s on a long path": Case(
        aqm("dualpi2", 40) | {F + "cc": "prague", B + "rate": "100Mbit/s"},
        "slow-start-end",
        0.6,
        B + "qdisc.step_thresh",
        "a mark by dualpi2 of bottleneck ended slow start at 1.4 %",
        {B + "qdisc.step_thresh": "80ms"},
        2.0,
    ),
    "dctcp and a coarse threshold": Case(
        FAST | {B + "qdisc": {"kind": "step", "threshold": "5 packets"}, F + "cc": "dctcp"},
        "slow-start-end",
        0.2,
        B + "qdisc.threshold",
        "a mark by step",
        {B + "qdisc.threshold": "100 packets"},
        1.6,
    ),
    "policer with a small burst": Case(
        FAST | {F + "cc": "cubic", B + "policer": {"rate": "50Mbit/s", "burst": "15kB"}},
        "policer",
        0.9,
        B + "policer.burst",
        "bursts find too few tokens",
        {B + "policer.burst": "500kB"},
        3.0,
    ),
    "shaper": Case(
        {"network.bottleneck": SHAPED},
        "link",
        0.95,
        B + "qdisc.rate",
        "of the 8 Mbit/s",
        {B + "qdisc.rate": "16Mbit/s"},
        1.8,
    ),
    "shaper with a short queue": Case(
        {"network.bottleneck": SHAPED | {"delay": "50ms", "qdisc": SHORT}},
        "slow-start-end",
        0.3,
        B + "qdisc.latency",
        "towards the base RTT, 100 ms",
        {B + "qdisc.latency": "100ms"},
        1.5,
    ),
    "bbr and lossy outages": Case(
        {
            F + "cc": "bbr",
            B + "outages": {"windows": [["5s", "8s"], ["12s", "14s"]], "lossy": True},
        },
        "outage",
        0.3,
        B + "outages",
        "is down at times",
        {B + "outages.windows": [["5s", "5.1s"]]},
        1.4,
    ),
    "bbr near its cliff": Case(
        {F + "cc": "bbr", B + "loss": loss(0.15)},
        "random-loss",
        0.8,
        LOSS_KEY,
        "collapses towards",
        NO_LOSS,
        1.8,
    ),
    "tcp on the way back": Case(
        beside(cc="cubic", **{"from": "right", "to": "left"}) | {B + "reverse.rate": "1Mbit/s"},
        "reverse-path",
        0.2,
        B + "reverse.qdisc",
        "with data of others",
        {B + "reverse.qdisc": "fq_codel"},
        1.25,
    ),
    "a long RTT beside many": Case(
        {
            "flows": [
                {"name": "f", "cc": "reno", "access": {"delay": "60ms"}},
                {"name": "g", "cc": "cubic", "count": 10},
            ]
        },
        "unfair-share",
        0.9,
        F + "access.delay",
        "7 times as long",
        {F + "access.delay": "0.1ms"},
        5.0,
    ),
    "short file of two windows": Case(
        {F + "app": {"kind": "file", "size": "20kB"}},
        "slow-start",
        0.6,
        T + "initial_window",
        "with the handshake",
        {T + "initial_window": "20 packets"},
        1.3,
    ),
    "parallel connections": Case(
        FAST | {F + "parallel": 4, B + "loss": loss(1e-3)},
        "random-loss",
        0.9,
        LOSS_KEY,
        "reno averages about 4",
        NO_LOSS,
        1.7,
    ),
    "down most of the time": Case(
        {B + "outages": [["1s", "19s"]]},
        "outage",
        0.7,
        B + "outages",
        "down for 90 % of its time",
        {B + "outages": [["1s", "1.1s"]]},
        5.0,
    ),
    "down at times": Case(
        {B + "outages": [["5s", "8s"], ["12s", "14s"]]},
        "link",
        0.6,
        B + "rate",
        "could carry on average",
        {B + "rate": "40Mbit/s"},
        1.5,
    ),
    "lost tail": Case(
        {F + "app": {"kind": "file", "size": "14kB"}, B + "loss": loss(0.3), "seed": 4},
        "random-loss",
        0.6,
        LOSS_KEY,
        "lost on the wire",
        NO_LOSS,
        1.3,
    ),
    "a link that is nearly busy": Case(
        aqm("fq_codel", 20)
        | {
            "flows": [
                {"name": "f", "cc": "reno", "access": {"delay": "100ms"}},
                {"name": "g", "cc": "cubic"},
            ]
        },
        "unfair-share",
        0.7,
        F + "access.delay",
        "11 times as long",
        {F + "access.delay": "0.1ms"},
        2.0,
    ),
    "a shaped codel": Case(
        {
            "network.bottleneck": SHAPED
            | {
                "delay": "80ms",
                "qdisc": SHORT | {"burst": "20kB", "latency": "200ms", "qdisc": "codel"},
            }
        },
        "aqm",
        0.2,
        B + "qdisc.qdisc",
        "raise its interval to 320 ms",
        {B + "qdisc.qdisc": {"kind": "codel", "target": "160ms", "interval": "320ms"}},
        1.3,
    ),
    "a starved class": Case(
        {B + "qdisc": "cobalt", B + "rate": "10Mbit/s"}
        | beside(app={"kind": "cbr", "rate": "12Mbit/s", "packet": "1000 bytes"}),
        "unfair-share",
        0.95,
        "flows.g.app",
        "a UDP stream does not give way",
        {"flows.g.app.rate": "2Mbit/s"},
        5.0,
    ),
}
