"""Samples flow by flow; subflows of a parallel transfer are added up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ackclock.tables.quantities import short_cc

if TYPE_CHECKING:
    import polars as pl

    from ackclock.core_types.plan import FlowPlan, Plan

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FlowSeries:
    """Samples of one flow, or of one subflow."""

    name: str
    part_of: str | None
    cc: str
    start: float
    end: float
    mss: int
    base_rtt: float
    columns: "pl.DataFrame"

    def column(self, name: str) -> Floats:
        """Return a column as numbers, NaN for null."""
        return self.columns[name].cast(float).fill_null(float("nan")).to_numpy()

    @property
    def time(self) -> Floats:
        """Return the times of the samples, s."""
        return self.column("time")


class _Samples(Protocol):
    @property
    def flows(self) -> "pl.DataFrame": ...


class Sampled(Protocol):
    """The parts of a result that its time series are made of."""

    @property
    def has_samples(self) -> bool:
        """Whether the run recorded time series."""
        ...

    @property
    def plan(self) -> "Plan":
        """The plan that ran."""
        ...

    @property
    def flows(self) -> "pl.DataFrame":
        """The flows, a row each."""
        ...

    @property
    def samples(self) -> _Samples:
        """The samples of all flows."""
        ...

    @property
    def end_time(self) -> float:
        """End of the run, s."""
        ...


def flow_series(result: Sampled) -> list[FlowSeries]:
    """Return the samples of every recorded flow, in the scenario's order.

    A parallel transfer comes before its subflows, if all of them are recorded. The cwnd, the
    inflight data and the counters of the transfer are sums over its subflows.

    Raises
    ------
    ValueError
        If the run recorded no time series.
    """
    if not result.has_samples:
        raise ValueError('the run recorded no time series: set record.samples, for instance "10ms"')
    samples = {
        key[0]: part
        for key, part in result.samples.flows.partition_by(
            "flow", as_dict=True, maintain_order=True
        ).items()
    }
    planned = {flow["name"]: flow for flow in result.plan["flows"]}
    rows = list(result.flows.iter_rows(named=True))
    # Requests go the other way: they are no part of the flow's data.
    single = {
        row["name"]: _flow(row, planned[row["name"]], samples[row["name"]], result.end_time)
        for row in rows
        if row["name"] in samples and not _is_request(planned[row["name"]])
    }
    parts: dict[str, list[FlowSeries]] = {}
    for row in rows:
        if row["part_of"] is not None and row["name"] in single:
            parts.setdefault(row["part_of"], []).append(single[row["name"]])
    incomplete = _incomplete(result.plan)
    series: list[FlowSeries] = []
    for row in rows:
        if row["name"] in single:
            series.append(single[row["name"]])
        elif row["name"] in parts and row["name"] not in incomplete:
            series.append(_together(row["name"], parts[row["name"]]))
    return series


def _is_request(planned: "FlowPlan") -> bool:
    transfer = planned["part_of"]
    return transfer is not None and transfer.get("is_request", False)


def _incomplete(plan: "Plan") -> set[str]:
    """Return flows with unrecorded subflows; a recorded one without samples was never opened."""
    recorded = plan["record"].get("flows")
    kept = None if recorded is None else set(recorded)
    return {
        transfer["name"]
        for index, flow in enumerate(plan["flows"])
        if (transfer := flow["part_of"]) is not None
        and not _is_request(flow)
        and kept is not None
        and index not in kept
    }


def _flow(
    row: dict[str, Any], planned: "FlowPlan", samples: "pl.DataFrame", end_time: float
) -> FlowSeries:
    start = planned["start_ps"] / 1e12
    end = end_time if row["finish_time"] is None else min(row["finish_time"], end_time)
    time = samples["time"]
    return FlowSeries(
        name=row["name"],
        part_of=row["part_of"],
        cc=short_cc(row["cc"]),
        start=start,
        end=end,
        mss=int(planned["transport"]["mss"]),
        base_rtt=row["base_rtt"],
        columns=samples.filter((time >= start) & (time <= end)),
    )


def _together(name: str, parts: Sequence[FlowSeries]) -> FlowSeries:
    """Return the flow that these subflows carry, with a sample whenever one of them has one."""
    import polars as pl

    times, rtts = [], []
    levels: dict[str, list[Floats]] = {name: [] for name in ("cwnd", "inflight")}
    counters: dict[str, list[Floats]] = {name: [] for name in ("delivered", "sent", "lost")}
    for part in parts:
        # A connection that has ended has no window.
        times.append(np.append(part.time, part.end))
        for column, changes in levels.items():
            # A connection that is closed and will be opened again has none either.
            level = np.append(np.nan_to_num(part.column(column)), 0.0)
            changes.append(np.diff(level, prepend=0.0))
        for column, growths in counters.items():
            growths.append(np.append(increments(part.column(column)), 0.0))
        rtts.append(np.append(part.column("rtt_sample"), np.nan))
    order = np.argsort(np.concatenate(times), kind="stable")
    time = np.concatenate(times)[order]
    last = np.flatnonzero(np.diff(time, append=np.inf))
    rtt = np.concatenate(rtts)[order]
    count = np.diff(np.cumsum(~np.isnan(rtt))[last], prepend=0)
    total = np.diff(np.cumsum(np.nan_to_num(rtt))[last], prepend=0.0)
    summed = {
        column: np.cumsum(np.concatenate(steps)[order])[last]
        for column, steps in (levels | counters).items()
    }
    columns = {
        "time": time[last],
        "ssthresh": np.full(len(last), np.nan),
        "rtt_sample": np.divide(total, count, out=np.full(len(last), np.nan), where=count > 0),
        **summed,
    }
    return FlowSeries(
        name=name,
        part_of=None,
        cc=parts[0].cc,
        start=parts[0].start,
        end=max(part.end for part in parts),
        mss=parts[0].mss,
        base_rtt=parts[0].base_rtt,
        columns=pl.DataFrame(columns, nan_to_null=True),
    )


def increments(counter: Floats) -> Floats:
    """Return the increments of a counter that may be reset, as at the end of the warm-up."""
    new = np.diff(counter, prepend=0.0)
    added: Floats = np.where(new < 0.0, counter, new)
    return added
