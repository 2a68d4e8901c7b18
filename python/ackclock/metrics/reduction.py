"""From a result to the run as it is recorded: the same form for the kernel and the simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl

from ackclock.metrics.recorded_run import (
    RESOLUTION,
    STEP,
    Floats,
    RecordedFlow,
    RecordedPath,
    RecordedRun,
    algorithm,
    bin_times,
)
from ackclock.results.schema import STATES, empty
from ackclock.results.series import increments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ackclock.results.result import Result

__all__ = ["bins", "distribution", "recorded"]

_SAME_PACKET = ["flow", "connection", "seq", "length", "ts_val"]


_known: WeakKeyDictionary[Result, RecordedRun] = WeakKeyDictionary()
"""Runs that were reduced already: several metrics are asked for of one result."""


def recorded(result: Result) -> RecordedRun:
    """Return a result as the run is recorded.

    The result has samples, best of 10 ms. Without packets of a link nothing is known of round-trip
    times and drops; of several links the first counts.
    """
    if result not in _known:
        links = result.plan["record"].get("packet_links") or [0]
        _known[result] = _Reduction(result, links[0]).run()
    return _known[result]


class _Reduction:
    """A result, and the packets of its bottleneck."""

    def __init__(self, result: Result, link: int) -> None:
        self._result = result
        self._link = link
        self._plan = result.plan["links"][link]
        self._duration = result.plan["duration_ps"] / 1e12
        self._events = _events(result, self._plan["name"])
        moments = (
            self._events.filter((pl.col("is_ack") == 0) & (pl.col("length") > 0))
            .select(*_SAME_PACKET, "event", "time_ns")
            .sort("time_ns", maintain_order=True)
        )
        self._moments = moments
        self._drops = moments.filter(pl.col("event").str.starts_with("drop"))
        self._firsts = _firsts(self._events)
        self._samples = result.samples.flows.with_columns(pl.col("flow").cast(pl.String)).filter(
            pl.col("cwnd").is_not_null()
        )

    def run(self) -> RecordedRun:
        """The whole run."""
        return RecordedRun(self._duration, self._result.warmup, tuple(self._flows()), self._path())

    def _path(self) -> RecordedPath:
        time = bin_times(round(self._duration / STEP))
        samples = self._result.samples.links.filter(pl.col("link") == self._plan["name"])
        queue = _held(
            samples["time"].to_numpy(), samples["queue_packets"].cast(float).to_numpy(), time, 0.0
        )
        arrival, rtt = self._trips()
        steady = (arrival >= self._result.warmup) & (arrival < self._duration)
        return RecordedPath(time, queue, *bins(arrival, rtt, len(time)), *distribution(rtt[steady]))

    def _trips(self) -> tuple[Floats, Floats]:
        """Arrivals and round-trip times of the data packets that came through, s."""
        of_event = pl.col("event")
        sent = self._moments.filter(of_event == "send").with_columns(arrival_ns=pl.col("time_ns"))
        # A segment that was sent twice is two packets of one sequence number: what comes out is the
        # latest that went in.
        trips = (
            self._moments.filter(of_event == "receive")
            .join_asof(
                sent.drop("event"),
                on="time_ns",
                by=_SAME_PACKET,
                strategy="backward",
                check_sortedness=False,
            )
            .drop_nulls("arrival_ns")
        )
        # Delay of the path beyond the link.
        flows = self._result.flows
        beyond = pl.DataFrame(
            {
                "flow": flows["name"],
                "beyond": flows["base_rtt"].cast(float) - self._plan["delay_ps"] / 1e12,
            }
        )
        trips = trips.join(beyond, on="flow", maintain_order="left").select(
            arrival=pl.col("arrival_ns") / 1e9,
            rtt=(pl.col("time_ns") - pl.col("arrival_ns")) / 1e9 + pl.col("beyond"),
        )
        return trips["arrival"].to_numpy(), trips["rtt"].to_numpy()

    def _flows(self) -> Iterator[RecordedFlow]:
        """TCP flows: connections as they are, those of a session as one.

        Streams of datagrams have no window, and are left out, as are flows without samples that
        the scenario asked for.
        """
        plan = self._result.plan
        chosen = plan["record"].get("flows")
        planned = {
            flow["name"]: flow
            for place, flow in enumerate(plan["flows"])
            if chosen is None or place in chosen
        }
        sessions = {
            session["name"]: [plan["flows"][place] for place in session["flows"]]
            for session in plan["sessions"]
        }
        of_sessions = {part["name"] for parts in sessions.values() for part in parts}
        for row in self._result.flows.iter_rows(named=True):
            name = row["name"]
            if name in sessions:
                yield self._session(row, sessions[name])
            elif name in planned and name not in of_sessions:
                yield self._flow(row, planned[name])

    def _flow(self, row: Mapping[str, Any], planned: Mapping[str, Any]) -> RecordedFlow:
        """A flow of one connection."""
        name, mss = row["name"], int(planned["transport"]["mss"])
        samples = self._samples.filter(pl.col("flow") == name)

        def column(name: str, missing: float = float("nan")) -> Floats:
            return samples[name].cast(float).fill_null(missing).to_numpy()

        time = column("time")
        return RecordedFlow(
            name=name,
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
            gain=self._internal(name, "pacing_gain", time),
            bandwidth=self._internal(name, "bw", time),
            drops=self._drops_of([name]),
            window_gain=self._internal(name, "cwnd_gain", time),
            first=self._firsts.get(name),
            part_of=(planned["part_of"] or planned)["name"],
        )

    def _session(self, row: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]) -> RecordedFlow:
        """Sums over a session's connections, and the times of its transfers; no common window."""
        names = [part["name"] for part in parts if self._link in part["path"]]
        time = bin_times(round(self._duration / STEP) + 1)
        acked, retransmitted = np.zeros(len(time)), np.zeros(len(time))
        for name in names:
            own = self._samples.filter(pl.col("flow") == name)
            if own.height:
                at = own["time"].to_numpy()
                again = np.cumsum(increments(own["retransmitted"].cast(float).to_numpy()))
                acked += np.interp(time, at, own["acked"].cast(float).to_numpy(), left=0.0)
                retransmitted += np.interp(time, at, again, left=0.0)
        transfers = self._result.transfers.filter(
            (pl.col("flow").cast(pl.String) == row["name"])
            & (pl.col("kind").cast(pl.String) != "object")
            & pl.col("finish_time").is_not_null()
        ).sort("start_time")
        nothing = np.full(len(time), np.nan)
        return RecordedFlow(
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
            drops=self._drops_of(names),
            window_gain=nothing,
            first=min((self._firsts[name] for name in names if name in self._firsts), default=None),
            transfers=(transfers["finish_time"] - transfers["start_time"]).to_numpy(),
            starts=transfers["start_time"].to_numpy(),
        )

    def _drops_of(self, names: Sequence[str]) -> Floats:
        """Times at which data packets of these flows were dropped, s."""
        return (self._drops.filter(pl.col("flow").is_in(names))["time_ns"] / 1e9).to_numpy()

    def _internal(self, flow: str, name: str, time: Floats) -> Floats:
        """A variable of the algorithm at these times; NaN if there is none of that name."""
        rows = self._result.samples.internals.filter(
            (pl.col("flow").cast(pl.String) == flow) & (pl.col("name").cast(pl.String) == name)
        )
        return _held(rows["time"].to_numpy(), rows["value"].to_numpy(), time, np.nan)


