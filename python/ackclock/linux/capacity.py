"""Whether this machine can carry a scenario's packets in real time."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ackclock.linux.child import work
from ackclock.results.text import quantity
from ackclock.scenario.errors import ScenarioError

if TYPE_CHECKING:
    from ackclock.scenario.plan import Plan
    from ackclock.scenario.scenario import Scenario

__all__ = ["check_capacity", "most_packets_per_second", "offered_packets_per_second"]

# Fewer than this any machine carries: it is not measured then. 240 Mbit/s of full packets.
_EASY = 20_000.0
_SHARE = 0.8
"""Of the most that is carried at all, so much is carried in time."""


@cache
def most_packets_per_second() -> float:
    """The most full-sized packets/s, with their ACKs, that this machine carries; measured once, in half a second.

    Raises
    ------
    LinuxError
        If it cannot be measured.
    """
    return float(work(["--measure"]))


def offered_packets_per_second(plan: Plan) -> float:
    """Data packets/s that the flows and streams of a plan can bring: what the slowest links of their paths let through."""
    limits: dict[int, float] = {}
    for flow in plan["flows"]:
        # Flows that share their slowest link share what it lets through.
        slowest, link = min((rate, link) for link in flow["path"] if (rate := plan["links"][link]["rate_bps"]) is not None)
        size = flow["transport"]["mss"] + flow["transport"]["header_bytes"]
        limits[link] = max(limits.get(link, 0.0), slowest / 8 / size)
    streams = sum(stream["app"].get("rate_bps", 0) / 8 / (stream["app"].get("payload_bytes", 1000) + 28) for stream in plan["streams"])
    return float(sum(limits.values()) + streams)


def check_capacity(scenario: Scenario, plan: Plan) -> None:
    """Raise if this machine cannot carry a plan's packets in time.

    Raises
    ------
    ScenarioError
        With what it carries, as measured.
    LinuxError
        If that cannot be measured.
    """
    offered = offered_packets_per_second(plan)
    if offered <= _EASY:
        return
    most = most_packets_per_second()
    if offered > _SHARE * most:
        raise ScenarioError(
            f"its links let {quantity(offered, 'packets')} packets/s through, and this machine carries "
            f"{quantity(_SHARE * most, 'packets')} in time ({_SHARE:.0%} of the {quantity(most, 'packets')} measured): lower their rates",
            key="network",
            file=scenario.file,
        )
