"""P4's fourth criterion: the linearised fluid's regions, and oscillation of the queue in runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.stats import bounded, estimates
from ackclock.studies.claim import Evidence, Verdict
from ackclock.studies.rules import Rule
from ackclock.studies.weighing import Range, confidence_of, seeds_of, span, verdict_of
from ackclock.tables.quantities import MISSING
from ackclock.tables.table import Table
from ackclock.theory import stability_margin
from ackclock.theory.stability import SmallWindowError

if TYPE_CHECKING:
    from typing import Any

    from ackclock.studies.results import Results
    from ackclock.theory import StabilityMargin

FLOWS = 20
PACKET_BITS = 12_000
RED: dict[str, Any] = {
    "min_threshold": 100.0,
    "max_threshold": 500.0,
    "max_p": 0.1,
    "weight": 0.002,
}

LAWS = {
    "reno": ("reno", 1),
    "8 x reno": ("reno", 8),
    "multcp(n=8)": ("multcp(n=8)", 1),
    "stabilised-vegas": ("stabilised-vegas", 1),
    "scalable": ("scalable(legacy_window=0)", 1),
    "highspeed": ("highspeed", 1),
}
"""Control, and connections to a flow: eight connections are eight flows to the queue."""
LAWLESS = ("vegas", "cubic", "bbr")
"""Without a linearised model: see P4-stability-table."""

SWING = 1.0
"""Largest steady swing: 95th less 5th percentile of the queue over its mean. A sine that just
empties the queue has 2 sin(0.45 pi) = 1.98; this is half.
"""
NEAR = 10.0
"""Degrees of phase margin to either side within which the first order decides nothing."""


@dataclass(frozen=True)
class Setting:
    """One control on one path, and the swing of its queue."""

    cc: str
    rtt_ms: float
    rate_mbit: float
    model: StabilityMargin | None
    """Phase margin; None: there is no model of the control, or of windows this small."""
    queue: float
    """Mean of the runs, packets."""
    swing: dict[int, float]
    """By seed."""

    @property
    def margin(self) -> float | None:
        """Return the phase margin, degrees."""
        return None if self.model is None else self.model.phase_margin

    @property
    def name(self) -> str:
        """Return the path and its phase margin in words."""
        path = f"{self.cc}, {self.rtt_ms:g} ms, {self.rate_mbit:g} Mbit/s"
        if self.margin is None:
            return path
        margin = f"{self.margin:.0f}°".replace("-", "−") if math.isfinite(self.margin) else None
        return f"{path} (phase margin {margin or 'without end'})"


def model(cc: str, rtt_ms: float, rate_mbit: float) -> StabilityMargin | None:
    """The linearised fluid."""
    if cc not in LAWS:
        return None
    law, parts = LAWS[cc]
    try:
        return stability_margin(
            law, rtt_ms / 1e3, rate_mbit * 1e6 / PACKET_BITS, parts * FLOWS, **RED
        )
    except SmallWindowError:
        return None


def settings(results: Results) -> list[Setting]:
    """Return every setting of the experiment."""
    columns = [
        results.spots("stability", f"queue_packets.{suffix}") for suffix in ("p95", "p5", "mean")
    ]
    points = []
    for high, low, mean in zip(*columns, strict=True):
        cc, rtt, rate = (
            str(high.labels["cc"]),
            float(high.labels["rtt"]),
            float(high.labels["rate"]),
        )
        swing = {
            seed: (high.values[seed] - low.values[seed]) / mean.values[seed]
            for seed in mean.values
            if mean.values[seed] > 0
        }
        queue = math.fsum(mean.values.values()) / max(len(mean.values), 1)
        points.append(Setting(cc, rtt, rate, model(cc, rtt, rate), queue, swing))
    return points


def _weighed(chosen: list[Setting], claimed: Range) -> list[Evidence]:
    # A swing is a ratio of lengths: never below zero.
    every = estimates(
        [list(setting.swing.values()) for setting in chosen], confidence_of(len(chosen))
    )
    means = [bounded(estimate, 0.0) for estimate in every]
    return [
        claimed.evidence(setting.name, point, point.mean, "1")
        for setting, point in zip(chosen, means, strict=True)
    ]


def _on_side(every: list[Setting], *, stable: bool) -> list[Setting]:
    known = [(setting, setting.margin) for setting in every if setting.margin is not None]
    return [setting for setting, margin in known if (margin > NEAR if stable else margin < -NEAR)]


def _side(*, stable: bool) -> Rule:
    claimed = _STEADY if stable else _SWINGS

    def judge(results: Results) -> Verdict:
        return verdict_of(
            "Swing of the queue over its mean",
            _weighed(_on_side(settings(results), stable=stable), claimed),
        )

    side, way = ("above", "below") if stable else ("below", "above")
    return Rule(
        f"wherever the phase margin is {side} {'' if stable else '−'}{NEAR:g}°, the 95th less the "
        f"5th percentile of the queue is {way} {SWING:g} of its mean (a sine that just empties the "
        "queue has 1.98), each interval of 1 − 5 %/k confidence for k settings",
        judge,
        ("stability",),
    )


_STEADY, _SWINGS = Range(highest=SWING), Range(lowest=SWING)
STABLE = _side(stable=True)
UNSTABLE = _side(stable=False)


def seen(every: list[Setting]) -> list[str]:
    """Return "steady", "swings" or "undecided" for each setting, by the verdict's intervals."""
    sides = [_on_side(every, stable=stable) for stable in (True, False)]
    judged = [id(point) for side in sides for point in side]
    rest = [
        [point for point in every if point.cc == cc and id(point) not in judged]
        for cc in dict.fromkeys(point.cc for point in every)
    ]
    words = {}
    for group in (*sides, *rest):
        for setting, evidence in zip(group, _weighed(group, _STEADY), strict=True):
            words[id(setting)] = _SAID[evidence.leaning]
    return [words[id(point)] for point in every]


