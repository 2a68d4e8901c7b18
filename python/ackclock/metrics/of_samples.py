"""Metrics made from time series: from the end of the warm-up on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ackclock.formulas.convergence import convergence_time, recovery_times, time_to_factor
from ackclock.formulas.queues import held, time_quantile, time_share
from ackclock.formulas.response import probe_times, probes_upward
from ackclock.formulas.statistics import mean_of
from ackclock.formulas.synchronisation import congestion_epochs, loss_synchronisation
from ackclock.formulas.variation import rates_of, smoothness, variation
from ackclock.metrics.of_counters import flow_row
from ackclock.metrics.registry import SHARE, MetricError, built_in
from ackclock.results.queue_limits import limits_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.results.result import Result
    from ackclock.results.series import Floats, FlowSeries

_PHAM = "Pham & Le, Improving the performance of TCP, 2005"
_BANSAL = (
    "Bansal et al., Dynamic behavior of slowly-responsive congestion control algorithms, SIGCOMM "
    "2001"
)
_MOST_INTERVALS = 100_000
REDUCED = ("cwr", "recovery", "loss")
"""States of a sender that has reduced its cwnd."""


def whole_series(result: Result) -> list[FlowSeries]:
    """Return the samples of the TCP flows; subflows of a parallel transfer are left out."""
    return [series for series in result.series if series.part_of is None and len(series.time) > 1]


def series_of(result: Result, flow: str) -> FlowSeries | None:
    """Return the samples of a flow or subflow; None if it has none, as a UDP stream."""
    known = (series for series in result.series if series.name == flow)
    return next((series for series in known if len(series.time) > 1), None)


def counted(series: FlowSeries, column: str) -> Floats:
    """Return a counter's growth since the flow's start, which no reset takes back."""
    from ackclock.results.series import increments

    total: Floats = np.cumsum(increments(series.column(column)))
    return total


def _drops(series: FlowSeries, since: float) -> Floats:
    from ackclock.results.series import increments

    return series.time[(increments(series.column("lost")) > 0) & (series.time > since)]


def checked_length(length: float, span: float, key: str = "timescale") -> float:
    """Return a length of intervals that does not make too many of them."""
    if not length > span / _MOST_INTERVALS:
        raise MetricError(
            f"{key} = {length:g} s is too short: in {span:g} s it must be more than "
            f"{span / _MOST_INTERVALS:g} s"
        )
    return length


def _measured(result: Result, series: FlowSeries, column: str) -> tuple[Floats, Floats]:
    inside = series.time >= result.warmup
    return series.time[inside], series.column(column)[inside]


@built_in(
    *("rate_variation", "1", "flows"),
    f"RFC 5166 section 2.2.2; Floyd, Handley, Padhye & Widmer, SIGCOMM 2000; {_PHAM}",
    needs=["samples"],
)
def _rate_variation(result: Result, flow: str, *, timescale: float | None = None) -> float | None:
    """Standard deviation over mean of a flow's goodput in intervals of `timescale` (default:
    its mean round-trip time), mean over the flows.
    """
    series = series_of(result, flow)
    length = flow_row(result, flow)["rtt_mean"] if timescale is None else timescale
    if series is None or length is None:
        return None
    start = max(result.warmup, series.start)
    return variation(
        rates_of(
            series.time,
            counted(series, "delivered"),
            start,
            series.end,
            checked_length(length, series.end - start),
        )
    )


@built_in(
    *("smoothness", "1", "flows"),
    "RFC 5166 section 2.2.2; Floyd, Handley & Padhye, A comparison of equation-based and AIMD "
    "congestion control, 2000",
    needs=["samples"],
    limits=SHARE,
)
def _smoothness(result: Result, flow: str) -> float | None:
    """Largest share of cwnd that a flow gives up within one mean round-trip time, mean over the
    flows.
    """
    series, rtt = series_of(result, flow), flow_row(result, flow)["rtt_mean"]
    return (
        None
        if series is None or rtt is None
        else smoothness(*_measured(result, series, "cwnd"), rtt)
    )


@built_in("convergence_time", "s", "run", f"{_BANSAL}; RFC 5166 section 2.3", needs=["samples"])
def _convergence_time(
    result: Result, *, timescale: float = 1.0, delta: float = 0.1, hold: float | None = None
) -> float | None:
    """Time from the start of the last flow until the goodputs of all, averaged over
    `timescale`, are within `delta` of their mean (delta-fair) and stay so for `hold` (default:
    `timescale`); at least `timescale`.
    """
    flows = whole_series(result)
    if len(flows) < 2:
        return None
    start, end = max(flow.start for flow in flows), min(flow.end for flow in flows)
    series = [(flow.time, counted(flow, "delivered")) for flow in flows]
    return convergence_time(
        series,
        start,
        end,
        timescale=checked_length(timescale, result.end_time),
        delta=delta,
        hold=None if hold is None else max(hold, 0.0),
    )


def _until(factor: float) -> Callable[..., float | None]:
    def until(result: Result, flow: str, *, since: float | None = None) -> float | None:
        series = series_of(result, flow)
        if series is None:
            return None
        begin = max(result.warmup, series.start) if since is None else since
        return time_to_factor(series.time, series.column("cwnd"), begin, factor)

    return until


built_in(
    *("halving_time", "s", "flows", f"{_PHAM}; responsiveness in {_BANSAL}"),
    "T1/2: time from `since`, when congestion begins, until cwnd has halved (default: from the "
    "end of the warm-up), mean over the flows.",
    needs=["samples"],
)(_until(0.5))
built_in(
    *("doubling_time", "s", "flows", _PHAM),
    "T2: time from `since`, when congestion ends, until cwnd is twice what it was (default: from "
    "the end of the warm-up), mean over the flows.",
    needs=["samples"],
)(_until(2.0))


@built_in("recovery_time", "s", "flows", f"{_PHAM}, table 1", needs=["samples"])
def _recovery_time(result: Result, flow: str) -> float | None:
    """Time from a reduction (fast recovery, timeout, ECN) until cwnd is back at what it was
    before, mean over the reductions after which it came back, then over the flows.
    """
    series = series_of(result, flow)
    if series is None or "state" not in series.columns.columns:
        return None
    inside = series.columns.filter(series.columns["time"] >= result.warmup)
    reduced = inside["state"].cast(str).is_in(REDUCED).to_numpy()
    events = np.flatnonzero(reduced & ~np.append(True, reduced[:-1]))
    return mean_of(
        recovery_times(inside["time"].to_numpy(), inside["cwnd"].to_numpy(), events.tolist())
    )


def _gap(result: Result, flows: list[FlowSeries], given: float | None) -> float | None:
    """Return the seconds without a drop that end an epoch; None if samples are too far apart."""
    samples = result.plan["record"]["samples"]
    spacing = samples["period_ps"] / 1e12 if samples["kind"] == "period" else 0.0
    if given is None:
        rtts = [
            rtt for flow in flows if (rtt := flow_row(result, flow.name)["rtt_mean"]) is not None
        ]
        # One round trip until a loss is noticed, one until the queue sees it.
        gap = 2 * max(rtts, default=math.inf)
        return gap if gap > spacing else None
    if given <= spacing:
        raise MetricError(
            f"gap = {given:g} s is too short: samples are {spacing:g} s apart, so that each would "
            "be an epoch of its own; "
            f'take a longer one, or record.samples = "{250 * given:g}ms"'
        )
    return given


@built_in(
    *("loss_synchronisation", "1", "run"),
    "Loss synchronization of TCP connections at a shared bottleneck link, Washington University "
    "in St. Louis, 2006",
    needs=["samples"],
    limits=SHARE,
)
def _loss_synchronisation(result: Result, *, gap: float | None = None) -> float | None:
    """Mean share of the flows that lose a packet in a congestion epoch; drops less than `gap`
    apart (default: two mean round-trip times of the slowest flow) are one epoch. Samples must
    be closer than that.
    """
    flows = whole_series(result)
    apart = _gap(result, flows, gap)
    drops = [_drops(flow, result.warmup) for flow in flows]
    return (
        None
        if apart is None
        else loss_synchronisation(drops, apart, [(flow.start, flow.end) for flow in flows])
    )


@built_in("congestion_epochs", "1", "run", "as loss_synchronisation", needs=["samples"])
def _congestion_epochs(result: Result, *, gap: float | None = None) -> float | None:
    """Spans of time in which flows lost packets, at least `gap` apart from each other (default
    as for loss_synchronisation).
    """
    flows = whole_series(result)
    apart = _gap(result, flows, gap)
    return (
        None
        if apart is None
        else float(len(congestion_epochs([_drops(flow, result.warmup) for flow in flows], apart)))
    )


def _gains(result: Result, flow: str) -> tuple[list[float], list[float]]:
    """Return times and values of the algorithm's pacing gain after the warm-up."""
    internals = result.samples.internals
    gains = internals.filter(
        (internals["flow"] == flow)
        & (internals["name"] == "pacing_gain")
        & (internals["time"] >= result.warmup)
    )
    return gains["time"].to_list(), gains["value"].to_list()


