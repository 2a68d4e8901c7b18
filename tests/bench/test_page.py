"""docs/performance.md shows what is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def test_the_page_has_the_recorded_figures(bench: ModuleType) -> None:
    text = bench.PAGE.read_text(encoding="utf-8")
    assert bench.written(text) == text, "run `python bench/page.py`"


def test_another_record_changes_it(bench: ModuleType) -> None:
    text = bench.PAGE.read_text(encoding="utf-8")
    assert bench.filled(text, "peers", "other\n") != text
