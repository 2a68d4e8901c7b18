"""docs/studies/: does each page say what its study says, and has it every item of the paper?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ackclock import _core, theory
from ackclock.metrics import find_metric
from ackclock.studies import find_study, studies
from scripts import DOCS, script

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

# docs/lessons.md is the page of the other one.
PAPERS = [name for name in studies() if name != "lessons"]


@pytest.fixture(scope="module")
def papers() -> ModuleType:
    return script("docs/papers.py")


@pytest.mark.parametrize("name", PAPERS)
def test_a_page_follows_the_study_and_the_last_full_run(name: str, papers: ModuleType) -> None:
    text = (DOCS / "studies" / f"{name}.md").read_text(encoding="utf-8")
    assert text == papers.short(name, papers.kept()[name]), (
        "run `make studies`, or `python docs/papers.py`"
    )
    assert (DOCS / "studies/pictures" / f"{papers.FIGURES[name]}.svg").is_file()


@pytest.mark.parametrize("name", PAPERS)
def test_a_page_in_full_has_every_sentence_and_item(name: str, papers: ModuleType) -> None:
    verdicts = papers.kept()[name]
    text = papers.full(())[name]
    for statement in find_study(name).statements:
        assert f"| {statement.id} | {papers._cell(statement.text)} |" in text
        assert papers._cell(verdicts[statement.id]["sentence"]) in text
    assert all(f"| {papers._cell(item.text)} |" in text for item in find_study(name).items)
    assert "## Figures" not in text
    drawn = papers._pictured(find_study(name))
    assert papers.page(name, verdicts, drawn).count("![") == len(drawn)


@pytest.mark.parametrize("name", PAPERS)
def test_every_statement_has_a_verdict_of_the_last_full_run(name: str) -> None:
    kept = json.loads((DOCS / "studies" / "verdicts.json").read_text(encoding="utf-8"))[name]
    assert set(kept) == {statement.id for statement in find_study(name).statements}


@pytest.mark.parametrize("name", PAPERS)
def test_a_study_says_what_it_reads_and_where_every_item_is(name: str) -> None:
    study = find_study(name)
    assert study.readings
    assert study.bibtex.strip().startswith("@")
    kinds = {item.kind for item in study.items}
    assert {"system", "figure", "claim"} <= kinds
    placed = {place for item in study.items for place in item.where}
    unplaced = [claim.id for claim in study.claims if claim.id not in placed]
    assert not unplaced, "claims that no item of the paper leads to"


def algorithm(spec: str) -> None:
    """Complain about an unknown algorithm; a slow start needs an avoidance to be run."""
    if spec not in {entry["name"] for entry in _core.list_cc()}:
        _core.check_cc(spec)


@pytest.mark.parametrize("name", PAPERS)
def test_what_items_name_exists(name: str) -> None:
    known: dict[str, Callable[[str], object]] = {
        "cc": algorithm,
        "theory": lambda function: getattr(theory, function),
        "metric": find_metric,
        "docs": lambda page: (DOCS / page).stat(),
        "qdisc": lambda discipline: (DOCS / "qdisc" / f"{discipline}.md").stat(),
    }
    for item in find_study(name).items:
        for place in item.where:
            kind, colon, rest = place.partition(":")
            if colon:
                known[kind](rest)
