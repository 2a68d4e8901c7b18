"""P2's own criteria: round-trip times from the queue's percentiles, and the theory of filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.stats import bounded, estimates
from ackclock.studies import lines
from ackclock.studies.claim import Verdict
from ackclock.studies.criteria import Change, Level
from ackclock.studies.results import Spot
from ackclock.studies.rules import Agreement
from ackclock.studies.weighing import Range, confidence_of, counted, spot_names, verdict_of
from ackclock.theory import (
    bbr_filter_share,
    bbr_probe_rtt_rounds,
    bbr_settling_probes,
    bbr_two_flow_map,
)
from ackclock_papers.builders import agreement, rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.results import Result
    from ackclock.results.series import Floats, FlowSeries
    from ackclock.studies.results import Results

RATE = 10e6
RTT_S = 0.06
PACKET_BYTES = 1500
PACKET_S = 8 * PACKET_BYTES / RATE
"""A packet's time on the bottleneck."""

FIVE_S = 60.0
"""Length of the runs of five flows."""

PROBES = 34
SHARES = tuple(round(0.05 * step, 2) for step in range(1, 20))

FILTER_RATE = 100e6
FLOWS = (1, 2, 3, 5, 8)
FILTER_VARIANTS = {
    f"{name}, {flows} flow{'s' if flows > 1 else ''}": {
        "flows.count": flows,
        "network.bottleneck.limit": limit,
    }
    for name, limit in (("half a BDP", "0.5bdp"), ("ten BDP", "10bdp"))
    for flows in FLOWS
}


def combined(
    spots: Sequence[Spot], other: Sequence[Spot], of: Callable[[float, float], float]
) -> list[Spot]:
    """A figure made of two responses of the same runs."""
    return [
        Spot(
            a.labels,
            {seed: of(a.values[seed], b.values[seed]) for seed in a.values if seed in b.values},
        )
        for a, b in zip(spots, other, strict=True)
    ]


@dataclass(frozen=True)
class SpreadChange(Change):
    """The spread between two percentiles of the queue: how much the round-trip time swings."""

    lower: str = "queue p5"
    """The lower percentile; `response` is the upper one."""

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return (
            f"the spread of the queue, from {self.lower} to {self.response}: {super().describe()}"
        )

    def pairs(self, results: Results) -> list[tuple[Spot, Spot]]:
        """Differences of the percentiles, run by run."""
        ours, base = (
            combined(
                results.spots(self.experiment, self.response, {**self.at, self.axis: which}),
                results.spots(self.experiment, self.lower, {**self.at, self.axis: which}),
                lambda upper, lower: upper - lower,
            )
            for which in (self.value, self.base)
        )
        return _partners(ours, base, self.axis)


@dataclass(frozen=True)
class EdgeChange(Change):
    """A round-trip time of one algorithm against another's lower edge.

    Both come from percentiles of the queue.
    """

    edge: str = "queue p5"
    """The base's percentile; `response` is that of the value."""

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return (
            f"60 ms, a packet's transmission and {self.response} of {self.value} against the same "
            f"with {self.edge} of {self.base}: {super().describe()}"
        )

    def pairs(self, results: Results) -> list[tuple[Spot, Spot]]:
        """Return the pairs of round-trip times, s."""
        ours = results.spots(self.experiment, self.response, {**self.at, self.axis: self.value})
        base = results.spots(self.experiment, self.edge, {**self.at, self.axis: self.base})
        return [(_round_trips(a), _round_trips(b)) for a, b in _partners(ours, base, self.axis)]


@dataclass(frozen=True)
class FurtherChange(Change):
    """Change by `value` beyond that of `before`, as a share of the base's mean.

    The unit is percentage points of the base.
    """

    before: str = ""
    """The label of the change that came first."""

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return (
            f"{self.response} of {self.base} and {self.value} less {self.before}: "
            f"{super().describe()}"
        )

    def pairs(self, results: Results) -> list[tuple[Spot, Spot]]:
        """The base with the further change, against the base."""
        base, before, value = (
            results.spots(self.experiment, self.response, {**self.at, self.axis: label})
            for label in (self.base, self.before, self.value)
        )
        after = combined(combined(base, value, lambda a, b: a + b), before, lambda a, b: a - b)
        return _partners(after, base, self.axis)


@dataclass(frozen=True)
class RoundTrip(Level):
    """A round-trip time, made of a percentile of the queue, lies in a range.

    Senders record no low percentiles of the round-trip time.
    """

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return f"60 ms, a packet's transmission and {self.response}: {super().describe()}"

    def judge(self, results: Results) -> Verdict:
        """Judge each setting by its interval."""
        spots = [
            _round_trips(spot) for spot in results.spots(self.experiment, self.response, self.at)
        ]
        claimed = Range(self.lowest, self.highest)
        means = [
            bounded(estimate, 0.0)
            for estimate in estimates(
                [list(spot.values.values()) for spot in spots], confidence_of(len(spots))
            )
        ]
        evidence = [
            claimed.evidence(name, mean, mean.mean, "s")
            for name, mean in zip(spot_names(spots), means, strict=True)
        ]
        subject = f"Round-trip time with the {self.response.removeprefix('queue ')} of the queue"
        return verdict_of(subject, evidence, results.left_out(self.experiment, self.at))


