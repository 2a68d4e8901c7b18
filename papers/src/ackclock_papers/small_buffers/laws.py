"""The smallest buffer for 99 % utilisation and the three rules; lost frames over lost packets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ackclock.stats import Estimate, bounded, estimates
from ackclock.studies.claim import Evidence, Verdict, VerdictKind
from ackclock.studies.rules import Rule
from ackclock.studies.weighing import Range, capital, confidence_of, seeds_of, verdict_of
from ackclock.tables.quantities import significant
from ackclock.theory import rule_of_thumb, small_buffer, tiny_buffer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.results import Results

WANTED = 0.99
"""Wanted utilisation."""
RATE = 50e6 / (1500 * 8)
"""Packets/s of rules.toml."""
RTT = 0.1
BDP = RATE * RTT
_TINY_LOAD = 0.9
"""The tiny-buffer rule is for bounded windows, which do not fill the link; it does not apply at a
load of 1.
"""


def thumb(connections: float) -> float:
    """Return RTT x C, for any number of connections."""
    del connections
    return rule_of_thumb(RATE, RTT)


def small(connections: float) -> float:
    """Return RTT x C / sqrt(N)."""
    return BDP / math.sqrt(connections)


def tiny(connections: float) -> float:
    """O(log W): for windows that would fill 90 % of the link, of which 99 % is carried.

    No window is below two packets.
    """
    return tiny_buffer(max(2.0, _TINY_LOAD * BDP / connections), _TINY_LOAD, WANTED)


LAWS = {"RTT·C": thumb, "RTT·C/√N": small, "O(log W)": tiny}
assert small(100) == small_buffer(RATE, RTT, 100)


def crossing(
    buffers: Sequence[float], utilisations: Sequence[float], wanted: float = WANTED
) -> float:
    """Return the smallest buffer with the wanted utilisation, interpolated on a logarithmic scale.

    It is the first buffer if all suffice, and infinity if the last does not.
    """
    if utilisations[-1] < wanted:
        return math.inf
    size = float(buffers[0])
    for (small_one, low), (large_one, high) in pairwise(zip(buffers, utilisations, strict=True)):
        if low < wanted <= high:
            size = small_one * (large_one / small_one) ** ((wanted - low) / (high - low))
        elif high < wanted:
            size = math.inf
    return size


@dataclass(frozen=True)
class Smallest:
    """The smallest buffer for one number of connections."""

    connections: float
    buffer: Estimate
    """Mean over seeds, packets."""
    censored: str
    """"<" if the smallest buffer that was run suffices in every seed, ">" if the largest does not
    in some.
    """
    beyond: int = 0
    """Seeds in which the largest does not suffice."""


def smallest(results: Results, sending: str, among: int = 1) -> list[Smallest]:
    """Return the smallest buffers, with intervals that hold for `among` numbers at once."""
    where = results.numbers("rules", "connections")
    sizes = results.numbers("rules", "buffer")
    needs: list[tuple[float, list[float]]] = []
    for label, connections in where.items():
        spots = results.spots("rules", "utilisation", {"connections": label, "sending": sending})
        if not spots:
            continue
        seeds = sorted(set.intersection(*(set(spot.values) for spot in spots)))
        buffers = [sizes[spot.labels["buffer"]] for spot in spots]
        needs.append(
            (
                connections,
                [crossing(buffers, [spot.values[seed] for spot in spots]) for seed in seeds],
            )
        )
    least = min(sizes.values())
    known = [[value for value in values if math.isfinite(value)] for _, values in needs]
    means = [bounded(estimate, 0.0) for estimate in estimates(known, confidence_of(among))]
    return [
        Smallest(
            n,
            mean,
            ">" if len(finite) < len(values) else "<" if max(values) <= least else "",
            len(values) - len(finite),
        )
        for (n, values), finite, mean in zip(needs, known, means, strict=True)
    ]


def in_words(need: Smallest) -> str:
    """Return the smallest buffer in words, packets."""
    if need.beyond:
        seeds = need.beyond + (need.buffer.n if need.buffer.mean is not None else 0)
        return f"more than was run (in {need.beyond} of {seeds} seeds)"
    if need.buffer.mean is None:
        return "unknown"
    return f"{'at most ' if need.censored else ''}{significant(need.buffer.mean, 2)}"


def _answer(results: Results) -> Verdict:
    """Answer with the smallest buffers, and the slope of their fall."""
    parts, figures, evidence = [], {}, []
    for sending in results.sweeps["rules"].design.axes[2].labels:
        needs = smallest(results, str(sending))
        inside = [need for need in needs if not need.censored and need.buffer.mean]
        sizes = ", ".join(f"{in_words(need)} for {need.connections:g}" for need in needs)
        slope = (
            float(
                np.polyfit(
                    [math.log(need.connections) for need in inside],
                    [math.log(need.buffer.mean or 1.0) for need in inside],
                    1,
                )[0]
            )
            if len(inside) > 1
            else math.nan
        )
        fall = (
            ""
            if math.isnan(slope)
            else f"; as N to the power of {'−' if slope < 0 else ''}{significant(abs(slope), 2)}"
        )
        parts.append(f"{capital(str(sending))}: {sizes} connections (packets){fall}.")
        figures[str(sending)] = {
            "smallest": [
                {
                    "connections": need.connections,
                    "packets": need.buffer.mean,
                    "low": need.buffer.low,
                    "high": need.buffer.high,
                    "censored": need.censored,
                }
                for need in needs
            ],
            "exponent": None if math.isnan(slope) else slope,
        }
        evidence += [
            Evidence(
                f"{sending}, connections = {need.connections:g}",
                "open",
                need.buffer.mean,
                need.buffer.low,
                need.buffer.high,
                "packets",
                need.buffer.n,
                need.censored,
            )
            for need in needs
        ]
    laws = "; ".join(
        f"{name} {significant(law(1), 3)} for 1, {significant(law(100), 3)} for 100, "
        f"{significant(law(1000), 3)} for 1000"
        for name, law in LAWS.items()
    )
    kind: VerdictKind = (
        "answered"
        if any(interval.value is not None for interval in evidence)
        else "cannot be judged"
    )
    return Verdict(
        kind,
        f"{' '.join(parts)} The rules: {laws} ({seeds_of(evidence)}).",
        figures,
        tuple(evidence),
    )


SMALLEST = Rule(
    "the smallest buffer for 99 % utilisation, seed by seed, in the mean with 95 % intervals; its "
    "slope over the number of connections on logarithmic scales",
    _answer,
    ("rules",),
)


def below(law: str, least: int) -> Rule:
    """A law suffices from so many connections on: no smallest buffer is larger."""

    def judge(results: Results) -> Verdict:
        count = sum(n >= least for n in results.numbers("rules", "connections").values())
        evidence = []
        for need in smallest(results, "by ACKs", count):
            if need.connections < least:
                continue
            limit = LAWS[law](need.connections)
            low, high = need.buffer.low, need.buffer.high
            if need.censored == "<":
                low, high = 0.0, need.buffer.mean
            elif need.censored == ">":
                # In some or all seeds no buffer that was run suffices.
                low, high = (math.inf if need.buffer.mean is None else 0.0), math.inf
            evidence.append(
                Evidence(
                    f"connections = {need.connections:g}",
                    Range(highest=limit).leaning(low, high),
                    need.buffer.mean,
                    low,
                    high,
                    "packets",
                    need.buffer.n,
                    f"the rule: {significant(limit, 3)} packets",
                )
            )
        return verdict_of(
            f"Smallest buffer for 99 % utilisation, where the rule has {law}", evidence
        )

    return Rule(
        f"the smallest buffer for 99 % utilisation is at most {law}, at {least} connections and "
        "more, each interval of 1 − 5 %/k confidence for k settings",
        judge,
        ("rules",),
    )


def frames(results: Results) -> list[tuple[str, float, float, int]]:
    """Return the settings that lose packets: name, lost packets, undecodable frames, seeds.

    Both losses are shares.
    """
    pairs = zip(
        results.spots("queues", "loss of the film"),
        results.spots("queues", "decodable frames"),
        strict=True,
    )
    counts = []
    for loss, decodable in pairs:
        seeds = sorted(set(loss.values) & set(decodable.values))
        lost = math.fsum(loss.values[seed] for seed in seeds) / max(1, len(seeds))
        broken = 1.0 - math.fsum(decodable.values[seed] for seed in seeds) / max(1, len(seeds))
        if lost > 0:
            counts.append(
                (
                    f"{loss.labels['queue']}, {loss.labels['connections']} connections",
                    lost,
                    broken,
                    len(seeds),
                )
            )
    return sorted(counts, key=lambda count: count[1])


def _range(values: Sequence[float]) -> str:
    least, most = significant(min(values), 2), significant(max(values), 2)
    return least if least == most else f"{least} to {most}"


def _frames(results: Results) -> Verdict:
    counts = frames(results)
    if not counts:
        return Verdict("cannot be judged", "no packet of the film was lost at any setting.")
    evidence = [
        Evidence(name, "open", broken / lost, None, None, "1", n)
        for name, lost, broken, n in counts
    ]
    figures = {
        "settings": [
            {"setting": name, "lost": lost, "undecodable": broken}
            for name, lost, broken, _ in counts
        ]
    }
    parts = []
    for low, high in ((0.0, 1e-3), (1e-3, 1e-2), (1e-2, 1.0)):
        these = [count for count in counts if low < count[1] <= high]
        if these:
            span, spread = (
                _range([100 * lost for _, lost, _, _ in these]),
                _range([100 * broken for _, _, broken, _ in these]),
            )
            parts.append(
                f"where {span} % of the packets are lost, {spread} % of the frames cannot be "
                "decoded"
            )
    sentence = f"{'; '.join(parts)} ({seeds_of(evidence)})."
    return Verdict("answered", sentence[0].upper() + sentence[1:], figures, tuple(evidence))


FRAMES = Rule(
    "share of frames that cannot be decoded against the share of packets lost, means over seeds, "
    "of every setting where the film loses any",
    _frames,
    ("queues",),
)
