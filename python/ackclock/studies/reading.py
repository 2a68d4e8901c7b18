"""One way to read what a paper leaves open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Reading", "laid_over"]


@dataclass(frozen=True)
class Reading:
    """One way to read what a paper leaves open, under which its claims are judged.

    The first reading of a study is the most literal one. The settings of every other reading are laid over
    those of the first, so that it names only what it changes.
    """

    name: str
    """A few words for a column's heading: `bits`."""
    text: str
    """How a passage of the paper is read, in a sentence: “1 Mb is a megabit.”"""
    why: str
    """Why a careful reader may read the paper so."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """By the name of an axis: the label at which every experiment with that axis is held; a list of labels that
    alone are looked at; or a mapping from a label to the label that is looked at in its place."""
    responses: Mapping[str, str] = field(default_factory=dict)
    """By the name of a response: the response that is looked at in its place."""
    topic: str = ""
    """What the paper leaves open: `units`."""


def laid_over(base: Reading, reading: Reading) -> Reading:
    """A reading with the settings of the first one where it has none of its own."""
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
