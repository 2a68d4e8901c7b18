"""Figures and tables of a study, each shown once: at its first use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ackclock.pages.run.pictures import Bundle
from ackclock.studies.sources import source_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ackclock.studies.sources import Source
    from ackclock.studies.study import Figure, TableOf
    from ackclock.studies.study_run import StudyRun
    from ackclock.tables.table import Table

__all__ = ["Drawn", "Shown"]

_REM_PER_POINT = 0.1


class Shown(NamedTuple):
    """A figure or a table on the page."""

    id: str
    title: str
    caption: str
    printed: str
    """Content of the paper's own figure."""
    picture: int | None
    """Number of a figure in the page's bundle; None for a table."""
    size: tuple[float, float]
    """Shown width and height, rem."""
    table: Table | None
    sources: Sequence[Source]


class Drawn:
    """The figures and tables that have been shown so far."""

    def __init__(
        self, done: StudyRun, pictures: Mapping[str, str], folder: Path, store: Path
    ) -> None:
        """Start with nothing shown; `pictures` has the figures as SVG, by their ids."""
        self._done, self._pictures, self._folder, self._store = done, pictures, folder, store
        self._known = {figure.id: figure for figure in done.study.shown}
        self.taken: set[str] = set()
        self.bundle = Bundle()

    def split(self, ids: Sequence[str]) -> tuple[list[Shown], list[str]]:
        """Return the figures to show here, and the names of those shown further up."""
        here = [name for name in ids if name not in self.taken]
        return [self.show(self._known[name]) for name in here], [
            name for name in ids if name not in here
        ]

    def show(self, figure: Figure | TableOf) -> Shown:
        """Show a figure or a table."""
        self.taken.add(figure.id)
        sources = self.sources(figure.experiments)
        svg = self._pictures.get(figure.id)
        if svg is None:
            return Shown(
                figure.id,
                figure.title,
                figure.caption,
                "",
                None,
                (0.0, 0.0),
                figure.make(self._done.results),  # type: ignore[union-attr]
                sources,
            )
        printed: str = figure.printed  # type: ignore[union-attr]
        return Shown(
            figure.id,
            figure.title,
            figure.caption,
            printed,
            self.bundle.add(svg),
            _size(svg),
            None,
            sources,
        )

    def sources(self, experiments: Sequence[str]) -> list[Source]:
        """Files, seeds and commands of experiments and recordings."""
        return [
            source
            for name in experiments
            for source in source_of(self._done, name, self._folder, self._store)
        ]


def _size(svg: str) -> tuple[float, float]:
    match = re.search(r'<svg[^>]* width="([0-9.]+)pt" height="([0-9.]+)pt"', svg)
    assert match, "matplotlib gives a figure's size in points"
    width, height = (round(_REM_PER_POINT * float(points), 2) for points in match.groups())
    return width, height
