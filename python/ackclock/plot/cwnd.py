"""Congestion window and slow-start threshold over time."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.panels import draw, shade_warmup, time_axis, top
from ackclock.plot.series import lines
from ackclock.plot.style import COLOURS, ONE_COLUMN, PaperFigure, legend, name_engine, new_figure, paper
from ackclock.results.series import Floats, FlowSeries

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result


def cwnd(result: "Result", *, width: float = ONE_COLUMN) -> PaperFigure:
    """A figure of cwnd (and, of few flows, ssthresh) over time, in segments."""
    with paper():
        figure = new_figure(width, 2.1)
        axes = figure.subplots()
        draw_cwnd(axes, result)
        legend(axes)
        time_axis(axes, result.end_time)
        name_engine(figure, result)
        return figure


def draw_cwnd(axes: "Axes", result: "Result") -> None:
    """Draw the panel."""
    flows = result.series
    windows = lines(flows, in_segments("cwnd"), result.end_time)
    highest = top(windows)
    draw(axes, windows)
    if shows_ssthresh(flows):
        for index, line in enumerate(lines(flows, in_segments("ssthresh"), result.end_time)):
            axes.plot(
                line.time,
                np.where(line.value <= 2 * highest, line.value, np.nan),
                color=COLOURS[index % len(COLOURS)],
                linewidth=0.7,
                linestyle=(0, (2, 2)),
                label="ssthresh" if index == len(flows) - 1 else None,
                zorder=2,
            )
    axes.set_ylim(bottom=0.0)
    shade_warmup(axes, result.warmup)
    axes.set_ylabel("cwnd (segments)")


def shows_ssthresh(flows: list[FlowSeries]) -> bool:
    """Thresholds of more than two flows only hide their windows."""
    return len(flows) <= 2


def in_segments(column: str) -> Callable[[FlowSeries], Floats]:
    """Picks a column of bytes in units of the flow's full segment."""

    def pick(flow: FlowSeries) -> Floats:
        segments: Floats = flow.column(column) / flow.mss
        return segments

    return pick
