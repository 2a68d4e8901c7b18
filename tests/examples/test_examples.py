"""The examples that come with ackclock: described, complete, copied whole."""

import json
import sys
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli import main
from ackclock.errors import UnknownNameError
from ackclock.templates.examples import copy, examples, files, find

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code


def test_every_scenario_has_a_sentence_and_a_command() -> None:
    by_name = examples()
    assert {f"{name}.toml" for name in by_name} == {
        path.relative_to(SCENARIOS).as_posix() for path in SCENARIOS.rglob("*.toml")
    }
    for example in by_name.values():
        assert 10 < len(example.description) < 200, example.name
        assert "#" not in example.description
    assert find("sweeps/buffer-size").command == "sweep"
    assert find("scenarios/cubic-against-reno.toml").command == "compare"


@pytest.fixture
def own_modules_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    # A process knows one module by each name: the original's would stand for the copy, and the
    # copy's for the original in the tests that run later.
    for path in SCENARIOS.rglob("*.py"):
        monkeypatch.setitem(sys.modules, path.stem, sys)
        monkeypatch.delitem(sys.modules, path.stem)


@pytest.mark.long
@pytest.mark.parametrize("name", examples())
@pytest.mark.usefixtures("own_modules_forgotten")
def test_a_copy_of_one_example_is_all_that_it_needs(name: str, tmp_path: Path) -> None:
    copied = copy([name], tmp_path)
    assert f"{name}.toml" in copied
    path = tmp_path / f"{name}.toml"
    if find(name).command == "sweep":
        assert status("sweep", str(path), "--dry-run", "--quiet") == 0
    else:
        ac.load(path).plan()


def test_all_are_copied_and_equal_files_stay(tmp_path: Path) -> None:
    assert copy([], tmp_path / "a") == list(files())
    changed = tmp_path / "a/drr.toml"
    changed.write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match=r"drr.toml' exists and differs from the example"):
        copy([], tmp_path / "a")
    assert changed.read_text(encoding="utf-8") == "mine"
    copy(["drr"], tmp_path / "a", force=True)
    assert changed.read_bytes() == (SCENARIOS / "drr.toml").read_bytes()
    assert copy([], tmp_path / "a") == list(files())


def test_names_of_folders_and_files(tmp_path: Path) -> None:
    assert {"sweeps/paths.toml", "reno-one-flow.toml"} <= set(copy(["sweeps/"], tmp_path))
    assert copy(["links/cellular.trace"], tmp_path) == ["links/cellular.trace"]
    with pytest.raises(UnknownNameError, match="did you mean 'sweeps'"):
        copy(["sweps"], tmp_path)
    with pytest.raises(UnknownNameError, match="did you mean 'reno-one-flow'"):
        find("reno-onflow")


@pytest.mark.long
def test_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    assert status("examples") == 0
    said = capsys.readouterr().out
    assert "reno-one-flow" in said
    assert max(map(len, said.splitlines())) <= 80
    assert status("examples", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)) == len(examples())
    assert status("examples", "copy", "your-own") == 0
    assert "Try: ackclock compare scenarios/your-own.toml" in capsys.readouterr().err
    assert {path.name for path in Path("scenarios").iterdir()} == {"your-own.toml", "my_reno.py"}
    Path("scenarios/my_reno.py").write_text("", encoding="utf-8")
    assert status("examples", "copy", "your-own") == 2
    assert status("examples", "copy", "your-own", "--force") == 0
    assert status("examples", "copy", "your-own", "--to", "scenarios/my_reno.py") == 2
    capsys.readouterr()
    assert status("examples", "show", "drr") == 0
    assert capsys.readouterr().out == (SCENARIOS / "drr.toml").read_text(encoding="utf-8")
