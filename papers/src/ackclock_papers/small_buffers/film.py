"""The film on its way: its statistics as packets, and its latest packets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.stats import bounded, changes_of_means, estimates
from ackclock.studies.claim import Evidence, Verdict
from ackclock.studies.rules import Rule
from ackclock.studies.weighing import Range, capital, confidence_of, seeds_of, spot_names
from ackclock.tables.quantities import quantity, significant
from ackclock_papers.builders import rule
from ackclock_papers.small_buffers.readings import AXIS, LITERAL, STATED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.claim import Leaning
    from ackclock.studies.results import Results

FILMS = (LITERAL, "full film", "bursts", STATED)
"""Settings in which the film leaves in different ways, or to different links."""
SCALES = {"by frame": "variation by frame", "by second": "variation by second"}
"""Length of the intervals, and names of the responses."""
LIMIT = 0.4
"""One-way delay that real-time video bears, s."""


def kept(results: Results, scale: str, setting: str) -> list[Evidence]:
    """Return the variation of the film's received bytes over that of the sent, at each buffer."""
    sent, received = (
        results.spots("buffers", f"{SCALES[scale]}, {side}", {AXIS: setting})
        for side in ("sent", "received")
    )
    pairs = [
        (
            [b.values[seed] for seed in b.values if seed in a.values],
            [a.values[seed] for seed in b.values if seed in a.values],
        )
        for a, b in zip(sent, received, strict=True)
    ]
    changes = changes_of_means(pairs, confidence_of(len(pairs)))
    evidence = []
    for name, change in zip(spot_names(sent), changes, strict=True):
        value, low, high = (
            None if end is None else 1.0 + end for end in (change.change, change.low, change.high)
        )
        evidence.append(
            Evidence(
                f"{setting}, {scale}, {name}", "open", value, low, high, "1", change.n, change.why
            )
        )
    return evidence


def _kept(results: Results) -> Verdict:
    parts, all_of_it = [], []
    for setting in FILMS:
        sentences = []
        for scale in SCALES:
            these = kept(results, scale, setting)
            known = [interval.value for interval in these if interval.value is not None]
            sentences += [f"{_range(known)} {scale}"] if known else []
            all_of_it += these
        parts += [f"{setting}: {', '.join(sentences)}"] if sentences else []
    if not parts:
        return Verdict("cannot be judged", "no packet of the film arrived.")
    return Verdict(
        "answered",
        f"Variation received over variation sent; {'; '.join(parts)} ({seeds_of(all_of_it)}).",
        {},
        tuple(all_of_it),
    )


def _range(values: Sequence[float]) -> str:
    least, most = significant(min(values), 2), significant(max(values), 2)
    return least if least == most else f"{least} to {most}"


KEPT = Rule(
    "mean variation of the film's bytes received over that of the bytes sent, paired by seed, at "
    "each buffer and for each way that the film leaves, each interval of 1 − 5 %/k confidence for "
    "k buffers",
    _kept,
    ("buffers",),
)


@rule(
    "mean over seeds of the longest delay of any of the film's packets, at each buffer and for "
    "each way that the film leaves, at most 400 ms, each interval of 1 − 5 %/k confidence for k "
    "buffers",
    "buffers",
)
def in_time(results: Results) -> Verdict:
    parts, evidence = [], []
    limits = results.limits("buffers", "longest delay of the film")
    for setting in FILMS:
        spots = results.spots("buffers", "longest delay of the film", {AXIS: setting})
        means = [
            bounded(estimate, *limits)
            for estimate in estimates(
                [list(spot.values.values()) for spot in spots], confidence_of(len(spots))
            )
        ]
        sides: dict[str, list[float]] = {}
        for name, mean in zip(spot_names(spots), means, strict=True):
            evidence.append(
                Evidence(
                    f"{setting}, {name}",
                    "open",
                    mean.mean,
                    mean.low,
                    mean.high,
                    "s",
                    mean.n,
                    mean.why,
                )
            )
            if mean.mean is not None:
                sides.setdefault(
                    _SAID[Range(highest=LIMIT).leaning(mean.low, mean.high)], []
                ).append(mean.mean)
        sentences = [
            f"{said} with {_all(len(these), len(spots))} ({_span(these)})"
            for said, these in sides.items()
        ]
        parts += [f"{setting}: {', '.join(sentences)}"] if sentences else []
    if not parts:
        return Verdict("cannot be judged", "no packet of the film arrived.")
    sentence = "; ".join(parts)
    return Verdict("answered", f"{capital(sentence)} ({seeds_of(evidence)}).", {}, tuple(evidence))


_SAID: dict[Leaning, str] = {"for": "in time", "against": "too late", "open": "undecided"}


def _all(count: int, total: int) -> str:
    return "all buffers" if count == total else f"{count} of {total} buffers"


def _span(values: Sequence[float]) -> str:
    least, most = quantity(min(values), "s", 3), quantity(max(values), "s", 3)
    return least if least == most else f"{least} to {most}"
