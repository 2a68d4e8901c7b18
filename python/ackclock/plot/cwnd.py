"""Congestion window and slow-start threshold over time."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ackclock import _core
from ackclock.figure import PaperFigure
from ackclock.plot.panels import draw, one_panel, shade_warmup, top
from ackclock.plot.series import Line, lines
from ackclock.plot.style import COLOURS, GUIDE, ONE_COLUMN
from ackclock.results.series import Floats, FlowSeries

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result


def cwnd(result: "Result", *, width: float = ONE_COLUMN) -> PaperFigure:
    """A figure of cwnd over time, in segments; for one or two flows with ssthresh."""
    return one_panel(draw_cwnd, result, width)


def draw_cwnd(axes: "Axes", result: "Result") -> None:
    """Draw the panel of congestion windows."""
    flows = result.series
    windows = lines(flows, in_segments("cwnd"), result.end_time)
    highest = top(windows)
    draw(axes, windows)
    shown = thresholds(flows, result.end_time)
    for index, line in shown:
        axes.plot(
            line.time,
            np.where(line.value <= 2 * highest, line.value, np.nan),
            label="ssthresh" if index == shown[-1][0] else None,
            **GUIDE | {"color": COLOURS[index % len(COLOURS)], "zorder": 2},
        )
    axes.set_ylim(bottom=0.0)
    shade_warmup(axes, result.warmup)
    axes.set_ylabel("cwnd (segments)")


def thresholds(flows: list[FlowSeries], end: float) -> list[tuple[int, Line]]:
    """Slow-start thresholds to draw, each with the index of its flow.

    Flows without a threshold are left out, and so are algorithms that do not use one, such as BBR,
    where the kernel's value has no meaning. With more than two flows none is drawn: the thresholds
    would hide the windows.
    """
    if len(flows) > 2:
        return []
    every = enumerate(lines(flows, in_segments("ssthresh"), end))
    return [
        (index, line)
        for index, line in every
        if uses_ssthresh(flows[index].cc) and np.isfinite(line.value).any()
    ]


def uses_ssthresh(cc: str) -> bool:
    """Whether a congestion control's slow start ends at a threshold: no whole controller's does."""
    name = cc.rsplit("+", 1)[-1].split("(")[0]
    return name not in _without_threshold()


@cache
def _without_threshold() -> frozenset[str]:
    return frozenset(entry["name"] for entry in _core.list_cc() if entry["role"] == "whole")


def in_segments(column: str) -> Callable[[FlowSeries], Floats]:
    """A function that gives a column of bytes in full segments of a flow."""

    def pick(flow: FlowSeries) -> Floats:
        segments: Floats = flow.column(column) / flow.mss
        return segments

    return pick
