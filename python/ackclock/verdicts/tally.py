"""Judgements of one question together: how many are within, of how many."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ackclock.verdicts.judgement import Kind

__all__ = ["Tally"]


@dataclass(frozen=True)
class Tally:
    """Number of judgements of each kind.

    Examples
    --------
    >>> one = Tally.of(["within", "within", "beyond", "tie"])
    >>> one.share, one.text, one.is_all
    (0.6666666666666666, '2 of 3', False)
    """

    within: int = 0
    beyond: int = 0
    undecided: int = 0
    tie: int = 0

    @classmethod
    def of(cls, kinds: Iterable[Kind]) -> Tally:
        """The numbers of some outcomes; a better one is within, and one only shown is left out."""
        counts = Counter(kinds)
        return cls(
            counts["within"] + counts["better"],
            counts["beyond"],
            counts["undecided"],
            counts["tie"],
        )

    @property
    def judged(self) -> int:
        """Number of judgements that could have been within or beyond; ties could not."""
        return self.within + self.beyond + self.undecided

    @property
    def share(self) -> float | None:
        """Share of the judged that are within; None if all are ties, or there are none."""
        return self.within / self.judged if self.judged else None

    @property
    def is_all(self) -> bool:
        """Whether all that could be judged are within."""
        return bool(self.within) and self.within == self.judged

    @property
    def text(self) -> str:
        """The share in words: "3 of 5"."""
        return f"{self.within} of {self.judged}"
