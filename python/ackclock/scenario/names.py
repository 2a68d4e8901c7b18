"""Names that users give to flows, links, nodes and scenarios."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ackclock.scenario.errors import problem
from ackclock.wording import shown

__all__ = ["Name", "ScenarioName"]

_NAME = r"[A-Za-z][A-Za-z0-9_-]*"
_SCENARIO = r"[A-Za-z0-9][A-Za-z0-9._-]*"


def _matching(pattern: str, rule: str) -> BeforeValidator:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise problem(f"{shown(value)} is not {rule}")
        return value

    return BeforeValidator(check)


Name = Annotated[
    str,
    _matching(_NAME, "a name: it begins with a letter and has only letters, digits, '-' and '_'"),
    Field(pattern=_NAME),
]
ScenarioName = Annotated[
    str,
    _matching(
        _SCENARIO,
        "a name for a scenario: it names a folder, and has only letters, digits, '.', '-' and '_'",
    ),
    Field(pattern=_SCENARIO),
]
