"""Means of measured values."""

import math
from collections.abc import Iterable


def mean_of(values: Iterable[float | None]) -> float | None:
    """Mean of the values that exist.

    Parameters
    ----------
    values : iterable of float or None
        None stands for "not measured" and is left out.

    Returns
    -------
    float or None
        The arithmetic mean; None if there is no value.

    Examples
    --------
    >>> from ackclock.metrics import mean_of
    >>> mean_of([1.0, None, 3.0])
    2.0
    """
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None
