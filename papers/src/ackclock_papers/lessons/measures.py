"""Measures of a lesson's run, which a run elsewhere answers as well."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable

MSS = 1448
PACKET_AT_10 = 1500 * 8 / 10e6
"""Time that a packet takes at 10 Mbit/s, s."""
PACKET_AT_50 = 1500 * 8 / 50e6

Run = Any
"""A `Result`, or a run of another simulator with the same tables, as far as it has them."""


def most(column: pl.Series) -> float:
    """Return the largest value."""
    return float(max(column.drop_nulls()))


def flow(run: Run, name: str) -> dict[str, Any]:
    """Return the counters of a flow."""
    row: dict[str, Any] = run.flows.row(by_predicate=pl.col("name") == name, named=True)
    return row


def mbit(run: Run, name: str) -> float:
    """Return a flow's goodput, Mbit/s."""
    return float(flow(run, name)["goodput"]) / 1e6


def counter(run: Run, name: str, column: str) -> float:
    """Return a counter of a flow in its base unit."""
    return float(flow(run, name)[column])


def rtt(run: Run, name: str, which: str = "mean") -> float:
    """Return a flow's mean RTT, or its largest with `max`, ms."""
    return 1e3 * counter(run, name, f"rtt_{which}")


def lost_share(run: Run, name: str) -> float:
    """Return the share of a flow's packets that were lost, %."""
    return 100 * counter(run, name, "loss_rate")


def lost(run: Run, name: str) -> float:
    """Return the number of packets that a flow lost."""
    return counter(run, name, "lost_packets")


def queue_delay(run: Run, which: str = "mean") -> float:
    """Return the mean queue delay after the warm-up, or the longest with `max`, ms."""
    return 1e3 * float(run.links[f"queue_delay_{which}"][0])


def call(run: Run, figure: str) -> float:
    """Return a figure of the call, its delays in ms."""
    return float(run.streams[figure][0]) * (1e3 if figure.startswith("delay") else 1)


def samples(run: Run, name: str) -> pl.DataFrame:
    """Return the time series of a flow."""
    rows: pl.DataFrame = run.samples.flows
    return rows.filter(pl.col("flow").cast(str) == name)


def most_in_flight(run: Run, end: float) -> float:
    """Return the most data in flight of BBR before a time, packets."""
    return most(samples(run, "bbr").filter(pl.col("time") < end)["inflight"]) / MSS


def queue(run: Run) -> pl.DataFrame:
    """Return the time series of the bottleneck."""
    rows: pl.DataFrame = run.samples.links
    return rows.filter(pl.col("link").cast(str) == "bottleneck")


def window(run: Run, name: str, time: float) -> float:
    """Return the window at a time, packets."""
    before = samples(run, name).filter(pl.col("time") <= time + 1e-9)
    return float(before["cwnd"][-1]) / MSS


def changes_of_window(run: Run, name: str, begin: float, end: float) -> float:
    """Return by how many packets the window changes in a while."""
    windows = samples(run, name).filter(pl.col("time").is_between(begin, end))["cwnd"] / MSS
    return most(windows) + most(-windows)


def dropped(run: Run, end: float) -> float:
    """Return the number of packets dropped up to a time."""
    return most(queue(run).filter(pl.col("time") < end)["dropped"])


def first_drop(run: Run) -> float:
    """Return the time of the first drop, s."""
    return float(queue(run).filter(pl.col("dropped") > 0)["time"][0])


def burst(run: Run, within: float = 0.5) -> float:
    """Return the number of packets dropped from the first drop on, for so many seconds."""
    return dropped(run, first_drop(run) + within)


def lost_before(run: Run, name: str, time: float) -> float:
    """Return the packets a flow lost before a time, or the bottleneck dropped if it is not said."""
    rows = samples(run, name).filter(pl.col("time") < time)
    known = list(rows["lost"].drop_nulls()) if "lost" in rows.columns else []
    return float(max(known)) if known else dropped(run, time)


def full_at(run: Run, packets: int) -> float:
    """Return the time at which so many packets wait first, s."""
    return float(queue(run).filter(pl.col("queue_packets") >= packets)["time"][0])


def delay_at(run: Run, time: float) -> float:
    """Return the queue's delay at a time, s."""
    return float(queue(run).filter(pl.col("time") <= time + 1e-9)["queue_delay"][-1])


def slow_start_end(run: Run, name: str, column: str = "time") -> float:
    """Return the time at which ssthresh is known first, s, or another column then."""
    return float(samples(run, name).filter(pl.col("ssthresh").is_not_null())[column][0])


def slow_start_window(run: Run, name: str) -> float:
    """Return the first ssthresh, packets."""
    return slow_start_end(run, name, "ssthresh") / MSS


