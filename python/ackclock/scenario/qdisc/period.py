"""Update periods of disciplines."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator

from ackclock.messages import shown
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import check_time, text_schema, time_ps

__all__ = ["Period"]

_SHORTEST = "1us"


def _check_period(value: Any) -> str:
    text = check_time(value, positive=True)
    if time_ps(text) < time_ps(_SHORTEST):
        raise problem(f"{shown(value)} is too short: at least {_SHORTEST}", kind="out-of-range")
    return text


Period = Annotated[
    str,
    BeforeValidator(_check_period),
    text_schema(f"A time of at least {_SHORTEST}, with its unit.", "15ms"),
]
