"""Conservation on each link, and the ranges of its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.oracles.near import above, ordered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["link_counters"]


def _most_waiting(qdisc: dict[str, Any]) -> int | None:
    """Return the discipline's own limit in packets, if any; a shaper holds one more."""
    if qdisc["kind"] == "tbf":
        inner = _most_waiting(qdisc["qdisc"])
        return None if inner is None else inner + 1
    if qdisc["kind"] == "prio":
        bands = [_most_waiting(child) for child in qdisc["children"]]
        return None if None in bands else sum(band or 0 for band in bands)
    limit = qdisc.get("limit", qdisc)
    # A packet that waits stays when the limit shrinks.
    every = [one.get("limit_packets") for one in (limit, *limit.get("later", ()))]
    return None if None in every else max(every)


def _fastest(plan: dict[str, Any]) -> int | None:
    """Return the highest rate at which packets arrive, bit/s.

    None where there is no such: impairments gather packets, a trace's opportunities come at once.
    """
    if plan.get("impairments"):
        return None
    service = plan.get("service")
    if service is None:
        rate: int | None = plan["rate_bps"]
        return rate
    return max(rate for _, rate in service["rates"]) if service["kind"] == "schedule" else None


def link_counters(trial: Trial) -> Iterator[str]:
    """Judge every link."""
    end = trial.core.end_time
    for row, plan in zip(trial.links, trial.plan["links"], strict=True):
        for sentence in _one(trial, row, plan, end):
            yield f"{row['name']}: {sentence}"


def _one(trial: Trial, row: dict[str, Any], plan: dict[str, Any], end: float) -> Iterator[str]:
    drops = sum(row[f"dropped_{kind}"] for kind in ("forced", "early", "policed", "wire"))
    if drops != row["dropped_packets"]:
        yield f"{row['dropped_packets']} packets dropped, and {drops} of the four kinds"
    came = row["arrived_packets"] + row["duplicated_packets"]
    gone = row["delivered_packets"] + row["dropped_packets"]
    if trial.counts_all and gone > came:
        yield f"{came} packets came and were copied, {gone} are gone"
    if trial.counts_all and row["marked_packets"] > row["arrived_packets"]:
        yield f"{row['marked_packets']} of {row['arrived_packets']} packets marked"
    if row["delivered_packets"] > 0 and row["delivered_bytes"] == 0:
        yield f"{row['delivered_packets']} packets without a byte"
    if above(row["busy_time"], row["measured_time"]):
        yield f"busy for {row['busy_time']} s of {row['measured_time']} s"
    if above(row["measured_time"], max(end - trial.warmup, 0.0)):
        yield f"measured for {row['measured_time']} s of a run of {end} s"
    # A wait counts when it is over, and may have begun in the warm-up.
    wrong = ordered(row, "queue_delay", end)
    if wrong:
        yield f"queue delay {wrong}"
    most = _most_waiting(plan["qdisc"])
    if most is not None and above(row["queue_packets_mean"], most):
        yield f"{row['queue_packets_mean']} packets wait on average, where {most} may"
    rate = _fastest(plan)
    if rate is not None:
        # One packet may straddle the beginning, and each takes whole picoseconds.
        rounded = row["delivered_packets"] * 1e-12
        carried = rate * (row["measured_time"] + rounded) / 8
        if above(row["delivered_bytes"], carried + 70_000):
            yield f"delivered {row['delivered_bytes']} bytes in the time for {carried}"
