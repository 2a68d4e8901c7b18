"""P3's own metrics, each a figure of one run.

They rely on the names of P3's scenarios: the TCP connections are `tcp.1`, `tcp.2`, ..., the film is
`film`, and the links from a sender and to a receiver are `NAME.access-up` and `NAME.access-down`.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import ackclock as ac

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.core_types.plan import LinkPlan
    from ackclock.results import Result

Array = np.ndarray[Any, np.dtype[np.float64]]

_TCP = r"^tcp\.\d+"
_NEVER_NEGATIVE = (0.0, math.inf)


@ac.metric(unit="s", limits=_NEVER_NEGATIVE, source="RFC 5166 section 2.1.2; RFC 7679")
def network_delay(result: Result, *, of: str = "all") -> float | None:
    """Mean one-way delay of the data packets of all senders ("all") or of TCP alone ("tcp").

    It is the sum over the path of the mean wait, transmission and propagation at each link,
    weighted by the packets that reach their receiver.
    """
    links = {row["name"]: row for row in result.links.iter_rows(named=True)}
    total, packets = 0.0, 0
    for name, path in _paths(result):
        if of == "tcp" and re.match(_TCP, name) is None:
            continue
        first, last = links[path[0]["name"]], links[path[-1]["name"]]
        if not last["delivered_packets"]:
            continue
        size = first["delivered_bytes"] / first["delivered_packets"]
        waiting = math.fsum(links[link["name"]]["queue_delay_mean"] or 0.0 for link in path)
        total += (waiting + _crossing(path, size)) * last["delivered_packets"]
        packets += last["delivered_packets"]
    return total / packets if packets else None


def _paths(result: Result) -> Iterator[tuple[str, list[LinkPlan]]]:
    """Yield each sender's name and the links from it to its receiver."""
    for sender in (*result.plan["flows"], *result.plan["streams"]):
        yield sender["name"], [result.plan["links"][at] for at in sender["path"]]


def _crossing(path: list[LinkPlan], size: float) -> float:
    """Propagation and transmission of a packet of `size` bytes over a path, s."""
    return math.fsum(
        1e-12 * link["delay_ps"] + (8.0 * size / rate if (rate := link.get("rate_bps")) else 0.0)
        for link in path
    )


def _warmup(result: Result) -> float:
    return 1e-12 * float(result.plan["warmup_ps"])


_FULL = {True: 1500.0, False: 1240.0}
"""Bytes of a full packet of TCP, and of the film."""


def delay_over_time(result: Result, period: float = 1.0) -> tuple[Array, Array]:
    """Return the network's delay in periods of `period` s, mean over all senders.

    The wait at a link is the mean length of its queue over the packets that it delivered per second
    (Little's law).

    Returns
    -------
    ends, delays
        s, both.
    """
    samples = result.samples.links.pivot(
        on="link", index="time", values=["queue_packets", "delivered_bytes"]
    ).sort("time")
    times = samples["time"].to_numpy()
    edges = np.arange(0.0, times[-1] + 1e-9, period)
    place = np.minimum(np.floor(times / period + 1e-9).astype(int), len(edges) - 1)
    count = np.maximum(np.bincount(place, minlength=len(edges)), 1)

    def wait(link: str, size: float) -> Array:
        """Return the mean wait in each period; it is zero if nothing was delivered."""
        length = (
            np.bincount(place, samples[f"queue_packets_{link}"].to_numpy(), len(edges)) / count
        )[:-1]
        packets = (
            np.diff(np.interp(edges, times, samples[f"delivered_bytes_{link}"].to_numpy())) / size
        )
        return np.asarray(
            np.divide(length * period, packets, out=np.zeros_like(length), where=packets > 0)
        )

    rows = []
    for name, path in _paths(result):
        size = _FULL[re.match(_TCP, name) is not None]
        known = [
            wait(link["name"], size)
            for link in path
            if f"queue_packets_{link['name']}" in samples.columns
        ]
        rows.append(_crossing(path, size) + np.sum(known, axis=0))
    return edges[1:], np.mean(rows, axis=0)


@ac.metric(
    unit="s", limits=_NEVER_NEGATIVE, needs=["samples"], source="Wang, Lan & Li, 2008, figure 3"
)
def network_jitter(result: Result, *, share: float = 0.99, since: float = 10.0) -> float | None:
    """Amplitude of the changes of the network's delay from one second to the next.

    A share of `share` of the changes does not exceed it. Slow start, before `since`, is no
    oscillation and does not count.
    """
    ends, means = delay_over_time(result)
    changes = np.abs(np.diff(means[ends > max(since, _warmup(result))]))
    return float(np.quantile(changes, share)) if len(changes) else None


def variations(result: Result, stream: str) -> tuple[Array, Array]:
    """Return a stream's packet delay variation (RFC 3393): delay less that of the packet before.

    Returns
    -------
    times, variations
        s, both: when the packet was sent, and the difference, where both packets arrived.
    """
    sent = (
        _datagrams(result, stream)
        .with_columns(change=pl.col("delay") - pl.col("delay").shift(1))
        .drop_nulls("change")
    )
    return sent["sent_time"].to_numpy(), sent["change"].to_numpy()


def _datagrams(result: Result, stream: str) -> pl.DataFrame:
    """Return the datagrams sent after the warm-up, in the order of sending."""
    of_it = (pl.col("flow").cast(pl.String) == stream) & (pl.col("sent_time") >= _warmup(result))
    return result.samples.datagrams.filter(of_it).sort("number")


@ac.metric(
    unit="s", limits=_NEVER_NEGATIVE, of="streams", needs=["samples", "streams"], source="RFC 3393"
)
def delay_variation(result: Result, stream: str, *, share: float = 0.99) -> float | None:
    """Amplitude of a stream's packet delay variation: quantile `share` of its absolute values."""
    _, changes = variations(result, stream)
    return float(np.quantile(np.abs(changes), share)) if len(changes) else None


