"""Is a run's key the same where the same must come out, and another where it need not?"""

import json
from pathlib import Path

import pytest

from ackclock.scenario import Scenario, load
from ackclock.sweeps.key import SettingPlans, canonical

SCENARIOS = Path(__file__).parents[2] / "scenarios"
EXAMPLES = sorted(path for path in SCENARIOS.rglob("*.toml") if path.parent.name != "sweeps")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(SCENARIOS)))
def test_the_text_of_a_seed_is_the_plan_of_a_scenario_with_that_seed(path: Path) -> None:
    scenario = load(path)
    plans = SettingPlans(scenario, ())
    for seed in (scenario.seed, scenario.seed + 17):
        plan = scenario.replace({"seed": seed}).plan()
        assert json.loads(plans.text(seed)) == json.loads(json.dumps(plan))
        # To the letter: a store finds all its runs by it.
        del plan["seed"]
        assert plans.text(seed) == f'{{"seed":{seed},{canonical(plan)[1:]}'


def _keys(scenario: Scenario, *seeds: int) -> list[str]:
    plans = SettingPlans(scenario, ())
    return [plans.key(plans.text(seed)) for seed in seeds]


def _scenario(**changes: object) -> Scenario:
    return load(SCENARIOS / "reno-one-flow.toml").replace(changes)


def test_names_and_descriptions_do_not_count() -> None:
    assert _keys(_scenario(), 1) == _keys(
        _scenario(name="another", description="of another purpose"), 1
    )


@pytest.mark.parametrize(
    "changes",
    [{"duration": "61s"}, {"flows.cc": "cubic"}, {"network.bottleneck.limit": "7 packets"}],
)
def test_whatever_the_engine_is_given_counts(changes: dict[str, object]) -> None:
    assert _keys(_scenario(), 1) != _keys(_scenario(**changes), 1)


def test_the_seed_counts() -> None:
    assert len(set(_keys(_scenario(), *range(100)))) == 100


def test_the_contents_of_a_trace_count_and_its_name_does_not(tmp_path: Path) -> None:
    def key(name: str, trace: str) -> list[str]:
        (tmp_path / name).write_text(trace)
        return _keys(Scenario.parse(_traced(name), str(tmp_path / "of-a-trace.toml")), 1)

    assert key("a.trace", "1\n2\n3\n") == key("b.trace", "1\n2\n3\n") != key("a.trace", "1\n2\n4\n")


def _traced(name: str) -> dict[str, object]:
    bottleneck = {"rate": {"trace": name}, "delay": "10ms", "limit": "20 packets"}
    return {
        "duration": "5s",
        "network": {"kind": "dumbbell", "bottleneck": bottleneck},
        "flows": [{"cc": "reno"}],
    }
