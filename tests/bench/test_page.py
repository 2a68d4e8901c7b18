"""docs/performance.md shows what is recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def test_the_page_has_the_recorded_figures(bench: ModuleType) -> None:
    text = bench.PAGE.read_text(encoding="utf-8")
    assert bench.written(text) == text, "run `python bench/page.py`"


def test_another_record_changes_it(bench: ModuleType) -> None:
    text = bench.PAGE.read_text(encoding="utf-8")
    assert bench.filled(text, "peers", "other\n") != text


def test_rows_have_a_cell_for_each_heading(bench: ModuleType) -> None:
    for generated in (
        bench.of_engine(json.loads(bench.engine.RECORDED.read_text())),
        bench.of_peers(json.loads(bench.peers.RECORDED.read_text())),
        bench.of_costs(json.loads(bench.costs.RECORDED.read_text())),
        bench.of_waiting(json.loads(bench.waiting.RECORDED.read_text())),
    ):
        counts = {line.count("|") for line in generated.splitlines() if line.startswith("|")}
        assert len(counts) == 1, counts
