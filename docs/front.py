"""The README's first picture: a paper's claim, run. From one experiment of a study, with its criterion's intervals."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from ackclock.plot.style import COLOURS, GREY, PaperFigure, new_figure, paper
from ackclock.plot.sweep.labels import ink
from ackclock.studies import find_study, run_study
from ackclock.studies.criteria import Change
from ackclock.studies.results import Results
from ackclock.studies.study import Experiment

SEEDS = 10
NAME = "lost-packets"
# Half of the study's seeds, and the paper's transport alone: half a minute.
FEWER = Experiment(NAME, f"{NAME}.toml", quick={"replications": SEEDS, "axes": {"transport": ["classic"]}})
LINES = (("cos+reno", "COS-Slow-Start", COLOURS[5], "o"), ("cos(sigma=0)+reno", "without its\nexit rule", COLOURS[0], "s"))


def runs(store: Path | None = None) -> Results:
    """The experiment's."""
    study = find_study("cos-slow-start")
    alone = replace(study, experiments=(FEWER,), claims=(), questions=(), recordings=(), figures=(), tables=())
    return run_study(alone, quick=True, store=store).results


def draw(results: Results) -> PaperFigure:
    """What COS-Slow-Start loses against Reno, over the number of connections; 800 pixels wide."""
    with paper():
        figure = new_figure(600 / 72, 300 / 72)
        # On a dark page it is a white card, which needs a margin.
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
        axes = figure.subplots()
        axes.grid(visible=False)
        axes.axhspan(-100, 0, color="#EAF3F9", linewidth=0, zorder=0)
        axes.axhline(0.0, color=GREY, linewidth=1.0, zorder=1)
        for value, name, colour, marker in LINES:
            pairing = Change(NAME, "lost_packets", "cc", value, "reno")
            x = np.array([float(ours.labels["connections"]) for ours, _ in pairing.pairs(results)])
            found = pairing.weigh(results)
            middle, low, high = (100 * np.array([getattr(one, part) for one in found]) for part in ("value", "low", "high"))
            axes.errorbar(x, middle, yerr=[middle - low, high - middle], fmt="none", ecolor=colour, elinewidth=1.4, capsize=3)
            axes.plot(x, middle, color=colour, marker=marker, markersize=6, linewidth=1.8, zorder=3)
            axes.text(x[-1] + 2, middle[-1], name, color=ink(colour), va="center", fontsize=11, weight="bold")
        axes.text(1.5, 40, "more lost than\nwith Reno's slow start", color=GREY, va="center", fontsize=10.5)
        axes.text(101, -22, "fewer lost, as the paper has it throughout", color=GREY, ha="right", va="center", fontsize=10.5)
        axes.set_xlim(0, 122)
        axes.set_ylim(-30, 80)
        axes.set_xticks([1, 20, 40, 60, 80, 100])
        axes.set_yticks([-20, 0, 20, 40, 60], ["−20 %", "0", "+20 %", "+40 %", "+60 %"])
        axes.tick_params(labelsize=10.5)
        axes.set_xlabel("Connections that share a link of 1.5 Mbit/s and a buffer of 20 packets", fontsize=10.5)
        axes.set_title("A paper's claim, run: does COS-Slow-Start lose fewer packets?", fontsize=13, weight="bold", loc="left", pad=24)
        subtitle = f"Change of lost packets against Reno, paired by seed; {SEEDS} seeds, 95 % intervals over all settings together"
        axes.text(0.0, 1.03, subtitle, transform=axes.transAxes, fontsize=10, color=GREY)
        return figure
