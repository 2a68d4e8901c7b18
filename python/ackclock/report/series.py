"""The interactive time series of a run's report: a plotly figure of four panels, as JSON."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.curves.palette import COLOURS, DROP_COLOUR, GREY, MARK_COLOUR, QUEUE_COLOURS
from ackclock.curves.series import (
    MOST_MARKERS,
    Events,
    Line,
    QueueSeries,
    close_together,
    in_segments,
    lines,
    minmax,
    queue_series,
    rate_lines,
    thresholds,
    top,
    unit_scale,
)
from ackclock.results import capacity
from ackclock.results.series import Floats
from ackclock.results.text import quantity

if TYPE_CHECKING:
    from ackclock.results import Result

# Black and deep blue would vanish on a dark page.
_PALETTE = ["#2B8CCB", *COLOURS[1:-1], GREY]
_QUEUES = [GREY, *QUEUE_COLOURS[1:]]
_GAP = 0.055
_PANELS = 4


def figure(result: "Result") -> dict[str, Any]:
    """Data and layout of the plotly figure."""
    flows = result.series
    end = result.end_time
    windows = lines(flows, in_segments("cwnd"), end)
    highest = top(windows)
    rates, interval = rate_lines(flows, end)
    rtts = lines(flows, lambda flow: flow.column("rtt_sample"), end)
    queues = queue_series(result)
    rate_scale, rate_unit = unit_scale(max(top(rates), 1.0), "bit/s")
    rtt_scale, rtt_unit = unit_scale(top(rtts), "s")
    data = _traces(windows, 1, named=True)
    shown = thresholds(flows, end)
    for index, line in shown:
        near = Line(line.label, line.time, np.where(line.value <= 2 * highest, line.value, np.nan))
        data.append(_line(near, index, 1, dash="dot", name="ssthresh", width=1.0))
    data += _traces(rates, 2, scale=rate_scale)
    data += _could_be_sent(result, interval, rate_scale)
    data += _traces(rtts, 3, scale=rtt_scale)
    for index, queue in enumerate(queues):
        data += _queue(queue, index)
    titles = [
        "cwnd (segments)" + (", ssthresh dotted" if shown else ""),
        f"goodput per {quantity(interval, 's')} ({rate_unit})",
        f"RTT samples ({rtt_unit})",
        f"queue of {' and '.join(queue.name for queue in queues)} (packets)",
    ]
    return {
        "data": data,
        "layout": _layout(titles, end, warmup=result.warmup, from_zero=not close_together(rtts)),
    }


def _could_be_sent(result: "Result", interval: float, scale: float) -> list[dict[str, Any]]:
    """The bottleneck's rate over the intervals of the goodput, if the rate varies."""
    edges = np.arange(0.0, result.end_time + interval / 2, interval)
    rates = capacity.rates(result.plan["links"][0], edges)
    if rates is None:
        return []
    line = Line("could be sent", (edges[:-1] + edges[1:]) / 2, rates * scale)
    return [
        _line(line, 0, 2, legendgroup=line.label, showlegend=True)
        | {"line": {"color": GREY, "width": 1.0, "dash": "dot", "shape": "hvh"}}
    ]


def _layout(titles: Sequence[str], end: float, *, warmup: float, from_zero: bool) -> dict[str, Any]:
    height = (1.0 - _GAP * (_PANELS - 1)) / _PANELS
    tops = [1.0 - index * (height + _GAP) for index in range(_PANELS)]
    layout: dict[str, Any] = {
        "height": 940,
        "margin": {"l": 44, "r": 8, "t": 24, "b": 40},
        "font": {"family": "system-ui, sans-serif"},
        "hovermode": "x",
        "hoversubplots": "axis",
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": GREY, "activecolor": COLOURS[0]},
        "showlegend": True,
        "legend": {"orientation": "h", "x": 0, "y": -0.05, "yanchor": "top"},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "xaxis": {
            "range": [0, end], "anchor": "y4", "title": {"text": "time (s)", "standoff": 6},
            "zeroline": False,
        },
        "shapes": [
            {
                "type": "rect", "x0": 0, "x1": warmup, "xref": "x", "y0": at - height, "y1": at,
                "yref": "paper", "layer": "below", "fillcolor": GREY, "opacity": 0.15,
                "line": {"width": 0},
            }
            for at in tops
            if warmup > 0.0
        ],
        "annotations": [
            {
                "text": title, "x": 0, "y": at, "xref": "paper", "yref": "paper", "xanchor": "left",
                "yanchor": "bottom", "showarrow": False, "font": {"size": 13},
            }
            for title, at in zip(titles, tops, strict=True)
        ],
    }  # fmt: skip
    for index, at in enumerate(tops):
        layout[_axis("yaxis", index + 1)] = {
            "domain": [max(at - height, 0.0), at],
            "rangemode": "tozero",
            "zeroline": False,
        }
    layout["yaxis3"]["rangemode"] = "tozero" if from_zero else "normal"
    return layout


