"""Values of one key along an axis: as listed, or made from a range."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.quantities import amount, rate_bps

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["base_number", "values_of"]

_MOST_VALUES = 100_000
# By the unit of `amount`: the unit in results, its size in the unit of `amount`, smallest step.
_KINDS: Mapping[str, tuple[str, float, Fraction | None]] = {
    "ps": ("s", 1e12, Fraction(1, 10**12)),
    "bytes": ("bytes", 1.0, Fraction(1)),
    "packets": ("packets", 1.0, Fraction(1)),
    "bdp": ("bdp", 1.0, None),
}
_GRAINS = {unit: grain for unit, _, grain in _KINDS.values()} | {"bit/s": Fraction(1)}


def base_number(value: Any) -> tuple[float, str | None] | None:
    """A number, or a quantity in its base unit, with the unit; None for any other value."""
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
    unit, per_unit, _ = _KINDS[read.unit]
    try:
        return float(read.number) / per_unit, unit
    except OverflowError:
        return None


def values_of(given: Any, where: str) -> list[Any]:
    """The values of a key, given as a list or as the table of a range; `where` is for messages."""
    if not isinstance(given, dict):
        return list(given)
    first, last = given["from"], given["to"]
    if isinstance(first, str) != isinstance(last, str):
        raise ScenarioError(
            f"{shown(first)} and {shown(last)}: both ends are numbers, or both have a unit",
            key=where,
            value=given,
        )
    return _of_quantities(given, where) if isinstance(first, str) else _of_numbers(given, where)


def _of_numbers(given: Mapping[str, Any], where: str) -> list[int] | list[float]:
    ends_and_step = [given[key] for key in ("from", "to", "step") if key in given]
    if isinstance(given.get("step"), str):
        raise ScenarioError(
            f"{shown(given['step'])} has a unit, but the ends of the range have none",
            key=f"{where}.step",
            value=given["step"],
        )
    first, last, *rest = (Fraction(str(value)) for value in ends_and_step)
    step = rest[0] if rest else None
    if all(isinstance(value, int) for value in ends_and_step):
        return [int(value) for value in _spaced(first, last, step, given, where, Fraction(1))]
    return [float(value) for value in _spaced(first, last, step, given, where, None)]


def _parts(text: Any, where: str) -> tuple[Fraction, str]:
    match = (
        re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)(\s*\S.*?)\s*", text)
        if isinstance(text, str)
        else None
    )
    if match is None or base_number(text) is None:
        raise ScenarioError(
            f"{shown(text)} is not a quantity: in a range write numbers, or numbers with a unit "
            "such as '10ms'",
            key=where,
            value=text,
        )
    return Fraction(match[1]), match[2]


def _of_quantities(given: Mapping[str, Any], where: str) -> list[str]:
    first, unit = _parts(given["from"], f"{where}.from")
    size, kind = _in_base(unit)

    def in_unit(key: str) -> Fraction:
        number, own = _parts(given[key], f"{where}.{key}")
        own_size, own_kind = _in_base(own)
        if own_kind != kind:
            raise ScenarioError(
                f"{shown(given[key])} is of another kind than {shown(given['from'])}",
                key=f"{where}.{key}",
                value=given[key],
            )
        return number * own_size / size

    last = in_unit("to")
    step = None if given.get("step") is None else in_unit("step") * (1 if last >= first else -1)
    grain = _GRAINS[str(kind)]
    values = _spaced(first, last, step, given, where, None if grain is None else grain / size)
    return [f"{_text(value)}{_plural(unit, value)}" for value in values]


def _in_base(unit: str) -> tuple[Fraction, str | None]:
    """Size of a unit in the base unit, and the base unit."""
    # A million of the unit, because `amount` rounds small quantities.
    base = base_number(f"1000000{unit}")
    assert base is not None
    return Fraction(str(base[0])) / 1_000_000, base[1]


def _plural(unit: str, value: Fraction) -> str:
    return unit if unit.strip() != "packet" or value == 1 else unit.replace("packet", "packets")


def _text(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):.15g}"


def _spaced(
    first: Fraction,
    last: Fraction,
    step: Fraction | None,
    given: Mapping[str, Any],
    where: str,
    grain: Fraction | None,
) -> list[Fraction]:
    if step is not None:
        return _stepped(first, last, step, given, where)
    if first == last:
        raise ScenarioError(
            f"a range from {shown(given['from'])} to the same: the ends must differ",
            key=where,
            value=given,
        )
    points = given["points"]
    shares = [Fraction(at, points - 1) for at in range(1, points - 1)]
    if given.get("spacing", "linear") == "log":
        if first <= 0 or last <= 0:
            raise ScenarioError(
                'with spacing = "log" both ends must be more than zero',
                key=where,
                value=given,
                kind="out-of-range",
            )
        between = [
            math.exp(math.log(first) * (1.0 - share) + math.log(last) * share)
            for share in map(float, shares)
        ]
    else:
        between = [float(first + (last - first) * share) for share in shares]
    # Six digits, as a person would write; the ends stay as given.
    inner = [Fraction(f"{value:.6g}") for value in between]
    if grain is not None:
        inner = [round(value / grain) * grain for value in inner]
    return list(dict.fromkeys([first, *inner, last]))


def _stepped(
    first: Fraction, last: Fraction, step: Fraction, given: Mapping[str, Any], where: str
) -> list[Fraction]:
    if step == 0 or (last - first) * step < 0:
        raise ScenarioError(
            f"steps of {given['step']} from {given['from']} never reach {given['to']}",
            key=f"{where}.step",
            value=given["step"],
        )
    steps = (last - first) / step
    if steps > _MOST_VALUES:
        raise ScenarioError(
            f"that is more than {_MOST_VALUES} values", key=f"{where}.step", value=given["step"]
        )
    if steps.denominator != 1:
        below = first + step * math.floor(steps)
        raise ScenarioError(
            f"steps of {given['step']} from {given['from']} do not end at {given['to']}, but at "
            f"{_text(below)} and {_text(below + step)}",
            key=f"{where}.to",
            value=given["to"],
        )
    return [first + step * at for at in range(int(steps) + 1)]
