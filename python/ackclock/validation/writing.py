"""The page and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.atomic_io import Kind, files_of, whole_files, write_text
from ackclock.validation.cases import folder
from ackclock.validation.choosing import PAGE, PICTURES
from ackclock.validation.notes import Note, notes, unused
from ackclock.validation.page import page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ackclock.validation.judging import Comparison

__all__ = ["KIND", "stale_notes", "write"]


def _ours(where: Path) -> set[str]:
    return {PAGE, *(f"{PICTURES}/{name}" for name in files_of(where, PICTURES, ".svg"))}


KIND = Kind("validation", PAGE, _ours, last=PAGE, among_others=True)
"""The page and its figures, in a folder that may hold other things."""


def write(comparisons: Sequence[Comparison], where: Path) -> Path:
    """Write `validation.md` and `validation/` together; earlier ones are replaced.

    Parameters
    ----------
    comparisons
        In the order of the page.
    where
        The folder, as `check_target` found it good.

    Raises
    ------
    FileExistsError
        If a file of somebody else stands in the place of a new one.
    ackclock.runtime.extras.MissingExtraError
        If matplotlib is not installed.
    ackclock.WriteError
        If they cannot be written; the earlier ones are untouched then.
    """
    from ackclock.validation.pictures import overlay, summary, write_svg

    source = folder()
    preface = source / "about.md" if source is not None else None
    text = preface.read_text(encoding="utf-8") if preface is not None and preface.is_file() else ""
    known = notes(source) if source is not None else []
    with whole_files(where, KIND) as temporary:
        pictures = temporary / PICTURES
        pictures.mkdir()
        for comparison in comparisons:
            write_svg(overlay(comparison), pictures / f"{comparison.name}.svg")
        write_svg(summary(comparisons), pictures / "summary.svg")
        write_text(temporary / PAGE, page(comparisons, known, text, PICTURES))
    return where / PAGE


def stale_notes(comparisons: Sequence[Comparison]) -> list[Note]:
    """Notes about misses that are none any more."""
    source = folder()
    missed = [(comparison.name, row.key) for comparison in comparisons for row in comparison.misses]
    return unused(notes(source), missed) if source is not None else []
