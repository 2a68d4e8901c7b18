"""Quantities that are drawn: ``"uniform(0s, 1s)"`` where a fixed ``"10ms"`` could stand.

Every value is drawn from a stream that is named after the flow and the quantity, so that adding a flow, or changing
its algorithm, leaves all other draws as they were.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from ackclock import _core
from ackclock.scenario.errors import ScenarioError, did_you_mean, problem, shown
from ackclock.scenario.quantities import PS_PER_S, check_rate, check_time, rate_bps, time_ps

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RateOrDistribution", "TimeOrDistribution", "draw_rate_bps", "draw_time_ps"]

# Name -> its parameters; a parameter marked "#" is a plain number, the others are quantities.
_KINDS: dict[str, tuple[str, ...]] = {
    "uniform": ("low", "high"),
    "exponential": ("mean",),
    "normal": ("mean", "standard deviation"),
    "lognormal": ("median", "#sigma"),
    "pareto": ("smallest", "#shape"),
}
_CALL = re.compile(r"\s*([A-Za-z_]+)\s*\((.*)\)\s*")


@dataclass(frozen=True)
class _Drawn:
    kind: str
    parameters: tuple[float, ...]


def _form(kind: str, example: str) -> str:
    return f"{kind}({', '.join('1.5' if name.startswith('#') else example for name in _KINDS[kind])})"


@lru_cache(maxsize=1024)
def _parse(text: str, parse: Callable[[str], int], per_unit: int) -> _Drawn:
    called = _CALL.fullmatch(text)
    if called is None:
        return _Drawn("fixed", (parse(text) / per_unit,))
    names = _KINDS[called[1]]
    parts = [part.strip() for part in called[2].split(",")]
    return _Drawn(
        called[1],
        tuple(float(part) if name.startswith("#") else parse(part) / per_unit for name, part in zip(names, parts, strict=True)),
    )


def _check(value: Any, check: Callable[[Any], str], example: str) -> str:
    called = _CALL.fullmatch(value) if isinstance(value, str) else None
    if called is None:
        return check(value)
    kind = called[1]
    if kind not in _KINDS:
        raise problem(f"{shown(value)}: there is no distribution '{kind}', only {', '.join(_KINDS)}{did_you_mean(kind, _KINDS)}")
    names = _KINDS[kind]
    parts = [part.strip() for part in called[2].split(",")]
    if len(parts) != len(names) or not all(parts):
        wanted = ", ".join(name.lstrip("#") for name in names)
        raise problem(f"{shown(value)}: {kind} takes ({wanted}), such as '{_form(kind, example)}'")
    for name, part in zip(names, parts, strict=True):
        if not name.startswith("#"):
            check(part)
            continue
        try:
            number = float(part)
        except ValueError:
            number = math.nan
        if not (math.isfinite(number) and number > 0):
            raise problem(f"{shown(value)}: the {name.lstrip('#')} of {kind}, '{part}', is not a number above zero")
    return str(value).strip()


def _check_time(value: Any) -> str:
    text = _check(value, check_time, "10ms")
    drawn = _parse(text, time_ps, PS_PER_S)
    if drawn.kind == "uniform" and drawn.parameters[0] > drawn.parameters[1]:
        raise problem(f"{shown(value)}: the low end is above the high end; write uniform(low, high)")
    return text


def _check_rate(value: Any) -> str:
    if value == "unlimited":
        return "unlimited"
    text = _check(value, check_rate, "10Mbit/s")
    drawn = _parse(text, rate_bps, 1)
    if drawn.kind == "uniform" and drawn.parameters[0] > drawn.parameters[1]:
        raise problem(f"{shown(value)}: the low end is above the high end; write uniform(low, high)")
    return text


def _schema(description: str, *examples: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "description": description, "examples": list(examples)})


TimeOrDistribution = Annotated[
    str,
    BeforeValidator(_check_time),
    _schema("A time, or a distribution to draw it from.", "10ms", "uniform(0s, 1s)", "exponential(100ms)"),
]
RateOrDistribution = Annotated[
    str,
    BeforeValidator(_check_rate),
    _schema("A rate, or a distribution to draw it from, or 'unlimited'.", "10Mbit/s", "uniform(1Mbit/s, 10Mbit/s)"),
]


# Times, ps, and rates, bit/s, are 64-bit numbers in the engine.
_LARGEST = 2**64 - 1


def _draw(drawn: _Drawn, per_unit: int, text: str, seed: int, stream: str, key: str) -> int:
    try:
        value = _core.draw(seed, stream, drawn.kind, list(drawn.parameters), 1)[0] * per_unit
    except ValueError as error:
        raise ScenarioError(f"{shown(text)}: {error}", key=key, value=text) from None
    if not value <= _LARGEST:
        raise ScenarioError(f"{shown(text)} drew a value that is too large to simulate, for {stream}", key=key, value=text)
    return round(value)


def draw_time_ps(text: str, seed: int, stream: str, key: str) -> int:
    """A time drawn from the stream, picoseconds; a draw below zero (a normal's tail) is zero."""
    drawn = _parse(text, time_ps, PS_PER_S)
    if drawn.kind == "fixed":
        return time_ps(text)
    return max(0, _draw(drawn, PS_PER_S, text, seed, stream, key))


def draw_rate_bps(text: str, seed: int, stream: str, key: str) -> int | None:
    """A rate drawn from the stream, bit/s, at least 1; ``None`` for ``unlimited``."""
    if text == "unlimited":
        return None
    drawn = _parse(text, rate_bps, 1)
    if drawn.kind == "fixed":
        return rate_bps(text)
    return max(1, _draw(drawn, 1, text, seed, stream, key))
