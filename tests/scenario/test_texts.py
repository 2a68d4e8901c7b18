"""A scenario written as TOML or as Python makes the plan of the file that it was read from."""

import tomllib
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.core_types.sharing import plan_text
from ackclock.scenario.toml_text import toml_text

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "scenarios").rglob("*.toml"))


def names() -> list[str]:
    return [str(file.relative_to(ROOT / "scenarios")) for file in FILES]


@pytest.mark.parametrize("file", FILES, ids=names())
def test_short_toml_makes_the_same_plan(file: Path) -> None:
    scenario = ac.load(file)
    data = tomllib.loads(scenario.to_toml(defaults=False))
    again = ac.Scenario.parse(data, folder=scenario.folder)
    assert plan_text(again.plan()) == plan_text(scenario.plan())
    assert again.to_toml(defaults=False) == scenario.to_toml(defaults=False)


@pytest.mark.parametrize("file", FILES, ids=names())
def test_python_makes_the_same_plan(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = ac.load(file)
    code = scenario.to_python()
    made, line, ran = code.partition("print(ac.run(scenario))\n")
    assert line
    assert not ran
    if scenario.folder is not None:
        monkeypatch.chdir(scenario.folder)
    variables: dict[str, ac.Scenario] = {}
    exec(made, variables)
    assert plan_text(variables["scenario"].plan()) == plan_text(scenario.plan())
    assert max(map(len, code.splitlines())) <= 100


def test_python_calls_what_a_person_would_call() -> None:
    hop = {"rate": "10Mbit/s", "delay": "10ms"}
    lot = ac.parking_lot(bottlenecks=[hop, hop], flows=[ac.flow("reno")], duration="30s")
    assert "ac.parking_lot(" in lot.to_python()
    wire = ac.dumbbell(
        rate="10Mbit/s",
        rtt="41ms",
        loss={"kind": "bernoulli", "p": 0.01},
        wire={"duplicate": {"p": 0.01}},
        flows=[ac.flow("reno", count=3, source="right", destination="left")],
        duration="30s",
        seed=2**60,
    )
    assert wire.to_python() == (
        """import ackclock as ac

scenario = ac.dumbbell(
    rate="10Mbit/s",
    rtt="41ms",
    loss={"kind": "bernoulli", "p": 0.01},
    wire={"duplicate": {"p": 0.01}},
    flows=[ac.flow("reno", count=3, source="right", destination="left")],
    duration="30s",
    seed=1152921504606846976,
)
print(ac.run(scenario))
"""
    )


def test_text_is_quoted_as_both_languages_want_it() -> None:
    flow = ac.flow("reno")
    scenario = ac.dumbbell(rate="10Mbit/s", rtt="41ms", flows=[flow], duration="30s").replace(
        {"description": 'A "quoted"\nline, \\ and é'}
    )
    again = tomllib.loads(scenario.to_toml(defaults=False))
    assert again["description"] == scenario.description
    compile(scenario.to_python(), "scenario.py", "exec")


def test_tables_that_are_too_long_for_a_line_get_headers() -> None:
    wide = {f"number{index}": index for index in range(12)}
    data = {"one": {"a b": [1, 2.5, True], "wide": wide, "all": [wide, wide]}, "none": {"x": {}}}
    text = toml_text(data)
    assert tomllib.loads(text) == data
    assert max(map(len, text.splitlines())) <= 98
    assert '"a b" = [1, 2.5, true]' in text
    assert "[one.wide]" in text
    assert text.count("[[one.all]]") == 2
