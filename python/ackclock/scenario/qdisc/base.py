"""What every queue discipline's table is."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from ackclock.scenario.table import Table

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

__all__ = ["Discipline"]


class Discipline(Table):
    """A queue discipline and its parameters."""

    default_limit: ClassVar[str] = "1bdp"
    """The link's limit where it gives none; a discipline of Linux's has tc's here."""

    shapes: ClassVar[bool] = False
    """Whether it has a rate of its own, so that packets wait whatever the link's."""

    @property
    def name(self) -> str:
        """Its kind."""
        return str(self.model_dump(include={"kind"})["kind"])

    @abstractmethod
    def plan(self, queue: Queue) -> dict[str, Any]:
        """The discipline at this queue, as the engine takes it.

        Raises
        ------
        ScenarioError
            If its parameters make no sense there.
        """
