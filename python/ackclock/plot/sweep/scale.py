"""Scales, units and titles of the axes of a sweep's figures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import NullFormatter, NullLocator

from ackclock.curves.series import unit_scale
from ackclock.plot.sweep.labels import name_ticks
from ackclock.results.text import significant, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes

    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response

__all__ = [
    "Numbers",
    "along",
    "axis_name",
    "is_logarithmic",
    "response_title",
    "response_unit",
    "sentence",
    "shown_unit",
    "words",
]

_TITLES = {"count": "Number of flows", "cc": "Congestion control"}
_SPELT = {"rtt": "RTT", "fct": "FCT", "jain": "Jain's"}
_SHARES = ("_rate", "_share", "utilisation")
_TWO_DECADES = 100.0
_LEAST_SPAN = 4.0


@dataclass(frozen=True)
class Numbers:
    """Numbers of a response are shown times `factor`, in `unit`."""

    factor: float
    unit: str

    def title(self, name: str) -> str:
        """Title with the unit: `Queue delay p95 (ms)`."""
        return (
            f"{sentence(name)} ({self.unit})"
            if self.unit and self.unit not in words(name).lower().split()
            else sentence(name)
        )


def sentence(text: str) -> str:
    """A name as words, with a capital letter."""
    said = words(text)
    return said[:1].upper() + said[1:]


def words(text: str) -> str:
    """A response's or an axis's name as it is spoken: `queue delay p95`, `RTT mean`."""
    first, space, rest = spoken(text).partition(" ")
    return f"{_SPELT.get(first, first)}{space}{rest}"


def shown_unit(response: Response) -> str:
    """The unit that a response is shown in: percent for shares, else the response's unit."""
    base = response.metric.partition("(")[0].partition("@")[0]
    return "%" if response.unit == "1" and base.endswith(_SHARES) else response.unit


def response_unit(response: Response, values: Iterable[float | None]) -> Numbers:
    """The unit with short numbers for all of these values."""
    unit = shown_unit(response)
    largest = max(
        (abs(value) for value in values if value is not None and math.isfinite(value)), default=0.0
    )
    if unit == "%":
        return Numbers(100.0, "%")
    if unit in {"s", "bit/s"}:
        return Numbers(*unit_scale(largest or 1.0, unit))
    if unit == "bytes":
        return Numbers(*unit_scale(largest, "B"))
    return Numbers(1.0, "" if unit == "1" else unit)


def response_title(response: Response) -> str:
    """A response's name as a title."""
    return sentence(response.name)


def axis_name(axis: Axis) -> str:
    """An axis' name as a title."""
    last = axis.keys[0].rpartition(".")[2]
    named = axis.name in (last, axis.keys[0])
    if len(axis.keys) == 1 and named and axis.keys[0].startswith("flows."):
        return _TITLES.get(last, sentence(last))
    return sentence(axis.name)


def is_logarithmic(numbers: Sequence[float]) -> bool:
    """Whether values need a logarithmic axis.

    They do if they span two decades, or if their ratios are more even than their steps.
    """
    values = sorted(set(numbers))
    if len(values) < 3 or values[0] <= 0.0:
        return len(values) == 2 and values[0] > 0.0 and values[1] / values[0] >= _TWO_DECADES
    span = values[-1] / values[0]
    if span >= _TWO_DECADES:
        return True
    return span >= _LEAST_SPAN and _unevenness(np.diff(np.log(values))) < _unevenness(
        np.diff(values)
    )


def _unevenness(steps: np.ndarray) -> float:
    return float(np.std(steps) / np.mean(steps))


def along(axes: Axes, axis: Axis, width: float) -> list[float]:
    """Set up the horizontal axis of a panel for an axis of the sweep.

    `width` is the room for all tick labels, inches. Returns the position of each value.
    """
    if axis.numbers is None:
        texts = [str(label) for label in axis.labels]
        axes.set_xlabel(axis_name(axis))
        name_ticks(axes, texts, width / max(len(texts), 1))
        axes.set_xlim(-0.6, len(texts) - 0.4)
        axes.xaxis.grid(visible=False)
        return [float(index) for index in range(len(texts))]
    factor, unit = _axis_unit(axis)
    positions = [number * factor for number in axis.numbers]
    axes.set_xlabel(f"{axis_name(axis)} ({unit})" if unit else axis_name(axis))
    if is_logarithmic(positions):
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_minor_locator(NullLocator())
    ticks = _ticks(sorted(set(positions)), logarithmic=axes.get_xscale() == "log", width=width)
    axes.set_xticks(ticks, [significant(tick) for tick in ticks])
    axes.margins(x=0.03)
    return positions


def _axis_unit(axis: Axis) -> tuple[float, str]:
    assert axis.numbers is not None
    largest = max(abs(number) for number in axis.numbers)
    if axis.unit in {"s", "bit/s"}:
        return unit_scale(largest, axis.unit)
    if axis.unit == "bytes":
        return unit_scale(largest, "B")
    return 1.0, {"bdp": "BDP", "1": "", None: ""}.get(axis.unit, axis.unit or "")


def _ticks(values: list[float], *, logarithmic: bool, width: float) -> list[float]:
    """Values whose labels do not overlap; the first and the last value are always among them."""
    place = [math.log(value) for value in values] if logarithmic else values
    span = place[-1] - place[0]
    if span == 0.0:
        return values
    points = [72 * width * (at - place[0]) / span for at in place]
    half = [len(significant(value)) * 4.4 / 2 + 2.0 for value in values]
    kept = [0]
    last = len(values) - 1
    for index in range(1, last):
        fits = points[index] - points[kept[-1]] >= half[index] + half[kept[-1]]
        if fits and points[last] - points[index] >= half[index] + half[last]:
            kept.append(index)
    if last:
        kept.append(last)
    return [values[index] for index in kept]
