"""P4-F1: the window over the loss rate, by formula and by run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, DASHES, GREY, MARKERS, ONE_COLUMN
from ackclock.stats import bounded, estimates
from ackclock.studies.criteria import Curve
from ackclock.studies.lines import marks
from ackclock.studies.weighing import confidence_of
from ackclock.theory import (
    aimd_random_window,
    cubic_random_average_window,
    highspeed_window,
    path_window,
    scalable_window,
)
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

RTT_S = 0.1
PATH = path_window(300e6, RTT_S)


def _cubic(p: float) -> float:
    return max(cubic_random_average_window(p, RTT_S), aimd_random_window(p, 9 / 17, 0.3))


FORMULAS: dict[str, Callable[[float], float]] = {
    "reno": aimd_random_window,
    "8 x reno": lambda p: 8 * aimd_random_window(p),
    "multcp(n=8)": lambda p: aimd_random_window(p, 8, 1 / 16),
    "scalable": scalable_window,
    "highspeed": highspeed_window,
    "cubic": _cubic,
}
"""Mean window under losses by chance; Vegas and BBR have no such law."""


def _windows(results: Results, cc: str) -> tuple[list[float], list[dict[int, float]]]:
    """Loss rates, and windows by seed at each."""
    spots = results.spots("response", "window.mean", {"cc": cc})
    return [float(spot.labels["loss"]) for spot in spots], [dict(spot.values) for spot in spots]


SMALL_LOSSES = [1e-4, 3e-4, 1e-3]
"""Windows are well above the 16 packets of Scalable's and the 38 of HighSpeed's and CUBIC's
Reno-like regions.
"""


def follows(cc: str, tolerance: float) -> Curve:
    """The mean window agrees with its formula."""
    at = {"cc": cc, "loss": SMALL_LOSSES}
    return Curve(
        "response", "window.mean", "loss", FORMULAS[cc], tolerance, at, f"the formula of {cc}"
    )


def draw(results: Results) -> PaperFigure:
    """Draw windows by formula and by runs."""
    with drawing(1.6 * ONE_COLUMN, 3.2) as (figure, axes):
        axes.set(xscale="log", yscale="log")
        axes.axhline(PATH, color=GREY, linewidth=0.8, zorder=1)
        grid = np.geomspace(1e-4, 1e-2, 50)
        names = [
            str(label)
            for axis in results.sweeps["response"].design.axes
            if axis.name == "cc"
            for label in axis.labels
        ]
        for rank, name in enumerate(names):
            colour, dashes, marker = (
                (COLOURS[rank], DASHES[rank], MARKERS[rank])
                if rank < len(COLOURS)
                else (GREY, ":", "*")
            )
            losses, windows = _windows(results, name)
            every = estimates([list(window.values()) for window in windows], confidence_of(1))
            means = [bounded(estimate, 0.0) for estimate in every]
            lawful = name in FORMULAS
            marks(
                axes,
                losses,
                means,
                fmt=marker,
                linestyle="none" if lawful else (0, (1, 3)),
                color=colour,
                markersize=3.5,
                label=name if lawful else f"{name} (runs only)",
            )
            if lawful:
                axes.plot(grid, [FORMULAS[name](p) for p in grid], color=colour, linestyle=dashes)
        axes.set(
            xlabel="Share of packets lost by chance", ylabel="Mean window (packets)", ylim=(5, 5000)
        )
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return figure
