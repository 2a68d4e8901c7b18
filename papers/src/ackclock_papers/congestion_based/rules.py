"""The study's own criteria: printed numbers, and BBR's states in recorded runs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ackclock.studies.claim import Evidence
from ackclock.studies.lines import internal, queue
from ackclock.studies.outside import read_outside
from ackclock.studies.rules import Agreement
from ackclock.studies.weighing import Range, verdict_of
from ackclock.theory import cubic_average_window
from ackclock_papers.builders import agreement, rule

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results

STARTUP, DRAIN, PROBE_BW, PROBE_RTT = 0.0, 1.0, 2.0, 3.0
"""The variable `mode` of bbr."""
PAYLOAD = 1448 / 1500
"""Goodput as a share of the link's traffic."""
BDP = 10e6 * 0.04 / 12_000
"""Packets of the path of 10 Mbit/s and 40 ms."""
RTPROP = 0.04
_DOUBLED_BITS = 20e6 * PAYLOAD

FIRST = {"BBR": {}, "CUBIC": {"flows.cc": "cubic"}}
RATES = {
    f"{name}": {"network.bottleneck.rate": name.replace(" ", "")}
    for name in ("10 Mbit/s", "100 Mbit/s", "1 Gbit/s")
}


def limit(loss: float) -> float:
    """Section “Google B4 WAN”: largest goodput of 100 Mbit/s at a loss rate, bit/s."""
    return 100e6 * PAYLOAD * (1 - loss)


