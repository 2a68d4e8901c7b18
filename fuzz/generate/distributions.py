"""Distributions of times, sizes, rates and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from fuzz.generate.scale import Scale

__all__ = ["counts", "rates", "sizes", "times", "times_below"]


def _cdf(scale: Scale) -> str:
    """Draw a file with a CDF of whole numbers from 1 on; its unit stands beside its name."""
    draw = scale.draw
    count = draw.whole(1, 6)
    values = sorted(draw.whole(1, 100) for _ in range(count))
    shares = [*sorted(draw.whole(0, 99) / 100 for _ in range(count - 1)), 1.0]
    middle = draw.chance(0.3)
    lines = [
        f"{value} 1 {share}" if middle else f"{value} {share}"
        for value, share in zip(values, shares, strict=True)
    ]
    comment = ["# value, probability"] if draw.chance(0.3) else []
    return scale.file("values", "\n".join([*comment, *lines]) + "\n")


def _drawn(scale: Scale, amount: Callable[[int, int], str], low: int, high: int) -> str:
    """Draw a distribution with a mean that is not below `low`."""
    draw = scale.draw
    shape = round(draw.number(1.05, 8.0), 3)
    kind = draw.one(["uniform", "exponential", "normal", "lognormal", "pareto", "weibull", "cdf"])
    middle = draw.spread(max(low, 1), max(low, high, 1))
    last = max(middle, high)
    if kind == "uniform":
        text = f"uniform({amount(middle, middle)}, {amount(middle, last)})"
    elif kind == "exponential":
        text = f"exponential({amount(middle, middle)})"
    elif kind == "normal":
        text = f"normal({amount(middle, middle)}, {amount(1, 2 * middle)})"
    elif kind == "lognormal":
        text = f"lognormal({amount(middle, middle)}, {round(draw.number(0.01, 2.5), 3)})"
    elif kind == "cdf":
        return f"cdf({_cdf(scale)}, {amount(middle, max(middle, high // 10))})"
    else:
        text = f"{kind}({amount(middle, middle)}, {shape})"
    if draw.chance(0.3):
        # Bounds that hold a good part of the values for every kind.
        text += (
            f" between {amount(max(1, middle // 2), middle)} and {amount(4 * middle, 8 * middle)}"
        )
    return text


def times(scale: Scale, low: int, high: int, *, fixed: float = 0.4) -> str:
    """Draw a time between two, ps, or a distribution of times with such a mean."""
    draw = scale.draw
    if draw.chance(fixed):
        return draw.time(low, high)
    return _drawn(scale, draw.time, low, high)


def times_below(scale: Scale, high: int, *, fixed: float = 0.5) -> str:
    """Draw a time, or a distribution of times, that is never above `high`, ps."""
    draw = scale.draw
    if draw.chance(fixed):
        return draw.time_text(draw.spread(1, high) if draw.chance(0.7) else 0)
    first, last = sorted((draw.whole(0, high), draw.whole(1, max(high, 1))))
    if draw.chance(0.5):
        return f"uniform({draw.time_text(first)}, {draw.time_text(last)})"
    return (
        f"exponential({draw.time(max(1, last // 8), last)}) between 0s and {draw.time_text(last)}"
    )


def sizes(scale: Scale, low: int, high: int, *, fixed: float = 0.4) -> str:
    """Draw a size between two, bytes, or a distribution of sizes with such a mean."""
    draw = scale.draw
    return draw.size(low, high) if draw.chance(fixed) else _drawn(scale, draw.size, low, high)


def rates(scale: Scale, low: int, high: int, *, fixed: float = 0.6) -> str:
    """Draw a rate between two, bit/s, or a distribution of rates with such a mean."""
    draw = scale.draw
    return draw.rate(low, high) if draw.chance(fixed) else _drawn(scale, draw.rate, low, high)


def counts(scale: Scale, high: int) -> str:
    """Draw a number from 1 on, or a distribution of numbers, as text."""
    draw = scale.draw

    def amount(low: int, high: int) -> str:
        return str(draw.spread(low, high))

    return amount(1, high) if draw.chance(0.5) else _drawn(scale, amount, 1, high)