def throughput_over_time(result: Result, period: float) -> tuple[Array, Array]:
    """Return the wire rate of all TCP connections at their receivers, in periods of `period` s.

    Returns
    -------
    ends, rates
        s and bit/s.
    """
    links = [
        name
        for name in result.samples.links["link"].unique().cast(pl.String)
        if re.match(_TCP + r"\.access-down$", name)
    ]
    own = result.samples.links.filter(pl.col("link").is_in(links))
    total = own.group_by("time").agg(pl.col("delivered_bytes").sum()).sort("time")
    # A run that is no multiple of the period ends with a shorter one, whose rate would not compare:
    # it is left out.
    edges = np.arange(0.0, total["time"].to_numpy()[-1] + 1e-9, period)
    carried = np.interp(edges, total["time"].to_numpy(), total["delivered_bytes"].to_numpy())
    return edges[1:], 8.0 * np.diff(carried) / period


@ac.metric(
    unit="bit/s", limits=_NEVER_NEGATIVE, needs=["samples"], source="Wang, Lan & Li, 2008, figure 4"
)
def lowest_throughput(
    result: Result, *, since: float = 5.0, until: float = 50.0, period: float = 5.0
) -> float | None:
    """Lowest throughput of all TCP connections in any `period` from `since` to `until`.

    It is the depth of a dip.
    """
    ends, rates = throughput_over_time(result, period)
    inside = rates[(ends > max(since, _warmup(result)) + 1e-9) & (ends <= until + 1e-9)]
    return float(inside.min()) if len(inside) else None


def _windows(result: Result) -> pl.DataFrame:
    """Return the TCP connections' samples since the warm-up."""
    of_tcp = pl.col("flow").cast(pl.String).str.contains(_TCP)
    return result.samples.flows.filter(of_tcp & (pl.col("time") >= _warmup(result))).sort("time")


@ac.metric(
    unit="1",
    limits=(0.0, 1.0),
    needs=["samples"],
    source="Floyd & Jacobson, 1993, section 1 (global synchronisation)",
)
def share_losing(result: Result, *, within: float = 0.2) -> float | None:
    """Mean share of the TCP connections that lose in intervals of `within` in which any does.

    It is 0 if none ever does.
    """
    lost = _windows(result).with_columns(
        interval=((pl.col("time") - _warmup(result)) / within + 1e-6).floor()
    )
    ends = lost.group_by("flow", "interval").agg(pl.col("lost").last()).sort("interval")
    losing = ends.with_columns(new=pl.col("lost").diff().over("flow") > 0).drop_nulls("new")
    shares = (
        losing.group_by("interval")
        .agg(pl.col("new").mean())
        .filter(pl.col("new") > 0)["new"]
        .to_numpy()
    )
    return float(shares.mean()) if len(shares) else 0.0


@ac.metric(
    unit="1",
    limits=(-1.0, 1.0),
    needs=["samples"],
    source="Appenzeller, Keslassy & McKeown, 2004, section 3 (synchronisation)",
)
def window_correlation(result: Result) -> float | None:
    """Mean correlation of the TCP connections' windows, pair by pair: 1 in step, 0 independent.

    There is none if no window moves.
    """
    table = _windows(result).pivot(on="flow", index="time", values="cwnd").drop("time").drop_nulls()
    windows = table.to_numpy().astype(float)
    moving = windows[:, windows.std(axis=0) > 0]
    if moving.shape[1] < 2:
        return None
    matrix = np.corrcoef(moving, rowvar=False)
    return float(matrix[np.triu_indices(moving.shape[1], 1)].mean())


@ac.metric(unit="1", limits=(0.0, 1.0), source="RFC 5166 section 2.1.3")
def target_loss_rate(result: Result) -> float | None:
    """TCP packets that the target link dropped, over those that came to it.

    Losses in access queues are left out.
    """
    of_tcp = pl.col("name").str.contains(_TCP)
    lost = int(result.flows.filter(of_tcp & pl.col("part_of").is_null())["lost_packets"].sum())
    access = result.links.filter(of_tcp & ~pl.col("name").str.ends_with("reverse"))
    came = int(access.filter(pl.col("name").str.ends_with("access-up"))["delivered_packets"].sum())
    return (lost - int(access["dropped_packets"].sum())) / came if came else None


@ac.metric(
    unit="1",
    limits=_NEVER_NEGATIVE,
    of="streams",
    needs=["samples", "streams"],
    source="RFC 5166 section 2.2.2",
)
def burstiness(
    result: Result, stream: str, *, at: str = "sender", period: float = 0.04
) -> float | None:
    """Variation of a stream's bytes in intervals of `period` (default: a frame's time).

    It is standard deviation over mean. Intervals at the "receiver" begin later than those at the
    "sender" by the shortest delay of any packet.
    """
    sent = _datagrams(result, stream)
    if at == "receiver":
        sent = sent.drop_nulls("delay").with_columns(
            sent_time=pl.col("sent_time") + pl.col("delay") - pl.col("delay").min()
        )
    if sent.is_empty():
        return None
    first = _warmup(result)
    # Frames leave at the very beginning of an interval: half a millisecond keeps rounding from
    # moving them into the interval before.
    places = np.floor((sent["sent_time"].to_numpy() - first + 5e-4) / period).astype(int)
    count = int((1e-12 * float(result.plan["duration_ps"]) - first) / period)
    sizes = np.bincount(places[places < count], sent["size"].to_numpy()[places < count], count)
    return float(sizes.std() / sizes.mean()) if sizes.mean() > 0 else None
