"""One claim or question on a study's page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ackclock.studies.claim import Question
from ackclock.studies.criteria.phrases import in_units
from ackclock.studies.page.badge import Badge, badge
from ackclock.studies.weighing import shown
from ackclock.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.studies.claim import Claim, Evidence
    from ackclock.studies.judging import Case, Judgement
    from ackclock.studies.page.drawn import Drawn, Shown
    from ackclock.studies.sources import Source
    from ackclock.studies.study_run import StudyRun

__all__ = ["CaseShown", "Section", "section_of"]

_LEANINGS = {"for": "as claimed", "against": "not so", "open": "open", "tie": "nothing to judge"}
_LEANINGS_OF_QUESTIONS = {
    "for": "better",
    "against": "worse",
    "open": "not told apart",
    "tie": "nothing to judge",
}


class CaseShown(NamedTuple):
    """A verdict under one reading, by the runs of ackclock or of another simulator."""

    name: str
    badge: Badge
    sentence: str
    parts: list[tuple[str, Badge, str]]
    """Name, verdict and sentence of each of several criteria."""
    left_out: str
    """A sentence on the criteria that quick runs leave out."""
    evidence: Table


class Section(NamedTuple):
    """One claim or question."""

    id: str
    text: str
    badge: Badge
    headline: str
    """The verdict under each reading; "" if there is one verdict alone."""
    first: CaseShown
    """Ackclock's verdict under the most literal reading."""
    cases: list[CaseShown]
    """Verdicts under the other readings, then by other simulators."""
    rows: list[tuple[str, str]]
    """The paper, the study's reading, the criterion, the reason."""
    shown: list[Shown]
    elsewhere: list[str]
    """Ids of figures that an earlier claim has shown."""
    sources: Sequence[Source]
    """Sources that no figure of the section names."""
    is_formula: bool


def section_of(done: StudyRun, statement: Claim | Question, drawn: Drawn) -> Section:
    """Return the page's section on a claim or question."""
    judgement = done.judgements[statement.id]
    here, elsewhere = drawn.split(statement.figures)
    experiments = {
        name
        for figure in done.study.shown
        if figure.id in {picture.id for picture in here}
        for name in figure.experiments
    }
    is_question = isinstance(statement, Question)
    criterion = (
        in_units(statement.criterion, done.results)
        if set(statement.criterion.experiments) <= set(done.results.sweeps)
        else statement.criterion
    )
    rows = [
        ("the paper", statement.paper),
        ("our reading", statement.reading),
        ("how it is answered" if is_question else "criterion", _sentence(criterion.describe())),
        ("why", statement.why),
        ("why simulators differ", _why_they_differ(statement, judgement)),
    ]
    leanings = _LEANINGS_OF_QUESTIONS if is_question else _LEANINGS
    first, *others = (_case(case, leanings) for case in judgement.cases)
    return Section(
        statement.id,
        statement.text,
        badge(judgement.verdict.kind),
        judgement.headline if len(judgement.cases) > 1 and not is_question else "",
        first,
        others,
        [(name, text) for name, text in rows if text],
        here,
        elsewhere,
        []
        if set(statement.criterion.experiments) <= experiments
        else drawn.sources(statement.criterion.experiments),
        not statement.criterion.experiments,
    )


def _why_they_differ(statement: Claim | Question, judgement: Judgement) -> str:
    if not judgement.disagreeing:
        return ""
    if statement.differs:
        return statement.differs
    names = ", ".join(dict.fromkeys(case.simulator for case in judgement.disagreeing))
    return f"The cause of the difference from {names} is not known."


def _case(case: Case, leanings: Mapping[str, str]) -> CaseShown:
    verdict = case.verdict
    return CaseShown(
        case.name,
        badge(verdict.kind),
        "" if verdict.parts else verdict.text,
        [(name, badge(part.kind), part.sentence) for name, part in verdict.parts],
        ", ".join(verdict.left_out) if verdict.parts else "",
        _evidence(verdict.evidence, leanings),
    )


def _evidence(evidence: Sequence[Evidence], leanings: Mapping[str, str]) -> Table:
    change = all(piece.unit == "change" for piece in evidence)
    header = (
        "setting",
        "change [interval]" if change else "value [interval]",
        "",
        "seeds",
        "how it was made",
    )
    rows = [
        (piece.where or "all", shown(piece), leanings[piece.leaning], str(piece.n), piece.why)
        for piece in evidence
    ]
    return Table(header, rows, 1)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
