"""The page and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.validation.cases import folder
from ackclock.validation.choosing import PAGE, PICTURES
from ackclock.validation.figures import overlay, summary, write_svg
from ackclock.validation.notes import Note, notes, unused
from ackclock.validation.page import page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ackclock.validation.judging import Comparison

__all__ = ["stale_notes", "write"]


def write(comparisons: Sequence[Comparison], where: Path) -> Path:
    """Write `validation.md` and `validation/`, earlier ones replaced.

    Parameters
    ----------
    comparisons
        In the order of the page.
    where
        The folder, as `check_target` found it good.
    """
    pictures = where / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    for old in pictures.iterdir():
        old.unlink()
    for one in comparisons:
        write_svg(overlay(one), pictures / f"{one.name}.svg")
    write_svg(summary(comparisons), pictures / "summary.svg")
    source = folder()
    preface = source / "about.md" if source is not None else None
    text = preface.read_text(encoding="utf-8") if preface is not None and preface.is_file() else ""
    known = notes(source) if source is not None else []
    target = where / PAGE
    target.write_text(page(comparisons, known, text, PICTURES), encoding="utf-8")
    return target


def stale_notes(comparisons: Sequence[Comparison]) -> list[Note]:
    """Notes about misses that are none any more."""
    source = folder()
    missed = [(one.name, row.key) for one in comparisons for row in one.misses]
    return unused(notes(source), missed) if source is not None else []
