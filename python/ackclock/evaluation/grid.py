"""Axes, paths and flows, from which rows make their cells; and grid G.

A row has axes and a template: `grid(template, {"rtt": (10, 40), "buffer": (0.25, 1)})` calls
`template(rtt=10, buffer=0.25)` for the cell "10 ms, 0.25 BDP", and so on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ackclock.evaluation.cell import Cell, Context, Response, Table

__all__ = [
    "GRID",
    "PACKET_BITS",
    "PAYLOAD",
    "PLACE",
    "QUICK_GRID",
    "Axes",
    "Grid",
    "bdp_packets",
    "dumbbell",
    "flow",
    "goodput",
    "grid",
    "grids",
    "packets_of",
    "path",
    "seconds_of",
]

PAYLOAD = 1448 / 1500
"""Share of a full packet that is payload: 1448 of 1500 bytes, with timestamps."""

PACKET_BITS = 12000

PLACE = ("rate", "rtt", "buffer")
"""A place: rate in Mbit/s, base RTT in ms, buffer in BDP."""

_LEAST_PACKETS = 4
_LONG = (100, 160)
"""Rate and base RTT at which Reno's cycle takes 200 to 300 s."""

Axes = Mapping[Any, Sequence[Any] | Mapping[str, Any]]
"""Values by the name of the template's parameter.

Names in a tuple vary together. Values in a mapping have labels of their own; a text is its own
label, and a number has that of `_LABELS`.
"""

Grid = Callable[[Context], list[Cell]]
"""The cells of a row by a user's choices."""

_LABELS: Mapping[str, Callable[[Any], str]] = {
    "flows": lambda count: "1 flow" if count == 1 else f"{count} flows",
    "rate": "{:g} Mbit/s".format,
    "rtt": "{:g} ms".format,
    "victim_rtt": "{:g} ms".format,
    "buffer": "{:g} BDP".format,
    "loss": "{:g} % loss".format,
    "late_packets": "{:g} % late".format,
    "by": "by {:g} ms".format,
    "length": "{:g} s".format,
    "outage": "{:g} s".format,
    "period": "{:g} s".format,
}
_NAMES = {"size": "flow", "tunnel": "path", "rtt": "RTT", "victim_rtt": "RTT of the victim"}


def grid(
    template: Callable[..., Cell],
    axes: Axes,
    *,
    quick: Axes | None = None,
    seconds: float | tuple[float, float] | None = None,
    **fixed: Any,
) -> Grid:
    """The cells over all combinations of some values, the last axis fastest, as in a sweep.

    Parameters
    ----------
    template
        Makes the cell of one value of each axis.
    axes
        The values.
    quick
        The values of a quick evaluation where they are others; of an axis with labels, the labels.
    seconds
        Measured time, s, another value for the template: of a full evaluation, of which a quick one
        has half; or of both.
    fixed
        Values for the template that all cells have.
    """
    full, short = seconds if isinstance(seconds, tuple) else (seconds, (seconds or 0.0) / 2.0)

    def cells(context: Context) -> list[Cell]:
        chosen = dict(axes)
        for key, values in (quick or {}).items() if context.quick else ():
            named = axes[key]
            chosen[key] = {at: named[at] for at in values} if isinstance(named, Mapping) else values
        time = {} if seconds is None else {"seconds": short if context.quick else full}
        points = itertools.product(*(_points(key, values) for key, values in chosen.items()))
        return [_cell(template, point, {**fixed, **time}) for point in points]

    return cells


def grids(*parts: Grid) -> Grid:
    """The cells of several grids, one after the other."""
    return lambda context: [cell for part in parts for cell in part(context)]


_Point = tuple[Mapping[str, Any], Mapping[str, str]]
"""Values and labels by name."""


def _points(key: Any, values: Sequence[Any] | Mapping[str, Any]) -> list[_Point]:
    if isinstance(values, Mapping):
        return [({key: value}, {_name(key): label}) for label, value in values.items()]
    rows = [
        dict(zip(key, value, strict=True)) if isinstance(key, tuple) else {key: value}
        for value in values
    ]
    return [
        (row, {_name(name): _label(name, value) for name, value in row.items()}) for row in rows
    ]


def _name(name: str) -> str:
    return _NAMES.get(name, name.replace("_", " "))


def _label(name: str, value: Any) -> str:
    return value if isinstance(value, str) else _LABELS[name](value)


def _cell(
    template: Callable[..., Cell], points: Sequence[_Point], fixed: Mapping[str, Any]
) -> Cell:
    values = {**fixed, **{name: value for point, _ in points for name, value in point.items()}}
    labels = {name: label for _, point in points for name, label in point.items()}
    return replace(template(**values), labels=labels, values=values)