def _axis(stem: str, panel: int) -> str:
    return stem if panel == 1 else f"{stem}{panel}"


def _traces(
    drawn: Sequence[Line], panel: int, *, scale: float = 1.0, named: bool = False
) -> list[dict[str, Any]]:
    traces = []
    for index, line in enumerate(drawn):
        if line.low is not None and line.high is not None:
            traces.append(_band(line.time, line.low * scale, line.high * scale, index, panel))
        scaled = Line(line.label, line.time, line.value * scale)
        traces.append(_line(scaled, index, panel, showlegend=named))
    return traces


def _line(
    line: Line, index: int, panel: int, *, dash: str = "solid", width: float = 1.5, **more: Any
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": numbers(line.time),
        "y": numbers(line.value),
        "name": line.label,
        "legendgroup": f"flow {index}",
        "showlegend": False,
        "yaxis": _axis("y", panel),
        "line": {"color": _PALETTE[index % len(_PALETTE)], "width": width, "dash": dash},
        **more,
    }


def _band(time: Floats, low: Floats, high: Floats, index: int, panel: int) -> dict[str, Any]:
    some = ~(np.isnan(low) | np.isnan(high))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": numbers(np.concatenate([time[some], time[some][::-1]])),
        "y": numbers(np.concatenate([high[some], low[some][::-1]])),
        "legendgroup": f"flow {index}",
        "showlegend": False,
        "hoverinfo": "skip",
        "yaxis": _axis("y", panel),
        "fill": "toself",
        "opacity": 0.25,
        "line": {"width": 0},
        "fillcolor": _PALETTE[index % len(_PALETTE)],
    }


def _queue(queue: QueueSeries, index: int) -> list[dict[str, Any]]:
    time, packets = minmax(queue.time, queue.packets)
    own: dict[str, Any] = {"legendgroup": queue.name, "showlegend": True}
    shape = {"shape": "hv", "color": _QUEUES[index % len(_QUEUES)], "width": 1.0}
    traces = [_line(Line(f"{queue.name} queue", time, packets), index, 4, **own) | {"line": shape}]
    if queue.red_average is not None:
        average = Line(f"{queue.name} RED average", *minmax(queue.time, queue.red_average))
        traces.append(
            _line(average, index, 4, **own) | {"line": {"color": COLOURS[0], "width": 1.5}}
        )
    for events, symbol, colour, what in (
        (queue.drops, "triangle-down", DROP_COLOUR, "drops"),
        (queue.marks, "triangle-up", MARK_COLOUR, "marks"),
    ):
        if events.count:
            traces.append(_events(events, symbol, colour, f"{queue.name} {what} ({events.count})"))
    return traces


def _events(events: Events, symbol: str, colour: str, name: str) -> dict[str, Any]:
    chosen = np.unique(np.linspace(0, len(events.time) - 1, 4 * MOST_MARKERS).astype(np.int64))
    return {
        "type": "scatter",
        "mode": "markers",
        "x": numbers(events.time[chosen]),
        "y": numbers(events.queue[chosen]),
        "name": name,
        "yaxis": _axis("y", _PANELS),
        "marker": {"symbol": symbol, "color": colour, "size": 6},
    }


def numbers(values: Floats) -> list[float | None]:
    """Numbers with six digits, more than a screen shows; None, a gap, for NaN."""
    return [None if np.isnan(value) else float(f"{value:.6g}") for value in values]
