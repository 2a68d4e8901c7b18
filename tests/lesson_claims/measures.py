"""Measures of a run that several figures take."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import polars as pl

from lesson_runs import MSS, cuts, first_drop, queue, samples


def first(result: Any, name: str) -> tuple[float, float, float]:
    """The first cut: its time, the window before, ssthresh after, packets."""
    return cuts(result, name)[0]


def lost_before(result: Any, name: str, time: float) -> float:
    """Packets that the flow lost, or the bottleneck dropped where the run does not say."""
    rows = samples(result, name).filter(pl.col("time") < time)
    most = rows["lost"].max() if "lost" in rows.columns else None
    if most is None:
        most = queue(result).filter(pl.col("time") < time)["dropped"].max()
    return float(most)


def lost_in_first_episode(result: Any, within: float) -> float:
    """Packets dropped from the first drop on, for `within` seconds."""
    return float(
        queue(result).filter(pl.col("time") < first_drop(result) + within)["dropped"].max()  # type: ignore[arg-type]
    )


def fills(result: Any, packets: int) -> float:
    """The time at which so many packets wait first."""
    return float(queue(result).filter(pl.col("queue_packets") >= packets)["time"][0])


def delay_at(result: Any, time: float) -> float:
    """The queue's delay at a time, s."""
    return float(queue(result).filter(pl.col("time") <= time + 1e-9)["queue_delay"][-1])


def slow_start_ended(result: Any, name: str) -> tuple[float, float]:
    """Time and window (packets) at which ssthresh is known first."""
    rows = samples(result, name).filter(pl.col("ssthresh").is_not_null())
    return float(rows["time"][0]), float(rows["ssthresh"][0]) / MSS


def peaks(result: Any, name: str, begin: float, end: float) -> list[float]:
    """Windows just before each cut of a while, packets."""
    return [peak for time, peak, _ in cuts(result, name) if begin < time < end]


def at_shared_loss(result: Any, number: int) -> tuple[float, float, float]:
    """The shared loss of that number after 11 s: time, window of the first and the second flow."""
    one = [cut for cut in cuts(result, "first") if cut[0] > 11]
    other = [cut for cut in cuts(result, "second") if cut[0] > 11]
    both = [
        (mine[0], mine[1], near[1])
        for mine in one
        for near in other
        if abs(mine[0] - near[0]) < 0.15
    ]
    return both[number - 1]


def shrinking(result: Any) -> float:
    """Share that a shared loss leaves of the difference between two windows, on average.

    Differences of less than 15 packets are left out: a packet more or less would decide.
    """
    both = [
        (mine[0], abs(mine[1] - theirs[1]))
        for mine in cuts(result, "first")
        for theirs in cuts(result, "second")
        if mine[0] > 11 and abs(mine[0] - theirs[0]) < 0.15
    ]
    times = [cut[0] for name in ("first", "second") for cut in cuts(result, name)]
    left = [
        after / before
        for (begin, before), (end, after) in pairwise(both)
        # No loss of one flow alone came between.
        if before >= 15 and not any(begin + 0.15 < time < end - 0.15 for time in times)
    ]
    return sum(left) / len(left)


def alone(result: Any) -> float:
    """The time of the first loss after 11 s that hits one of two flows alone."""
    one = [cut[0] for cut in cuts(result, "first") if cut[0] > 11]
    other = [cut[0] for cut in cuts(result, "second") if cut[0] > 11]
    lonely = [
        time
        for mine, theirs in ((one, other), (other, one))
        for time in mine
        if all(abs(time - near) > 0.5 for near in theirs)
    ]
    return min(lonely)


def phase_end(result: Any, name: str) -> float:
    """The end of the first phase of that name, once STARTUP has begun."""
    rows = result.phases().rows()
    begin = next(index for index, row in enumerate(rows) if row[3] == "STARTUP")
    return float(next(row[2] for row in rows[begin:] if row[3] == name))


def phase_length(result: Any, name: str) -> float:
    rows = result.phases().rows()
    begin = next(index for index, row in enumerate(rows) if row[3] == "STARTUP")
    return float(next(row[2] - row[1] for row in rows[begin:] if row[3] == name))


def probes_per_second(result: Any) -> float:
    gains = result.samples.internals.filter(pl.col("name").cast(str) == "pacing_gain")
    probes = gains.filter(pl.col("time").is_between(2, 9.99)).filter(
        (pl.col("value") > 1.2) & (pl.col("value").shift(1) <= 1)
    )
    return probes.height / 8


def plateau(result: Any, begin: float, end: float) -> float:
    """By how many packets the window changes in a while."""
    rows = samples(result, "cubic").filter(pl.col("time").is_between(begin, end))["cwnd"] / MSS
    return float(rows.max() - rows.min())  # type: ignore[operator]


def cut_near(result: Any, name: str, time: float) -> tuple[float, float, float]:
    """The cut that is nearest to a time."""
    return min(cuts(result, name), key=lambda cut: abs(cut[0] - time))


def waiting(result: Any) -> "pl.Series":
    return queue(result).filter(pl.col("time").is_between(2, 10))["queue_packets"]


def periods(result: Any, *, of: Callable[[list[float]], float]) -> float:
    times = [time for time, *_ in cuts(result, "cubic") if time > 5]
    return of([end - begin for begin, end in pairwise(times)])


def slow_start_ended_by_loss(result: Any, name: str) -> float:
    """The time of the first cut."""
    return first(result, name)[0]
