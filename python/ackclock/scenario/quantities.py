"""Quantities: text with a unit, checked when read and turned into base units for a plan."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, WithJsonSchema

from ackclock import _core
from ackclock.messages import did_you_mean, shown
from ackclock.scenario.errors import problem

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "CLOCK_PS",
    "LARGEST",
    "LONGEST_PS",
    "PS_PER_S",
    "Amount",
    "Bucket",
    "InitialWindow",
    "Lead",
    "Limit",
    "MarkingThreshold",
    "OptionalRate",
    "PositiveTime",
    "QueueMemory",
    "Rate",
    "Size",
    "StepThreshold",
    "Threshold",
    "Time",
    "Window",
    "amount",
    "check_limit",
    "check_rate",
    "check_size",
    "check_time",
    "lasting",
    "rate_bps",
    "size_bytes",
    "text_schema",
    "time_ps",
]

PS_PER_S = 10**12
LARGEST = 2**63 - 1
"""Largest number of bytes or packets in a plan."""
LONGEST_PS = 480 * 3600 * PS_PER_S
"""Longest run and longest base RTT: the estimator's sums of eight RTTs then fit into the clock."""
CLOCK_PS = 2**64 - 1
"""Range of the engine's clock: 213 days."""

# Only to find the nearest unit for a message; what is accepted is decided by the core.
_TIME_UNITS = ("s", "ms", "us", "ns", "ps", "min", "h")
_RATE_UNITS = ("bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Mb/s", "Mbps", "kB/s", "MB/s", "GB/s")
_SIZE_UNITS = ("B", "bytes", "kB", "MB", "GB", "KiB", "MiB", "GiB")
# Units that a number without one may mean.
_WITHOUT_UNIT = {"time": ("s", "ms"), "size": ("bytes", "kB")}


@lru_cache(maxsize=4096)
def time_ps(text: str) -> int:
    """A time, picoseconds."""
    return _core.parse_time(text)


@lru_cache(maxsize=4096)
def rate_bps(text: str) -> int:
    """A rate, bit/s."""
    return _core.parse_rate(text)


@lru_cache(maxsize=4096)
def size_bytes(text: str) -> int:
    """A size, bytes."""
    return _core.parse_size(text)


def lasting(ps: float) -> str:
    """A long time as a message says it: hours, or days from 72 hours on."""
    hours = ps / PS_PER_S / 3600
    if hours >= 72:
        return f"{hours / 24:.4g} days"
    return f"{hours:.4g} h" if hours >= 1 else f"{ps / PS_PER_S:.4g} s"


def _split(text: str) -> tuple[str, str]:
    match = re.match(r"\s*([-+]?[0-9][0-9_.]*(?:[eE][-+]?[0-9]+)?)\s*(.*)", text)
    return (match[1], match[2].strip()) if match else ("", text.strip())


def _other_unit(text: str, units: tuple[str, ...]) -> str:
    number, unit = _split(text)
    near = did_you_mean(unit, units)
    if not number or not near or unit in units:
        return ""
    return re.sub(r"'([^']*)'", lambda match: f"'{number} {match[1]}'", near)


def _sentence(text: str, error: ValueError, units: tuple[str, ...]) -> str:
    message = str(error).rstrip(".")
    if repr(text)[1:-1] not in message:
        message = f"{shown(text)}: {message}"
    return message if "did you mean" in message else message + _other_unit(text, units)


def _plain(value: float) -> str:
    """The number as it may stand before a unit; 60 in place of one that may not."""
    return str(value) if isinstance(value, int | float) and 0 < value < 1e9 else "60"


