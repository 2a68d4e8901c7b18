"""Observations from the tables of a result."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ackclock.results.schema import STATES
from ackclock.results.series import increments
from ackclock.validation.observed import (
    RESOLUTION,
    STEP,
    Floats,
    Observed,
    ObservedFlow,
    ObservedPath,
    bin_times,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ackclock.results import Result

__all__ = ["bins", "distribution", "observe"]


def observe(result: Result, conditions: Mapping[str, Any] | None = None) -> Observed:
    """Return the observations that are kept of a run.

    Parameters
    ----------
    result
        A run of a scenario of `validation/`: sampled every 10 ms, with the packets of its
        bottleneck.
    conditions
        Conditions of the run to keep with it.
    """
    link = _bottleneck(result.plan)
    duration = result.plan["duration_ps"] / 1e12
    trips, drops = _packets(result, link)
    seen = _Seen(drops, _firsts(result, link))
    flows = tuple(_flows(result, seen))
    samples = result.samples.links.filter(pl.col("link") == link["name"])
    time = bin_times(round(duration / STEP))
    held = np.searchsorted(samples["time"].to_numpy(), time + 1e-9, side="right") - 1
    queue = np.where(
        held >= 0, samples["queue_packets"].cast(float).to_numpy()[np.maximum(held, 0)], 0.0
    )
    arrival, rtt = trips["arrival"].to_numpy(), trips["rtt"].to_numpy()
    mean, least, most = bins(arrival, rtt, len(time))
    values, counts = distribution(rtt[(arrival >= result.warmup) & (arrival < duration)])
    path = ObservedPath(time, queue, mean, least, most, values, counts)
    return Observed(duration, result.warmup, flows, path, dict(conditions or {}))


@dataclass(frozen=True)
class _Seen:
    """Observations of flows at the bottleneck."""

    drops: pl.DataFrame
    first: Mapping[str, float]

    def drops_of(self, names: Sequence[str]) -> Floats:
        """Times at which data packets of these flows were dropped, s."""
        return self.drops.filter(pl.col("flow").is_in(names))["time"].to_numpy()


def _flows(result: Result, seen: _Seen) -> Iterator[ObservedFlow]:
    """TCP flows: connections as they are, those of a session as one.

    Streams of datagrams have no window, and are left out.
    """
    planned = {flow["name"]: flow for flow in result.plan["flows"]}
    sessions = {
        session["name"]: [result.plan["flows"][place] for place in session["flows"]]
        for session in result.plan["sessions"]
    }
    of_sessions = {part["name"] for parts in sessions.values() for part in parts}
    link = result.plan["record"]["packet_links"][0]
    for row in result.flows.iter_rows(named=True):
        name = row["name"]
        if name in sessions:
            yield _session(result, row, sessions[name], seen, link)
        elif name in planned and name not in of_sessions:
            yield _flow(result, row, planned[name], seen)


def _firsts(result: Result, link: Mapping[str, Any]) -> Mapping[str, float]:
    """Time of each flow's first packet at the bottleneck, s."""
    packets = result.packets.filter((pl.col("point") == "link") & (pl.col("where") == link["name"]))
    firsts = packets.group_by(pl.col("flow").cast(pl.String), maintain_order=True).agg(
        pl.col("time_ns").first()
    )
    # Flows that start together are picoseconds apart in the simulator, and times are in whole
    # nanoseconds: the rows have the order.
    return {
        flow: nanoseconds / 1e9 + place * 1e-12
        for place, (flow, nanoseconds) in enumerate(firsts.iter_rows())
    }


