"""Names that users give to flows, links, nodes and scenarios."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ackclock.scenario.errors import problem, shown

__all__ = ["Name"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def _check(value: Any) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise problem(f"{shown(value)} is not a name: it begins with a letter and has only letters, digits, '-' and '_'")
    return value


Name = Annotated[str, BeforeValidator(_check), Field(pattern=_NAME.pattern)]