@built_in(
    *("upward_probes", "1", "flows", "Huang, Zhu & Wang, about 2022, figure 13"),
    needs=["samples"],
    over="sum",
)
def _upward_probes(result: Result, flow: str) -> float | None:
    """Number of times that the algorithm's pacing_gain rises above 1 (BBR), all flows together."""
    _, gain = _gains(result, flow)
    return float(probes_upward(gain)) if gain else None


@built_in(
    *("probe_time", "s", "flows", "Huang, Zhu & Wang, about 2022, on figure 10"),
    needs=["samples"],
    over="mean",
)
def _probe_time(result: Result, flow: str) -> float | None:
    """Mean length of a span with the algorithm's pacing_gain above 1 (BBR's upward probe), to a
    sample's step, mean over the flows.
    """
    return mean_of(probe_times(*_gains(result, flow)))


def _queue(result: Result, link: str) -> tuple[Floats, Floats, Floats, Floats]:
    """Return times (s), packets and bytes that wait, and the time for which they do, s."""
    samples = result.samples.links
    samples = samples.filter((samples["link"] == link) & (samples["time"] >= result.warmup))
    time = samples["time"].to_numpy()
    packets, size = (
        samples[f"queue_{unit}"].cast(float).to_numpy() for unit in ("packets", "bytes")
    )
    return time, packets, size, held(time, result.end_time)


