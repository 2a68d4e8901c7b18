"""A Reno in Python gives the run of the built-in one to the byte."""

from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
import own_reno
from ackclock.cc import spec_of
from own_runs import total, traces

EXAMPLE = Path(__file__).parents[2] / "scenarios/your-own.toml"
SPECS = {
    "avoidance": spec_of(own_reno.Reno),
    "slow start": f"{spec_of(own_reno.Classic)}+reno",
    "both halves": f"{spec_of(own_reno.Classic)}+{spec_of(own_reno.Reno)}",
    "whole": spec_of(own_reno.Whole),
}


def mixed(cc: str, profile: str, loss: dict[str, Any] | None) -> ac.Scenario:
    """One that always sends beside a cubic flow, and one that pauses for longer than its RTO."""
    pauses = {"kind": "writes", "writes": [["0s", "300kB"], ["8s", "100kB"]]}
    return ac.dumbbell(
        rate="5Mbit/s",
        rtt="40ms",
        buffer="10 packets",
        duration="12s",
        profile=profile,
        loss=loss,
        flows=[ac.flow(cc), ac.flow("cubic", start="3s"), ac.flow(cc, start="1s", app=pauses)],
        record={"samples": "changes", "packets": ["bottleneck"]},
    )


@pytest.mark.parametrize("profile", ["linux", "classic"])
@pytest.mark.parametrize("p", [0.0, 0.2])
def test_with_losses_and_timeouts(profile: str, p: float) -> None:
    loss = {"kind": "bernoulli", "p": p} if p else None
    expected = traces(mixed("reno", profile, loss))
    assert total(expected, "recoveries") > 10
    assert p == 0 or total(expected, "timeouts") > 0
    for role, spec in SPECS.items():
        columns = traces(mixed(spec, profile, loss))
        assert [name for name in expected if columns[name] != expected[name]] == [], role


def test_when_a_reaction_is_taken_back() -> None:
    """A queue that grows faster than the RTO learns of it: timeouts that F-RTO finds spurious."""

    def crowded(cc: str) -> ac.Scenario:
        flows = [ac.flow(cc, count=5, start="uniform(0s, 1s)")]
        return ac.dumbbell(
            rate="200kbit/s",
            rtt="40ms",
            buffer="200 packets",
            duration="60s",
            flows=flows,
            record={"samples": "changes"},
        )

    expected = traces(crowded("reno"))
    assert total(expected, "undos") > 0
    for role, spec in SPECS.items():
        assert traces(crowded(spec)) == expected, role


def test_the_example_beside_its_scenario() -> None:
    scenario = ac.load(EXAMPLE)
    built_in = scenario.replace({"flows.mine.cc": "reno"})
    assert traces(scenario) == traces(built_in)
    assert traces(
        scenario.replace({"flows.mine.cc": "python:my_reno:MyReno(left=0.75)"})
    ) != traces(built_in)
