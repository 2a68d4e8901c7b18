"""The study's own criteria: the model's error, and BBR's state in recorded runs."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from ackclock.stats import estimates
from ackclock.studies.claim import Evidence, Verdict
from ackclock.studies.lines import internal
from ackclock.studies.outside import read_outside
from ackclock.studies.results import Spot
from ackclock.studies.rules import Agreement, Rule
from ackclock.studies.weighing import Range, percent, verdict_of
from ackclock_papers.bbr_beside_loss import laws
from ackclock_papers.builders import agreement, rule

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.results.series import Floats
    from ackclock.studies.results import At, Results

PROBE_BW, PROBE_RTT = 2.0, 3.0
"""The variable `mode` of bbr."""
SETTLED = 100.0
"""Time from which on recorded runs are looked at, s."""
BDPS = (1, 4, 16, 32, 64)
CURVES = {
    **{f"CUBIC, {queue} BDP": {"network.bottleneck.limit": f"{queue}bdp"} for queue in BDPS},
    "Reno, 32 BDP": {"flows.loss-based.cc": "reno"},
    # The flow stops before it has begun to matter.
    "alone, 32 BDP": {"flows.loss-based.stop": "0.1s"},
}
ALONE = {f"{flows} flows": {"flows.bbr.count": flows} for flows in (2, 4, 8, 16, 32, 64)}


def shares(results: Results, experiment: str, at: At) -> list[Spot]:
    """BBR's share of all goodput, run by run."""
    other = (
        "goodput of the others" if experiment in ("peers", "versions") else "goodput of the other"
    )
    pairs = zip(
        results.spots(experiment, "goodput of BBR", at),
        results.spots(experiment, other, at),
        strict=True,
    )
    return [
        Spot(
            ours.labels,
            {
                seed: value / (value + theirs.values[seed])
                for seed, value in ours.values.items()
                if seed in theirs.values and value + theirs.values[seed] > 0
            },
        )
        for ours, theirs in pairs
    ]


def on_the_kernel(peer: str) -> dict[float, float]:
    """Mean share of one BBR flow in `linux.json`, by the number of flows of `peer` beside it."""
    by_labels: dict[float, list[float]] = {}
    for row in read_outside(Path(__file__).parent / "linux.json").rows:
        if row["peer"] == peer:
            ours, theirs = row["goodput of BBR"], row["goodput of the others"]
            by_labels.setdefault(float(row["others"]), []).append(ours / (ours + theirs))
    return {others: math.fsum(item) / len(item) for others, item in by_labels.items()}


_PATHS = {"over-queue": laws.SLOW, "faster": laws.FASTER}


def _errors(results: Results, peer: str) -> dict[int, list[float]]:
    """Errors of the model at every setting by seed, as a share of the measured value."""
    where: dict[str, dict[str, str]] = {"over-queue": {"peer": peer}}
    if peer == "cubic":
        where["faster"] = {}
    errors: dict[int, list[float]] = {}
    for experiment, at in where.items():
        for spot in shares(results, experiment, at):
            model = laws.share(
                float(spot.labels["queue"]), int(spot.labels["bbr_flows"]), _PATHS[experiment]
            )
            for seed, measured in spot.values.items():
                errors.setdefault(seed, []).append(abs(model / measured - 1))
    # A median over fewer settings would be another one: seeds that one of the experiments has not
    # are left out.
    most = max(map(len, errors.values()), default=0)
    return {seed: of_seed for seed, of_seed in errors.items() if len(of_seed) == most}


