"""Names that users give to flows, links, nodes and scenarios."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ackclock.messages import shown
from ackclock.scenario.errors import problem

__all__ = ["LONGEST", "Name", "ScenarioName", "check_length"]

LONGEST = 100
"""Most characters of a name that a user gives."""

_NAME = r"[A-Za-z][A-Za-z0-9_-]*"
_SCENARIO = r"[A-Za-z0-9][A-Za-z0-9._-]*"


def _matching(pattern: str, rule: str) -> BeforeValidator:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise problem(f"{shown(value)} is not {rule}")
        return check_length(value)

    return BeforeValidator(check)


def check_length(name: str, most: int = LONGEST, key: str = "") -> str:
    """The name, if it is not too long: every table, label and series of a run repeats it.

    `key`, if any, is that of the name, relative to the table that is validated.

    Raises
    ------
    PydanticCustomError
        If it has more than `most` characters.
    """
    if len(name) > most:
        raise problem(
            f"{shown(name)} has {len(name):,} characters, and a name has at most {most}: write a "
            "shorter one",
            key=key,
        )
    return name


Name = Annotated[
    str,
    _matching(_NAME, "a name: it begins with a letter and has only letters, digits, '-' and '_'"),
    Field(pattern=_NAME, max_length=LONGEST),
]
ScenarioName = Annotated[
    str,
    _matching(
        _SCENARIO,
        "a name for a scenario: it names a folder, and has only letters, digits, '.', '-' and '_'",
    ),
    Field(pattern=_SCENARIO, max_length=LONGEST),
]
