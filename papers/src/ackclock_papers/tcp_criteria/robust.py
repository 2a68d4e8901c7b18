"""P4's stability for all round-trip times and topologies: Vinnicombe's condition, and runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.plot.style import COLOURS, GREY, MARKERS, ONE_COLUMN
from ackclock.stats import bounded, estimates
from ackclock.studies.claim import Evidence, Verdict
from ackclock.studies.criteria import same
from ackclock.studies.rules import Rule
from ackclock.studies.weighing import Range, confidence_of, seeds_of, span, verdict_of
from ackclock.theory import md1_k_elasticity, vinnicombe_gain
from ackclock.theory.roots import root
from ackclock_papers.builders import every, rule
from ackclock_papers.drawing import drawing

if TYPE_CHECKING:
    from ackclock.studies.results import Results
    from ackclock.views.figure import PaperFigure

BOUND = math.pi / 2
IN_STEP = 1.0
"""Standard deviation of all flows' rate over that of independent ones: above, they move together.
"""
WINDOW = 30.0
"""Packets of each flow at rest on one link: rate x RTT over 40 flows."""
FLOWS, RATE, RTTS_S, LONG_RTT_S = 10, 12_000.0, (0.03, 0.05, 0.07), 0.09
"""The three links in a row: flows of a kind, packets/s of a link, RTTs of crossing one or all."""


def law_of(label: str) -> tuple[float, float]:
    """Return b and a of a label."""
    b, a = (float(part) for part in label.split(", "))
    return b, a


def _loss(label: str, window: float) -> float:
    """Loss rate at which a window of Scalable TCP is at rest."""
    b, a = law_of(label)
    return a / (a + b * window)


def gain_of_one(label: str, buffer: int) -> float:
    """Vinnicombe's gain of equal flows at one small buffer."""
    _, a = law_of(label)
    return vinnicombe_gain(
        f"scalable(a={a})", WINDOW, [md1_k_elasticity(_loss(label, WINDOW), buffer + 1)]
    )


def windows_of_lot() -> tuple[float, tuple[float, ...]]:
    """Return the windows at rest, packets: of the flows over all three links, and over each link.

    Windows of Scalable TCP go as 1/p, and losses add up along a route: the long flow's is one over
    the sum of the others' inverses.
    """

    def short(long: float) -> tuple[float, ...]:
        return tuple(rtt * (RATE / FLOWS - long / LONG_RTT_S) for rtt in RTTS_S)

    def excess(long: float) -> float:
        return long - 1.0 / math.fsum(1.0 / share for share in short(long))

    long = root(excess, 1e-6, 0.999 * RATE * LONG_RTT_S / FLOWS)
    return long, short(long)


def gain_of_lot(label: str, buffer: int) -> float:
    """Return Vinnicombe's gain of the three links in a row: the largest of any flow."""
    _, a = law_of(label)
    long, short = windows_of_lot()
    losses = [_loss(label, window) for window in short]
    elasticities = [md1_k_elasticity(loss, buffer + 1) for loss in losses]
    law = f"scalable(a={a})"
    alone = [
        vinnicombe_gain(law, window, [elasticity])
        for window, elasticity in zip(short, elasticities, strict=True)
    ]
    return max(*alone, vinnicombe_gain(law, long, elasticities, losses))


@dataclass(frozen=True)
class Setting:
    """Parameters at a small buffer, and the outcome of the runs."""

    name: str
    gain: float
    rtt_ms: float | None
    """None: unlike ones."""
    values: dict[int, float]
    """Measure of “in step”, by seed."""


def settings(results: Results, experiment: str) -> list[Setting]:
    """Return every setting of an experiment."""
    points = []
    for spot in results.spots(experiment, "in_step"):
        label, buffer = str(spot.labels["law"]), int(spot.labels["buffer"])
        rtt = float(spot.labels["rtt"]) if "rtt" in spot.labels else None
        gain = (gain_of_one if rtt is not None else gain_of_lot)(label, buffer)
        path = "" if rtt is None else f", {rtt:g} ms"
        _, a = law_of(label)
        points.append(
            Setting(
                f"a {a:g}, {buffer} packets{path} (gain {gain:.2f})", gain, rtt, dict(spot.values)
            )
        )
    return points


