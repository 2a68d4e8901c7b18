"""All figures of a run are finite, and none is negative."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["finite_numbers"]


def _numbers(value: Any, place: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(inner, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _numbers(inner, f"{place}.{index}")
    elif isinstance(value, float | int) and not isinstance(value, bool):
        yield place, value


_WRONG = re.compile(r"NaN|Infinity|[ \[]-[0-9]")
"""Such a number in JSON; a minus within a name follows a letter or a quotation mark."""


def finite_numbers(trial: Trial) -> Iterator[str]:
    """Judge every figure of the counters and of summary.json."""
    summary = trial.result.summary()
    if not _WRONG.search(trial.counters) and not _WRONG.search(json.dumps(summary)):
        return
    tables = {
        "flows": trial.flows,
        "links": trial.links,
        "streams": trial.streams,
        "summary": summary,
    }
    for place, number in _numbers(tables, ""):
        if not math.isfinite(number):
            yield f"{place} is {number}"
        elif number < 0:
            yield f"{place} is negative: {number}"
