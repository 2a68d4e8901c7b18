"""One result in a folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Entry"]


@dataclass(frozen=True)
class Entry:
    """A result, as its files tell."""

    folder: Path
    kind: str
    """Kind, in the words of `ackclock.tools.runs.kinds`: run, kernel run, comparison, sweep, ..."""
    name: str
    """Path of the folder from the folder of results, with slashes."""
    modified: float
    """Time at which the result was written, s since 1970."""
    size: int
    """Size of its files, bytes; runs in a store elsewhere are not counted."""
    text: str
    """Key figures, in a line."""
    figures: Mapping[str, float | int | str] = field(default_factory=dict)
    """Key figures by name, in base units: bit/s, shares from 0 to 1."""
    page: Path | None = None
    """The page with the result; None if there is none."""
    problem: str = ""
    """Reason why the result cannot be read; "" if it can."""