def _quantile(share: float) -> Callable[..., float | None]:
    def quantile(result: Result, link: str) -> float | None:
        _, packets, _, weight = _queue(result, link)
        return time_quantile(packets, weight, share)

    return quantile


_OCCUPANCY = "RFC 5166 section 2.1.2"
for _p in (5, 50, 95, 99):
    built_in(
        *(f"queue_packets.p{_p}", "packets", "links", _OCCUPANCY),
        f"Length that the bottleneck's queue does not exceed for {_p} % of the time.",
        needs=["samples"],
    )(_quantile(_p / 100))


@built_in("queue_packets.max", "packets", "links", _OCCUPANCY, needs=["samples"])
def _longest(result: Result, link: str) -> float | None:
    """Longest that the bottleneck's queue was, as sampled."""
    _, packets, _, _ = _queue(result, link)
    return float(packets.max()) if len(packets) else None


@built_in("queue_empty_share", "1", "links", _OCCUPANCY, needs=["samples"])
def _empty(result: Result, link: str) -> float | None:
    """Share of time for which nothing waits at the bottleneck."""
    _, packets, _, weight = _queue(result, link)
    return time_share(packets == 0, weight)


@built_in("queue_full_share", "1", "links", _OCCUPANCY, needs=["samples"])
def _full(result: Result, link: str) -> float | None:
    """Share of time for which the bottleneck's queue has no room for a full packet; none if it
    has no limit.
    """
    time, packets, size, weight = _queue(result, link)
    qdisc = next(part["qdisc"] for part in result.plan["links"] if part["name"] == link)
    limits = limits_of(qdisc)
    transports = [flow["transport"] for flow in result.plan["flows"]]
    full = max((part["mss"] + part["header_bytes"] for part in transports), default=0)
    is_full = np.zeros(len(packets), dtype=bool)
    holds = np.searchsorted([at for at, _ in limits], time, side="right") - 1
    has_limit = False
    for index, (_, limit) in enumerate(limits):
        if (most := limit.get("limit_packets")) is not None:
            no_room = packets >= most
        elif (most := limit.get("limit_bytes")) is not None:
            no_room = size + full > most
        else:
            continue
        has_limit = True
        is_full |= no_room & (holds == index)
    return time_share(is_full, weight) if has_limit else None
