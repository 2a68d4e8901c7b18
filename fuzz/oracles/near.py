"""Compares floats that came from exact numbers by few roundings."""

from __future__ import annotations

import itertools
from typing import Any

__all__ = ["RELATIVE", "above", "below", "ordered"]

RELATIVE = 1e-9
"""Relative error that a sum of up to a million doubles stays below."""

_SMALLEST = 1e-12
"""The clock's step, s."""


def above(value: float, most: float) -> bool:
    """Whether a value is more than it can be."""
    return value > most + abs(most) * RELATIVE + _SMALLEST


def below(value: float, least: float) -> bool:
    """Whether a value is less than it can be."""
    return value < least - abs(least) * RELATIVE - _SMALLEST


_OF_A_BIN = 0.008
"""Relative width of a histogram's bin: the error of percentiles; other figures are exact."""


def ordered(row: dict[str, Any], figure: str, most: float) -> str | None:
    """Return how a distribution's statistics contradict each other; None if they do not.

    Parameters
    ----------
    row
        Columns of a row: `FIGURE_count`, and `_min`, `_mean`, `_p50`, `_p95`, `_p99`, `_max`.
    figure
        Name of the figure, such as `rtt`.
    most
        Largest possible value.
    """
    names = ("min", "p50", "p95", "p99", "max")
    spread = {name: row[f"{figure}_{name}"] for name in ("count", "mean", *names)}
    values = [spread[name] for name in names]
    if spread["count"] == 0:
        return (
            None
            if all(value is None for value in [*values, spread["mean"]])
            else f"without samples: {spread}"
        )
    if any(value is None for value in [*values, spread["mean"]]):
        return f"with samples, and without a value: {spread}"
    numbers = [float(value or 0.0) for value in values]
    if numbers[0] < 0 or above(numbers[-1], most):
        return f"outside of 0 to {most}: {spread}"
    for before, after in itertools.pairwise(numbers):
        if before > after * (1 + _OF_A_BIN) + _SMALLEST:
            return f"out of order: {spread}"
    mean = float(spread["mean"] or 0.0)
    if below(mean, numbers[0]) or above(mean, numbers[-1]):
        return f"the mean is outside: {spread}"
    return None
