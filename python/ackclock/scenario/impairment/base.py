"""What every impairment's table is."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from ackclock.scenario.table import Table

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Correlation", "Impairment", "Probability", "short_form"]

Probability = Annotated[float, Field(ge=0, le=1)]
Correlation = Annotated[float, Field(ge=0, lt=1)]


class Impairment(Table):
    """Something that a wire does to packets."""

    @abstractmethod
    def plan(self, folder: Path | None) -> dict[str, Any]:
        """It as the engine takes it; files are looked for in `folder`, the scenario's."""


def short_form(key: str, *kinds: type) -> BeforeValidator:
    """Read a value of these types as a table with nothing but this key."""

    def expand(value: Any) -> Any:
        return {key: value} if isinstance(value, kinds) and not isinstance(value, bool) else value

    return BeforeValidator(expand)
