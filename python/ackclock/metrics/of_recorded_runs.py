"""Metrics of a run as it is recorded: of a result, or of a recording of the kernel.

A kernel shows less of a run than the simulator: `tcp_info` every 10 ms, and the packets of the
bottleneck. Metrics of this file, `of_reductions` and `of_gain_cycles` are made from that alone, and
so are the same figure of both. Each says how it differs from the one that counters give.
"""

from __future__ import annotations

from functools import wraps
from inspect import Signature, signature
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ackclock.formulas.fairness import jain_index
from ackclock.formulas.losses import retransmit_rate
from ackclock.formulas.queues import time_quantile
from ackclock.formulas.synchronisation import congestion_epochs
from ackclock.metrics.from_summary import FCT
from ackclock.metrics.recorded_run import RecordedRun, algorithm
from ackclock.metrics.reduction import recorded
from ackclock.metrics.registry import built_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.metrics.recorded_run import Floats, RecordedFlow
    from ackclock.metrics.registry import Need
    from ackclock.results.result import Result

    OfRun = Callable[[RecordedRun], float | None]

_OfFlows = TypeVar("_OfFlows", bound="Callable[..., float | None]")

_RATE = "RFC 5166 section 2.1.1"
_DELAY = "RFC 5166 section 2.1.2"
_LOSS = "RFC 5166 section 2.1.3"
_LATE = 0.1
"""Time before the end from which on a flow's last sample stands for its end, s."""


def of_recorded_path(name: str, unit: str, source: str, *needs: Need) -> Callable[[OfRun], OfRun]:
    """Register a metric of the bottleneck; the docstring is its definition."""

    def register(function: OfRun) -> OfRun:
        keep = built_in(name, unit, "run", source, needs=["samples", *needs], of_recorded=True)
        keep(wraps(function)(lambda run: function(_run(run))))
        return function

    return register


def of_recorded_flows(
    name: str, unit: str, source: str, *needs: Need
) -> Callable[[_OfFlows], _OfFlows]:
    """Register a metric of one flow, of those of an algorithm (`cc`), or of all together.

    Flows of one algorithm in one scenario stand for each other: which of them is ahead is chance,
    in the kernel as in the simulator.
    """

    def register(function: _OfFlows) -> _OfFlows:
        def figure(
            result: Result | RecordedRun, flow: str | None, *, cc: str = "", **arguments: float
        ) -> float | None:
            run = _run(result)
            chosen = [
                part
                for part in run.flows
                if algorithm(cc) in ("", part.cc) and flow in (None, part.name, part.part_of)
            ]
            value: float | None = function(run, chosen, **arguments)
            return value

        parameters = [*signature(function).parameters.values(), signature(figure).parameters["cc"]]
        figure.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        built_in(
            *(name, unit, "flows", source, function.__doc__),
            needs=["samples", *needs],
            over="all",
            of_recorded=True,
        )(figure)
        return function

    return register


def _run(run: Result | RecordedRun) -> RecordedRun:
    return run if isinstance(run, RecordedRun) else recorded(run)


def mean(values: Sequence[float] | Floats) -> float | None:
    """Return the mean, None of nothing."""
    return float(np.mean(values)) if len(values) else None


def lasting(flows: Sequence[RecordedFlow]) -> list[RecordedFlow]:
    """Return the flows that always have data to send."""
    return [flow for flow in flows if not flow.is_file]


def _rate(run: RecordedRun, flow: RecordedFlow) -> float:
    """Return the payload acknowledged in the steady part, bit/s."""
    if len(flow.time) == 0:
        return 0.0
    # Sampling may end a little early: the counter must not seem to stand still.
    last = float(flow.time[-1])
    end = last if run.duration - _LATE < last < run.duration else run.duration
    before, after = np.interp((run.warmup, end), flow.time, flow.acked)
    return float(8 * (after - before) / (end - run.warmup))


