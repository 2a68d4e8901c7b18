"""P4's fourth criterion: the linearised fluid's regions, and whether the queue oscillates in runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot.stability import stability_map
from ackclock.plot.style import COLOURS, GREY, MARKERS, ONE_COLUMN, TWO_COLUMNS, new_figure, paper
from ackclock.stats import estimates
from ackclock.studies.claim import Evidence
from ackclock.studies.rules import Rule
from ackclock.studies.weighing import Range, confidence_of, verdict_of
from ackclock.theory import stability_margin, stability_region

if TYPE_CHECKING:
    from typing import Any

    from ackclock.plot.style import PaperFigure
    from ackclock.stats import Estimate
    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results

FLOWS = 20
PACKET_BITS = 12_000
RED: dict[str, Any] = {"min_threshold": 100.0, "max_threshold": 500.0, "max_p": 0.1, "weight": 0.002}
LAWS = {"reno": "reno", "scalable": "scalable(legacy_window=0)"}
MAPPED = {"reno": "reno", "MulTCP(8)": "multcp(n=8)", "Scalable": "scalable(legacy_window=0)", "HighSpeed": "highspeed"}

SWING = 1.0
"""95th less 5th percentile of the queue over its mean; a sine that just empties the queue has 2 sin(0.45 pi) = 1.98, and this is half."""
NEAR = 10.0
"""Degrees of phase margin to either side within which the first order decides nothing."""


def _margin(cc: str, rtt_ms: float, rate_mbit: float) -> float:
    return stability_margin(LAWS[cc], rtt_ms / 1e3, rate_mbit * 1e6 / PACKET_BITS, FLOWS, **RED).phase_margin


def _swings(results: Results) -> list[tuple[str, str, float, dict[int, float]]]:
    """Name, control, phase margin, and the queue's swing by seed, of each setting."""
    columns = [results.spots("stability", f"queue_packets.{each}") for each in ("p95", "p5", "mean")]
    found = []
    for high, low, mean in zip(*columns, strict=True):
        labels = high.labels
        margin = _margin(str(labels["cc"]), float(labels["rtt"]), float(labels["rate"]))
        swing = {seed: (high.values[seed] - low.values[seed]) / mean.values[seed] for seed in mean.values if mean.values[seed] > 0}
        found.append((f"{labels['cc']}, {labels['rtt']} ms, {labels['rate']} Mbit/s", str(labels["cc"]), margin, swing))
    return found


def _weighed(results: Results, *, stable: bool) -> list[tuple[str, float, Estimate]]:
    chosen = [one for one in _swings(results) if (one[2] > NEAR if stable else one[2] < -NEAR)]
    found = estimates([list(swing.values()) for *_, swing in chosen], confidence_of(len(chosen)))
    return [(name, margin, one) for (name, _, margin, _), one in zip(chosen, found, strict=True)]


def _side(*, stable: bool) -> Rule:
    claimed = Range(highest=SWING) if stable else Range(lowest=SWING)

    def judge(results: Results) -> Verdict:
        evidence = [
            Evidence(
                f"{name} (phase margin {margin:.0f}°)", claimed.leaning(one.low, one.high), one.mean, one.low, one.high, "1", one.n, one.why
            )
            for name, margin, one in _weighed(results, stable=stable)
        ]
        return verdict_of("Swing of the queue over its mean", evidence)

    side, way = ("above", "below") if stable else ("below", "above")
    return Rule(
        f"wherever the phase margin is {side} {'' if stable else '−'}{NEAR:g}°, the 95th less the 5th percentile of the queue is {way} "
        f"{SWING:g} of its mean (a sine that just empties the queue has 1.98), each interval of 1 − 5 %/k confidence for k settings",
        judge,
        ("stability",),
    )


STABLE = _side(stable=True)
UNSTABLE = _side(stable=False)


def draw_map(results: Results) -> PaperFigure:  # noqa: ARG001
    """Lines of no margin."""
    rtts, rates = np.geomspace(0.01, 0.5, 16), np.geomspace(5e2, 3e4, 16)
    regions = {name: stability_region(cc, list(rtts), list(rates), FLOWS, **RED) for name, cc in MAPPED.items()}
    return stability_map(regions, list(rtts), list(rates), width=1.25 * ONE_COLUMN)


def draw_swing(results: Results) -> PaperFigure:
    """The queue's swing over the phase margin, and where both lie on the path's plane."""
    found = _swings(results)
    weighed = estimates([list(swing.values()) for *_, swing in found], confidence_of(1))
    with paper():
        figure = new_figure(0.75 * TWO_COLUMNS, 2.8)
        axes = figure.subplots()
        axes.axhline(SWING, color=GREY, linewidth=0.8, zorder=1)
        axes.axvspan(-NEAR, NEAR, color="#F0F0F0", linewidth=0, zorder=0)
        for rank, cc in enumerate(LAWS):
            chosen = [
                (margin, one) for (_, name, margin, _), one in zip(found, weighed, strict=True) if name == cc and one.mean is not None
            ]
            x, y = [margin for margin, _ in chosen], np.array([one.mean for _, one in chosen])
            low = np.array([one.mean if one.low is None else one.low for _, one in chosen])
            high = np.array([one.mean if one.high is None else one.high for _, one in chosen])
            axes.errorbar(
                x,
                y,
                yerr=[y - low, high - y],
                fmt=MARKERS[rank],
                color=COLOURS[(0, 5)[rank]],
                markersize=4,
                elinewidth=0.8,
                capsize=2,
                label=cc,
            )
        axes.set_xlabel("Phase margin of the linearised fluid (degrees)")
        axes.set_ylabel("Queue: 95th less 5th percentile\nover its mean")
        axes.set_ylim(bottom=0)
        axes.legend(loc="upper right")
        return figure
