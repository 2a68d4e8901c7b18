"""Random choices: whole numbers over many magnitudes, extremes, and quantities as text.

Nothing here uses a logarithm or an exponential function: their last digit may differ between
platforms, and a scenario must not.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["HOUR", "MS", "US", "Draw", "S"]

US, MS, S, HOUR = 10**6, 10**9, 10**12, 3600 * 10**12
"""Units of time in picoseconds."""

_T = TypeVar("_T")

_TIME_UNITS = (("ps", 1), ("ns", 10**3), ("us", US), ("ms", MS), ("s", S))


class Draw:
    """A stream of random choices with a name."""

    def __init__(self, *name: object) -> None:
        self.random = random.Random("/".join(map(str, name)))

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.random.random() < probability

    def one(self, values: Sequence[_T]) -> _T:
        """Draw one of the values, with equal probabilities."""
        return values[self.random.randrange(len(values))]

    def weighted(self, *values: tuple[float, _T]) -> _T:
        """Draw one of the values by weight."""
        left = self.random.random() * sum(weight for weight, _ in values)
        for weight, value in values:
            left -= weight
            if left < 0:
                return value
        return values[-1][1]

    def whole(self, low: int, high: int) -> int:
        """Draw a whole number; both ends are possible."""
        return self.random.randint(low, high)

    def spread(self, low: int, high: int) -> int:
        """Draw a whole number above zero, each magnitude alike; one in sixteen is an end."""
        low, high = max(low, 1), max(high, low, 1)
        end = self.random.randrange(32)
        if end < 2:
            return high if end else low
        doublings = (high // low).bit_length()
        found = (low << self.random.randrange(doublings)) * (1024 + self.random.randrange(1024))
        found >>= 10
        if found > high:
            return self.random.randint(low, high)
        return self._rounded(found, low)

    def _rounded(self, value: int, low: int) -> int:
        """Return the number with two digits, as people write numbers, or with all."""
        digits = len(str(value))
        if digits < 3 or self.chance(0.4):
            return value
        unit: int = 10 ** (digits - 2)
        return max(value // unit * unit, low)

    def share(self, *, ends: float = 0.1) -> float:
        """Draw a number from 0 to 1: with three digits, a small one, or an end."""
        kind = self.random.random()
        if kind < ends:
            return float(self.random.randrange(2))
        if kind < 0.5:
            return self.random.randrange(1, 100) / 1000
        return self.random.randrange(1, 1000) / 1000

    def number(self, low: float, high: float) -> float:
        """Draw a number, each magnitude of the range alike; one in eight is an end."""
        kind = self.random.randrange(16)
        if kind < 2:
            return high if kind else low
        if low > 0 and high / low > 16:
            steps = 0
            while low * 2.0 ** (steps + 1) < high:
                steps += 1
            found = low * 2.0 ** self.random.randrange(steps + 1) * (1 + self.random.random())
        elif low == 0 and high > 16 and kind < 12:
            found = self.random.random() * 16
        else:
            found = low + (high - low) * self.random.random()
        return min(max(float(f"{found:.4g}"), low), high)

    def time(self, low: int, high: int) -> str:
        """Draw a time between two, ps, as text."""
        return self.time_text(self.spread(low, high))

    def time_text(self, ps: int) -> str:
        """Return a time as text, in one of its units."""
        if self.chance(0.15):
            fitting = [(unit, size) for unit, size in _TIME_UNITS if ps % size == 0]
            unit, size = self.one(fitting)
            return f"{ps // size} {unit}"
        return _core.format_time(ps)

    def rate(self, low: int, high: int) -> str:
        """Draw a rate between two, bit/s, as text."""
        bps = self.spread(low, high)
        return f"{bps} bit/s" if self.chance(0.1) else _core.format_rate(bps)

    def size(self, low: int, high: int) -> str:
        """Draw a size between two, bytes, as text."""
        count = self.spread(low, high)
        return f"{count} bytes" if self.chance(0.2) else _core.format_size(count)

    def packets(self, low: int, high: int) -> str:
        """Draw a number of packets between two, as text."""
        count = self.spread(low, high)
        return "1 packet" if count == 1 else f"{count} packets"
