"""Goodput over time."""

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ackclock.curves.series import rate_lines, top, unit_scale
from ackclock.figure import PaperFigure
from ackclock.look import Options
from ackclock.plot.panels import draw, one_panel, shade_warmup
from ackclock.plot.style import GUIDE
from ackclock.results.capacity import rates
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result


def rate(result: "Result", **options: Unpack[Options]) -> PaperFigure:
    """A figure of each flow's goodput over time.

    `options` are those of `Look`; the width is one column of a paper by default.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> ac.plot.rate(ac.run(scenario)).svg().startswith("<?xml")
    True
    """
    return one_panel(draw_rate, result, options)


def draw_rate(axes: "Axes", result: "Result") -> None:
    """Draw the flows' goodput, with the bottleneck's rate if it varies or a flow comes near it."""
    drawn, interval = rate_lines(result.series, result.end_time)
    line_rate = result.links["rate"][0]
    edges = np.arange(0.0, result.end_time + interval / 2, interval)
    capacity = rates(result.plan["links"][0], edges)
    scale, unit = unit_scale(max(top(drawn), 1.0), "bit/s")
    draw(axes, drawn, scale=scale)
    if capacity is not None:
        axes.stairs(capacity * scale, edges, baseline=None, label="could be sent", **GUIDE)
    elif line_rate is not None and top(drawn) > line_rate / 3:
        axes.axhline(line_rate * scale, label="line rate", **GUIDE)
    axes.set_ylim(bottom=0.0)
    shade_warmup(axes, result.warmup)
    axes.set_ylabel(f"Goodput per {quantity(interval, 's')}\n({unit})")
