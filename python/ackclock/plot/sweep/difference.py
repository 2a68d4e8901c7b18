"""Paired differences along an axis: points with intervals, and a line at no difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import GREY, ONE_COLUMN, TWO_COLUMNS, new_figure
from ackclock.plot.sweep import labels
from ackclock.plot.sweep.along import along
from ackclock.plot.sweep.lines import band, spread, whiskers
from ackclock.plot.sweep.panels import panels
from ackclock.plot_data.sweep.layout import ViewError, choose
from ackclock.plot_data.sweep.paired import (
    compared_axis,
    difference_title,
    difference_unit,
    differences,
)
from ackclock.tables.intervals import Digits
from ackclock.views.figure import paper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from matplotlib.axes import Axes

    from ackclock.plot_data.sweep.paired import Difference
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult
    from ackclock.views.figure import PaperFigure

__all__ = ["difference"]

_MOST_ROWS = 26
_ROW = 0.17


def difference(
    result: SweepResult,
    response: Response,
    *,
    axis: str | None = None,
    x: str | None = None,
    at: Mapping[str, Any] | None = None,
    width: float | None = None,
) -> PaperFigure:
    """A forest plot, or, for more settings than it can hold, lines with bands over an axis."""
    compared = compared_axis(result, axis)
    others = [other for other in result.design.axes if other is not compared]
    layout = choose(result, x=x, at=at, together=(compared.name,))
    rows = differences(
        result,
        response,
        compared,
        {name: index for name, index in layout.held.items() if name != compared.name},
    )
    if not rows:
        raise ViewError(
            f"there is no difference of '{response.name}' along '{compared.name}' to show yet"
        )
    numeric = [other for other in others if other.numbers is not None and len(other.labels) > 2]
    if x is not None or (len(rows) > _MOST_ROWS and numeric):
        return _bands(result, response, compared, x, at, rows, width)
    if len(rows) > 4 * _MOST_ROWS:
        raise ViewError(
            f"{len(rows)} differences cannot be read: hold an axis at a value (at, or --at "
            "NAME=VALUE)"
        )
    return _forest(result, response, compared, others, rows, width)


def _forest(
    result: SweepResult,
    response: Response,
    compared: Axis,
    others: Sequence[Axis],
    rows: Sequence[Difference],
    width: float | None,
) -> PaperFigure:
    unit = difference_unit(result, response, compared, rows)
    shown = [
        axis
        for axis in others
        if len({difference.place[result.design.axes.index(axis)] for difference in rows}) > 1
    ]
    several = len({difference.value for difference in rows}) > 1
    drawn = labels.looks(compared)
    with paper(as_written=True):
        wide = width or (TWO_COLUMNS if several and len(shown) > 1 else max(ONE_COLUMN, 5.0))
        figure = new_figure(
            wide,
            0.75
            + _ROW
            * (len(rows) + (len({difference.place for difference in rows}) - 1) * 0.4 * several),
        )
        axes = figure.subplots()
        height, heights, names, last = 0.0, [], [], None
        for difference in rows:
            if last is not None:
                height -= 1.4 if several and difference.place != last.place else 1.0
            heights.append(height)
            named = several and (last is None or difference.place != last.place)
            names.append(_row_name(result, difference, shown, compared, several=named))
            last = difference
        neutral = rows[0].neutral
        axes.axvline(neutral, color=GREY, linewidth=0.8, zorder=1)
        for difference, level in zip(rows, heights, strict=True):
            _whisker(axes, difference, level, unit.factor, drawn[difference.value])
        axes.set_yticks(heights, names)
        axes.set_ylim(heights[-1] - 0.7, 0.7)
        axes.yaxis.grid(visible=False)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(difference_title(result, response, compared, rows))
        axes.margins(x=0.05)
        for difference, level in zip(rows, heights, strict=True):
            axes.annotate(
                _figures(difference, unit.factor),
                (1.0, level),
                xytext=(6, 0),
                textcoords="offset points",
                xycoords=("axes fraction", "data"),
                va="center_baseline",
                fontsize=6.5,
                color="black" if difference.clear else GREY,
                annotation_clip=False,
            )
        return figure


def _row_name(
    result: SweepResult,
    difference: Difference,
    shown: Sequence[Axis],
    compared: Axis,
    *,
    several: bool,
) -> str:
    where = ", ".join(
        str(axis.labels[difference.place[result.design.axes.index(axis)]])
        if axis.numbers is None or axis.unit
        else f"{axis.name} {axis.labels[difference.place[result.design.axes.index(axis)]]}"
        for axis in shown
    )
    value = str(compared.labels[difference.value])
    if not shown:
        return value
    return f"{where}   {value}" if several else (value if len(compared.labels) > 2 else where)


def _whisker(
    axes: Axes, difference: Difference, level: float, factor: float, look: labels.Look
) -> None:
    middle = difference.row["difference"] * factor
    low, high = difference.row["low"], difference.row["high"]
    if low is not None and high is not None:
        axes.plot(
            [low * factor, high * factor],
            [level, level],
            color=look.colour,
            linewidth=1.3,
            solid_capstyle="butt",
            zorder=2,
        )
    axes.plot(
        [middle],
        [level],
        marker=look.marker,
        markersize=4.5,
        color=look.colour,
        markerfacecolor=look.colour if difference.clear else "white",
        zorder=3,
    )


def _figures(difference: Difference, factor: float) -> str:
    low, high = difference.row["low"], difference.row["high"]
    same = difference.row["method"] == "constant"
    return Digits(factor, even=False).text(
        difference.row["difference"], low, high, sign=difference.neutral == 0.0, each=same
    )


def _bands(
    result: SweepResult,
    response: Response,
    compared: Axis,
    x: str | None,
    at: Mapping[str, Any] | None,
    rows: Sequence[Difference],
    width: float | None,
) -> PaperFigure:
    layout = choose(
        result,
        x=x,
        by=compared.name,
        at={name: value for name, value in (at or {}).items() if name != compared.name},
    )
    assert layout.x is not None
    unit = difference_unit(result, response, compared, rows)
    drawn = labels.looks(compared)
    own = [axis.name for axis in result.design.axes].index(compared.name)
    table = {
        (*difference.place[:own], difference.value, *difference.place[own + 1 :]): difference
        for difference in rows
    }
    with paper(as_written=True):
        grid = panels(
            layout, result.design.axes, width=width or (5.0 if not layout.panels else TWO_COLUMNS)
        )
        seen: dict[str, Any] = {}
        for axes, panel in grid:
            positions = along(axes, layout.x, grid.width)
            title = axes.get_xlabel()
            axes.axhline(rows[0].neutral, color=GREY, linewidth=0.8, zorder=1)
            numeric = layout.x.numbers is not None
            for rank, look in enumerate(drawn):
                points = [
                    (
                        positions[index] + (0.0 if numeric else spread(rank, len(drawn))),
                        table[place],
                    )
                    for index in range(len(positions))
                    if (place := layout.places(result.design.axes, index, rank, panel)) in table
                ]
                if not points:
                    continue
                points.sort(key=lambda point: point[0])
                where = [point for point, _ in points]
                middle = [difference.row["difference"] * unit.factor for _, difference in points]
                low, high = (
                    np.array(
                        [
                            np.nan if difference.row[end] is None else difference.row[end]
                            for _, difference in points
                        ],
                        dtype=float,
                    )
                    * unit.factor
                    for end in ("low", "high")
                )
                if numeric:
                    alone = ~band(axes, np.array(where), low, high, look.colour)
                    whiskers(
                        axes,
                        np.array(where)[alone],
                        np.array(middle)[alone],
                        low[alone],
                        high[alone],
                        look.colour,
                    )
                    (seen[look.label],) = axes.plot(
                        where,
                        middle,
                        color=look.colour,
                        linestyle=look.dashes,
                        marker=look.marker,
                        markersize=3.5,
                        zorder=3,
                    )
                else:
                    below = [m - b for m, b in zip(middle, low, strict=True)]
                    above = [b - m for m, b in zip(middle, high, strict=True)]
                    seen[look.label] = axes.errorbar(
                        where,
                        middle,
                        yerr=[below, above],
                        fmt=look.marker,
                        color=look.colour,
                        markersize=4,
                        capsize=2.5,
                        elinewidth=0.9,
                    )
                unclear = [
                    (spot, value)
                    for spot, value, (_, difference) in zip(where, middle, points, strict=True)
                    if not difference.clear
                ]
                if unclear:
                    axes.plot(
                        *zip(*unclear, strict=True),
                        linestyle="none",
                        marker=look.marker,
                        markersize=3.5 if numeric else 4.0,
                        color=look.colour,
                        markerfacecolor="white",
                        zorder=4,
                    )
        grid.tidy(
            title,
            difference_title(result, response, compared, rows)
            .replace(": ", ":\n")
            .replace(" (", "\n("),
        )
        if len(seen) > 1:
            labels.legend_above(grid.figure, list(seen.values()), list(seen))
        return grid.figure