def error(peer: str, name: str, printed: float) -> Rule:
    """The model's median error beside this algorithm is no larger than printed."""

    def judge(results: Results) -> Verdict:
        errors = _errors(results, peer)
        medians = [median(value) for value in errors.values()]
        (middle,) = estimates([medians])
        # "5 %" is anything that rounds to it.
        leaning = Range(highest=printed + 0.005).leaning(middle.low, middle.high)
        evidence = Evidence(
            "", leaning, middle.mean, middle.low, middle.high, "%", middle.n, middle.why
        )
        verdict = verdict_of(f"Median error of the model beside {name}", [evidence])
        every = [label for these in errors.values() for label in these]
        if not every:
            return verdict
        sentence = f"{verdict.sentence} The largest is {percent(max(every))}."
        return Verdict(
            verdict.kind,
            sentence,
            {**verdict.figures, "largest": max(every)},
            verdict.evidence,
            verdict.subject,
        )

    return Rule(
        f"the model's share of the link differs from that measured beside one flow of {name}, as a "
        f"share of the measured one, by {percent(printed)} or less in the median over all "
        "settings: median by seed, interval over seeds of 95 % confidence",
        judge,
        ("over-queue", "faster") if peer == "cubic" else ("over-queue",),
    )


@agreement(
    "where the cap 2 q (p − p²) meets what others leave of the queue, (1 − p) q",
    1e-3,
    names=("computed", "printed"),
)
def half(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    others = np.linspace(0.01, 0.99, 9801)
    gap = [laws.cap_of_queue(float(p)) - laws.rest_of_queue(float(p)) for p in others]
    crossing = float(others[int(np.argmax(np.array(gap) >= 0))])
    return [("share of the queue that others keep", crossing, 0.5)]


def fullness(run: Result) -> Floats:
    """Data in flight of the BBR flow over its window, by sample, in PROBE_BW after settling."""
    flow = next(series for series in run.series if series.name == "bbr")
    at, mode = internal(run, "mode", "bbr")
    probing = np.interp(flow.time, at, mode) == PROBE_BW
    known = probing & (flow.time > SETTLED) & (flow.column("cwnd") > 0)
    full: Floats = flow.column("inflight")[known] / flow.column("cwnd")[known]
    return full


@rule(
    "in PROBE_BW, from 100 s on, the median of a BBR flow's data in flight over its window is at "
    "least 95 % beside a loss-based flow and at most 75 % alone, in runs on 10 Mbit/s and 40 ms "
    "with a queue of 32 BDP",
    "curve",
)
def window_limited(results: Results) -> Verdict:
    evidence = []
    for name, claimed in (
        ("CUBIC, 32 BDP", Range(lowest=0.95)),
        ("Reno, 32 BDP", Range(lowest=0.95)),
        ("alone, 32 BDP", Range(highest=0.75)),
    ):
        run = results.runs["curve"].get(name)
        if run is not None:
            value = float(np.median(fullness(run)))
            evidence.append(
                Evidence(name, claimed.leaning(value, value), value, value, value, "%", 1)
            )
    return verdict_of("Median of the data in flight over the window", evidence)


def taken_for_rtt(run: Result) -> float:
    """Mean over the flows of BBR's estimate of the round-trip time at the end, s."""
    last = []
    for flow in run.series:
        if flow.part_of is None and flow.name == "bbr" and len(run.series) > 1:
            continue
        _, values = internal(run, "min_rtt", flow.name)
        last.append(float(values[-1]))
    return math.fsum(last) / len(last)


def _estimates(results: Results) -> list[tuple[str, float, float]]:
    return [
        (name, taken_for_rtt(run), laws.rtt_estimate(int(name.split()[0])))
        for name, run in results.runs["alone"].items()
    ]


ESTIMATES = Agreement(
    "round-trip time that N BBR flows estimate after 40 s, mean over the flows of a run, against "
    "equation 6",
    _estimates,
    0.1,
    ("alone",),
    "s",
)


def probing_share(run: Result) -> float:
    """Share of the time, from 100 s on, that the BBR flow is in PROBE_RTT."""
    times, mode = internal(run, "mode", "bbr")
    return float(np.mean(mode[times > SETTLED] == PROBE_RTT))


@agreement(
    "share of the time from 100 s to 400 s that a BBR flow beside one of CUBIC is in PROBE_RTT, in "
    "a run, against equation 11",
    0.15,
    "curve",
)
def probing(results: Results) -> list[tuple[str, float, float]]:
    return [
        (name, probing_share(run), laws.probe_share(float(name.split()[1])))
        for name, run in results.runs["curve"].items()
        if name.startswith("CUBIC")
    ]