@of_recorded_flows("acked_rate", "bit/s", _RATE)
def _acked_rate(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Payload that was acknowledged after the warm-up, per second of it, of the flows that always
    send, all together. Data in flight counts for goodput, and not here.
    """
    sending = lasting(flows)
    return sum(_rate(run, flow) for flow in sending) if sending else None


@of_recorded_flows("acked_share", "1", _RATE)
def _acked_share(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Share of a flow, or of the flows of an algorithm `cc`, in the acked_rate of all."""
    total = sum(_rate(run, flow) for flow in run.lasting)
    return sum(_rate(run, flow) for flow in lasting(flows)) / total if total > 0 else None


@of_recorded_flows("acked_jain_index", "1", "Jain, Chiu & Hawe, DEC-TR-301, 1984")
def _acked_jain_index(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Jain's index of the flows' acked_rate; none of one flow."""
    rates = [_rate(run, flow) for flow in lasting(flows)]
    return jain_index(rates) if len(rates) > 1 else None


@of_recorded_path("path_rtt.mean", "s", _DELAY, "packets")
def _path_rtt(run: RecordedRun) -> float | None:
    """Mean round-trip time of the data packets that come to the bottleneck after the warm-up, in
    steps of 0.1 %: propagation both ways, waiting and transmission there. No host takes part in it,
    as in rtt.mean, which senders sample.
    """
    path = run.path
    return float(np.average(path.values, weights=path.counts)) if path.counts.sum() else None


def _path_rtt_quantile(percent: int) -> None:
    def quantile(run: RecordedRun) -> float | None:
        return time_quantile(run.path.values, run.path.counts.astype(float), percent / 100)

    quantile.__doc__ = f"{percent}th percentile of the round-trip time of path_rtt.mean."
    of_recorded_path(f"path_rtt.p{percent}", "s", _DELAY, "packets")(quantile)


for _percent in (5, 50, 95):
    _path_rtt_quantile(_percent)


@of_recorded_path("queue_samples.mean", "packets", _DELAY)
def _queue_samples(run: RecordedRun) -> float | None:
    """Mean of the bottleneck's queue at each 10 ms after the warm-up. queue_packets.mean is the
    integral over time, which a recording does not keep.
    """
    return float(np.nanmean(run.path.queue[run.path.time >= run.warmup]))


def _growth(run: RecordedRun, flow: RecordedFlow, counter: Floats, since: float | None) -> float:
    begin = run.warmup if since is None else since
    ends = np.interp((begin, run.duration), flow.time, counter) if len(flow.time) else (0.0, 0.0)
    return float(ends[1] - ends[0])


@of_recorded_flows("retransmitted_since", "packets", _LOSS)
def _retransmitted_since(
    run: RecordedRun, flows: list[RecordedFlow], *, since: float | None = None
) -> float:
    """Data packets sent again from `since` (default: the end of the warm-up) on, all flows
    together.
    """
    return sum(_growth(run, flow, flow.retransmitted, since) for flow in flows)


@of_recorded_flows("sent_since", "packets", _LOSS)
def _sent_since(
    run: RecordedRun, flows: list[RecordedFlow], *, since: float | None = None
) -> float:
    """Full packets of the payload that was acknowledged from `since` (default: the end of the
    warm-up) on, and retransmitted_since, all flows together. sent_packets also counts data that
    is lost or in flight at the end.
    """
    new = sum(_growth(run, flow, flow.acked, since) / flow.mss for flow in flows)
    return new + _retransmitted_since(run, flows, since=since)


@of_recorded_flows("retransmit_rate_since", "1", _LOSS)
def _retransmit_rate_since(
    run: RecordedRun, flows: list[RecordedFlow], *, since: float | None = None
) -> float | None:
    """retransmitted_since over sent_since, in whole packets, all flows together."""
    return retransmit_rate(
        round(_retransmitted_since(run, flows, since=since)),
        round(_sent_since(run, flows, since=since)),
    )


@of_recorded_path("path_drops", "packets", _LOSS, "packets")
def _path_drops(run: RecordedRun) -> float | None:
    """Data packets dropped at the bottleneck after the warm-up, by its queue or on its wire: of
    TCP flows, without ACKs and streams, which dropped_packets counts too.
    """
    return float(sum(len(flow.drops[run.steady(flow.drops)]) for flow in run.flows))


@of_recorded_path("drop_episodes", "1", "as loss_synchronisation", "packets")
def _drop_episodes(run: RecordedRun) -> float | None:
    """Spans of time in which data packets were dropped at the bottleneck after the warm-up, apart
    by at least two of the longest round-trip times there; congestion_epochs takes mean ones.
    """
    longest = float(run.path.values.max()) if len(run.path.values) else 0.0
    # Two round trips of a full queue: one until a loss is noticed, one until the queue sees it.
    drops = [flow.drops[run.steady(flow.drops)] for flow in run.flows]
    return float(len(congestion_epochs(drops, 2 * longest)))


def _times(flows: Sequence[RecordedFlow]) -> list[float]:
    """Return the times of files, SYN to last byte acknowledged, and of sessions' transfers, s."""
    files = [flow.fct for flow in flows if flow.is_file and flow.fct is not None]
    return files + [time for flow in flows for time in flow.transfers.tolist()]


@of_recorded_flows("completion_time.mean", "s", FCT)
def _completion_time(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Mean time of a file (SYN to last byte acknowledged, as in fct.mean) and of a session's file,
    page or response (as in file_time.mean, page_load_time.mean, response_time.mean), together.
    """
    return mean(_times(flows))


@of_recorded_flows("completion_time.p50", "s", FCT)
def _completion_time_p50(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Median of the times of completion_time.mean."""
    times = _times(flows)
    return float(np.median(times)) if times else None


@of_recorded_flows("completion_time.p95", "s", FCT)
def _completion_time_p95(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """95th percentile of the times of completion_time.mean."""
    times = _times(flows)
    return float(np.quantile(times, 0.95)) if times else None


@of_recorded_flows("completions", "1", FCT)
def _completions(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Number of the times of completion_time.mean."""
    return float(len(_times(flows))) if any(flow.is_file for flow in flows) else None
