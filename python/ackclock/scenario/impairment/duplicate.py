"""Packets that arrive twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ackclock.scenario.impairment.base import Correlation, Impairment
from ackclock.scenario.probability import Probability
from ackclock.scenario.table import short_form

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import DuplicateImpairmentPlan

__all__ = ["Duplicate", "DuplicateTable"]


class DuplicateTable(Impairment):
    """Packets arrive twice."""

    p: Probability
    """Probability, 0 to 1, or a percentage such as "1%"."""
    correlation: Correlation = 0.0
    """Correlation of each decision with the one before."""
    acks: bool = False
    """Whether pure ACKs are duplicated too."""

    def plan(self, folder: Path | None) -> DuplicateImpairmentPlan:  # noqa: ARG002
        """See `Impairment.plan`."""
        return {
            "kind": "duplicate",
            "p": float(self.p),
            "correlation": float(self.correlation),
            "acks": self.acks,
        }


Duplicate = Annotated[
    DuplicateTable, short_form("p", int, float, str, schema=Probability | DuplicateTable)
]
