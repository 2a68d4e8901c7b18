"""Judges a study's statements under every reading, and by the runs of other simulators."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock.studies.outside import read_outside
from ackclock.studies.reading import laid_over
from ackclock.studies.rules import All

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ackclock.studies.claim import Claim, Criterion, Question, Verdict
    from ackclock.studies.results import Results
    from ackclock.studies.study import Study

__all__ = ["Case", "Judgement", "checked_from_outside", "judge", "under_first_reading"]


@dataclass(frozen=True)
class Case:
    """One verdict on a statement."""

    reading: str
    """Name of the reading; "" where the study declares none."""
    simulator: str
    """Name of the other simulator; "" for ackclock."""
    verdict: Verdict

    @property
    def name(self) -> str:
        """Return the case's label: `bits`, or `bits in ns-2.35`."""
        return " in ".join(part for part in (self.reading, self.simulator) if part)


@dataclass(frozen=True)
class Judgement:
    """The verdicts on a statement under all readings that affect it."""

    cases: tuple[Case, ...]
    """The first case is ackclock's verdict under the paper's most literal reading."""

    @property
    def verdict(self) -> Verdict:
        """Return ackclock's verdict under the most literal reading."""
        return self.cases[0].verdict

    @property
    def ours(self) -> tuple[Case, ...]:
        """Return the verdicts by ackclock's runs."""
        return tuple(case for case in self.cases if not case.simulator)

    @property
    def outside(self) -> tuple[Case, ...]:
        """Return the verdicts by the runs of other simulators."""
        return tuple(case for case in self.cases if case.simulator)

    @property
    def headline(self) -> str:
        """Return `holds under “bits”, does not hold under “bytes”`, or the one common verdict."""
        sides: dict[str, list[str]] = {}
        for case in self.ours:
            sides.setdefault(case.verdict.kind, []).append(case.reading)
        if len(sides) == 1:
            return (
                f"{self.verdict.kind} under every reading"
                if len(self.ours) > 1
                else self.verdict.kind
            )
        return ", ".join(f"{kind} under {_listed(names)}" for kind, names in sides.items())

    @property
    def disagreeing(self) -> tuple[Case, ...]:
        """Return other simulators' cases that differ from ackclock's under that reading."""
        kinds = {case.reading: case.verdict.kind for case in self.ours}
        return tuple(
            case
            for case in self.outside
            if case.verdict.kind != kinds.get(case.reading, self.verdict.kind)
        )


def under_first_reading(study: Study, results: Results) -> Results:
    """The results with the study's readings, held at the first one."""
    return replace(
        results, readings=study.readings, reading=study.readings[0] if study.readings else None
    )


def judge(study: Study, results: Results) -> dict[str, Judgement]:
    """Judge every claim and question, by its id.

    Parameters
    ----------
    study
        With its readings and runs of other simulators.
    results
        As `under_first_reading` gives them.
    """
    under = {
        reading.name: replace(results, reading=laid_over(study.readings[0], reading))
        for reading in study.readings
    } or {"": results}
    first = next(iter(under))
    judgements = {}
    for statement in study.statements:
        criterion = statement.criterion
        cases = [Case(first, "", criterion.judge(under[first]))]
        for name, these in under.items():
            if name != first and _touched(criterion, results, these):
                verdict = criterion.judge(these)
                if not _is_same(verdict, cases[0].verdict):
                    cases.append(Case(name, "", verdict))
        readings = {case.reading for case in cases}
        cases += _by_others(
            study, statement, [(name, these) for name, these in under.items() if name in readings]
        )
        judgements[statement.id] = Judgement(tuple(cases))
    return judgements


def _touched(criterion: Criterion, base: Results, other: Results) -> bool:
    """Return whether a reading looks elsewhere than the first in an experiment of the criterion."""
    return any(base.differs(name, other) for name in criterion.experiments if name in base.sweeps)


def _is_same(verdict: Verdict, other: Verdict) -> bool:
    """Return whether the criterion names its own values of everything that the reading holds."""
    return (verdict.kind, verdict.sentence, verdict.evidence) == (
        other.kind,
        other.sentence,
        other.evidence,
    )


def _by_others(
    study: Study, statement: Claim | Question, under: Sequence[tuple[str, Results]]
) -> list[Case]:
    cases = []
    for simulator in dict.fromkeys(other.name for other in study.outside):
        rows = {
            other.experiment: read_outside(study.folder / other.file).rows
            for other in study.outside
            if other.name == simulator
        }
        if not rows.keys() & set(statement.criterion.experiments):
            continue
        for name, these in under:
            there = replace(these, elsewhere=rows)
            criterion = _judged_by(statement.criterion, there)
            if criterion is not None:
                cases.append(Case(name, simulator, criterion.judge(there)))
    return cases


def _judged_by(criterion: Criterion, results: Results) -> Criterion | None:
    """Return the part of a criterion for which the other simulator has runs.

    Ackclock's runs must not stand in for those that the other simulator lacks.
    """
    if isinstance(criterion, All):
        parts = [(name, _judged_by(part, results)) for name, part in criterion.parts]
        criteria = tuple((name, part) for name, part in parts if part is not None)
        return All(criteria) if criteria else None
    if not set(criterion.experiments) <= results.elsewhere.keys():
        return None
    # Runs that lack the criterion's responses or settings cannot judge it.
    return criterion if criterion.judge(results).evidence else None


def checked_from_outside(claims: Sequence[Claim], simulators: Mapping[str, Collection[str]]) -> str:
    """Say which claims other simulators have checked, and which they have not.

    Parameters
    ----------
    claims
        All of a study.
    simulators
        Names of the other simulators that have a verdict on a claim, by its id.
    """
    computed = [claim for claim in claims if not claim.criterion.experiments]
    behind: dict[str, list[str]] = {}
    for claim in claims:
        for name in simulators.get(claim.id, ()):
            behind.setdefault(name, []).append(claim.id)
    sentences = [f"{name} has run {', '.join(ids)}." for name, ids in behind.items()]
    alone = len(claims) - len(computed) - sum(1 for claim in claims if simulators.get(claim.id))
    if alone:
        claims_ = "claim rests" if alone == 1 else "claims rest"
        said = (
            f"The other {claims_}"
            if behind and alone == 1
            else f"{'The other ' if behind else ''}{alone} {claims_}"
        )
        sentences.append(
            f"{said} on ackclock's runs alone: no other program has repeated those experiments."
        )
    if computed:
        sentences.append(
            "Computed from the paper's formulas and printed figures, without a run: "
            f"{', '.join(claim.id for claim in computed)}."
        )
    return " ".join(sentences)


_NAMED = 4
"""Largest number of readings that a headline names; the table of claims by readings has all."""


def _listed(names: Sequence[str]) -> str:
    if len(names) > _NAMED:
        return f"“{names[0]}” and {len(names) - 1} more"
    *most, last = (f"“{name}”" for name in names)
    return f"{', '.join(most)} and {last}" if most else last
