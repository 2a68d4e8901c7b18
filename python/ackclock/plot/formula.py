"""A formula over its varied arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from ackclock.errors import Error
from ackclock.plot.looking import drawn
from ackclock.plot.style import COLOURS, DASHES, ONE_COLUMN, legend, new_figure
from ackclock.plot_data.sweep.scale import words
from ackclock.tables.quantities import quantity
from ackclock.views.figure import PaperFigure, paper
from ackclock.views.figure_options import Options, make_look

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from ackclock.theory.evaluating import Evaluation

__all__ = ["NothingToDrawError", "draw"]

_MOST_PANELS = 6
_MOST_LINES = 7
_PANEL_HEIGHT = 1.9


class NothingToDrawError(Error, ValueError):
    """Nothing varies, or a value of the formula is no number."""

    kind = "no-data"


def draw(evaluation: Evaluation, **options: Unpack[Options]) -> PaperFigure:
    """Draw a panel for each number that a formula gives, over the argument with most values.

    Each combination of the other arguments is a line. `options` are those of `Look`.

    Raises
    ------
    NothingToDrawError
        If no number varies, or there are too many lines or panels to tell apart.
    """
    x, columns = _placed(evaluation)
    lines: dict[str, list[Mapping[str, Any]]] = {}
    for row in evaluation.rows:
        others = ", ".join(
            f"{words(evaluation.name(name))} {_short(row[name], evaluation.unit(name))}"
            for name in evaluation.varied
            if name != x
        )
        lines.setdefault(others, []).append(row)
    if len(lines) > _MOST_LINES:
        raise NothingToDrawError(
            f"{len(lines)} lines cannot be told apart: {_MOST_LINES} at most; give the other "
            "arguments fewer values"
        )
    look = make_look(options)

    def make() -> PaperFigure:
        with paper(as_written=True):
            figure = new_figure(
                look.width or ONE_COLUMN, look.height or _PANEL_HEIGHT * len(columns) + 0.3
            )
            panels: Sequence[Axes] = figure.subplots(len(columns), 1, sharex=True, squeeze=False)[
                :, 0
            ].tolist()
            for axes, column in zip(panels, columns, strict=True):
                for number, (label, rows) in enumerate(lines.items()):
                    style: Any = DASHES[number % len(DASHES)]
                    points = [(row[x], row[column]) for row in rows]
                    marker = "o" if len(points) < 12 else ""
                    axes.plot(
                        *zip(*points, strict=True),
                        color=COLOURS[number],
                        linestyle=style,
                        marker=marker,
                        markersize=3,
                        label=label,
                    )
                axes.set_ylabel(words(evaluation.heading(column)))
                _scaled(axes.set_yscale, [float(row[column]) for row in evaluation.rows], 100)
            if x in evaluation.varied:
                _scaled(panels[0].set_xscale, [float(row[x]) for row in evaluation.rows], 20)
            panels[-1].set_xlabel(words(evaluation.heading(x)))
            if len(lines) > 1:
                legend(panels[0])
            return figure

    return drawn(make, look)


def _placed(evaluation: Evaluation) -> tuple[str, list[str]]:
    """The column on the horizontal axis, and the columns that are drawn over it."""
    rows = evaluation.rows
    candidates = [
        name
        for name in ("step", "row", *evaluation.varied)
        if name in rows[0] and all(_is_number(row[name]) for row in rows)
    ]
    counts = {name: len({row[name] for row in rows}) for name in candidates}
    if not counts or max(counts.values()) < 2:
        raise NothingToDrawError(
            "nothing varies that is a number: give an argument several values, 1,2,4, or a range, "
            "1..100"
        )
    x = max(candidates, key=counts.__getitem__)
    columns = [
        name
        for name in rows[0]
        if name not in (*evaluation.varied, "step", "row")
        and all(_is_number(row.get(name)) and not isinstance(row[name], bool) for row in rows)
    ]
    if not columns:
        raise NothingToDrawError("no number comes out at every place")
    if len(columns) > _MOST_PANELS:
        raise NothingToDrawError(
            f"{len(columns)} numbers come out, {', '.join(columns)}: {_MOST_PANELS} panels at most"
        )
    return x, columns


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _short(value: Any, unit: str | None) -> str:
    return (
        quantity(value, unit, 4)
        if _is_number(value) and unit
        else f"{value:.4g}"
        if isinstance(value, float)
        else str(value)
    )


def _scaled(scale: Any, values: Sequence[float], ratio: float) -> None:
    """Use a logarithmic scale if the largest value exceeds `ratio` times the smallest."""
    if min(values) > 0 and max(values) > ratio * min(values):
        scale("log")
