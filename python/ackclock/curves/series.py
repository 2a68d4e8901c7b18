"""From samples to lines: grouping of flows, averaging, thinning.

The static figures and the interactive ones of the report share this, so that both agree.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.algorithms import is_whole
from ackclock.results.queue_limits import limits_of
from ackclock.results.series import Floats, FlowSeries, increments

if TYPE_CHECKING:
    import polars as pl

    from ackclock.border.plan import LinkPlan
    from ackclock.results.result import Result

MOST_LINES = 6
"""Largest number of flows, with their subflows, that are drawn one by one.

With more subflows, their median and quartiles are drawn; with more flows, median and quartiles per
congestion control.
"""

GRID = 400
"""Points in time at which a median over flows is taken."""

BUCKETS = 700
"""Number of buckets to which a line is thinned; each keeps its smallest and largest value."""


MOST_MARKERS = 300
"""Largest number of markers; more are thinned evenly, but the legend counts all."""


@dataclass(frozen=True)
class Line:
    """One line to draw, perhaps with a band around it; NaN is a gap."""

    label: str
    time: Floats
    value: Floats
    low: Floats | None = None
    high: Floats | None = None


def groups(flows: Sequence[FlowSeries]) -> list[tuple[str, list[FlowSeries]]]:
    """Labels and members of the lines: single flows, subflows of a flow, or flows of an algorithm.

    `MOST_LINES` decides.
    """
    if len(flows) <= MOST_LINES:
        return [(_label(flow), [flow]) for flow in flows]
    names = {flow.name for flow in flows}
    connections: dict[str, list[FlowSeries]] = {}
    whole: list[FlowSeries] = []
    for flow in flows:
        if flow.part_of in names:
            connections.setdefault(flow.part_of, []).append(flow)
        else:
            whole.append(flow)
    drawn = []
    for flow in whole:
        drawn.append((_label(flow), [flow]))
        if flow.name in connections:
            several = connections[flow.name]
            drawn.append(
                (f"{flow.name}'s connections: median, quartiles of {len(several)}", several)
            )
    if len(drawn) <= MOST_LINES:
        return drawn
    by_cc: dict[str, list[FlowSeries]] = {}
    for flow in whole:
        by_cc.setdefault(flow.cc, []).append(flow)
    return [
        (f"{cc}: median, quartiles of {len(members)}" if len(members) > 1 else cc, members)
        for cc, members in by_cc.items()
    ]


def _label(flow: FlowSeries) -> str:
    """A flow's name, with its congestion control if the name does not show it."""
    return (
        flow.name
        if flow.part_of is not None or flow.name.split(".")[0] == flow.cc
        else f"{flow.name} ({flow.cc})"
    )


def lines(
    flows: Sequence[FlowSeries], pick: Callable[[FlowSeries], Floats], end: float
) -> list[Line]:
    """Lines of one quantity over time.

    `flows` are all recorded flows, `pick` gives a flow's values at its samples, and `end` is the
    end of the run, s.
    """
    drawn = []
    for label, members in groups(flows):
        if len(members) == 1:
            drawn.append(Line(label, *minmax(members[0].time, pick(members[0]))))
        else:
            grid = np.linspace(min(flow.start for flow in members), end, GRID)
            drawn.append(
                band(label, grid, np.stack([held(flow, pick(flow), grid) for flow in members]))
            )
    return drawn


def band(label: str, time: Floats, values: Floats) -> Line:
    """Median and quartiles over the first axis, without NaN."""
    low, middle, high = _quantiles(values)
    return Line(label, time, middle, low, high)


