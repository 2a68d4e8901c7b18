"""One quantity of several runs over time, in one panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ackclock.messages import did_you_mean
from ackclock.plot.looking import drawn
from ackclock.plot.panels import draw, shade_warmup, time_axis
from ackclock.plot.style import COLOURS, GUIDE, ONE_COLUMN, TWO_COLUMNS, legend, new_figure
from ackclock.plot_data.series import (
    Line,
    band,
    close_together,
    held,
    in_segments,
    lines,
    minmax,
    queue_series,
    rate_interval,
    rate_of,
    top,
    unit_scale,
)
from ackclock.tables.quantities import quantity as written
from ackclock.views.figure import paper
from ackclock.views.figure_options import FigureOptionError, Options, make_look

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from ackclock.results.result import Result
    from ackclock.results.series import Floats, FlowSeries
    from ackclock.views.figure import PaperFigure

__all__ = ["QUANTITIES", "overlay"]

QUANTITIES = ("cwnd", "rate", "rtt", "queue")
"""Quantities that can be overlaid: window, goodput, round-trip time, bottleneck's queue."""

_PANEL_HEIGHT = 1.5
_GRID = 400


def overlay(
    results: Mapping[str, Result] | Sequence[Result],
    quantity: str | Sequence[str] = "cwnd",
    *,
    flow: str | None = None,
    **options: Unpack[Options],
) -> PaperFigure:
    """Draw a quantity of several runs in one panel, a line per run.

    A run's line is its single flow, or the median of its flows with their quartiles as a band; the
    goodput is the sum over the flows. Subflows count with the flow that they carry.

    Parameters
    ----------
    results
        Runs by the name that the legend gives them; or runs alone, which are then named by their
        congestion controls, or by number where these are equal.
    quantity
        One of `QUANTITIES`, or several, each in a panel of its own.
    flow
        Name of one flow to draw in place of all.
    options
        See `Look`.

    Raises
    ------
    FigureOptionError
        If there is no such quantity or flow, or more runs than colours.
    ValueError
        If a run recorded no time series.

    Examples
    --------
    >>> import ackclock as ac
    >>> runs = {
    ...     cc: ac.run(
    ...         ac.dumbbell(
    ...             rate="10Mbit/s",
    ...             rtt="40ms",
    ...             buffer="1bdp",
    ...             flows=[ac.flow(cc)],
    ...             duration="5s",
    ...         )
    ...     )
    ...     for cc in ("reno", "cubic")
    ... }
    >>> figure = ac.plot.overlay(runs, "cwnd", width="1col")
    >>> len(figure.axes)
    1
    """
    look = make_look(options)
    names = [quantity] if isinstance(quantity, str) else list(quantity)
    for name in names:
        if name not in QUANTITIES:
            raise FigureOptionError(
                f"quantity: there is no '{name}' to overlay{did_you_mean(name, QUANTITIES)} (there "
                f"are {', '.join(QUANTITIES)})"
            )
    named = _named(results)
    if not named or not names:
        raise FigureOptionError("an overlay needs a run and a quantity at least")
    if len(named) > len(COLOURS):
        raise FigureOptionError(
            f"{len(named)} runs cannot be told apart in one panel: {len(COLOURS)} at most"
        )
    end = max(result.end_time for result in named.values())

    def make() -> PaperFigure:
        wide = look.width or (TWO_COLUMNS if len(names) > 1 else ONE_COLUMN)
        with paper(as_written=True):
            height = look.height or (0.65 + _PANEL_HEIGHT * len(names))
            figure = new_figure(wide, height)
            panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0].tolist()
            for axes, name in zip(panels, names, strict=True):
                _draw_panel(axes, named, name, flow)
            legend(panels[0], columns=4 if wide > 5 else 2, outside=True)
            time_axis(panels[-1], end)
            figure.align_ylabels(panels)
            return figure

    return drawn(make, look)