def _bottleneck(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    """The link whose packets were recorded."""
    return plan["links"][plan["record"]["packet_links"][0]]  # type: ignore[no-any-return]


def _packets(result: Result, link: Mapping[str, Any]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Arrivals and round-trip times of data packets that came through, and times of lost ones."""
    events = result.packets.filter(
        (pl.col("point") == "link")
        & (pl.col("where") == link["name"])
        & (pl.col("is_ack") == 0)
        & (pl.col("length") > 0)
    ).with_columns(pl.col("flow").cast(pl.String), pl.col("event").cast(pl.String))
    same = ["flow", "connection", "seq", "length", "ts_val"]
    moments = events.select(*same, "event", "time_ns").sort("time_ns", maintain_order=True)
    sent = moments.filter(pl.col("event") == "send").with_columns(arrival_ns=pl.col("time_ns"))
    out = moments.filter(pl.col("event") == "receive")
    # A segment that was sent twice is two packets of one sequence number: what comes out is the
    # latest that went in.
    trips = out.join_asof(
        sent.drop("event"), on="time_ns", by=same, strategy="backward", check_sortedness=False
    ).drop_nulls("arrival_ns")
    # Delay of the path beyond the link.
    beyond = pl.DataFrame(
        {
            "flow": result.flows["name"],
            "beyond": result.flows["base_rtt"].cast(float) - link["delay_ps"] / 1e12,
        }
    )
    trips = trips.join(beyond, on="flow", maintain_order="left").select(
        arrival=pl.col("arrival_ns") / 1e9,
        rtt=(pl.col("time_ns") - pl.col("arrival_ns")) / 1e9 + pl.col("beyond"),
    )
    drops = moments.filter(pl.col("event").str.starts_with("drop")).select(
        "flow", time=pl.col("time_ns") / 1e9
    )
    return trips, drops


def bins(arrival: Floats, rtt: Floats, count: int) -> tuple[Floats, Floats, Floats]:
    """Mean, least and largest value of each bin of `STEP`; NaN where it has none."""
    frame = pl.DataFrame(
        {"bin": np.floor(arrival / STEP + 1e-6).astype(np.int64), "rtt": rtt}
    ).filter(pl.col("bin") < count)
    grouped = frame.group_by("bin").agg(
        pl.mean("rtt"), pl.min("rtt").alias("least"), pl.max("rtt").alias("most")
    )
    result = np.full((3, count), np.nan)
    at = grouped["bin"].to_numpy()
    for row, name in enumerate(("rtt", "least", "most")):
        result[row, at] = grouped[name].to_numpy()
    return result[0], result[1], result[2]


def distribution(rtt: Floats) -> tuple[Floats, Any]:
    """Values in steps of `RESOLUTION` of themselves, and the count of each."""
    steps, counts = np.unique(
        np.round(np.log(rtt) / RESOLUTION).astype(np.int64), return_counts=True
    )
    return np.exp(steps * RESOLUTION), counts.astype(np.int64)


def _flow(
    result: Result, row: Mapping[str, Any], planned: Mapping[str, Any], seen: _Seen
) -> ObservedFlow:
    """A flow of one connection."""
    mss = int(planned["transport"]["mss"])
    samples = result.samples.flows.filter(
        (pl.col("flow").cast(pl.String) == row["name"]) & pl.col("cwnd").is_not_null()
    )

    def column(name: str, missing: float = float("nan")) -> Floats:
        return samples[name].cast(float).fill_null(missing).to_numpy()

    time = column("time")
    return ObservedFlow(
        name=row["name"],
        cc=algorithm(row["cc"]),
        mss=mss,
        start=planned["start_ps"] / 1e12,
        fct=row["fct"],
        is_file=planned["app"]["kind"] == "file",
        time=time,
        cwnd=column("cwnd") / mss,
        ssthresh=column("ssthresh", float("inf")) / mss,
        acked=column("acked"),
        # The count starts again at the end of the warm-up.
        retransmitted=np.cumsum(increments(column("retransmitted"))),
        state=samples["state"]
        .cast(pl.String)
        .replace_strict(STATES, range(len(STATES)), return_dtype=pl.Int64)
        .to_numpy(),
        gain=_internal(result, row["name"], "pacing_gain", time),
        bandwidth=_internal(result, row["name"], "bw", time),
        drops=seen.drops_of([row["name"]]),
        window_gain=_internal(result, row["name"], "cwnd_gain", time),
        first=seen.first.get(row["name"]),
    )


def _session(
    result: Result,
    row: Mapping[str, Any],
    parts: Sequence[Mapping[str, Any]],
    seen: _Seen,
    link: int,
) -> ObservedFlow:
    """Sums over a session's connections, and the times of its transfers; no common window."""
    names = [part["name"] for part in parts if link in part["path"]]
    time = bin_times(round(result.plan["duration_ps"] / 1e12 / STEP) + 1)
    samples = result.samples.flows.filter(pl.col("cwnd").is_not_null()).with_columns(
        pl.col("flow").cast(pl.String)
    )
    acked, retransmitted = np.zeros(len(time)), np.zeros(len(time))
    for name in names:
        own = samples.filter(pl.col("flow") == name)
        if own.height:
            at = own["time"].to_numpy()
            acked += np.interp(time, at, own["acked"].cast(float).to_numpy(), left=0.0)
            retransmitted += np.interp(
                time,
                at,
                np.cumsum(increments(own["retransmitted"].cast(float).to_numpy())),
                left=0.0,
            )
    of_flow = result.transfers.filter(
        (pl.col("flow").cast(pl.String) == row["name"])
        & (pl.col("kind").cast(pl.String) != "object")
    )
    done = of_flow.filter(pl.col("finish_time").is_not_null()).sort("start_time")
    nothing = np.full(len(time), np.nan)
    firsts = [seen.first[name] for name in names if name in seen.first]
    return ObservedFlow(
        name=row["name"],
        cc=algorithm(row["cc"]),
        mss=int(parts[0]["transport"]["mss"]),
        start=min(part["start_ps"] for part in parts) / 1e12,
        fct=None,
        is_file=True,
        time=time,
        cwnd=nothing,
        ssthresh=np.full(len(time), np.inf),
        acked=acked,
        retransmitted=retransmitted,
        state=np.zeros(len(time), dtype=np.int64),
        gain=nothing,
        bandwidth=nothing,
        drops=seen.drops_of(names),
        window_gain=nothing,
        first=min(firsts, default=None),
        transfers=(done["finish_time"] - done["start_time"]).to_numpy(),
        starts=done["start_time"].to_numpy(),
    )


def _internal(result: Result, flow: str, name: str, time: Floats) -> Floats:
    """A variable of the algorithm at these times; NaN if there is none of that name."""
    rows = result.samples.internals.filter(
        (pl.col("flow").cast(pl.String) == flow) & (pl.col("name").cast(pl.String) == name)
    )
    if rows.height == 0 or len(time) == 0:
        return np.full(len(time), np.nan)
    held = np.searchsorted(rows["time"].to_numpy(), time + 1e-9, side="right") - 1
    return np.where(held >= 0, rows["value"].to_numpy()[np.maximum(held, 0)], np.nan)


def algorithm(spec: str) -> str:
    """The name that a flow's algorithm has in the kernel.

    Examples
    --------
    >>> algorithm("cubic(linux=true)")
    'cubic'
    """
    return re.sub(r"\(.*\)", "", spec)
