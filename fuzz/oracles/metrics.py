"""Every metric that needs no series is a number in its range, or none."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from ackclock.metrics import METRICS
from ackclock.metrics.registry import range_of
from fuzz.oracles.near import above, below

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.metrics.registry import Metric
    from fuzz.trial import Trial

__all__ = ["metric_ranges"]

_RATES: tuple[Literal["loss_rate", "retransmit_rate"], ...] = ("loss_rate", "retransmit_rate")
_EVERY = 16
"""Period of runs whose metrics are all judged; the summary's are judged in every run."""


@lru_cache(maxsize=1)
def _simple() -> list[tuple[Metric, float, float]]:
    from inspect import Parameter

    found = []
    for name in sorted(METRICS):
        metric = METRICS[name]
        needs_value = any(default is Parameter.empty for default in metric.parameters.values())
        if not metric.needs and not needs_value:
            found.append((metric, *range_of(metric)))
    return found


def metric_ranges(trial: Trial) -> Iterator[str]:
    """Judge the summary's shares, and the metrics of the registry."""
    summary = trial.result.summary()
    counted = [row for row in summary["flows"] if row["part_of"] is None and row["cc"] != "udp"]
    index = summary["jain_index"]
    if index is not None and (above(index, 1.0) or below(index, 1.0 / max(len(counted), 1))):
        yield f"Jain's index of {len(counted)} flows is {index}"
    for link in summary["links"]:
        if link["utilisation"] is not None and above(link["utilisation"], 1.0):
            yield f"{link['name']}: utilisation is {link['utilisation']}"
    for row in summary["flows"]:
        for name in _RATES:
            rate = row[name]
            if rate is not None and above(rate, 1.0):
                yield f"{row['name']}: {name} is {rate}"
    if trial.number % _EVERY:
        return
    for metric, low, high in _simple():
        value = metric.value(trial.result)
        if value is None:
            continue
        if not math.isfinite(value):
            yield f"{metric.name} is {value}"
        elif below(value, low) or above(value, high):
            yield f"{metric.name} is {value}, and its range is {low} to {high}"
