"""Paired differences along an axis: the rows of a comparison, their unit and their title."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.plot_data.sweep.layout import ViewError, find_axis, places_of
from ackclock.plot_data.sweep.scale import Numbers, response_title, response_unit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.responses import Response
    from ackclock.sweeps.result import SweepResult

__all__ = [
    "Difference",
    "compared_axis",
    "difference_title",
    "difference_unit",
    "differences",
    "is_ratio",
]


@dataclass(frozen=True)
class Difference:
    """One row of the differences, with its place among the settings."""

    place: tuple[int, ...]
    value: int
    """Index of the compared value."""
    row: Mapping[str, Any]
    neutral: float
    """The value that means no difference: 0, or 1 for ratios."""

    @property
    def clear(self) -> bool:
        """Whether there is a difference: the interval excludes `neutral`.

        Without an interval, because all pairs differ equally, the difference itself decides.
        """
        low, high = self.row["low"], self.row["high"]
        if self.row["method"] == "constant":
            return bool(self.row["difference"] != self.neutral)
        return low is not None and high is not None and (low > self.neutral or high < self.neutral)


def compared_axis(result: SweepResult, name: str | None = None) -> Axis:
    """The axis of a comparison; by default of the first one."""
    if not result.design.comparisons:
        raise ViewError('the sweep compares nothing: add [[sweep.comparisons]] with axis = "NAME"')
    names = [comparison.axis for comparison in result.design.comparisons]
    if name is None:
        return find_axis(result, names[0])
    axis = find_axis(result, name)
    if axis.name not in names:
        raise ViewError(
            f"the sweep does not compare along '{axis.name}', only along {', '.join(names)}"
        )
    return axis


def differences(
    result: SweepResult, response: Response, axis: Axis, held: Mapping[str, int]
) -> list[Difference]:
    """The rows of one comparison and response, in the axes' order."""
    frame = result.difference(response.name)
    frame = frame.filter(frame["axis"] == axis.name)
    axes = result.design.axes
    own = axes.index(axis)
    places = places_of(axes)
    rows = []
    for row in frame.iter_rows(named=True):
        place = places[row["setting"]]
        if row["difference"] is None or any(
            place[index] != held.get(other.name, place[index])
            for index, other in enumerate(axes)
            if index != own
        ):
            continue
        # All values of one setting of the other axes stand at the same place.
        rows.append(
            Difference(
                (*place[:own], 0, *place[own + 1 :]), place[own], row, 1.0 if row["ratio"] else 0.0
            )
        )
    return sorted(rows, key=lambda difference: (difference.place, difference.value))


def is_ratio(result: SweepResult, axis: Axis) -> bool:
    """Whether a comparison divides instead of subtracting."""
    return any(
        comparison.axis == axis.name and comparison.ratio
        for comparison in result.design.comparisons
    )


def difference_unit(
    result: SweepResult, response: Response, axis: Axis, rows: Sequence[Difference]
) -> Numbers:
    """A unit with short numbers for the differences; for shares it is percentage points."""
    if is_ratio(result, axis):
        return Numbers(1.0, "")
    unit = response_unit(
        response,
        [difference.row[name] for difference in rows for name in ("difference", "low", "high")],
    )
    return Numbers(unit.factor, "percentage points") if unit.unit == "%" else unit


def difference_title(
    result: SweepResult, response: Response, axis: Axis, rows: Sequence[Difference]
) -> str:
    """Title of the axis: `Utilisation: difference from reno (percentage points)`."""
    base = rows[0].row["base"] if rows else axis.labels[0]
    what = f"ratio to {base}" if is_ratio(result, axis) else f"difference from {base}"
    return difference_unit(result, response, axis, rows).title(
        f"{response_title(response)}: {what}"
    )
