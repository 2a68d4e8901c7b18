"""Congestion window and slow-start threshold over time."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ackclock import _core
from ackclock.plot.panels import draw, shade_warmup, time_axis, top
from ackclock.plot.series import Line, lines
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
    shown = thresholds(flows, result.end_time)
    for index, line in shown:
        axes.plot(
            line.time,
            np.where(line.value <= 2 * highest, line.value, np.nan),
            color=COLOURS[index % len(COLOURS)],
            linewidth=0.7,
            linestyle=(0, (2, 2)),
            label="ssthresh" if index == shown[-1][0] else None,
            zorder=2,
        )
    axes.set_ylim(bottom=0.0)
    shade_warmup(axes, result.warmup)
    axes.set_ylabel("cwnd (segments)")


def thresholds(flows: list[FlowSeries], end: float) -> list[tuple[int, Line]]:
    """Slow-start thresholds to draw, each with the index of its flow.

    Left out are those of algorithms that do not use one (which model the path, such as BBR: what
    Linux notes there has no meaning), of flows that never had one, and of more than two flows,
    whose windows they would only hide.
    """
    if len(flows) > 2:
        return []
    every = enumerate(lines(flows, in_segments("ssthresh"), end))
    return [(index, line) for index, line in every if uses_ssthresh(flows[index].cc) and np.isfinite(line.value).any()]


def uses_ssthresh(cc: str) -> bool:
    """Whether a congestion control's slow start ends at a threshold, as the registry has it."""
    name = cc.rsplit("+", 1)[-1].split("(")[0]
    return name not in _without_threshold()


@cache
def _without_threshold() -> frozenset[str]:
    return frozenset(entry["name"] for entry in _core.list_cc() if entry["role"] == "whole")


def in_segments(column: str) -> Callable[[FlowSeries], Floats]:
    """Picks a column of bytes in units of the flow's full segment."""

    def pick(flow: FlowSeries) -> Floats:
        segments: Floats = flow.column(column) / flow.mss
        return segments

    return pick
