"""Quantities that are drawn: ``"uniform(0s, 1s)"`` where a fixed ``"10ms"`` could stand.

The flow and the quantity name the random stream of a draw, so that adding a flow, or changing its
algorithm, leaves all other draws as they were.
"""

from __future__ import annotations

import json
import math
import re
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from ackclock import _core
from ackclock.messages import did_you_mean, shown
from ackclock.scenario.cdf import PUBLISHED, CdfError, read_cdf
from ackclock.scenario.errors import ScenarioError, problem
from ackclock.scenario.quantities import (
    CLOCK_PS,
    PS_PER_S,
    check_rate,
    check_size,
    check_time,
    rate_bps,
    size_bytes,
    text_schema,
    time_ps,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ackclock.core_types.plan import Distribution

__all__ = [
    "CountOrDistribution",
    "RateOrDistribution",
    "SizeOrDistribution",
    "TimeOrDistribution",
    "cdf_file",
    "count_distribution",
    "mean_of",
    "rate_distribution",
    "rate_drawer",
    "size_distribution",
    "time_distribution",
    "time_drawer",
    "watched_draws",
]

# Kind -> name of a parameter in the engine -> its name in messages, with "#" for a plain number
# and not a quantity.
_KINDS: dict[str, dict[str, str]] = {
    "uniform": {"low": "low", "high": "high"},
    "exponential": {"mean": "mean"},
    "normal": {"mean": "mean", "sd": "standard deviation"},
    "lognormal": {"median": "median", "sigma": "#sigma"},
    "pareto": {"scale": "smallest", "shape": "#shape"},
    "weibull": {"scale": "scale", "shape": "#shape"},
}
_NAMES = (*_KINDS, "cdf")
_CALL = re.compile(r"\s*([A-Za-z_]+)\s*\((.*)\)\s*")
_BETWEEN = re.compile(r"\sbetween\s")
_AND = re.compile(r"\sand\s")


def _check_number(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = repr(value)
    try:
        number = float(value) if isinstance(value, str) else math.nan
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise problem(
            f"{shown(value)} is not a number above zero, nor a distribution such as 'uniform(1, "
            "10)'",
            kind="wrong-type",
        )
    return str(value).strip()


@dataclass(frozen=True)
class _Quantity:
    """The quantity that the parameters of a distribution are."""

    check: Callable[[Any], str]
    parse: Callable[[str], float]
    per_unit: int
    """Base units in one unit of the engine's distributions."""
    example: str
    may_be_zero: bool


_TIME = _Quantity(check_time, time_ps, PS_PER_S, "10ms", may_be_zero=True)
_RATE = _Quantity(check_rate, rate_bps, 1, "10Mbit/s", may_be_zero=False)
_SIZE = _Quantity(check_size, size_bytes, 1, "30kB", may_be_zero=True)
_COUNT = _Quantity(_check_number, float, 1, "10", may_be_zero=True)


def _form(kind: str, example: str) -> str:
    if kind == "cdf":
        return "cdf(sizes.cdf)"
    names = _KINDS[kind].values()
    return f"{kind}({', '.join('1.5' if name.startswith('#') else example for name in names)})"


def _bounds(text: str) -> dict[str, str] | None:
    """The parts of ``OF between LOW and HIGH``, or None where a text is not of this form."""
    between = _BETWEEN.search(text)
    end = None if between is None else _AND.search(text, between.end())
    if between is None or end is None or "\n" in text:
        return None
    return {
        "of": text[: between.start()].rstrip(),
        "low": text[between.end() : end.start()].strip(),
        "high": text[end.end() :].strip(),
    }


def _is_distribution(text: str) -> bool:
    return _CALL.fullmatch(text) is not None or _bounds(text) is not None


def cdf_file(text: str) -> str | None:
    """The file that a distribution's text names, or None if it names none.

    Examples
    --------
    >>> cdf_file("cdf(sizes.cdf, 1kB) between 1kB and 1MB")
    'sizes.cdf'
    """
    bounded = _bounds(text)
    while bounded is not None:
        text = bounded["of"]
        bounded = _bounds(text)
    called = _CALL.fullmatch(text)
    return _parts(called)[0] if called is not None and called[1] == "cdf" else None


def _parts(called: re.Match[str]) -> list[str]:
    return [part.strip() for part in called[2].split(",")]


def _parse(text: str, quantity: _Quantity, folder: Path | None) -> Distribution:
    """The distribution of a text that has been checked; a file may change, so it is read again."""
    return _parse_now(text, quantity, folder) if "cdf" in text else _parsed(text, quantity)


@lru_cache(maxsize=1024)
def _parsed(text: str, quantity: _Quantity) -> Distribution:
    return _parse_now(text, quantity, None)


def _parse_now(text: str, quantity: _Quantity, folder: Path | None) -> Distribution:
    def value(part: str) -> float:
        return quantity.parse(part) / quantity.per_unit

    bounded = _bounds(text)
    if bounded is not None:
        of = _parse(bounded["of"], quantity, folder)
        return {
            "kind": "between",
            "of": of,
            "low": value(bounded["low"]),
            "high": value(bounded["high"]),
        }
    called = _CALL.fullmatch(text)
    if called is None:
        return {"kind": "fixed", "value": value(text)}
    parts = _parts(called)
    if called[1] == "cdf":
        unit = value(parts[1]) if len(parts) > 1 else 1.0
        return {"kind": "cdf", "points": [[x * unit, p] for x, p in read_cdf(parts[0], folder)]}
    fields = _KINDS[called[1]].items()
    given = {
        field: float(part) if name.startswith("#") else value(part)
        for (field, name), part in zip(fields, parts, strict=True)
    }
    return cast("Distribution", {"kind": called[1], **given})


def _check_amount(part: str, quantity: _Quantity) -> None:
    try:
        if quantity.may_be_zero and quantity.parse(part) == 0:
            return
    except (ValueError, OverflowError):
        pass
    quantity.check(part)


def _check_call(text: str, called: re.Match[str], quantity: _Quantity, folder: Path | None) -> None:
    kind, parts = called[1], _parts(called)
    if kind not in _NAMES:
        raise problem(
            f"{shown(text)}: there is no distribution '{kind}', only "
            f"{', '.join(_NAMES)}{did_you_mean(kind, _NAMES)}",
            kind="unknown-name",
        )
    if kind == "cdf":
        if len(parts) > 2 or not all(parts):
            raise problem(
                f"{shown(text)}: cdf takes (file) or (file, unit of its values), such as "
                "'cdf(sizes.cdf)' or 'cdf(sizes.cdf, "
                f"{quantity.example})'"
            )
        if parts[0] in PUBLISHED and (quantity is not _SIZE or len(parts) > 1):
            raise problem(
                f"{shown(text)}: '{parts[0]}' is a distribution of sizes in bytes: write "
                f"'cdf({parts[0]})' where a size may be drawn"
            )
        try:
            read_cdf(parts[0], folder)
        except CdfError as error:
            raise problem(f"{shown(text)}: {error}") from None
        for unit in parts[1:]:
            quantity.check(unit)
        return
    names = _KINDS[kind].values()
    if len(parts) != len(names) or not all(parts):
        wanted = ", ".join(name.lstrip("#") for name in names)
        raise problem(
            f"{shown(text)}: {kind} takes ({wanted}), such as '{_form(kind, quantity.example)}'"
        )
    for name, part in zip(names, parts, strict=True):
        if not name.startswith("#"):
            _check_amount(part, quantity)
            continue
        try:
            number = float(part)
        except ValueError:
            number = math.nan
        if not (math.isfinite(number) and number > 0):
            raise problem(
                f"{shown(text)}: the {name.lstrip('#')} of {kind}, '{part}', is not a number "
                "above zero",
                kind="wrong-type",
            )


def _check(value: Any, quantity: _Quantity, folder: Path | None) -> str:
    if not isinstance(value, str) or not _is_distribution(value):
        return quantity.check(value)
    text = value.strip()
    bounded = _bounds(text)
    called = _CALL.fullmatch(bounded["of"] if bounded else text)
    if called is None:
        raise problem(
            f"{shown(text)}: only a distribution has bounds, such as "
            f"'{_form('pareto', quantity.example)} between "
            f"{quantity.example} and ...'"
        )
    _check_call(text, called, quantity, folder)
    if bounded:
        for end in ("low", "high"):
            _check_amount(bounded[end], quantity)
    distribution = _parse(text, quantity, folder)
    if distribution["kind"] == "uniform" and distribution["low"] > distribution["high"]:
        raise problem(f"{shown(text)}: the low end is above the high end; write uniform(low, high)")
    try:
        _core.check_distribution(json.dumps(distribution))
    except ValueError as error:
        raise problem(f"{shown(text)}: {error}") from None
    return text


def _checker(quantity: _Quantity, word: str | None = None) -> BeforeValidator:
    def check(value: Any, info: ValidationInfo) -> str:
        return (
            word
            if word is not None and value == word
            else _check(value, quantity, (info.context or {}).get("folder"))
        )

    return BeforeValidator(check)


TimeOrDistribution = Annotated[
    str,
    _checker(_TIME),
    text_schema(
        "A time, or a distribution to draw it from.",
        "10ms",
        "uniform(0s, 1s)",
        "exponential(100ms)",
    ),
]
RateOrDistribution = Annotated[
    str,
    _checker(_RATE, "unlimited"),
    text_schema(
        "A rate, or a distribution to draw it from, or 'unlimited'.",
        "10Mbit/s",
        "uniform(1Mbit/s, 10Mbit/s)",
    ),
]
SizeOrDistribution = Annotated[
    str,
    _checker(_SIZE),
    text_schema(
        "A size, or a distribution to draw it from.",
        "30kB",
        "pareto(3kB, 1.2) between 3kB and 1MB",
        "cdf(sizes.cdf)",
        "cdf(websearch)",
    ),
]
CountOrDistribution = Annotated[
    str,
    _checker(_COUNT),
    WithJsonSchema(
        {
            "type": ["number", "string"],
            "description": "A number, or a distribution to draw it from.",
            "examples": [5, "uniform(1, 10)", "pareto(2, 1.5) between 2 and 50"],
        }
    ),
]


def time_distribution(text: str, folder: Path | None = None) -> Distribution:
    """A time or a distribution of times, in s; `folder` is the scenario's, for files it names."""
    return _parse(text, _TIME, folder)


def size_distribution(text: str, folder: Path | None = None) -> Distribution:
    """A size or a distribution of sizes, in bytes."""
    return _parse(text, _SIZE, folder)


def rate_distribution(text: str, folder: Path | None = None) -> Distribution:
    """A rate or a distribution of rates, in bit/s; not "unlimited"."""
    return _parse(text, _RATE, folder)


def count_distribution(text: str, folder: Path | None = None) -> Distribution:
    """A number or a distribution of numbers."""
    return _parse(text, _COUNT, folder)


def mean_of(distribution: Distribution) -> float:
    """The mean of a distribution, in its unit."""
    return _core.mean(json.dumps(distribution))


_drawn: ContextVar[set[str] | None] = ContextVar("_drawn", default=None)


@contextmanager
def watched_draws() -> Iterator[set[str]]:
    """Collect the keys whose values are drawn inside: without any, nothing depends on the seed."""
    keys: set[str] = set()
    token = _drawn.set(keys)
    try:
        yield keys
    finally:
        _drawn.reset(token)


def _draw(drawn: str, per_unit: int, text: str, seed: int, stream: str, key: str) -> int:
    if (keys := _drawn.get()) is not None:
        keys.add(key)
    try:
        value = _core.draw(seed, stream, drawn, 1)[0] * per_unit
    except ValueError as error:
        raise ScenarioError(f"{shown(text)}: {error}", key=key, value=text) from None
    # Rates in bit/s have as many bits in the engine as times in ps.
    if not value <= CLOCK_PS:
        raise ScenarioError(
            f"{shown(text)} drew a value that is too large to simulate, for {stream}",
            key=key,
            value=text,
            kind="out-of-range",
        )
    return round(value)


def time_drawer(text: str, seed: int, key: str, folder: Path | None = None) -> Callable[[str], int]:
    """A function from a stream's name to a time drawn from it, in ps; the text is read once."""
    distribution = time_distribution(text, folder)
    if distribution["kind"] == "fixed":
        fixed = time_ps(text)
        return lambda _stream: fixed
    written = json.dumps(distribution)
    return lambda stream: _draw(written, PS_PER_S, text, seed, stream, key)


def rate_drawer(
    text: str, seed: int, key: str, folder: Path | None = None
) -> Callable[[str], int | None]:
    """A function from a stream's name to a rate drawn from it, at least 1 bit/s, or unlimited."""
    if text == "unlimited":
        return lambda _stream: None
    distribution = rate_distribution(text, folder)
    if distribution["kind"] == "fixed":
        fixed = rate_bps(text)
        return lambda _stream: fixed
    written = json.dumps(distribution)
    return lambda stream: max(1, _draw(written, 1, text, seed, stream, key))
