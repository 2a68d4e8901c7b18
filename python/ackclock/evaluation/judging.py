"""Verdicts: a subject's figures against those of the references, cell by cell and seed by seed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ackclock._core import binomial_cdf, student_cdf, student_quantile

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ackclock.evaluation.row import Cell, Measure

__all__ = ["ALPHA", "Judged", "Kind", "judge_row", "row_kind", "together", "unsettled"]

Kind = Literal[
    "concern",
    "no concern",
    "better",
    "not judged",
    "shown",
    "answered",
    "not answered",
    "not applicable",
]
"""Verdict of a cell, a measure or a row.

"shown": the figure has no rule. A row of text is answered or not.
"""

Figured = Mapping[tuple[str, str], Sequence[Mapping[str, float | None]]]
"""Figures of each seed, in the same order of seeds, by cell and seat."""

ALPHA = 0.05
"""Significance of a verdict; a concern and a better one are adjusted by Holm over the cells."""

_UNJUDGED_SHARE = 1 / 3


@dataclass(frozen=True)
class Judged:
    """One measure in one cell."""

    cell: str
    measure: str
    unit: str
    kind: Kind
    values: tuple[float, ...]
    """The subject's figures by seed."""
    references: dict[str, tuple[float, ...]]
    """The references' figures by seed."""
    worse: str | None = None
    """Reference with the worse mean."""
    line: float | None = None
    """Line above the worse reference, in the measure's unit, as a positive number."""
    difference: tuple[float, float, float] | None = None
    """Mean of subject minus worse reference with its 95 % interval, positive: more is worse."""
    p: float | None = None
    """Probability of a difference so far above the line by chance, adjusted by Holm."""
    seeds_wanted: int | None = None
    """Number of seeds that a verdict would take, where none was possible."""
    more_is_better: bool = False
    own: bool = False
    counts: tuple[int, int] | None = None
    """Rule R3: seeds in which a flow starves beside the subject, and beside the worse reference."""

    @property
    def mean(self) -> float | None:
        """Mean of the subject's figures."""
        return sum(self.values) / len(self.values) if self.values else None

    def mean_of(self, reference: str) -> float | None:
        """Mean of a reference's figures."""
        found = self.references.get(reference, ())
        return sum(found) / len(found) if found else None

    @property
    def excess(self) -> float:
        """Difference over the line; above 1 the figure is beyond it."""
        if self.difference is None or self.line is None:
            return -math.inf
        return self.difference[0] / self.line if self.line else math.inf


@dataclass(frozen=True)
class _Contrast:
    """Probabilities of one measure in one cell, before the adjustment."""

    judged: Judged
    p_concern: float
    p_better: float
    p_none: float
    family: Hashable


def judge_row(
    measures: Sequence[Measure],
    cells: Sequence[Cell],
    figures: Figured,
    subject: str,
    family: str | None,
) -> list[Judged]:
    """Judge every measure in every cell.

    Parameters
    ----------
    measures, cells
        Of the row.
    figures
        Figures of each seed, in the same order of seeds, by cell and seat.
    subject
        Name of the subject's seat; every other seat is a reference.
    family
        Label that divides the cells for Holm's adjustment.
    """
    found: list[Judged] = []
    for measure in measures:
        contrasts = [
            one
            for cell in cells
            if (one := _contrast_of(measure, cell, figures, subject, cell.labels.get(family or "")))
            is not None
        ]
        found += _decide(contrasts)
    return found


def unsettled(
    measures: Sequence[Measure], cells: Sequence[Cell], figures: Figured, subject: str
) -> set[str]:
    """Ids of the cells that need more seeds for a verdict on every measure.

    A cell is looked at twice, so that each look has half of the significance. It is settled if all
    of its measures are far enough from their lines: no concern at ALPHA / 2, or a concern that
    stands Holm's adjustment over all cells.
    """
    found = set()
    for measure in measures:
        for cell in cells:
            one = _contrast_of(measure, cell, figures, subject, None)
            if one is None or not measure.judged(cell) or not (measure.line or measure.starving):
                continue
            if one.judged.counts is not None:
                is_settled = one.p_concern < ALPHA / 2 or not any(one.judged.counts)
            else:
                is_settled = min(one.p_none, one.p_concern * len(cells)) < ALPHA / 2
            if not is_settled:
                found.add(cell.id)
    return found


