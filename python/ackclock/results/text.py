"""Quantities as people read them. Only for eyes: files hold numbers in base units."""

import math

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
MISSING = "–"


def significant(value: float, digits: int = 3) -> str:
    """A number with at most so many significant digits, but never fewer than its whole part has.

    Examples
    --------
    >>> significant(1.4349), significant(12345.6), significant(0.0)
    ('1.43', '12346', '0')
    """
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g}"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def quantity(value: float | None, unit: str, digits: int = 3) -> str:
    """A value with its unit and a prefix that keeps it short.

    Parameters
    ----------
    value : float or None
        In the base unit.
    unit : str
        "s", "bit/s", "bytes", "packets"; "1" for bare numbers, "%" for shares to be shown in percent.
    digits : int
        Significant digits.

    Examples
    --------
    >>> quantity(1.434e6, "bit/s"), quantity(0.0123, "s"), quantity(0.852, "%"), quantity(None, "s")
    ('1.43 Mbit/s', '12.3 ms', '85.2 %', '–')
    """
    if value is None or math.isnan(value):
        return MISSING
    if unit == "%":
        return f"{significant(100.0 * value, digits)} %"
    if unit in {"1", "", "packets"}:
        return significant(value, digits)
    symbol = "B" if unit == "bytes" else unit
    if value == 0.0:
        return f"0 {symbol}"
    for factor, prefix in _PREFIXES:
        small_enough = unit == "s" or factor >= 1.0
        if abs(value) >= factor and small_enough and not (unit == "s" and factor > 1.0):
            return f"{significant(value / factor, digits)} {prefix}{symbol}"
    return f"{significant(value, digits)} {symbol}"


def names(known: list[str], most: int = 3) -> str:
    """A few names, and how many more.

    Examples
    --------
    >>> names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    if len(known) <= most + 1:
        return " and ".join([", ".join(known[:-1]), known[-1]] if len(known) > 1 else known)
    return f"{', '.join(known[:most])} and {len(known) - most} more"
