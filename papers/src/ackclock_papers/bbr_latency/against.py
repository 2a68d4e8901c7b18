"""P2's open questions: shares between flows of different RTTs, and beside loss-based flows."""

from __future__ import annotations

import math
from statistics import median
from typing import TYPE_CHECKING

from ackclock.plot.style import TWO_COLUMNS
from ackclock.stats import bounded, estimates
from ackclock.studies.claim import Evidence, Verdict
from ackclock.studies.lines import look_of, marked_line
from ackclock.studies.rules import Rule
from ackclock.studies.weighing import confidence_of, percent, seeds_of, shown, signed
from ackclock.theory import bbr_share_against_loss
from ackclock_papers.bbr_latency.legends import legend_beside
from ackclock_papers.bbr_latency.rules import PACKET_BYTES, RATE, RTT_S, combined
from ackclock_papers.builders import rule
from ackclock_papers.drawing import drawing, labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ackclock.stats import Estimate
    from ackclock.studies.results import At, Results, Spot
    from ackclock.views.figure import PaperFigure

FAR = ("rate of the far flow", "rate of the near flow")
OURS = ("rate of ours", "rate of the other")
_BESIDE = ("cubic", "reno")


def shares(results: Results, experiment: str, rates: tuple[str, str], at: At) -> list[Spot]:
    """The first rate's share of both, run by run."""
    pair, other = (results.spots(experiment, rate, at) for rate in rates)
    return combined(pair, other, lambda a, b: a / (a + b) if a + b else math.nan)


def _shares_within(spots: Sequence[Spot], confidence: float) -> list[Estimate]:
    """Mean shares with intervals from 0 to 1."""
    return [
        bounded(estimate, 0.0, 1.0)
        for estimate in estimates([list(spot.values.values()) for spot in spots], confidence)
    ]


@rule(
    "the longer flow's share of both goodputs, mean over seeds, for each algorithm at the largest "
    "RTT, each interval of 1 − 5 %/k confidence for k algorithms",
    "rtt-fairness",
)
def far_shares(results: Results) -> Verdict:
    """The longer flow's share, for each algorithm where the RTTs differ most."""
    kinds = labels(results, "rtt-fairness", "cc")
    spots_by_cc = [shares(results, "rtt-fairness", FAR, {"cc": cc}) for cc in kinds]
    widest = [spots[-1] for spots in spots_by_cc]
    means = _shares_within(widest, confidence_of(len(widest)))
    evidence = [
        Evidence(
            f"{cc}, {spot.labels['far_rtt']} ms",
            "open",
            mean.mean,
            mean.low,
            mean.high,
            "%",
            mean.n,
            mean.why,
        )
        for cc, spot, mean in zip(kinds, widest, means, strict=True)
    ]
    intervals = ", ".join(
        f"{cc} {shown(interval)}" for cc, interval in zip(kinds, evidence, strict=True)
    )
    by_rtt = {
        cc: {
            str(spot.labels["far_rtt"]): math.fsum(spot.values.values()) / len(spot.values)
            for spot in spots
            if spot.values
        }
        for cc, spots in zip(kinds, spots_by_cc, strict=True)
    }
    sentence = (
        f"beside a flow of 10 ms one of {widest[0].labels['far_rtt']} ms has of both: {intervals} "
        f"({seeds_of(evidence)})."
    )
    return Verdict("answered", sentence, {"share": by_rtt}, tuple(evidence), "The longer flow")


def ware(buffer: float) -> float:
    """The model's share at a buffer in BDP."""
    return bbr_share_against_loss(buffer, RATE / 8 / PACKET_BYTES, RTT_S)


def _pairs(results: Results) -> list[tuple[str, float, float]]:
    numbers = results.numbers("against", "buffer")
    pairs = []
    for beside in labels(results, "against", "beside"):
        for spot in shares(results, "against", OURS, {"beside": beside, "cc": "bbr"}):
            buffer = float(spot.labels["buffer"])
            if buffer >= 1 and spot.values and spot.labels["buffer"] in numbers:
                mean = math.fsum(spot.values.values()) / len(spot.values)
                pairs.append((f"{beside}, {buffer:g} BDP", mean, ware(buffer)))
    return pairs


def _judge_ware(results: Results) -> Verdict:
    pairs = _pairs(results)
    errors = {name: measured / computed - 1 for name, measured, computed in pairs}
    if not errors:
        return Verdict("cannot be judged", "there are no runs of it.")
    worst = max(errors, key=lambda name: abs(errors[name]))
    middle = median(map(abs, errors.values()))
    figures = {
        name: {"measured": measured, "model": computed} for name, measured, computed in pairs
    }
    differences = ", ".join(f"{signed(error)} at {name}" for name, error in errors.items())
    return Verdict(
        "answered",
        f"its median error is {percent(middle)}, its largest {percent(abs(errors[worst]))} at "
        f"{worst}; measured against model: {differences}.",
        figures,
        subject="The model",
    )


WARE = Rule(
    "share of plain BBR beside one loss-based flow, mean over seeds, against the model, as a share "
    "of the model's; their median size",
    _judge_ware,
    ("against",),
)


def _draw(axes: Axes, spots: list[Spot], axis: str, rank: int, label: str) -> None:
    x = [float(spot.labels[axis]) for spot in spots]
    marked_line(axes, x, _shares_within(spots, 0.95), look_of(label, rank))


def draw_far(results: Results) -> PaperFigure:
    """Draw P2-Q7."""
    with drawing(TWO_COLUMNS, 2.6) as (figure, axes):
        axes.axhline(0.5, color="#B0B0B0", linewidth=0.8)
        for rank, cc in enumerate(labels(results, "rtt-fairness", "cc")):
            _draw(axes, shares(results, "rtt-fairness", FAR, {"cc": cc}), "far_rtt", rank, cc)
        axes.set_xscale("log")
        ticks = [float(label) for label in labels(results, "rtt-fairness", "far_rtt")]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set(ylim=(0, 1), xlabel="RTT of the longer flow (ms)", ylabel="Its share of both")
        legend_beside(figure, axes)
        return figure


def draw_against(results: Results) -> PaperFigure:
    """Draw P2-Q8 and Q9."""
    with drawing(TWO_COLUMNS, 2.8, 1, 2, sharey=True) as (figure, both):
        ticks = [float(label) for label in labels(results, "against", "buffer")]
        for axes, beside in zip(both, _BESIDE, strict=True):
            axes.axhline(0.5, color="#B0B0B0", linewidth=0.8)
            for rank, cc in enumerate(labels(results, "against", "cc")):
                _draw(
                    axes,
                    shares(results, "against", OURS, {"beside": beside, "cc": cc}),
                    "buffer",
                    rank,
                    cc,
                )
            deep = [tick for tick in ticks if tick >= 1]
            axes.plot(
                deep,
                [ware(tick) for tick in deep],
                color="#000000",
                linewidth=1.2,
                linestyle=":",
                label="Ware et al.",
            )
            axes.set_xscale("log")
            axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
            axes.minorticks_off()
            axes.set(ylim=(0, 1), xlabel="Buffer (BDP)")
            axes.set_title(f"Beside {beside}", loc="left")
        both[0].set_ylabel("Share of both")
        legend_beside(figure, both[-1])
        return figure
