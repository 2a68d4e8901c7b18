"""Readings: ways to understand a setting that a paper leaves open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Reading", "laid_over"]


@dataclass(frozen=True)
class Reading:
    """One way to read a setting that a paper leaves open, under which its claims are judged.

    The first reading of a study is the most literal one. Every other reading takes over the
    settings of the first and names only those that it changes.
    """

    name: str
    """Short name for the heading of a column: `bits`."""
    text: str
    """How a passage of the paper is read, in a sentence: “1 Mb is a megabit.”"""
    why: str
    """Why a careful reader may read the paper so."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Labels by the name of an axis: one label, at which every experiment with that axis is held; a
    list of the only labels to look at; or a mapping from a label to the one that replaces it.
    """
    responses: Mapping[str, str] = field(default_factory=dict)
    """Replacement of a response, by its name."""
    topic: str = ""
    """The setting that the paper leaves open: `units`."""


def laid_over(base: Reading, reading: Reading) -> Reading:
    """Return a reading with the first reading's settings for everything that it does not change."""
    if reading is base:
        return base
    return Reading(
        reading.name,
        reading.text,
        reading.why,
        {**base.settings, **reading.settings},
        {**base.responses, **reading.responses},
        reading.topic,
    )
