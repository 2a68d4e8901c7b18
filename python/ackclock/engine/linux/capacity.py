"""Whether this machine can carry a scenario's packets in real time."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ackclock.engine.linux.child import work
from ackclock.scenario.errors import ScenarioError
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from ackclock.core_types.plan import Plan
    from ackclock.scenario.scenario import Scenario

__all__ = ["check_capacity", "most_packets_per_second", "offered_packets_per_second"]

# Packets/s that any machine can carry, so that nothing is measured: 240 Mbit/s of full packets.
_EASY = 20_000.0
_SHARE = 0.8
"""Share of the measured packets/s that a machine carries in time."""


@cache
def most_packets_per_second() -> float:
    """The most full-sized packets/s, with their ACKs, that this machine carries.

    The first call measures for half a second.

    Raises
    ------
    LinuxError
        If the machine cannot be measured.

    Examples
    --------
    >>> from ackclock.engine.linux import most_packets_per_second, obstacle
    >>> obstacle() is not None or most_packets_per_second() > 0
    True
    """
    return float(work(["--measure"]))


def offered_packets_per_second(plan: Plan) -> float:
    """Data packets/s that the slowest links on the paths of a plan's flows and streams allow."""
    limits: dict[int, float] = {}
    for flow in plan["flows"]:
        # Flows with the same slowest link share its rate.
        slowest, link = min(
            (rate, link)
            for link in flow["path"]
            if (rate := plan["links"][link]["rate_bps"]) is not None
        )
        size = flow["transport"]["mss"] + flow["transport"]["header_bytes"]
        limits[link] = max(limits.get(link, 0.0), slowest / 8 / size)
    streams = sum(
        stream["app"]["rate_bps"] / 8 / (stream["app"]["payload_bytes"] + 28)
        for stream in plan["streams"]
        if stream["app"]["kind"] == "cbr"
    )
    return float(sum(limits.values()) + streams)


def check_capacity(scenario: Scenario, plan: Plan) -> None:
    """Raise if this machine cannot carry a plan's packets in time.

    Raises
    ------
    ScenarioError
        If the plan has more packets/s than the machine carries; the text has both numbers.
    LinuxError
        If the machine cannot be measured.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.engine.linux import check_capacity
    >>> slow = ac.dumbbell(rate="1Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s")
    >>> check_capacity(slow, slow.plan())
    """
    offered = offered_packets_per_second(plan)
    if offered <= _EASY:
        return
    most = most_packets_per_second()
    if offered > _SHARE * most:
        raise ScenarioError(
            f"its links let {quantity(offered, 'packets')} packets/s through, and this machine "
            f"carries {quantity(_SHARE * most, 'packets')} in time ({_SHARE:.0%} of the "
            f"{quantity(most, 'packets')} measured): lower their rates",
            key="network",
            file=scenario.file,
        )
