"""The README's first picture, from fewer runs."""

import pytest

from ackclock.studies.study import Experiment
from scripts import ROOT, script


def test_it_is_drawn_from_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    front = script("docs/front.py")
    fewer = {"replications": 3, "axes": {"transport": ["classic"], "connections": [1, 5]}}
    monkeypatch.setattr(front, "FEWER", Experiment(front.NAME, f"{front.NAME}.toml", quick=fewer))
    assert "<svg" in front.draw(front.runs()).svg()


def test_the_readme_shows_it() -> None:
    shown = "docs/pictures/front.svg"
    assert f"]({shown})" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / shown).is_file()
