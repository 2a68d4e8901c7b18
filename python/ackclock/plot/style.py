"""Widths, colours and legends of figures."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ackclock.figure import PaperFigure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result

ONE_COLUMN = 3.4
"""Width of a figure that fills one column of a two-column page, inches."""

TWO_COLUMNS = 7.0
"""Width of a figure across both columns, inches."""

# M. Okabe, K. Ito, "Color Universal Design", 2008; ordered so that neighbours differ in lightness
# too.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
DASHES: Sequence[Any] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (3, 1, 1, 1, 1, 1)),
    (0, (8, 2)),
    "-",
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DROP_COLOUR = "#D55E00"
MARK_COLOUR = "#CC79A7"
GREY = "#767676"
GUIDE: dict[str, Any] = {"color": GREY, "linewidth": 0.7, "linestyle": (0, (2, 2)), "zorder": 1}
"""Style of thin dashed lines for limits, thresholds and base values."""
QUEUE_COLOURS = ("#4D4D4D", "#56B4E9", "#009E73")


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
