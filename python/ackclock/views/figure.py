"""Figures for print: style, saving, display in a notebook."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import whole_file
from ackclock.messages import visible
from ackclock.runtime.extras import MissingExtraError, importing, is_installed, require
from ackclock.views import view

if TYPE_CHECKING or is_installed("plots"):
    # Every import of matplotlib comes after this one.
    with importing("plots"):
        from matplotlib.figure import Figure
        from matplotlib.mathtext import MathTextParser
        from matplotlib.text import Text
        from matplotlib.ticker import FixedFormatter
else:
    FixedFormatter = object

    class Figure:
        """In the place of matplotlib's figure where that is not installed: nobody can make one."""

        def __init__(self, *_: Any, **__: Any) -> None:
            raise MissingExtraError("plots")


__all__ = ["PaperFigure", "paper", "settings"]

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
    "hatch.linewidth": 0.4,
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


_CHOSEN: ContextVar[Mapping[str, Any]] = ContextVar("_CHOSEN")
_MADE: ContextVar["list[PaperFigure]"] = ContextVar("_MADE")
"""Figures made within the block of `paper`."""


@contextmanager
def settings(chosen: Mapping[str, Any]) -> Iterator[None]:
    """Let `paper` use matplotlib's settings of a user within a block, such as another font."""
    token = _CHOSEN.set(chosen)
    try:
        yield
    finally:
        _CHOSEN.reset(token)


@contextmanager
def paper(*, as_written: bool = False) -> Iterator[None]:
    """Use the settings of a figure for print within a block; the user's style returns after it.

    Parameters
    ----------
    as_written
        Whether the texts of figures that the block makes are drawn letter by letter. Else
        matplotlib takes what stands between two dollars for mathematics, also in names.

    Raises
    ------
    ackclock.runtime.extras.MissingExtraError
        If matplotlib is not installed.
    """
    require("plots")
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS | dict(_CHOSEN.get({})))
        if not as_written:
            yield
            return
        made: list[PaperFigure] = []
        token = _MADE.set(made)
        try:
            yield
        finally:
            _MADE.reset(token)
        for figure in made:
            figure.finish()


class _Names(FixedFormatter):
    """Names at the ticks of an axis, drawn letter by letter."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return visible(super().__call__(x, pos)).replace("$", r"\$")


class PaperFigure(Figure):
    """A matplotlib figure that shows itself in a notebook, and is always saved to equal bytes.

    Examples
    --------
    >>> import ackclock as ac
    >>> from tempfile import mkdtemp
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> figure = ac.run(scenario).plot()
    >>> isinstance(figure, ac.plot.PaperFigure)
    True
    >>> figure.write(mkdtemp() + "/first.pdf").name
    'first.pdf'
    """

    def __init__(self, *positional: Any, **named: Any) -> None:
        super().__init__(*positional, **named)
        made = _MADE.get(None)
        self._is_being_made = made is not None
        if made is not None:
            made.append(self)

    def draw(self, renderer: Any) -> None:
        """Draw the figure; where texts are only measured, the block of `paper` goes on."""
        if self._is_being_made:
            self.show_texts_as_written()
        super().draw(renderer)

    def finish(self) -> None:
        """End the block in which the figure is made: later texts may be mathematics."""
        self.show_texts_as_written()
        self._is_being_made = False

    def show_texts_as_written(self) -> None:
        """Draw the texts that are there letter by letter, without mathematics."""
        numbers: set[Any] = set()
        for axes in self.axes:
            for axis in (axes.xaxis, axes.yaxis):
                # Powers of ten are mathematics.
                for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                    numbers |= {tick.label1, tick.label2}
                formatter = axis.get_major_formatter()
                if type(formatter) is FixedFormatter:
                    axis.set_major_formatter(_Names(formatter.seq))
        for text in self.findobj(Text):
            if text not in numbers:
                text.set_parse_math(False)

    def _make_drawable(self) -> None:
        """Show control characters, and draw letter by letter what is no mathematics."""
        parser: Any = MathTextParser("path")
        for text in self.findobj(Text):
            words: Any = text
            shown = visible(words.get_text())
            if shown != words.get_text():
                words.set_text(shown)
            if words.get_parse_math() and "$" in shown:
                try:
                    parser.parse(shown)
                except ValueError:
                    words.set_parse_math(False)

    def svg(self) -> str:
        """The figure as SVG text."""
        buffer = io.StringIO()
        self._make_drawable()
        with paper():
            self.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        return buffer.getvalue()

    def write(self, path: str | Path) -> Path:
        """Save the figure as SVG, PDF, PNG or PGF, by the path's suffix, and return the path.

        PGF is read by LaTeX with the package pgf, which sets the texts in the document's fonts. No
        LaTeX is needed to write it.

        Raises
        ------
        ValueError
            If the suffix is not .svg, .pdf, .png or .pgf.
        """
        target = Path(path)
        self._make_drawable()
        if target.suffix == ".pgf":
            view("figure.pgf")(self, target)
            return target
        metadata: dict[str, dict[str, str | None]] = {
            ".svg": {"Date": None, "Creator": None},
            ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
            ".png": {"Software": None},
        }
        if target.suffix not in metadata:
            raise ValueError(f"{target}: a figure is written as .svg, .pdf, .png or .pgf")
        with whole_file(target) as temporary, paper():
            self.savefig(
                temporary, format=target.suffix[1:], metadata=metadata[target.suffix], dpi=300
            )
        return target

    def _repr_svg_(self) -> str:
        return self.svg()
