"""A study's report.html, and the index over several."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.report.page import Table, definitions, picture, render, versions
from ackclock.studies.claim import Question
from ackclock.studies.sources import source_of
from ackclock.studies.weighing import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ackclock.studies.claim import Claim, Evidence
    from ackclock.studies.running import StudyRun
    from ackclock.studies.sources import Source
    from ackclock.studies.study import Figure, TableOf

__all__ = ["index_page", "study_page"]

_REM_PER_POINT = 0.1
_ORDER = ("holds", "in part", "does not hold", "cannot be judged", "answered")
_LEANINGS = {"for": "as claimed", "against": "not so", "open": "open"}
_LEANINGS_OF_QUESTIONS = {"for": "better", "against": "worse", "open": "not told apart"}


class Shown(NamedTuple):
    """A figure or a table on the page."""

    id: str
    title: str
    caption: str
    address: str
    """Of a figure; "" for a table."""
    rem: float
    table: Table | None
    sources: Sequence[Source]


class Section(NamedTuple):
    """One claim or question on the page."""

    id: str
    text: str
    kind: str
    mark: str
    """Its verdict as a word that style sheets know."""
    sentence: str
    parts: list[tuple[str, str, str, str]]
    """Name, verdict, its mark and sentence of each of several criteria."""
    rows: list[tuple[str, str]]
    """Paper, reading, criterion, why."""
    evidence: Table
    shown: list[Shown]
    elsewhere: list[str]
    """Ids of figures that an earlier claim has shown."""
    sources: Sequence[Source]
    """Those that no figure of the section names."""
    is_formula: bool


class Outline(NamedTuple):
    """One study on the index."""

    name: str
    title: str
    paper: str
    summary: str
    counts: Mapping[str, int]
    """Of the claims' verdicts."""
    claims: list[tuple[str, str, str, str, str]]
    """Id, text, verdict, its mark, sentence."""
    questions: list[tuple[str, str, str, str, str]]
    quick: bool


def study_page(done: StudyRun, pictures: Mapping[str, str], folder: Path, store: Path) -> str:
    """The page as HTML text."""
    study = done.study
    drawn = _Drawn(done, pictures, folder, store)
    claims = [_section(done, each, drawn) for each in study.claims]
    questions = [_section(done, each, drawn) for each in study.questions]
    metrics = {response.figure.name: response.figure for design in done.designs.values() for response in design.responses}
    left = [drawn.show(each) for each in study.shown if each.id not in drawn.taken]
    return render(
        "study.html",
        title=study.title,
        facts=_facts(done),
        warnings=[],
        paper=study.paper,
        summary=study.summary,
        quick=done.results.quick,
        counts=_counts([done.verdicts[each.id].kind for each in study.claims]),
        claims=claims,
        questions=questions,
        others=left,
        readings=study.readings,
        known=study.known,
        notes=[f"{name}: {warning}" for name, sweep in done.results.sweeps.items() for warning in (*sweep.warnings, *sweep.unchanged)],
        definitions=definitions(metrics.values()),
        versions=versions(),
    )


