"""Means over two axes as a heat map with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import ONE_COLUMN, TWO_COLUMNS
from ackclock.plot.sweep import labels
from ackclock.plot.sweep.panels import panels
from ackclock.plot_data.sweep.layout import ViewError, cells
from ackclock.plot_data.sweep.scale import axis_name, response_title, response_unit
from ackclock.tables.intervals import short
from ackclock.views.figure import paper

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize
    from matplotlib.image import AxesImage

    from ackclock.plot_data.sweep.layout import Layout, Place
    from ackclock.results.series import Floats
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult
    from ackclock.views.figure import PaperFigure

__all__ = ["heat"]

_MAP = "cividis"
_CELL_WIDTH = 0.36
_CELL_HEIGHT = 0.3


def heat(
    result: SweepResult, response: Response, layout: Layout, *, width: float | None = None
) -> PaperFigure:
    """The mean at each pair of values of `x` and `by`; panels share one scale of colours."""
    if layout.x is None or layout.by is None:
        raise ViewError("a heat map needs two axes with more than one value")
    x, y = layout.x, layout.by
    table = cells(result, response)
    unit = response_unit(response, [row["mean"] for row in table.values()])
    count = int(np.prod([len(axis.labels) for axis in layout.panels], initial=1))
    needed = 1.3 + _CELL_WIDTH * len(x.labels)
    wide = width or (min(max(ONE_COLUMN, needed), TWO_COLUMNS) if count == 1 else TWO_COLUMNS)
    with paper(as_written=True):
        grid = panels(
            layout,
            result.design.axes,
            width=wide,
            height=max(1.6, 0.8 + _CELL_HEIGHT * len(y.labels)),
        )
        shape = (len(y.labels), len(x.labels))
        maps = [_values(result, table, layout, panel, unit.factor, shape) for panel in grid.places]
        texts = [_texts(result, table, layout, panel, unit.factor, shape) for panel in grid.places]
        known = np.concatenate([values[np.isfinite(values)] for values in maps])
        shades = _shades(known)
        image = None
        room = grid.width * (0.82 if count == 1 else 0.9) / len(x.labels)
        for axes, values, numbers in zip(grid.axes, maps, texts, strict=True):
            image = _map(axes, values, numbers, shades, room)
            labels.name_ticks(axes, [str(label) for label in x.labels], room)
            axes.set_yticks(range(len(y.labels)), [str(label) for label in y.labels])
        grid.tidy(axis_name(x), axis_name(y))
        if image is not None:
            bar = grid.figure.colorbar(image, ax=grid.axes, aspect=18, pad=0.02)
            bar.set_label(unit.title(response_title(response)), fontsize=8)
            bar.outline.set_visible(False)
        return grid.figure


def _values(
    result: SweepResult,
    table: object,
    layout: Layout,
    panel: tuple[int, ...],
    factor: float,
    shape: tuple[int, int],
) -> Floats:
    assert isinstance(table, dict)
    values = np.full(shape, np.nan)
    for row in range(shape[0]):
        for column in range(shape[1]):
            cell = table.get(layout.places(result.design.axes, column, row, panel))
            if cell is not None:
                values[row, column] = cell["mean"] * factor
    return values


def _texts(
    result: SweepResult,
    table: Mapping[Place, Mapping[str, Any]],
    layout: Layout,
    panel: Place,
    factor: float,
    shape: tuple[int, int],
) -> dict[tuple[int, int], str]:
    """The numbers on the map, with no more digits than their intervals justify."""
    texts = {}
    for at in np.ndindex(*shape):
        cell = table.get(layout.places(result.design.axes, at[1], at[0], panel))
        if cell is not None:
            half = None if cell["low"] is None else (cell["high"] - cell["low"]) / 2 * factor
            texts[at[0], at[1]] = short(cell["mean"] * factor, half)
    return texts


def _map(
    axes: Axes, values: Floats, texts: Mapping[tuple[int, int], str], shades: Normalize, room: float
) -> AxesImage:
    image = axes.imshow(
        values, norm=shades, cmap=_MAP, aspect="auto", origin="lower", interpolation="none"
    )
    longest = max(map(len, texts.values()), default=0)
    size = min(7.0, 72 * room / max(0.68 * longest, 1.0))
    if size >= 5.0:
        for (row, column), text in texts.items():
            dark = shades(values[row, column]) < 0.5
            axes.text(
                column,
                row,
                text,
                ha="center",
                va="center",
                fontsize=size,
                color="white" if dark else "black",
            )
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(length=0)
    return image


def _shades(known: Floats) -> Normalize:
    """A scale of colours, logarithmic if the values span two decades."""
    from matplotlib.colors import LogNorm, Normalize

    if not len(known):
        return Normalize(0.0, 1.0)
    low, high = float(known.min()), float(known.max())
    return LogNorm(low, high) if low > 0.0 and high >= 100.0 * low else Normalize(low, high)
