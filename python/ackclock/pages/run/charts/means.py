"""Means of a response over an axis with their intervals, and over two axes as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.pages.run.charts.design import Chart, along, apart, scale_of, value_axis, where
from ackclock.plot_data.sweep.layout import ViewError, cells
from ackclock.plot_data.sweep.scale import axis_name
from ackclock.tables.intervals import EACH, Digits, short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ackclock.plot_data.sweep.layout import Layout, Place
    from ackclock.plot_data.sweep.scale import Numbers
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = ["heat", "line", "number_of", "shown", "with_unit"]

_Cell = tuple[int, int, int, "Place", "Mapping[str, Any]"]


def line(result: SweepResult, response: Response, layout: Layout) -> Chart:
    """Means with intervals: a line for each value of `by`."""
    table = cells(result, response)
    unit = scale_of(response, [row["mean"] for row in table.values()])
    ends = [row[end] for row in table.values() for end in ("low", "mean", "high")]
    chart = Chart(
        "line",
        along(layout.x),
        value_axis(response, unit, ends),
        apart(layout.by),
        [title for _, title in layout.each_panel()],
    )
    column = Digits(unit.factor)
    first: dict[tuple[int, int], list[tuple[float, str, str]]] = {}
    for panel, rank, step, place, row in _cells(result, layout, table):
        figure = _figure(column, row, unit.unit)
        at = chart.x["values"][step]
        chart.rows.append(
            {
                "panel": panel,
                "by": rank,
                "x": at,
                "y": shown(row["mean"], unit.factor),
                "low": shown(row["low"], unit.factor),
                "high": shown(row["high"], unit.factor),
                "n": row["n"],
                "text": f"{where(layout, result.design.axes, place)}: "
                f"{chart.y['name']} {figure} ({row['n']} seeds)",
            }
        )
        label = "" if layout.x is None else str(layout.x.labels[step])
        first.setdefault((panel, rank), []).append((at, label, figure))
    for (panel, rank), points in first.items():
        points.sort(key=lambda point: point[0])
        names = [] if layout.by is None else [str(layout.by.labels[rank])]
        names += [chart.panels[panel]] if chart.panels[panel] else []
        head = f"{', '.join(names)}: " if names else ""
        if chart.x["type"] == "names":
            chart.said.append(
                head + ", ".join(f"{label} {figure}" for _, label, figure in points[:6])
            )
        else:
            begin, end = points[0], points[-1]
            chart.said.append(f"{head}{begin[2]} at {begin[1]}, {end[2]} at {end[1]}")
    return chart


def heat(result: SweepResult, response: Response, layout: Layout) -> Chart:
    """The mean at each pair of values of `x` and `by`."""
    if layout.x is None or layout.by is None:
        raise ViewError("a heat map needs two axes with more than one value")
    table = cells(result, response)
    means = [row["mean"] for row in table.values()]
    unit = scale_of(response, means)
    chart = Chart(
        "heat",
        {"title": axis_name(layout.x), "labels": [str(label) for label in layout.x.labels]},
        {"title": axis_name(layout.by), "labels": [str(label) for label in layout.by.labels]},
        None,
        [title for _, title in layout.each_panel()],
    )
    value = value_axis(response, unit, means)
    chart.more = {"value": value}
    column = Digits(unit.factor)
    points = []
    for panel, rank, step, place, row in _cells(result, layout, table):
        half = None if row["low"] is None else (row["high"] - row["low"]) / 2 * unit.factor
        mean = row["mean"] * unit.factor
        setting = where(layout, result.design.axes, place)
        chart.rows.append(
            {
                "panel": panel,
                "x": step,
                "y": rank,
                "value": shown(row["mean"], unit.factor),
                "label": short(mean, half),
                "text": f"{setting}: {value['name']} {_figure(column, row, unit.unit)}",
            }
        )
        points.append((mean, setting, _figure(column, row, unit.unit)))
    if points:
        least, most = min(points), max(points)
        chart.said = [f"Least at {least[1]}, {least[2]}", f"most at {most[1]}, {most[2]}"]
    data = chart.data
    # The finding is of the value, not of the vertical axis.
    chart.more["says"] = data()["says"].replace(f"{chart.y['title']}.", f"{value['title']}.", 1)
    return chart


def _cells(
    result: SweepResult, layout: Layout, table: Mapping[Place, Mapping[str, Any]]
) -> Iterator[_Cell]:
    """Panel, rank of the line, step along the axis, setting and row of each mean."""
    axes = result.design.axes
    ranks = range(1 if layout.by is None else len(layout.by.labels))
    steps = range(1 if layout.x is None else len(layout.x.labels))
    for panel, (at, _) in enumerate(layout.each_panel()):
        for rank in ranks:
            for step in steps:
                place = layout.places(axes, step, rank, at)
                if place in table:
                    yield panel, rank, step, place, table[place]


def _figure(column: Digits, row: Mapping[str, Any], unit: str) -> str:
    return with_unit(
        column.text(row["mean"], row["low"], row["high"], each=row["method"] == "constant"), unit
    )


def with_unit(text: str, unit: str) -> str:
    """A figure of a table with its unit: `0.25 % in each`."""
    number, suffix, _ = text.partition(f" {EACH}")
    return f"{number} {unit}".rstrip() + suffix


def shown(value: float | None, factor: float) -> float | None:
    """A value in the figure's unit with six digits; None without a value."""
    return None if value is None else float(f"{value * factor:.6g}")


def number_of(unit: Numbers, value: float) -> str:
    """A value with its unit."""
    return f"{short(value * unit.factor)} {unit.unit}".rstrip()
