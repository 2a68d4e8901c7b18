"""Numbers in the data of results, by their place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Interval", "leaves", "other_numbers"]


@dataclass(frozen=True)
class Interval:
    """A number with its interval."""

    value: float
    low: float
    high: float
    unit: str

    def holds(self, value: float) -> bool:
        """Return whether a value lies inside, apart from the last bits where all runs are alike."""
        slack = 1e-9 * max(abs(self.low), abs(self.high))
        return self.low - slack <= value <= self.high + slack

    @property
    def numbers(self) -> tuple[float, float, float]:
        """Return the value, and the lower and upper end."""
        return (self.value, self.low, self.high)


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Interval | float]]:
    """Return every number by its place: the names on the way to it, and the names of rows."""
    if isinstance(value, dict):
        number, low, high = (value.get(key) for key in ("value", "low", "high"))
        if (
            isinstance(number, int | float)
            and isinstance(low, int | float)
            and isinstance(high, int | float)
        ):
            unit = str(value.get("unit", ""))
            yield place, Interval(_real(number), _real(low), _real(high), unit)
            return
        for key, inner in value.items():
            if key not in {"where", "name", "n"}:
                yield from leaves(inner, f"{place}, {key}" if place else key)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            called = inner.get("where", inner.get("name", at)) if isinstance(inner, dict) else at
            # "weighed" adds nothing to the setting's words.
            there = place.removesuffix("weighed").removesuffix("pairs").removesuffix(", ")
            yield from leaves(inner, ", ".join(part for part in (there, str(called)) if part))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, _real(value)


def _real(value: float) -> float:
    """The value as a float; infinite if it is beyond them."""
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def other_numbers(old: Any, new: Any) -> list[tuple[str, float | None, float | None]]:
    """Place, old and new value of each number that differs; None where one state has none."""
    before, after = (
        {place: value for place, value in leaves(data) if isinstance(value, float)}
        for data in (old, new)
    )
    return [
        (place, before.get(place), after.get(place))
        for place in dict.fromkeys([*before, *after])
        if before.get(place) != after.get(place)
    ]
