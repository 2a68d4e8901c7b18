"""Writes means with their intervals as text, with as many digits as the interval supports."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ackclock.tables.quantities import MISSING, scale_of, significant

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "EACH",
    "Digits",
    "alone",
    "bar",
    "decimals",
    "effect",
    "minus",
    "p_value",
    "rounded",
    "short",
    "signed",
    "span_of",
    "with_error",
]

# As a share of half of the interval: less than one of the two digits that are shown of it.
_EVEN = 0.05

EACH = "in each"
"""Suffix of a figure that is equal in every run, so that there is no interval to show."""


class Digits(NamedTuple):
    """Digits of the figures of one column, in one unit, as their intervals justify."""

    factor: float
    even: bool | None = None
    """Whether intervals are written with `±`; None: only intervals that are symmetric about the
    mean.
    """

    def text(
        self,
        middle: float | None,
        low: float | None,
        high: float | None,
        *,
        sign: bool = False,
        each: bool = False,
    ) -> str:
        """Return a middle with its interval as text.

        Parameters
        ----------
        middle, low, high : float or None
            In the base unit. Without ends, or where both are the same, there is no interval.
        sign : bool
            Whether a positive number gets a `+`.
        each : bool
            Whether several runs gave this very value.

        Examples
        --------
        >>> Digits(100.0).text(0.98412, 0.9821, 0.98614), Digits(1.0).text(12.3456, 11.0, 19.0)
        ('98.41 ± 0.20', '12.3 [11.0, 19.0]')
        >>> Digits(1.0).text(33.0, None, None, each=True)
        '33 in each'
        """
        if middle is None:
            return MISSING
        middle *= self.factor
        if low is None or high is None or low == high:
            text = alone(abs(middle) if sign else middle)
            text = signed(text, middle) if sign else text
            return f"{text} {EACH}" if each or (low is not None and low == high) else text
        low, high = low * self.factor, high * self.factor
        places = decimals((high - low) / 2, max(abs(low), abs(high)))

        def shown(value: float) -> str:
            text = rounded(abs(value), places)
            return (
                signed(text, value) if sign else (f"−{text}" if value < 0 and float(text) else text)
            )

        if _is_even(middle, low, high) if self.even is None else self.even:
            return f"{shown(middle)} ± {rounded((high - low) / 2, places)}"
        return f"{shown(middle)} [{shown(low)}, {shown(high)}]"


def with_error(value: float, error: float, unit: str) -> str:
    """Return a value and the half-width of its interval as text, in one unit.

    Examples
    --------
    >>> with_error(1.434e6, 2.5e4, "bit/s"), with_error(192.4, 20.31, "packets")
    ('1.434 ± 0.025 Mbit/s', '192 ± 20')
    """
    factor, symbol = scale_of(value or error, unit)
    places = decimals(error / factor, abs(value) / factor)
    return (
        f"{minus(rounded(value / factor, places))} ± {rounded(error / factor, places)} {symbol}"
    ).rstrip()


def alone(value: float) -> str:
    """Return a number without an interval: four significant digits, or all digits of a count.

    Examples
    --------
    >>> alone(0.123456), alone(98765.4), alone(12345.0), alone(0.0)
    ('0.1235', '98770', '12345', '0')
    """
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g}"
    if value == round(value) and abs(value) < 1e6:
        return minus(f"{value:.0f}")
    text = rounded(value, 3 - _exponent(abs(value), 4))
    return minus(text.rstrip("0").rstrip(".") if "." in text else text)


def short(value: float, half_width: float | None = None) -> str:
    """Return a number with three significant digits, or fewer if its interval supports no more.

    Examples
    --------
    >>> short(98.412), short(98.412, 12.0), short(0.0, 0.1)
    ('98.4', '98', '0')
    """
    if value == 0.0 or not math.isfinite(value) or not half_width:
        return minus(significant(value))
    places = min(2 - _exponent(abs(value), 3), decimals(half_width))
    text = rounded(value, places)
    return minus(text.rstrip("0").rstrip(".") if "." in text else text)


def minus(text: str) -> str:
    """Return the text with a minus sign in place of a hyphen."""
    return text.replace("-", "−", 1)


def rounded(value: float, places: int) -> str:
    """Return a number with so many decimals; a negative number rounds to tens, hundreds, ...

    Examples
    --------
    >>> rounded(12.345, 1), rounded(12345.0, -2), rounded(0.4, 0)
    ('12.3', '12300', '0')
    """
    return f"{round(value, places):.{max(places, 0)}f}"


def decimals(half_width: float, largest: float = 0.0) -> int:
    """Return the decimals that an interval supports: two significant digits of its half-width.

    A negative number stands for tens, hundreds and so on. The larger end gets at most five digits,
    unless more stand before the point or half of the interval would then be zero.

    Parameters
    ----------
    half_width : float
        Half of the interval's width, as shown. Not above zero: there is no interval, and three
        places are given.
    largest : float
        Size of the larger end.

    Notes
    -----
    JCGM 100:2008 (GUM) section 7.2.6: "it usually suffices to quote [uncertainties] to at most two
    significant digits", and a result is rounded to match. The Particle Data Group's rule (Review of
    Particle Physics, section "Rounding") drops the second of them for some values; here all numbers
    of a column keep it.

    Examples
    --------
    >>> decimals(0.0123), decimals(0.0996), decimals(2345.0), decimals(1.0, 1234567.0)
    (3, 2, -2, 0)
    >>> decimals(3e-7, 9.7)
    7
    """
    if half_width <= 0.0:
        return 3
    bears = 1 - _exponent(half_width, 2)
    room = max(0, 4 - math.floor(math.log10(largest))) if largest > 0.0 else bears
    return min(bears, max(room, bears - 1))


def _exponent(value: float, digits: int) -> int:
    """Return the power of ten of a number's first digit, once it is rounded to so many digits."""
    return int(f"{value:.{digits - 1}e}".partition("e")[2])


def signed(text: str, value: float) -> str:
    """Return the text with a sign, unless it reads as zero."""
    return text if not float(text) else f"{'−' if value < 0 else '+'}{text}"


def _is_even(middle: float, low: float, high: float) -> bool:
    return abs((high - middle) - (middle - low)) <= _EVEN * (high - low) / 2


def p_value(p: float | None) -> str:
    """Return a p-value as text, without spurious digits."""
    return (
        MISSING if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"
    )


def effect(size: float | None) -> str:
    """Return an effect size as text; beyond 1000 standard deviations it says only that."""
    if size is None:
        return MISSING
    text = "> 1000" if abs(size) > 1000 else significant(abs(size), 2)
    return (
        signed(text, size).removeprefix("+")
        if abs(size) <= 1000
        else text
        if size > 0
        else "< −1000"
    )


def bar(
    low: float,
    middle: float,
    high: float,
    span: tuple[float, float],
    width: int,
    neutral: float | None = None,
) -> str:
    """Return an interval as a line of characters: ` ├──●───┤ `, with `│` at zero difference."""

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
    """Return the range from the least to the largest."""
    return (min(parts), max(parts)) if parts else (0.0, 1.0)
