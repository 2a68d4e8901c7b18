"""The README's first picture: a paper's claim, run here and in ns-2, with the intervals of both."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ackclock.plot.style import COLOURS, GREY, PaperFigure, new_figure, paper
from ackclock.plot.sweep.labels import ink
from ackclock.stats import differences
from ackclock.studies import find_study, run_study
from ackclock.studies.criteria import Change
from ackclock.studies.results import Results
from ackclock.studies.study import Experiment
from ackclock.studies.weighing import confidence_of

SEEDS = 10
NAME = "lost-packets"
# Half of the study's seeds, the paper's transport alone, and the connections that ns-2 was run with.
FEWER = Experiment(NAME, f"{NAME}.toml", quick={"replications": SEEDS, "axes": {"transport": ["classic"]}})
RECORDED = Path(__file__).parents[1] / "tests/theory/ns2/p1.json"
STAGGER = 1.0
"""Starts are within so many seconds in the study."""


@dataclass(frozen=True)
class Point:
    """A change of lost packets against Reno, with its interval; shares of Reno's mean."""

    connections: float
    value: float
    low: float
    high: float


def runs(store: Path | None = None) -> Results:
    """The experiment's."""
    study = find_study("cos-slow-start")
    alone = replace(study, experiments=(FEWER,), claims=(), questions=(), recordings=(), figures=(), tables=())
    return run_study(alone, quick=True, store=store).results


def ours(results: Results) -> list[Point]:
    """What the study's criterion weighs."""
    pairing = Change(NAME, "lost_packets", "cc", "cos+reno", "reno")
    connections = [float(spot.labels["connections"]) for spot, _ in pairing.pairs(results)]
    found = zip(connections, pairing.weigh(results), strict=True)
    return [Point(n, one.value or 0.0, one.low or 0.0, one.high or 0.0) for n, one in found]


def ns2() -> list[Point]:
    """The same of ns-2's recorded runs, paired by seed."""
    points = json.loads(RECORDED.read_text(encoding="utf-8"))["points"]
    drops = {
        cc: {one["connections"]: one["drops"] for one in points if (one["cc"], one["stagger"]) == (cc, STAGGER)}
        for cc in ("reno", "cos+reno")
    }
    connections = sorted(drops["reno"])
    found = differences([(drops["cos+reno"][n], drops["reno"][n]) for n in connections], confidence_of(len(connections)))
    means = [sum(drops["reno"][n]) / len(drops["reno"][n]) for n in connections]
    return [
        Point(n, (one.difference or 0.0) / mean, (one.low or 0.0) / mean, (one.high or 0.0) / mean)
        for n, one, mean in zip(connections, found, means, strict=True)
    ]


def draw(results: Results) -> PaperFigure:
    """What COS-Slow-Start loses against Reno, over the number of connections; 800 pixels wide."""
    lines = ((ours(results), "ackclock", COLOURS[5], "o", -0.6), (ns2(), "ns-2", COLOURS[0], "s", 0.6))
    with paper():
        figure = new_figure(600 / 72, 300 / 72)
        # On a dark page it is a white card, which needs a margin.
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
        axes = figure.subplots()
        axes.grid(visible=False)
        axes.axhspan(-100, 0, color="#EAF3F9", linewidth=0, zorder=0)
        axes.axhline(0.0, color=GREY, linewidth=1.0, zorder=1)
        for points, name, colour, marker, aside in lines:
            x = np.array([point.connections for point in points]) + aside
            middle, low, high = (100 * np.array([getattr(point, part) for point in points]) for part in ("value", "low", "high"))
            axes.errorbar(x, middle, yerr=[middle - low, high - middle], fmt="none", ecolor=colour, elinewidth=1.6, capsize=3)
            axes.plot(x, middle, color=colour, marker=marker, markersize=6, linewidth=0, zorder=3)
            axes.text(104, 4.5 if aside < 0 else -4.5, name, color=ink(colour), va="center", fontsize=12, weight="bold")
        axes.text(101, 15, "more lost than with Reno's slow start", color=GREY, ha="right", va="center", fontsize=10.5)
        axes.text(101, -15, "fewer lost, as the paper has it throughout", color=GREY, ha="right", va="center", fontsize=10.5)
        axes.set_xlim(-2, 118)
        axes.set_ylim(-20, 20)
        axes.set_xticks([1, 20, 40, 60, 80, 100])
        axes.set_yticks([-20, -10, 0, 10, 20], ["−20 %", "−10 %", "0", "+10 %", "+20 %"])
        axes.tick_params(labelsize=10.5)
        axes.set_xlabel("Connections that share a link of 1.5 Mbit/s and a buffer of 20 packets", fontsize=10.5)
        axes.set_title(
            "A claim, in two simulators: does COS-Slow-Start lose fewer packets?", fontsize=13, weight="bold", loc="left", pad=24
        )
        subtitle = f"Change of lost packets against Reno, paired by seed; {SEEDS} seeds, 95 % intervals over all settings together"
        axes.text(0.0, 1.03, subtitle, transform=axes.transAxes, fontsize=10, color=GREY)
        return figure
