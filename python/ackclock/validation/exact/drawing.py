"""Small scenarios drawn at random: the simulator beside a kernel where nobody has looked before."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

from ackclock.scenario import Scenario
from ackclock.scenario.quantities import PS_PER_S, time_ps

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["COMMON", "drawn", "shifted"]

COMMON = ("reno", "cubic", "bbr")
"""Controls that half of the flows have."""

_PACKET_BITS = 12_000
_MOST_PACKETS = 4000
"""Packets that a bottleneck carries in a drawn scenario at most: a second or two of a processor."""
_QUEUES: tuple[dict[str, Any], ...] = (
    {"kind": "codel"},
    {"kind": "fq_codel"},
    {"kind": "pie"},
    {"kind": "red", "wait": False},
    {"kind": "fifo"},
)


def drawn(number: int, seed: int, controls: Sequence[str]) -> Scenario:
    """Scenario `number` of a seed: one bottleneck, one to four flows.

    Rates are 0.5 to 50 Mbit/s and round trips 5 to 200 ms, both spread evenly over their
    logarithms; buffers are a third to four times what is on the way. Half of the queues are FIFO.
    A fifth of the flows are files, a fifth of the paths lose packets on the wire.

    Parameters
    ----------
    number, seed
        Both name the random stream, so that one scenario can be drawn alone.
    controls
        Congestion controls besides `COMMON`, which half of the flows have.
    """
    draw = random.Random(f"validation/exact/{seed}/{number}")
    rate = _log(draw, 5e5, 5e7)
    rtt = _log(draw, 0.005, 0.2)
    on_the_way = rate * rtt / _PACKET_BITS
    limit = max(4, round(on_the_way * _log(draw, 1 / 3, 4)))
    duration = min(max(1.0, 20 * rtt, _MOST_PACKETS * _PACKET_BITS / rate), 10.0)
    bottleneck: dict[str, Any] = {
        "rate": f"{rate / 1e6:.3f}Mbit/s",
        "delay": f"{500 * rtt:.3f}ms",
        "limit": f"{limit}packets",
    }
    qdisc = draw.choice(_QUEUES) if draw.random() < 0.5 else _QUEUES[-1]
    has_ecn = qdisc["kind"] != "fifo" and draw.random() < 0.3
    if qdisc["kind"] != "fifo":
        bottleneck["qdisc"] = {**qdisc, **({"ecn": True} if has_ecn else {})}
    if draw.random() < 0.2:
        bottleneck["loss"] = round(_log(draw, 1e-4, 1e-2), 5)
    flows = [_flow(draw, rate, rtt, duration, controls) for _ in range(draw.choice((1, 1, 2, 4)))]
    data: dict[str, Any] = {
        "name": f"drawn-{seed}-{number}",
        "duration": f"{duration:.3f}s",
        "seed": 1 + draw.randrange(1000),
        "network": {"kind": "dumbbell", "bottleneck": bottleneck},
        "flows": flows,
    }
    if has_ecn:
        data["transport"] = {"ecn": "classic"}
    return Scenario.parse(data)


def shifted(scenario: Scenario) -> Scenario:
    """A drawn scenario with each start up to a round trip later: another path of the same."""
    draw = random.Random(f"validation/exact/shifted/{scenario.name}")
    data = scenario.data()
    rtt = 2 * time_ps(data["network"]["bottleneck"]["delay"]) / PS_PER_S
    flows = [
        {**flow, "start": f"{time_ps(flow['start']) / PS_PER_S + draw.uniform(0, rtt):.6f}s"}
        for flow in data["flows"]
    ]
    return Scenario.parse({**data, "flows": flows})


def _log(draw: random.Random, low: float, high: float) -> float:
    return math.exp(draw.uniform(math.log(low), math.log(high)))


def _flow(
    draw: random.Random, rate: float, rtt: float, duration: float, controls: Sequence[str]
) -> dict[str, Any]:
    cc = draw.choice(COMMON) if draw.random() < 0.5 or not controls else draw.choice(controls)
    flow: dict[str, Any] = {"cc": cc, "start": f"{draw.uniform(0, 4 * rtt):.6f}s"}
    if draw.random() < 0.2:
        most = rate * duration / 8
        flow["app"] = {"kind": "file", "size": f"{round(_log(draw, 3000, max(most, 4000)))} bytes"}
    return flow
