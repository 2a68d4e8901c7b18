"""The runs themselves: boxes, distributions, and throughput over delay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.pages.run.charts.design import Chart, along, apart, scale_of, value_axis, where
from ackclock.pages.run.charts.means import number_of, shown
from ackclock.plot_data.sweep.boxes import MOST_POINTS, box_of
from ackclock.plot_data.sweep.clouds import (
    TWO_DECADES,
    delay_response,
    ellipse,
    pairs_of,
    place,
    throughput_response,
)
from ackclock.plot_data.sweep.layout import MOST_PANELS, Layout, ViewError, samples, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.plot_data.sweep.scale import Numbers
    from ackclock.results.series import Floats
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = ["box", "cdf", "scatter"]


def box(result: SweepResult, response: Response, layout: Layout) -> Chart:
    """A box for each setting, with a point for each run."""
    table = samples(result, response)
    every = [value for by_seed in table.values() for value in by_seed.values()]
    unit = scale_of(response, every)
    x = along(layout.x)
    # Boxes stand side by side: numbers are names here.
    x |= {"type": "names", "values": list(range(len(x["labels"])))}
    if layout.x is not None and layout.x.numbers is not None:
        x["labels"] = [str(label) for label in layout.x.labels]
        x["title"] = x["title"].partition(" (")[0]
    chart = Chart(
        "box",
        x,
        value_axis(response, unit, every),
        apart(layout.by),
        [title for _, title in layout.each_panel()],
    )
    axes = result.design.axes
    for panel, (at, _) in enumerate(layout.each_panel()):
        for step in range(len(x["labels"])):
            for rank in range(1 if layout.by is None else len(layout.by.labels)):
                setting = layout.places(axes, step, rank, at)
                values = values_of(table.get(setting))
                if not len(values):
                    continue
                quartiles = box_of(values)
                spread = (
                    f"median {number_of(unit, quartiles.median)}, quartiles "
                    f"{number_of(unit, quartiles.quarter)} and "
                    f"{number_of(unit, quartiles.three_quarters)}"
                )
                name = where(layout, axes, setting)
                points = _points(values, quartiles.low, quartiles.high)
                chart.rows.append(
                    {
                        "panel": panel,
                        "by": rank,
                        "x": step,
                        "box": [shown(edge, unit.factor) for edge in quartiles],
                        "points": [shown(float(point), unit.factor) for point in points],
                        "text": f"{name}: {chart.y['name']} {spread}, of {len(values)} runs",
                    }
                )
                chart.said.append(f"{name}: median {number_of(unit, quartiles.median)}")
    return chart


def _points(values: Floats, low: float, high: float) -> Floats:
    """All runs, or those beyond the whiskers where there are too many."""
    if len(values) <= MOST_POINTS:
        return values
    return np.asarray(values[(values < low) | (values > high)], dtype=np.float64)


def cdf(result: SweepResult, response: Response, layout: Layout) -> Chart:
    """The share of runs below each value: a line for each value of `by`, or of `x` without it."""
    line_of, of_panels = (layout.by, ((layout.x,) if layout.x is not None else ()) + layout.panels)
    if line_of is None and layout.x is not None:
        line_of, of_panels = layout.x, layout.panels
    placed = Layout(None, line_of, of_panels, layout.held)
    _check_panels(of_panels)
    table = samples(result, response)
    every = [value for by_seed in table.values() for value in by_seed.values()]
    unit = scale_of(response, every)
    value = value_axis(response, unit, every)
    chart = Chart(
        "cdf",
        {"title": value["title"], "type": "linear", "from_zero": value["from_zero"]},
        {"title": "Runs below (%)", "name": value["name"], "unit": "%"},
        apart(line_of),
        [title for _, title in placed.each_panel()],
    )
    axes = result.design.axes
    for panel, (at, _) in enumerate(placed.each_panel()):
        for rank in range(1 if line_of is None else len(line_of.labels)):
            setting = placed.places(axes, None, rank, at)
            values = np.sort(values_of(table.get(setting)))
            if not len(values):
                continue
            name = where(placed, axes, setting)
            middle = number_of(unit, float(np.median(values)))
            chart.said.append(f"{name}: half of the runs below {middle}")
            for below, sample in enumerate(values, start=1):
                share = 100.0 * below / len(values)
                chart.rows.append(
                    {
                        "panel": panel,
                        "by": rank,
                        "x": shown(float(sample), unit.factor),
                        "y": float(f"{share:.4g}"),
                        "text": f"{name}: {share:.3g} % of the runs at or below "
                        f"{number_of(unit, float(sample))}",
                    }
                )
    chart.more["says"] = chart.data()["says"].replace(
        chart.y["title"], f"Runs by {value['name']}", 1
    )
    return chart


def scatter(result: SweepResult, layout: Layout) -> Chart:
    """A mark for each setting, with its runs and their ellipse of one standard deviation."""
    across, upward = delay_response(result), throughput_response(result)
    if across is None or upward is None or across is upward:
        raise ViewError("a scatter needs a throughput and a delay among the responses")
    placed, curve = place(layout)
    _check_panels(placed.panels)
    both = pairs_of(result, across, upward)
    every = np.concatenate(list(both.values())) if both else np.ones((1, 2))
    x_unit, y_unit = scale_of(across, every[:, 0]), scale_of(upward, every[:, 1])
    least = float(every[:, 0].min())
    logarithmic = least > 0.0 and bool(every[:, 0].max() / least >= TWO_DECADES)
    x = value_axis(across, x_unit, list(every[:, 0])) | {"type": "log" if logarithmic else "linear"}
    x["note"] = "less to the right: better is up and right"
    chart = Chart(
        "scatter",
        x,
        value_axis(upward, y_unit, list(every[:, 1])),
        apart(placed.by),
        [title for _, title in placed.each_panel()],
        more={"curve": None if curve is None else curve.name},
    )
    axes = result.design.axes
    steps = [None] if curve is None else _ordered(curve)
    for panel, (at, _) in enumerate(placed.each_panel()):
        for rank in range(1 if placed.by is None else len(placed.by.labels)):
            for step in steps:
                pairs = both.get(placed.places(axes, step, rank, at))
                if pairs is None:
                    continue
                setting = placed.places(axes, step, rank, at)
                name = where(placed, axes, setting)
                row = _cloud(pairs, (x_unit, y_unit), logarithmic=logarithmic)
                means = (
                    f"{number_of(y_unit, float(pairs[:, 1].mean()))} at "
                    f"{number_of(x_unit, float(pairs[:, 0].mean()))}"
                )
                chart.rows.append({"panel": panel, "by": rank, **row, "text": f"{name}: {means}"})
                chart.said.append(f"{name}: {means}")
    chart.more["says"] = chart.data()["says"].replace(
        f"{chart.y['title']}.", f"{chart.y['title']} over {x['name']}.", 1
    )
    return chart


def _ordered(curve: Axis) -> list[int | None]:
    numbers = curve.numbers or ()
    by_number = sorted((number, at) for at, number in enumerate(numbers))
    return [at for _, at in by_number]


def _cloud(pairs: Floats, units: tuple[Numbers, Numbers], *, logarithmic: bool) -> dict[str, Any]:
    factors = np.array([unit.factor for unit in units])
    seen = pairs * factors
    spread = np.column_stack([np.log10(seen[:, 0]), seen[:, 1]]) if logarithmic else seen
    centre, outline = ellipse(spread)

    def back(points: Floats) -> list[list[float]]:
        across = 10.0 ** points[:, 0] if logarithmic else points[:, 0]
        return [[_six(a), _six(b)] for a, b in zip(across, points[:, 1], strict=True)]

    [[x, y]] = back(centre[None, :])
    return {
        "x": x,
        "y": y,
        "points": [[_six(a), _six(b)] for a, b in seen],
        # Half of the outline's points are smooth enough on a screen.
        "outline": None if outline is None else back(outline[::2]),
    }


def _six(value: float) -> float:
    return float(f"{value:.6g}")


def _check_panels(axes: Sequence[Axis]) -> None:
    count = int(np.prod([len(axis.labels) for axis in axes], initial=1))
    if count > MOST_PANELS:
        raise ViewError(f"{count} panels cannot be read: hold an axis at a value")
