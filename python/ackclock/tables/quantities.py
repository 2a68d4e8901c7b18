"""Writes quantities as people read them; files hold numbers in base units."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_LEAST = 1e-9
"""Times below this are written as 0 s, because no shown quantity is more exact, s."""
_SMALLEST = 0.001
MISSING = "–"


def significant(value: float, digits: int = 3) -> str:
    """Return a number with at most so many significant digits, but its whole part complete.

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
    """Return a value with its unit and a prefix that keeps it short.

    Parameters
    ----------
    value : float or None
        In the base unit.
    unit : str
        "s", "bit/s", "bytes", "packets"; "1" for bare numbers, "%" for shares to be shown in
        percent.
    digits : int
        Significant digits.

    Examples
    --------
    >>> quantity(1.434e6, "bit/s"), quantity(0.0123, "s"), quantity(0.852, "%"), quantity(None, "s")
    ('1.43 Mbit/s', '12.3 ms', '85.2 %', '–')
    """
    if value is None or math.isnan(value):
        return MISSING
    if unit == "s" and abs(value) < _LEAST:
        value = 0.0
    factor, symbol = scale_of(value, unit)
    return f"{significant(value / factor, digits)} {symbol}".rstrip()


def times(count: int) -> str:
    """Return a count of events in words.

    Examples
    --------
    >>> times(1), times(2), times(7)
    ('once', 'twice', '7 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


class Quantity(NamedTuple):
    """A figure in a table's cell: `one_unit` writes it in the unit of its column."""

    value: float | None
    """In the base unit."""
    unit: str
    """Unit as for `quantity`."""
    group: str = ""
    """Columns of one group are read beside each other, and share their unit."""


def one_unit(rows: Iterable[Sequence[str | Quantity]]) -> list[list[str]]:
    """Return the cells of a table as text, every column in one unit, and every group of columns.

    All have the prefix of the largest figure, or a smaller one if the smallest would have no digits
    left and the largest has four at most; what is still below a thousandth is written as `<0.001`.

    Examples
    --------
    >>> one_unit([[Quantity(0.0123, "s")], [Quantity(1.5e-7, "s")], [Quantity(None, "s")]])
    [['12.3 ms'], ['<0.001 ms'], ['–']]
    """
    every = [list(row) for row in rows]
    groups: dict[str, list[float]] = {}
    for cell in (cell for row in every for cell in row if isinstance(cell, Quantity)):
        if cell.group:
            groups.setdefault(cell.group, []).extend(_known([cell]))
    texts: list[list[str]] = [[] for _ in every]
    for column in zip(*every, strict=True):
        for row, text in zip(texts, _in_one_unit(column, groups), strict=True):
            row.append(text)
    return texts


def _known(cells: Iterable[str | Quantity]) -> list[float]:
    return [
        abs(cell.value)
        for cell in cells
        if isinstance(cell, Quantity) and cell.value is not None and math.isfinite(cell.value)
    ]


def _in_one_unit(
    cells: Sequence[str | Quantity], groups: Mapping[str, Sequence[float]]
) -> list[str]:
    figures = [cell for cell in cells if isinstance(cell, Quantity)]
    known = groups[figures[0].group] if figures and figures[0].group else _known(cells)
    if not known:
        return [
            cell if isinstance(cell, str) else quantity(cell.value, cell.unit) for cell in cells
        ]
    factor, symbol = _shared_scale(known, figures[0].unit)
    return [
        cell if isinstance(cell, str) else _in_unit(cell.value, factor, symbol) for cell in cells
    ]


def split_unit(values: Sequence[float | None], unit: str) -> tuple[list[str], str]:
    """Return figures of one column as text without their unit, and the unit for its heading.

    Examples
    --------
    >>> split_unit([0.0123, None, 0.5], "s"), split_unit([3.0, 2.5], "1")
    ((['12.3', '–', '500'], 'ms'), (['3', '2.5'], ''))
    """
    known = [abs(value) for value in values if value is not None and math.isfinite(value)]
    factor, symbol = _shared_scale(known, unit) if known else (1.0, "B" if unit == "bytes" else "")
    texts = [_in_unit(value, factor, symbol).removesuffix(f" {symbol}") for value in values]
    return texts, symbol or ("" if unit in {"1", "–"} else unit)


def _shared_scale(known: Sequence[float], unit: str) -> tuple[float, str]:
    largest = max(known)
    factor, symbol = scale_of(largest, unit)
    for value in sorted(number for number in known if 0.0 < number < 0.1 * factor):
        finer, finer_symbol = scale_of(value, unit)
        if finer < factor and largest / finer < 1e4:
            return finer, finer_symbol
    return factor, symbol


def _in_unit(value: float | None, factor: float, symbol: str) -> str:
    if value is None or math.isnan(value):
        return MISSING
    number = value / factor
    if factor < 1.0 and abs(value) < _LEAST and symbol.endswith("s"):
        number = 0.0
    text = f"<{_SMALLEST:g}" if 0.0 < number < _SMALLEST / 2 else significant(round(number, 3))
    return f"{text} {symbol}".rstrip()


def scale_of(value: float, unit: str) -> tuple[float, str]:
    """Return size and name of the unit that keeps a value short."""
    if unit == "%":
        return 0.01, "%"
    if unit == "s" and abs(value) < _LEAST:
        return 1.0, unit
    if unit in {"1", "", "packets"}:
        return 1.0, ""
    symbol = "B" if unit == "bytes" else unit
    allowed = [
        (factor, prefix)
        for factor, prefix in _PREFIXES
        if (factor <= 1.0 if unit == "s" else factor >= 1.0)
    ]
    for factor, prefix in allowed:
        if abs(value) >= factor:
            return factor, prefix + symbol
    return 1.0, symbol


def short_cc(spec: str) -> str:
    """Return the name of a congestion control for tables: a user's class without its module.

    Examples
    --------
    >>> short_cc("cos+python:my_project.reno:MyReno(n=2)"), short_cc("cubic(beta=0.8)")
    ('cos+MyReno(n=2)', 'cubic(beta=0.8)')
    """
    return re.sub(r"python:[^:+]*:", "", spec)


def spoken(metric: str) -> str:
    """Return a metric's name for titles; arguments and elements stay as they are.

    Examples
    --------
    >>> spoken("queue_delay.p95@link_1.2")
    'queue delay p95@link_1.2'
    """
    end = min((at for at in map(metric.find, "(@") if at >= 0), default=len(metric))
    return metric[:end].replace("_", " ").replace(".", " ") + metric[end:]
