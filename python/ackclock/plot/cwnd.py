"""Congestion window and slow-start threshold over time."""

from functools import partial
from typing import TYPE_CHECKING, Unpack

import numpy as np

from ackclock.plot.panels import draw, one_panel, shade_warmup
from ackclock.plot.phases import shade_phases
from ackclock.plot.style import COLOURS, GUIDE
from ackclock.plot_data.series import in_segments, lines, thresholds, top
from ackclock.views.figure import PaperFigure
from ackclock.views.figure_options import Options

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result


def cwnd(
    result: "Result", *, phases: bool | None = None, **options: Unpack[Options]
) -> PaperFigure:
    """A figure of cwnd over time, in segments; for one or two flows with ssthresh.

    Slow start, recovery, timeouts and BBR's modes are shaded, behind the window of a single flow
    and in a strip per flow otherwise. `phases` is whether they are; by default for at most three
    flows. `options` are those of `Look`; the width is one
    column of a paper by default.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> ac.plot.cwnd(ac.run(scenario)).svg().startswith("<?xml")
    True
    """
    return one_panel(partial(draw_cwnd, phases=phases), result, options)


def draw_cwnd(axes: "Axes", result: "Result", *, phases: bool | None = None) -> None:
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
    shade_phases(axes, result, phases)
    axes.set_ylabel("cwnd (segments)")
