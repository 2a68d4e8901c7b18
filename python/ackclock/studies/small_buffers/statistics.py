"""What becomes of the film on its way: its statistics as packets, and its latest packets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.results.text import quantity, significant
from ackclock.stats import bounded, changes_of_means, estimates
from ackclock.studies.claim import Evidence, Verdict
from ackclock.studies.rules import Rule
from ackclock.studies.weighing import Range, confidence_of, seeds_of, spot_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.claim import VerdictKind
    from ackclock.studies.results import Results

__all__ = ["IN_TIME", "KEPT", "SCALES", "kept"]

SCALES = {"by frame": "variation by frame", "by second": "variation by second"}
"""How long the intervals are, and what the responses are called."""
LIMIT = 0.4
"""One-way delay that real-time video bears, s."""


def kept(results: Results, scale: str) -> list[Evidence]:
    """Variation of the film's bytes received over that sent, at each buffer."""
    sent, received = (results.spots("buffers", f"{SCALES[scale]}, {side}") for side in ("sent", "received"))
    pairs = [
        ([b.values[seed] for seed in b.values if seed in a.values], [a.values[seed] for seed in b.values if seed in a.values])
        for a, b in zip(sent, received, strict=True)
    ]
    found = changes_of_means(pairs, confidence_of(len(pairs)))
    evidence = []
    for name, one in zip(spot_names(sent), found, strict=True):
        value, low, high = (None if each is None else 1.0 + each for each in (one.change, one.low, one.high))
        evidence.append(Evidence(f"{scale}, {name}", "open", value, low, high, "1", one.n, one.why))
    return evidence


def _kept(results: Results) -> Verdict:
    parts, all_of_it = [], []
    for scale in SCALES:
        these = kept(results, scale)
        known = [each.value for each in these if each.value is not None]
        if known:
            parts.append(f"{scale} {_range(known)} times the variation that it was sent with")
        all_of_it += these
    if not parts:
        return Verdict("cannot be judged", "no packet of the film arrived.")
    return Verdict("answered", f"The film arrives with {' and '.join(parts)} ({seeds_of(all_of_it)}).", {}, tuple(all_of_it))


def _range(values: Sequence[float]) -> str:
    least, most = significant(min(values), 2), significant(max(values), 2)
    return least if least == most else f"{least} to {most}"


KEPT = Rule(
    "mean variation of the film's bytes received over that of the bytes sent, paired by seed, at each buffer, each interval of "
    "1 − 5 %/k confidence for k buffers",
    _kept,
    ("buffers",),
)


def _in_time(results: Results) -> Verdict:
    spots = results.spots("buffers", "longest delay of the film")
    limits = results.limits("buffers", "longest delay of the film")
    found = [bounded(one, *limits) for one in estimates([list(spot.values.values()) for spot in spots], confidence_of(len(spots)))]
    evidence = [
        Evidence(name, Range(highest=LIMIT).leaning(one.low, one.high), one.mean, one.low, one.high, "s", one.n, one.why)
        for name, one in zip(spot_names(spots), found, strict=True)
    ]
    sides = {
        said: [each for each in evidence if each.leaning == leaning and each.value is not None]
        for said, leaning in (("in time", "for"), ("too late", "against"), ("undecided", "open"))
    }
    parts = [
        f"{said} with {', '.join(each.where.removeprefix('buffer = ') for each in these)} packets "
        f"({_span([each.value for each in these if each.value is not None])})"
        for said, these in sides.items()
        if these
    ]
    kind: VerdictKind = "answered" if parts else "cannot be judged"
    sentence = "; ".join(parts) or "no packet of the film arrived"
    told = [replace(each, leaning="open") for each in evidence]
    return Verdict(kind, f"{sentence[0].upper()}{sentence[1:]} ({seeds_of(evidence)}).", {}, tuple(told))


def _span(values: Sequence[float]) -> str:
    least, most = quantity(min(values), "s", 3), quantity(max(values), "s", 3)
    return least if least == most else f"{least} to {most}"


IN_TIME = Rule(
    "mean over seeds of the longest delay of any of the film's packets, at each buffer, at most 400 ms, each interval of 1 − 5 %/k "
    "confidence for k buffers",
    _in_time,
    ("buffers",),
)
