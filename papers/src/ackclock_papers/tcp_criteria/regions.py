"""Figures of P4's fourth criterion: the model's regions, and the queue's swing over the margin."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.plot.style import COLOURS, GREY, MARKERS, TWO_COLUMNS
from ackclock.plot.sweep.labels import legend_above
from ackclock.stats import bounded, estimates
from ackclock.studies.lines import marks
from ackclock.studies.weighing import confidence_of
from ackclock.theory import stability_region
from ackclock_papers.drawing import drawing
from ackclock_papers.tcp_criteria.stability import (
    FLOWS,
    LAWS,
    NEAR,
    PACKET_BITS,
    RED,
    SWING,
    seen,
    settings,
)

if TYPE_CHECKING:
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

_RTTS_MS = np.geomspace(10.0, 500.0, 24)
_RATES_MBIT = np.geomspace(6.0, 360.0, 24)
_UNSTABLE = "#F6D9C4"
_UNKNOWN = "#EEEEEE"
_MOST = 180.0


def _shade(axes: Any, cc: str) -> None:
    """Draw the model's regions."""
    if cc not in LAWS:
        axes.set_facecolor(_UNKNOWN)
        return
    law, parts = LAWS[cc]
    margins = stability_region(
        law, list(_RTTS_MS / 1e3), list(_RATES_MBIT * 1e6 / PACKET_BITS), parts * FLOWS, **RED
    )
    known = np.ma.masked_invalid(np.clip(margins, -_MOST, _MOST)).T
    axes.set_facecolor(_UNKNOWN)
    axes.contourf(
        _RTTS_MS,
        _RATES_MBIT,
        known,
        levels=[-_MOST - 1, 0.0, _MOST + 1],
        colors=[_UNSTABLE, "white"],
    )
    if known.min() < 0 < known.max():
        axes.contour(
            _RTTS_MS, _RATES_MBIT, known, levels=[0.0], colors=[COLOURS[5]], linewidths=0.9
        )


def draw_map(results: Results) -> PaperFigure:
    """Draw the model's regions and the runs, a panel for each control."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    every = settings(results)
    did = seen(every)
    looks = {"steady": ("o", "white"), "undecided": ("o", GREY), "swings": ("X", "black")}
    names = list(dict.fromkeys(place.cc for place in every))
    columns = min(len(names), 3)
    rows = math.ceil(len(names) / columns)
    with drawing(
        TWO_COLUMNS, 0.7 + 1.55 * rows, rows, columns, sharex=True, sharey=True, squeeze=False
    ) as (figure, panels):
        for axes in panels.flat[len(names) :]:
            axes.set_visible(False)
        for axes, cc in zip(panels.flat, names, strict=False):
            axes.set(xscale="log", yscale="log")
            axes.grid(visible=False)
            _shade(axes, cc)
            for setting, word in zip(every, did, strict=True):
                if setting.cc == cc:
                    marker, fill = looks[word]
                    axes.plot(
                        [setting.rtt_ms],
                        [setting.rate_mbit],
                        marker,
                        mfc=fill,
                        mec="black",
                        mew=0.8,
                        markersize=5.5,
                        clip_on=False,
                        zorder=4,
                    )
            axes.set(xlim=(_RTTS_MS[0], _RTTS_MS[-1]), ylim=(_RATES_MBIT[0], _RATES_MBIT[-1]))
            axes.set_xticks([10, 100], ["10", "100"])
            axes.set_yticks([10, 100], ["10", "100"])
            axes.set_title(cc)
        figure.supxlabel("Round-trip time without a queue (ms)", fontsize=8)
        figure.supylabel("Rate (Mbit/s)", fontsize=8)
        handles = [
            Patch(facecolor="white", edgecolor=GREY, linewidth=0.5),
            Patch(facecolor=_UNSTABLE, edgecolor=COLOURS[5], linewidth=0.9),
            Patch(facecolor=_UNKNOWN),
            *(
                Line2D(
                    [], [], marker=marker, mfc=fill, mec="black", linestyle="none", markersize=5.5
                )
                for marker, fill in looks.values()
            ),
        ]
        captions = [
            "stable by the model",
            "unstable by it",
            "no model",
            *(f"run: {word}" for word in looks),
        ]
        legend_above(figure, handles, captions, TWO_COLUMNS)
        return figure


def draw_swing(results: Results) -> PaperFigure:
    """The queue's swing over the phase margin."""
    every = [
        setting
        for setting in settings(results)
        if setting.margin is not None and math.isfinite(setting.margin)
    ]
    means = [
        bounded(estimate, 0.0)
        for estimate in estimates(
            [list(setting.swing.values()) for setting in every], confidence_of(1)
        )
    ]
    with drawing(0.8 * TWO_COLUMNS, 3.0) as (figure, axes):
        axes.axhline(SWING, color=GREY, linewidth=0.8, zorder=1)
        axes.axvspan(-NEAR, NEAR, color="#EEEEEE", linewidth=0, zorder=0)
        for rank, cc in enumerate(LAWS):
            its = [
                (max(-_MOST, float(setting.margin or 0.0)), mean)
                for setting, mean in zip(every, means, strict=True)
                if setting.cc == cc
            ]
            marks(
                axes,
                [margin for margin, _ in its],
                [setting for _, setting in its],
                fmt=MARKERS[rank],
                color=COLOURS[rank],
                markersize=4,
                label=cc,
            )
        axes.set_xlim(-_MOST - 8, 150)
        axes.set_xticks([-180, -90, 0, 90], ["≤ −180", "−90", "0", "90"])
        axes.set(
            xlabel="Phase margin of the linearised fluid (degrees)",
            ylabel="Queue: 95th less 5th percentile\nover its mean",
            ylim=(0, None),
        )
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return figure
