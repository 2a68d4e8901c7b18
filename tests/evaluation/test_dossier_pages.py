"""docs/dossiers/: does each page say what the last evaluations found?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ackclock as ac
from ackclock.evaluation.output.data import outcome_of
from ackclock.evaluation.output.markdown import markdown_of
from ackclock.evaluation.rows import ROWS
from scripts import DOCS, script

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def dossiers() -> ModuleType:
    return script("docs/dossiers.py")


def test_index_pages_and_pictures_follow_the_last_evaluations(dossiers: ModuleType) -> None:
    written = {
        path.relative_to(DOCS / "dossiers").as_posix(): path.read_text(encoding="utf-8")
        for path in (DOCS / "dossiers").rglob("*")
        if path.suffix in {".md", ".svg"}
    }
    assert written == dossiers.pages(), "run `make dossiers`, or `python docs/dossiers.py --kept`"
    assert list(dossiers.kept()) == list(dossiers.SUBJECTS)


def test_a_dossier_in_full_has_every_row_with_its_sentence(dossiers: ModuleType) -> None:
    for name, text in dossiers.full().items():
        joined = " ".join(text.split())
        for row in ROWS:
            outcome = dossiers.kept()[name]["rows"][row.id]
            assert f"**{row.title}** ({row.id}, {row.strength}): {outcome['verdict']}." in joined
            assert " ".join(outcome.get("sentence", "").split()) in joined


def test_the_outcome_of_an_evaluation_says_what_its_text_says(dossiers: ModuleType) -> None:
    dossier = ac.evaluate("bbr", only=["E04", "E20", "E39"], seeds=2)
    outcome = outcome_of(dossier)
    assert set(outcome["rows"]) == {"E04", "E20", "E39"}
    text = markdown_of(outcome)
    assert text.startswith("# Evaluation of bbr by RFC 9743\n\nMade by `ackclock evaluate bbr")
    assert "- Incremental deployment (5.3.2): " in text
    brief = dossiers.short_of(outcome, "bbr.svg", "All rows: elsewhere.")
    assert "**Rows with a concern: 0 of 2 MUST, 0 of 0 SHOULD, 0 of 1 other.**" in brief
    assert "No row is a concern." in brief
