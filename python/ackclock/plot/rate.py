"""Goodput over time."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.plot.panels import draw, shade_warmup, time_axis, top, unit_scale
from ackclock.plot.series import rate_lines
from ackclock.plot.style import GREY, ONE_COLUMN, PaperFigure, legend, name_engine, new_figure, paper
from ackclock.results.capacity import rates
from ackclock.results.text import quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result


def rate(result: "Result", *, width: float = ONE_COLUMN) -> PaperFigure:
    """A figure of each flow's goodput over time."""
    with paper():
        figure = new_figure(width, 2.1)
        axes = figure.subplots()
        draw_rate(axes, result)
        legend(axes)
        time_axis(axes, result.end_time)
        name_engine(figure, result)
        return figure


def draw_rate(axes: "Axes", result: "Result") -> None:
    """Draw the panel, with the bottleneck's rate as a line if a flow comes near it, in steps of the same intervals if it varies."""
    drawn, interval = rate_lines(result.series, result.end_time)
    line_rate = result.links["rate"][0]
    edges = np.arange(0.0, result.end_time + interval / 2, interval)
    capacity = rates(result.plan["links"][0], edges)
    scale, unit = unit_scale(max(top(drawn), 1.0), "bit/s")
    draw(axes, drawn, scale=scale)
    dashed: dict[str, Any] = {"color": GREY, "linewidth": 0.7, "linestyle": (0, (2, 2)), "zorder": 1}
    if capacity is not None:
        axes.stairs(capacity * scale, edges, baseline=None, label="could be sent", **dashed)
    elif line_rate is not None and top(drawn) > line_rate / 3:
        axes.axhline(line_rate * scale, label="line rate", **dashed)
    axes.set_ylim(bottom=0.0)
    shade_warmup(axes, result.warmup)
    axes.set_ylabel(f"Goodput per {quantity(interval, 's')}\n({unit})")
