"""The Rust transcripts run with the profiles as Python makes them: their copies must not drift."""

import json
from pathlib import Path

import pytest

from ackclock.scenario import dumbbell, flow
from ackclock.scenario.plan import make_plan
from ackclock.scenario.profiles import PROFILES

FIXTURES = Path(__file__).parents[2] / "crates" / "sim" / "tests" / "support"


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_fixture_is_what_the_expansion_makes(name: str) -> None:
    plan = make_plan(dumbbell(rate="10Mbit/s", rtt="60ms", flows=[flow("reno")], duration="1s", profile=name))

    assert json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8")) == plan["flows"][0]["transport"]
