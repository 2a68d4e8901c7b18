"""Decide which replications a sweep makes next: all, or batches until intervals are narrow.

Intervals must be narrow enough after two batches in a row. A rule that stops at the first narrow
interval prefers intervals that are narrow by chance, and these contain the mean less often than
they should: docs/statistics.md has the measurements.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ackclock.stats import bounded, cut_differences, differences, estimates
from ackclock.sweeps.limits import limits_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ackclock.sweeps.axes import Label, Setting
    from ackclock.sweeps.design import Comparison, Design
    from ackclock.sweeps.limits import Limits

__all__ = ["Figures", "Stopped", "pairs_of", "stopped", "wanted"]

Figures: TypeAlias = Mapping[tuple[int, int], Mapping[str, float | None]]
"""Figures of finished runs: by setting and replication, then by the response's name."""


@dataclass(frozen=True)
class Stopped:
    """The sequential stop of a group of settings that are compared with each other."""

    settings: tuple[int, ...]
    replications: int
    reached: bool
    """Whether the intervals are narrow enough; if not, the budget ended or no run has a value."""
    half_width: float | None
    """Half-width of the group's interval that is furthest from the goal; None without interval."""


def wanted(design: Design, figures: Figures) -> list[tuple[int, int]]:
    """The missing runs as (setting, replication), by replication; empty for a complete sweep.

    The order in which runs finish does not matter, because decisions need whole batches: call again
    when all returned runs are finished. Runs that are not wanted change nothing.
    """
    if design.stop is None:
        missing = _missing(figures, range(len(design.settings)), design.replications)
    else:
        missing = [run for group in _settle(design, figures) for run in group.missing]
    return sorted(missing, key=lambda run: (run[1], run[0]))


def stopped(design: Design, figures: Figures) -> list[Stopped]:
    """The stop of each group of a complete sweep; empty without a sequential stop."""
    if design.stop is None:
        return []
    return [
        Stopped(group.settings, group.replications, group.reached, group.half_width)
        for group in _settle(design, figures)
    ]


def pairs_of(design: Design, comparison: Comparison) -> list[tuple[Setting, Setting]]:
    """Every setting that is no base, with the setting that has the base and is otherwise equal."""
    at = [axis.name for axis in design.axes].index(comparison.axis)
    by_labels = {setting.labels: setting for setting in design.settings}
    return [
        (setting, by_labels[(*setting.labels[:at], comparison.base, *setting.labels[at + 1 :])])
        for setting in design.settings
        if setting.labels[at] != comparison.base
    ]


class _Row(NamedTuple):
    """An interval that must be narrow enough: of a setting's values, or of paired differences."""

    setting: int
    base: int | None = None
    ratio: bool = False


@dataclass
class _Group:
    """Settings that are compared with each other and have equally many replications."""

    settings: tuple[int, ...]
    rows: list[_Row]
    replications: int
    missing: list[tuple[int, int]]
    reached: bool = False
    half_width: float | None = None


class _Width(NamedTuple):
    """The width of an interval."""

    half: float | None
    """Half-width; None without an interval."""
    share: float
    """Half-width as a share of the goal; at most 1 is narrow enough."""
    empty: bool
    """Whether no run has a value."""


def _groups(design: Design) -> list[_Group]:
    compared = {comparison.axis for comparison in design.comparisons}
    kept = [index for index, axis in enumerate(design.axes) if axis.name not in compared]
    by_kept: dict[tuple[Label, ...], list[int]] = {}
    for setting in design.settings:
        by_kept.setdefault(tuple(setting.labels[index] for index in kept), []).append(setting.index)
    place = {index: at for at, group in enumerate(by_kept.values()) for index in group}
    rows: list[list[_Row]] = [[] for _ in by_kept]
    for row in _rows(design):
        rows[place[row.setting]].append(row)
    return [
        _Group(tuple(group), rows[at], design.replications, [])
        for at, group in enumerate(by_kept.values())
    ]


def _rows(design: Design) -> Iterator[_Row]:
    asked = design.stop.comparison if design.stop else None
    if asked is None:
        yield from (_Row(setting.index) for setting in design.settings)
    for comparison in design.comparisons:
        if comparison.axis == asked:
            yield from (
                _Row(setting.index, base.index, comparison.ratio)
                for setting, base in pairs_of(design, comparison)
            )


