"""Metrics of a window of time, whose bounds are the run's time: the warm-up does not cut it.

Counters are interpolated linearly between samples, so that a figure is exact to what a sampling
period brings at each bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.formulas.fairness import jain_index
from ackclock.formulas.queues import held_between, time_quantile
from ackclock.formulas.windows import gained
from ackclock.metrics.of_samples import series_of, whole_series
from ackclock.metrics.registry import built_in
from ackclock.metrics.windows import Window, gained_in, life, positive, window_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.results.result import Result
    from ackclock.results.series import Floats

_RATE = "RFC 5166 section 2.1.1"
_DELAY = "RFC 5166 section 2.1.2"
_LOSS = "RFC 5166 section 2.1.3"
_WINDOW = "between `since` and `until` (default: the whole run, warm-up included)"


@built_in(
    *("goodput_between", "bit/s", "flows", _RATE),
    f"In-order payload that all flows delivered together {_WINDOW}, per second of that time; a "
    "flow that is not there delivers nothing.",
    needs=["samples"],
    over="sum",
)
def _goodput_between(
    result: Result, flow: str, *, since: float = 0.0, until: float | None = None
) -> float | None:
    window, series = window_of(result, since, until), series_of(result, flow)
    if window is None or series is None:
        return None
    return 8.0 * gained_in(series, "delivered", window) / window.length


def _packets(column: str) -> Callable[..., float | None]:
    def packets(
        result: Result, flow: str, *, since: float = 0.0, until: float | None = None
    ) -> float | None:
        window, series = window_of(result, since, until), series_of(result, flow)
        return None if window is None or series is None else gained_in(series, column, window)

    return packets


built_in(
    *("lost_between", "packets", "flows", _LOSS),
    f"Data packets that the network dropped {_WINDOW}, all flows together.",
    needs=["samples"],
    over="sum",
)(_packets("lost"))
built_in(
    *("sent_between", "packets", "flows", _LOSS),
    f"Data packets that were sent {_WINDOW}, retransmissions included, all flows together.",
    needs=["samples"],
    over="sum",
)(_packets("sent"))


@built_in("start_lost_packets", "packets", "flows", _LOSS, needs=["samples"], over="sum")
def _start_lost_packets(result: Result, flow: str, *, within: float = 10.0) -> float | None:
    """Data packets that the network dropped in the first `within` (default: 10 s) after a
    flow's start, all flows together.
    """
    series = series_of(result, flow)
    if series is None:
        return None
    length = positive(within, "within", "10s")
    return gained_in(series, "lost", Window(series.start, series.start + length))


@built_in(
    *("jain_between", "1", "run", "Jain, Chiu & Hawe, DEC-TR-301, 1984; RFC 5166 section 2.3.1"),
    f"Jain's index of the flows' goodputs, each over the time that the flow was there {_WINDOW}; "
    "UDP streams apart.",
    needs=["samples"],
)
def _jain_between(
    result: Result, *, since: float = 0.0, until: float | None = None
) -> float | None:
    window = window_of(result, since, until)
    if window is None:
        return None
    rates = []
    for series in whole_series(result):
        alive = life(result, series)
        there = None if alive is None else window.cut(alive.since, alive.until)
        if there is not None:
            rates.append(gained_in(series, "delivered", there) / there.length)
    return jain_index(rates)


def _samples(result: Result, link: str, column: str) -> tuple[Floats, Floats]:
    """Return the times of a link's samples and a column, where it has a value."""
    samples = result.samples.links
    samples = samples.filter((samples["link"] == link) & samples[column].is_not_null())
    return samples["time"].to_numpy(), samples[column].cast(float).to_numpy()


def _quantile(column: str, share: float) -> Callable[..., float | None]:
    def quantile(
        result: Result, link: str, *, since: float = 0.0, until: float | None = None
    ) -> float | None:
        window = window_of(result, since, until)
        if window is None:
            return None
        time, value = _samples(result, link, column)
        return time_quantile(value, held_between(time, window.since, window.until), share)

    return quantile


for _p in (50, 95):
    built_in(
        *(f"queue_delay_between.p{_p}", "s", "links", _DELAY),
        f"Delay in the bottleneck's queue that an arriving packet does not exceed for {_p} % of "
        f"the time {_WINDOW}.",
        needs=["samples"],
    )(_quantile("queue_delay", _p / 100))
built_in(
    *("queue_delay_between.max", "s", "links", _DELAY),
    f"Longest delay in the bottleneck's queue {_WINDOW}, as sampled.",
    needs=["samples"],
)(_quantile("queue_delay", 1.0))
built_in(
    *("queue_packets_between.max", "packets", "links", _DELAY),
    f"Longest that the bottleneck's queue was {_WINDOW}, as sampled.",
    needs=["samples"],
)(_quantile("queue_packets", 1.0))


@built_in(
    *("dropped_between", "packets", "links", _LOSS),
    f"Packets dropped at the bottleneck {_WINDOW}, by its queue or on its wire.",
    needs=["samples"],
)
def _dropped_between(
    result: Result, link: str, *, since: float = 0.0, until: float | None = None
) -> float | None:
    from ackclock.results.series import increments

    window = window_of(result, since, until)
    time, dropped = _samples(result, link, "dropped")
    if window is None or len(time) == 0:
        return None
    time = np.append(0.0, time)
    count = np.append(0.0, np.cumsum(increments(dropped)))
    return gained(time, count, window.since, window.until)


@built_in("burst_packets", "packets", "links", "RFC 7661 section 4.4", needs=["samples"])
def _burst_packets(
    result: Result, link: str, *, since: float = 0.0, within: float = 1.0
) -> float | None:
    """Growth of the bottleneck's queue by a burst: its longest in the `within` (default: 1 s)
    after `since` (default: the run's start), as sampled, less its length at `since`; at least
    0.
    """
    window = window_of(result, since, since + positive(within, "within", "1s"))
    time, queue = _samples(result, link, "queue_packets")
    if window is None or len(time) == 0:
        return None
    before = queue[time <= window.since]
    after = queue[(time > window.since) & (time <= window.until)]
    return max(float(after.max(initial=0.0)) - (float(before[-1]) if len(before) else 0.0), 0.0)
