"""Figures as tables show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.results.text import MISSING, quantity, with_error

if TYPE_CHECKING:
    from ackclock.validation.judging import Row

__all__ = ["deviation", "difference", "kernel", "simulated", "spread", "verdict", "with_spread"]

_DIGITS = 4


def _shown(value: float | None, unit: str) -> str:
    return quantity(value, unit, _DIGITS)


def kernel(row: Row) -> str:
    """Mean over the kernel's repetitions."""
    return _shown(row.kernel_mean, row.key.unit)


def simulated(row: Row) -> str:
    """Mean over the seeds."""
    return _shown(row.simulated_mean, row.key.unit)


def spread(row: Row) -> str:
    """From the least to the largest of the kernel's repetitions."""
    if not row.kernel or min(row.kernel) == max(row.kernel):
        return "" if row.kernel else MISSING
    return f"{_shown(min(row.kernel), row.key.unit)} … {_shown(max(row.kernel), row.key.unit)}"


def with_spread(row: Row) -> str:
    """The kernel's mean, and half of what its repetitions differ by."""
    if not row.kernel or min(row.kernel) == max(row.kernel):
        return kernel(row)
    number, _, unit = kernel(row).partition(" ")
    half = with_error(row.kernel_mean or 0.0, (max(row.kernel) - min(row.kernel)) / 2, row.key.unit).split()
    return f"{number} ± {half[2]} {unit}".rstrip()


def difference(row: Row) -> str:
    """How far the simulator is off: in percent, of shares in points."""
    off, mean = row.difference, row.kernel_mean
    if off is None or mean is None:
        return MISSING
    if off == 0:
        return "0"
    if row.key.measure == "share":
        return f"{100 * off:+.1f} points"
    if mean == 0:
        return f"{off:+.3g}"
    return f"{100 * off / mean:+.1f} %"


def deviation(row: Row) -> str:
    """The same in units of what is let pass."""
    off = row.deviation
    return MISSING if off is None else f"{off:+.2f}"


def verdict(row: Row) -> str:
    """Whether the bar holds."""
    return {None: "", True: "holds", False: "**missed**"}[row.holds]
