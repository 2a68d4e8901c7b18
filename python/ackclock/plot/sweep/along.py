"""The horizontal axis of a panel, for an axis of the sweep."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.plot.sweep.labels import name_ticks
from ackclock.plot_data.sweep.scale import axis_name, axis_unit, is_logarithmic
from ackclock.tables.quantities import significant

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.sweeps.axes import Axis

__all__ = ["along"]


def along(axes: Axes, axis: Axis, width: float) -> list[float]:
    """Set up the horizontal axis of a panel for an axis of the sweep.

    `width` is the room for all tick labels, inches. Returns the position of each value.
    """
    from matplotlib.ticker import NullFormatter, NullLocator

    if axis.numbers is None:
        texts = [str(label) for label in axis.labels]
        axes.set_xlabel(axis_name(axis))
        name_ticks(axes, texts, width / max(len(texts), 1))
        axes.set_xlim(-0.6, len(texts) - 0.4)
        axes.xaxis.grid(visible=False)
        return [float(index) for index in range(len(texts))]
    factor, unit = axis_unit(axis)
    positions = [number * factor for number in axis.numbers]
    axes.set_xlabel(f"{axis_name(axis)} ({unit})" if unit else axis_name(axis))
    if is_logarithmic(positions):
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_minor_locator(NullLocator())
    ticks = _ticks(sorted(set(positions)), logarithmic=axes.get_xscale() == "log", width=width)
    axes.set_xticks(ticks, [significant(tick) for tick in ticks])
    axes.margins(x=0.03)
    return positions


def _ticks(values: list[float], *, logarithmic: bool, width: float) -> list[float]:
    """Values whose labels do not overlap; the first and the last value are always among them."""
    place = [math.log(value) for value in values] if logarithmic else values
    span = place[-1] - place[0]
    if span == 0.0:
        return values
    points = [72 * width * (at - place[0]) / span for at in place]
    half = [len(significant(value)) * 4.4 / 2 + 2.0 for value in values]
    kept = [0]
    last = len(values) - 1
    for index in range(1, last):
        fits = points[index] - points[kept[-1]] >= half[index] + half[kept[-1]]
        if fits and points[last] - points[index] >= half[index] + half[last]:
            kept.append(index)
    if last:
        kept.append(last)
    return [values[index] for index in kept]
