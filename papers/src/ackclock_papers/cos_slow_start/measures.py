"""P1's own metrics: bursts at the bottleneck, and the jitter of its load and delay.

Experiments name them as `python:ackclock_papers.cos_slow_start.measures:largest_burst`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.formulas.queues import held
from ackclock.formulas.variation import rates_of, variation
from ackclock.metrics.registry import metric

if TYPE_CHECKING:
    import polars as pl

    from ackclock.results import Result
    from ackclock.results.series import Floats

_CRUZ = "Cruz, A calculus for network delay, IEEE Trans. Information Theory 37(1), 1991; RFC 2215"


def _samples(result: Result, link: str) -> pl.DataFrame:
    links = result.samples.links
    return links.filter((links["link"] == link) & (links["time"] >= result.warmup))


def largest_rise(queue: Floats) -> float:
    """Largest growth of a queue from any moment to a later one, in its unit.

    Notes
    -----
    While a link is busy its queue grows by what comes less what the link carries. The largest rise
    is thus the depth of the token bucket, filled at the link's rate, that would let all of it pass
    (Cruz 1991), but for the packet that is being sent.

    Examples
    --------
    >>> largest_rise(np.array([3.0, 1.0, 2.0, 6.0, 4.0, 5.0]))
    5.0
    """
    return float((queue - np.minimum.accumulate(queue)).max()) if len(queue) else 0.0


@metric(
    unit="packets",
    of="links",
    definition="Burstiness of the load of the bottleneck: largest growth of its queue, which must "
    "have no limit, from any moment to a later one.",
    source=_CRUZ,
    needs=["samples"],
)
def largest_burst(result: Result, link: str) -> float | None:
    """Burstiness of a link's load, packets; the run must sample every change of its queue."""
    rows = _samples(result, link)
    return largest_rise(rows["queue_packets"].cast(float).to_numpy()) if len(rows) else None


def arrivals(
    time: Floats, delivered: Floats, waiting: Floats, dropped: Floats, delay: float
) -> tuple[Floats, Floats]:
    """Return times (s) and the bytes that had come to a link: delivered, waiting or dropped.

    Parameters
    ----------
    time : ndarray
        Of the samples, s.
    delivered : ndarray
        What had reached the far end of the link in all, bytes.
    waiting, dropped : ndarray
        What waits at these times, and what had been dropped in all, bytes.
    delay : float
        Propagation delay of the link, s: what is delivered had left so much earlier.

    Examples
    --------
    >>> nothing = np.zeros(3)
    >>> one = arrivals(np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.0, 9.0]), nothing, nothing, 1.0)
    >>> [each.tolist() for each in one]
    [[0.0, 1.0], [0.0, 9.0]]
    """
    known = time + delay <= time[-1] + 1e-9
    later = np.searchsorted(time, time[known] + delay + 1e-9, side="right") - 1
    return time[known], delivered[later] + waiting[known] + dropped[known]


@metric(
    unit="1",
    of="links",
    definition="Jitter of the load: standard deviation over mean of the bytes that come to the "
    "bottleneck in intervals of `timescale`.",
    source="RFC 5166 section 2.2.2",
    needs=["samples"],
)
def load_jitter(result: Result, link: str, *, timescale: float = 0.1) -> float | None:
    """Coefficient of variation of the bytes that come to a link per interval (s).

    Samples must be denser than the intervals.
    """
    rows = _samples(result, link)
    if len(rows) < 2:
        return None
    transport = result.plan["flows"][0]["transport"]
    columns = [
        rows[name].cast(float).to_numpy() for name in ("delivered_bytes", "queue_bytes", "dropped")
    ]
    delivered, waiting, dropped = columns
    dropped = dropped * (transport["mss"] + transport["header_bytes"])
    delay = next(edge["delay_ps"] for edge in result.plan["links"] if edge["name"] == link) / 1e12
    time, arrived = arrivals(rows["time"].to_numpy(), delivered, waiting, dropped, delay)
    if len(time) < 2:
        return None
    return variation(rates_of(time, arrived, result.warmup, float(time[-1]), timescale))


@metric(
    unit="s",
    of="links",
    definition="Jitter of the delay: standard deviation over time of the wait in the bottleneck's "
    "queue.",
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
