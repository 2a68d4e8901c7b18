"""Makes a part of a study: some of its claims, or another number of seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ackclock.messages import did_you_mean
from ackclock.studies.claim import Claim, Question
from ackclock.studies.errors import StudyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.study import Study

__all__ = ["part_of", "with_seeds"]

_Statement = TypeVar("_Statement", Claim, Question)


def part_of(study: Study, ids: Sequence[str]) -> Study:
    """Return the study with these claims and questions alone.

    The part keeps the experiments and recordings that the criteria need, and the figures and tables
    that need no others. Title and summary say that it is a part.

    Parameters
    ----------
    study
        The whole.
    ids
        Ids of claims and questions, in any order.

    Raises
    ------
    StudyError
        If the study has no such claim; the message names the nearest.
    """
    known = [statement.id for statement in study.statements]
    for name in ids:
        if name not in known:
            raise StudyError(
                f"{study.name} has no claim '{name}', only "
                f"{', '.join(known)}{did_you_mean(name, known)}"
            )
    wanted = [name for name in known if name in ids]
    needed = {
        name
        for statement in study.statements
        if statement.id in wanted
        for name in statement.criterion.experiments
    }
    named = {
        name
        for statement in study.statements
        if statement.id in wanted
        for name in statement.figures
    }
    figures = tuple(
        figure
        for figure in study.figures
        if figure.id in named and set(figure.experiments) <= needed
    )
    tables = tuple(
        table for table in study.tables if table.id in named and set(table.experiments) <= needed
    )
    kept = {figure.id for figure in figures} | {table.id for table in tables}
    left_out = len(known) - len(wanted)
    others = (
        f"the {left_out} others of the study were"
        if left_out != 1
        else "the other one of the study was"
    )
    said = (
        f"This is a part of the study: {', '.join(wanted)} alone; {others} not judged."
        if left_out
        else ""
    )
    return replace(
        study,
        title=f"{study.title} (a part: {', '.join(wanted)})" if left_out else study.title,
        summary=f"{said} {study.summary}".strip(),
        experiments=tuple(
            experiment for experiment in study.experiments if experiment.name in needed
        ),
        recordings=tuple(recording for recording in study.recordings if recording.name in needed),
        claims=tuple(_shown_by(claim, kept) for claim in study.claims if claim.id in wanted),
        questions=tuple(
            _shown_by(question, kept) for question in study.questions if question.id in wanted
        ),
        figures=figures,
        tables=tables,
        # Items belong to the whole study.
        items=(),
        outside=tuple(source for source in study.outside if source.experiment in needed),
    )


def with_seeds(study: Study, seeds: int) -> Study:
    """Return the study with a sentence on the number of seeds of every setting."""
    said = (
        f"Every setting was run with {seeds} seed{'' if seeds == 1 else 's'}, not with the study's "
        "own number."
    )
    return replace(study, summary=f"{said} {study.summary}")


def _shown_by(statement: _Statement, kept: set[str]) -> _Statement:
    return replace(statement, figures=tuple(name for name in statement.figures if name in kept))
