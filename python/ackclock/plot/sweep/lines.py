"""Means over an axis, with their intervals: bands over numbers, whiskers over names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.plot.panels import from_zero_or_by_decades
from ackclock.plot.sweep import labels
from ackclock.plot.sweep.along import along
from ackclock.plot.sweep.panels import panels
from ackclock.plot_data.sweep.layout import cells
from ackclock.plot_data.sweep.scale import response_title, response_unit
from ackclock.views.figure import paper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from ackclock.plot.sweep.labels import Look
    from ackclock.plot_data.sweep.layout import Layout, Place
    from ackclock.results.series import Floats
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult
    from ackclock.views.figure import PaperFigure

__all__ = ["band", "lines", "spread", "whiskers"]

_MOST_BANDS = 5


def lines(
    result: SweepResult, response: Response, layout: Layout, *, width: float | None = None
) -> PaperFigure:
    """A line with intervals for each value of `by`, over `x`."""
    table = cells(result, response)
    unit = response_unit(
        response, [value for row in table.values() for value in (row["mean"], row["high"])]
    )
    drawn = labels.looks(layout.by)
    with paper(as_written=True):
        grid = panels(layout, result.design.axes, width=width)
        ends: dict[int, list[tuple[float, float, Look]]] = {}
        title = ""
        for index, (axes, panel) in enumerate(grid):
            ended = ends.setdefault(index, [])
            title = _panel(
                axes, result, table, layout, panel, drawn, unit.factor, grid.width, ended
            )
        from_zero_or_by_decades(grid.axes, [_or(row["low"], row["mean"]) for row in table.values()])
        grid.tidy(title, unit.title(response_title(response)))
        if layout.by is not None:
            _name_lines(grid, layout, drawn, ends)
        return grid.figure


def _panel(
    axes: Axes,
    result: SweepResult,
    table: Mapping[Place, Mapping[str, Any]],
    layout: Layout,
    panel: Place,
    drawn: list[Look],
    factor: float,
    width: float,
    ends: list[tuple[float, float, Look]],
) -> str:
    numeric = layout.x is not None and layout.x.numbers is not None
    positions = [0.0] if layout.x is None else along(axes, layout.x, width)
    if layout.x is None:
        axes.set_xticks([])
        axes.set_xlim(-0.6, 0.6)
    order = np.argsort(positions, kind="stable")
    for rank, look in enumerate(drawn):
        shift = 0.0 if numeric else spread(rank, len(drawn))
        points = []
        for at in order:
            row = table.get(layout.places(result.design.axes, int(at), rank, panel))
            if row is not None:
                low_high = (_or(row["low"], np.nan), _or(row["high"], np.nan))
                points.append((positions[at] + shift, row["mean"], *low_high))
        if not points:
            continue
        x, mean, low, high = (np.array(column, dtype=float) for column in zip(*points, strict=True))
        if numeric:
            shown = (mean * factor, low * factor, high * factor)
            _line(axes, look, x, *shown, bands=len(drawn) <= _MOST_BANDS)
            ends.append((float(x[-1]), float(mean[-1] * factor), look))
        else:
            error = np.stack([mean - low, high - mean]) * factor
            axes.errorbar(
                x,
                mean * factor,
                yerr=error,
                fmt=look.marker,
                color=look.colour,
                markersize=4,
                capsize=2.5,
                elinewidth=0.9,
                label=look.label,
            )
    return axes.get_xlabel()


def _line(
    axes: Axes, look: Look, x: Floats, mean: Floats, low: Floats, high: Floats, *, bands: bool
) -> None:
    banded = band(axes, x, low, high, look.colour) if bands else np.zeros(len(x), dtype=bool)
    whiskers(axes, x[~banded], mean[~banded], low[~banded], high[~banded], look.colour)
    axes.plot(
        x,
        mean,
        color=look.colour,
        linestyle=look.dashes,
        marker=look.marker,
        markersize=3.5,
        label=look.label,
        zorder=3,
        clip_on=False,
    )


def band(axes: Axes, x: Floats, low: Floats, high: Floats, colour: str) -> Any:
    """Draw a band over neighbouring points with intervals; return which points it covers.

    A point is not covered if it, or both its neighbours, have no interval (NaN).
    """
    known = np.isfinite(low) & np.isfinite(high)
    beside = np.concatenate([[False], known, [False]])
    covered = known & (beside[:-2] | beside[2:])
    if covered.any():
        axes.fill_between(
            x, low, high, where=covered, color=colour, alpha=0.2, linewidth=0, zorder=2
        )
    return covered


def whiskers(axes: Axes, x: Floats, mean: Floats, low: Floats, high: Floats, colour: str) -> None:
    """Draw intervals; points without one (NaN) are left out."""
    known = np.isfinite(low) & np.isfinite(high)
    if known.any():
        error = np.stack([mean - low, high - mean])[:, known]
        axes.errorbar(
            x[known],
            mean[known],
            yerr=error,
            fmt="none",
            ecolor=colour,
            elinewidth=0.7,
            capsize=2,
            zorder=2,
        )


def _name_lines(
    grid: Any,
    layout: Layout,
    drawn: list[Look],
    ends: Mapping[int, list[tuple[float, float, Look]]],
) -> None:
    """Name the lines beside their ends if there is room, otherwise in a legend."""
    last = [index for index in range(len(grid.axes)) if grid.last_of_row(index)]
    numeric = layout.x is not None and layout.x.numbers is not None
    if (
        numeric
        and all(len(ends[index]) == len(drawn) for index in last)
        and labels.fits_beside(grid.figure, grid.axes[0], len(drawn))
    ):
        for index in last:
            labels.beside_lines(grid.figure, grid.axes[index], ends[index])
        return
    named = {
        name: handle
        for axes in grid.axes
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    names = [look.label for look in drawn if look.label in named]
    labels.legend_above(grid.figure, [named[name] for name in names], names)


def spread(rank: int, count: int) -> float:
    """Horizontal shift of one of `count` marks within a category, which is 1 wide."""
    return (rank - (count - 1) / 2) * min(0.7 / max(count, 1), 0.2)


def _or(value: float | None, other: float) -> float:
    return other if value is None else value