def _settle(design: Design, figures: Figures) -> list[_Group]:
    """Advance every group to the first batch that lacks runs, or after which the group stops."""
    stop = design.stop
    if stop is None:
        raise ValueError("this sweep has no sequential stop")
    groups = _groups(design)
    going = groups
    while going:
        for group in going:
            group.missing = _missing(figures, group.settings, group.replications)
        whole = [group for group in going if not group.missing]
        widths = iter(
            _widths(
                design,
                figures,
                [(row, group.replications) for group in whole for row in group.rows],
            )
        )
        going = []
        for group in whole:
            # More runs would not help a response without any value.
            measured = [width for _ in group.rows if not (width := next(widths)).empty]
            widest = max(
                measured,
                key=lambda width: width.share,
                default=_Width(None, float("inf"), empty=True),
            )
            before = group.reached
            group.reached, group.half_width = widest.share <= 1.0, widest.half
            # A width of zero cannot be due to chance.
            confirmed = group.reached and (before or widest.half == 0.0)
            if measured and not confirmed and group.replications < stop.most:
                group.replications = min(group.replications + stop.batch, stop.most)
                going.append(group)
    return groups


def _missing(figures: Figures, settings: Sequence[int], replications: int) -> list[tuple[int, int]]:
    return [
        (setting, replication)
        for setting in settings
        for replication in range(replications)
        if (setting, replication) not in figures
    ]


# Widths of earlier batches are needed again with each later batch.
_KEPT = 200_000
_known: OrderedDict[bytes, _Width] = OrderedDict()


def _widths(design: Design, figures: Figures, rows: Sequence[tuple[_Row, int]]) -> list[_Width]:
    """Widths of intervals over the given number of first replications."""
    stop = design.stop
    if stop is None:
        raise ValueError("this sweep has no sequential stop")
    values: list[tuple[_Row, list[float | None], list[float | None] | None]] = []
    for row, replications in rows:
        a, b = (
            None
            if setting is None
            else [
                figures[setting, replication][stop.response] for replication in range(replications)
            ]
            for setting in (row.setting, row.base)
        )
        values.append((row, a or [], b))
    [response] = [candidate for candidate in design.responses if candidate.name == stop.response]
    limits = limits_of(design, response, {row.setting for row, _, _ in values})
    said = f"{design.confidence!r} {stop.half_width!r} {stop.relative!r}"
    keys = [
        hashlib.sha256(f"{said} {row.ratio} {limits[row.setting]!r} {a!r} {b!r}".encode()).digest()
        for row, a, b in values
    ]
    new = {key: entry for key, entry in zip(keys, values, strict=True) if key not in _known}
    for ratio in (None, False, True):
        chosen = {
            key: (a, b, limits[row.setting])
            for key, (row, a, b) in new.items()
            if (None if b is None else row.ratio) is ratio
        }
        _known.update(
            zip(chosen, _new_widths(design, list(chosen.values()), ratio=ratio), strict=True)
        )
    widths = [_known[key] for key in keys]
    while len(_known) > _KEPT:
        _known.popitem(last=False)
    return widths


def _new_widths(
    design: Design,
    values: Sequence[tuple[list[float | None], list[float | None] | None, Limits]],
    *,
    ratio: bool | None,
) -> list[_Width]:
    if ratio is None:
        made = estimates([a for a, _, _ in values], design.confidence)
        within = [
            bounded(estimate, *limits)
            for estimate, (_, _, limits) in zip(made, values, strict=True)
        ]
        return [_width(design, estimate.half_width, estimate.mean) for estimate in within]
    pairs = [(a, b) for a, b, _ in values if b is not None]
    intervals = differences(pairs, design.confidence, ratio=ratio)
    if not ratio:
        intervals = cut_differences(
            intervals, pairs, [limits for _, _, limits in values], design.confidence
        )
    # A share refers to the base's mean, because a difference may be zero.
    bases = [mean.mean for mean in estimates([b for _, b in pairs], design.confidence, "t")]
    return [
        _width(
            design,
            difference.half_width,
            difference.difference if ratio or difference.difference is None else base,
        )
        for difference, base in zip(intervals, bases, strict=True)
    ]


def _width(design: Design, half: float | None, of: float | None) -> _Width:
    stop = design.stop
    if stop is None or half is None or of is None:
        return _Width(half, float("inf"), of is None)
    asked = stop.half_width if stop.half_width is not None else (stop.relative or 0.0) * abs(of)
    return _Width(
        half,
        half / asked if asked else float(half > 0.0) * float("inf") if half else 0.0,
        empty=False,
    )