def _contrast_of(
    measure: Measure, cell: Cell, figures: Figured, subject: str, family: Hashable
) -> _Contrast | None:
    """The contrast of a measure in a cell; None if the cell does not have it."""
    if not measure.of(cell):
        return None
    values = {
        seat: [measure.value(one, cell) for one in rows]
        for (name, seat), rows in figures.items()
        if name == cell.id
    }
    if subject not in values:
        return None
    return _contrast(measure, cell, values, subject, family)


def _contrast(
    measure: Measure,
    cell: Cell,
    values: dict[str, list[float | None]],
    subject: str,
    family: Hashable,
) -> _Contrast:
    own = values[subject]
    references = {seat: rows for seat, rows in values.items() if seat != subject}
    # Differences are paired by seed: a seed counts if all seats have its figure.
    kept = [
        at
        for at in range(len(own))
        if own[at] is not None and all(rows[at] is not None for rows in references.values())
    ]
    mine = _floats(own, kept)
    others = {seat: _floats(rows, kept) for seat, rows in references.items()}
    plain = Judged(
        cell=cell.id,
        measure=measure.name,
        unit=measure.unit,
        kind="shown",
        values=tuple(mine),
        references={seat: tuple(rows) for seat, rows in others.items()},
        more_is_better=measure.more_is_better,
        own=measure.own,
    )
    if not measure.judged(cell) or not others:
        return _Contrast(plain, 1.0, 1.0, 1.0, None)
    if not mine:
        return _Contrast(replace(plain, kind="not judged"), 1.0, 1.0, 1.0, family)
    if measure.starving:
        return _starving(plain, mine, others, family)
    if measure.line is None:
        return _Contrast(plain, 1.0, 1.0, 1.0, None)
    sign = -1.0 if measure.more_is_better else 1.0
    means = {seat: sign * sum(rows) / len(rows) for seat, rows in others.items()}
    worse = max(means, key=lambda seat: means[seat])
    best = min(means, key=lambda seat: means[seat])
    line = measure.line.of(sign * means[worse], cell)
    margin = measure.line.of_better(sign * means[best], cell)
    beyond = [sign * (a - b) - line for a, b in zip(mine, others[worse], strict=True)]
    better = [sign * (b - a) - margin for a, b in zip(mine, others[best], strict=True)]
    differences = [one + line for one in beyond]
    return _Contrast(
        replace(
            plain,
            kind="not judged",
            worse=worse,
            line=line,
            difference=_interval(differences),
            seeds_wanted=_seeds_wanted(beyond),
        ),
        _above_zero(beyond),
        _above_zero(better),
        _below_zero(beyond),
        family,
    )


def _floats(rows: Sequence[float | None], kept: Sequence[int]) -> list[float]:
    return [float(value) for at in kept if (value := rows[at]) is not None]


def _starving(
    plain: Judged, mine: list[float], others: dict[str, list[float]], family: Hashable
) -> _Contrast:
    """Rule R3: more seeds with starvation than beside the worse reference, by a sign test."""
    worse = max(others, key=lambda seat: sum(one > 0.0 for one in others[seat]))
    pairs = [(a > 0.0, b > 0.0) for a, b in zip(mine, others[worse], strict=True)]
    more = sum(a and not b for a, b in pairs)
    fewer = sum(b and not a for a, b in pairs)
    p = binomial_cdf(fewer, more + fewer, 0.5)
    is_none = more < _FEW_SEEDS and len(mine) > 1
    counts = (sum(a for a, _ in pairs), sum(b for _, b in pairs))
    judged = replace(plain, kind="not judged", worse=worse, counts=counts)
    return _Contrast(judged, p, 1.0, 0.0 if is_none else 1.0, family)


