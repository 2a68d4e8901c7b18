"""The Common TCP Evaluation Suite, draft-irtf-iccrg-tcpeval-01 (Hayes, Ros, Andrew & Floyd, 2014).

The draft drives most tests by Tmix, from traces of the University of North Carolina that are not
part of ackclock. Poisson arrivals of files with a heavy tail take their place, at the draft's
loads; appendix A: "session arrivals are well modeled by an open-loop Poisson process". The draft's
heavier direction is right to left; here it is left to right, the direction of "bottleneck".
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.scenario.quantities import PS_PER_S, time_ps
from ackclock.tools.testsuites.test import Options, StandardError, StandardTest, Table

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TESTS"]

_DRAFT = "draft-irtf-iccrg-tcpeval-01"
_SIZES = "pareto(3kB, 1.2) between 3kB and 10MB"
_SMALL_SHARE, _SMALL_MSS = 0.1, "484 bytes"
"""Section 2.4: "10% of them use 536-byte packets"; 484 bytes of payload and 52 of headers."""
_WAY_BACK = 0.25
"""Load of the lighter direction as a share of the heavier one; section 4.2 gives no number."""
_CAMP_A = "classic+reno"
"""Reno by another name, so that camp A is a group of its own where camp B is Reno too."""
_LEFT_MS, _RIGHT_MS = (0.0, 12.0, 25.0), (2.0, 37.0, 75.0)
"""Section 4.1: one-way delays of the edge links."""
_TRAFFIC = (
    "Tmix's traces are replaced by Poisson arrivals of files, Pareto 3 kB to 10 MB of shape 1.2; "
    "a tenth of the load has packets of 536 bytes. The way back has a quarter of the load. Every "
    "flow has access links of its own at the edge's rate. The measured time is an option; "
    "prefilling is left out."
)


@dataclass(frozen=True)
class _Basic:
    """A basic scenario of section 4.4."""

    name: str
    title: str
    section: str
    rate: str
    delay_ms: float
    buffer: str
    edge: str
    left_ms: tuple[float, ...] = _LEFT_MS
    right_ms: tuple[float, ...] = _RIGHT_MS
    reverse: Table | None = None
    warmup: str = "20s"
    duration: str = "60s"


_BASIC = (
    _Basic(
        "data-centre", "Data centre", "4.4.1", "1Gbit/s", 0.0, "10ms", "1Gbit/s",
        (0.01, 0.01, 0.1), (0.01, 0.1, 0.1), warmup="2s", duration="10s",
    ),
    _Basic("access-link", "Access link", "4.4.2", "100Mbit/s", 2.0, "100ms", "100Mbit/s"),
    _Basic(
        "trans-oceanic", "Trans-oceanic link", "4.4.3", "1Gbit/s", 65.0, "100ms", "1Gbit/s",
        warmup="10s", duration="20s",
    ),
    _Basic(
        "geostationary", "Geostationary satellite", "4.4.4", "40Mbit/s", 300.0, "100ms",
        "100Mbit/s", reverse={"rate": "4Mbit/s", "limit": "1000ms"},
    ),
    _Basic(
        "dial-up", "Dial-up link", "4.4.6", "64kbit/s", 5.0, "1250ms", "100Mbit/s",
        warmup="300s", duration="3000s",
    ),
)  # fmt: skip


def _ms(value: float) -> str:
    return _core.format_time(round(value * 1e9))


def _seconds(text: str) -> float:
    return time_ps(text) / PS_PER_S


def _pairs(
    options: Options, load: float, edge: str, left: tuple[float, ...], right: tuple[float, ...]
) -> list[Table]:
    """Flows between the nine pairs of nodes of figure 2, in both directions."""
    entries = []
    for (near, there), (far, back) in itertools.product(enumerate(left, 1), enumerate(right, 4)):
        for small, way in itertools.product((False, True), ("", "-back")):
            part = _SMALL_SHARE if small else 1 - _SMALL_SHARE
            share = load * part * (_WAY_BACK if way else 1.0) / (len(left) * len(right))
            entry: Table = {
                "name": f"n{near}-n{far}{'-small' if small else ''}{way}",
                "cc": options["cc"],
                "app": {"kind": "short-flows", "size": _SIZES, "load": round(share, 6)},
                "access": {"rate": edge, "delay": _ms((there + back) / 2)},
            }
            if small:
                entry["transport"] = {"mss": _SMALL_MSS}
            if way:
                entry |= {"from": "right", "to": "left"}
            entries.append(entry)
    return entries


def _link(options: Options, basic: _Basic) -> Table:
    link: Table = {
        "rate": options["rate"] or basic.rate,
        "delay": _ms(basic.delay_ms),
        "limit": options["buffer"] or basic.buffer,
        "qdisc": options["qdisc"],
    }
    if basic.reverse is not None:
        link["reverse"] = dict(basic.reverse)
    return link


def _times(options: Options, warmup: str, duration: str) -> Table:
    seconds = _seconds(options["duration"] or duration) + _seconds(warmup)
    return {"duration": f"{seconds:g}s", "warmup": warmup}


def _basic(options: Options, basic: _Basic) -> Table:
    return {
        **_times(options, basic.warmup, basic.duration),
        "network": {"kind": "dumbbell", "bottleneck": _link(options, basic)},
        "flows": _pairs(options, options["load"], basic.edge, basic.left_ms, basic.right_ms),
        "record": {"samples": "100ms", "flows": []},
    }


_COMMON: dict[str, Any] = {
    "cc": "cubic",
    "qdisc": "fifo",
    "rate": None,
    "buffer": None,
    "duration": None,
    "seed": 1,
}


def _basic_test(basic: _Basic) -> StandardTest:
    return StandardTest(
        basic.name,
        basic.title,
        f"{_DRAFT} section {basic.section}",
        _TRAFFIC,
        {**_COMMON, "load": 0.85 if basic.name != "trans-oceanic" else 0.6},
        lambda options: _basic(options, basic),
    )


_ACCESS = next(basic for basic in _BASIC if basic.name == "access-link")


def _tradeoff(options: Options) -> Table:
    """Section 5.1: 10, 20, 50, 100 and 200 % of the BDP at 100 ms, which is 100 ms of the link."""
    table = _basic({**options, "load": 0.85}, _ACCESS)
    limits = ["10ms", "20ms", "50ms", "100ms", "200ms"]
    table["sweep"] = {
        "axes": [{"network.bottleneck.limit": limits}, {"flows.cc": _both(options)}],
        "replications": 3,
        "responses": ["throughput", "drop_rate", "queue_delay.mean"],
    }
    return table


def _both(options: Options) -> list[str]:
    """The standard TCP and the one under test, once if they are one."""
    return list(dict.fromkeys(["reno", options["cc"]]))


_RAMPS = {"80/80": (80.0, 80.0), "120/30": (120.0, 30.0), "30/120": (30.0, 120.0)}


def _long(name: str, cc: str, rtt_ms: float, base_ms: float, edge: str, **more: Any) -> Table:
    if rtt_ms < base_ms:
        raise StandardError(
            f"rtt: {rtt_ms:g} ms is less than the {base_ms:g} ms of the central link"
        )
    access = {"rate": edge, "delay": _ms((rtt_ms - base_ms) / 4)}
    return {"name": name, "cc": cc, "access": access, **more}


def _ramp_up(options: Options) -> Table:
    """Section 5.2: an existing flow, and a new one without slow start, beside a load of 50 %."""
    if options["rtt"] not in _RAMPS:
        raise StandardError(
            f"rtt: '{options['rtt']}' is none of the draft's pairs, {', '.join(_RAMPS)} (existing "
            "and new flow, ms)"
        )
    old, new = _RAMPS[options["rtt"]]
    start = 20.0
    seconds = _seconds(options["duration"] or "100s")
    basic = _Basic("", "", "", "10Mbit/s", 2.0, "80ms", "1Gbit/s")
    tests = [
        _long("existing", options["cc"], old, 4.0, "1Gbit/s"),
        # "slow-start is disabled by setting the initial slow-start threshold to the initial CWND"
        _long("new", options["cc"], new, 4.0, "1Gbit/s", start=f"{start:g}s",
              ssthresh="10 packets", initial_window="10 packets"),
    ]  # fmt: skip
    return {
        "duration": f"{start + seconds:g}s",
        "warmup": f"{start:g}s",
        "network": {"kind": "dumbbell", "bottleneck": _link(options, basic)},
        "flows": [*tests, *_pairs(options, options["load"], "1Gbit/s", _LEFT_MS, _RIGHT_MS)],
        "record": {"flows": ["existing", "new"]},
    }


_STEP_AT_S = 40.0
_AFTER_S = 100.0


def _transient(options: Options, streams: list[Table]) -> Table:
    """Section 5.3: one flow with 100 ms beside datagrams that appear or vanish."""
    end = _STEP_AT_S + _seconds(options["duration"] or f"{_AFTER_S:g}s")
    return {
        "duration": f"{end:g}s",
        "warmup": f"{_STEP_AT_S:g}s",
        "network": {
            "kind": "dumbbell",
            "bottleneck": {
                "rate": options["rate"] or "100Mbit/s",
                "delay": "50ms",
                "limit": options["buffer"] or "1024 packets",
                "qdisc": options["qdisc"],
            },
        },
        "flows": [{"name": "test", "cc": options["cc"], "access": {"rate": "100Mbit/s"}}, *streams],
    }


def _udp(name: str, rate: str, **times: str) -> Table:
    return {"name": name, "app": {"kind": "cbr", "rate": rate, "packet": "1472 bytes"}, **times}


def _decrease(options: Options) -> Table:
    return _transient(options, [_udp("cross", "75Mbit/s", stop=f"{_STEP_AT_S:g}s")])


def _increase(options: Options) -> Table:
    return _transient(options, [_udp("cross", "75Mbit/s", start=f"{_STEP_AT_S:g}s")])


def _steps(options: Options) -> Table:
    streams = [
        _udp(f"cross{number}", "2.5Mbit/s", start=f"{_STEP_AT_S + number - 1:g}s")
        for number in range(1, 31)
    ]
    return _transient(options, streams)


def _impact(options: Options) -> Table:
    """Section 6.1: camps A and B; B is standard TCP (BASELINE), then the one under test (MIX)."""
    basic = _Basic("", "", "", "10Mbit/s", 2.0, "80ms", "1Gbit/s")
    pairs = _pairs(options, options["load"] / 2, "1Gbit/s", _LEFT_MS, _RIGHT_MS)
    flows = [
        {**pair, "name": f"{camp}-{pair['name']}", "cc": _CAMP_A if camp == "a" else "reno"}
        for camp in ("a", "b")
        for pair in pairs
    ]
    mine = [flow["name"] for flow in flows if flow["name"].startswith("b-")]
    algorithms = _both(options)
    axis: Table = {f"flows.{name}.cc": algorithms for name in mine}
    if len(algorithms) < 2:
        raise StandardError("impact compares an algorithm with reno: name another by cc")
    return {
        **_times(options, "20s", "100s"),
        "network": {"kind": "dumbbell", "bottleneck": _link(options, basic)},
        "flows": flows,
        "sweep": {
            "axes": [{"name": "camp B", **axis}],
            "replications": 5,
            "responses": [
                {"name": "T(A)", "metric": "goodput", "flows": _CAMP_A},
                "goodput",
                "drop_rate",
            ],
            "comparisons": [{"axis": "camp B", "base": "reno", "ratio": True}],
        },
    }


def _fairness(options: Options) -> Table:
    """Section 6.2: two flows over buffers of 25 to 200 % of the BDP at 100 ms."""
    basic = _Basic("", "", "", "10Mbit/s", 2.0, "100ms", "1Gbit/s")
    seconds = _seconds(options["duration"] or "200s")
    first, second = (1e3 * _seconds(options[name]) for name in ("other_rtt", "rtt"))
    drawn = f"uniform(0s, {seconds / 10:g}s)"
    tests = [
        _long(name, options["cc"], rtt, 4.0, "1Gbit/s", start=drawn)
        for name, rtt in (("first", first), ("second", second))
    ]
    return {
        "duration": f"{seconds:g}s",
        "warmup": f"{seconds / 10:g}s",
        "network": {"kind": "dumbbell", "bottleneck": _link(options, basic)},
        "flows": [*tests, *_pairs(options, options["load"], "1Gbit/s", _LEFT_MS, _RIGHT_MS)],
        "sweep": {
            "axes": [{"network.bottleneck.limit": ["25ms", "50ms", "100ms", "200ms"]}],
            "replications": 5,
            "responses": [
                {"name": "first", "metric": "goodput", "flows": "first"},
                {"name": "second", "metric": "goodput", "flows": "second"},
                "drop_rate",
            ],
        },
    }


def _multi_hop(options: Options) -> Table:
    """Section 6.3, figure 10: one path over three bottlenecks, and one over each of them."""
    hop: Table = {
        "rate": options["rate"] or "100Mbit/s",
        "delay": "10ms",
        "limit": options["buffer"] or "60ms",
        "qdisc": options["qdisc"],
    }
    ways = [("long", "r1", "r4", 0.0)] + [
        (f"hop{number}", f"r{number}", f"r{number + 1}", 10.0) for number in range(1, 4)
    ]
    flows = [
        {
            "name": f"{name}-back" if back else name,
            "cc": options["cc"],
            "from": destination if back else source,
            "to": source if back else destination,
            "app": {
                "kind": "short-flows",
                "size": _SIZES,
                "load": options["load"] / 2 * (_WAY_BACK if back else 1.0),
            },
            "access": {"rate": "1Gbit/s", "delay": _ms(delay)},
        }
        for name, source, destination, delay in ways
        for back in (False, True)
    ]
    return {
        **_times(options, "20s", "40s"),
        "network": {"kind": "parking-lot", "bottlenecks": [hop, hop, hop]},
        "flows": flows,
        "record": {"samples": "100ms", "flows": []},
    }


def _test(
    name: str, title: str, section: str, choices: str, make: Callable[[Options], Table], **more: Any
) -> StandardTest:
    return StandardTest(
        name, title, f"{_DRAFT} section {section}", choices, {**_COMMON, **more}, make
    )


TESTS = (
    *(_basic_test(basic) for basic in _BASIC),
    _test(
        "delay-throughput", "Delay and throughput over the buffer, with and without the algorithm",
        "5.1", f"A sweep over the draft's five buffers and reno, 3 seeds. {_TRAFFIC}", _tradeoff,
    ),
    _test(
        "ramp-up", "Ramp-up: a new flow beside an existing one", "5.2",
        "10 Mbit/s unless rate says 1Gbit/s; the new flow starts after 20 s. rtt is one of 80/80, "
        f"120/30 and 30/120 (existing and new flow). {_TRAFFIC}",
        _ramp_up, rtt="80/80", load=0.5,
    ),
    _test(
        "transient-decrease", "75 Mbit/s of datagrams vanish", "5.3",
        "The step comes at 40 s, when slow start is over.", _decrease,
    ),
    _test(
        "transient-increase", "75 Mbit/s of datagrams appear", "5.3",
        "The step comes at 40 s, when slow start is over.", _increase,
    ),
    _test(
        "transient-steps", "30 steps of 2.5 Mbit/s of datagrams", "5.3",
        "The first step comes at 40 s, when slow start is over.", _steps,
    ),
    _test(
        "impact", "Impact on standard TCP: camps A and B", "6.1",
        "A sweep: camp B is reno (BASELINE) or the algorithm (MIX), 5 seeds. T(A) and its ratio, "
        f"the draft's L; 10 Mbit/s unless rate says 1Gbit/s. {_TRAFFIC}",
        _impact, load=0.5,
    ),
    _test(
        "fairness", "Intra-protocol and inter-RTT fairness of two flows", "6.2",
        "A sweep over the draft's four buffers, 5 seeds. rtt and other_rtt of 10 to 160 ms: equal "
        f"for intra-protocol fairness, 160ms for the other else. {_TRAFFIC}",
        _fairness, rtt="40ms", other_rtt="40ms", load=0.5,
    ),
    _test(
        "multi-hop", "Multiple bottlenecks: a parking lot of three hops", "6.3",
        "load is that of a bottleneck, half of it from the long path. The buffers are a BDP at 60 "
        f"ms; the draft gives none. {_TRAFFIC}",
        _multi_hop, load=0.8,
    ),
)  # fmt: skip
