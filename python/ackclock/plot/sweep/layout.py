"""What of a sweep goes where in a figure or a table: which axis along, which apart, which in panels, and which is held."""

from __future__ import annotations

import difflib
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

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
"""More small pictures than this are not read by anyone."""

Place = tuple[int, ...]
"""Which value of each axis, by its index."""


class ViewError(ValueError):
    """A view that was asked for and that the sweep cannot give."""


@dataclass(frozen=True)
class Layout:
    """Where the axes are shown."""

    x: Axis | None
    """Along."""
    by: Axis | None
    """A line, a colour or a column for each value."""
    panels: tuple[Axis, ...] = ()
    """A panel for each combination of their values."""
    held: Mapping[str, int] = field(default_factory=dict)
    """Axes that only one value is shown of: the index of this value."""

    def places(self, axes: Sequence[Axis], x: int | None, by: int | None, panel: Place) -> Place:
        """The setting at one value of each shown axis."""
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
            yield place, ", ".join(f"{axis.name} = {axis.labels[index]}" for axis, index in zip(self.panels, place, strict=True))

    def held_text(self, axes: Sequence[Axis]) -> str:
        """What is held of what varies, for a note: `rate = 10Mbit/s`; empty if nothing is."""
        return ", ".join(
            f"{axis.name} = {axis.labels[self.held[axis.name]]}" for axis in axes if axis.name in self.held and len(axis.labels) > 1
        )


def _near(name: str, known: Sequence[str]) -> str:
    found = difflib.get_close_matches(name, known, n=1)
    return f": did you mean '{found[0]}'?" if found else f": there is {', '.join(known)}" if known else ""


def find_axis(result: SweepResult, name: str) -> Axis:
    """An axis by its name, or by one of its keys."""
    for axis in result.design.axes:
        if name == axis.name or name in axis.keys:
            return axis
    known = [axis.name for axis in result.design.axes]
    raise ViewError(f"the sweep has no axis '{name}'{_near(name, known) or ', nor any other'}")


def find_response(result: SweepResult, name: str | None) -> Response:
    """A response by its name; the first by default."""
    if name is None:
        return result.design.responses[0]
    for response in result.design.responses:
        if response.name == name:
            return response
    raise ViewError(f"the sweep has no response '{name}'{_near(name, [response.name for response in result.design.responses])}")


def _value(axis: Axis, wanted: Any) -> int:
    for index, label in enumerate(axis.labels):
        if wanted == label or str(wanted) == str(label):
            return index
    known = [str(label) for label in axis.labels]
    raise ViewError(f"axis '{axis.name}' has no value '{wanted}'{_near(str(wanted), known)}")


def choose(
    result: SweepResult,
    *,
    x: str | None = None,
    by: str | None = None,
    at: Mapping[str, Any] | None = None,
    together: Sequence[str] = (),
    most_panels: int | None = MOST_PANELS,
) -> Layout:
    """Place every axis.

    Parameters
    ----------
    result
        The sweep.
    x, by
        Names of axes. By default numbers run along and algorithms, or whatever is compared, are told apart.
    at
        Axes that only one value is shown of.
    together
        Names of axes that have no place because all their values are shown together (the differences' own axis).
    most_panels
        Of more there is no figure; None: a table, which has room for all.

    Raises
    ------
    ViewError
        If an axis or a value does not exist, or there would be more panels than anyone can read.
    """
    held = {find_axis(result, name).name: _value(find_axis(result, name), value) for name, value in (at or {}).items()}
    held.update({axis.name: 0 for axis in result.design.axes if len(axis.labels) == 1 and axis.name not in held})
    along = find_axis(result, x) if x is not None else None
    apart = find_axis(result, by) if by is not None else None
    if along is not None and along is apart:
        raise ViewError(f"axis '{along.name}' cannot be both along and apart: name another for --by")
    for axis, option in ((along, "x"), (apart, "by")):
        if axis is not None and (at or {}).keys() & {axis.name, *axis.keys}:
            raise ViewError(f"axis '{axis.name}' is held at one value and cannot be {option} too")
        if axis is not None:
            held.pop(axis.name, None)
    free = [
        axis
        for axis in result.design.axes
        if axis.name not in held and axis.name not in together and axis is not along and axis is not apart
    ]
    told_apart = [comparison.axis for comparison in result.design.comparisons]
    if apart is None:
        names = [axis for axis in free if axis.name in told_apart] or [axis for axis in free if axis.numbers is None]
        # An axis alone runs along, whatever it holds.
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
            f"{count} panels, one for each value of {names_of}, cannot be read: hold an axis at a value (at, or --at NAME=VALUE)"
        )
    return Layout(along, apart, tuple(free), held)


def places_of(axes: Sequence[Axis]) -> list[Place]:
    """Where each setting stands, by its index."""
    return list(itertools.product(*(range(len(axis.labels)) for axis in axes)))


def cells(result: SweepResult, response: Response) -> dict[Place, dict[str, Any]]:
    """The means of one response by setting; settings without a value are left out."""
    places = places_of(result.design.axes)
    frame = result.responses
    rows = frame.filter(frame["response"] == response.name).iter_rows(named=True)
    return {places[row["setting"]]: row for row in rows if row["mean"] is not None}


def samples(result: SweepResult, response: Response) -> dict[Place, dict[int, float]]:
    """The replications of one response by setting, then by seed; runs without a value are left out."""
    places = places_of(result.design.axes)
    found: dict[Place, dict[int, float]] = {}
    for setting, seed, value in result.runs.select("setting", "seed", response.name).iter_rows():
        if value is not None:
            found.setdefault(places[setting], {})[seed] = float(value)
    return found


def values_of(by_seed: Mapping[int, float] | None) -> Floats:
    """Replications as an array."""
    return np.array(list((by_seed or {}).values()), dtype=float)
