"""The README's first picture: a paper's claim under two readings, run here and in ns-2."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.style import COLOURS, GREY, new_figure
from ackclock.plot.sweep.labels import ink
from ackclock.studies import find_study, run_study
from ackclock.studies.criteria import Change
from ackclock.studies.outside import read_outside
from ackclock.studies.study import Experiment
from ackclock.views.figure import PaperFigure, paper

if TYPE_CHECKING:
    from ackclock.studies.results import Results

SEEDS = 10
NAME = "lost-packets"
SETUP = "as ns-2 has it"
# Half of the study's seeds, and the paper's network alone.
FEWER = Experiment(NAME, f"{NAME}.toml", quick={"replications": SEEDS, "axes": {"setup": [SETUP]}})
READINGS = {"bits": "“1Kb” is a kilobit", "bytes": "“1Kb” is a kilobyte"}


@dataclass(frozen=True)
class Point:
    """A change of lost packets against Reno, with its interval; shares of Reno's mean."""

    connections: float
    value: float
    low: float
    high: float


def runs(store: Path | None = None) -> "Results":
    """The experiment's."""
    study = find_study("cos-slow-start")
    alone = replace(
        study,
        experiments=(FEWER,),
        claims=(),
        questions=(),
        recordings=(),
        figures=(),
        tables=(),
        items=(),
        outside=(),
    )
    return run_study(alone, quick=True, store=store).results


def in_ns2(results: "Results") -> "Results":
    """Return the results with ns-2's recorded runs in the place of ackclock's, of as many seeds."""
    rows = read_outside(find_study("cos-slow-start").folder / "ns2.json").rows
    return replace(results, elsewhere={NAME: [row for row in rows if row["seed"] <= SEEDS]})


def points(results: "Results", units: str) -> list[Point]:
    """Return the paired changes that the study's criterion weighs."""
    pairing = Change(
        NAME, "lost_packets", "cc", "cos+reno", "reno", {"units": units, "setup": SETUP}
    )
    connections = [float(spot.labels["connections"]) for spot, _ in pairing.pairs(results)]
    found = zip(connections, pairing.weigh(results), strict=True)
    return [Point(n, one.value or 0.0, one.low or 0.0, one.high or 0.0) for n, one in found]


def draw(results: "Results") -> PaperFigure:
    """Draw COS-Slow-Start's change of losses against Reno over connections; 800 pixels wide."""
    simulators = (
        ("ackclock", results, COLOURS[5], "o", -0.8),
        ("ns-2", in_ns2(results), COLOURS[0], "s", 0.8),
    )
    with paper():
        figure = new_figure(600 / 72, 330 / 72)
        # On a dark page it is a white card, which needs a margin.
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
        panels = figure.subplots(1, 2, sharey=True)
        for axes, (units, title) in zip(panels, READINGS.items(), strict=True):
            axes.grid(visible=False)
            axes.axhspan(-100, 0, color="#EAF3F9", linewidth=0, zorder=0)
            axes.axhline(0.0, color=GREY, linewidth=1.0, zorder=1)
            for name, these, colour, marker, aside in simulators:
                found = points(these, units)
                x = np.array([point.connections for point in found]) + aside
                middle, low, high = (
                    100 * np.array([getattr(point, part) for point in found])
                    for part in ("value", "low", "high")
                )
                axes.errorbar(
                    x,
                    middle,
                    yerr=[middle - low, high - middle],
                    fmt="none",
                    ecolor=colour,
                    elinewidth=1.6,
                    capsize=3,
                )
                axes.plot(
                    x,
                    middle,
                    color=colour,
                    marker=marker,
                    markersize=6,
                    linewidth=0,
                    zorder=3,
                    label=name,
                )
            axes.set_title(title, fontsize=11.5)
            axes.set_xlim(-3, 104)
            axes.set_ylim(-80, 40)
            axes.set_xticks([1, 20, 40, 60, 80, 100])
            axes.set_yticks([-75, -50, -25, 0, 25], ["−75 %", "−50 %", "−25 %", "0", "+25 %"])
            axes.tick_params(labelsize=10.5)
            axes.set_xlabel("Connections", fontsize=10.5)
        panels[1].text(
            102,
            32,
            "more lost than with Reno's slow start",
            color=GREY,
            ha="right",
            va="center",
            fontsize=10,
        )
        panels[1].text(
            102,
            -70,
            "fewer lost, as the paper has it throughout",
            color=GREY,
            ha="right",
            va="center",
            fontsize=10,
        )
        for place, (name, _, colour, _, _) in enumerate(simulators):
            panels[0].text(
                98,
                -58 - 12 * place,
                name,
                color=ink(colour),
                ha="right",
                va="center",
                fontsize=12,
                weight="bold",
            )
        under = (
            f"Change of lost packets against Reno, paired by seed; {SEEDS} seeds, 95 % intervals "
            "over all settings together"
        )
        figure.supxlabel(under, fontsize=10, color=GREY)
        figure.suptitle(
            "A claim, two readings, two simulators: does COS-Slow-Start lose fewer packets?",
            fontsize=12.3,
            weight="bold",
            x=0.02,
            ha="left",
        )
        return figure
