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


def section_of(done: StudyRun, each: Claim | Question, drawn: Drawn) -> Section:
    """Return the page's section on a claim or question."""
    judgement = done.judgements[each.id]
    here, elsewhere = drawn.split(each.figures)
    told = {
        name
        for figure in done.study.shown
        if figure.id in {one.id for one in here}
        for name in figure.experiments
    }
    is_question = isinstance(each, Question)
    criterion = (
        in_units(each.criterion, done.results)
        if set(each.criterion.experiments) <= set(done.results.sweeps)
        else each.criterion
    )
    rows = [
        ("the paper", each.paper),
        ("our reading", each.reading),
        ("how it is answered" if is_question else "criterion", _sentence(criterion.describe())),
        ("why", each.why),
        ("why simulators differ", _why_they_differ(each, judgement)),
    ]
    leanings = _LEANINGS_OF_QUESTIONS if is_question else _LEANINGS
    first, *others = (_case(one, leanings) for one in judgement.cases)
    return Section(
        each.id,
        each.text,
        badge(judgement.verdict.kind),
        judgement.headline if len(judgement.cases) > 1 and not is_question else "",
        first,
        others,
        [(name, text) for name, text in rows if text],
        here,
        elsewhere,
        []
        if set(each.criterion.experiments) <= told
        else drawn.sources(each.criterion.experiments),
        not each.criterion.experiments,
    )


def _why_they_differ(each: Claim | Question, judgement: Judgement) -> str:
    if not judgement.disagreeing:
        return ""
    if each.differs:
        return each.differs
    names = ", ".join(dict.fromkeys(one.simulator for one in judgement.disagreeing))
    return f"The cause of the difference from {names} is not known."


def _case(one: Case, leanings: Mapping[str, str]) -> CaseShown:
    verdict = one.verdict
    return CaseShown(
        one.name,
        badge(verdict.kind),
        "" if verdict.parts else verdict.text,
        [(name, badge(part.kind), part.sentence) for name, part in verdict.parts],
        ", ".join(verdict.left_out) if verdict.parts else "",
        _evidence(verdict.evidence, leanings),
    )


def _evidence(evidence: Sequence[Evidence], leanings: Mapping[str, str]) -> Table:
    change = all(each.unit == "change" for each in evidence)
    header = (
        "setting",
        "change [interval]" if change else "value [interval]",
        "",
        "seeds",
        "how it was made",
    )
    rows = [
        (each.where or "all", shown(each), leanings[each.leaning], str(each.n), each.why)
        for each in evidence
    ]
    return Table(header, rows, 1)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
