r"""Writes figures as PGF, for ``\input`` in LaTeX, without LaTeX on this machine."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_pgf import FigureCanvasPgf, RendererPgf
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Bbox, BboxTransformTo

from ackclock.atomic_io import write_text
from ackclock.errors import Error
from ackclock.tables.latex import latex
from ackclock.views.figure import paper

if TYPE_CHECKING:
    import pathlib

    from ackclock.views.figure import PaperFigure

__all__ = ["PgfError", "write_pgf"]

_HEAD = r"""%% A figure by ackclock. In the preamble: \usepackage{pgf} and, without
%% LuaLaTeX or XeLaTeX, \usepackage[T1]{fontenc}; then \input this file.
"""

_MOST_CELLS = 10_000
"""Largest number of cells of a map that are drawn."""


class PgfError(Error, ValueError):
    """A figure that PGF cannot hold in one file."""


class _Renderer(RendererPgf):
    """matplotlib's renderer, with sizes of texts from its own fonts instead of a LaTeX process."""

    def __init__(self, figure: PaperFigure, fh: Any) -> None:
        super().__init__(figure, fh)  # type: ignore[no-untyped-call]
        width, height = figure.get_size_inches() * figure.dpi
        self._sizes: Any = RendererAgg(width, height, figure.dpi)  # type: ignore[no-untyped-call]

    def get_text_width_height_descent(
        self, s: str, prop: Any, ismath: Any
    ) -> tuple[float, float, float]:
        size: tuple[float, float, float] = self._sizes.get_text_width_height_descent(
            s, prop, ismath
        )
        return size

    def draw_text(
        self,
        gc: Any,
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        ismath: Any = False,
        mtext: Any = None,
    ) -> None:
        family = prop.get_family()[0].lower()
        generic = prop.copy()
        generic.set_family(
            "monospace"
            if "mono" in family
            else "serif"
            if "serif" in family and "sans" not in family
            else "sans-serif"
            if "sans" in family
            else "serif"
        )
        text = s if ismath else latex(s)
        super().draw_text(  # type: ignore[no-untyped-call]
            gc, x, y, text, generic, angle, ismath=ismath, mtext=mtext
        )

    def draw_image(self, gc: Any, x: float, y: float, im: Any, transform: Any = None) -> None:
        """Draw a small map of colours as rectangles: PGF has no pictures within a file."""
        height, width = im.shape[:2]
        if transform is None or height * width > _MOST_CELLS:
            raise PgfError(
                f"a picture of {width} x {height} points cannot be written as PGF: write .pdf"
            )
        placed = transform + Affine2D().translate(x, y)
        cell = self.new_gc()
        cell.copy_properties(gc)
        cell.set_linewidth(0.0)
        for row in range(height):
            for column in range(width):
                box = Bbox.from_bounds(column / width, row / height, 1 / width, 1 / height)
                self.draw_path(  # type: ignore[no-untyped-call]
                    cell,
                    Path.unit_rectangle(),
                    BboxTransformTo(box) + placed,
                    tuple(im[row, column] / 255.0),
                )


class _Canvas(FigureCanvasPgf):
    def get_renderer(self) -> _Renderer:
        return _Renderer(self.figure, None)  # type: ignore[arg-type]


def write_pgf(figure: PaperFigure, path: pathlib.Path) -> None:
    """Write a figure as PGF; equal figures give equal bytes.

    Raises
    ------
    PgfError
        If the figure holds a picture of more than 10 000 points.
    ackclock.WriteError
        If the file cannot be written.
    """
    text = io.StringIO()
    with paper():
        canvas = _Canvas(figure)
        # matplotlib makes the scale of a map of colours a picture.
        pictures = figure.findobj(lambda artist: bool(artist.get_rasterized()))
        for artist in pictures:
            artist.set_rasterized(False)
        try:
            width, height = figure.get_size_inches()
            text.write(_HEAD)
            for line in (
                r"\begingroup",
                r"\makeatletter",
                r"\def\mathdefault#1{#1}",
                r"\begin{pgfpicture}",
                (
                    r"\pgfpathrectangle{\pgfpointorigin}"
                    rf"{{\pgfqpoint{{{width:f}in}}{{{height:f}in}}}}"
                ),
                r"\pgfusepath{use as bounding box, clip}",
            ):
                text.write(f"{line}%\n")
            renderer: Any = MixedModeRenderer(  # type: ignore[no-untyped-call]
                figure, width, height, figure.dpi, _Renderer(figure, text)
            )
            figure.draw(renderer)
            for line in (r"\end{pgfpicture}", r"\makeatother", r"\endgroup"):
                text.write(f"{line}%\n")
        finally:
            for artist in pictures:
                artist.set_rasterized(True)
            del canvas
            FigureCanvasAgg(figure)
    write_text(path, text.getvalue())
