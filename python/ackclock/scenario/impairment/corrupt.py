"""Packets whose bits change on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ackclock.scenario.impairment.base import Correlation, Impairment
from ackclock.scenario.probability import Probability
from ackclock.scenario.table import short_form

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import CorruptImpairmentPlan

__all__ = ["Corrupt", "CorruptTable"]


class CorruptTable(Impairment):
    """Damaged packets: they travel on, and the receiving host discards them."""

    p: Probability
    """Probability, 0 to 1, or a percentage such as "1%"."""
    correlation: Correlation = 0.0
    """Correlation of each decision with the one before."""
    acks: bool = False
    """Whether pure ACKs are damaged too."""

    def plan(self, folder: Path | None) -> CorruptImpairmentPlan:  # noqa: ARG002
        """See `Impairment.plan`."""
        return {
            "kind": "corrupt",
            "p": float(self.p),
            "correlation": float(self.correlation),
            "acks": self.acks,
        }


Corrupt = Annotated[
    CorruptTable, short_form("p", int, float, str, schema=Probability | CorruptTable)
]
