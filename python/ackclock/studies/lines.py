"""Draws lines of means with their intervals, and series of recorded runs, for several studies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, MARKERS
from ackclock.plot.sweep.labels import Look, beside_lines
from ackclock.stats import bounded, estimates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ackclock.results import Result
    from ackclock.results.series import Floats, FlowSeries
    from ackclock.stats import Estimate
    from ackclock.studies.results import Spot
    from ackclock.views.figure import PaperFigure

__all__ = [
    "delivered_rate",
    "internal",
    "interval_line",
    "line",
    "look_of",
    "marked_line",
    "marks",
    "name_lines",
    "queue",
]


def look_of(label: str, rank: int) -> Look:
    """Return the look of a figure's line by its rank, from 0; there is one for each colour."""
    return Look(label, COLOURS[rank], DASHES[rank % len(DASHES)], MARKERS[rank])


def name_lines(
    figure: PaperFigure, axes: Axes, ends: Sequence[tuple[float, float, Look] | None]
) -> None:
    """Write names beside the ends of lines, as `line` returns them; None has no line."""
    beside_lines(figure, axes, [end for end in ends if end is not None])


def line(
    axes: Axes,
    x: Sequence[float],
    spots: Sequence[Spot],
    look: Look,
    *,
    scale: float = 1.0,
    limits: tuple[float, float] = (0.0, math.inf),
) -> tuple[float, float, Look] | None:
    """Draw means over seeds with 95 % intervals.

    Parameters
    ----------
    axes
        Where.
    x
        A place for each spot.
    spots
        Values by seed; a spot without any is left out.
    look
        Colour, dashes, marker and name.
    scale
        Factor of every value.
    limits
        Smallest and largest possible value, before scaling; intervals stay within them.

    Returns
    -------
    tuple or None
        The line's last point with its look, for `beside_lines`; None if nothing was drawn.
    """
    means = [
        bounded(estimate, *limits)
        for estimate in estimates([list(spot.values.values()) for spot in spots], 0.95)
    ]
    known = [
        (at, estimate) for at, estimate in zip(x, means, strict=True) if estimate.mean is not None
    ]
    if not known:
        return None
    where = np.array([at for at, _ in known])
    middle = scale * np.array([estimate.mean for _, estimate in known])
    low = scale * np.array(
        [estimate.mean if estimate.low is None else estimate.low for _, estimate in known]
    )
    high = scale * np.array(
        [estimate.mean if estimate.high is None else estimate.high for _, estimate in known]
    )
    return interval_line(axes, where, middle, low, high, look)


def interval_line(
    axes: Axes,
    x: Sequence[float] | Floats,
    middle: Floats,
    low: Floats,
    high: Floats,
    look: Look,
    **style: Any,
) -> tuple[float, float, Look]:
    """Draw a line of values with their intervals.

    Parameters
    ----------
    axes
        Where.
    x
        A place for each value.
    middle, low, high
        The values and the ends of their intervals.
    look
        Colour, dashes and marker.
    style
        Of the line, for matplotlib's `plot`.

    Returns
    -------
    tuple
        The line's last point with its look, for `beside_lines`.
    """
    # The mean of figures that differ in the last digit alone may lie outside of its interval by
    # rounding.
    around = [np.maximum(middle - low, 0.0), np.maximum(high - middle, 0.0)]
    axes.errorbar(x, middle, yerr=around, fmt="none", ecolor=look.colour, elinewidth=0.8, capsize=2)
    axes.plot(
        x,
        middle,
        color=look.colour,
        linestyle=look.dashes,
        marker=look.marker,
        **{"markersize": 3.5, "zorder": 3} | style,
    )
    return float(x[-1]), float(middle[-1]), look


def marked_line(
    axes: Axes,
    x: Sequence[float] | Floats,
    means: Sequence[Estimate],
    look: Look,
    *,
    factor: float | Sequence[float] = 1.0,
) -> None:
    """Draw a line through means with their intervals, named for the legend; see `marks`."""
    style = {
        "color": look.colour,
        "linestyle": look.dashes,
        "marker": look.marker,
        "label": look.label,
    }
    marks(axes, x, means, factor=factor, markersize=3.5, **style)


def marks(
    axes: Axes,
    x: Sequence[float] | Floats,
    means: Sequence[Estimate],
    *,
    factor: float | Sequence[float] = 1.0,
    **style: Any,
) -> Floats:
    """Draw a mark with its interval for each mean; a spot without values is left out.

    Parameters
    ----------
    axes
        Where.
    x
        A place for each mean.
    means
        Means with their intervals.
    factor
        Factor of all means, or of each.
    style
        For matplotlib's `errorbar`.

    Returns
    -------
    array
        The marks' heights; empty if nothing was drawn.
    """
    factors = np.broadcast_to(np.asarray(factor, dtype=float), (len(means),))
    known = [
        (at, estimate, by)
        for at, estimate, by in zip(x, means, factors, strict=True)
        if estimate.mean is not None
    ]
    if not known:
        return np.array([])
    y = np.array([by * (estimate.mean or 0.0) for _, estimate, by in known])
    low = np.array(
        [
            height if estimate.low is None else by * estimate.low
            for (_, estimate, by), height in zip(known, y, strict=True)
        ]
    )
    high = np.array(
        [
            height if estimate.high is None else by * estimate.high
            for (_, estimate, by), height in zip(known, y, strict=True)
        ]
    )
    around = [np.maximum(y - low, 0.0), np.maximum(high - y, 0.0)]
    axes.errorbar(
        [at for at, _, _ in known], y, yerr=around, **{"elinewidth": 0.8, "capsize": 2} | style
    )
    return y


def internal(run: Result, name: str, flow: str) -> tuple[Floats, Floats]:
    """Return times (s) and values of a variable of a flow's congestion control."""
    rows = run.samples.internals
    rows = rows.filter((rows["flow"].cast(str) == flow) & (rows["name"].cast(str) == name))
    return rows["time"].to_numpy(), rows["value"].cast(float).to_numpy()


def queue(run: Result) -> tuple[Floats, Floats]:
    """Return times (s) and numbers of packets that wait at the bottleneck."""
    rows = run.samples.links
    rows = rows.filter(rows["link"].cast(str) == run.links["name"][0])
    return rows["time"].to_numpy(), rows["queue_packets"].cast(float).to_numpy()


def delivered_rate(flow: FlowSeries, every: float) -> tuple[Floats, Floats]:
    """Return the ends of intervals of a given length (s), and the goodput in each (bit/s)."""
    edges = np.arange(0.0, flow.end + 1e-9, every)
    at = np.interp(edges, flow.time, np.nan_to_num(flow.column("delivered")))
    return edges[1:], 8.0 * np.diff(at) / every
