"""Figures as tables show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.tables.intervals import with_error
from ackclock.tables.quantities import MISSING, quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.validation.judging import Row

__all__ = [
    "deviation",
    "difference",
    "first",
    "interval",
    "kernel",
    "share",
    "simulated",
    "spread",
    "verdict",
    "with_spread",
]

_DIGITS = 4


def _shown(value: float | None, unit: str) -> str:
    return quantity(value, unit, _DIGITS)


def kernel(row: Row) -> str:
    """Mean over the kernel's repetitions."""
    return _shown(row.judgement.reference_mean, row.key.unit)


def simulated(row: Row) -> str:
    """Mean over the seeds."""
    return _shown(row.judgement.mean, row.key.unit)


def spread(values: Sequence[float], unit: str) -> str:
    """The range of some runs' values, as text; empty if they are equal."""
    if not values or min(values) == max(values):
        return "" if values else MISSING
    return f"{_shown(min(values), unit)} … {_shown(max(values), unit)}"


def with_spread(values: Sequence[float], unit: str) -> str:
    """Return the mean of some runs, and half of their spread."""
    if not values or min(values) == max(values):
        return _shown(values[0] if values else None, unit)
    return with_error(sum(values) / len(values), (max(values) - min(values)) / 2, unit)


def interval(row: Row) -> str:
    """The 95 % interval of the difference, as text; empty without one."""
    if row.interval is None:
        return ""
    low, high = (_off(row, end) for end in row.interval)
    return f"{low} … {high}"


def share(held: int, bars: int) -> str:
    """Return the number of bars that hold, of all bars, and in percent.

    Examples
    --------
    >>> share(97, 100)
    '97 of 100 (97.0 %)'
    """
    return f"{held} of {bars} ({100 * held / bars:.1f} %)" if bars else "0 of 0"


def first(runs: Mapping[str, int]) -> str:
    """Return the flows that were first, with their numbers of runs.

    Examples
    --------
    >>> first({"a": 3, "b": 1})
    'a in 3, b in 1'
    """
    return ", ".join(f"{name} in {number}" for name, number in runs.items()) or "unknown"


def difference(row: Row) -> str:
    """Return the simulator's difference: in percent, of shares in points."""
    kernel, simulated = row.judgement.reference_mean, row.judgement.mean
    return MISSING if kernel is None or simulated is None else _off(row, simulated - kernel)


def _off(row: Row, off: float) -> str:
    mean = row.judgement.reference_mean
    if off == 0:
        return "0"
    if row.key.measure == "share":
        return f"{100 * off:+.1f} points"
    if not mean:
        return f"{off:+.3g}"
    return f"{100 * off / mean:+.1f} %"


def deviation(row: Row) -> str:
    """Return the simulator's difference in units of the allowed one."""
    off = row.deviation
    return MISSING if off is None else f"{off:+.2f}"


def verdict(row: Row) -> str:
    """Whether the bar holds."""
    if row.is_chance:
        return "may be chance"
    return {None: "", True: "holds", False: "**missed**"}[row.holds]
