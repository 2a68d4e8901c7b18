"""Arguments of a formula from text: numbers, quantities with units, several values, ranges."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from ackclock.cli.errors import InputError
from ackclock.cli.options import split_list
from ackclock.tables.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.theory.catalogue import Formula, Parameter
    from ackclock.theory.evaluating import Evaluation

__all__ = ["list_table", "values_of", "values_table"]

_POINTS = 25
"""Number of values of a range that gives none."""

_MOST_POINTS = 10_000

_EXAMPLES = {
    "s": "60ms",
    "bit/s": "10Mbit/s",
    "packets/s": "10Mbit/s",
    "packets": "20 packets",
    "bytes": "1500 bytes",
}


def values_of(parameter: Parameter, texts: Sequence[str], packet_size: float) -> list[Any]:
    """The values of a formula's parameter, given by an option's texts.

    `packet_size`, bytes, converts rates and sizes for parameters that count packets.
    """
    if parameter.kind == "flag":
        return [_flag(parameter, part) for text in texts for part in split_list(text)]
    if parameter.kind == "text":
        return [part for text in texts for part in split_list(text)]
    if parameter.kind == "lists":
        lists = [[part.split(",") for part in text.split(";")] for text in texts]
        return [
            [[int(_number(parameter, number, packet_size)) for number in part] for part in parts]
            for parts in lists
        ]
    if parameter.kind == "numbers":
        return [_several(parameter, text, packet_size) for text in texts]
    return [value for text in texts for value in _several(parameter, text, packet_size)]


def _several(parameter: Parameter, text: str, packet_size: float) -> list[Any]:
    return [value for part in split_list(text) for value in _spread(parameter, part, packet_size)]


def _spread(parameter: Parameter, text: str, packet_size: float) -> list[Any]:
    ends = re.fullmatch(r"\s*(.+?)\s*\.\.\s*(.+?)\s*(?::\s*(\d+))?\s*", text)
    if ends is None:
        return [_whole(parameter, _number(parameter, text, packet_size))]
    first, last = (_number(parameter, end, packet_size) for end in ends.group(1, 2))
    points = int(ends[3]) if ends[3] else _POINTS
    if not 2 <= points <= _MOST_POINTS:
        raise InputError(
            f"{_option(parameter)}: a range has 2 to {_MOST_POINTS} values, not {points}"
        )
    if first == last:
        raise InputError(f"{_option(parameter)}: '{text}' begins where it ends")
    # Over more than a decade, equal ratios show more than equal steps.
    ratio = last / first if min(first, last) > 0 else 0.0
    if max(ratio, 1 / ratio if ratio else 0.0) > 10:
        values = [first * math.pow(ratio, i / (points - 1)) for i in range(points)]
    else:
        values = [first + (last - first) * i / (points - 1) for i in range(points)]
    values[-1] = last
    if parameter.kind == "count":
        return list(dict.fromkeys(round(value) for value in values))
    # Further digits would be rounding errors.
    return [float(f"{value:.12g}") for value in values]


def _whole(parameter: Parameter, value: float) -> float | int:
    if parameter.kind != "count":
        return value
    if value != round(value):
        raise InputError(f"{_option(parameter)}: {value:g} is not a whole number")
    return round(value)


def _flag(parameter: Parameter, text: str) -> bool:
    if text not in ("true", "false"):
        raise InputError(f"{_option(parameter)}: '{text}' is neither true nor false")
    return text == "true"


def _option(parameter: Parameter) -> str:
    return f"--{parameter.name.replace('_', '-')}"


def _number(parameter: Parameter, text: str, packet_size: float) -> float:
    """A plain number, or a quantity in the parameter's unit."""
    try:
        return float(text)
    except ValueError:
        pass
    read = _quantity(text)
    unit = parameter.unit
    if read is not None:
        number, given = read
        if given == unit:
            return number
        if (given, unit) in (("bit/s", "packets/s"), ("bytes", "packets")):
            return number / (packet_size if given == "bytes" else 8 * packet_size)
    if unit is None:
        raise InputError(f"{_option(parameter)}: '{text}' is not a number; it has no unit here")
    raise InputError(
        f"{_option(parameter)}: '{text}' is neither a number, in {unit}, nor a quantity such as "
        f"'{_EXAMPLES[unit]}'"
    )


def _quantity(text: str) -> tuple[float, str] | None:
    from ackclock.scenario.quantities import amount, rate_bps

    try:
        read = amount(text)
    except ValueError:
        try:
            return float(rate_bps(text)), "bit/s"
        except (ValueError, OverflowError):
            return None
    if read.unit == "ps":
        return float(read.number) / 1e12, "s"
    return float(read.number), read.unit


def list_table(formulas: Sequence[Formula]) -> Table:
    """All formulas with subject, unit and meaning."""
    columns = [
        Column("formula", [formula.name for formula in formulas]),
        Column("subject", [formula.subject for formula in formulas]),
        Column("unit", [formula.unit for formula in formulas]),
        Column("meaning", [formula.meaning for formula in formulas]),
    ]
    return Table.of("formulas", "Formulas", columns, names=4)


def values_table(evaluation: Evaluation) -> Table:
    """The varied arguments and the results, in the formula's units."""
    columns = [
        Column(
            evaluation.name(name),
            [row.get(name) for row in evaluation.rows],
            evaluation.unit(name) or "",
        )
        for name in evaluation.rows[0]
    ]
    return Table.of(evaluation.formula.name, evaluation.formula.meaning, columns, names=0)
