"""A study's claims as judgements of `ackclock.verdicts`, for reports of CI servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.studies.claim import Claim
from ackclock.studies.weighing import tally_of
from ackclock.verdicts.judgement import Judgement
from ackclock.verdicts.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.studies.claim import Verdict, VerdictKind
    from ackclock.studies.study_run import StudyRun
    from ackclock.verdicts.judgement import Kind

__all__ = ["WORDS", "judged"]

WORDS = Words(
    {
        "within": "holds",
        "beyond": "does not hold",
        "undecided": "cannot be judged",
        "tie": "nothing to judge",
        "shown": "answered",
    },
    by_rule={("beyond", "in part"): "in part"},
    case="claim",
    figure="verdict",
)

_KINDS: Mapping[VerdictKind, Kind] = {
    "holds": "within",
    "in part": "beyond",
    "does not hold": "beyond",
    "cannot be judged": "undecided",
    "nothing to judge": "tie",
    "answered": "shown",
}


def judged(done: StudyRun) -> list[Judgement]:
    """The verdict on each claim, under each reading and by each simulator."""
    return [
        Judgement(
            case=statement.id,
            figure=case.name or statement.text,
            unit="",
            kind=_KINDS[case.verdict.kind],
            rule=case.verdict.kind,
            why=_told(case.verdict),
        )
        for statement in done.study.statements
        if isinstance(statement, Claim)
        for case in done.judgements[statement.id].cases
    ]


def _told(verdict: Verdict) -> str:
    """The sentence, after the share of the settings that are as claimed where only some are."""
    share = tally_of(verdict.evidence).text if verdict.kind == "in part" else ""
    return f"{share} settings as claimed: {verdict.text}" if share else verdict.text
