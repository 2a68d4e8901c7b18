"""Metrics made from the table of transfers: what applications moved and waited for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.formulas.transfers import slowdown
from ackclock.metrics.of_counters import flow_row, link_rate, planned, tcp_flows
from ackclock.metrics.registry import built_in

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from ackclock.results.result import Result

_PFABRIC = "Alizadeh et al., pFabric, SIGCOMM 2013"
_PHAM = "Pham & Le, Improving the performance of TCP, 2005"
_DOBRIAN = (
    "Dobrian et al., Understanding the impact of video quality on user engagement, SIGCOMM 2011"
)

# A page is made of objects, a stall of nothing.
_MOVED = ("file", "object", "response")
_INFINITE = float("inf")


def _of_kind(result: Result, flow: str | None, *kinds: str) -> pl.DataFrame:
    """Return the transfers of one flow, or of all, that began after the warm-up."""
    rows = result.transfers
    chosen = rows["kind"].is_in(kinds) & (rows["start_time"] >= result.warmup)
    return rows.filter(chosen if flow is None else chosen & (rows["flow"] == flow))


def _times(transfers: pl.DataFrame) -> pl.Series:
    """Return the completion times of the finished transfers, s."""
    return (transfers["finish_time"] - transfers["start_time"]).drop_nulls()


def _share(values: pl.Series, share: float | None) -> float | None:
    """Return a quantile, or the mean."""
    if len(values) == 0:
        return None
    figure = values.mean() if share is None else values.quantile(share, "linear")
    return float(figure)  # type: ignore[arg-type]


def ideal(result: Result, flow: str) -> tuple[float, float, float] | None:
    """Return wire bytes per payload byte, slowest rate (bit/s) and base RTT (s) of a flow's path.

    None if no link limits the path.
    """
    plan, rtt = planned(result, flow), flow_row(result, flow)["base_rtt"]
    rates = [rate for link in plan["path"] if (rate := link_rate(result, link)) is not None]
    overhead = 1 + plan["transport"]["header_bytes"] / plan["transport"]["mss"]
    return (overhead, min(rates), rtt) if rates and rtt is not None else None


def slowdowns(result: Result) -> tuple[list[float], list[float]]:
    """Return sizes and slowdowns of all files, objects and responses that finished.

    Parameters
    ----------
    result : Result
        A run.

    Returns
    -------
    tuple of lists
        Sizes, bytes of payload; slowdowns. A flow that is one transfer counts by its completion
        time, from the SYN on. Transfers that began before the end of the warm-up are left out.

    Notes
    -----
    `ackclock.metrics.slowdown`, with the headers of full segments added to the size. `by_size` puts
    them in bins.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.metrics import slowdowns
    >>> file = ac.flow("cubic", app={"kind": "file", "size": "100kB"})
    >>> path = ac.dumbbell(rate="10Mbit/s", rtt="40ms", flows=[file], duration="5s")
    >>> sizes, slow = slowdowns(ac.run(path))
    >>> sizes, slow[0] > 1
    ([100000.0], True)
    """
    moved = _of_kind(result, None, *_MOVED).drop_nulls("finish_time")
    rows = list(
        moved.select("flow", "size", moved["finish_time"] - moved["start_time"]).iter_rows()
    )
    known = set(moved["flow"].to_list())
    rows += [
        (row["name"], row["acked_bytes"], row["fct"])
        for row in tcp_flows(result)
        if row["fct"] is not None
        and row["name"] not in known
        and row["start_time"] >= result.warmup
    ]
    best = {flow: ideal(result, flow) for flow in dict.fromkeys(flow for flow, _, _ in rows)}
    sizes, values = [], []
    for flow, size, taken in rows:
        if (path := best[flow]) is not None:
            overhead, rate, rtt = path
            sizes.append(float(size))
            values.append(slowdown(taken, overhead * size, rate, rtt))
    return sizes, values


def _slowdown(share: float | None) -> Callable[..., float | None]:
    def figure(result: Result, *, above: float = 0.0, below: float = _INFINITE) -> float | None:
        import polars as pl

        chosen = [
            value for size, value in zip(*slowdowns(result), strict=True) if above <= size < below
        ]
        return _share(pl.Series(chosen, dtype=pl.Float64), share)

    return figure


def _time(share: float | None, kind: str) -> Callable[..., float | None]:
    def figure(result: Result, flow: str | None) -> float | None:
        return _share(_times(_of_kind(result, flow, kind)), share)

    return figure


_PARTS = (
    ("mean", "Mean", None),
    ("p50", "Median", 0.5),
    ("p95", "95th percentile", 0.95),
    ("p99", "99th percentile", 0.99),
)
for _part, _label, _at in _PARTS:
    built_in(
        *(f"fct_slowdown.{_part}", "1", "run", _PFABRIC),
        f"{_label} of completion time over the ideal one (size/rate + base RTT), of what finished "
        "with at least `above` and less than `below` bytes: files, objects, responses, flows.",
        needs=["transfers"],
    )(_slowdown(_at))
for _name, _kind, _what, _source in (
    ("page_load_time", "page", "page", f"{_PHAM}, test bench"),
    ("file_time", "file", "file", f"{_PHAM}, test bench"),
    ("response_time", "response", "response", "RFC 5166 section 2.1.2"),
    ("round_time", "round", "round of incast", "Alizadeh et al., DCTCP, SIGCOMM 2010, figure 18"),
):
    for _part, _label, _at in _PARTS:
        built_in(
            *(f"{_name}.{_part}", "s", "flows", _source),
            f"{_label} of the time from request to last byte of a {_what}, of those that finished.",
            needs=["transfers"],
            over="all",
        )(_time(_at, _kind))


@built_in(
    *("finished_transfers", "1", "flows", f"{_PHAM}, test bench (score)"),
    needs=["transfers"],
    over="all",
)
def _finished(
    result: Result, flow: str | None, *, kind: str = "file", within: float = _INFINITE
) -> float:
    """Transfers of a `kind` (file, page, object, response, round) that finished before the run
    was `within` old (default: before its end).
    """
    return float((_of_kind(result, flow, kind)["finish_time"] <= within).sum())


def _watched(result: Result, flow: str | None) -> float:
    """Return the time for which flows with segments existed, s."""
    names = set(_of_kind(result, flow, "segment")["flow"].to_list())
    rows = [row for row in result.flows.iter_rows(named=True) if row["name"] in names]
    ends = (
        row["finish_time"] if row["finish_time"] is not None else result.end_time for row in rows
    )
    return math.fsum(
        max(end - max(row["start_time"], result.warmup), 0.0)
        for row, end in zip(rows, ends, strict=True)
    )


def _stalled(result: Result, flow: str | None) -> float:
    stalls = _of_kind(result, flow, "stall")
    return float((stalls["finish_time"].fill_null(result.end_time) - stalls["start_time"]).sum())


@built_in("stalls", "1", "flows", _DOBRIAN, needs=["transfers"], over="all")
def _stalls(result: Result, flow: str | None) -> float:
    """Times that a video stood still, all flows together."""
    return float(_of_kind(result, flow, "stall").height)


@built_in("stall_time", "s", "flows", _DOBRIAN, needs=["transfers"], over="all")
def _stall_time(result: Result, flow: str | None) -> float:
    """Time for which videos stood still, all flows together."""
    return _stalled(result, flow)


@built_in(
    "stall_share", "1", "flows", f"{_DOBRIAN} (buffering ratio)", needs=["transfers"], over="all"
)
def _stall_share(result: Result, flow: str | None) -> float | None:
    """Stalled time over the time that the videos were there."""
    watched = _watched(result, flow)
    return _stalled(result, flow) / watched if watched > 0.0 else None


@built_in("segment_rate.mean", "bit/s", "flows", _DOBRIAN, needs=["transfers"], over="all")
def _segment_rate(result: Result, flow: str | None) -> float | None:
    """Mean encoded rate of the segments that arrived."""
    return _share(
        _of_kind(result, flow, "segment").drop_nulls("finish_time")["rate"].drop_nulls(), None
    )


@built_in("segment_switches", "1", "flows", _DOBRIAN, needs=["transfers"], over="all")
def _switches(result: Result, flow: str | None) -> float:
    """Changes of rate from one segment of a video to the next."""
    segments = _of_kind(result, flow, "segment").sort("flow", "number")
    same = segments["flow"] == segments["flow"].shift(1)
    return float((same & (segments["rate"] != segments["rate"].shift(1))).sum())
