"""How often a discipline updates something."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from ackclock.scenario.errors import problem, shown
from ackclock.scenario.quantities import check_time, time_ps

__all__ = ["Period"]

_SHORTEST = "1us"


def _check_period(value: Any) -> str:
    text = check_time(value, positive=True)
    if time_ps(text) < time_ps(_SHORTEST):
        raise problem(f"{shown(value)} is too short: at least {_SHORTEST}")
    return text


Period = Annotated[
    str,
    BeforeValidator(_check_period),
    WithJsonSchema({"type": "string", "description": f"A time of at least {_SHORTEST}, with its unit.", "examples": ["15ms"]}),
]
