"""Lines of means with their intervals, and series of recorded runs, as several studies draw them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, MARKERS
from ackclock.plot.sweep.labels import Look, beside_lines
from ackclock.stats import bounded, estimates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ackclock.plot.style import PaperFigure
    from ackclock.results import Result
    from ackclock.results.series import Floats, FlowSeries
    from ackclock.studies.results import Spot

__all__ = ["delivered_rate", "internal", "line", "look_of", "name_lines", "queue"]


def look_of(label: str, rank: int) -> Look:
    """Look of a figure's line by its rank, from 0; there are as many as there are colours."""
    return Look(label, COLOURS[rank], DASHES[rank % len(DASHES)], MARKERS[rank])


def name_lines(figure: PaperFigure, axes: Axes, ends: Sequence[tuple[float, float, Look] | None]) -> None:
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
        What every value is multiplied by.
    limits
        Smallest and largest value that there can be, before it is multiplied; intervals stay within them.

    Returns
    -------
    tuple or None
        The line's last point with its look, for `beside_lines`; None if nothing was drawn.
    """
    found = [bounded(one, *limits) for one in estimates([list(spot.values.values()) for spot in spots], 0.95)]
    known = [(at, one) for at, one in zip(x, found, strict=True) if one.mean is not None]
    if not known:
        return None
    where = np.array([at for at, _ in known])
    middle = scale * np.array([one.mean for _, one in known])
    low = scale * np.array([one.mean if one.low is None else one.low for _, one in known])
    high = scale * np.array([one.mean if one.high is None else one.high for _, one in known])
    axes.errorbar(where, middle, yerr=[middle - low, high - middle], fmt="none", ecolor=look.colour, elinewidth=0.8, capsize=2)
    axes.plot(where, middle, color=look.colour, linestyle=look.dashes, marker=look.marker, markersize=3.5, zorder=3)
    return float(where[-1]), float(middle[-1]), look


def internal(run: Result, name: str, flow: str) -> tuple[Floats, Floats]:
    """Times (s) and values of a variable of a flow's congestion control."""
    rows = run.samples.internals
    rows = rows.filter((rows["flow"].cast(str) == flow) & (rows["name"].cast(str) == name))
    return rows["time"].to_numpy(), rows["value"].cast(float).to_numpy()


def queue(run: Result) -> tuple[Floats, Floats]:
    """Times (s) and packets that wait at the bottleneck."""
    rows = run.samples.links
    rows = rows.filter(rows["link"].cast(str) == run.links["name"][0])
    return rows["time"].to_numpy(), rows["queue_packets"].cast(float).to_numpy()


def delivered_rate(flow: FlowSeries, every: float) -> tuple[Floats, Floats]:
    """Goodput (bit/s) over intervals of so many seconds, at their ends."""
    edges = np.arange(0.0, flow.end + 1e-9, every)
    at = np.interp(edges, flow.time, np.nan_to_num(flow.column("delivered")))
    return edges[1:], 8.0 * np.diff(at) / every