def index_page(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """A page over the claims of all studies, by the studies' names."""
    return render(
        "studies.html",
        title="The papers, claim by claim",
        facts=f"{len(found)} paper{'' if len(found) == 1 else 's'}, {sum(map(len, found.values()))} claims and questions",
        warnings=[],
        kinds=[(kind, _mark(kind)) for kind in _ORDER if kind != "answered"],
        studies=[_outline(name, claims) for name, claims in found.items()],
        versions=versions(),
    )


class _Drawn:
    """Figures and tables, each shown once: where it is first needed."""

    def __init__(self, done: StudyRun, pictures: Mapping[str, str], folder: Path, store: Path) -> None:
        self._done, self._pictures, self._folder, self._store = done, pictures, folder, store
        self._known = {each.id: each for each in done.study.shown}
        self.taken: set[str] = set()

    def split(self, ids: Sequence[str]) -> tuple[list[Shown], list[str]]:
        """Those that are shown here, and those that stand further up."""
        here = [name for name in ids if name not in self.taken]
        return [self.show(self._known[name]) for name in here], [name for name in ids if name not in here]

    def show(self, each: Figure | TableOf) -> Shown:
        self.taken.add(each.id)
        sources = self.sources(each.experiments)
        svg = self._pictures.get(each.id)
        if svg is None:
            return Shown(each.id, each.title, each.caption, "", 0.0, each.make(self._done.results), sources)  # type: ignore[union-attr]
        return Shown(each.id, each.title, each.caption, picture(svg), round(_REM_PER_POINT * _points(svg), 2), None, sources)

    def sources(self, experiments: Sequence[str]) -> list[Source]:
        return [source for name in experiments for source in source_of(self._done, name, self._folder, self._store)]


def _section(done: StudyRun, each: Claim | Question, drawn: _Drawn) -> Section:
    verdict = done.verdicts[each.id]
    here, elsewhere = drawn.split(each.figures)
    told = {name for figure in done.study.shown if figure.id in {one.id for one in here} for name in figure.experiments}
    is_question = isinstance(each, Question)
    rows = [("the paper", each.paper), ("our reading", each.reading), ("how it is answered" if is_question else "criterion",
            _sentence(each.criterion.describe())), ("why", each.why)]  # fmt: skip
    return Section(
        each.id,
        each.text,
        verdict.kind,
        _mark(verdict.kind),
        "" if verdict.parts else verdict.text,
        [(name, part.kind, _mark(part.kind), part.sentence) for name, part in verdict.parts],
        [(name, text) for name, text in rows if text],
        _evidence(verdict.evidence, _LEANINGS_OF_QUESTIONS if is_question else _LEANINGS),
        here,
        elsewhere,
        [] if set(each.criterion.experiments) <= told else drawn.sources(each.criterion.experiments),
        not each.criterion.experiments,
    )


def _evidence(evidence: Sequence[Evidence], leanings: Mapping[str, str]) -> Table:
    change = all(each.unit == "change" for each in evidence)
    header = ("setting", "change [interval]" if change else "value [interval]", "", "seeds", "how it was made")
    rows = [(each.where or "all", shown(each), leanings[each.leaning], str(each.n), each.why) for each in evidence]
    return Table(header, rows, 1)


def _facts(done: StudyRun) -> str:
    runs = sum(sweep.runs.height for sweep in done.results.sweeps.values()) + sum(map(len, done.recorded.values()))
    kind = "quick: fewer seeds and settings" if done.results.quick else "full"
    return f"{len(done.study.claims)} claims, {len(done.study.questions)} questions, {runs:,} runs ({kind})"


def _counts(kinds: Sequence[str]) -> list[tuple[str, str, int]]:
    counted = Counter(kinds)
    return [(kind, _mark(kind), counted[kind]) for kind in _ORDER if counted[kind]]


def _mark(kind: str) -> str:
    return kind.replace(" ", "-")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _outline(name: str, found: Sequence[Mapping[str, Any]]) -> Outline:
    from ackclock.studies import find_study

    try:
        study = find_study(name)
        title, paper, summary = study.title, study.paper, study.summary
    except ValueError:
        title, paper, summary = name, "", ""
    rows: dict[str, list[tuple[str, str, str, str, str]]] = {"claim": [], "question": []}
    for each in found:
        rows[each["kind"]].append((each["id"], each["text"], each["verdict"], _mark(each["verdict"]), each["sentence"]))
    counts = Counter(verdict for _, _, verdict, _, _ in rows["claim"])
    return Outline(name, title, paper, summary, counts, rows["claim"], rows["question"], any(each["quick"] for each in found))


def _points(svg: str) -> float:
    found = re.search(r'<svg[^>]* width="([0-9.]+)pt"', svg)
    assert found, "matplotlib gives a figure's size in points"
    return float(found[1])
