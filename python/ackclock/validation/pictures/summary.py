"""All deviations at a glance: a cell or a point for each figure that has a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import TWO_COLUMNS, new_figure
from ackclock.runtime.extras import importing
from ackclock.validation.figures import BARS
from ackclock.validation.judging import barred
from ackclock.views.figure import PaperFigure, paper

with importing("plots"):
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ackclock.validation.judging import Comparison, Row

__all__ = ["deviations", "summary"]

_NAMES = {
    "goodput": "goodput",
    "share": "share",
    "rtt_mean": "RTT\nmean",
    "rtt_p95": "RTT\np95",
    "retransmit_share": "sent\nagain",
    "retransmit_share_in_all": "sent again\nin all",
    "cwnd_peak": "cwnd\npeak",
    "cwnd_trough": "cwnd\ntrough",
    "period": "period",
    "cycle": "gain\ncycle",
    "fct_mean": "FCT\nmean",
    "fct_p95": "FCT\np95",
}
_MOST = 3.0
"""Deviations beyond are as dark as this one."""
# Blue to orange over white: differs in lightness and to the colour-blind.
_COLOURS = LinearSegmentedColormap.from_list(
    "deviation", ["#0B4F8A", "#8DB8DB", "#FFFFFF", "#F2B66D", "#B34700"]
)


def summary(comparisons: Sequence[Comparison]) -> PaperFigure:
    """Deviations in units of the bar: it holds from -1 to 1; negative: the simulator has less."""
    measures = [measure for measure in BARS if barred(comparisons, measure)]
    with paper(as_written=True):
        figure = new_figure(TWO_COLUMNS, 0.21 * len(comparisons) + 0.75)
        axes = figure.subplots()
        for place, comparison in enumerate(comparisons):
            for column, measure in enumerate(measures):
                if rows := barred([comparison], measure):
                    _cell(axes, column, place, max(rows, key=lambda row: row.size))
        axes.set_xlim(0, len(measures))
        axes.set_ylim(len(comparisons), 0)
        axes.set_xticks(np.arange(len(measures)) + 0.5, [_NAMES[measure] for measure in measures])
        names = [comparison.name for comparison in comparisons]
        axes.set_yticks(np.arange(len(comparisons)) + 0.5, names)
        axes.tick_params(length=0)
        axes.xaxis.tick_top()
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.set_xlabel(
            "simulator less kernel, in units of the bar: a frame marks a miss", fontsize=7
        )
        return figure


def deviations(comparisons: Sequence[Comparison]) -> PaperFigure:
    """Deviations in units of the bar: a point for each figure, a line of them for each measure."""
    measures = [measure for measure in BARS if barred(comparisons, measure)]
    with paper(as_written=True):
        figure = new_figure(TWO_COLUMNS, 0.3 * len(measures) + 0.6)
        axes = figure.subplots()
        axes.axvspan(-1.0, 1.0, color="#EAF3F9", linewidth=0, zorder=0)
        axes.axvline(0.0, color="#BBBBBB", linewidth=0.8, zorder=1)
        for place, measure in enumerate(measures):
            rows = barred(comparisons, measure)
            for holds, colour in ((True, "#0B4F8A"), (False, "#B34700")):
                points = [
                    (x, place + up)
                    for (x, up), row in zip(_swarm(rows), rows, strict=True)
                    if row.holds is holds
                ]
                axes.plot(
                    *zip(*points, strict=True) if points else ((), ()),
                    linewidth=0,
                    marker="o" if holds else "D",
                    markersize=2.4 if holds else 5.0,
                    markeredgewidth=0,
                    color=colour,
                )
        axes.set_xlim(-_MOST - 0.2, _MOST + 0.2)
        axes.set_ylim(len(measures) - 0.4, -0.6)
        axes.set_yticks(
            range(len(measures)), [_NAMES[measure].replace("\n", " ") for measure in measures]
        )
        ends = int(_MOST)
        marks = range(-ends, ends + 1)
        axes.set_xticks(
            list(marks),
            [
                f"{'≤ ' if x == -ends else '≥ ' if x == ends else ''}{x}".replace("-", "−")
                for x in marks
            ],
        )
        axes.tick_params(length=0)
        axes.grid(visible=False)
        axes.set_xlabel("simulator less kernel, in units of the bar; an orange diamond is a miss")
        return figure


def _swarm(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Where points stand: those of nearly one deviation beside each other, up and down."""
    before: dict[int, int] = {}
    places = []
    for row in rows:
        off = float(np.clip(_MOST if row.deviation is None else row.deviation, -_MOST, _MOST))
        column = round(off / 0.05)
        count = before[column] = before.get(column, 0) + 1
        step = count // 2 * (1 if count % 2 else -1)
        places.append((off, float(np.clip(0.075 * step, -0.42, 0.42))))
    return places


def _cell(axes: Axes, column: int, place: int, row: Row) -> None:
    off = row.deviation
    shade = 0.0 if off is None else float(np.clip(off, -_MOST, _MOST)) / _MOST
    colour = _COLOURS(0.5 + shade / 2)
    axes.add_patch(
        Rectangle(
            (column + 0.03, place + 0.05),
            0.94,
            0.9,
            facecolor=colour,
            edgecolor="#DDDDDD",
            linewidth=0.4,
        )
    )
    if row.holds is False:
        axes.add_patch(
            Rectangle(
                (column + 0.05, place + 0.08),
                0.90,
                0.84,
                fill=False,
                edgecolor="#000000",
                linewidth=1.1,
                zorder=3,
            )
        )
    text = "none" if off is None else f"{off:+.1f}" if abs(off) < 9.95 else f"{off:+.0f}"
    axes.text(
        column + 0.5,
        place + 0.52,
        text.replace("+0.0", "0").replace("-0.0", "0"),
        ha="center",
        va="center",
        fontsize=6,
        color="#FFFFFF" if abs(shade) > 0.75 else "#222222",
        fontweight="bold" if row.holds is False else "normal",
    )
