"""Figures that studies share beside those of sweeps (`SweepResult.plot`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, GREY, MARKERS, ONE_COLUMN, TWO_COLUMNS, new_figure, paper
from ackclock.plot.sweep.labels import Look, beside_lines
from ackclock.plot.sweep.scale import along as place_along
from ackclock.plot.sweep.scale import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.plot.style import PaperFigure
    from ackclock.studies.criteria import Pairing
    from ackclock.studies.results import Results

__all__ = ["changes"]


def changes(results: Results, panels: Mapping[str, Mapping[str, Pairing]], along: str) -> PaperFigure:
    """Paired changes as shares of the base, over an axis, with the intervals that the verdict rests on.

    Parameters
    ----------
    results
        The study's.
    panels
        By the panels' titles: pairings of one response and base, by the names that are written beside their lines.
    along
        The axis; the pairings' `at` hold all others.
    """
    with paper():
        figure = new_figure(TWO_COLUMNS if len(panels) > 1 else 1.25 * ONE_COLUMN, 2.4)
        every = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        title, response, base = "", "", ""
        for axes, (name, pairings) in zip(every, panels.items(), strict=True):
            axes.axhline(0.0, color=GREY, linewidth=0.8, zorder=1)
            ends = []
            for rank, (label, pairing) in enumerate(pairings.items()):
                axis = next(each for each in results.sweeps[pairing.experiment].design.axes if each.name == along)
                where = dict(zip(axis.labels, place_along(axes, axis, 3.0), strict=True))
                title, response, base = axes.get_xlabel(), pairing.response, str(pairing.base)
                look = Look(label, COLOURS[(rank + 1) % len(COLOURS)], DASHES[(rank + 1) % len(DASHES)], MARKERS[(rank + 1) % len(MARKERS)])
                found = [
                    (where[ours.labels[along]], *(100 * (one.value if each is None else each) for each in (one.value, one.low, one.high)))
                    for one, (ours, _) in zip(pairing.weigh(results), pairing.pairs(results), strict=True)
                    if one.value is not None
                ]
                if not found:
                    continue
                x, middle, low, high = (np.array(column) for column in zip(*found, strict=True))
                axes.errorbar(x, middle, yerr=[middle - low, high - middle], fmt="none", ecolor=look.colour, elinewidth=0.8, capsize=2)
                axes.plot(x, middle, color=look.colour, linestyle=look.dashes, marker=look.marker, markersize=3.5, zorder=3)
                ends.append((float(x[-1]), float(middle[-1]), look))
            axes.set_title(name)
            axes.set_xlabel(title)
            if axes is every[-1]:
                beside_lines(figure, axes, ends)
        every[0].set_ylabel(f"Change of {words(response)}\nagainst {base} (%)")
        return figure
