"""Metrics of the packets that a sender sends: back-off, unused window, circuit breaker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.formulas.breaker import breaker_ratio
from ackclock.formulas.sends import backoff_gap_ratio, burst_gaps, longest_gap, send_times
from ackclock.metrics.of_samples import checked_length, series_of
from ackclock.metrics.registry import MetricError, built_in
from ackclock.metrics.windows import counter, life, positive, window_of

if TYPE_CHECKING:
    from ackclock.metrics.windows import Window
    from ackclock.results.result import Result
    from ackclock.results.series import Floats, FlowSeries

_BACKOFF = "RFC 6298 section 5.5; RFC 9743 section 5.2"
_APART = 0.15
"""Sends at most this far apart are one burst, s: Linux's smallest timeout is 0.2 s."""


def _there(result: Result, flow: str, since: float, until: float | None) -> Window | None:
    """Return the part of a window in which a flow is there; None for a UDP stream."""
    window, series = window_of(result, since, until), series_of(result, flow)
    alive = None if series is None else life(result, series)
    return None if window is None or alive is None else window.cut(alive.since, alive.until)


def _sends(result: Result, flow: str, window: Window) -> Floats:
    series = series_of(result, flow)
    if series is None:
        return np.empty(0)
    samples = result.plan["record"]["samples"]
    spacing = samples["period_ps"] / 1e12 if samples["kind"] == "period" else 0.0
    if spacing > _APART / 2:
        raise MetricError(
            f"samples are {spacing:g} s apart, and sends {_APART:g} s apart cannot be told from "
            f'each other: set record.samples to at most "{_APART / 2 * 1e3:g}ms"'
        )
    return send_times(*counter(series, "sent"), window.since, window.until)


@built_in("backoff_gap_ratio", "1", "flows", _BACKOFF, needs=["samples"])
def _backoff_gap_ratio(
    result: Result, flow: str, *, since: float = 0.0, until: float | None = None
) -> float | None:
    """Smallest ratio of a gap between bursts of sends to the gap before it, from the third gap
    on, between `since` and `until` (default: the whole run); only gaps above 150 ms count, mean
    over the flows that have four.
    """
    window = _there(result, flow, since, until)
    if window is None:
        return None
    return backoff_gap_ratio(burst_gaps(_sends(result, flow, window), _APART))


@built_in("longest_send_gap", "s", "flows", _BACKOFF, needs=["samples"], over="max")
def _longest_send_gap(
    result: Result, flow: str, *, since: float = 0.0, until: float | None = None
) -> float | None:
    """Longest time in which a flow sent nothing, between `since` and `until` (default: the
    whole run) and to a sampling period; of the flow that has the longest.
    """
    window = _there(result, flow, since, until)
    if window is None:
        return None
    return longest_gap(_sends(result, flow, window), window.since, window.until)


@built_in("cwnd_over_used", "1", "flows", "RFC 7661 section 4.2", needs=["samples"])
def _cwnd_over_used(
    result: Result, flow: str, *, at: float | None = None, within: float = 1.0
) -> float | None:
    """The cwnd at the time `at` (default: the run's end) over the most data in flight in the
    `within` (default: 1 s) before, as sampled; mean over the flows. Above 1 the window is not
    used.
    """
    series = series_of(result, flow)
    moment = result.end_time if at is None else at
    begin = moment - positive(within, "within", "1s")
    if series is None:
        return None
    time, cwnd = series.time, series.column("cwnd")
    known = np.flatnonzero((time <= moment) & (cwnd > 0.0))
    used = series.column("inflight")[(time >= begin) & (time <= moment)]
    most = float(used.max(initial=0.0))
    return float(cwnd[known[-1]]) / most if len(known) and most > 0.0 else None


@built_in(
    *("breaker_ratio", "1", "flows", "RFC 8083 section 4.3; RFC 5348 section 3.1"),
    needs=["samples"],
    over="max",
)
def _breaker_ratio(
    result: Result, flow: str, *, report: float = 5.0, reports: int = 3
) -> float | None:
    """Sending rate over the rate of TCP's throughput equation, at the loss and the round-trip
    time of intervals of `report` (default: 5 s): largest ratio, after the warm-up, that
    `reports` (default: 3) intervals running do not fall below. The flow with the most counts.
    Without loss 0; above 10 RTP's circuit breaker would trip.
    """
    measured = _there(result, flow, result.warmup, None)
    series = series_of(result, flow)
    if reports < 1 or reports != int(reports):
        raise MetricError(f"reports = {reports:g} is no number of reports: 1, 2, 3, ...")
    if series is None or measured is None:
        return None
    length = checked_length(report, measured.length, "report")
    number = int(measured.length / length + 1e-9)
    edges = np.array([measured.since + length * place for place in range(number + 1)])
    sent, lost = (
        np.diff(np.interp(edges, *counter(series, column))).tolist() for column in ("sent", "lost")
    )
    rtts = _mean_rtts(series, edges)
    return breaker_ratio(sent, lost, rtts, report=length, reports=int(reports))


def _mean_rtts(series: FlowSeries, edges: Floats) -> list[float]:
    """Return the mean round-trip time in each interval, s; without samples that of the last one."""
    rtt = series.column("rtt_sample")
    known = ~np.isnan(rtt)
    places = np.searchsorted(edges, series.time[known], side="right") - 1
    latest, means = series.base_rtt, []
    for interval in range(len(edges) - 1):
        inside = rtt[known][places == interval]
        latest = float(inside.mean()) if len(inside) else latest
        means.append(latest)
    return means