def cuts(run: Run, name: str) -> list[tuple[float, float, float]]:
    """Return of each loss the time at which the flow knew, window before, ssthresh after."""
    rows = samples(run, name).select("time", "cwnd", "ssthresh", "state").rows()
    losses = []
    for index in range(1, len(rows)):
        if rows[index][3] == "recovery" and rows[index - 1][3] != "recovery":
            before = max(row[1] for row in rows[max(0, index - 4) : index] if row[1] is not None)
            losses.append((rows[index][0], before / MSS, rows[index][2] / MSS))
    return losses


def cut(run: Run, name: str, near: float = 0.0) -> tuple[float, float, float]:
    """Return that of `cuts` which is nearest to a time; by default the first."""
    return min(cuts(run, name), key=lambda loss: abs(loss[0] - near))


def cut_time(run: Run, name: str, near: float = 0.0) -> float:
    """Return the time of a cut, s."""
    return cut(run, name, near)[0]


def peak(run: Run, name: str, near: float = 0.0) -> float:
    """Return the window before a cut, packets."""
    return cut(run, name, near)[1]


def ssthresh(run: Run, name: str, near: float = 0.0) -> float:
    """Return ssthresh after a cut, packets."""
    return cut(run, name, near)[2]


def periods(run: Run, name: str, of: Callable[[list[float]], float]) -> float:
    """Return the longest, or the like, of the times between losses after 5 s, s."""
    times = [time for time, *_ in cuts(run, name) if time > 5]
    return of([end - begin for begin, end in pairwise(times)])


def share(run: Run, name: str, begin: float, end: float) -> float:
    """Return the rate of acknowledged data between two times, Mbit/s."""
    rows = samples(run, name)
    at_begin, at_end = (
        float(max(rows.filter(pl.col("time") <= time + 1e-9)["delivered"].drop_nulls(), default=0))
        for time in (begin, end)
    )
    return (at_end - at_begin) * 8 / (end - begin) / 1e6


def shared_losses(run: Run) -> list[tuple[tuple[float, float, float], tuple[float, float, float]]]:
    """Return cuts of both flows that come together after 11 s."""
    return [
        (mine, theirs)
        for mine in cuts(run, "first")
        for theirs in cuts(run, "second")
        if mine[0] > 11 and theirs[0] > 11 and abs(mine[0] - theirs[0]) < 0.15
    ]


def shrinking(run: Run) -> float:
    """Return what a shared loss leaves of the difference between two windows, mean, %.

    Differences of less than 15 packets are left out: a packet more or less would decide.
    """
    both = [(mine[0], abs(mine[1] - theirs[1])) for mine, theirs in shared_losses(run)]
    times = [loss[0] for name in ("first", "second") for loss in cuts(run, name)]
    left = [
        after / before
        for (begin, before), (end, after) in pairwise(both)
        # No loss of one flow alone came between.
        if before >= 15 and not any(begin + 0.15 < time < end - 0.15 for time in times)
    ]
    return 100 * sum(left) / len(left)


def alone(run: Run) -> float:
    """Return the time of the first loss after 11 s that hits one of two flows alone, s."""
    first, second = (
        [loss[0] for loss in cuts(run, name) if loss[0] > 11] for name in ("first", "second")
    )
    return min(
        time
        for mine, theirs in ((first, second), (second, first))
        for time in mine
        if all(abs(time - near) > 0.5 for near in theirs)
    )


def phase_end(run: Run, name: str, *, since_its_begin: bool = False) -> float:
    """Return the end of the first phase of that name, once STARTUP has begun, s."""
    rows = run.phases().rows()
    startup = next(index for index, row in enumerate(rows) if row[3] == "STARTUP")
    begin, end = next(row[1:3] for row in rows[startup:] if row[3] == name)
    return float(end - begin) if since_its_begin else float(end)


def phase_length(run: Run, name: str) -> float:
    """Return the length of that phase, s."""
    return phase_end(run, name, since_its_begin=True)


def internal(run: Run, name: str) -> pl.DataFrame:
    """Return the time series of an internal figure of an algorithm."""
    rows: pl.DataFrame = run.samples.internals
    return rows.filter(pl.col("name").cast(str) == name)


def probes_per_second(run: Run) -> float:
    """Return how often in a second from 2 s to 10 s BBR begins to probe for bandwidth."""
    gains = internal(run, "pacing_gain").filter(pl.col("time").is_between(2, 9.99))
    probes = gains.filter((pl.col("value") > 1.2) & (pl.col("value").shift(1) <= 1))
    return probes.height / 8


def pacing_rate(run: Run, begin: float, end: float, of: Callable[[list[float]], float]) -> float:
    """Return the mean, or the like, of BBR's pacing rates in a while, Mbit/s."""
    rows = samples(run, "bbr").filter(pl.col("time").is_between(begin, end))
    return of([rate / 1e6 for rate in rows["pacing_rate"]])


def waiting(run: Run, begin: float, end: float, of: Callable[[list[float]], float]) -> float:
    """Return the mean, or the like, of the packets in the queue in a while."""
    return of(list(queue(run).filter(pl.col("time").is_between(begin, end))["queue_packets"]))
