"""Values of one key along an axis: as listed, or made from a range."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ackclock.scenario.errors import ScenarioError, shown
from ackclock.scenario.quantities import amount, rate_bps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["base_number", "values_of"]

_MOST_VALUES = 100_000
_UNITS = {"ps": ("s", 1e12), "bytes": ("bytes", 1.0), "packets": ("packets", 1.0), "bdp": ("bdp", 1.0)}
# Of these there are only whole ones.
_COUNTED = ("packets", "packet", "B", "bytes", "byte")


def base_number(value: Any) -> tuple[float, str | None] | None:
    """A number, or a quantity in its base unit, with that unit; None if it is neither."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value), None
    if not isinstance(value, str):
        return None
    try:
        read = amount(value)
    except ValueError:
        try:
            return float(rate_bps(value)), "bit/s"
        except (ValueError, OverflowError):
            return None
    unit, per_unit = _UNITS[read.unit]
    return float(read.number) / per_unit, unit


def values_of(given: Any, where: str) -> list[Any]:
    """The values of a key.

    Parameters
    ----------
    given
        A list, or the table of a range.
    where
        Its place, for messages.
    """
    if not isinstance(given, dict):
        return list(given)
    first, last = given["from"], given["to"]
    if isinstance(first, str) != isinstance(last, str):
        raise ScenarioError(f"{shown(first)} and {shown(last)}: both ends are numbers, or both have a unit", key=where, value=given)
    return _of_quantities(given, where) if isinstance(first, str) else _of_numbers(given, where)


def _of_numbers(given: Mapping[str, Any], where: str) -> list[int] | list[float]:
    first, last, step = given["from"], given["to"], given.get("step")
    if isinstance(step, str):
        raise ScenarioError(f"{shown(step)} has a unit, but the ends of the range have none", key=f"{where}.step", value=step)
    whole = all(isinstance(value, int) for value in (first, last, step) if value is not None)
    return [
        _whole(value) if whole else float(value)
        for value in _spaced(Fraction(str(first)), Fraction(str(last)), _fraction(step), given, where, whole)
    ]


def _fraction(value: Any) -> Fraction | None:
    return None if value is None else Fraction(str(value))


def _whole(value: Fraction) -> int:
    return int(value)


def _parts(text: Any, where: str) -> tuple[Fraction, str]:
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)(\s*\S.*?)\s*", text) if isinstance(text, str) else None
    if found is None or base_number(text) is None:
        raise ScenarioError(
            f"{shown(text)} is not a quantity: in a range write numbers, or numbers with a unit such as '10ms'", key=where, value=text
        )
    return Fraction(found[1]), found[2]


def _of_quantities(given: Mapping[str, Any], where: str) -> list[str]:
    first, unit = _parts(given["from"], f"{where}.from")
    in_base = _in_base(unit, where)

    def in_unit(key: str) -> Fraction:
        number, own = _parts(given[key], f"{where}.{key}")
        if own.strip() == unit.strip():
            return number
        size, kind = _in_base(own, where)
        if kind != in_base[1]:
            raise ScenarioError(
                f"{shown(given[key])} is of another kind than {shown(given['from'])}", key=f"{where}.{key}", value=given[key]
            )
        return number * size / in_base[0]

    step = None if given.get("step") is None else in_unit("step")
    whole = unit.strip() in _COUNTED
    values = _spaced(first, in_unit("to"), step, given, where, whole)
    return [f"{_text(value)}{_plural(unit, value)}" for value in values]


def _in_base(unit: str, where: str) -> tuple[Fraction, str | None]:
    # Of many, for a unit below the base unit, such as ps, is rounded away.
    found = base_number(f"1000{unit}")
    if found is None:
        raise ScenarioError(f"'{unit.strip()}' is not a unit", key=where, value=unit)
    return Fraction(str(found[0])) / 1000, found[1]


def _plural(unit: str, value: Fraction) -> str:
    return unit if unit.strip() != "packet" or value == 1 else unit.replace("packet", "packets")


def _text(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):.12g}" if abs(value) < 10**9 else str(float(value))


def _spaced(first: Fraction, last: Fraction, step: Fraction | None, given: Mapping[str, Any], where: str, whole: bool) -> list[Fraction]:
    if step is not None:
        return _stepped(first, last, step, given, where)
    points = given["points"]
    if first == last:
        raise ScenarioError(f"a range from {shown(given['from'])} to the same: the ends must differ", key=where, value=given)
    if given.get("spacing", "linear") == "log":
        if first <= 0 or last <= 0:
            raise ScenarioError('with spacing = "log" both ends must be more than zero', key=where, value=given)
        low, high = math.log(first), math.log(last)
        inner: Callable[[int], float] = lambda at: math.exp(low + (high - low) * at / (points - 1))
    else:
        inner = lambda at: float(first + (last - first) * Fraction(at, points - 1))  # noqa: E731
    # Six digits are what a person would write; the ends are as given.
    between = [Fraction(f"{inner(at):.6g}") for at in range(1, points - 1)]
    values = [first, *between, last]
    if whole and first.denominator == last.denominator == 1:
        values = [Fraction(round(value)) for value in values]
    return list(dict.fromkeys(values))


def _stepped(first: Fraction, last: Fraction, step: Fraction, given: Mapping[str, Any], where: str) -> list[Fraction]:
    if step == 0 or (last - first) * step < 0:
        raise ScenarioError(
            f"steps of {given['step']} from {given['from']} never reach {given['to']}", key=f"{where}.step", value=given["step"]
        )
    steps = (last - first) / step
    if steps > _MOST_VALUES:
        raise ScenarioError(f"that is more than {_MOST_VALUES} values", key=f"{where}.step", value=given["step"])
    if steps.denominator != 1:
        below = first + step * math.floor(steps)
        raise ScenarioError(
            f"steps of {given['step']} from {given['from']} do not end at {given['to']}, but at {_text(below)} and {_text(below + step)}",
            key=f"{where}.to",
            value=given["to"],
        )
    return [first + step * at for at in range(int(steps) + 1)]
