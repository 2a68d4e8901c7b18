"""What a link could carry over time, from its plan."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ackclock.results.series import Floats

__all__ = ["Span", "is_down", "opportunities", "rate_spans", "rates", "steps", "unpack"]

PS_PER_MS = 10**9
_PS_PER_S = 1000 * PS_PER_MS
_OPPORTUNITY_BITS = 1500 * 8

_MOST_STEPS = 5_000_000

Span = tuple[int, int, int]
"""A time in which the rate is one: begin and end, ps, and the rate, bit/s."""


def rates(link: Mapping[str, Any], edges: Floats) -> Floats | None:
    """The mean rate of a link in each interval between `edges` (s), bit/s; None where it never changes, or too often to be drawn."""
    service = link.get("service")
    if service is None or len(edges) == 0:
        return None
    length = int(np.ceil(edges[-1] * _PS_PER_S)) + 1
    if steps(service, length) > _MOST_STEPS:
        return None
    if service["kind"] == "trace":
        found = list(opportunities(service, length))
        times = np.array([ms for ms, _ in found], dtype=np.float64) / 1000
        carried = np.append(0.0, np.cumsum([count * _OPPORTUNITY_BITS for _, count in found]))
        bits = carried[np.searchsorted(times, edges, side="right")]
    else:
        spans = rate_spans(service, length)
        ends = np.array([0, *(end for _, end, _ in spans)], dtype=np.float64) / _PS_PER_S
        carried = np.append(0.0, np.cumsum([bps * (end - begin) / _PS_PER_S for begin, end, bps in spans]))
        bits = np.interp(edges, ends, carried)
    result: Floats = np.diff(bits) / np.diff(edges)
    return result


@lru_cache(maxsize=8)
def unpack(packed: str) -> list[tuple[int, int]]:
    """A trace's pairs of a millisecond and how many opportunities it has, from the plan's text; they are shared, and not to be changed.

    Examples
    --------
    >>> unpack("3 1*2 4")
    [(3, 1), (4, 2), (8, 1)]
    """
    found = []
    ms = 0
    for word in packed.split(" "):
        gap, _, count = word.partition("*")
        ms += int(gap)
        found.append((ms, int(count or 1)))
    return found


def steps(service: Mapping[str, Any], length: int) -> int:
    """About how many steps a rate takes up to `length` (ps)."""
    if service["kind"] == "trace":
        cycle = unpack(service["opportunities"])
        return len(cycle) * (1 + length // int(cycle[-1][0] * PS_PER_MS))
    parts = [(service["rates"], service.get("period_ps"))]
    if service.get("outages") is not None:
        parts.append((service["outages"]["windows"], service["outages"]["period_ps"]))
    return sum(2 * len(changes) * (1 + length // (period or length)) for changes, period in parts)


def opportunities(service: Mapping[str, Any], length: int) -> Iterator[tuple[int, int]]:
    """Milliseconds at which a trace's link delivers, and how often, up to `length` (ps); those in outages left out."""
    cycle, outages = unpack(service["opportunities"]), service.get("outages")
    start = 0
    while start * PS_PER_MS < length:
        for ms, count in cycle:
            at = (start + ms) * PS_PER_MS
            if at > length:
                return
            if not is_down(outages, at):
                yield start + ms, count
        start += cycle[-1][0]


def is_down(outages: Mapping[str, Any] | None, time: int) -> bool:
    """Whether a time (ps) is within an outage."""
    if outages is None:
        return False
    within = time % outages["period_ps"] if outages["period_ps"] else time
    return any(begin <= within < end for begin, end in outages["windows"])


def _edges(plan: Mapping[str, Any], times: Sequence[int], length: int) -> set[int]:
    period = plan.get("period_ps") or length
    return {at for start in range(0, length, period) for time in times if (at := start + time) < length}


def rate_spans(service: Mapping[str, Any], length: int) -> list[Span]:
    """The rates of a schedule up to `length` (ps), outages being zero."""
    changes, outages, period = service["rates"], service.get("outages"), service.get("period_ps")
    edges = {0, length} | _edges(service, [time for time, _ in changes], length)
    if outages is not None:
        edges |= _edges(outages, [0, *(time for window in outages["windows"] for time in window)], length)
    spans = []
    for begin, end in pairwise(sorted(edges)):
        within = begin % period if period else begin
        rate = 0 if is_down(outages, begin) else next(bps for time, bps in reversed(changes) if time <= within)
        spans.append((begin, end, rate))
    return spans
