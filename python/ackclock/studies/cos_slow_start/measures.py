"""P1's own metrics: bursts at the bottleneck, and the jitter of its load and delay.

Experiments name them as `python:ackclock.studies.cos_slow_start.measures:largest_burst`. They need
samples of every change of the queue (`record.samples = "changes"`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.metrics.queues import held
from ackclock.metrics.registry import metric
from ackclock.metrics.variation import rates_of, variation

if TYPE_CHECKING:
    import polars as pl

    from ackclock.results import Result
    from ackclock.results.series import Floats

__all__ = ["bucket", "delay_jitter", "largest_burst", "load_jitter"]

_CRUZ = "Cruz, A calculus for network delay, IEEE Trans. Information Theory 37(1), 1991; RFC 2215"


def _samples(result: Result, link: str) -> pl.DataFrame:
    links = result.samples.links
    return links.filter((links["link"] == link) & (links["time"] >= result.warmup))


def _arrived(result: Result, link: str) -> tuple[Floats, Floats]:
    """When (s) how many bytes had come to the link in all: sent on, waiting or dropped."""
    rows = _samples(result, link)
    flow = result.plan["flows"][0]["transport"]
    full = flow["mss"] + flow["header_bytes"]
    columns = (rows[name].cast(float).to_numpy() for name in ("delivered_bytes", "queue_bytes", "dropped"))
    sent, waiting, dropped = columns
    return rows["time"].to_numpy(), sent + waiting + full * dropped


def bucket(time: Floats, arrived: Floats, rate: float) -> float:
    """Depth of the token bucket that a stream asks for, bytes.

    Parameters
    ----------
    time, arrived : ndarray
        When (s) how much (bytes) had come in all.
    rate : float
        At which tokens come, bit/s.

    Notes
    -----
    The most by which what came between two moments exceeds what the rate would have carried in
    between: the longest queue behind a link of this rate that was empty at first (Cruz 1991).

    Examples
    --------
    >>> bucket(np.array([0.0, 1.0, 2.0]), np.array([0.0, 300.0, 350.0]), 800.0)
    200.0
    """
    ahead = arrived - rate / 8 * time
    return float((ahead - np.minimum.accumulate(ahead)).max()) if len(time) else 0.0


@metric(
    unit="packets",
    of="links",
    definition="Burstiness of what comes to the bottleneck: depth of the token bucket, filled at the "
    "link's rate, that would let all of it pass; full packets.",
    source=_CRUZ,
    needs=["samples"],
)
def largest_burst(result: Result, link: str) -> float | None:
    """Burstiness of what comes to a link, in full packets."""
    time, arrived = _arrived(result, link)
    if len(time) < 2:
        return None
    plan = next(one for one in result.plan["links"] if one["name"] == link)
    flow = result.plan["flows"][0]["transport"]
    return bucket(time, arrived, plan["rate_bps"]) / (flow["mss"] + flow["header_bytes"])


@metric(
    unit="1",
    of="links",
    definition="Jitter of the load: standard deviation over mean of what comes to the bottleneck in intervals of `timescale`.",
    source="RFC 5166 section 2.2.2",
    needs=["samples"],
)
def load_jitter(result: Result, link: str, *, timescale: float = 0.1) -> float | None:
    """Coefficient of variation of the bytes that come to a link per interval (s)."""
    time, arrived = _arrived(result, link)
    return variation(rates_of(time, arrived, result.warmup, result.end_time, timescale))


@metric(
    unit="s",
    of="links",
    definition="Jitter of the delay: standard deviation over time of the wait in the bottleneck's queue.",
    source="RFC 5481 section 1",
    needs=["samples"],
)
def delay_jitter(result: Result, link: str) -> float | None:
    """Standard deviation of the queueing delay over time, s."""
    rows = _samples(result, link)
    weight = held(rows["time"].to_numpy(), result.end_time)
    if not weight.sum() > 0.0:
        return None
    delay = rows["queue_delay"].cast(float).to_numpy()
    mean = np.average(delay, weights=weight)
    return float(np.sqrt(np.average((delay - mean) ** 2, weights=weight)))
