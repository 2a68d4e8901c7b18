"""P4: several connections for one transfer, their gain and their harm to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.plot.style import COLOURS, GREY, MARKERS, TWO_COLUMNS
from ackclock.studies.criteria import greater, less
from ackclock.studies.criteria.phrases import means_within
from ackclock.studies.lines import marks
from ackclock_papers.builders import every
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

NUMBERS = (1, 2, 4, 8, 16, 32, 64)
FEW = 4
"""Number of connections that fit beside the four flows, with which they use two thirds of the path.
"""
MANY = 64
HARM = 0.05
"""Harmless loss of the others' throughput: 5 %."""

GAIN = every(
    {
        f"path {path}, {n} connections against {n // 2}": greater(
            "number", "transfer_goodput", "connections", n, n // 2, at={"path": path}
        )
        for path in ("full", "empty")
        for n in NUMBERS[1:]
    }
)
HARM_FULL = every(
    {
        f"{n} connections against one": less(
            "number", "others_goodput", "connections", n, 1, by=HARM, at={"path": "full"}
        )
        for n in NUMBERS[1:]
    }
)
NO_NUMBER_FITS = every(
    {
        f"empty path, {FEW} connections do no harm": greater(
            "number", "others_goodput", "connections", FEW, 1, by=-HARM, at={"path": "empty"}
        ),
        f"empty path, {MANY} connections do harm": less(
            "number", "others_goodput", "connections", MANY, 1, by=HARM, at={"path": "empty"}
        ),
        f"full path, {FEW} connections do harm": less(
            "number", "others_goodput", "connections", FEW, 1, by=HARM, at={"path": "full"}
        ),
    }
)


def draw(results: Results) -> PaperFigure:
    """Throughput of the transfer and of the others over the number of its connections."""
    with drawing(TWO_COLUMNS, 2.5, 1, 2, sharey=True) as (figure, panels):
        titles = {"full": "The others fill the path", "empty": "0.3 % of packets lost by chance"}
        for axes, (path, title) in zip(panels, titles.items(), strict=True):
            for rank, (response, name) in enumerate(
                (("transfer_goodput", "the transfer"), ("others_goodput", "the others"))
            ):
                spots = results.spots("number", response, {"path": path})
                y = marks(
                    axes,
                    [float(spot.labels["connections"]) for spot in spots],
                    means_within(results, "number", response, spots),
                    factor=1e-6,
                    fmt=MARKERS[rank],
                    linestyle="-",
                    color=COLOURS[rank],
                    markersize=4,
                    label=name,
                )
                if response == "others_goodput" and len(y):
                    axes.axhline(y[0], color=GREY, linewidth=0.8, zorder=1)
            axes.set_xscale("log", base=2)
            axes.set_xticks(NUMBERS, [str(n) for n in NUMBERS])
            axes.set_title(title)
            axes.set(xlabel="Connections of the transfer", ylim=(0, None))
        panels[0].set_ylabel("Goodput (Mbit/s)")
        panels[0].legend(loc="center right")
        return figure
