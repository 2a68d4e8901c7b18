"""Kernel and simulator over time: window, queue, goodput; of files the completion times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.panels import shade_warmup
from ackclock.plot.style import TWO_COLUMNS, new_figure
from ackclock.runtime.extras import importing
from ackclock.validation.pictures.curves import Curve, goodputs, labels, queue, windows
from ackclock.views.figure import PaperFigure, paper

with importing("plots"):
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FormatStrFormatter, LogLocator, MaxNLocator, NullFormatter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from ackclock.metrics.recorded_run import RecordedRun
    from ackclock.validation.judging import Comparison

    Panel = tuple[str, Callable[[RecordedRun, float, float], list[Curve]]]

__all__ = ["overlay"]

KERNEL = ("#9FB6CC", "#E8C48A", "#A9CDBB")
"""Pale, wider: what lies on it is seen as lying on it."""
DRAWN = 3
"""Number of the kernel's runs that are drawn: more hide each other."""
SIMULATED = ("#004B7A", "#B85C00", "#006B4D")


def overlay(comparison: Comparison) -> PaperFigure:
    """One scenario: every repetition of the kernel, and the simulator's first seed above them.

    From left to right the first round trips, the whole run, and a piece of its steady part.
    """
    run = [*comparison.kernel, *comparison.simulated][0]
    has_files = any(flow.is_file for flow in run.flows)
    panels: list[Panel] = [("queue (packets)", queue), ("goodput (Mbit/s)", goodputs)]
    if any(not flow.is_file for flow in run.flows):
        panels.insert(0, ("cwnd (packets)", windows))
    spans = (
        [(0.0, run.duration)]
        if has_files
        else [(0.0, _start(run)), (0.0, run.duration), _piece(run)]
    )
    with paper(as_written=True):
        figure = new_figure(TWO_COLUMNS, 1.35 * (len(panels) + has_files) + 0.4)
        widths = [1.0] if has_files else [1.0, 2.3, 1.3]
        grid = figure.subplots(
            len(panels) + has_files,
            len(spans),
            sharex="col",
            sharey="row",
            squeeze=False,
            width_ratios=widths,
        )
        for column, (begin, end) in enumerate(spans):
            for axes, (_, curves) in zip(grid[:, column], panels, strict=False):
                _panel(
                    axes,
                    comparison,
                    lambda run, curves=curves, begin=begin, end=end: curves(run, begin, end),  # type: ignore[misc]
                )
                if end - begin == run.duration:
                    shade_warmup(axes, run.warmup)
            grid[-1, column].set_xlim(begin, end)
            grid[-1, column].set_xlabel("Time (s)")
            grid[-1, column].xaxis.set_major_locator(
                MaxNLocator(4 if len(spans) > 1 and column != 1 else 7)
            )
        for axes, (title, _) in zip(grid[:, 0], panels, strict=False):
            axes.set_ylabel(title)
            axes.set_ylim(bottom=0.0)
        if has_files:
            _completions(grid[-1, 0], comparison, len(labels(run)) - 1)
        _legend(figure, comparison, labels(run))
        figure.align_ylabels(grid[:, 0])
        return figure


def _start(run: RecordedRun) -> float:
    """Some twenty round trips, s."""
    shortest = (
        float(np.nanmin(run.path.rtt)) if np.isfinite(run.path.rtt).any() else run.duration / 20
    )
    return float(np.clip(20 * shortest, 0.3, run.duration / 4))


def _piece(run: RecordedRun) -> tuple[float, float]:
    """Some hundred round trips after the warm-up, s."""
    length = min(6 * _start(run), run.duration - run.warmup, 10.0)
    return run.warmup, run.warmup + length


def _panel(
    axes: Axes, comparison: Comparison, curves: Callable[[RecordedRun], list[Curve]]
) -> None:
    for run in comparison.kernel[:DRAWN]:
        _draw(axes, curves(run), KERNEL, 1.5, 2)
    for run in comparison.simulated[:1]:
        _draw(axes, curves(run), SIMULATED, 0.7, 3)


def _draw(
    axes: Axes, curves: Sequence[Curve], colours: Sequence[str], width: float, above: int
) -> None:
    for index, curve in enumerate(curves):
        axes.plot(
            curve.time,
            curve.value,
            color=colours[index % len(colours)],
            linewidth=width,
            zorder=above,
            solid_joinstyle="round",
        )


def _completions(axes: Axes, comparison: Comparison, place: int) -> None:
    """Points; the files' colour is the last of the lines'."""
    for run in comparison.kernel:
        axes.scatter(
            *_done(run),
            marker="o",
            s=26,
            linewidths=1.2,
            facecolors="none",
            edgecolors=KERNEL[place % len(KERNEL)],
            zorder=2,
        )
    for run in comparison.simulated[:1]:
        axes.scatter(
            *_done(run),
            marker="x",
            s=14,
            linewidths=0.8,
            color=SIMULATED[place % len(SIMULATED)],
            zorder=3,
        )
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FormatStrFormatter("%g"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel("completion (s)")


def _done(run: RecordedRun) -> tuple[list[float], list[float]]:
    done = [(flow.start, flow.fct) for flow in run.flows if flow.is_file and flow.fct is not None]
    done += [
        pair
        for flow in run.flows
        for pair in zip(flow.starts.tolist(), flow.transfers.tolist(), strict=True)
    ]
    return [start for start, _ in done], [time for _, time in done]


def _legend(figure: PaperFigure, comparison: Comparison, names: Sequence[str]) -> None:
    handles = []
    for index, name in enumerate(names):
        of = f"{name}: " if len(names) > 1 else ""
        number = min(len(comparison.kernel), DRAWN)
        repetitions = f"{of}kernel, {number} run{'' if number == 1 else 's'}"
        if comparison.kernel:
            handles.append(
                Line2D([], [], color=KERNEL[index % len(KERNEL)], linewidth=2.2, label=repetitions)
            )
        handles.append(
            Line2D(
                [],
                [],
                color=SIMULATED[index % len(SIMULATED)],
                linewidth=0.9,
                label=f"{of}simulator",
            )
        )
    figure.legend(handles=handles, loc="outside upper left", ncols=4, columnspacing=1.2)
