"""What values a metric can have at all, so that no interval leaves them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.metrics.registry import METRICS

if TYPE_CHECKING:
    from ackclock.metrics.registry import Metric

__all__ = ["range_of"]

_SHARES = frozenset({
    "jain_index",
    "loss_synchronisation",
    "max_min_fairness",
    "min_max_ratio",
    "queue_empty_share",
    "queue_full_share",
    "rtt_jain_index",
    "smoothness",
    "stall_share",
    "utilisation",
})  # fmt: skip
_UNBOUNDED = frozenset({"proportional_utility"})


def range_of(metric: Metric) -> tuple[float, float]:
    """Smallest and largest value that a metric can have, in its unit.

    Parameters
    ----------
    metric : Metric
        With or without an element and arguments.

    Returns
    -------
    tuple of two floats
        (0, 1) for shares, indices and rates of loss or marking; (0, inf) for other built-in metrics;
        those that it was registered with for metrics of a user's own, (-inf, inf) where none were given.

    Examples
    --------
    >>> from ackclock.metrics import find_metric
    >>> range_of(find_metric("loss_rate")), range_of(find_metric("rtt.p95"))
    ((0.0, 1.0), (0.0, inf))
    """
    name = metric.name.partition("@")[0].partition("(")[0]
    if name not in METRICS or name in _UNBOUNDED:
        return metric.limits or (-math.inf, math.inf)
    share = metric.unit == "1" and (name in _SHARES or name.endswith("_rate"))
    return 0.0, 1.0 if share else math.inf
