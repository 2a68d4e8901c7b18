"""A trained build learns from the examples; its figures stand beside the plain build's."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from scripts import ROOT

if TYPE_CHECKING:
    from types import ModuleType

COUNTS = {"delivered_packets": 1000, "events": 2000, "peak_bytes": 1, "idle_bytes": 100, "flows": 1}


def test_a_ratio_is_made_within_its_round(bench: ModuleType) -> None:
    # The machine is three times slower in the second round, and both builds with it.
    plain, trained = (
        [{**COUNTS, "processor_us": microseconds} for microseconds in rounds]
        for rounds in ((100, 300, 110), (80, 240, 88))
    )
    figures = bench.engine.figures_of(plain, trained, {"rounds": [], "events": []}, {})
    assert figures["trained_ratio"] == pytest.approx(1.25)
    assert figures["trained_packets_per_second"] == pytest.approx(1000 / 88e-6)
    assert (
        bench.engine.figures_of(plain, [], {"rounds": [], "events": []}, {})["trained_ratio"]
        is None
    )


@pytest.mark.usefixtures("bench")
def test_the_engine_alone_learns_from_many_examples() -> None:
    import training

    plans = [json.loads(text) for text in training.plans()]
    assert len(plans) > 60
    assert not any("python:" in flow["cc"] for plan in plans for flow in plan["flows"]), (
        "those are Python's"
    )


@pytest.mark.long
def test_what_maturin_is_told_to_call_runs() -> None:
    command = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "maturin"
    ]["pgo-command"]
    python, *rest = shlex.split(command)
    assert python == "python"
    ran = subprocess.run([sys.executable, *rest], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