def _check(
    value: Any,
    noun: str,
    example: str,
    parse: Callable[[str], int],
    units: tuple[str, ...],
    *,
    positive: bool,
) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        meant = _WITHOUT_UNIT.get(noun) or (re.sub("[0-9.]", "", example).strip(),)
        forms = " or ".join(f'"{_plain(value)} {unit}"' for unit in meant)
        raise problem(
            f"{shown(value)} has no unit: write {forms}, in quotes and with the unit that is meant",
            kind="wrong-type",
        )
    if not isinstance(value, str):
        raise problem(
            f"{shown(value)} is not a {noun}: write text with a unit, such as '{example}'",
            kind="wrong-type",
        )
    try:
        number = parse(value)
    except (ValueError, OverflowError) as error:
        raise problem(_sentence(value, ValueError(str(error)), units)) from None
    if positive and number == 0:
        raise problem(
            f"{shown(value)} is zero: a {noun} here must be more than zero, such as '{example}'",
            kind="out-of-range",
        )
    return value.strip()


def check_time(value: Any, *, positive: bool = False) -> str:
    """The text of a time, or a `problem`."""
    return _check(value, "time", "60ms", time_ps, _TIME_UNITS, positive=positive)


def check_rate(value: Any) -> str:
    """The text of a rate that is not zero, or a `problem`."""
    return _check(value, "rate", "10Mbit/s", rate_bps, _RATE_UNITS, positive=True)


def _check_positive_time(value: Any) -> str:
    return check_time(value, positive=True)


def check_size(value: Any) -> str:
    """The text of a size that is not zero, or a `problem`."""
    return _check(value, "size", "30kB", size_bytes, _SIZE_UNITS, positive=True)


def _check_optional_rate(value: Any) -> str:
    return "unlimited" if value == "unlimited" else check_rate(value)


def text_schema(description: str, *examples: str) -> WithJsonSchema:
    """The JSON Schema of a quantity: text, with examples."""
    return WithJsonSchema(
        {"type": "string", "description": description, "examples": list(examples)}
    )


Time = Annotated[
    str, BeforeValidator(check_time), text_schema("A time with its unit.", "60ms", "1.5s", "2min")
]
PositiveTime = Annotated[
    str,
    BeforeValidator(_check_positive_time),
    text_schema("A time above zero, with its unit.", "60s", "10ms"),
]
Rate = Annotated[
    str, BeforeValidator(check_rate), text_schema("A rate with its unit.", "10Mbit/s", "1.5 Gbit/s")
]
OptionalRate = Annotated[
    str,
    BeforeValidator(_check_optional_rate),
    text_schema("A rate, or 'unlimited'.", "10Mbit/s", "unlimited"),
]
Size = Annotated[
    str,
    BeforeValidator(check_size),
    text_schema("A number of bytes with its unit.", "1MB", "64KiB"),
]


@dataclass(frozen=True)
class Amount:
    """An amount of data in the unit given, which only a link or a flow can turn into bytes."""

    number: Fraction
    unit: Literal["packets", "bytes", "ps", "bdp"]


_COUNTED = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(packets?|bdp)\s*")


@lru_cache(maxsize=4096)
def amount(text: str) -> Amount:
    """Read ``20 packets``, ``1.5bdp``, ``30kB`` or ``500ms``."""
    counted = _COUNTED.fullmatch(text)
    if counted:
        return Amount(Fraction(counted[1]), "bdp" if counted[2] == "bdp" else "packets")
    try:
        return Amount(Fraction(_core.parse_size(text)), "bytes")
    except (ValueError, OverflowError):
        pass
    try:
        return Amount(Fraction(_core.parse_time(text)), "ps")
    except (ValueError, OverflowError):
        pass
    raise ValueError


_FORMS = {
    "packets": "packets ('20 packets')",
    "bytes": "bytes ('30kB')",
    "bdp": "bandwidth-delay products ('1bdp')",
    "ps": "time at line rate ('500ms')",
}


