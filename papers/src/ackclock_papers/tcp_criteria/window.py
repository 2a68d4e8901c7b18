"""Variation of windows: each by itself, and all of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

import ackclock as ac
from ackclock.formulas.variation import rates_of
from ackclock.formulas.variation import variation as spread

if TYPE_CHECKING:
    from numpy.typing import NDArray


@ac.metric(
    unit="1",
    of="flows",
    over="mean",
    needs=["samples"],
    source="Pham & Le, Improving the performance of TCP, 2005, table 2",
    limits=(0.0, float("inf")),
)
def variation(result: ac.Result, flow: str) -> float | None:
    """Standard deviation over mean of a flow's cwnd over time, from the end of the warm-up."""
    samples = result.samples.flows
    rows = samples.filter((samples["flow"].cast(str) == flow) & (samples["time"] >= result.warmup))
    cwnd = np.asarray(rows["cwnd"].to_numpy(), float)
    return float(cwnd.std() / cwnd.mean()) if len(cwnd) > 1 and cwnd.mean() > 0 else None


_TABLE_2 = "Pham & Le, Improving the performance of TCP, 2005, table 2"
RTT_S = 0.12


@ac.metric(unit="1", of="run", needs=["samples"], source=_TABLE_2, limits=(0.0, float("inf")))
def together(result: ac.Result) -> float | None:
    """Standard deviation over mean of the goodput of all flows together, in intervals of 120 ms."""
    total = result.samples.flows.group_by("time").agg(pl.col("delivered").sum()).sort("time")
    time, delivered = (np.asarray(total[name].to_numpy(), float) for name in ("time", "delivered"))
    return spread(rates_of(time, delivered, result.warmup, float(time[-1]), RTT_S))


@ac.metric(unit="1", of="run", needs=["samples"], source=_TABLE_2, limits=(0.0, float("inf")))
def halving_ms(result: ac.Result) -> float | None:
    """T1/2 from 20 s on, as a number of milliseconds."""
    time = result.metric("halving_time(since=20s)")
    return None if time is None else 1e3 * float(time)


@ac.metric(unit="1", of="run", needs=["samples"], source=_TABLE_2, limits=(0.0, float("inf")))
def doubling_ms(result: ac.Result) -> float | None:
    """T2 from 25 s on, as a number of milliseconds."""
    time = result.metric("doubling_time(since=25s)")
    return None if time is None else 1e3 * float(time)


def _unloaded(result: ac.Result, time: float | None) -> float | None:
    """Return a time as if each of its round trips had been one of 120 ms."""
    loaded = result.metric("rtt.mean")
    return None if time is None or not loaded else float(time) * RTT_S / float(loaded)


@ac.metric(unit="1", of="run", needs=["samples"], source=_TABLE_2, limits=(0.0, float("inf")))
def halving_loaded(result: ac.Result) -> float | None:
    """T1/2 in mean round trips, queue included, times 120 ms; a number of seconds."""
    return _unloaded(result, result.metric("halving_time(since=20s)"))


@ac.metric(unit="1", of="run", needs=["samples"], source=_TABLE_2, limits=(0.0, float("inf")))
def doubling_loaded(result: ac.Result) -> float | None:
    """T2 in mean round trips, queue included, times 120 ms; a number of seconds."""
    return _unloaded(result, result.metric("doubling_time(since=25s)"))


EVERYWHERE = "long"
"""Name of the flows that cross every bottleneck."""


@ac.metric(
    unit="1",
    of="run",
    needs=["samples"],
    source="variance of a sum: 1 for independent rates, sqrt(N) for N rates that move as one",
    limits=(0.0, float("inf")),
)
def in_step(result: ac.Result) -> float | None:
    """Standard deviation of the flows' rate over that of as many independent flows.

    A flow's rate is its cwnd over its base RTT, from the end of the warm-up on. The flows of one
    `[[flows]]` and those called `long` share a bottleneck; the largest of the bottlenecks. Below 1
    the flows make room for each other, above 1 they move together.
    """
    rows = result.flows
    base = dict(zip(rows["name"].to_list(), rows["base_rtt"].to_list(), strict=True))
    samples = result.samples.flows
    late = samples.with_columns(samples["flow"].cast(str)).filter(samples["time"] >= result.warmup)
    groups: dict[str, list[NDArray[np.float64]]] = {}
    for flow in late["flow"].unique().sort().to_list():
        name, _, number = flow.rpartition(".")
        rate = late.filter(late["flow"] == flow)["cwnd"].to_numpy() / base[flow]
        groups.setdefault(name if number.isdigit() else flow, []).append(np.asarray(rate, float))
    everywhere = groups.pop(EVERYWHERE, [])
    ratios = []
    for own in groups.values():
        rates = own + everywhere
        shortest = min(map(len, rates))
        grid = np.stack([rate[len(rate) - shortest :] for rate in rates])
        apart = float(np.sqrt(grid.var(axis=1).sum()))
        if apart > 0:
            ratios.append(float(grid.sum(axis=0).std()) / apart)
    return max(ratios, default=None)
