"""Base tables of impairments."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ackclock.scenario.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import ImpairmentPlan

__all__ = ["Correlation", "Impairment"]

Correlation = Annotated[float, Field(ge=0, lt=1)]


class Impairment(Table):
    """Something that a wire does to packets."""

    @abstractmethod
    def plan(self, folder: Path | None) -> ImpairmentPlan:
        """The impairment in the engine's form; `folder` is the scenario's, for files it names."""
