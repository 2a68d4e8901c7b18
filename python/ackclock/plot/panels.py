"""Common parts of panels: lines with bands, the axis of time."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.looking import drawn as drawn_with
from ackclock.plot.style import COLOURS, DASHES, legend, name_engine, new_figure
from ackclock.plot_data.palette import PHASE_SHADES
from ackclock.plot_data.series import Line
from ackclock.views.figure import PaperFigure, paper
from ackclock.views.figure_options import ONE_COLUMN, Options, make_look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ackclock.results.result import Result


def one_panel(
    draw_panel: Callable[["Axes", "Result"], None], result: "Result", options: Options
) -> PaperFigure:
    """A figure of one panel over time, with a legend and the look that `options` describe."""
    look = make_look(options)

    def make() -> PaperFigure:
        with paper(as_written=True):
            figure = new_figure(look.width or ONE_COLUMN, look.height or 2.1)
            axes = figure.subplots()
            draw_panel(axes, result)
            names = axes.get_legend_handles_labels()[1]
            if set(names) & set(PHASE_SHADES):
                # Shades leave no empty place for a legend in the panel.
                legend(axes, columns=5 if figure.get_figwidth() > 5 else 3, outside=True)
            else:
                legend(axes)
            time_axis(axes, result.end_time)
            name_engine(figure, result)
            return figure

    return drawn_with(make, look)


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
            axes.fill_between(
                line.time,
                line.low * scale,
                line.high * scale,
                color=colour,
                alpha=0.22,
                linewidth=0,
                zorder=2,
            )


def time_axis(axes: "Axes", end: float) -> None:
    """Set up an axis of time from the start of the run to its end, s."""
    axes.set_xlim(0.0, end)
    axes.set_xlabel("Time (s)")


def shade_warmup(axes: "Axes", warmup: float) -> None:
    """Shade the warm-up, which metrics do not count."""
    if warmup > 0.0:
        axes.axvspan(0.0, warmup, color="#F0F0F0", linewidth=0, zorder=0)


def from_zero(axes: Sequence["Axes"]) -> None:
    """Start axes with a shared scale at zero, unless values are negative or close together.

    The upper limit is set as well: matplotlib's margin for the values alone would cut off the
    topmost marker on an axis that starts at zero.
    """
    low, high = min(panel.dataLim.y0 for panel in axes), max(panel.dataLim.y1 for panel in axes)
    if np.isfinite([low, high]).all() and low >= 0.0 and not 0.0 < 0.5 * high < low:
        axes[0].set_ylim(0.0, high * 1.06 if high > 0.0 else 1.0)


def from_zero_or_by_decades(axes: Sequence["Axes"], values: Sequence[float]) -> None:
    """Use a logarithmic axis for positive values over two decades or more, else `from_zero`."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    if values and min(values) > 0.0 and max(values) >= 100.0 * min(values):
        for panel in axes:
            panel.set_yscale("log")
            panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
            panel.yaxis.set_minor_formatter(NullFormatter())
    else:
        from_zero(axes)
