"""Variants against each other, with how sure one may be."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import ScalarFormatter

from ackclock.plot.style import COLOURS, DASHES, MARKERS, ONE_COLUMN, TWO_COLUMNS, PaperFigure, legend, new_figure, paper
from ackclock.plot.sweep.lines import band, whiskers
from ackclock.results.files import picture_name
from ackclock.results.text import column_unit, spoken

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from ackclock.metrics import Metric
    from ackclock.results.comparison import Comparison, Setting

_KNOWN_KEYS = {"flows.count": "Number of flows", "seed": "Seed"}

Cell = tuple[float, float | None, float | None]


def comparison(results: "Comparison", metric: str, *, width: float = ONE_COLUMN) -> PaperFigure:
    """A line per variant over the first `along` key, with its 95 % confidence band.

    A second key makes a panel per value, side by side. Without keys, a point per variant.

    Parameters
    ----------
    results : Comparison
        The runs.
    metric : str
        A metric's name.
    width : float
        Inches.
    """
    figure_of = results.figure(metric)
    table = results.table(figure_of.name)
    depth = len(results.along)
    cells: dict[tuple[Setting, str], Cell] = {
        (tuple(row[:depth]), row[depth]): (row[depth + 1], row[depth + 2], row[depth + 3])
        for row in table.iter_rows()
        if row[depth + 1] is not None
    }
    panels = list(dict.fromkeys(setting[1:] for setting in results.settings))
    scale, unit = column_unit(figure_of.name, figure_of.unit, (cell[0] for cell in cells.values()))
    with paper():
        figure = new_figure(width, 2.4 if len(panels) < 4 else 2.4 * -(-len(panels) // 3))
        columns = min(len(panels), 3)
        grid = figure.subplots(-(-len(panels) // columns), columns, sharey=True, squeeze=False)
        for axes in grid.flat[len(panels) :]:
            axes.remove()
        for axes, panel in zip(grid.flat, panels, strict=False):
            if depth == 0:
                _points(axes, results, cells, scale)
            else:
                _lines(axes, results, cells, scale, panel)
            if panel:
                axes.set_title(", ".join(f"{key} = {value}" for key, value in zip(results.along[1:], panel, strict=True)))
        first = grid.flat[0]
        first.set_ylabel(axis_title(figure_of, unit))
        if all(value >= 0.0 for value, _, _ in cells.values()):
            highest = max((part for cell in cells.values() for part in cell if part is not None), default=0.0) * scale
            # matplotlib's own margin is a share of the values' spread: where they are close together, the topmost marker would be cut.
            first.set_ylim(0.0, 1.06 * highest if highest > 0.0 else None)
        if depth:
            legend(first)
        return figure


def _lines(axes: "Axes", results: "Comparison", cells: "Mapping[tuple[Setting, str], Cell]", scale: float, panel: tuple[Any, ...]) -> None:
    ticks = list(dict.fromkeys(setting[0] for setting in results.settings if setting[1:] == panel))
    numeric = all(isinstance(tick, int | float) and not isinstance(tick, bool) for tick in ticks)
    position = {tick: tick if numeric else index for index, tick in enumerate(ticks)}
    for index, variant in enumerate(results.variants):
        known = [(position[tick], cells[(tick, *panel), variant]) for tick in ticks if ((tick, *panel), variant) in cells]
        known.sort(key=lambda point: point[0])
        x = np.array([at for at, _ in known], dtype=float)
        mean = np.array([cell[0] for _, cell in known]) * scale
        low, high = (np.array([np.nan if cell[end] is None else cell[end] for _, cell in known], dtype=float) * scale for end in (1, 2))
        colour = COLOURS[index % len(COLOURS)]
        covered = band(axes, x, low, high, colour)
        whiskers(axes, x[~covered], mean[~covered], low[~covered], high[~covered], colour)
        axes.plot(
            x,
            mean,
            color=colour,
            linestyle=DASHES[index % len(DASHES)],
            marker=MARKERS[index % len(MARKERS)],
            markersize=3.5,
            label=variant,
            zorder=3,
        )
    axes.set_xlabel(_KNOWN_KEYS.get(results.along[0], results.along[0]))
    if numeric and min(ticks) > 0 and len(ticks) > 3 and max(ticks) / min(ticks) >= 200:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(ScalarFormatter())
    if not numeric or len(ticks) <= 8:
        spread = len(ticks) > 1 and numeric and axes.get_xscale() == "linear"
        shown = [tick for tick in ticks if not spread or _has_room(tick, ticks)]
        axes.set_xticks([position[tick] for tick in shown], [str(tick) for tick in shown])


def _has_room(tick: float, ticks: list[Any]) -> bool:
    """Whether a tick's label does not run into that of the next larger one."""
    larger = [other for other in ticks if other > tick]
    return not larger or min(larger) - tick >= 0.045 * (max(ticks) - min(ticks))


def _points(axes: "Axes", results: "Comparison", cells: "Mapping[tuple[Setting, str], Cell]", scale: float) -> None:
    for index, variant in enumerate(results.variants):
        if ((), variant) not in cells:
            continue
        mean, low, high = cells[(), variant]
        error = None if low is None or high is None else [[(mean - low) * scale], [(high - mean) * scale]]
        marker = MARKERS[index % len(MARKERS)]
        axes.errorbar([index], [mean * scale], yerr=error, fmt=marker, color=COLOURS[index % len(COLOURS)], capsize=3)
    axes.set_xticks(range(len(results.variants)), results.variants)
    axes.set_xlim(-0.6, len(results.variants) - 0.4)


def axis_title(figure_of: "Metric", unit: str) -> str:
    """A metric's name and unit as an axis says it."""
    name = spoken(figure_of.name)
    name = name[0].upper() + name[1:]
    return name if unit in {"", "1", "packets"} else f"{name} ({unit})"


def write_comparison(results: "Comparison", folder: Path) -> None:
    """Write the comparison's figure as SVG and PDF."""
    folder.mkdir()
    wide = any(setting[1:] for setting in results.settings)
    figure = comparison(results, results.metric, width=TWO_COLUMNS if wide else ONE_COLUMN)
    name = picture_name(results.metric)
    figure.write(folder / f"{name}.svg")
    figure.write(folder / f"{name}.pdf")
