"""Box plots: median, quartiles and whiskers of the runs of a setting."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ackclock.results.series import Floats

__all__ = ["MOST_POINTS", "Box", "box_of"]

MOST_POINTS = 60
"""Largest number of runs of a setting that are drawn as points."""


class Box(NamedTuple):
    """Median, quartiles, and the last runs within 1.5 interquartile ranges of the quartiles."""

    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float


def box_of(values: Floats) -> Box:
    """The box of at least one value."""
    quarter, median, three = (
        float(quantile) for quantile in np.quantile(values, (0.25, 0.5, 0.75))
    )
    reach = 1.5 * (three - quarter)
    within = values[(values >= quarter - reach) & (values <= three + reach)]
    return Box(float(within.min()), quarter, median, three, float(within.max()))
