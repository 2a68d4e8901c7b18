"""A name that a user gives is short, and names that are made of it fit into files and tables."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import ackclock as ac
from ackclock.cli import main
from ackclock.core_types.names import LONGEST_MADE
from ackclock.golden.suite import read_suite
from ackclock.scenario import ScenarioError
from ackclock.scenario.names import LONGEST

if TYPE_CHECKING:
    from pathlib import Path

LONG, FITS = "a" * (LONGEST + 1), "a" * LONGEST

GRAPH = """
name = "whole"
duration = "200ms"
warmup = "0s"
record = { pcap = ["links"] }
[network]
kind = "graph"
nodes = ["left", { name = "router" }]
[[network.links]]
name = "link"
from = "left"
to = "router"
rate = "1Mbit/s"
delay = "5ms"
limit = "10 packets"
[[flows]]
name = "flow"
cc = "reno"
from = "left"
to = "router"
[[flows]]
name = "stream"
app = { kind = "cbr", rate = "100kbit/s" }
from = "left"
to = "router"
[sweep]
replications = 1
responses = [{ metric = "goodput", name = "response" }]
axes = [{ name = "axis", "flows.0.count" = [1, 2], labels = ["one", "two"] }]
"""


def load(tmp_path: Path, text: str) -> ac.Scenario:
    file = tmp_path / "graph.toml"
    file.write_text(text)
    return ac.load(file)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("whole", "name"),
        ("left", "network.nodes.0"),
        ("router", "network.nodes.1.name"),
        ("link", "network.links.0.name"),
        ("flow", "flows.0.name"),
        ("stream", "flows.1.name"),
        ("response", "sweep.responses.0.name"),
        ("axis", "sweep.axes.0.name"),
    ],
)
def test_a_name_of_more_than_100_characters_is_refused_with_its_key(
    tmp_path: Path, name: str, key: str
) -> None:
    load(tmp_path, GRAPH.replace(f'"{name}"', f'"{FITS}"'))
    with pytest.raises(ScenarioError, match="has 101 characters, and a name has at most 100") as it:
        load(tmp_path, GRAPH.replace(f'"{name}"', f'"{LONG}"'))
    assert it.value.key == key
    assert len(str(it.value)) < 300 + len(str(tmp_path))


def test_a_name_of_millions_of_characters_costs_no_memory(tmp_path: Path) -> None:
    text = GRAPH.replace('"flow"', f'"{"a" * 5_000_000}"')
    with pytest.raises(ScenarioError, match="has 5,000,000 characters"):
        load(tmp_path, text)


def test_a_label_of_an_axis_has_at_most_255_characters(tmp_path: Path) -> None:
    load(tmp_path, GRAPH.replace('"one"', f'"{"a" * LONGEST_MADE}"'))
    with pytest.raises(ScenarioError, match="at most 255") as it:
        load(tmp_path, GRAPH.replace('"one"', f'"{"a" * (LONGEST_MADE + 1)}"'))
    assert it.value.key == "sweep.axes.0.labels"


def test_the_name_of_a_golden_cell_is_short(tmp_path: Path) -> None:
    load(tmp_path, GRAPH)
    text = f'cells = [{{ name = "{LONG}", scenario = "graph.toml", metrics = ["goodput"] }}]'
    (tmp_path / "golden.toml").write_text(text)
    with pytest.raises(ScenarioError, match="has 101 characters") as it:
        read_suite(tmp_path / "golden.toml")
    assert it.value.key == "cells.0.name"


def test_names_that_are_made_of_the_longest_fit_into_a_folder_of_results(tmp_path: Path) -> None:
    text = GRAPH.replace('name = "link"\n', "").replace('cc = "reno"', 'cc = "reno"\ncount = 3')
    for given, letter in (("left", "l"), ("router", "r"), ("flow", "f"), ("stream", "s")):
        text = text.replace(f'"{given}"', f'"{letter * LONGEST}"')
    text = text.replace('pcap = ["links"]', f'pcap = ["{"l" * LONGEST}-{"r" * LONGEST}"]')
    result = ac.run(load(tmp_path, text).without("sweep"))
    again = ac.Result.load(result.write(tmp_path / "run", plots=False, report=False))
    names = [*again.flows["name"], *again.links["name"]]
    assert f"{'f' * LONGEST}.3" in names
    assert f"{'l' * LONGEST}-{'r' * LONGEST}.reverse" in names
    assert max(map(len, names)) <= LONGEST_MADE - len(".pcapng")


def _in_plan(folder: Path, name: Any) -> None:
    _in_json(folder / "plan.json", "links", name)


def _in_summary(folder: Path, name: Any) -> None:
    _in_json(folder / "summary.json", "flows", name)


def _in_json(file: Path, part: str, name: Any) -> None:
    data = json.loads(file.read_text())
    data[part][0]["name"] = name
    file.write_text(json.dumps(data))


def _in_table(folder: Path, name: Any) -> None:
    file = folder / "flows.parquet"
    pl.read_parquet(file).with_columns(pl.lit(str(name)).alias("name")).write_parquet(file)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    data = tomllib.loads(GRAPH.replace('record = { pcap = ["links"] }\n', ""))
    return ac.run(ac.Scenario.parse(data).without("sweep")).write(folder / "runs/graph")


@pytest.mark.parametrize("change", [_in_plan, _in_summary, _in_table])
def test_a_result_with_a_longer_name_is_damaged_in_one_line(
    written: Path,
    tmp_path: Path,
    change: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "runs/graph"
    place.mkdir(parents=True)
    for file in written.iterdir():
        if file.is_file():
            (place / file.name).write_bytes(file.read_bytes())
    change(place, "a" * 1_000_000)
    for command in ("show", "report", "plot", "runs"):
        with pytest.raises(SystemExit) as ended:
            main([command, *(["runs/graph"] if command != "runs" else [])])
        out, said = capsys.readouterr()
        assert len(out) + len(said) < 1000, command
        if command != "runs":
            assert ended.value.code in {1, 2}, command
            of_table = "flows.parquet has other flows than plan.json"
            too_long = "damaged: a name of 1,000,000 characters, more than 255"
            assert (of_table if change is _in_table else too_long) in said, command
            assert said.count("\n") == 1, command


def test_the_longest_names_are_drawn_without_a_word_of_matplotlib(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = GRAPH.replace('record = { pcap = ["links"] }\n', "").replace('name = "link"\n', "")
    for given, letter in (("left", "L"), ("router", "R"), ("flow", "F"), ("stream", "S")):
        text = text.replace(f'"{given}"', f'"{letter + "W" * (LONGEST - 1)}"')
    folder = ac.run(load(tmp_path, text).without("sweep")).write(tmp_path / "run", report=False)
    # Such labels leave no room for the axes. A warning would be an error here.
    with pytest.raises(SystemExit) as ended:
        main(["plot", str(folder), "-q", "--only", "queue"])
    assert ended.value.code == 0
    assert capsys.readouterr().err == ""
