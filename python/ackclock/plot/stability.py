"""Regions of round-trip time and rate in which controls are stable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, ONE_COLUMN, PaperFigure, new_figure, paper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["stability_map"]


def stability_map(
    regions: Mapping[str, Any], rtts: Sequence[float], rates: Sequence[float], *, packet_size: float = 1500.0, width: float = ONE_COLUMN
) -> PaperFigure:
    """The line of no phase margin of each control, which parts what comes to rest from what oscillates, at long round trips and high rates.

    Parameters
    ----------
    regions
        By what they are called, phase margins of `ackclock.theory.stability_region`.
    rtts, rates
        Those it was given, s and packets/s.
    packet_size
        On the wire, bytes: rates are drawn in bit/s.
    width
        Inches.
    """
    from matplotlib.lines import Line2D

    if len(regions) > len(COLOURS):
        raise ValueError(f"{len(regions)} lines cannot be told apart: {len(COLOURS)} at most")
    x, y = 1e3 * np.asarray(rtts), 8 * packet_size * np.asarray(rates) / 1e6
    with paper():
        figure = new_figure(width, 2.6)
        axes = figure.subplots()
        axes.set_xscale("log")
        axes.set_yscale("log")
        handles = []
        for number, (name, margins) in enumerate(regions.items()):
            values = np.asarray(margins, float)
            style: Any = DASHES[number % len(DASHES)]
            known = values[~np.isnan(values)]
            where = ""
            if known.size and known.min() < 0 < known.max():
                axes.contour(
                    x, y, np.ma.masked_invalid(np.clip(values, -180, 180)).T, levels=[0.0], colors=[COLOURS[number]], linestyles=[style]
                )
            elif known.size:
                # Without a line of its own a name must say which side everything is on.
                where = ": stable throughout" if known.min() >= 0 else ": stable nowhere"
            handles.append(Line2D([], [], color=COLOURS[number], linestyle=style if not where else "none", label=f"{name}{where}"))
        axes.set_xlim(x.min(), x.max())
        axes.set_ylim(y.min(), y.max())
        axes.set_xlabel("Round-trip time without a queue (ms)")
        axes.set_ylabel("Rate (Mbit/s)")
        axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, columnspacing=1.2)
        return figure
