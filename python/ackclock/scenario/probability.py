"""Probabilities: a number from 0 to 1, or text with a percent sign."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from ackclock.messages import shown
from ackclock.scenario.errors import problem

__all__ = ["Probability", "read_percent", "read_probability"]

_PERCENT = re.compile(r"\s*([0-9]{1,3}(?:\.[0-9]{1,15})?)\s*%\s*")
_NUMBER = re.compile(r"\s*(0?\.[0-9]{1,17}|0)\s*")


def read_percent(text: str) -> float | None:
    """The number of a text such as "1%" or "0.01", or None for other text and more than 100 %.

    Examples
    --------
    >>> read_percent("0.7%"), read_percent("0.01"), read_percent("120%")
    (0.007, 0.01, None)
    """
    if match := _PERCENT.fullmatch(text):
        number = Decimal(match[1]) / 100
        return float(number) if number <= 1 else None
    match = _NUMBER.fullmatch(text)
    return float(match[1]) if match else None


def read_probability(value: Any) -> Any:
    """The number of a probability that is text; a number outside of its range gets a hint.

    Other values stay, for the type to refuse.
    """
    if isinstance(value, str):
        number = read_percent(value)
        if number is None:
            raise problem(
                f"{shown(value)} is not a probability: write a number from 0 to 1, such as 0.01, "
                "or '1%'",
                kind="wrong-type",
            )
        return number
    if isinstance(value, int | float) and not isinstance(value, bool) and 1 < value <= 100:
        raise problem(
            f"{shown(value)} is too large: it must be at most 1; did you mean '{value:g}%'?",
            kind="out-of-range",
        )
    return value


Probability = Annotated[
    float,
    Field(ge=0, le=1),
    BeforeValidator(read_probability),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "string", "pattern": r"^\s*[0-9]*\.?[0-9]+\s*%?\s*$"},
            ],
            "examples": [0.01, "1%"],
        }
    ),
]
