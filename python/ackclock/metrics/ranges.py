"""Range of a metric, so that no interval leaves it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.metrics.registry import METRICS

if TYPE_CHECKING:
    from ackclock.metrics.registry import Metric

__all__ = ["range_of"]

_SHARES = frozenset({
    "acked_jain_index",
    "acked_share",
    "jain_between",
    "jain_index",
    "loss_synchronisation",
    "min_max_ratio",
    "newcomer_share",
    "queue_empty_share",
    "queue_full_share",
    "rtt_jain_index",
    "smoothness",
    "stall_share",
    "useful_share",
    "utilisation",
})  # fmt: skip
# The rating factor of ITU-T G.107 falls below zero where much is lost.
_UNBOUNDED = frozenset({"proportional_utility", "r_factor"})
_JAIN = frozenset({"acked_jain_index", "jain_between", "jain_index", "rtt_jain_index"})
# ITU-T G.107 annex B: the scores of the worst and the best rating factor.
_OTHERS = {"mos": (1.0, 4.5)}


def range_of(metric: Metric, flows: int | None = None) -> tuple[float, float]:
    """Smallest and largest value that a metric can have, in its unit.

    Parameters
    ----------
    metric : Metric
        With or without an element and arguments.
    flows : int, optional
        How many flows the run has, which bounds Jain's index from below: 1/n, where one flow has
        all (R. Jain, D. Chiu, W. Hawe, DEC-TR-301, 1984, section 3). By default it is not known,
        and 0.

    Returns
    -------
    tuple of two floats
        (0, 1) for shares, indices and rates of loss or marking; (0, inf) for other built-in
        metrics; those that it was registered with for metrics of a user's own, (-inf, inf) where
        none were given.

    Examples
    --------
    >>> from ackclock.metrics import find_metric
    >>> range_of(find_metric("loss_rate")), range_of(find_metric("rtt.p95"))
    ((0.0, 1.0), (0.0, inf))
    >>> range_of(find_metric("jain_index"), 2)
    (0.5, 1.0)
    """
    name = metric.name.partition("@")[0].partition("(")[0]
    if name not in METRICS or name in _UNBOUNDED:
        return metric.limits or (-math.inf, math.inf)
    if name in _OTHERS:
        return _OTHERS[name]
    if name in _JAIN and flows:
        return 1.0 / flows, 1.0
    share = metric.unit == "1" and (name in _SHARES or name.endswith(("_rate", "_rate_since")))
    return 0.0, 1.0 if share else math.inf