def _events(result: Result, link: str) -> pl.DataFrame:
    """Events of the packets at a link; no rows if none were recorded."""
    at_link = (pl.col("point") == "link") & (pl.col("where") == link)
    packets = result.packets if result.has_packets else empty("packets")
    return packets.filter(at_link).with_columns(
        pl.col("flow").cast(pl.String), pl.col("event").cast(pl.String)
    )


def _firsts(events: pl.DataFrame) -> Mapping[str, float]:
    """Time of each flow's first packet at the bottleneck, s."""
    firsts = events.group_by("flow", maintain_order=True).agg(pl.col("time_ns").first())
    # Flows that start together are picoseconds apart in the simulator, and times are in whole
    # nanoseconds: the rows have the order.
    return {
        flow: nanoseconds / 1e9 + place * 1e-12
        for place, (flow, nanoseconds) in enumerate(firsts.iter_rows())
    }


def _held(at: Floats, value: Floats, time: Floats, before: float) -> Floats:
    """A sampled value at other times: that of the latest sample."""
    if len(at) == 0:
        return np.full(len(time), before)
    latest = np.searchsorted(at, time + 1e-9, side="right") - 1
    return np.where(latest >= 0, value[np.maximum(latest, 0)], before)


def bins(arrival: Floats, rtt: Floats, count: int) -> tuple[Floats, Floats, Floats]:
    """Mean, least and largest value of each bin of `STEP`; NaN where it has none."""
    places = np.floor(arrival / STEP + 1e-6).astype(np.int64)
    places, rtt = places[places < count], rtt[places < count]
    number = np.bincount(places, minlength=count)
    mean, least, most = np.full((3, count), np.nan)
    np.divide(np.bincount(places, rtt, count), number, out=mean, where=number > 0)
    np.fmin.at(least, places, rtt)
    np.fmax.at(most, places, rtt)
    # The sum of equal values may be rounded off their mean.
    return np.clip(mean, least, most), least, most


def distribution(rtt: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Values in steps of `RESOLUTION` of themselves, and the count of each."""
    steps, counts = np.unique(
        np.round(np.log(rtt) / RESOLUTION).astype(np.int64), return_counts=True
    )
    return np.exp(steps * RESOLUTION), counts.astype(np.int64)
