"""Paths, flows and grid G, from which rows make their cells."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.evaluation.row import Context, Table

__all__ = [
    "GRID",
    "PAYLOAD",
    "Place",
    "bdp_packets",
    "dumbbell",
    "flow",
    "flows_label",
    "grid",
    "milliseconds",
    "packets_of",
    "plain_number",
    "quick_grid",
    "seconds_of",
    "warmup_of",
]

PAYLOAD = 1448 / 1500
"""Share of a full packet that is payload: 1448 of 1500 bytes, with timestamps."""

PACKET_BITS = 12000

Place = tuple[float, float, float]
"""Rate in Mbit/s, base RTT in ms, buffer in BDP."""

_RATES, _RTTS, _BUFFERS = (4.0, 20.0, 100.0), (10.0, 40.0, 160.0), (0.25, 1.0, 4.0)
_LEAST_PACKETS = 4
_LONG = (100.0, 160.0)
"""Rate and base RTT at which Reno's cycle takes 200 to 300 s."""


def plain_number(value: float) -> str:
    """A number without needless digits."""
    return f"{value:g}"


def flows_label(count: int) -> str:
    """A number of flows in words."""
    return "1 flow" if count == 1 else f"{count} flows"


def milliseconds(value: float) -> str:
    """A time in ms as a scenario writes it."""
    return f"{value:g}ms"


def bdp_packets(rate_mbit: float, rtt_ms: float) -> float:
    """Bandwidth-delay product, packets of 1500 bytes."""
    return rate_mbit * rtt_ms * 1000.0 / PACKET_BITS


def packets_of(rate_mbit: float, rtt_ms: float, bdp: float) -> int:
    """Packets of a buffer, at least 4."""
    return max(_LEAST_PACKETS, round(bdp * bdp_packets(rate_mbit, rtt_ms)))


def _grid() -> tuple[Place, ...]:
    found: dict[tuple[float, float, int], Place] = {}
    for rate, rtt, bdp in itertools.product(_RATES, _RTTS, _BUFFERS):
        found.setdefault((rate, rtt, packets_of(rate, rtt, bdp)), (rate, rtt, bdp))
    return tuple(found.values())


GRID = _grid()
"""Grid G: 26 places; equal ones (rate, RTT and packets of buffer) are one."""


def quick_grid() -> tuple[Place, ...]:
    """The corners and the centre of G, with 40 ms in place of 160 ms at 100 Mbit/s."""
    corners = [
        (rate, 40.0 if (rate, rtt) == _LONG else rtt, bdp)
        for rate, rtt, bdp in itertools.product((4.0, 100.0), (10.0, 160.0), (0.25, 4.0))
    ]
    return (*corners, (20.0, 40.0, 1.0))


def grid(context: Context) -> tuple[Place, ...]:
    """The places of a row on G."""
    return quick_grid() if context.quick else GRID


def warmup_of(rtt_ms: float) -> float:
    """Warm-up: 50 base RTTs, at least 10 s."""
    return max(10.0, 50.0 * rtt_ms / 1000.0)


def seconds_of(context: Context, rate_mbit: float, rtt_ms: float, full: float = 60.0) -> float:
    """Measured time: 60 s, half of it in quick runs, 300 s where Reno's cycle is so long."""
    if (rate_mbit, rtt_ms) == _LONG:
        return 30.0 if context.quick else max(300.0, full)
    return full / 2.0 if context.quick else full


def flow(cc: str | None = "reno", name: str = "s", **options: Any) -> Table:
    """A flow that starts within the first second."""
    found: Table = {"name": name, "start": "uniform(0s, 1s)", **options}
    if cc is not None:
        found["cc"] = cc
    return found


def dumbbell(
    rate_mbit: float,
    rtt_ms: float,
    buffer_packets: float,
    flows: Sequence[Mapping[str, Any]],
    *,
    seconds: float,
    warmup: float = 0.0,
    samples: str = "off",
    link_samples: bool = True,
    qdisc: str | Mapping[str, Any] = "fifo",
    **bottleneck: Any,
) -> Table:
    """A scenario of two routers; `bottleneck` holds further keys of its link."""
    record: Table = {"samples": samples}
    if not link_samples:
        record["links"] = []
    found: Table = {
        "duration": f"{warmup + seconds:g}s",
        "network": {
            "kind": "dumbbell",
            "bottleneck": {
                "rate": f"{rate_mbit:g}Mbit/s",
                "delay": milliseconds(rtt_ms / 2.0),
                "limit": f"{buffer_packets:g} packets",
                "qdisc": dict(qdisc) if isinstance(qdisc, Mapping) else qdisc,
                **bottleneck,
            },
        },
        "flows": [dict(one) for one in flows],
        "record": record,
    }
    if warmup:
        found["warmup"] = f"{warmup:g}s"
    return found
