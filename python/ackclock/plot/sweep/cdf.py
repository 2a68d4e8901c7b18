"""Distribution of the replications: the share of runs below each value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.sweep import labels
from ackclock.plot.sweep.panels import panels
from ackclock.plot_data.sweep.layout import MOST_PANELS, Layout, ViewError, samples, values_of
from ackclock.plot_data.sweep.scale import response_title, response_unit
from ackclock.views.figure import paper

if TYPE_CHECKING:
    from typing import Any

    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult
    from ackclock.views.figure import PaperFigure

__all__ = ["cdf"]


def cdf(
    result: SweepResult, response: Response, layout: Layout, *, width: float | None = None
) -> PaperFigure:
    """A step function for each value of `by` (or of `x` without `by`), in panels by other axes."""
    apart, axes_of_panels = layout.by, ((layout.x,) if layout.x is not None else ()) + layout.panels
    if apart is None and layout.x is not None:
        apart, axes_of_panels = layout.x, layout.panels
    placed = Layout(None, apart, axes_of_panels, layout.held)
    count = int(np.prod([len(axis.labels) for axis in axes_of_panels], initial=1))
    if count > MOST_PANELS:
        raise ViewError(
            f"{count} panels of distributions cannot be read: hold an axis at a value (at, or "
            "--at NAME=VALUE)"
        )
    table = samples(result, response)
    unit = response_unit(
        response, [value for by_seed in table.values() for value in by_seed.values()]
    )
    drawn = labels.looks(apart)
    with paper(as_written=True):
        grid = panels(placed, result.design.axes, width=width, share_x=False)
        handles: dict[str, Any] = {}
        for axes, panel in grid:
            for rank, look in enumerate(drawn):
                place = placed.places(result.design.axes, None, rank, panel)
                values = np.sort(values_of(table.get(place))) * unit.factor
                if len(values):
                    share = np.arange(len(values) + 1) / len(values)
                    steps = np.concatenate([values[:1], values])
                    (handles[look.label],) = axes.plot(
                        steps,
                        share,
                        color=look.colour,
                        linestyle=look.dashes,
                        drawstyle="steps-post",
                        zorder=3,
                    )
            axes.set_ylim(0.0, 1.03)
            axes.set_yticks([0.0, 0.25, 0.5, 0.75, 1.0], ["0", "25 %", "50 %", "75 %", "100 %"])
        grid.tidy(unit.title(response_title(response)), "Share of runs below")
        if apart is not None:
            labels.legend_above(grid.figure, list(handles.values()), list(handles))
        return grid.figure
