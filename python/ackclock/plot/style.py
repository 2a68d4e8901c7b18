"""Widths, colours and legends of figures."""

from typing import TYPE_CHECKING

from ackclock.plot_data.palette import (
    COLOURS,
    DASHES,
    DROP_COLOUR,
    GREY,
    GUIDE,
    MARK_COLOUR,
    MARKERS,
    ONE_COLUMN,
    QUEUE_COLOURS,
    TWO_COLUMNS,
)
from ackclock.views.figure import PaperFigure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result

__all__ = [
    "COLOURS",
    "DASHES",
    "DROP_COLOUR",
    "GREY",
    "GUIDE",
    "MARKERS",
    "MARK_COLOUR",
    "ONE_COLUMN",
    "QUEUE_COLOURS",
    "TWO_COLUMNS",
    "legend",
    "name_engine",
    "new_figure",
]


def new_figure(width: float, height: float) -> PaperFigure:
    """An empty figure of a size in inches; call it within `paper()`."""
    return PaperFigure(figsize=(width, height), layout="constrained")


def name_engine(figure: PaperFigure, result: "Result") -> None:
    """Name the engine on a figure, unless it is the simulator."""
    if result.provenance is not None:
        figure.suptitle(result.engine, x=1.0, ha="right", fontsize=6, color=GREY)


def legend(axes: "Axes", *, columns: int = 1, outside: bool = False) -> None:
    """Add a legend if the axes have labels; with `outside` in a row above the axes."""
    handles, labels = axes.get_legend_handles_labels()
    if not handles:
        return
    if outside:
        axes.legend(
            handles,
            labels,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=columns,
            columnspacing=1.2,
        )
    else:
        axes.legend(handles, labels, ncols=columns, loc="best")
