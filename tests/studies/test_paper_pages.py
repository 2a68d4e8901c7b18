"""docs/studies/: does each page say what its study says, and has it every item of the paper?"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ackclock import _core, theory
from ackclock.metrics import find_metric
from ackclock.studies import find_study, studies

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

DOCS = Path(__file__).parents[2] / "docs"


def writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("papers", DOCS / "papers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", studies())
def test_a_page_follows_the_study_and_the_last_full_run(name: str) -> None:
    papers = writer()
    text = (DOCS / "studies" / f"{name}.md").read_text(encoding="utf-8")
    assert text == papers.page(name, papers.kept()[name]), (
        "run `make studies`, or `python docs/papers.py`"
    )


@pytest.mark.parametrize("name", studies())
def test_every_statement_has_a_verdict_of_the_last_full_run(name: str) -> None:
    kept = json.loads((DOCS / "studies" / "verdicts.json").read_text(encoding="utf-8"))[name]
    assert set(kept) == {each.id for each in find_study(name).statements}


@pytest.mark.parametrize("name", studies())
def test_a_study_says_what_it_reads_and_where_every_item_is(name: str) -> None:
    study = find_study(name)
    assert study.readings
    assert study.bibtex.strip().startswith("@")
    kinds = {each.kind for each in study.items}
    assert {"system", "figure", "claim"} <= kinds
    placed = {place for each in study.items for place in each.where}
    unplaced = [each.id for each in study.claims if each.id not in placed]
    assert not unplaced, "claims that no item of the paper leads to"


def algorithm(spec: str) -> None:
    """Complain about an unknown algorithm; a slow start needs an avoidance to be run."""
    if spec not in {one["name"] for one in _core.list_cc()}:
        _core.check_cc(spec)


@pytest.mark.parametrize("name", studies())
def test_what_items_name_exists(name: str) -> None:
    known: dict[str, Callable[[str], object]] = {
        "cc": algorithm,
        "theory": lambda each: getattr(theory, each),
        "metric": find_metric,
        "docs": lambda each: (DOCS / each).stat(),
        "qdisc": lambda each: (DOCS / "qdisc" / f"{each}.md").stat(),
    }
    for item in find_study(name).items:
        for place in item.where:
            kind, colon, rest = place.partition(":")
            if colon:
                known[kind](rest)
