"""The Rust transcripts run with the profiles as Python makes them: their copies must not drift."""

import json
from pathlib import Path

import pytest

from ackclock.scenario import dumbbell, flow
from ackclock.scenario.plan import make_plan

FIXTURES = Path(__file__).parents[2] / "crates" / "sim" / "tests" / "support"


# The transcripts have no use for `rfc`, which is `linux` with options that they set one by one.
@pytest.mark.parametrize("name", ["linux", "classic"])
def test_fixture_is_what_the_expansion_makes(name: str) -> None:
    plan = make_plan(
        dumbbell(rate="10Mbit/s", rtt="60ms", flows=[flow("reno")], duration="1s", profile=name)
    )

    assert (
        json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
        == plan["flows"][0]["transport"]
    )