@agreement(
    "packets per loss by the inverse square of the bandwidth-delay product of 10 Gbit/s and 100 "
    "ms, packets of 1500 bytes, against the printed 30 million",
    0.2,
    unit="packets",
    names=("computed", "printed"),
)
def inverse_square(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    bdp = 10e9 * 0.1 / 12_000
    return [("packets per loss", bdp**2, 30e6)]


@agreement(
    "packets per loss at which CUBIC's average window (RFC 9438) is that product, against the "
    "printed 30 million",
    0.2,
    unit="packets",
    names=("computed", "printed"),
)
def cubic_loss(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    bdp = 10e9 * 0.1 / 12_000
    low, high = 1e-12, 1e-2
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if cubic_average_window(middle, 0.1) > bdp else (low, middle)
    return [("packets per loss", 1 / high, 30e6)]


@agreement(
    "a receive buffer of 8 MB (2^23 bytes) each 200 ms, and the ratio of the two rates, against "
    "the printed 335 Mbit/s and 133 times",
    0.005,
    names=("computed", "printed"),
)
def receive_buffer(results: Results) -> list[tuple[str, float, float]]:  # noqa: ARG001
    return [
        ("8 MB in 200 ms, Mbit/s", 8 * 2**20 * 8 / 0.2 / 1e6, 335.0),
        ("2 Gbit/s over 15 Mbit/s", 2e9 / 15e6, 133.0),
    ]


def on_the_kernel(cc: str, buffer: str) -> dict[float, float]:
    """Mean goodput (bit/s) over the loss rate in the runs of `linux-loss.json`."""
    rows: dict[float, list[float]] = {}
    for row in read_outside(Path(__file__).parent / "linux-loss.json").rows:
        if (row["cc"], row["buffer"]) == (cc, buffer):
            rows.setdefault(row["loss"], []).append(row["goodput"])
    return {loss: math.fsum(item) / len(item) for loss, item in sorted(rows.items())}


def _all_of(
    values: list[float], claimed: Range, where: str = "", unit: str = "1", why: str = ""
) -> Evidence:
    """Return the range of the runs' values; the simulator has one run, without chance."""
    low, high = min(values), max(values)
    return Evidence(
        where,
        claimed.leaning(low, high),
        math.fsum(values) / len(values),
        low,
        high,
        unit,
        len(values),
        why,
    )


def _pairs(values: list[float], what: str, printed: float) -> list[tuple[str, float, float]]:
    """Each run's figure beside the printed one."""
    if len(values) == 1:
        return [(what, values[0], printed)]
    return [(f"{what}, run {number}", value, printed) for number, value in enumerate(values, 1)]


def _started(run: Result) -> float:
    """Time at which the flow could send data: a round trip after its SYN, s."""
    return run.series[0].start + RTPROP


def round_trips_to_find(run: Result, name: str) -> float:
    """Round trips of 40 ms from the first data to a bandwidth of 90 % of the rate in `name`."""
    times, bandwidth = internal(run, "bw", run.series[0].name)
    rate = packets_in_path(name) * 12_000 / RTPROP
    reached = times[bandwidth >= 0.9 * PAYLOAD * rate]
    return (float(reached[0]) - _started(run)) / RTPROP if len(reached) else math.inf


def packets_in_path(name: str) -> float:
    """The bandwidth-delay product of a rate, packets."""
    number, unit = name.split()
    return float(number) * {"Mbit/s": 1e6, "Gbit/s": 1e9}[unit] * RTPROP / 12_000


@rule(
    "in runs at 10 Mbit/s, 100 Mbit/s and 1 Gbit/s with 40 ms, BBR's bandwidth is 90 % of the "
    "link's within log2 of the bandwidth-delay product in packets, and one, round trips after the "
    "first data",
    "startup-rates",
)
def bandwidth_found(results: Results) -> Verdict:
    evidence = []
    for name, taken in results.recorded(
        "startup-rates", "round trips", round_trips_to_find
    ).items():
        bound = math.log2(packets_in_path(name)) + 1
        evidence.append(
            _all_of(taken, Range(highest=bound), name, why=f"log2 BDP + 1 is {bound:.1f}")
        )
    return verdict_of("Round trips until 90 % of the bandwidth is known", evidence)


def lowest_queue(run: Result, begin: float = 1.0) -> float:
    """The shortest queue from `begin` on, packets."""
    times, waiting = queue(run)
    return float(waiting[times >= begin].min())


@rule(
    "in the first eight seconds on 10 Mbit/s and 40 ms behind 8 bandwidth-delay products, the "
    "queue of BBR is down to a packet at some time after the first second, that of CUBIC is never "
    f"below one product ({BDP:.0f} packets)",
    "first-seconds",
)
def drained(results: Results) -> Verdict:
    values = results.recorded("first-seconds", "shortest queue", lambda run, _: lowest_queue(run))
    claimed = {"BBR": Range(highest=1.0), "CUBIC": Range(lowest=BDP)}
    evidence = [
        _all_of(values[name], claimed_range, name, "packets")
        for name, claimed_range in claimed.items()
        if name in values
    ]
    return verdict_of("Shortest queue from 1 s to 8 s", evidence)


def doubling_time(run: Result) -> float:
    """Time from the doubling of the rate until BBR's bandwidth is 95 % of it, s."""
    times, bandwidth = internal(run, "bw", run.series[0].name)
    reached = times[(times >= 20.0) & (bandwidth >= 0.95 * _DOUBLED_BITS)]
    return float(reached[0]) - 20.0 if len(reached) else math.inf


@rule(
    "after the rate has doubled, BBR's bandwidth is 95 % of the new one within five gain cycles of "
    "eight round trips: four probes of 1.25 double it, and one cycle may have just begun",
    "steps",
)
def doubled(results: Results) -> Verdict:
    # Number of probes of 1.25 that double the rate, and one for the phase of the change.
    cycles = math.ceil(math.log(2) / math.log(1.25)) + 1
    bound = cycles * 8 * RTPROP
    values = results.recorded("steps", "time to find", lambda run, _: doubling_time(run))
    evidence = [_all_of(taken, Range(highest=bound), unit="s") for taken in values.values()]
    return verdict_of(
        f"Time until the doubled bandwidth is known ({cycles} gain cycles are {bound:.2f} s)",
        evidence,
    )


def states(run: Result, begin: float = 10.0) -> dict[float, float]:
    """Shares of the time in each state, from `begin` on."""
    times, mode = internal(run, "mode", run.series[0].name)
    kept = mode[times >= begin]
    return {state: float(np.mean(kept == state)) for state in (STARTUP, DRAIN, PROBE_BW, PROBE_RTT)}


def _states(results: Results) -> list[tuple[str, float, float]]:
    values = results.recorded("steady", "share in PROBE_BW", lambda run, _: states(run)[PROBE_BW])
    return [pair for shares in values.values() for pair in _pairs(shares, "PROBE_BW", 0.98)]


STATES = Agreement(
    "share of the time from 10 s to 60 s that one flow on 10 Mbit/s and 40 ms is in PROBE_BW, in a "
    "run, against the printed 98 %",
    _states,
    0.01,
    ("steady",),
    "1",
    ("measured", "printed"),
)


def median_inflight(run: Result) -> float:
    """Median of the data in flight from 10 s on, bandwidth-delay products."""
    flow = run.series[0]
    out = flow.column("inflight")[flow.time >= 10.0]
    return float(np.median(out)) / flow.mss / BDP


@agreement(
    "median of the data that one flow on 10 Mbit/s and 40 ms has in flight, in a run from 10 s on, "
    "against one bandwidth-delay product",
    0.1,
    "steady",
    names=("measured", "as claimed"),
)
def inflight(results: Results) -> list[tuple[str, float, float]]:
    values = results.recorded("steady", "median out", lambda run, _: median_inflight(run))
    return [
        pair
        for medians in values.values()
        for pair in _pairs(medians, "median of the data in flight, BDP", 1.0)
    ]
