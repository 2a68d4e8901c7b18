"""The series of a run over time: four panels, and the lines that they share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.pages.run.charts.grid import MOST_SPANS, Grid
from ackclock.pages.run.charts.packing import numbers, packed
from ackclock.plot_data.phases import AVOIDANCE, PHASES, PROBE_BW, flow_phases
from ackclock.plot_data.series import (
    MOST_LINES,
    MOST_MARKERS,
    Events,
    Line,
    QueueSeries,
    band,
    close_together,
    groups,
    in_segments,
    queue_series,
    rate_interval,
    rate_of,
    top,
    unit_scale,
    uses_ssthresh,
)
from ackclock.results import capacity
from ackclock.tables.quantities import quantity, significant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.results import Result
    from ackclock.results.series import Floats, FlowSeries

__all__ = ["MOST_SINGLE", "timeline"]

MOST_SINGLE = 60
"""Largest number of flows that can be shown one by one beside their medians."""

_MOST_VALUES = 110_000
"""Largest number of values of the figure: 300 kB."""

_SHORTEST = 1 / 400
"""Least length of a phase that is shown, as a share of the run."""

_SHADED = [name for name in PHASES if name not in {AVOIDANCE, PROBE_BW}]
"""Phases with a ground of their own; the two that last for most of a run have none."""

_QUANTITIES = 3
"""Panels with a curve of each flow."""

_SAID = 4
"""Largest number of lines that a panel's description tells."""


@dataclass
class _Panel:
    """One panel of the figure."""

    id: str
    title: str
    unit: str
    time: int
    """Index of the panel's moments."""
    curves: list[dict[str, Any]] = field(default_factory=list)
    from_zero: bool = True
    said: list[str] = field(default_factory=list)
    marks: list[dict[str, Any]] = field(default_factory=list)

    def add(self, line: int, name: str, drawn: Line, scale: float, **more: Any) -> None:
        """Add a curve of a line, with its band if it has one."""
        curve: dict[str, Any] = {"line": line, "name": name, "value": packed(drawn.value * scale)}
        if drawn.low is not None and drawn.high is not None:
            curve |= {"low": packed(drawn.low * scale), "high": packed(drawn.high * scale)}
        self.curves.append(curve | more)

    def data(self) -> dict[str, Any]:
        """The panel as plain data."""
        said = "; ".join(self.said[:_SAID])
        left = len(self.said) - _SAID
        more = f"; and {left} more" if left > 0 else ""
        return {
            "id": self.id,
            "title": self.title,
            "unit": self.unit,
            "time": self.time,
            "from_zero": self.from_zero,
            "curves": self.curves,
            "marks": self.marks,
            "says": f"{self.title} over time, {self.unit}. {said or 'No value'}{more}.",
        }


