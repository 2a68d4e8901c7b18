"""Scales, units and titles of the axes of a sweep's figures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot_data.series import unit_scale
from ackclock.tables.quantities import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response

__all__ = [
    "Numbers",
    "axis_name",
    "axis_unit",
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


def axis_unit(axis: Axis) -> tuple[float, str]:
    """Factor and name of the unit that the numbers of an axis are shown in."""
    assert axis.numbers is not None
    largest = max(abs(number) for number in axis.numbers)
    if axis.unit in {"s", "bit/s"}:
        return unit_scale(largest, axis.unit)
    if axis.unit == "bytes":
        return unit_scale(largest, "B")
    return 1.0, {"bdp": "BDP", "1": "", None: ""}.get(axis.unit, axis.unit or "")
