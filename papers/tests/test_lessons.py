"""The study of the lessons: every number that they state is that of their runs."""

from dataclasses import replace

import pytest

from ackclock.studies import StudyRun, run_study
from ackclock.studies.claim import Claim
from ackclock.studies.outside import read_outside
from ackclock_papers.lessons import LESSONS, NUMBERS, STUDY
from ackclock_papers.lessons.number import SPREAD, Number, formula, placed
from ackclock_papers.lessons.tables import JUDGES
from scripts import DOCS, script

CUBIC = next(lesson for lesson in LESSONS if lesson.name == "cubic")


@pytest.fixture(scope="module")
def done() -> StudyRun:
    return run_study(STUDY)


@pytest.mark.parametrize("claim", STUDY.claims, ids=lambda claim: claim.id)
def test_a_lessons_sentence_holds_in_its_runs(claim: Claim, done: StudyRun) -> None:
    verdict = done.verdicts[claim.id]
    assert verdict.kind == "holds", verdict.sentence
    stated = [number for number in claim.criterion.numbers if number.range is not None]
    assert [interval.where for interval in verdict.evidence] == [number.name for number in stated]
    assert stated


def test_numbers_differ_elsewhere_where_the_study_says_why(done: StudyRun) -> None:
    differing = {
        (claim.id, interval.where, case.simulator)
        for claim in STUDY.claims
        for case in done.judgements[claim.id].outside
        for interval in case.verdict.evidence
        if interval.leaning != "for"
    }
    explained = {
        (claim.id, number.name)
        for claim in STUDY.claims
        for number in claim.criterion.numbers
        if number.differs
    }
    assert {(claim, name) for claim, name, _ in differing} == explained
    assert {simulator for *_, simulator in differing} == {"ns-3.37", "ns-2.35"}
    assert len(differing) == len(explained) == 10


def test_runs_elsewhere_are_of_numbers_with_a_bar() -> None:
    known = {
        (name, number.name)
        for name, numbers in NUMBERS.items()
        for number in numbers
        if number.kind.bar
    }
    assert len(known) == 142
    for name in (*JUDGES, SPREAD.removesuffix(".json")):
        rows = read_outside(STUDY.folder / f"{name}.json").rows
        assert {(row["run"], key) for row in rows for key in row} - known == {
            (row["run"], key) for row in rows for key in ("run", "seed")
        }


def test_the_page_shows_the_runs(done: StudyRun) -> None:
    page = (DOCS / "lessons.md").read_text(encoding="utf-8")
    assert page == script("docs/lessons.py").text(done), "python docs/lessons.py"


def test_every_lesson_is_cheap(done: StudyRun) -> None:
    for name, runs in done.results.runs.items():
        assert runs["base"].samples.flows.height <= 6100, name


@pytest.mark.parametrize(("words", "count"), [("goes from {} packet boats", 0), ("{} packets", 8)])
def test_words_that_a_lesson_has_not_or_has_twice_are_refused(words: str, count: int) -> None:
    with pytest.raises(ValueError, match=rf"lesson cubic: '.*' \(it\) stands {count} times in"):
        placed(CUBIC, (Number("it", words, formula(506)),))


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [("506", 506.4, 506.6), ("47.9", 47.94, 47.96), ("below 30", 12, 30.1), ("near 30", 30, 31)],
)
def test_a_number_has_the_digits_of_the_lesson(text: str, inside: float, outside: float) -> None:
    claimed = replace(NUMBERS["cubic"][0], stated=text).range
    assert claimed is not None
    assert claimed.kind_of(inside) == "within"
    assert claimed.kind_of(outside) == "beyond"
