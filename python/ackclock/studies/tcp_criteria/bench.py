"""P4-B1: the score of repeated transfers, where eight connections to a file count as one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, GREY, MARKERS, TWO_COLUMNS, new_figure, paper
from ackclock.stats import estimates
from ackclock.studies.criteria import Change, Effect
from ackclock.studies.weighing import confidence_of

if TYPE_CHECKING:
    from ackclock.plot.style import PaperFigure
    from ackclock.studies.results import Results, Spot

STRIPED = "8 x reno"
PARTS = 8


def _whole(spot: Spot) -> Spot:
    if spot.labels["cc"] != STRIPED:
        return spot
    return replace(spot, values={seed: value / PARTS for seed, value in spot.values.items()})


@dataclass(frozen=True)
class ScoreChange(Change):
    """`Change` of the number of whole files."""

    def pairs(self, results: Results) -> list[tuple[Spot, Spot]]:
        """Parts counted as what they are of a file."""
        return [(_whole(ours), _whole(base)) for ours, base in super().pairs(results)]


@dataclass(frozen=True)
class ScoreEffect(Effect):
    """`Effect` on the number of whole files."""

    def pairs(self, results: Results) -> list[tuple[Spot, Spot]]:
        """Parts counted as what they are of a file."""
        return [(_whole(ours), _whole(base)) for ours, base in super().pairs(results)]


def draw_score(results: Results) -> PaperFigure:
    """Files finished, a panel for each buffer."""
    design = results.sweeps["repeated"].design
    buffers = next(axis for axis in design.axes if axis.name == "buffer").labels
    with paper():
        figure = new_figure(TWO_COLUMNS, 2.4)
        every = figure.subplots(1, len(buffers), sharey=True, squeeze=False)[0]
        for axes, buffer in zip(every, buffers, strict=True):
            spots = [_whole(spot) for spot in results.spots("repeated", "files", {"buffer": buffer})]
            found = estimates([list(spot.values.values()) for spot in spots], confidence_of(1))
            names = [str(spot.labels["cc"]) for spot in spots]
            for rank, one in enumerate(found):
                if one.mean is None:
                    continue
                low, high = (one.mean if end is None else end for end in (one.low, one.high))
                axes.errorbar(
                    [rank],
                    [one.mean],
                    yerr=np.array([[one.mean - low], [high - one.mean]]),
                    fmt=MARKERS[0],
                    color=COLOURS[0],
                    markersize=4,
                    elinewidth=0.8,
                    capsize=2,
                )
            base = names.index("reno") if "reno" in names else None
            if base is not None and found[base].mean is not None:
                axes.axhline(found[base].mean, color=GREY, linewidth=0.8, zorder=1)
            axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
            axes.set_title(f"buffer {buffer:g} BDP")
        every[0].set_ylabel("Files finished in 200 s")
        return figure