def _partners(ours: Sequence[Spot], base: Sequence[Spot], axis: str) -> list[tuple[Spot, Spot]]:
    """Spots that differ along the axis only; another simulator may have runs of one of the two."""
    others = {_elsewhere(spot, axis): spot for spot in base}
    return [
        (spot, others[_elsewhere(spot, axis)]) for spot in ours if _elsewhere(spot, axis) in others
    ]


def _elsewhere(spot: Spot, axis: str) -> tuple[Any, ...]:
    return tuple(label for name, label in spot.labels.items() if name != axis)


def _round_trips(spot: Spot) -> Spot:
    return Spot(
        spot.labels,
        {seed: RTT_S + PACKET_S * (1 + packets) for seed, packets in spot.values.items()},
    )


@agreement(
    "the two-flow map after 200 probes from a share of 0.7 against the printed figures", 0.005
)
def fixed_point(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    last = bbr_two_flow_map(0.7, 200)[-1]
    low, high = sorted(last.rates)
    return [
        ("filter of the first", last.filters[0], 0.5556),
        ("filter of the second", last.filters[1], 0.5556),
        ("smaller rate", low, 0.4444),
        ("larger rate", high, 0.5556),
        ("sum of the filters", sum(last.filters), 1.111),
    ]


@rule(
    "from each start with shares of 0.05, 0.10, ... 0.95 both filters are within 10 % of where "
    f"they settle after {PROBES} probes on"
)
def settles(results: Results) -> Verdict:  # noqa: ARG001
    needed = {share: bbr_settling_probes([share, 1 - share]) for share in SHARES}
    inside = [share for share, probes in needed.items() if probes <= PROBES]
    sentence = (
        f"{len(inside)} of {len(SHARES)} starts settle within {PROBES} probes, shares from "
        f"{min(inside)} to {max(inside)}; the slowest takes {max(needed.values())}."
    )
    return Verdict(
        counted(len(inside), len(SHARES)),
        sentence,
        {"probes": {str(share): probes for share, probes in needed.items()}},
    )


@agreement("round trips within PROBE_RTT", 0.005, names=("computed", "printed"))
def bound(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    return [("round trips at 22.2 ms", bbr_probe_rtt_rounds(0.0222), 10.0)]


def internal(run: Result, name: str, flow: int = 0) -> tuple[Floats, Floats]:
    """Times (s) and values of a variable of flow number `flow`'s congestion control, from 0."""
    return lines.internal(run, name, str(run.flows["name"][flow]))


def goodput(flow: FlowSeries, every: float) -> tuple[Floats, Floats]:
    """Mbit/s over intervals, at their ends."""
    edges = np.arange(0.0, flow.end + 1e-9, every)
    at = np.interp(edges, flow.time, np.nan_to_num(flow.column("delivered")))
    return edges[1:], 8e-6 * np.diff(at) / every


def measured_filters(run: Result) -> list[float]:
    """Mean of each flow's filter after three seconds, as a share of what the link carries."""
    shares = []
    for flow in range(run.flows.height):
        time, bandwidth = internal(run, "bw", flow)
        capacity = FILTER_RATE * run.series[flow].mss / PACKET_BYTES
        shares.append(float(np.mean(bandwidth[time > 3])) / capacity)
    return shares


def _sums(results: Results, buffer: str) -> list[tuple[str, float, int]]:
    """Name, sum of the flows' mean filters, and number of flows."""
    runs = {
        name: run for name, run in results.runs["filters"].items() if name.startswith(f"{buffer},")
    }
    return [
        (name, float(np.sum(measured_filters(run))), run.flows.height) for name, run in runs.items()
    ]


def filters_in(buffer: str) -> Agreement:
    """The flows' mean filter in runs against the theory."""

    def pairs(results: Results) -> list[tuple[str, float, float]]:
        return [
            (name, total / flows, bbr_filter_share(flows))
            for name, total, flows in _sums(results, buffer)
        ]

    return Agreement(
        f"mean of the flows' filters behind {buffer} of buffer against m = g / (g + N − 1)",
        pairs,
        0.1,
        ("filters",),
    )


def excess_in(buffer: str) -> Agreement:
    """Excess of the filters' sum over the link (the standing queue), against the theory."""

    def pairs(results: Results) -> list[tuple[str, float, float]]:
        return [
            (name, total - 1, flows * bbr_filter_share(flows) - 1)
            for name, total, flows in _sums(results, buffer)
            if flows > 1
        ]

    what = (
        f"excess of the filters' sum over the link, behind {buffer} of buffer, against N g / (g + "
        "N − 1) − 1"
    )
    return Agreement(what, pairs, 0.25, ("filters",))
