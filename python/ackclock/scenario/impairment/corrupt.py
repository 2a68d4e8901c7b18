"""Packets whose bits change on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ackclock.scenario.impairment.base import Correlation, Impairment, Probability, short_form

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Corrupt", "CorruptTable"]


class CorruptTable(Impairment):
    """Packets are damaged; they go on, and the host at their end discards them."""

    p: Probability
    """Probability, 0 to 1."""
    correlation: Correlation = 0.0
    """Of each decision with the one before."""
    acks: bool = False
    """Whether pure ACKs are damaged too."""

    def plan(self, folder: Path | None) -> dict[str, Any]:  # noqa: ARG002
        """See `Impairment.plan`."""
        return {"kind": "corrupt", "p": float(self.p), "correlation": float(self.correlation), "acks": self.acks}


Corrupt = Annotated[CorruptTable, short_form("p", int, float)]
