"""How every figure looks, and how it is saved."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure

from ackclock.writing import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result

ONE_COLUMN = 3.4
"""Width of a figure that fills one column of a two-column page, inches."""

TWO_COLUMNS = 7.0
"""Width of a figure across both columns, inches."""

# M. Okabe, K. Ito, "Color Universal Design", 2008; ordered so that neighbours differ in lightness too.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
DASHES: Sequence[Any] = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.5, 1, 1.5)), (0, (3, 1, 1, 1, 1, 1)), (0, (8, 2)), "-")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DROP_COLOUR = "#D55E00"
MARK_COLOUR = "#CC79A7"
GREY = "#767676"
QUEUE_COLOURS = ("#4D4D4D", "#56B4E9", "#009E73")

_SETTINGS: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 8,
    "figure.dpi": 150,
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "grid.alpha": 1.0,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.5,
    "legend.borderaxespad": 0.2,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 2.0,
    "lines.linewidth": 1.0,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
    "svg.hashsalt": "ackclock",
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
}


@contextmanager
def paper() -> Iterator[None]:
    """The settings of a figure for print, undone afterwards: a user's own matplotlib style stays as it was."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


class PaperFigure(Figure):
    """A matplotlib figure that shows itself in a notebook and is saved to the same bytes every time."""

    def svg(self) -> str:
        """The figure as SVG text."""
        buffer = io.StringIO()
        with paper():
            self.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        return buffer.getvalue()

    def write(self, path: str | Path) -> Path:
        """Save by the path's suffix: .svg, .pdf or .png.

        Parameters
        ----------
        path : str or Path
            Where.

        Raises
        ------
        ValueError
            If the suffix is none of these.
        """
        target = Path(path)
        metadata: dict[str, dict[str, str | None]] = {
            ".svg": {"Date": None, "Creator": None},
            ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
            ".png": {"Software": None},
        }
        if target.suffix not in metadata:
            raise ValueError(f"{target}: a figure is written as .svg, .pdf or .png")
        with whole_file(target) as temporary, paper():
            self.savefig(temporary, format=target.suffix[1:], metadata=metadata[target.suffix], dpi=300)
        return target

    def _repr_svg_(self) -> str:
        return self.svg()


def new_figure(width: float, height: float) -> PaperFigure:
    """An empty figure of that size, inches; to be called within `paper()`."""
    return PaperFigure(figsize=(width, height), layout="constrained")


def name_engine(figure: PaperFigure, result: "Result") -> None:
    """Say on a figure of a run that was not simulated what made it."""
    if result.conduct is not None:
        figure.suptitle(result.engine, x=1.0, ha="right", fontsize=6, color=GREY)


def legend(axes: "Axes", *, columns: int = 1, outside: bool = False) -> None:
    """A legend if there is anything to name; outside: in a row above the axes."""
    handles, labels = axes.get_legend_handles_labels()
    if not handles:
        return
    if outside:
        axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns, columnspacing=1.2)
    else:
        axes.legend(handles, labels, ncols=columns, loc="best")
