"""Throughput over delay, with an ellipse of one standard deviation over the runs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import GREY, ONE_COLUMN, TWO_COLUMNS
from ackclock.plot.sweep import labels
from ackclock.plot.sweep.panels import panels
from ackclock.plot_data.sweep.clouds import TWO_DECADES, ellipse, pairs_of, place
from ackclock.plot_data.sweep.layout import MOST_PANELS, Layout, ViewError
from ackclock.plot_data.sweep.scale import response_title, response_unit
from ackclock.tables.quantities import significant
from ackclock.views.figure import paper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

    from ackclock.plot.sweep.labels import Look
    from ackclock.plot_data.sweep.layout import Place
    from ackclock.results.series import Floats
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult
    from ackclock.views.figure import PaperFigure

__all__ = ["scatter"]

_SIZES = (3.0, 6.5)


@dataclass(frozen=True)
class _Mark:
    """The runs of one setting."""

    look: Look
    size: float
    pairs: Floats
    """Delay and throughput of each run, in the figure's units."""
    centre: tuple[float, float]
    outline: Floats | None


def scatter(
    result: SweepResult,
    across: Response,
    upward: Response,
    layout: Layout,
    *,
    width: float | None = None,
) -> PaperFigure:
    """A mark for each setting, at the mean of its runs, with the runs and their ellipse.

    Marks of one value of `by` are joined to a curve along the numbers of `x`. Less delay is to the
    right, so that better is up and to the right (as in K. Winstein, A. Sivaraman, H. Balakrishnan,
    "Stochastic Forecasts Achieve High Throughput and Low Delay over Cellular Networks", NSDI 2013,
    figure 7).
    """
    placed, curve = place(layout)
    count = int(np.prod([len(axis.labels) for axis in placed.panels], initial=1))
    if count > MOST_PANELS:
        raise ViewError(
            f"{count} panels cannot be read: hold an axis at a value (at, or --at NAME=VALUE)"
        )
    both = pairs_of(result, across, upward)
    every = np.concatenate(list(both.values())) if both else np.ones((1, 2))
    x_unit, y_unit = response_unit(across, every[:, 0]), response_unit(upward, every[:, 1])
    logarithmic = bool(
        every[:, 0].min() > 0.0 and every[:, 0].max() / every[:, 0].min() >= TWO_DECADES
    )
    factors = np.array([x_unit.factor, y_unit.factor])
    with paper(as_written=True):
        wide = width or (1.3 * ONE_COLUMN if count == 1 else TWO_COLUMNS)
        # Each panel has its own range of delays: paths differ more than the algorithms on them.
        grid = panels(
            placed, result.design.axes, width=wide, height=2.9 if count == 1 else 2.5, share_x=False
        )
        drawn: list[list[list[_Mark]]] = []
        for axes, panel in grid:
            curves = _curves(result, placed, curve, panel, both, factors, logarithmic=logarithmic)
            for marks in curves:
                _draw(axes, marks)
            drawn.append(curves)
        _axes(grid.axes, logarithmic=logarithmic)
        grid.tidy(
            f"{x_unit.title(response_title(across))}, less to the right: better is ↗",
            y_unit.title(response_title(upward)),
        )
        if curve is not None:
            note = f"marks grow with {curve.name}: {curve.labels[0]} to {curve.labels[-1]}"
            grid.figure.text(0.99, 0.995, note, ha="right", va="top", fontsize=6.5, color=GREY)
            room = (0.0, 0.0, 1.0, 1.0 - 0.16 / grid.figure.get_figheight())
            grid.figure.get_layout_engine().set(rect=room)  # type: ignore[union-attr, call-arg]
        for axes, curves in zip(grid.axes, drawn, strict=True):
            named = [marks[-1] for marks in curves]
            others = [_box(mark) for marks in curves for mark in marks[:-1]] + [
                spot for marks in curves for spot in _between(marks)
            ]
            labels.beside_points(
                grid.figure, axes, [(*mark.centre, _box(mark), mark.look) for mark in named], others
            )
        return grid.figure


def _curves(
    result: SweepResult,
    placed: Layout,
    curve: Axis | None,
    panel: Place,
    both: Mapping[Place, Floats],
    factors: Floats,
    *,
    logarithmic: bool,
) -> list[list[_Mark]]:
    numbers = [0.0] if curve is None or curve.numbers is None else list(curve.numbers)
    order = sorted(range(len(numbers)), key=lambda at: numbers[at])
    curves = []
    for rank, look in enumerate(labels.looks(placed.by)):
        marks = []
        for step, at in enumerate(order):
            pairs = both.get(
                placed.places(result.design.axes, None if curve is None else at, rank, panel)
            )
            if pairs is not None:
                size = 4.5 if curve is None else float(np.interp(step, (0, len(order) - 1), _SIZES))
                marks.append(_mark(pairs * factors, look, size, logarithmic=logarithmic))
        if marks:
            curves.append(marks)
    return curves


def _mark(pairs: Floats, look: Look, size: float, *, logarithmic: bool) -> _Mark:
    seen = np.column_stack([np.log10(pairs[:, 0]), pairs[:, 1]]) if logarithmic else pairs
    centre, outline = ellipse(seen)
    if logarithmic:
        centre = np.array([10.0 ** centre[0], centre[1]])
        outline = (
            None if outline is None else np.column_stack([10.0 ** outline[:, 0], outline[:, 1]])
        )
    return _Mark(look, size, pairs, (float(centre[0]), float(centre[1])), outline)


def _draw(axes: Axes, marks: Sequence[_Mark]) -> None:
    look = marks[0].look
    if len(marks) > 1:
        axes.plot(
            *zip(*(mark.centre for mark in marks), strict=True),
            color=look.colour,
            linewidth=0.8,
            linestyle=look.dashes,
            zorder=2,
        )
    for mark in marks:
        axes.plot(
            *mark.pairs.T,
            marker=".",
            markersize=2.5,
            markeredgewidth=0,
            linestyle="none",
            color=look.colour,
            alpha=0.55,
            zorder=2,
        )
        if mark.outline is not None:
            axes.fill(*mark.outline.T, facecolor=look.colour, alpha=0.22, linewidth=0, zorder=3)
            axes.plot(*mark.outline.T, color=look.colour, linewidth=0.9, zorder=4)
        axes.plot(
            *mark.centre, marker=look.marker, markersize=mark.size, color=look.colour, zorder=5
        )


def _box(mark: _Mark) -> Bbox:
    from matplotlib.transforms import Bbox

    shape = np.vstack([mark.centre]) if mark.outline is None else mark.outline
    return Bbox([shape.min(axis=0), shape.max(axis=0)])


def _between(marks: Sequence[_Mark]) -> list[Bbox]:
    """Spots along a curve, which names should not cover."""
    from matplotlib.transforms import Bbox

    return [
        Bbox([spot, spot])
        for mark, other in itertools.pairwise(marks)
        for spot in np.linspace(mark.centre, other.centre, 14)[1:-1]
    ]


def _axes(grid: Sequence[Axes], *, logarithmic: bool) -> None:
    """Leave room around the marks for names, but none below zero if no value is negative."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    for axes in grid:
        if logarithmic:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: significant(value)))
            axes.xaxis.set_minor_formatter(NullFormatter())
        axes.margins(0.12)
        left, right = axes.get_xlim()
        axes.set_xlim(right, 0.0 if not logarithmic and axes.dataLim.x0 >= 0.0 > left else left)
    if min(axes.dataLim.y0 for axes in grid) >= 0.0 > grid[0].get_ylim()[0]:
        grid[0].set_ylim(bottom=0.0)