def bdp_packets(rate: float, rtt: float) -> float:
    """Bandwidth-delay product of Mbit/s and ms, packets of 1500 bytes."""
    return rate * rtt * 1000.0 / PACKET_BITS


def packets_of(rate: float, rtt: float, buffer: float) -> int:
    """Packets of a buffer, at least 4."""
    return max(_LEAST_PACKETS, round(buffer * bdp_packets(rate, rtt)))


def _grid() -> tuple[tuple[float, float, float], ...]:
    places: dict[tuple[float, float, int], tuple[float, float, float]] = {}
    for place in itertools.product((4, 20, 100), (10, 40, 160), (0.25, 1, 4)):
        places.setdefault((*place[:2], packets_of(*place)), place)
    return tuple(places.values())


GRID = _grid()
"""Grid G: 26 places; equal ones (rate, RTT and packets of buffer) are one."""

QUICK_GRID = (
    *itertools.product((4,), (10, 160), (0.25, 4)),
    *itertools.product((100,), (10, 40), (0.25, 4)),
    (20, 40, 1),
)
"""The corners and the centre of G, with 40 ms in place of 160 ms at 100 Mbit/s."""


def seconds_of(rate: float, rtt: float, seconds: float) -> float:
    """Measured time: 300 s where Reno's cycle is so long."""
    return max(300.0, seconds) if (rate, rtt) == _LONG else seconds


def flow(cc: str | None = "reno", name: str = "s", **options: Any) -> Table:
    """A flow that starts within the first second."""
    table: Table = {"name": name, "start": "uniform(0s, 1s)", **options}
    return table if cc is None else {**table, "cc": cc}


def goodput(flows: str, name: str | None = None) -> Response:
    """The goodput of some flows, "good v" of flows "v" if it has no other name."""
    return {"name": name or f"good {flows}", "metric": "goodput", "flows": flows}


def dumbbell(
    rate: float,
    rtt: float,
    buffer: float = 1,
    flows: int | Sequence[Table] = (),
    *,
    limit: int | str | None = None,
    loss: float | Table | None = None,
    qdisc: str | Table = "fifo",
    link: Table | None = None,
    **options: Any,
) -> Cell:
    """Two routers, with flows from left to right.

    Parameters
    ----------
    rate, rtt, buffer
        Mbit/s, ms and BDP of the bottleneck.
    flows
        The flows, or how many are in the seat; by default one.
    limit
        The buffer in packets, or as a scenario writes it, in place of `buffer`.
    loss
        Percent of the packets that are lost at random, or as a scenario writes it.
    qdisc
        Discipline of the bottleneck's queue.
    link
        Further keys of the bottleneck, or others in place of these.
    options
        As `path` takes them.
    """
    packets = packets_of(rate, rtt, buffer) if limit is None else limit
    bottleneck: Table = {
        "rate": f"{rate:g}Mbit/s",
        "delay": f"{rtt / 2.0:g}ms",
        "limit": packets if isinstance(packets, str) else f"{packets} packets",
        "qdisc": qdisc,
    }
    if loss is not None and not isinstance(loss, dict):
        loss = {"kind": "bernoulli", "p": loss / 100.0}
    if loss is not None:
        bottleneck["loss"] = loss
    network = {"kind": "dumbbell", "bottleneck": bottleneck | (link or {})}
    return path(network, flows, rate=rate, rtt=rtt, **options)


def path(
    network: Table,
    flows: int | Sequence[Table],
    *,
    rate: float,
    rtt: float,
    seconds: float,
    warmup: float | None = None,
    samples: str = "off",
    links: bool = True,
    **options: Any,
) -> Cell:
    """A cell with any network.

    Parameters
    ----------
    network, flows
        As a scenario has them; a number stands for so many flows in the seat.
    rate, rtt
        Mbit/s and ms of the subject's path.
    seconds, warmup
        Measured time and the time before it, s; by default 50 base RTTs, at least 10 s.
    samples, links
        Interval of the samples, and whether links are sampled.
    options
        `responses`, `slots` and `seats` of the cell.
    """
    before = max(10.0, 50.0 * rtt / 1000.0) if warmup is None else warmup
    if isinstance(flows, int):
        flows = [flow(count=flows)]
    scenario: Table = {
        "duration": f"{before + seconds:g}s",
        **({"warmup": f"{before:g}s"} if before else {}),
        "network": network,
        "flows": list(flows) or [flow()],
        "record": {"samples": samples, **({} if links else {"links": []})},
    }
    return Cell(scenario, rtt / 1000.0, rate * 1e6, **options)
