"""Goodput, round-trip times and the queue of a run over time, a figure each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np

from ackclock.plot.panels import draw, one_panel, shade_warmup
from ackclock.plot.style import DROP_COLOUR, GUIDE, MARK_COLOUR, QUEUE_COLOURS
from ackclock.plot_data.series import (
    MOST_MARKERS,
    Events,
    QueueSeries,
    close_together,
    lines,
    minmax,
    queue_series,
    rate_lines,
    top,
    unit_scale,
)
from ackclock.results.capacity import rates
from ackclock.tables.quantities import quantity
from ackclock.views.figure import PaperFigure
from ackclock.views.figure_options import Options

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


def queue(result: "Result", **options: Unpack[Options]) -> PaperFigure:
    """A figure of the bottleneck's queue, in packets, with its drops and marks.

    `options` are those of `Look`; the width is one column of a paper by default.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> ac.plot.queue(ac.run(scenario)).svg().startswith("<?xml")
    True
    """
    return one_panel(draw_queue, result, options)


def draw_queue(axes: "Axes", result: "Result") -> None:
    """Draw every bottleneck's queue, with its limit and, for RED, the average."""
    queues = queue_series(result)
    for index, queue in enumerate(queues):
        colour = QUEUE_COLOURS[index % len(QUEUE_COLOURS)]
        axes.plot(
            *minmax(queue.time, queue.packets),
            color=colour,
            linewidth=0.8,
            drawstyle="steps-post",
            label=queue.name,
            zorder=2,
        )
        if queue.red_average is not None:
            axes.plot(
                *minmax(queue.time, queue.red_average),
                color="#0072B2",
                linewidth=1.0,
                label="RED average",
                zorder=3,
            )
        _limits(axes, queue, "limit" if index == 0 else None)
    _markers(axes, [queue.drops for queue in queues], "v", DROP_COLOUR, "drops")
    _markers(axes, [queue.marks for queue in queues], "^", MARK_COLOUR, "marks")
    axes.set_ylim(bottom=0.0)
    shade_warmup(axes, result.warmup)
    axes.set_ylabel("Queue (packets)")


def _limits(axes: "Axes", queue: QueueSeries, label: str | None) -> None:
    """Draw the queue's limit over time, if the queue comes near to it."""
    known = [limit for _, limit in queue.limits if limit is not None]
    if not known or not queue.packets.size or np.nanmax(queue.packets) <= min(known) / 3:
        return
    if len(queue.limits) == 1:
        axes.axhline(known[0], label=label, **GUIDE)
        return
    times = [at for at, _ in queue.limits if at <= queue.time[-1]]
    values = [np.nan if limit is None else float(limit) for _, limit in queue.limits[: len(times)]]
    axes.plot(
        [*times, queue.time[-1]],
        [*values, values[-1]],
        drawstyle="steps-post",
        label=label,
        **GUIDE,
    )


def _markers(axes: "Axes", by_queue: Sequence[Events], shape: str, colour: str, what: str) -> None:
    count = sum(events.count for events in by_queue)
    if count == 0:
        return
    time = np.concatenate([events.time for events in by_queue])
    shown = np.unique(np.linspace(0, len(time) - 1, MOST_MARKERS).astype(np.int64))
    axes.plot(
        time[shown],
        np.concatenate([events.queue for events in by_queue])[shown],
        shape,
        color=colour,
        markersize=3.0,
        markeredgecolor="white",
        markeredgewidth=0.3,
        clip_on=False,
        label=f"{count} {what if count != 1 else what[:-1]}",
        zorder=4,
    )
