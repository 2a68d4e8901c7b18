"""The examples in the documentation of the scenario's API do what they say."""

import doctest
import importlib
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "ackclock",
        "ackclock.scenario.errors",
        "ackclock.scenario.scenario",
        "ackclock.scenario.build",
        "ackclock.scenario.loading",
    ],
)
def test_an_example_gives_what_it_shows(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    outcome = doctest.testmod(importlib.import_module(module))
    assert outcome.attempted > 0
    assert outcome.failed == 0