def _decide(contrasts: Sequence[_Contrast]) -> list[Judged]:
    """The verdicts of one measure, adjusted within each family."""
    from ackclock.stats.adjusting import holm

    found: dict[int, Judged] = {
        at: one.judged
        for at, one in enumerate(contrasts)
        if one.judged.line is None and one.judged.counts is None
    }
    rest = [at for at in range(len(contrasts)) if at not in found]
    for family in dict.fromkeys(contrasts[at].family for at in rest):
        here = [at for at in rest if contrasts[at].family == family]
        concerns = holm([contrasts[at].p_concern for at in here])
        betters = holm([contrasts[at].p_better for at in here])
        for at, concern, better in zip(here, concerns, betters, strict=True):
            one = contrasts[at]
            kind: Kind = (
                "concern"
                if concern < ALPHA
                else "better"
                if better < ALPHA
                else "no concern"
                if one.p_none < ALPHA
                else "not judged"
            )
            found[at] = replace(
                one.judged,
                kind=kind,
                p=concern,
                seeds_wanted=one.judged.seeds_wanted if kind == "not judged" else None,
            )
    return [found[at] for at in range(len(contrasts))]


_TINY = 1e-12

_FEW_SEEDS = 2
"""Seeds with starvation beside the subject alone of which fewer are no concern."""


def _is_constant(values: Sequence[float]) -> bool:
    size = max(max(abs(one) for one in values), _TINY)
    return max(values) - min(values) <= 1e-9 * size


def _above_zero(values: Sequence[float]) -> float:
    """One-sided Student's t: probability of such a mean if the true one is not above zero.

    A difference that all seeds agree on is compared as it is; one seed alone proves nothing.
    """
    if len(values) < 2:
        return 1.0
    if _is_constant(values):
        return 0.0 if sum(values) / len(values) > _TINY else 1.0
    mean, deviation = _mean_and_deviation(values)
    return student_cdf(len(values) - 1, -mean / (deviation / math.sqrt(len(values))))


def _below_zero(values: Sequence[float]) -> float:
    """As `_above_zero`, on the other side; a difference that is the line itself is within it."""
    if len(values) > 1 and _is_constant(values):
        return 0.0 if sum(values) / len(values) <= _TINY else 1.0
    return _above_zero([-one for one in values])


def _mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, math.inf
    return mean, math.sqrt(sum((one - mean) ** 2 for one in values) / (len(values) - 1))


def _interval(values: Sequence[float]) -> tuple[float, float, float]:
    mean, deviation = _mean_and_deviation(values)
    if len(values) < 2 or _is_constant(values):
        return mean, mean, mean
    half = student_quantile(len(values) - 1, 0.975) * deviation / math.sqrt(len(values))
    return mean, mean - half, mean + half


def _seeds_wanted(beyond: Sequence[float]) -> int | None:
    """Seeds for a verdict: (2 sd / |mean - line|)^2, and no fewer than were run."""
    mean, deviation = _mean_and_deviation(beyond)
    if abs(mean) < _TINY or not math.isfinite(deviation):
        return None
    wanted = (2.0 * deviation / mean) ** 2
    return max(len(beyond), math.ceil(wanted)) if wanted < 1e6 else None


def together(judged: Sequence[Judged]) -> list[Judged]:
    """Verdicts of a row whose concern is a cell that is worse by all of its measures."""
    found = []
    for one in judged:
        here = [other for other in judged if other.cell == one.cell and other.kind != "shown"]
        is_alone = one.kind == "concern" and any(other.kind != "concern" for other in here)
        found.append(replace(one, kind="no concern") if is_alone else one)
    return found


def row_kind(judged: Sequence[Judged]) -> Kind:
    """The verdict of a row: its worst cell decides.

    A row in which more than a third of the cells are not judged is not judged, unless it has a
    concern.
    """
    counted = [one for one in judged if one.kind != "shown" and not one.own]
    if not counted:
        return "shown"
    if any(one.kind == "concern" for one in counted):
        return "concern"
    if sum(one.kind == "not judged" for one in counted) > _UNJUDGED_SHARE * len(counted):
        return "not judged"
    if any(one.kind == "better" for one in counted):
        return "better"
    return "no concern"
