"""A trained build learns from the examples, and its figures stand beside the plain build's of the same round."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

COUNTS = {"delivered_packets": 1000, "events": 2000, "peak_bytes": 1, "idle_bytes": 100, "flows": 1}


def test_a_ratio_is_made_within_its_round(bench: ModuleType) -> None:
    # The machine is three times slower in the second round, and both builds with it.
    plain, trained = ([{**COUNTS, "processor_us": each} for each in rounds] for rounds in ((100, 300, 110), (80, 240, 88)))
    found = bench.engine.figures_of(plain, trained, None)
    assert found["trained_ratio"] == pytest.approx(1.25)
    assert found["trained_packets_per_second"] == pytest.approx(1000 / 88e-6)
    assert bench.engine.figures_of(plain, [], None)["trained_ratio"] is None


@pytest.mark.usefixtures("bench")
def test_the_engine_alone_learns_from_many_examples() -> None:
    import training

    plans = [json.loads(text) for text in training.plans()]
    assert len(plans) > 60
    assert not any("python:" in flow["cc"] for plan in plans for flow in plan["flows"]), "those are Python's"
