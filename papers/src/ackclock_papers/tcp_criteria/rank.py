"""P4: the higher a response curve lies, the more such a connection gets beside others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.plot.style import COLOURS, ONE_COLUMN
from ackclock.runtime.extras import importing
from ackclock.stats import bounded, estimates
from ackclock.studies.weighing import Range, confidence_of, verdict_of
from ackclock_papers.drawing import drawing
from ackclock_papers.tcp_criteria.response import FORMULAS

if TYPE_CHECKING:
    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

LEAST = 0.7
"""Smallest rank correlation that is called strong."""


def _by_control(
    results: Results, experiment: str, response: str, axis: str, at: dict[str, float]
) -> dict[str, dict[int, float]]:
    return {
        str(spot.labels[axis]): dict(spot.values)
        for spot in results.spots(experiment, response, at)
    }


@dataclass(frozen=True)
class RankCorrelation:
    """Spearman's coefficient over controls: heights of response curves and goodputs beside Reno."""

    controls: tuple[str, ...]
    loss: float
    """Loss rate at which the curves' heights are read."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """Return the experiments of curves and of pairs of flows."""
        return ("response", "beside")

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return (
            f"Spearman's rank correlation, over {', '.join(self.controls)}, between the mean "
            f"window at a loss rate of {self.loss:g} and the goodput of one flow beside one of "
            f"Reno is {LEAST:g} at least; seed by seed, 95 % confidence"
        )

    def judge(self, results: Results) -> Verdict:
        """Judge the coefficients by their interval."""
        with importing("science"):
            from scipy.stats import spearmanr

        windows = _by_control(results, "response", "window.mean", "cc", {"loss": self.loss})
        goodputs = _by_control(results, "beside", "other_goodput", "beside", {})
        named = [cc for cc in self.controls if cc in windows and cc in goodputs]
        columns = [windows[cc] for cc in named] + [goodputs[cc] for cc in named]
        seeds = sorted(set.intersection(*map(set, columns))) if len(named) > 2 else []
        values = [
            float(
                spearmanr(
                    [windows[cc][seed] for cc in named], [goodputs[cc][seed] for cc in named]
                ).statistic
            )
            for seed in seeds
        ]
        correlation = bounded(estimates([values], confidence_of(1))[0], -1.0, 1.0)
        claimed = Range(lowest=LEAST)
        weighed = [claimed.evidence("", correlation, correlation.mean, "1")]
        return verdict_of("Rank correlation of window and goodput", weighed if values else [])


LAWFUL = RankCorrelation(tuple(FORMULAS), 1e-4)
EVERY = RankCorrelation((*FORMULAS, "vegas", "bbr"), 1e-4)


def draw(results: Results) -> PaperFigure:
    """Goodput beside Reno over the height of the response curve."""
    windows = _by_control(results, "response", "window.mean", "cc", {"loss": LAWFUL.loss})
    goodputs = _by_control(results, "beside", "other_goodput", "beside", {})
    with drawing(1.5 * ONE_COLUMN, 2.9) as (figure, axes):
        axes.set_xscale("log")
        for cc in (name for name in EVERY.controls if windows.get(name) and goodputs.get(name)):
            x = sum(windows[cc].values()) / len(windows[cc])
            y = 1e-6 * sum(goodputs[cc].values()) / len(goodputs[cc])
            lawful = cc in FORMULAS
            axes.plot(
                [x], [y], "o", color=COLOURS[0], mfc=COLOURS[0] if lawful else "white", markersize=5
            )
            axes.annotate(cc, (x, y), xytext=(5, 4), textcoords="offset points", fontsize=7)
        axes.set(
            xlabel="Mean window at a loss rate of 0.01 % (packets)",
            ylabel="Goodput beside one flow of Reno (Mbit/s)",
            ylim=(0, 104),
            xlim=(80, 6000),
        )
        ticks = (100, 200, 500, 1000, 2000, 5000)
        axes.set_xticks(ticks, [f"{x:,}" for x in ticks])
        axes.minorticks_off()
        return figure
