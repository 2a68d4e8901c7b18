"""Capacity of a link over time, from its plan."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.series import Floats

if TYPE_CHECKING:
    from ackclock.core_types.plan import (
        LinkPlan,
        OutagePlan,
        ScheduleServicePlan,
        ServicePlan,
        TraceServicePlan,
    )

__all__ = ["Span", "is_down", "opportunities", "rate_spans", "rates", "steps", "unpack"]

PS_PER_MS = 10**9
_PS_PER_S = 1000 * PS_PER_MS
_OPPORTUNITY_BITS = 1500 * 8

_MOST_STEPS = 5_000_000

Span = tuple[int, int, int]
"""A time of constant rate: begin and end, ps, and the rate, bit/s."""


def rates(link: "LinkPlan", edges: Floats) -> Floats | None:
    """Return a link's mean rate in each interval between `edges` (s), bit/s.

    None if the rate never changes, or changes too often to be drawn.
    """
    service = link.get("service")
    if service is None or len(edges) == 0:
        return None
    length = int(np.ceil(edges[-1] * _PS_PER_S)) + 1
    if steps(service, length) > _MOST_STEPS:
        return None
    if service["kind"] == "trace":
        instants = list(opportunities(service, length))
        times = np.array([ms for ms, _ in instants], dtype=np.float64) / 1000
        carried = np.append(0.0, np.cumsum([count * _OPPORTUNITY_BITS for _, count in instants]))
        bits = carried[np.searchsorted(times, edges, side="right")]
    else:
        spans = rate_spans(service, length)
        ends = np.array([0, *(end for _, end, _ in spans)], dtype=np.float64) / _PS_PER_S
        carried = np.append(
            0.0, np.cumsum([bps * (end - begin) / _PS_PER_S for begin, end, bps in spans])
        )
        bits = np.interp(edges, ends, carried)
    result: Floats = np.diff(bits) / np.diff(edges)
    return result


@lru_cache(maxsize=8)
def unpack(packed: str) -> list[tuple[int, int]]:
    """Return a trace's milliseconds and their numbers of opportunities, from the plan's text.

    The list is cached: do not change it.

    Examples
    --------
    >>> unpack("3 1*2 4")
    [(3, 1), (4, 2), (8, 1)]
    """
    opportunities = []
    ms = 0
    for word in packed.split(" "):
        gap, _, count = word.partition("*")
        ms += int(gap)
        opportunities.append((ms, int(count or 1)))
    return opportunities


def steps(service: "ServicePlan", length: int) -> int:
    """Return about how many steps a rate takes up to `length` (ps)."""
    if service["kind"] == "trace":
        cycle = unpack(service["opportunities"])
        return len(cycle) * (1 + length // int(cycle[-1][0] * PS_PER_MS))
    parts = [(service["rates"], service.get("period_ps"))]
    if (outages := service.get("outages")) is not None:
        parts.append((outages["windows"], outages.get("period_ps")))
    return sum(2 * len(changes) * (1 + length // (period or length)) for changes, period in parts)


def opportunities(service: "TraceServicePlan", length: int) -> Iterator[tuple[int, int]]:
    """Yield the milliseconds before `length` (ps) in which a trace delivers, and how often.

    Outages are left out.
    """
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


def is_down(outages: "OutagePlan | None", time: int) -> bool:
    """Return whether a time (ps) is within an outage."""
    if outages is None:
        return False
    within = time % outages["period_ps"] if outages["period_ps"] else time
    return any(begin <= within < end for begin, end in outages["windows"])


def _edges(plan: "OutagePlan | ScheduleServicePlan", times: Sequence[int], length: int) -> set[int]:
    period = plan.get("period_ps") or length
    return {
        at for start in range(0, length, period) for time in times if (at := start + time) < length
    }


def rate_spans(service: "ScheduleServicePlan", length: int) -> list[Span]:
    """Yield the rates of a schedule up to `length` (ps); an outage has rate zero."""
    changes, outages, period = service["rates"], service.get("outages"), service.get("period_ps")
    edges = {0, length} | _edges(service, [time for time, _ in changes], length)
    if outages is not None:
        edges |= _edges(
            outages, [0, *(time for window in outages["windows"] for time in window)], length
        )
    spans = []
    for begin, end in pairwise(sorted(edges)):
        within = begin % period if period else begin
        rate = (
            0
            if is_down(outages, begin)
            else next(bps for time, bps in reversed(changes) if time <= within)
        )
        spans.append((begin, end, rate))
    return spans
