"""Kernel and simulator over time: window, queue, goodput; of files the completion times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.lines import Line2D
from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

from ackclock.plot.panels import shade_warmup, time_axis
from ackclock.plot.style import TWO_COLUMNS, PaperFigure, new_figure, paper
from ackclock.validation.figures.curves import Curve, goodputs, queue, windows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from ackclock.validation.judging import Comparison
    from ackclock.validation.observed import Observed

__all__ = ["overlay"]

KERNEL = ("#9FB6CC", "#E8C48A", "#A9CDBB")
"""Pale, wider: what lies on it is seen as lying on it."""
SIMULATED = ("#004B7A", "#B85C00", "#006B4D")
_Panel = tuple[str, "Callable[[Observed], list[Curve]]"]


def overlay(one: Comparison) -> PaperFigure:
    """One scenario: every repetition of the kernel, and the simulator's first seed above them."""
    runs = [*one.kernel, *one.simulated]
    panels: list[_Panel] = [("queue (packets)", queue), ("goodput (Mbit/s)", goodputs)]
    if any(not flow.is_file for flow in runs[0].flows):
        panels.insert(0, ("cwnd (packets)", windows))
    has_files = any(flow.is_file for flow in runs[0].flows)
    with paper():
        figure = new_figure(TWO_COLUMNS, 1.5 * (len(panels) + has_files) + 0.35)
        axes = figure.subplots(len(panels) + has_files, 1, sharex=True, squeeze=False)[:, 0]
        for panel, (title, curves) in zip(axes, panels, strict=False):
            for run in one.kernel:
                _draw(panel, curves(run), KERNEL, 1.5, 2)
            for run in one.simulated[:1]:
                _draw(panel, curves(run), SIMULATED, 0.7, 3)
            panel.set_ylabel(title)
            panel.set_ylim(bottom=0.0)
        if has_files:
            _completions(axes[-1], one)
        for panel in axes:
            shade_warmup(panel, runs[0].warmup)
        time_axis(axes[-1], runs[0].duration)
        _legend(axes[0], one, _labels(runs[0]))
        figure.align_ylabels(axes)
        return figure


def _draw(axes: Axes, curves: Sequence[Curve], colours: Sequence[str], width: float, above: int) -> None:
    for index, curve in enumerate(curves):
        axes.plot(curve.time, curve.value, color=colours[index % len(colours)], linewidth=width, zorder=above, solid_joinstyle="round")


def _completions(axes: Axes, one: Comparison) -> None:
    # The files' line comes after those of flows that last.
    place = len(_labels([*one.kernel, *one.simulated][0])) - 1
    for run in one.kernel:
        axes.scatter(*_done(run), marker="o", s=26, linewidths=1.2, facecolors="none", edgecolors=KERNEL[place % len(KERNEL)], zorder=2)
    for run in one.simulated[:1]:
        axes.scatter(*_done(run), marker="x", s=14, linewidths=0.8, color=SIMULATED[place % len(SIMULATED)], zorder=3)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FormatStrFormatter("%g"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel("completion (s)")


def _done(run: Observed) -> tuple[list[float], list[float]]:
    done = [(flow.start, flow.fct) for flow in run.flows if flow.is_file and flow.fct is not None]
    return [start for start, _ in done], [time for _, time in done]


def _labels(run: Observed) -> list[str]:
    return [curve.label for curve in goodputs(run)]


def _legend(axes: Axes, one: Comparison, labels: Sequence[str]) -> None:
    several = len(labels) > 1
    handles = []
    for index, label in enumerate(labels):
        of = f"{label}: " if several else ""
        repetitions = f"{of}kernel, {len(one.kernel)} run{'' if len(one.kernel) == 1 else 's'}"
        if one.kernel:
            handles.append(Line2D([], [], color=KERNEL[index % len(KERNEL)], linewidth=2.2, label=repetitions))
        handles.append(Line2D([], [], color=SIMULATED[index % len(SIMULATED)], linewidth=0.9, label=f"{of}simulator"))
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4 if several else 2, columnspacing=1.2)
