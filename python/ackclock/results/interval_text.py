"""Means with their intervals as text: as many digits as the interval bears."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ackclock.results.text import MISSING, significant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

__all__ = ["Column", "bar", "decimals", "effect", "p_value", "signed", "span_of"]

_EVEN = 0.05


class Column(NamedTuple):
    """How the intervals of one column are written: all in the same way."""

    factor: float
    even: bool
    """Whether every interval lies evenly about its mean: `±` then says it all."""

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]], factor: float, what: str = "mean") -> Column:
        """The column of these rows, whose middle is called `what`."""
        return cls(factor, all(_is_even(row[what], row["low"], row["high"]) for row in rows))

    def text(self, middle: float | None, low: float | None, high: float | None, *, sign: bool = False) -> str:
        """A middle with its interval.

        Examples
        --------
        >>> Column(100.0, True).text(0.98412, 0.9821, 0.98614), Column(1.0, False).text(12.3456, 11.0, 19.0)
        ('98.41 ± 0.20', '12.3 [11.0, 19.0]')
        """
        if middle is None:
            return MISSING
        middle *= self.factor
        if low is None or high is None or low == high:
            return signed(significant(abs(middle)), middle) if sign else significant(middle)
        low, high = low * self.factor, high * self.factor
        places = decimals((high - low) / 2, max(abs(low), abs(high)))

        def shown(value: float) -> str:
            text = f"{abs(value):.{places}f}"
            return signed(text, value) if sign else (f"−{text}" if value < 0 and float(text) else text)

        return f"{shown(middle)} ± {(high - low) / 2:.{places}f}" if self.even else f"{shown(middle)} [{shown(low)}, {shown(high)}]"


def decimals(half_width: float, largest: float = 0.0) -> int:
    """Places after the point that leave an interval's half-width two significant digits, but its larger end no more than five."""
    if half_width <= 0.0:
        return 3
    bears = 1 - math.floor(math.log10(half_width))
    return max(0, min(bears, 4 - math.floor(math.log10(largest)) if largest > 0.0 else bears, 9))


def signed(text: str, value: float) -> str:
    """With its sign, unless it is nothing as written."""
    return text if not float(text) else f"{'−' if value < 0 else '+'}{text}"


def _is_even(middle: float | None, low: float | None, high: float | None) -> bool:
    if middle is None or low is None or high is None or low == high:
        return True
    return abs((high - middle) - (middle - low)) <= _EVEN * (high - low) / 2


def p_value(p: float | None) -> str:
    """A p-value: never more exact than anyone believes."""
    return MISSING if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def effect(size: float | None) -> str:
    """An effect size; beyond a thousand standard deviations it says no more than that."""
    if size is None:
        return MISSING
    text = "> 1000" if abs(size) > 1000 else significant(abs(size), 2)
    return signed(text, size).removeprefix("+") if abs(size) <= 1000 else text if size > 0 else "< −1000"


def bar(low: float, middle: float, high: float, span: tuple[float, float], width: int, neutral: float | None = None) -> str:
    """An interval as a line of characters: `  ├──●───┤   `, and where no difference is, `│`."""

    def at(value: float) -> int:
        return round((value - span[0]) / ((span[1] - span[0]) or 1.0) * (width - 1))

    cells = [" "] * width
    if neutral is not None:
        cells[at(neutral)] = "│"
    left, right = at(low), at(high)
    for index in range(left, right + 1):
        cells[index] = "─"
    if right > left:
        cells[left], cells[right] = "├", "┤"
    cells[at(middle)] = "●"
    return "".join(cells)


def span_of(parts: Sequence[float]) -> tuple[float, float]:
    """From the least to the largest."""
    return (min(parts), max(parts)) if parts else (0.0, 1.0)