def _amounts(noun: str, units: tuple[str, ...], words: tuple[str, ...]) -> Callable[[Any], str]:
    forms = ", ".join([*(_FORMS[unit] for unit in units), *(f"'{word}'" for word in words)])
    names: tuple[str, ...] = (
        *(("packets",) if "packets" in units else ()),
        *(("bdp",) if "bdp" in units else ()),
        *_SIZE_UNITS,
        *(_TIME_UNITS if "ps" in units else ()),
    )

    def check(value: Any) -> str:
        if isinstance(value, int | float) and not isinstance(value, bool):
            unit = "packets" if "packets" in units else "kB"
            raise problem(
                f'{shown(value)} has no unit: write "{_plain(value)} {unit}"; a {noun} is text in '
                f"{forms}"
            )
        if not isinstance(value, str):
            raise problem(
                f"{shown(value)} is not a {noun}: write text in {forms}", kind="wrong-type"
            )
        if value in words:
            return value
        try:
            parsed = amount(value)
        except ValueError:
            near = did_you_mean(value, words) or _other_unit(value, names)
            raise problem(f"{shown(value)} is not a {noun}: it is given in {forms}{near}") from None
        if parsed.unit not in units:
            raise problem(f"{shown(value)} is not a {noun}: it is given in {forms}")
        if parsed.number == 0:
            raise problem(
                f"{shown(value)} is zero: a {noun} must be at least one packet, such as '20 "
                "packets'",
                kind="out-of-range",
            )
        if parsed.unit == "packets" and parsed.number < 1:
            raise problem(
                f"{shown(value)} is less than one packet: a {noun} must be at least one packet",
                kind="out-of-range",
            )
        return value.strip()

    return check


check_limit = _amounts("queue limit", ("packets", "bytes", "bdp", "ps"), ("unlimited",))
"""The text of a queue's limit, or a `problem`."""

Limit = Annotated[
    str,
    BeforeValidator(check_limit),
    text_schema("The most that may wait.", "20 packets", "30kB", "1bdp", "500ms", "unlimited"),
]
Threshold = Annotated[
    str,
    BeforeValidator(_amounts("queue threshold", ("packets", "bytes", "bdp", "ps"), ("auto",))),
    text_schema("A length of the queue.", "5 packets", "30kB", "0.5bdp", "5ms", "auto"),
]
MarkingThreshold = Annotated[
    str,
    BeforeValidator(_amounts("queue threshold", ("packets", "bytes", "bdp", "ps"), ())),
    text_schema("A length of the queue.", "20 packets", "30kB", "0.2bdp", "1ms"),
]
Bucket = Annotated[
    str,
    BeforeValidator(_amounts("size of a bucket", ("packets", "bytes", "bdp", "ps"), ())),
    text_schema("The most that passes at once.", "50kB", "20 packets", "10ms", "0.1bdp"),
]
QueueMemory = Annotated[
    str,
    BeforeValidator(_amounts("size of a queue", ("packets", "bytes", "bdp", "ps"), ())),
    text_schema("The most that may wait.", "32MiB", "1000 packets", "2bdp", "500ms"),
]
StepThreshold = Annotated[
    str,
    BeforeValidator(_amounts("step threshold", ("packets", "ps"), ())),
    text_schema("A time or a number of packets.", "1ms", "5 packets"),
]
Window = Annotated[
    str,
    BeforeValidator(_amounts("window", ("packets", "bytes", "bdp"), ("unlimited",))),
    text_schema("A window of payload.", "10 packets", "64KiB", "1bdp", "unlimited"),
]
Lead = Annotated[
    str,
    BeforeValidator(_amounts("lead", ("packets", "bytes", "bdp"), ("off",))),
    text_schema("An amount of payload, or 'off'.", "10 packets", "64KiB", "0.5bdp", "off"),
]
InitialWindow = Annotated[
    str,
    BeforeValidator(_amounts("window", ("packets", "bytes", "bdp"), ("rfc3390", "rfc6928"))),
    text_schema(
        "A window of payload, or the one that an RFC allows for segments of this size.",
        "10 packets",
        "rfc3390",
        "64KiB",
        "1bdp",
    ),
]
