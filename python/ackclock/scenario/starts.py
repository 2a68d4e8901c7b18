"""The choice of start times across seeds: a key of comparisons and sweeps."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from ackclock.messages import did_you_mean, shown
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import check_time

__all__ = ["StartChoice"]

_WORDS = ("auto", "fixed")


def _check(value: Any) -> str:
    if value in _WORDS:
        return str(value)
    if isinstance(value, str) and any(letter.isdigit() for letter in value):
        return check_time(value)
    hint = did_you_mean(value, _WORDS) if isinstance(value, str) else ""
    raise problem(
        f"{shown(value)} is not 'auto', 'fixed' or a time within which starts are drawn, such as "
        f"'40ms'{hint}"
    )


StartChoice = Annotated[str, BeforeValidator(_check), WithJsonSchema({"type": "string"})]
