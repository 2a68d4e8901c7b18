"""The README's first picture, from fewer runs."""

import pytest

from ackclock.studies.study import Experiment
from scripts import ROOT, script


def test_it_is_drawn_from_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    front = script("docs/front.py")
    fewer = {"replications": 3, "axes": {"setup": [front.SETUP], "connections": [1, 5]}}
    monkeypatch.setattr(front, "FEWER", Experiment(front.NAME, f"{front.NAME}.toml", quick=fewer))
    results = front.runs()
    assert "<svg" in front.draw(results).svg()
    # One connection loses 33 packets in bits, in both simulators, and 11 with COS.
    for these in (results, front.in_ns2(results)):
        assert front.points(these, "bits")[0].value == pytest.approx(-22 / 33)


def test_the_readme_shows_it() -> None:
    shown = "docs/pictures/front.svg"
    assert f"]({shown})" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / shown).is_file()
