"""What the panels share: lines with bands, the axis of time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import FuncFormatter, NullFormatter

from ackclock.plot.series import Line
from ackclock.plot.style import COLOURS, DASHES

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(axes: "Axes", drawn: Sequence[Line], *, scale: float = 1.0, label: bool = True) -> None:
    """Draw lines, each in its colour and dashes, with its band if it has one."""
    for index, line in enumerate(drawn):
        colour = COLOURS[index % len(COLOURS)]
        axes.plot(
            line.time,
            line.value * scale,
            color=colour,
            linestyle=DASHES[index % len(DASHES)] if len(drawn) <= len(DASHES) else "-",
            label=line.label if label else None,
            zorder=3,
        )
        if line.low is not None and line.high is not None:
            axes.fill_between(line.time, line.low * scale, line.high * scale, color=colour, alpha=0.22, linewidth=0, zorder=2)


def top(drawn: Sequence[Line]) -> float:
    """Largest value drawn, bands included; 0 if there is none."""
    every = [part for line in drawn for part in (line.value, line.high) if part is not None and np.isfinite(part).any()]
    return max((float(np.nanmax(part)) for part in every), default=0.0)


def close_together(drawn: Sequence[Line]) -> bool:
    """Whether all values are so close together that an axis from zero would flatten them."""
    every = [part for line in drawn for part in (line.value, line.low) if part is not None and np.isfinite(part).any()]
    return bool(every) and min(float(np.nanmin(part)) for part in every) > 0.5 * top(drawn)


def time_axis(axes: "Axes", end: float) -> None:
    """From the start of the run to its end, in seconds."""
    axes.set_xlim(0.0, end)
    axes.set_xlabel("Time (s)")


def shade_warmup(axes: "Axes", warmup: float) -> None:
    """A grey ground behind what metrics do not count."""
    if warmup > 0.0:
        axes.axvspan(0.0, warmup, color="#F0F0F0", linewidth=0, zorder=0)


def unit_scale(largest: float, unit: str) -> tuple[float, str]:
    """Factor and name of a unit that keeps an axis's numbers short."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if largest >= factor and unit != "s":
            return 1.0 / factor, f"{prefix}{unit}"
    if unit == "s" and largest < 1.0:
        return (1e3, "ms") if largest >= 1e-3 else (1e6, "µs")
    return 1.0, unit


def from_zero(axes: Sequence["Axes"]) -> None:
    """Start axes that share their scale at zero, unless all values are above it and close together, or some below.

    Zero is taken in before the margin is: a margin around the values alone is a few pixels of an axis that starts at zero, and cuts
    the topmost marker off.
    """
    low, high = min(each.dataLim.y0 for each in axes), max(each.dataLim.y1 for each in axes)
    if np.isfinite([low, high]).all() and low >= 0.0 and not 0.0 < 0.5 * high < low:
        axes[0].set_ylim(0.0, high * 1.06 if high > 0.0 else 1.0)


def from_zero_or_by_decades(axes: Sequence["Axes"], values: Sequence[float]) -> None:
    """As `from_zero`, but a logarithmic axis for values, all above zero, that span two decades."""
    if values and min(values) > 0.0 and max(values) >= 100.0 * min(values):
        for each in axes:
            each.set_yscale("log")
            each.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
            each.yaxis.set_minor_formatter(NullFormatter())
    else:
        from_zero(axes)
