"""Traits of queue disciplines, as their files in the core say (`crates/sim/src/qdisc`)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock._core import DisciplineTraits

__all__ = ["draws", "traits"]


@cache
def traits() -> Mapping[str, DisciplineTraits]:
    """The traits of every discipline, by its kind."""
    return {entry["name"]: entry["traits"] for entry in _core.list_qdisc()}


def draws(kind: str) -> bool:
    """Whether the parts of a plan of this kind are a discipline that draws random numbers.

    Examples
    --------
    >>> draws("red"), draws("fifo")
    (True, False)
    """
    known = traits().get(kind)
    return known is not None and known["draws"]
