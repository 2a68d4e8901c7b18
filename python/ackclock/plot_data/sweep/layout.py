"""The layout of a sweep's figures and tables: horizontal axis, colours, panels, held axes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.errors import Error
from ackclock.messages import nearest_or_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ackclock.results.series import Floats
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = [
    "MOST_PANELS",
    "Layout",
    "Place",
    "ViewError",
    "cells",
    "choose",
    "find_axis",
    "find_response",
    "places_of",
    "samples",
    "values_of",
]

MOST_PANELS = 12
"""Largest number of panels that a reader can take in."""

Place = tuple[int, ...]
"""Index of the value of each axis: a setting."""


class ViewError(Error, ValueError):
    """A view that the sweep cannot give."""


@dataclass(frozen=True)
class Layout:
    """The part that each axis plays in a figure or table."""

    x: Axis | None
    """Horizontal axis, or rows of a table."""
    by: Axis | None
    """Axis with a line, a colour or a column for each value."""
    panels: tuple[Axis, ...] = ()
    """Axes with a panel for each combination of values."""
    held: Mapping[str, int] = field(default_factory=dict)
    """Axes that are shown at one value only, with the index of the value."""

    def places(self, axes: Sequence[Axis], x: int | None, by: int | None, panel: Place) -> Place:
        """The setting with these values of the shown axes."""
        at = dict(self.held)
        at.update({axis.name: index for axis, index in zip(self.panels, panel, strict=True)})
        if self.x is not None and x is not None:
            at[self.x.name] = x
        if self.by is not None and by is not None:
            at[self.by.name] = by
        return tuple(at[axis.name] for axis in axes)

    def each_panel(self) -> Iterator[tuple[Place, str]]:
        """The panels' places and titles."""
        for place in itertools.product(*(range(len(axis.labels)) for axis in self.panels)):
            title = ", ".join(
                f"{axis.name} = {axis.labels[index]}"
                for axis, index in zip(self.panels, place, strict=True)
            )
            yield place, title

    def held_text(self, axes: Sequence[Axis]) -> str:
        """Note on axes with several values that are held: `rate = 10Mbit/s`; "" without any."""
        return ", ".join(
            f"{axis.name} = {axis.labels[self.held[axis.name]]}"
            for axis in axes
            if axis.name in self.held and len(axis.labels) > 1
        )


def find_axis(result: SweepResult, name: str) -> Axis:
    """An axis by its name, or by one of its keys."""
    for axis in result.design.axes:
        if name == axis.name or name in axis.keys:
            return axis
    known = [axis.name for axis in result.design.axes]
    raise ViewError(
        f"the sweep has no axis '{name}'{nearest_or_all(name, known) or ', nor any other'}"
    )


def find_response(result: SweepResult, name: str | None) -> Response:
    """A response, or another metric that the results keep, by name; by default the first."""
    try:
        return result.find(name)
    except ValueError as error:
        raise ViewError(str(error)) from None


def _value(axis: Axis, wanted: Any) -> int:
    for index, label in enumerate(axis.labels):
        if wanted == label or str(wanted) == str(label):
            return index
    known = [str(label) for label in axis.labels]
    raise ViewError(
        f"axis '{axis.name}' has no value '{wanted}'{nearest_or_all(str(wanted), known)}"
    )


def choose(
    result: SweepResult,
    *,
    x: str | None = None,
    by: str | None = None,
    at: Mapping[str, Any] | None = None,
    together: Sequence[str] = (),
    most_panels: int | None = MOST_PANELS,
) -> Layout:
    """Choose the layout of a sweep's axes.

    Parameters
    ----------
    result
        The sweep.
    x, by
        Names of axes; by default `x` is an axis of numbers, and `by` the compared axis or one of
        names.
    at
        Values of axes that are shown at one value only.
    together
        Names of axes without a place, because all their values are shown together: the compared
        axis of differences.
    most_panels
        Largest number of panels; None for a table, which has room for all.

    Raises
    ------
    ViewError
        If an axis or a value does not exist, or there would be too many panels.
    """
    held = {
        find_axis(result, name).name: _value(find_axis(result, name), value)
        for name, value in (at or {}).items()
    }
    held.update(
        {
            axis.name: 0
            for axis in result.design.axes
            if len(axis.labels) == 1 and axis.name not in held
        }
    )
    along = find_axis(result, x) if x is not None else None
    apart = find_axis(result, by) if by is not None else None
    if along is not None and along is apart:
        raise ViewError(
            f"axis '{along.name}' cannot be both along and apart: name another for --by"
        )
    for axis, option in ((along, "x"), (apart, "by")):
        if axis is not None and (at or {}).keys() & {axis.name, *axis.keys}:
            raise ViewError(f"axis '{axis.name}' is held at one value and cannot be {option} too")
        if axis is not None:
            held.pop(axis.name, None)
    free = [
        axis
        for axis in result.design.axes
        if axis.name not in held
        and axis.name not in together
        and axis is not along
        and axis is not apart
    ]
    told_apart = [comparison.axis for comparison in result.design.comparisons]
    if apart is None:
        names = [axis for axis in free if axis.name in told_apart] or [
            axis for axis in free if axis.numbers is None
        ]
        # A single axis is the horizontal one, even if its values are names.
        if names and (along is not None or len(free) > 1):
            apart = names[0]
            free.remove(apart)
    if along is None and free:
        along = max(free, key=lambda axis: (axis.numbers is not None, len(axis.labels)))
        free.remove(along)
    if apart is None and free:
        apart = min(free, key=lambda axis: len(axis.labels))
        free.remove(apart)
    count = int(np.prod([len(axis.labels) for axis in free], initial=1))
    if most_panels is not None and count > most_panels:
        names_of = ", ".join(f"'{axis.name}' ({len(axis.labels)} values)" for axis in free)
        raise ViewError(
            f"{count} panels, one for each value of {names_of}, cannot be read: hold an axis at a "
            "value (at, or --at NAME=VALUE)"
        )
    return Layout(along, apart, tuple(free), held)


def places_of(axes: Sequence[Axis]) -> list[Place]:
    """The place of each setting, by its index."""
    return list(itertools.product(*(range(len(axis.labels)) for axis in axes)))


def cells(result: SweepResult, response: Response) -> dict[Place, dict[str, Any]]:
    """The means of one response by setting; settings without a value are left out."""
    places = places_of(result.design.axes)
    rows = result.table(response.name).iter_rows(named=True)
    return {places[row["setting"]]: row for row in rows if row["mean"] is not None}


def samples(result: SweepResult, response: Response) -> dict[Place, dict[int, float]]:
    """Values of a response by setting, then by seed; runs without a value are left out."""
    places = places_of(result.design.axes)
    by_place: dict[Place, dict[int, float]] = {}
    for setting, seed, value in result.runs.select("setting", "seed", response.name).iter_rows():
        if value is not None:
            by_place.setdefault(places[setting], {})[seed] = float(value)
    return by_place


def values_of(by_seed: Mapping[int, float] | None) -> Floats:
    """Replications as an array."""
    return np.array(list((by_seed or {}).values()), dtype=float)
