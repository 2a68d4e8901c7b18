"""A product's words for outcomes: "concern" of an evaluation, "changed" of a regression test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.verdicts.judgement import Judgement, Kind

__all__ = ["Words"]


@dataclass(frozen=True)
class Words:
    """Names of the outcomes, and of what has them.

    Examples
    --------
    >>> Words({"within": "holds", "beyond": "missed", "undecided": "may be chance"}).case
    'case'
    """

    outcomes: Mapping[Kind, str]
    by_rule: Mapping[tuple[Kind, str], str] = field(default_factory=dict)
    """Other names of an outcome of one rule."""
    case: str = "case"
    """A case in the singular."""
    figure: str = "check"
    """A judgement in the singular."""
    before: str = "before"
    """The reference's place: "before 9.1 Mbit/s"."""

    def of(self, judgement: Judgement) -> str:
        """The word for a judgement's outcome."""
        special = self.by_rule.get((judgement.kind, judgement.rule))
        return special or self.outcomes.get(judgement.kind, judgement.kind)
