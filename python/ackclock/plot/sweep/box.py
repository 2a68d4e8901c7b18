"""Box plots of the replications, with a point for each run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.panels import from_zero_or_by_decades
from ackclock.plot.sweep import labels
from ackclock.plot.sweep.panels import panels
from ackclock.plot_data.sweep.boxes import MOST_POINTS
from ackclock.plot_data.sweep.layout import samples, values_of
from ackclock.plot_data.sweep.scale import axis_name, response_title, response_unit
from ackclock.views.figure import paper

if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes

    from ackclock.plot.sweep.labels import Look
    from ackclock.plot_data.sweep.layout import Layout
    from ackclock.results.series import Floats
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult
    from ackclock.views.figure import PaperFigure

__all__ = ["box"]


def box(
    result: SweepResult, response: Response, layout: Layout, *, width: float | None = None
) -> PaperFigure:
    """A box for each setting, and a point for each run.

    Boxes show median and quartiles; whiskers reach to the last run within 1.5 interquartile ranges.
    """
    table = samples(result, response)
    unit = response_unit(
        response, [value for by_seed in table.values() for value in by_seed.values()]
    )
    drawn = labels.looks(layout.by)
    pitch = min(0.85 / len(drawn), 0.5)
    texts = [""] if layout.x is None else [str(label) for label in layout.x.labels]
    with paper(as_written=True):
        grid = panels(layout, result.design.axes, width=width)
        for axes, panel in grid:
            for at in range(len(texts)):
                for rank, look in enumerate(drawn):
                    place = layout.places(result.design.axes, at, rank, panel)
                    values = values_of(table.get(place)) * unit.factor
                    if len(values):
                        middle = at + (rank - (len(drawn) - 1) / 2) * pitch
                        _box(axes, middle, 0.75 * pitch, values, look)
            labels.name_ticks(axes, texts, grid.width / len(texts))
            axes.set_xlim(-0.6, len(texts) - 0.4)
            axes.xaxis.grid(visible=False)
        from_zero_or_by_decades(
            grid.axes, [value for by_seed in table.values() for value in by_seed.values()]
        )
        grid.tidy(
            "" if layout.x is None else axis_name(layout.x), unit.title(response_title(response))
        )
        if layout.by is not None:
            swatches: list[Any] = [_swatch(look) for look in drawn]
            labels.legend_above(grid.figure, swatches, [look.label for look in drawn])
        return grid.figure


def _swatch(look: Look) -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor=labels.pale(look.colour), edgecolor=look.colour, label=look.label)


def _box(axes: Axes, at: float, width: float, values: Floats, look: Look) -> None:
    line = {"color": look.colour, "linewidth": 0.9}
    axes.boxplot(
        [values],
        positions=[at],
        widths=[width],
        manage_ticks=False,
        patch_artist=True,
        showfliers=len(values) > MOST_POINTS,
        boxprops={
            "facecolor": labels.pale(look.colour),
            "edgecolor": look.colour,
            "linewidth": 0.9,
        },
        medianprops={**line, "linewidth": 1.6},
        whiskerprops=line,
        capprops=line,
        flierprops={
            "marker": ".",
            "markersize": 3,
            "markeredgecolor": "none",
            "markerfacecolor": look.colour,
        },
        zorder=2,
    )
    if len(values) <= MOST_POINTS:
        # Spread over the box in the order of their seeds, which is equal in every figure.
        spots = np.array([(0.618034 * index) % 1.0 - 0.5 for index in range(len(values))])
        across = spots * 0.6 * width
        axes.plot(
            at + across,
            values,
            marker=".",
            markersize=2.6,
            markeredgewidth=0,
            linestyle="none",
            color=labels.ink(look.colour),
            alpha=0.7,
            zorder=4,
        )
