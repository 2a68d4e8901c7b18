"""Rewritten ECN fields of IP headers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from ackclock.scenario.impairment.base import Impairment
from ackclock.scenario.table import short_form

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import EcnRewriteImpairmentPlan

__all__ = ["EcnRewrite", "EcnRewriteTable"]

_Rule = Literal["bleach", "clear-ce", "ect1-to-ect0"]


class EcnRewriteTable(Impairment):
    """Changes to the ECN field of every packet, pure ACKs included."""

    rule: _Rule
    """Change: "bleach" (all become Not-ECT), "clear-ce" or "ect1-to-ect0".

    With "clear-ce" the mark of this link's queue is lost, as in a tunnel that drops the outer
    header.
    """

    def plan(self, folder: Path | None) -> EcnRewriteImpairmentPlan:  # noqa: ARG002
        """See `Impairment.plan`."""
        return {"kind": "ecn-rewrite", "rule": self.rule}


EcnRewrite = Annotated[EcnRewriteTable, short_form("rule", str, schema=_Rule | EcnRewriteTable)]
