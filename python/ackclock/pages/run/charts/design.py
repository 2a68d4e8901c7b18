"""Common parts of a sweep's figures: axes, lines, panels, and a sentence on the finding."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import (
    axis_name,
    axis_unit,
    is_logarithmic,
    response_title,
    response_unit,
    words,
)
from ackclock.tables.quantities import significant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ackclock.plot_data.sweep.layout import Layout, Place
    from ackclock.plot_data.sweep.scale import Numbers
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response

__all__ = ["Chart", "along", "apart", "scale_of", "value_axis", "where"]

_MOST_SAID = 5
_TWO_DECADES = 100.0


@dataclass
class Chart:
    """One figure as plain data.

    Every row has the number of its panel, of its line (`by`), its values, and the words that a
    reader sees beside the pointer.
    """

    kind: str
    x: dict[str, Any]
    y: dict[str, Any]
    by: dict[str, Any] | None = None
    panels: list[str] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        """The figure as plain data, ready for JSON."""
        left = len(self.said) - _MOST_SAID
        finding = "; ".join(self.said[:_MOST_SAID]) + (f"; and {left} more" if left > 0 else "")
        return {
            "kind": self.kind,
            "x": self.x,
            "y": self.y,
            "by": self.by,
            "panels": self.panels,
            "rows": self.rows,
            "says": f"{self.y['title']}. {finding or 'No value'}.",
            **self.more,
        }


def along(axis: Axis | None) -> dict[str, Any]:
    """The horizontal axis for an axis of the sweep: numbers, or names at 0, 1, 2 ..."""
    if axis is None:
        return {"title": "", "type": "names", "labels": [""], "values": [0]}
    labels = [str(label) for label in axis.labels]
    if axis.numbers is None:
        places = list(range(len(labels)))
        return {"title": axis_name(axis), "type": "names", "labels": labels, "values": places}
    factor, unit = axis_unit(axis)
    values = [float(f"{number * factor:.6g}") for number in axis.numbers]
    title = f"{axis_name(axis)} ({unit})" if unit else axis_name(axis)
    kind = "log" if is_logarithmic(values) else "linear"
    return {
        "title": title,
        "type": kind,
        "labels": [significant(value) for value in values],
        "values": values,
    }


def apart(axis: Axis | None) -> dict[str, Any] | None:
    """The axis whose values have a colour each; numbers get an ordered range of colours."""
    if axis is None:
        return None
    return {
        "title": axis_name(axis),
        "labels": [str(label) for label in axis.labels],
        "ordered": axis.numbers is not None and len(axis.labels) > 3,
    }


def scale_of(response: Response, values: Iterable[float | None]) -> Numbers:
    """The unit that the values of a response are shown in."""
    return response_unit(response, list(values))


def value_axis(
    response: Response, unit: Numbers, values: Iterable[float | None], *, title: str = ""
) -> dict[str, Any]:
    """The vertical axis of a response.

    It starts at zero unless a value is negative, or all are so close together that a line from zero
    would be flat. Positive values over two decades get a logarithmic axis.
    """
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    return {
        "title": title or unit.title(response_title(response)),
        "name": words(response.name),
        "unit": unit.unit,
        "log": bool(low > 0.0 and high >= _TWO_DECADES * low),
        "from_zero": bool(low >= 0.0 and not 0.0 < 0.5 * high < low),
    }


def where(layout: Layout, axes: Sequence[Axis], place: Place) -> str:
    """A setting in words: `cubic, limit 20 packets`; the axis of the lines comes first."""
    parts = []
    order = [layout.by, layout.x, *layout.panels]
    for axis in order:
        if axis is not None:
            label = str(axis.labels[place[axes.index(axis)]])
            bare = axis.numbers is None and axis is (layout.by or layout.x)
            parts.append(label if bare else f"{words(axis.name)} {label}")
    return ", ".join(parts)