def timeline(result: Result) -> dict[str, Any]:
    """The figure's data.

    Up to six flows have a line each. More flows have the median and the quartiles of those with one
    congestion control, and up to `MOST_SINGLE` lines of single flows that are hidden at first.
    """
    flows = result.series
    end = result.end_time
    shown = groups(flows)
    singles = flows if MOST_LINES < len(flows) <= MOST_SINGLE else []
    curves = len(singles) + sum(3 if len(members) > 1 else 1 for _, members in shown)
    spans = min(MOST_SPANS, _MOST_VALUES // (2 * _QUANTITIES * max(curves, 1)))
    grid = Grid.over([flow.time for flow in flows], end, max(spans, 100))
    interval = rate_interval(flows, end)
    edges = np.arange(0.0, end + interval / 2, interval)
    middles: Floats = (edges[:-1] + edges[1:]) / 2

    def sampled(pick: Callable[[FlowSeries], Floats]) -> list[Line]:
        return [
            _on_grid(grid, label, members, pick)
            for label, members in [*shown, *((flow.name, [flow]) for flow in singles)]
        ]

    windows = sampled(in_segments("cwnd"))
    rtts = sampled(lambda flow: flow.column("rtt_sample"))
    rates = _rates(shown, singles, edges, middles)
    queues = queue_series(result)
    queue_grid = Grid.over([queue.time for queue in queues], end, MOST_SPANS)
    panels = [
        _windows(flows, windows, grid, len(shown)),
        _rate_panel(result, rates, edges, interval, len(shown)),
        _rtts(rtts, len(shown)),
        _queues(queues, queue_grid, len(windows)),
    ]
    return {
        "end": float(f"{end:.6g}"),
        "warmup": float(f"{result.warmup:.6g}"),
        "lines": [*_lines(shown, singles), *_queue_lines(queues), *_capacity_line(panels[1])],
        "times": [numbers(grid.time), numbers(middles), numbers(queue_grid.time)],
        "panels": [panel.data() for panel in panels],
        "phase_names": _SHADED,
        "phases": _phases(result, shown),
    }


def _phases(
    result: Result, shown: Sequence[tuple[str, list[FlowSeries]]]
) -> dict[str, list[list[Any]]]:
    """Shaded phases by the number of a flow's line: start and end, s, and the phase's number."""
    alone = {at: members[0] for at, (_, members) in enumerate(shown) if len(members) == 1}
    least = result.end_time * _SHORTEST
    by_line = {}
    for line, flow in alone.items():
        phases = [
            [*numbers(np.array([phase.start, phase.end])), _SHADED.index(phase.name)]
            for phase in flow_phases(result, flow, least=least)
            if phase.name in _SHADED
        ]
        if phases:
            by_line[str(line)] = phases
    return by_line


def _on_grid(
    grid: Grid, label: str, members: Sequence[FlowSeries], pick: Callable[[FlowSeries], Floats]
) -> Line:
    if len(members) == 1:
        [single] = members
        return Line(label, grid.time, grid.line(single.time, pick(single), single.end))
    return band(label, grid.time, np.stack([grid.held(flow, pick(flow)) for flow in members]))


def _rates(
    shown: Sequence[tuple[str, list[FlowSeries]]],
    singles: Sequence[FlowSeries],
    edges: Floats,
    middles: Floats,
) -> list[Line]:
    if not len(middles):
        return []
    drawn = []
    for label, members in [*shown, *((flow.name, [flow]) for flow in singles)]:
        rates = np.stack([rate_of(flow, edges) for flow in members])
        drawn.append(
            Line(label, middles, rates[0]) if len(members) == 1 else band(label, middles, rates)
        )
    return drawn


def _lines(
    shown: Sequence[tuple[str, list[FlowSeries]]], singles: Sequence[FlowSeries]
) -> list[dict[str, Any]]:
    group = {flow.name: at for at, (_, members) in enumerate(shown) for flow in members}
    return [
        *({"name": label, "colour": at, "shown": True} for at, (label, _) in enumerate(shown)),
        *(
            {
                "name": f"{flow.name} ({flow.cc})",
                "colour": group.get(flow.name, 0),
                "shown": False,
                "single": True,
            }
            for flow in singles
        ),
    ]


def _queue_lines(queues: Sequence[QueueSeries]) -> list[dict[str, Any]]:
    lines = []
    for at, queue in enumerate(queues):
        lines.append({"name": f"{queue.name} queue", "queue": at, "shown": True})
        if queue.red_average is not None:
            lines.append({"name": f"{queue.name} RED average", "colour": 0, "shown": True})
    return lines


def _capacity_line(rates: _Panel) -> list[dict[str, Any]]:
    return (
        [{"name": "could be sent", "queue": 0, "shown": True}]
        if any(curve["line"] == -1 for curve in rates.curves)
        else []
    )


def _windows(flows: list[FlowSeries], windows: Sequence[Line], grid: Grid, count: int) -> _Panel:
    panel = _Panel("cwnd", "Congestion window", "segments", 0)
    highest = top(windows)
    for at, line in enumerate(windows):
        panel.add(at, "cwnd", line, 1.0)
    # With more flows the thresholds would hide the windows.
    for at, flow in enumerate(flows if len(flows) <= 2 else []):
        threshold = grid.line(flow.time, in_segments("ssthresh")(flow), flow.end)
        near = np.where(threshold <= 2 * highest, threshold, np.nan)
        if uses_ssthresh(flow.cc) and np.isfinite(near).any():
            panel.add(at, "ssthresh", Line(flow.name, grid.time, near), 1.0, dashed=True)
    panel.said = _said(windows[:count], 1.0)
    return panel


def _rate_panel(
    result: Result, rates: Sequence[Line], edges: Floats, interval: float, count: int
) -> _Panel:
    scale, unit = unit_scale(max(top(rates), 1.0), "bit/s")
    panel = _Panel("goodput", f"Goodput per {quantity(interval, 's')}", unit, 1)
    for at, line in enumerate(rates):
        panel.add(at, "goodput", line, scale)
    capacities = capacity.rates(result.plan["links"][0], edges) if len(edges) > 1 else None
    if capacities is not None:
        # The line's index is -1: the last of all.
        panel.add(
            -1, "the link's rate", Line("could be sent", edges[:-1], capacities), scale, dashed=True
        )
    panel.said = _said(rates[:count], scale)
    return panel


def _rtts(rtts: Sequence[Line], count: int) -> _Panel:
    scale, unit = unit_scale(top(rtts), "s")
    panel = _Panel("rtt", "RTT samples", unit, 0, from_zero=not close_together(rtts))
    for at, line in enumerate(rtts):
        panel.add(at, "RTT", line, scale)
    panel.said = _said(rtts[:count], scale)
    return panel


def _queues(queues: Sequence[QueueSeries], grid: Grid, first: int) -> _Panel:
    names = " and ".join(queue.name for queue in queues)
    panel = _Panel("queue", f"Queue of {names}", "packets", 2)
    at = first
    for queue in queues:
        end = float(queue.time[-1]) if len(queue.time) else 0.0
        line = Line(queue.name, grid.time, grid.line(queue.time, queue.packets, end))
        panel.add(at, "queue", line, 1.0, steps=True)
        panel.said += _said([line], 1.0)
        at += 1
        if queue.red_average is not None:
            average = grid.line(queue.time, queue.red_average, end)
            panel.add(at, "RED average", Line(queue.name, grid.time, average), 1.0)
            at += 1
        for events, what in ((queue.drops, "drops"), (queue.marks, "marks")):
            if events.count:
                panel.marks.append(_events(events, what, f"{queue.name} {what}"))
                panel.said.append(f"{events.count:,} {what} at {queue.name}")
    return panel


def _events(events: Events, what: str, name: str) -> dict[str, Any]:
    chosen = np.unique(np.linspace(0, len(events.time) - 1, 4 * MOST_MARKERS).astype(np.int64))
    return {
        "kind": what,
        "name": name,
        "count": events.count,
        "time": numbers(events.time[chosen]),
        "value": numbers(events.queue[chosen]),
    }


def _said(lines: Sequence[Line], scale: float) -> list[str]:
    """Each line in words: its range, and its median."""
    sentences = []
    for line in lines:
        known = line.value[np.isfinite(line.value)] * scale
        if len(known):
            low, middle, high = (
                significant(float(value)) for value in (known.min(), np.median(known), known.max())
            )
            sentences.append(f"{line.label}: {low} to {high}, median {middle}")
    return sentences