def _quantiles(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Quartiles over the first axis without NaN, interpolated linearly as numpy's nanquantile.

    That function goes column by column, which takes seconds for a grid of thousands.
    """
    # NaN comes last.
    ordered = np.sort(values, axis=0)
    count = np.sum(np.isfinite(values), axis=0)
    columns = np.arange(values.shape[1])

    def at(share: float) -> Floats:
        place = share * np.maximum(count - 1, 0)
        below = np.floor(place).astype(np.int64)
        above = np.minimum(below + 1, np.maximum(count - 1, 0))
        low = ordered[below, columns]
        result: Floats = low + (ordered[above, columns] - low) * (place - below)
        return result

    return at(0.25), at(0.5), at(0.75)


def held(flow: FlowSeries, value: Floats, grid: Floats) -> Floats:
    """A flow's latest value at each time of a grid; NaN outside its samples."""
    index = np.searchsorted(flow.time, grid, side="right") - 1
    values: Floats = np.where(
        (index >= 0) & (grid <= flow.end), value[np.maximum(index, 0)], np.nan
    )
    return values


def minmax(time: Floats, value: Floats, buckets: int = BUCKETS) -> tuple[Floats, Floats]:
    """Thin a line so that every spike stays; a NaN in `value` is a gap.

    Each of the buckets, equal spans of time, keeps its first, smallest, largest and last value. A
    line with at most four points per bucket is returned unchanged.
    """
    if len(time) <= 4 * buckets:
        return time, value
    span = float(time[-1] - time[0]) or 1.0
    bucket = np.minimum(((time - time[0]) / span * buckets).astype(np.int64), buckets - 1)
    first = np.flatnonzero(np.diff(bucket, prepend=-1))
    last = np.append(first[1:], len(time)) - 1
    order_low = np.lexsort((np.nan_to_num(value, nan=np.inf), bucket))
    order_high = np.lexsort((np.nan_to_num(-value, nan=np.inf), bucket))
    keep = np.unique(np.concatenate([first, last, order_low[first], order_high[first]]))
    return time[keep], value[keep]


def rate_lines(flows: Sequence[FlowSeries], end: float) -> tuple[list[Line], float]:
    """Lines of goodput over time, and the length of the averaging intervals, s."""
    width = rate_interval(flows, end)
    edges = np.arange(0.0, end + width / 2, width)
    if len(edges) < 2:
        return [], width
    middle = (edges[:-1] + edges[1:]) / 2
    drawn = []
    for label, members in groups(flows):
        rates = np.stack([rate_of(flow, edges) for flow in members])
        drawn.append(
            Line(label, middle, rates[0]) if len(members) == 1 else band(label, middle, rates)
        )
    return drawn, width


def rate_interval(flows: Sequence[FlowSeries], end: float) -> float:
    """Length of the averaging intervals, s: 1, 2 or 5 times a power of ten.

    A run has about 150 intervals, each of at least two base RTTs.
    """
    least = max(end / 150, 2 * max((flow.base_rtt for flow in flows), default=0.0))
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9)))


def rate_of(flow: FlowSeries, edges: Floats) -> Floats:
    """Goodput in each interval, bit/s; NaN outside the flow's life."""
    delivered = np.append(0.0, np.cumsum(increments(flow.column("delivered"))))
    index = np.searchsorted(flow.time, edges, side="right")
    rate = 8.0 * np.diff(delivered[index]) / np.diff(edges)
    alive = (edges[1:] > flow.start) & (edges[:-1] < flow.end)
    result: Floats = np.where(alive, rate, np.nan)
    return result


@dataclass(frozen=True)
class QueueSeries:
    """Samples of one link's queue."""

    name: str
    limits: list[tuple[float, int | None]]
    """Limits in packets, each with the time from which on it holds, s; None: not in packets."""
    time: Floats
    packets: Floats
    delay: Floats
    red_average: Floats | None
    drops: "Events"
    marks: "Events"


@dataclass(frozen=True)
class Events:
    """Moments at which packets were dropped or marked."""

    time: Floats
    queue: Floats
    """Length of the queue at each moment, packets."""
    count: int
    """Number of all packets that were dropped or marked."""