_SAID = {"for": "steady", "against": "swings", "open": "undecided"}


def without_model(cc: str) -> Rule:
    """Answer where a control without a model oscillates."""

    def judge(results: Results) -> Verdict:
        evidence = _weighed([setting for setting in settings(results) if setting.cc == cc], _STEADY)
        sides = [
            (word, [interval for interval in evidence if interval.leaning == leaning])
            for leaning, word in _SAID.items()
        ]
        sentences = "; ".join(
            f"{word} on {len(these)} of {len(evidence)} paths, {span(these)}"
            for word, these in sides
            if these
        )
        if not sentences:
            return Verdict("cannot be judged", "there are no runs of it.")
        counts = {word: len(these) for word, these in sides}
        return Verdict(
            "answered",
            f"{sentences} ({seeds_of(evidence)}).",
            counts,
            tuple(evidence),
            "Swing of the queue over its mean",
        )

    return Rule(
        f"swing of the queue against {SWING:g} of its mean, as for P4-stability",
        judge,
        ("stability",),
    )


def table(results: Results) -> Table:
    """Return the table of the model's regions and the outcome of the runs, by control."""
    every = settings(results)
    did = {id(setting): word for setting, word in zip(every, seen(every), strict=True)}
    rows = []
    for cc in dict.fromkeys(setting.cc for setting in every):
        its = [setting for setting in every if setting.cc == cc]
        words = [did[id(setting)] for setting in its]
        known = [setting for setting in its if setting.model is not None]
        cells = [MISSING] * 4
        if known:
            cells = [
                _of([did[id(setting)] for setting in _on_side(known, stable=True)], "steady"),
                _of([did[id(setting)] for setting in _on_side(known, stable=False)], "swings"),
                _span([setting.model.queue for setting in known if setting.model is not None]),
                _span([setting.queue for setting in known]),
            ]
        rows.append(
            (
                cc,
                *cells,
                ", ".join(
                    f"{words.count(word)} {word}" for word in _SAID.values() if word in words
                ),
            )
        )
    header = (
        "control",
        "stable: steady",
        "unstable: swings",
        "queue by model",
        "in runs",
        "runs on all paths",
    )
    return Table(header, rows, len(header))


def _of(did: list[str], expected: str) -> str:
    return f"{did.count(expected)} of {len(did)}" if did else "no path"


def _span(queues: list[float]) -> str:
    return f"{min(queues):.0f} to {max(queues):.0f}"
