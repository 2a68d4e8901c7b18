"""The longest name in a plan and in results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.messages import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LONGEST_MADE", "damaged_name"]

LONGEST_MADE = 255
"""Most characters of a name that is made of given ones: `A-B.reverse`, `FLOW.7.2`, a variant."""


def damaged_name(names: Iterable[object]) -> str:
    """The fault of the first of these names that no ackclock wrote into a result; else ""."""
    for name in names:
        if not isinstance(name, str):
            return f"{shown(name)} is no name"
        if len(name) > LONGEST_MADE:
            return f"a name of {len(name):,} characters, more than {LONGEST_MADE}"
    return ""