def queue_series(result: "Result", most: int = 3) -> list[QueueSeries]:
    """Samples of the recorded bottlenecks, or else of the first recorded link with data."""
    senders = (*result.plan["flows"], *result.plan.get("streams", ()))
    forward = {index for sender in senders for index in sender["path"]}
    by_link = result.samples.links.partition_by("link", as_dict=True, maintain_order=True)
    parts = {key[0]: part for key, part in by_link.items()}
    planned = [
        link
        for index, link in enumerate(result.plan["links"])
        if index in forward and link["name"] in parts
    ]
    named = [link for link in planned if str(link["name"]).startswith("bottleneck")]
    return [_queue(link, parts[link["name"]]) for link in (named or planned[:1])[:most]]


def _queue(link: "LinkPlan", part: "pl.DataFrame") -> QueueSeries:
    def column(name: str) -> Floats:
        return part[name].cast(float).fill_null(float("nan")).to_numpy()

    time, packets = column("time"), column("queue_packets")
    average = column("red_average")
    qdisc: Mapping[str, Any] = link["qdisc"]
    in_packets = not qdisc.get("byte_mode", False)
    return QueueSeries(
        name=link["name"],
        limits=[(at, limit.get("limit_packets")) for at, limit in limits_of(qdisc)],
        time=time,
        packets=packets,
        delay=column("queue_delay"),
        red_average=average if in_packets and not np.isnan(average).all() else None,
        drops=_events(time, packets, column("dropped")),
        marks=_events(time, packets, column("marked")),
    )


def _events(time: Floats, queue: Floats, cumulative: Floats) -> Events:
    if len(time) == 0:
        return Events(time, queue, 0)
    new = increments(cumulative)
    at = np.flatnonzero(new > 0)
    # The queue was longer at the drop than at the later sample that shows the drop.
    return Events(time[at], np.maximum(queue, np.append(queue[:1], queue[:-1]))[at], int(new.sum()))


def thresholds(flows: list[FlowSeries], end: float) -> list[tuple[int, Line]]:
    """Slow-start thresholds to draw, each with the index of its flow.

    Flows without a threshold are left out, and so are algorithms that do not use one, such as BBR,
    where the kernel's value has no meaning. With more than two flows none is drawn: the thresholds
    would hide the windows.
    """
    if len(flows) > 2:
        return []
    every = enumerate(lines(flows, in_segments("ssthresh"), end))
    return [
        (index, line)
        for index, line in every
        if uses_ssthresh(flows[index].cc) and np.isfinite(line.value).any()
    ]


def uses_ssthresh(cc: str) -> bool:
    """Whether a congestion control's slow start ends at a threshold: no whole controller's does."""
    return not is_whole(cc)


def in_segments(column: str) -> Callable[[FlowSeries], Floats]:
    """A function that gives a column of bytes in full segments of a flow."""

    def pick(flow: FlowSeries) -> Floats:
        segments: Floats = flow.column(column) / flow.mss
        return segments

    return pick


def top(drawn: Sequence[Line]) -> float:
    """Largest drawn value, including bands; 0 without any value."""
    every = [
        part
        for line in drawn
        for part in (line.value, line.high)
        if part is not None and np.isfinite(part).any()
    ]
    return max((float(np.nanmax(part)) for part in every), default=0.0)


def close_together(drawn: Sequence[Line]) -> bool:
    """Whether all values are so close together that an axis from zero would flatten them."""
    every = [
        part
        for line in drawn
        for part in (line.value, line.low)
        if part is not None and np.isfinite(part).any()
    ]
    return bool(every) and min(float(np.nanmin(part)) for part in every) > 0.5 * top(drawn)


def unit_scale(largest: float, unit: str) -> tuple[float, str]:
    """Factor and name of a unit that keeps an axis's numbers short."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if largest >= factor and unit != "s":
            return 1.0 / factor, f"{prefix}{unit}"
    if unit == "s" and largest < 1.0:
        return (1e3, "ms") if largest >= 1e-3 else (1e6, "µs")
    return 1.0, unit
