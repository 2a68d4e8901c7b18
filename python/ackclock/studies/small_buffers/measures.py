"""What P3's figures show and no metric of ackclock measures, each a figure of one run."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import ackclock as ac

if TYPE_CHECKING:
    from ackclock.results import Result

__all__ = [
    "Array",
    "burstiness",
    "delay_over_time",
    "delay_variation",
    "lowest_throughput",
    "network_delay",
    "network_jitter",
    "target_loss_rate",
    "throughput_over_time",
    "variations",
]

Array = np.ndarray[Any, np.dtype[np.float64]]

_TCP = r"^tcp\.\d+"
"""Names of the TCP connections in P3's scenarios."""


@ac.metric(unit="s", source="RFC 5166 section 2.1.2; RFC 7679")
def network_delay(result: Result, *, of: str = "all") -> float | None:
    """Mean one-way delay from sender to receiver: waiting, transmission and propagation on each link, packets of `of` ("all", "tcp")."""
    links = {row["name"]: row for row in result.links.iter_rows(named=True)}
    total, packets = 0.0, 0
    for flow in result.plan["flows"]:
        if of == "tcp" and re.match(_TCP, flow["name"]) is None:
            continue
        path = [result.plan["links"][at] for at in flow["path"]]
        first, last = links[path[0]["name"]], links[path[-1]["name"]]
        if not last["delivered_packets"] or not first["delivered_packets"]:
            continue
        size = first["delivered_bytes"] / first["delivered_packets"]
        delay = math.fsum(_crossing(each, size) + (links[each["name"]]["queue_delay_mean"] or 0.0) for each in path)
        total += delay * last["delivered_packets"]
        packets += last["delivered_packets"]
    return total / packets if packets else None


def _crossing(link: dict[str, Any], size: float) -> float:
    """Propagation and transmission of a packet of `size` bytes, s."""
    rate = link.get("rate_bps")
    return 1e-12 * link["delay_ps"] + (8.0 * size / rate if rate else 0.0)


def delay_over_time(result: Result) -> tuple[Array, Array]:
    """The network's delay at each sample: what a packet would take that entered then, mean over all senders.

    Returns
    -------
    times, delays
        s, both.
    """
    waiting = result.samples.links.pivot(on="link", index="time", values="queue_delay").sort("time")
    wire = {True: 1500.0, False: 1240.0}
    rows = []
    for flow in result.plan["flows"]:
        path = [result.plan["links"][at] for at in flow["path"]]
        size = wire[re.match(_TCP, flow["name"]) is not None]
        fixed = math.fsum(_crossing(each, size) for each in path)
        known = [waiting[each["name"]].fill_null(0.0).to_numpy() for each in path if each["name"] in waiting.columns]
        rows.append(fixed + np.sum(known, axis=0))
    return waiting["time"].to_numpy(), np.mean(rows, axis=0)


def by_second(times: Array, values: Array) -> tuple[Array, Array]:
    """Means over each full second: the seconds' ends and the means."""
    seconds = np.floor(times - times[0] + 1e-9).astype(int)
    count = np.bincount(seconds)
    means = np.bincount(seconds, values) / np.maximum(count, 1)
    whole = count >= np.median(count)
    return (times[0] + np.arange(len(count)) + 1.0)[whole], means[whole]


@ac.metric(unit="s", needs=["samples"], source="Wang, Lan & Li, 2008, figure 3")
def network_jitter(result: Result, *, share: float = 0.99, since: float = 10.0) -> float | None:
    """Amplitude of the changes of the network's delay from one second's mean to the next: what `share` of them do not exceed.

    Slow start, before `since`, is no oscillation and does not count.
    """
    ends, means = by_second(*delay_over_time(result))
    changes = np.abs(np.diff(means[ends > since]))
    return float(np.quantile(changes, share)) if len(changes) else None


