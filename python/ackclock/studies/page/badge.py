"""Verdicts as words that style sheets know, counted and sorted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ORDER", "Badge", "badge", "counts"]

ORDER = ("holds", "in part", "does not hold", "cannot be judged", "nothing to judge", "answered")


class Badge(NamedTuple):
    """A verdict on the page."""

    kind: str
    mark: str
    """The verdict as a style sheet's class."""


def badge(kind: str) -> Badge:
    """Return a verdict's badge."""
    return Badge(kind, kind.replace(" ", "-"))


def counts(kinds: Sequence[str]) -> list[tuple[str, str, int]]:
    """Count the verdicts of each kind."""
    counted = Counter(kinds)
    return [(*badge(kind), counted[kind]) for kind in ORDER if counted[kind]]
