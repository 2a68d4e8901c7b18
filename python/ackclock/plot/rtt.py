"""Round-trip time over time."""

from typing import TYPE_CHECKING, Unpack

from ackclock.curves.series import close_together, lines, top, unit_scale
from ackclock.figure import PaperFigure
from ackclock.look import Options
from ackclock.plot.panels import draw, one_panel, shade_warmup
from ackclock.plot.style import GUIDE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result


def rtt(result: "Result", **options: Unpack[Options]) -> PaperFigure:
    """A figure of the round-trip times that senders sampled.

    `options` are those of `Look`; the width is one column of a paper by default.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> ac.plot.rtt(ac.run(scenario)).svg().startswith("<?xml")
    True
    """
    return one_panel(draw_rtt, result, options)


def draw_rtt(axes: "Axes", result: "Result") -> None:
    """Draw the round-trip times; if all flows have one base RTT, it is a line."""
    flows = result.series
    drawn = lines(flows, lambda flow: flow.column("rtt_sample"), result.end_time)
    scale, unit = unit_scale(top(drawn), "s")
    draw(axes, drawn, scale=scale)
    base = {flow.base_rtt for flow in flows}
    if len(base) == 1:
        axes.axhline(base.pop() * scale, label="base RTT", **GUIDE)
    if not close_together(drawn):
        axes.set_ylim(bottom=0.0)
    shade_warmup(axes, result.warmup)
    axes.set_ylabel(f"RTT ({unit})")
