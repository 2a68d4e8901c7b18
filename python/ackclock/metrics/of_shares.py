"""Metrics of a flow's rate over time, compared with its fair share: starving, joining, recovery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.formulas.statistics import mean_of
from ackclock.formulas.windows import first_growth, starved_time, time_to_rate
from ackclock.metrics.of_counters import fair_rates, link_rate
from ackclock.metrics.of_samples import checked_length, series_of, whole_series
from ackclock.metrics.registry import built_in
from ackclock.metrics.windows import (
    Window,
    counter,
    gained_in,
    life,
    payload_share,
    positive,
    window_of,
)

if TYPE_CHECKING:
    from ackclock.results.result import Result
    from ackclock.results.series import FlowSeries

_RFC = "RFC 9743 section 5.2"
_JOINED = 1.0
"""Time after a newcomer's start from which on its share counts, s: slow start is over."""
_GOAL = 0.8
"""Share of the fair rate that counts as reached."""


def _fair(result: Result, flow: str) -> float | None:
    """Return a flow's max-min fair share in payload, bit/s; None if no link has such a share."""
    rate = fair_rates(result).get(flow)
    return rate * payload_share(result, flow) if rate else None


@built_in(
    *("starved_time", "s", "flows"),
    f"{_RFC}; fair share: Bertsekas & Gallager, Data Networks, section 6.5.2",
    needs=["samples"],
    over="max",
)
def _starved_time(
    result: Result, flow: str, *, share: float = 0.1, hold: float = 10.0
) -> float | None:
    """Time after the warm-up and the flow's start that lies in windows of `hold` (default: 10
    s) with a goodput below `share` (default: 0.1) of the flow's max-min fair share. The flow with
    the most counts; to a tenth of `hold`. A flow without data to send starves too.
    """
    series = series_of(result, flow)
    alive = None if series is None else life(result, series)
    measured = None if alive is None else alive.cut(result.warmup, result.end_time)
    if series is None or measured is None or (fair := _fair(result, flow)) is None:
        return None
    return starved_time(
        *counter(series, "delivered"),
        measured.since,
        measured.until,
        rate=positive(share, "share", "0.1") * fair,
        hold=checked_length(hold, measured.length, "hold"),
    )


@built_in(
    "newcomer_share", "1", "run", "RFC 9743 section 5.1.4; RFC 5166 section 2.3", needs=["samples"]
)
def _newcomer_share(result: Result, *, within: float = 30.0) -> float | None:
    """Goodput of a flow that starts after the first one, from one second after its start for
    `within` (default: 30 s), over the bottleneck's payload rate divided by the number of TCP
    flows at that moment. At most 1, mean over these flows.
    """
    length = positive(within, "within", "30s")
    lives = [
        (series, alive)
        for series in whole_series(result)
        if (alive := life(result, series)) is not None
    ]
    first = min((alive.since for _, alive in lives), default=0.0)
    return mean_of(
        _share_of(result, series, alive, length, [window for _, window in lives])
        for series, alive in lives
        if alive.since > first
    )


def _share_of(
    result: Result, series: FlowSeries, alive: Window, length: float, lives: list[Window]
) -> float | None:
    begin = alive.since + _JOINED
    joining = Window(begin, begin + length).cut(0.0, min(alive.until, result.end_time))
    if joining is None or not (rate := link_rate(result, 0, joining.since, joining.until)):
        return None
    flows = sum(window.since <= begin < window.until for window in lives)
    goodput = 8.0 * gained_in(series, "delivered", joining) / joining.length
    return min(goodput / (rate * payload_share(result, series.name) / flows), 1.0)


def _time_to_rate(
    result: Result, series: FlowSeries, since: float, rate: float | None, timescale: float
) -> float | None:
    alive = life(result, series)
    fair = _fair(result, series.name) if rate is None else None
    goal = rate if rate is not None else None if fair is None else _GOAL * fair
    if alive is None or goal is None:
        return None
    return time_to_rate(
        *counter(series, "delivered"),
        max(since, alive.since),
        alive.until,
        rate=positive(goal, "rate", "5Mbit/s"),
        timescale=checked_length(timescale, result.end_time),
    )


_REACHED = (
    "until its goodput, averaged over the preceding `timescale` (default: 1 s), is at least `rate` "
    "(default: 80 % of its max-min fair share); at least `timescale`, mean over the flows that "
    "reach it."
)


@built_in(
    *("rate_reached_time", "s", "flows", "RFC 5166 section 2.2.1"),
    f"Time from `since` (default: the flow's start) {_REACHED}",
    needs=["samples"],
)
def _rate_reached_time(
    result: Result,
    flow: str,
    *,
    since: float = 0.0,
    rate: float | None = None,
    timescale: float = 1.0,
) -> float | None:
    series = series_of(result, flow)
    if series is None or window_of(result, since, None) is None:
        return None
    return _time_to_rate(result, series, since, rate, timescale)


@built_in(
    *("resume_time", "s", "flows", "RFC 5166 section 2.2.1; RFC 9743 section 7.8"),
    "Time from the first data that a flow delivers after `since` (default: its start), to a "
    f"sampling period, {_REACHED}",
    needs=["samples"],
)
def _resume_time(
    result: Result,
    flow: str,
    *,
    since: float = 0.0,
    rate: float | None = None,
    timescale: float = 1.0,
) -> float | None:
    series = series_of(result, flow)
    if series is None or window_of(result, since, None) is None:
        return None
    first = first_growth(*counter(series, "delivered"), since)
    return None if first is None else _time_to_rate(result, series, first, rate, timescale)
