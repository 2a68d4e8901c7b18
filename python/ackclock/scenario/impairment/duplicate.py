"""Packets that arrive twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ackclock.scenario.impairment.base import Correlation, Impairment, Probability, short_form

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Duplicate", "DuplicateTable"]


class DuplicateTable(Impairment):
    """Packets arrive twice."""

    p: Probability
    """Probability, 0 to 1."""
    correlation: Correlation = 0.0
    """Of each decision with the one before."""
    acks: bool = False
    """Whether pure ACKs are duplicated too."""

    def plan(self, folder: Path | None) -> dict[str, Any]:  # noqa: ARG002
        """See `Impairment.plan`."""
        return {"kind": "duplicate", "p": float(self.p), "correlation": float(self.correlation), "acks": self.acks}


Duplicate = Annotated[DuplicateTable, short_form("p", int, float)]
