"""The study's own criteria: one flow's sawtooth, the sum of many windows, printed numbers."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from ackclock.studies.claim import Evidence
from ackclock.studies.weighing import Range, verdict_of
from ackclock_papers.builders import agreement, rule
from ackclock_papers.sizing_buffers import laws

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.results.series import Floats
    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results

RATE = 1000.0
"""Packets/s of one-curve.toml."""
BDP = 142.0
"""Bandwidth-delay product of one-curve.toml's path, packets."""
SETTLED = 15.0
"""Time from which on the windows of many connections are looked at, s."""
WINDOWS = {"250 connections": (250, 65.0), "25 connections": (25, 207.0)}
"""Recorded: connections and packets of buffer."""


def reductions(run: Result) -> Floats:
    """Times at which the only flow's window was cut, s."""
    (flow,) = run.series
    window = flow.column("cwnd")
    cut = np.flatnonzero(window[1:] < 0.7 * window[:-1])
    times = flow.time[cut + 1]
    # Recovery inflates and deflates the window within a round trip or two: one cut.
    return times[np.r_[True, np.diff(times) > 1.0]] if len(times) else times


@agreement(
    "time from one cut of the window to the next, in a run with a buffer of 142 packets, against "
    "the printed 30.2 s",
    0.05,
    "one-curve",
    unit="s",
    names=("measured", "printed"),
)
def period(results: Results) -> list[tuple[str, float, float]]:
    times = reductions(results.runs["one-curve"]["1 x RTT C"])
    # The first cut is slow start's.
    return [(f"period {at + 1}", float(gap), 30.2) for at, gap in enumerate(np.diff(times[1:]))]


@agreement(
    "the window in a run against equation 9, from a cut on", 0.03, "one-curve", unit="packets"
)
def sawtooth(results: Results) -> list[tuple[str, float, float]]:
    run = results.runs["one-curve"]["1 x RTT C"]
    (flow,) = run.series
    begin = float(reductions(run)[1])
    pairs = []
    for after in (5.0, 10.0, 15.0, 20.0, 25.0):
        measured = float(np.interp(begin + after, flow.time, flow.column("cwnd"))) / flow.mss
        pairs.append((f"{after:g} s after a cut", measured, laws.window_after(after, BDP, RATE)))
    return pairs


def sum_of_windows(run: Result) -> tuple[Floats, Floats]:
    """Return times (s) and the sum of all windows, packets, once they have settled.

    In fast recovery the window is ssthresh: Reno inflates cwnd by a packet for each duplicate ACK,
    and ns-2 keeps that apart from its cwnd_.
    """
    edges = np.arange(SETTLED, run.end_time, 0.1)
    total = np.zeros(len(edges))
    for flow in run.series:
        recovering = flow.columns["state"].cast(str).to_numpy() == "recovery"
        window = np.where(
            recovering, np.fmin(flow.column("cwnd"), flow.column("ssthresh")), flow.column("cwnd")
        )
        total += np.interp(edges, flow.time, np.nan_to_num(window)) / flow.mss
    return edges, total


def distance_from_normal(values: Floats) -> float:
    """Largest distance between the distribution of the values and the fitted normal one."""
    ordered = np.sort(values)
    normal = NormalDist(float(ordered.mean()), float(ordered.std(ddof=1)))
    expected = np.array([normal.cdf(float(value)) for value in ordered])
    ranks = np.arange(len(ordered) + 1) / len(ordered)
    return float(max(np.max(np.abs(ranks[1:] - expected)), np.max(np.abs(ranks[:-1] - expected))))


@rule(
    "in a run with 250 connections, the distribution of the sum of all windows, sampled each 0.1 "
    "s, is nowhere further than 0.1 from the normal one with the same mean and deviation",
    "windows",
)
def normal(results: Results) -> Verdict:
    (name, _), *_ = WINDOWS.items()
    distance = distance_from_normal(sum_of_windows(results.runs["windows"][name])[1])
    interval = Evidence(
        name, Range(highest=0.1).leaning(distance, distance), distance, distance, distance, "1", 1
    )
    return verdict_of("Distance of the sum of the windows from a normal distribution", [interval])


@rule(
    "in a run with 250 connections, the standard deviation of the sum of all windows is at most (2 "
    "Tp C + B) / (3 √3 √n)",
    "windows",
)
def deviation(results: Results) -> Verdict:
    (name, (flows, buffer)), *_ = WINDOWS.items()
    measured = float(sum_of_windows(results.runs["windows"][name])[1].std(ddof=1))
    bound = laws.window_deviation(buffer, laws.OC3_PACKETS, flows)
    share = measured / bound
    interval = Evidence(name, Range(highest=1.0).leaning(share, share), share, share, share, "1", 1)
    return verdict_of(
        f"Deviation of the sum of the windows over the bound of {bound:.1f} packets", [interval]
    )


@agreement(
    "1 minus equation 6 for 10,000 flows against 1 minus the printed utilisation",
    0.2,
    names=("computed", "printed"),
)
def examples(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    flows, bdp = 10_000, 1e6
    return [
        (
            f"lost at {multiple:g} x",
            1 - laws.utilisation_bound(multiple * bdp / math.sqrt(flows), bdp, flows),
            1 - printed,
        )
        for multiple, printed in laws.PRINTED_EXAMPLES.items()
    ]


@agreement(
    "equation 6 with the table's flows and packets against its column “Model”",
    0.001,
    names=("computed", "printed"),
)
def model_column(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    return [
        (
            name,
            laws.utilisation_bound(row["packets"], laws.TABLE_PACKETS, row["flows"]),
            row["Model"],
        )
        for name, row in laws.FIGURE_15.items()
    ]


@agreement(
    "RTT C / sqrt(n) against the abstract's two examples", 0.15, names=("computed", "printed")
)
def abstract(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    return [
        ("share of the buffer that goes, 10,000 flows", 1 - 1 / math.sqrt(10_000), 0.99),
        (
            "buffer for 50,000 flows at 10 Gbit/s and 250 ms, Mbit",
            0.25 * 10e3 / math.sqrt(50_000),
            10.0,
        ),
    ]
