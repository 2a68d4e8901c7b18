"""The base table of queue disciplines."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from ackclock.scenario.table import Table

if TYPE_CHECKING:
    from ackclock.border.plan import QdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.tc_words import TcQdisc, TcQueue

__all__ = ["Discipline"]


class Discipline(Table):
    """A queue discipline and its parameters."""

    default_limit: ClassVar[str] = "1bdp"
    """Limit of a link that gives none; disciplines of Linux have tc's default."""

    shapes: ClassVar[bool] = False
    """Whether the discipline has its own rate, so that packets wait on an unlimited link too."""

    limit_may_change: ClassVar[bool] = False
    """Whether the link's limit may be a schedule."""

    @property
    def name(self) -> str:
        """Name of the discipline: its `kind`."""
        return str(self.model_dump(include={"kind"})["kind"])

    @abstractmethod
    def plan(self, queue: Queue) -> QdiscPlan:
        """The discipline at a queue, in the engine's form.

        Raises
        ------
        ScenarioError
            If a parameter makes no sense at this queue.
        """

    @staticmethod
    @abstractmethod
    def tc(plan: Any, queue: TcQueue) -> TcQdisc:
        """The discipline of a plan in the words of Linux's tc, with notes on what differs."""
