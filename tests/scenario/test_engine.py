"""The engine of a run: its texts, in a table and alone."""

import pytest

import ackclock as ac
from ackclock.scenario import ScenarioError
from ackclock.scenario.compare import Compare
from ackclock.scenario.engine import SIMULATOR, Engine, read_engine


@pytest.mark.parametrize(
    ("text", "engine", "label"),
    [
        ("sim", SIMULATOR, "sim"),
        ("linux", Engine("linux"), "linux"),
        ("virtual", Engine("virtual"), "virtual"),
        ("virtual:7.3", Engine("virtual", "7.3"), "virtual 7.3"),
        ("virtual:a:b", Engine("virtual", "a:b"), "virtual a:b"),
    ],
)
def test_an_engine_is_its_text(text: str, engine: Engine, label: str) -> None:
    assert read_engine(text) == engine
    assert (str(engine), engine.label) == (text, label)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("virtuel", "did you mean 'virtual'?"),
        ("virtual:", "virtual:NAME"),
        ("sim:7.3", "virtual:NAME"),
        ("linux:7.3", "virtual:NAME"),
        ("", "sim, linux, virtual"),
        (7.3, "sim, linux, virtual"),
    ],
)
def test_other_texts_are_none(text: object, near: str) -> None:
    with pytest.raises(ValueError, match="is not one of sim, linux, virtual, virtual:NAME") as none:
        read_engine(text)
    assert near in str(none.value)


def test_the_table_of_a_comparison_takes_the_same_texts() -> None:
    assert Compare(on=["sim", "virtual:mine"]).on == ["sim", "virtual:mine"]
    base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="1s")
    with pytest.raises(ScenarioError, match=r"compare\.on\.1: 'virtua' .* did you mean 'virtual'"):
        base.replace({"compare": {"on": ["sim", "virtua"]}})


def test_the_schema_offers_words_and_takes_a_kernels_name() -> None:
    engines = ac.Scenario.json_schema()["$defs"]["Compare"]["properties"]["on"]["anyOf"][0]["items"]
    words, named = engines["anyOf"]
    assert words == {"enum": ["sim", "linux", "virtual"]}
    assert named["pattern"] == "^virtual:.+$"