def _named(results: Mapping[str, Result] | Sequence[Result]) -> dict[str, Result]:
    from collections.abc import Mapping as AnyMapping

    if isinstance(results, AnyMapping):
        return dict(results)
    names = [" and ".join(dict.fromkeys(flow.cc for flow in result.series)) for result in results]
    if len(set(names)) < len(names):
        names = [f"{name} ({number})" for number, name in enumerate(names, 1)]
    return dict(zip(names, results, strict=True))


def _draw_panel(axes: Axes, results: Mapping[str, Result], name: str, flow: str | None) -> None:
    flows = {
        label: [] if name == "queue" else _flows(label, result, flow)
        for label, result in results.items()
    }
    unit, title, scale = "", {"cwnd": "cwnd (segments)", "queue": "Queue (packets)"}.get(name), 1.0
    if name == "rate":
        width = max(
            rate_interval(flows[label], result.end_time) for label, result in results.items()
        )
        made = [
            _goodput(label, flows[label], result.end_time, width)
            for label, result in results.items()
        ]
        scale, unit = unit_scale(top(made) or 1.0, "bit/s")
        title = f"Goodput per {written(width, 's')}\n({unit})"
    elif name == "queue":
        made = [_queue(label, result) for label, result in results.items()]
    else:
        made = [
            _line(label, flows[label], result.end_time, name) for label, result in results.items()
        ]
    if name == "rtt":
        scale, unit = unit_scale(top(made) or 1.0, "s")
        title = f"RTT ({unit})"
    draw(axes, made, scale=scale)
    base = {series.base_rtt for several in flows.values() for series in several}
    if name == "rtt" and len(base) == 1:
        axes.axhline(base.pop() * scale, label="base RTT", **GUIDE)
    if name != "rtt" or not close_together(made):
        axes.set_ylim(bottom=0.0)
    warmups = {result.warmup for result in results.values()}
    if len(warmups) == 1:
        shade_warmup(axes, warmups.pop())
    axes.set_ylabel(str(title))


def _flows(label: str, result: Result, flow: str | None) -> list[FlowSeries]:
    """The flows of a run to draw: the one of that name, or all but subflows."""
    every = result.series
    if flow is not None:
        names = [series.name for series in every]
        if flow not in names:
            raise FigureOptionError(
                f"flow: the run '{label}' has no flow '{flow}'{did_you_mean(flow, names)}"
            )
        return [series for series in every if series.name == flow]
    names = [series.name for series in every]
    chosen = [series for series in every if series.part_of not in names]
    if not chosen:
        raise FigureOptionError(f"the run '{label}' recorded no flow")
    return chosen


def _queue(label: str, result: Result) -> Line:
    queues = queue_series(result, most=1)
    if not queues:
        raise FigureOptionError(f"quantity: no link's queue was recorded in the run '{label}'")
    return Line(label, *minmax(queues[0].time, queues[0].packets))


def _goodput(label: str, flows: Sequence[FlowSeries], end: float, width: float) -> Line:
    """Goodput of all flows together in intervals, bit/s."""
    edges = np.arange(0.0, end + width / 2, width)
    rates = np.stack([rate_of(flow, edges) for flow in flows])
    together = np.where(np.isnan(rates).all(axis=0), np.nan, np.nansum(rates, axis=0))
    return Line(label, (edges[:-1] + edges[1:]) / 2, together)


def _line(label: str, flows: Sequence[FlowSeries], end: float, name: str) -> Line:
    """The single flow's line, or the median of several with their quartiles."""
    pick = in_segments("cwnd") if name == "cwnd" else _rtt
    if len(flows) == 1:
        [single] = lines(flows, pick, end)
        return Line(label, single.time, single.value)
    grid = np.linspace(min(flow.start for flow in flows), end, _GRID)
    return band(label, grid, np.stack([held(flow, pick(flow), grid) for flow in flows]))


def _rtt(flow: FlowSeries) -> Floats:
    return flow.column("rtt_sample")