def variations(result: Result, stream: str) -> tuple[Array, Array]:
    """Packet delay variation (RFC 3393) of a stream: each packet's delay less that of the packet sent before it.

    Returns
    -------
    times, variations
        s, both: when the packet was sent, and the difference, where both packets arrived.
    """
    sent = result.samples.datagrams.filter(pl.col("flow").cast(pl.String) == stream).sort("number")
    both = sent.with_columns(change=pl.col("delay") - pl.col("delay").shift(1)).drop_nulls("change")
    return both["sent_time"].to_numpy(), both["change"].to_numpy()


@ac.metric(unit="s", needs=["samples", "streams"], of="streams", over="mean", source="RFC 3393")
def delay_variation(result: Result, stream: str, *, share: float = 0.99) -> float | None:
    """Amplitude of the packet delay variation of a stream: what `share` of its absolute values do not exceed."""
    _, changes = variations(result, stream)
    return float(np.quantile(np.abs(changes), share)) if len(changes) else None


def throughput_over_time(result: Result, period: float) -> tuple[Array, Array]:
    """Wire bytes of all TCP connections at their receivers, in periods of `period` s.

    Returns
    -------
    ends, rates
        s and bit/s.
    """
    own = result.samples.links.filter(pl.col("link").cast(pl.String).str.contains(_TCP + r"\.access-down$"))
    total = own.group_by("time").agg(pl.col("delivered_bytes").sum()).sort("time")
    # The end of the run may be no multiple of the period; what is left over is left out.
    edges = np.arange(0.0, float(total["time"].max() or 0.0) + 1e-9, period)  # type: ignore[arg-type]
    carried = np.interp(edges, total["time"].to_numpy(), total["delivered_bytes"].to_numpy())
    return edges[1:], 8.0 * np.diff(carried) / period


@ac.metric(unit="bit/s", needs=["samples"], source="Wang, Lan & Li, 2008, figure 4")
def lowest_throughput(result: Result, *, since: float = 5.0, until: float = 50.0, period: float = 5.0) -> float | None:
    """Lowest throughput of all TCP connections in any `period` s between `since` and `until`: the depth of a dip."""
    ends, rates = throughput_over_time(result, period)
    inside = rates[(ends > since + 1e-9) & (ends <= until + 1e-9)]
    return float(inside.min()) if len(inside) else None


@ac.metric(unit="1", source="RFC 5166 section 2.1.3")
def target_loss_rate(result: Result) -> float | None:
    """TCP packets that the target link dropped, over those that came to it: losses in access queues left out."""
    of_tcp = pl.col("name").str.contains(_TCP)
    lost = result.flows.filter(of_tcp & pl.col("part_of").is_null())["lost_packets"].sum()
    data = of_tcp & ~pl.col("name").str.ends_with("reverse")
    access = result.links.filter(data)
    up = access.filter(pl.col("name").str.ends_with("access-up"))
    came = up["delivered_packets"].sum()
    return (lost - access["dropped_packets"].sum()) / came if came else None


@ac.metric(unit="1", needs=["samples", "streams"], of="streams", over="mean", source="RFC 5166 section 2.2.2")
def burstiness(result: Result, stream: str, *, at: str = "sender", period: float = 0.04) -> float | None:
    """Standard deviation over mean of a stream's bytes in intervals of `period` (a frame's time), "sender" or "receiver"."""
    sent = result.samples.datagrams.filter(pl.col("flow").cast(pl.String) == stream)
    if at == "receiver":
        sent = sent.drop_nulls("delay").with_columns(sent_time=pl.col("sent_time") + pl.col("delay"))
    times = sent["sent_time"].to_numpy()
    if len(times) < 2:
        return None
    # Intervals that end with the stream, and hold all of it but a last part of one.
    count = int((times.max() - times.min()) / period)
    sizes, _ = np.histogram(times - times.min(), count, (0.0, count * period), weights=sent["size"].to_numpy())
    mean = sizes.mean()
    return float(sizes.std() / mean) if mean > 0 else None
