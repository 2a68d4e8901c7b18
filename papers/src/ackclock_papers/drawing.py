"""Empty figures for print."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ackclock.plot.style import new_figure
from ackclock.views.figure import paper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure


@contextmanager
def drawing(
    width: float, height: float, rows: int = 1, columns: int = 1, **options: Any
) -> Iterator[tuple[PaperFigure, Any]]:
    """Give an empty figure of a size in inches and its panels, as `subplots` of matplotlib does."""
    with paper():
        figure = new_figure(width, height)
        yield figure, figure.subplots(rows, columns, **options)


def labels(results: Results, experiment: str, axis: str) -> tuple[Any, ...]:
    """Return the labels of an axis of an experiment; none if it has no such axis."""
    axes = results.sweeps[experiment].design.axes
    return tuple(label for entry in axes if entry.name == axis for label in entry.labels)
