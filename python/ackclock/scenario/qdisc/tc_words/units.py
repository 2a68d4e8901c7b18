"""Numbers as tc(8) writes them, section UNITS."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["number", "percent", "rate", "time"]

_RATES = ((10**9, "gbit"), (10**6, "mbit"), (10**3, "kbit"))
_TIMES = ((10**12, "s"), (10**9, "ms"), (10**6, "us"))
_PS_PER_US = 10**6


def number(value: float) -> str:
    """A number without needless digits.

    Examples
    --------
    >>> number(0.125), number(20.0), number(1e-05)
    ('0.125', '20', '0.00001')
    """
    return f"{value:.9f}".rstrip("0").rstrip(".") if value != round(value) else f"{value:.0f}"


def percent(share: float) -> str:
    """A share of 1 in percent.

    Examples
    --------
    >>> percent(0.01), percent(0.0005)
    ('1%', '0.05%')
    """
    return f"{number(round(100 * share, 9))}%"


def rate(bps: int) -> str:
    """A rate in bit/s. tc's prefixes are decimal: "kbit, mbit, gbit" are powers of 1000.

    Examples
    --------
    >>> rate(20_000_000), rate(1_500_000), rate(64_001)
    ('20mbit', '1500kbit', '64001bit')
    """
    for factor, unit in _RATES:
        if bps and bps % factor == 0:
            return f"{bps // factor}{unit}"
    return f"{bps}bit"


def time(ps: int, *, finest: str = "us") -> str:
    """A time in picoseconds. Most disciplines count whole microseconds, netem nanoseconds.

    A time below the finest unit is rounded, and to one of it at least. Nanoseconds stand as a
    fraction of a microsecond: netem of iproute2 6.1 calls "2ns" illegal.

    Examples
    --------
    >>> time(5_000_000_000), time(1_500_000_000), time(2_000), time(2_000, finest="ns")
    ('5ms', '1500us', '1us', '0.002us')
    """
    last = _PS_PER_US if finest == "us" else 10**3
    whole = max(round(Fraction(ps, last)), 1) * last if ps else 0
    for factor, unit in _TIMES:
        if whole and whole % factor == 0:
            return f"{whole // factor}{unit}"
    return f"{number(whole / _PS_PER_US)}us"