def _weighed(chosen: list[Setting], claimed: Range) -> list[Evidence]:
    means = [
        bounded(estimate, 0.0)
        for estimate in estimates(
            [list(setting.values.values()) for setting in chosen], confidence_of(len(chosen))
        )
    ]
    return [
        claimed.evidence(setting.name, mean, mean.mean, "1")
        for setting, mean in zip(chosen, means, strict=True)
    ]


def _below(experiment: str) -> Rule:
    def judge(results: Results) -> Verdict:
        chosen = [setting for setting in settings(results, experiment) if setting.gain < BOUND]
        return verdict_of("Flows in step", _weighed(chosen, Range(highest=IN_STEP)))

    return Rule(
        "wherever Vinnicombe's gain, a times the elasticity of the loss rate of an M/D/1/K queue "
        "at rest, is below π/2, the rate of all flows varies no more than that of independent ones "
        f"(in step: {IN_STEP:g} at most), each interval of 1 − 5 %/k confidence for k settings",
        judge,
        (experiment,),
    )


ONE_LINK = _below("small-buffers")
IN_A_ROW = _below("small-buffers-lot")
ANY_RTT = every(
    {
        f"{rtt} against 20 ms": same("small-buffers", "in_step", "rtt", rtt, 20, margin=0.25)
        for rtt in (100, 300)
    }
)


@rule(
    f"rate of all flows over that of independent ones against {IN_STEP:g}, where Vinnicombe's gain "
    "is π/2 or more",
    "small-buffers",
    "small-buffers-lot",
)
def above(results: Results) -> Verdict:
    every = [*settings(results, "small-buffers"), *settings(results, "small-buffers-lot")]
    evidence = _weighed(
        [setting for setting in every if setting.gain >= BOUND], Range(highest=IN_STEP)
    )
    sides = {"for": "not in step", "against": "in step", "open": "undecided"}
    sentences = [
        f"{word} at {len(these)} of {len(evidence)} settings, {span(these)}"
        for leaning, word in sides.items()
        if (these := [interval for interval in evidence if interval.leaning == leaning])
    ]
    if not sentences:
        return Verdict("cannot be judged", "there are no runs of it.")
    counts = {
        word: sum(interval.leaning == leaning for interval in evidence)
        for leaning, word in sides.items()
    }
    return Verdict(
        "answered",
        f"{'; '.join(sentences)} ({seeds_of(evidence)}).",
        counts,
        tuple(evidence),
        "Flows above the bound",
    )


def draw(results: Results) -> PaperFigure:
    """Draw the measure of “in step” over Vinnicombe's gain."""
    with drawing(1.6 * ONE_COLUMN, 3.0) as (figure, axes):
        axes.set(xscale="log", yscale="log")
        axes.axhline(IN_STEP, color=GREY, linewidth=0.8, zorder=1)
        axes.axvline(BOUND, color=COLOURS[5], linewidth=0.9, zorder=1)
        names = {
            20.0: "20 ms",
            100.0: "100 ms",
            300.0: "300 ms",
            None: "three in a row,\n30 to 90 ms",
        }
        every = [*settings(results, "small-buffers"), *settings(results, "small-buffers-lot")]
        for rank, (rtt, name) in enumerate(names.items()):
            chosen = [setting for setting in every if setting.rtt_ms == rtt and setting.values]
            if not chosen:
                continue
            x = [setting.gain * 1.03 ** (rank - 1) for setting in chosen]
            y = [math.fsum(setting.values.values()) / len(setting.values) for setting in chosen]
            low = [
                mean - min(setting.values.values()) for mean, setting in zip(y, chosen, strict=True)
            ]
            high = [
                max(setting.values.values()) - mean for mean, setting in zip(y, chosen, strict=True)
            ]
            axes.errorbar(
                x,
                y,
                yerr=[low, high],
                fmt=MARKERS[rank],
                color=COLOURS[rank],
                mfc="white",
                markersize=4,
                elinewidth=0.8,
                label=name,
            )
        axes.set(
            xlabel="Vinnicombe's gain: a times the elasticity of the loss rate",
            ylabel="Rate of all flows:\nstandard deviation over that\nof independent ones",
        )
        ticks = (0.1, 0.3, 1, BOUND, 3, 10)
        axes.set_xticks(ticks, ["0.1", "0.3", "1", "π/2", "3", "10"])
        axes.set_yticks([0.2, 0.5, 1, 2, 5], ["0.2", "0.5", "1", "2", "5"])
        axes.minorticks_off()
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return figure
