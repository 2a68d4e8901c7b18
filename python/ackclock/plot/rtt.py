"""Round-trip time over time."""

from typing import TYPE_CHECKING

from ackclock.plot.panels import close_together, draw, shade_warmup, time_axis, top, unit_scale
from ackclock.plot.series import lines
from ackclock.plot.style import GREY, ONE_COLUMN, PaperFigure, legend, name_engine, new_figure, paper

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result


def rtt(result: "Result", *, width: float = ONE_COLUMN) -> PaperFigure:
    """A figure of the round-trip times that senders sampled."""
    with paper():
        figure = new_figure(width, 2.1)
        axes = figure.subplots()
        draw_rtt(axes, result)
        legend(axes)
        time_axis(axes, result.end_time)
        name_engine(figure, result)
        return figure


def draw_rtt(axes: "Axes", result: "Result") -> None:
    """Draw the panel; the path's own propagation time is a line if all flows share it."""
    flows = result.series
    drawn = lines(flows, lambda flow: flow.column("rtt_sample"), result.end_time)
    scale, unit = unit_scale(top(drawn), "s")
    draw(axes, drawn, scale=scale)
    base = {flow.base_rtt for flow in flows}
    if len(base) == 1:
        axes.axhline(base.pop() * scale, color=GREY, linewidth=0.7, linestyle=(0, (2, 2)), label="base RTT", zorder=1)
    if not close_together(drawn):
        axes.set_ylim(bottom=0.0)
    shade_warmup(axes, result.warmup)
    axes.set_ylabel(f"RTT ({unit})")
