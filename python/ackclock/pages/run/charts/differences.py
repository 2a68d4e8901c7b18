"""Paired differences along an axis: rows of points with intervals, or lines over an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.pages.run.charts.design import Chart, along, apart
from ackclock.pages.run.charts.means import shown, with_unit
from ackclock.plot_data.sweep.layout import ViewError, choose
from ackclock.plot_data.sweep.paired import (
    compared_axis,
    difference_title,
    difference_unit,
    differences,
)
from ackclock.plot_data.sweep.scale import words
from ackclock.tables.intervals import Digits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ackclock.plot_data.sweep.paired import Difference
    from ackclock.plot_data.sweep.scale import Numbers
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = ["difference"]

_MOST_ROWS = 26


def difference(result: SweepResult, response: Response) -> Chart:
    """Rows of differences, or lines over an axis of numbers where there are too many rows."""
    compared = compared_axis(result)
    others = [axis for axis in result.design.axes if axis is not compared]
    rows = differences(result, response, compared, {})
    if not rows:
        raise ViewError(f"there is no difference of '{response.name}' to show yet")
    numeric = [axis for axis in others if axis.numbers is not None and len(axis.labels) > 2]
    if len(rows) > _MOST_ROWS and numeric:
        return _over_axis(result, response, compared, rows)
    if len(rows) > 4 * _MOST_ROWS:
        raise ViewError(f"{len(rows)} differences cannot be read: hold an axis at a value")
    return _forest(result, response, compared, rows)


def _value(
    result: SweepResult, response: Response, compared: Axis, rows: Sequence[Difference]
) -> dict[str, Any]:
    return {
        "title": difference_title(result, response, compared, rows),
        "name": "ratio" if rows[0].neutral else "difference",
        "unit": difference_unit(result, response, compared, rows).unit,
        "log": False,
        "from_zero": False,
        "neutral": rows[0].neutral,
    }


def _forest(
    result: SweepResult, response: Response, compared: Axis, rows: Sequence[Difference]
) -> Chart:
    unit = difference_unit(result, response, compared, rows)
    value = _value(result, response, compared, rows)
    chart = Chart("difference", {}, value, apart(compared), [""])
    for difference in rows:
        chart.rows.append(
            {
                "by": difference.value,
                "group": _setting(result, compared, difference),
                "name": str(compared.labels[difference.value]),
                **_interval(difference, unit),
            }
        )
    chart.said = _found(rows, chart)
    return chart


def _over_axis(
    result: SweepResult, response: Response, compared: Axis, rows: Sequence[Difference]
) -> Chart:
    layout = choose(result, by=compared.name)
    assert layout.x is not None, "an axis of numbers is left"
    unit = difference_unit(result, response, compared, rows)
    value = _value(result, response, compared, rows)
    x = along(layout.x)
    chart = Chart("line", x, value, apart(compared), [title for _, title in layout.each_panel()])
    axes = result.design.axes
    own = axes.index(compared)
    panels = {at: panel for panel, (at, _) in enumerate(layout.each_panel())}
    for difference in rows:
        setting = (*difference.place[:own], difference.value, *difference.place[own + 1 :])
        at = tuple(setting[axes.index(axis)] for axis in layout.panels)
        step = setting[axes.index(layout.x)]
        chart.rows.append(
            {"panel": panels[at], "by": difference.value, "x": x["values"][step]}
            | _interval(difference, unit)
            | {"text": f"{_setting(result, compared, difference)}, "
               f"{compared.labels[difference.value]}: {_told(difference, unit)}"}
        )  # fmt: skip
    chart.said = _found(rows, chart)
    return chart


def _setting(result: SweepResult, compared: Axis, difference: Difference) -> str:
    return ", ".join(
        str(axis.labels[index])
        if axis.numbers is None or axis.unit
        else f"{words(axis.name)} {axis.labels[index]}"
        for axis, index in zip(result.design.axes, difference.place, strict=True)
        if axis is not compared and len(axis.labels) > 1
    )


def _interval(difference: Difference, unit: Numbers) -> dict[str, Any]:
    return {
        "y": shown(difference.row["difference"], unit.factor),
        "low": shown(difference.row["low"], unit.factor),
        "high": shown(difference.row["high"], unit.factor),
        "n": difference.row["n"],
        "clear": difference.clear,
        "text": _told(difference, unit),
    }


def _told(difference: Difference, unit: Numbers) -> str:
    same = difference.row["method"] == "constant"
    text = Digits(unit.factor, even=False).text(
        difference.row["difference"],
        difference.row["low"],
        difference.row["high"],
        sign=difference.neutral == 0.0,
        each=same,
    )
    return with_unit(text, unit.unit)


def _found(rows: Sequence[Difference], chart: Chart) -> list[str]:
    clear = [difference for difference in rows if difference.clear]
    said = [f"{len(clear)} of {len(rows)} intervals leave out no difference"]
    if clear:
        most = max(
            range(len(rows)),
            key=lambda at: abs(rows[at].row["difference"] - rows[at].neutral) * rows[at].clear,
        )
        row = chart.rows[most]
        names = [row.get("group", ""), row.get("name", "")]
        name = ", ".join(part for part in names if part)
        said.append(f"the largest: {name + ' ' if name else ''}{row['text']}")
    return said
