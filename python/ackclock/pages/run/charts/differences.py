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
    others = [each for each in result.design.axes if each is not compared]
    rows = differences(result, response, compared, {})
    if not rows:
        raise ViewError(f"there is no difference of '{response.name}' to show yet")
    numeric = [each for each in others if each.numbers is not None and len(each.labels) > 2]
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
    for each in rows:
        chart.rows.append(
            {
                "by": each.value,
                "group": _setting(result, compared, each),
                "name": str(compared.labels[each.value]),
                **_interval(each, unit),
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
    for each in rows:
        setting = (*each.place[:own], each.value, *each.place[own + 1 :])
        at = tuple(setting[axes.index(axis)] for axis in layout.panels)
        step = setting[axes.index(layout.x)]
        chart.rows.append(
            {"panel": panels[at], "by": each.value, "x": x["values"][step]}
            | _interval(each, unit)
            | {"text": f"{_setting(result, compared, each)}, {compared.labels[each.value]}: "
               f"{_told(each, unit)}"}
        )  # fmt: skip
    chart.said = _found(rows, chart)
    return chart


def _setting(result: SweepResult, compared: Axis, each: Difference) -> str:
    return ", ".join(
        str(axis.labels[index])
        if axis.numbers is None or axis.unit
        else f"{words(axis.name)} {axis.labels[index]}"
        for axis, index in zip(result.design.axes, each.place, strict=True)
        if axis is not compared and len(axis.labels) > 1
    )


def _interval(each: Difference, unit: Numbers) -> dict[str, Any]:
    return {
        "y": shown(each.row["difference"], unit.factor),
        "low": shown(each.row["low"], unit.factor),
        "high": shown(each.row["high"], unit.factor),
        "n": each.row["n"],
        "clear": each.clear,
        "text": _told(each, unit),
    }


def _told(each: Difference, unit: Numbers) -> str:
    same = each.row["method"] == "constant"
    text = Digits(unit.factor, even=False).text(
        each.row["difference"],
        each.row["low"],
        each.row["high"],
        sign=each.neutral == 0.0,
        each=same,
    )
    return with_unit(text, unit.unit)


def _found(rows: Sequence[Difference], chart: Chart) -> list[str]:
    clear = [each for each in rows if each.clear]
    said = [f"{len(clear)} of {len(rows)} intervals leave out no difference"]
    if clear:
        most = max(
            range(len(rows)),
            key=lambda at: abs(rows[at].row["difference"] - rows[at].neutral) * rows[at].clear,
        )
        row = chart.rows[most]
        names = [row.get("group", ""), row.get("name", "")]
        name = ", ".join(one for one in names if one)
        said.append(f"the largest: {name + ' ' if name else ''}{row['text']}")
    return said
