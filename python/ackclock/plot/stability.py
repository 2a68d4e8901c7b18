"""Regions of round-trip time and rate in which controls are stable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ackclock.plot.looking import drawn
from ackclock.plot.style import COLOURS, DASHES, ONE_COLUMN, new_figure
from ackclock.views.figure import PaperFigure, paper
from ackclock.views.figure_options import Options, make_look

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["stability_map"]


def stability_map(
    regions: Mapping[str, Any],
    rtts: Sequence[float],
    rates: Sequence[float],
    *,
    packet_size: float = 1500.0,
    **options: Unpack[Options],
) -> PaperFigure:
    """Draw the line of zero phase margin of each control, beyond which the control oscillates.

    Parameters
    ----------
    regions
        Phase margins from `ackclock.theory.stability_region`, by the name of the control.
    rtts, rates
        Round-trip times and rates of the margins, s and packets/s.
    packet_size
        Size of a packet on the wire, bytes: rates are drawn in bit/s.
    options
        See `Look`; the width is one column of a paper by default.
    """
    from matplotlib.lines import Line2D

    if len(regions) > len(COLOURS):
        raise ValueError(f"{len(regions)} lines cannot be told apart: {len(COLOURS)} at most")
    x, y = 1e3 * np.asarray(rtts), 8 * packet_size * np.asarray(rates) / 1e6
    look = make_look(options)

    def make() -> PaperFigure:
        with paper(as_written=True):
            figure = new_figure(look.width or ONE_COLUMN, look.height or 2.6)
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
                        x,
                        y,
                        np.ma.masked_invalid(np.clip(values, -180, 180)).T,
                        levels=[0.0],
                        colors=[COLOURS[number]],
                        linestyles=[style],
                    )
                elif known.size:
                    # Without a line, the name must say whether the control is stable.
                    where = ": stable throughout" if known.min() >= 0 else ": stable nowhere"
                drawn: Any = "none" if where else style
                handles.append(
                    Line2D([], [], color=COLOURS[number], linestyle=drawn, label=f"{name}{where}")
                )
            axes.set_xlim(x.min(), x.max())
            axes.set_ylim(y.min(), y.max())
            axes.set_xlabel("Round-trip time without a queue (ms)")
            axes.set_ylabel("Rate (Mbit/s)")
            axes.legend(
                handles=handles,
                loc="lower left",
                bbox_to_anchor=(0.0, 1.0),
                ncols=2,
                columnspacing=1.2,
            )
            return figure

    return drawn(make, look)
