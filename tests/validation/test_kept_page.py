"""docs/validation.md: does it say what the last comparison with the kernel found?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ackclock.validation.cases import cases
from ackclock.validation.comparing import compare
from ackclock.validation.keeping import as_csv, of_csv
from ackclock.validation.page import count
from scripts import DOCS, ROOT, script

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def validated() -> ModuleType:
    return script("docs/validated.py")


def test_the_page_follows_the_last_comparison(validated: ModuleType) -> None:
    text = (DOCS / "validation.md").read_text(encoding="utf-8")
    assert text == validated.page(), "run `make validate`, or `python docs/validated.py --kept`"
    assert (DOCS / validated.PICTURE).stat().st_size < 100_000


def test_every_scenario_is_kept_and_reads_as_it_was_written(validated: ModuleType) -> None:
    kept = validated.kept()
    assert [comparison.name for comparison in kept] == list(cases(ROOT / "validation"))
    assert as_csv(of_csv(as_csv(kept))) == as_csv(kept)


@pytest.mark.parametrize("name", ["bbr-10mbit-8ms-15bdp", "short-cubic-10mbit-60ms-1bdp"])
def test_a_comparison_made_now_is_the_kept_one(name: str, validated: ModuleType) -> None:
    case = cases(ROOT / "validation")[name]
    made = compare([case], live=False, record=False, repetitions=0, seeds=validated.SEEDS)
    kept = [comparison for comparison in validated.kept() if comparison.name == name]
    assert as_csv(made) == as_csv(kept), "run `make validate`"
    assert count(kept) == count(made)
    assert [row.deviation for row in kept[0].misses] == pytest.approx(
        [row.deviation for row in made[0].misses]
    )
