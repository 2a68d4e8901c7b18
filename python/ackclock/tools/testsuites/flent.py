"""Flent's tests: TCP in both directions beside pings, which measure latency under load.

Source: the test definitions of flent (``flent/tests/rrul.conf``, ``rrul_be.conf``,
``tcp_nup.conf``) and its documentation, section "The Realtime Response Under Load (RRUL) test": "It
works by running RTT measurement using ICMP ping and UDP roundtrip time measurement, while loading
up the link with eight TCP streams (four downloads, four uploads)."
"""

from __future__ import annotations

from typing import Any

from ackclock import _core
from ackclock.scenario.quantities import PS_PER_S, time_ps
from ackclock.tools.testsuites.test import Options, StandardTest, Table

__all__ = ["CLASSES", "IDLE_S", "TESTS"]

IDLE_S = 5.0
"""Time in which only the pings run, before and after the TCP flows: flent's DELAY."""

CLASSES = {"BE": 0, "BK": 2, "CS5": 4, "EF": 6}
"""Priority of the packets of each class, for the discipline prio; other disciplines ignore it.

rrul.conf marks packets CS0, CS1, CS5 and EF. Linux's priomap serves priority 6 first, 0 and 4 next
and 2 last.
"""

# A round trip by UDP_RR sends a packet per RTT; 50 a second are that at 20 ms.
_PING: Table = {"kind": "cbr", "rate": "36.8kbit/s", "packet": "64 bytes"}


def _ping(name: str, priority: int, duration_s: float) -> list[Table]:
    """A stream each way; a round trip is the sum of both (`ackclock.tools.testsuites.latency`)."""
    common: Table = {"app": _PING, "priority": priority, "stop": f"{duration_s:g}s"}
    return [
        {"name": f"ping-{name}-down", **common},
        {"name": f"ping-{name}-up", "from": "right", "to": "left", **common},
    ]


def _flow(name: str, options: Options, priority: int, *, up: bool, stop: float) -> Table:
    way = {"from": "right", "to": "left"} if up else {}
    return {
        "name": name,
        "cc": options["cc"],
        "start": f"{IDLE_S:g}s",
        "stop": f"{stop:g}s",
        "priority": priority,
        **way,
    }


def _scenario(options: Options, flows: list[Table], pings: list[Table]) -> Table:
    length = time_ps(options["duration"]) / PS_PER_S
    bottleneck: Table = {
        "rate": options["rate"],
        "delay": _core.format_time(time_ps(options["rtt"]) // 2),
        "qdisc": options["qdisc"],
    }
    if options["buffer"] is not None:
        bottleneck["limit"] = options["buffer"]
    if options.get("up_rate") is not None:
        bottleneck["reverse"] = {"rate": options["up_rate"]}
    return {
        "duration": f"{length + 2 * IDLE_S:g}s",
        "network": {"kind": "dumbbell", "bottleneck": bottleneck},
        "flows": [*flows, *pings],
    }


def _total(options: Options) -> tuple[float, float]:
    """End of the TCP flows and of the pings, s."""
    length = time_ps(options["duration"]) / PS_PER_S
    return IDLE_S + length, length + 2 * IDLE_S


def _rrul(options: Options) -> Table:
    stop, end = _total(options)
    flows = [
        _flow(f"{way}-{name}", options, priority, up=way == "up", stop=stop)
        for way in ("down", "up")
        for name, priority in CLASSES.items()
    ]
    pings = [
        stream
        for name, priority in (("EF", 6), ("BK", 2), ("BE", 0), ("ICMP", 0))
        for stream in _ping(name, priority, end)
    ]
    return _scenario(options, flows, pings)


def _rrul_be(options: Options) -> Table:
    stop, end = _total(options)
    flows = [
        _flow(f"{way}-BE{number}", options, 0, up=way == "up", stop=stop)
        for way in ("down", "up")
        for number in range(1, 5)
    ]
    pings = [ping for name in ("BE1", "BE2", "BE3", "ICMP") for ping in _ping(name, 0, end)]
    return _scenario(options, flows, pings)


def _tcp(options: Options, *, up: bool) -> Table:
    stop, end = _total(options)
    name = "up" if up else "down"
    flows = [
        _flow(f"{name}-BE{number}", options, 0, up=up, stop=stop)
        for number in range(1, options["streams"] + 1)
    ]
    return _scenario(options, flows, _ping("ICMP", 0, end))


_OPTIONS: dict[str, Any] = {
    "rate": "20Mbit/s",
    "up_rate": None,
    "rtt": "40ms",
    "qdisc": "fifo",
    "buffer": None,
    "cc": "cubic",
    "duration": "60s",
    "seed": 1,
}
_PINGS = (
    "A ping is a stream of 50 datagrams a second each way, whose delays are added; flent's UDP_RR "
    "sends the next request when an answer has come. Flent measures a path; rate, RTT and queue "
    "are options here. Classes are priorities, which only prio and drr look at."
)

TESTS = (
    StandardTest(
        "rrul",
        "Realtime Response Under Load: 4 TCP flows each way, pings in three classes and ICMP",
        "flent, rrul.conf",
        _PINGS,
        _OPTIONS,
        _rrul,
        "rrul",
    ),
    StandardTest(
        "rrul_be",
        "RRUL with best effort only",
        "flent, rrul_be.conf",
        _PINGS,
        _OPTIONS,
        _rrul_be,
        "rrul",
    ),
    StandardTest(
        "tcp_nup",
        "N TCP uploads with a ping",
        "flent, tcp_nup.conf",
        _PINGS,
        {**_OPTIONS, "streams": 4},
        lambda options: _tcp(options, up=True),
        "rrul",
    ),
    StandardTest(
        "tcp_ndown",
        "N TCP downloads with a ping",
        "flent, tcp_ndown.conf",
        _PINGS,
        {**_OPTIONS, "streams": 4},
        lambda options: _tcp(options, up=False),
        "rrul",
    ),
)
