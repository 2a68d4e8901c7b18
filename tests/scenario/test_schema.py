"""Does the JSON Schema take every scenario, and does each file name it in its first line?"""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.cli import main
from ackclock.scenario.directive import SCHEMA_FILE, SCHEMA_ID, directive
from ackclock.scenario.schema import editor_schema, schema_text
from fuzz.generate import generate

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "scenarios"
Capture = pytest.CaptureFixture[str]


@cache
def validator() -> Any:
    return pytest.importorskip("jsonschema").Draft202012Validator(editor_schema())


def errors(data: dict[str, Any]) -> list[str]:
    return [error.message for error in validator().iter_errors(data)]


def test_the_schema_is_valid_and_has_its_address() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = editor_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == SCHEMA_ID


def test_the_file_is_the_schema_of_this_version() -> None:
    """`make docs` writes it."""
    assert (SCENARIOS / SCHEMA_FILE).read_text(encoding="utf-8") == schema_text()


def test_every_key_has_a_meaning_and_an_example_a_default_or_words() -> None:
    schema = editor_schema()
    for name, table in {"Scenario": schema, **schema["$defs"]}.items():
        for key, part in table["properties"].items():
            assert part.get("description"), f"{name}.{key}"
            text = json.dumps(part)
            assert any(
                word in text for word in ('"examples"', '"default"', '"enum"', '"const"', '"$ref"')
            ), f"{name}.{key}"


@pytest.mark.parametrize("folder", ["scenarios", "papers/src/ackclock_papers", "validation"])
def test_every_scenario_fits(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.toml"))
    if folder == "validation":
        files = [file for file in files if file.name == "scenario.toml"]
    assert files
    for file in files:
        assert errors(tomllib.loads(file.read_text(encoding="utf-8"))) == [], file


def test_random_scenarios_fit() -> None:
    for number in range(60):
        assert errors(generate(5, number).data) == [], number


@pytest.mark.parametrize(
    "change",
    [
        {"warmupp": "5s"},
        {"network": {"kind": "dumbbell", "rate": "10Mbit/s"}},
        {"network": {"kind": "dumbbell", "rate": "10Mbit/s", "bottleneck": {"limit": "1bdp"}}},
        {"network": {"kind": "dumbbell", "bottleneck": {"rate": "10Mbit/s"}}},
        {"network": {"kind": "parking-lot", "bottlenecks": [{"rate": "10Mbit/s"}]}},
        {"network": {"kind": "dumbbell", "rate": "1Mbit/s", "rtt": "1ms", "loss": "one"}},
        {"flows": [{"cc": 1}]},
    ],
)
def test_a_wrong_scenario_does_not(change: dict[str, Any]) -> None:
    good = {
        "duration": "5s",
        "network": {"kind": "dumbbell", "rate": "10Mbit/s", "rtt": "60ms", "loss": "1%"},
        "flows": [{"cc": "python:mine:Mine"}],
    }
    assert errors(good) == []
    assert errors({**good, **change}) != []


def test_every_example_names_the_schema_in_its_first_line() -> None:
    for file in sorted(SCENARIOS.rglob("*.toml")):
        with file.open(encoding="utf-8") as lines:
            first = next(lines)
        path = first.removeprefix("#:schema ").rstrip("\n")
        assert first == directive(path), file
        assert (file.parent / path).resolve() == SCENARIOS / SCHEMA_FILE, file


def test_written_scenarios_name_the_address(tmp_path: Path) -> None:
    base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="1s")
    text = base.to_toml()
    assert text.startswith(directive())
    assert ac.Scenario.parse(tomllib.loads(text)).plan() == base.plan()
    with pytest.raises(SystemExit) as ended:
        main(["study", "new", "first-one", "--dir", str(tmp_path)])
    assert ended.value.code == 0
    assert (tmp_path / "first_one.toml").read_text(encoding="utf-8").startswith(directive())
    result = ac.sweep(base, axes={"cc": ["reno"]}, replications=1)
    result.write(tmp_path / "swept")
    assert (tmp_path / "swept/sweep.toml").read_text(encoding="utf-8").startswith(directive())


def test_the_command_prints_it_or_writes_it(tmp_path: Path, capsys: Capture) -> None:
    for words in ([], ["--out", str(tmp_path / "s.json")]):
        with pytest.raises(SystemExit) as ended:
            main(["schema", *words])
        assert ended.value.code == 0
        if not words:
            assert capsys.readouterr().out == schema_text()
    assert (tmp_path / "s.json").read_text(encoding="utf-8") == schema_text()
    with pytest.raises(SystemExit) as ended:
        main(["schema", "--out", str(tmp_path / "no" / "s.json")])
    assert ended.value.code == 1
    assert "cannot be written: No such file or directory" in capsys.readouterr().err
