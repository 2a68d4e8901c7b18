"""No command imports a module that a file of others names, unless the user has asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import pytest

from ackclock.cli import command as group
from ackclock.cli.permitting import RUNS
from foreign_folder import SCENARIO, Foreign, forget, status

if TYPE_CHECKING:
    from collections.abc import Iterator

SWEEP = (
    SCENARIO
    + """
[sweep]
replications = 2
axes = [{ "flows.cc" = ["reno", "hystart+python:planted:X"] }]
responses = [{ metric = "python:planted:spread", name = "s" }]
"""
)
PLAIN_SWEEP = SWEEP.replace("hystart+python:planted:X", "cubic").replace("python:planted:X", "reno")
COMPARE = (
    SCENARIO.replace("python:planted:X", "reno")
    + """
[compare]
cc = ["reno", "python:planted:X"]
seeds = 2
"""
)
GOLDEN = """
[[cells]]
name = "one"
scenario = "plain.toml"
set = { "flows.cc" = "python:planted:X" }
metrics = [{ metric = "goodput" }]
"""
GOLDEN_METRIC = """
[[cells]]
name = "one"
scenario = "plain.toml"
metrics = [{ metric = "python:planted:spread" }]
"""
STUDY = 'from pathlib import Path\nPath("mark").write_text("run")\n'

FILES = {
    "sweep.toml": SWEEP,
    "responses.toml": PLAIN_SWEEP,
    "compare.toml": COMPARE,
    "metric.toml": COMPARE.replace("python:planted:X", "cubic").replace(
        "seeds = 2", 'seeds = 2\nmetric = "python:planted:spread"'
    ),
    "plain.toml": SCENARIO.replace("python:planted:X", "reno"),
    "golden.toml": GOLDEN,
    "golden-metric.toml": GOLDEN_METRIC,
    "study.py": STUDY,
    "inner.toml": '[sweep]\nscenario = "s.toml"\naxes = [{ "flows.count" = [1, 2] }]\n',
}

LOOKS: dict[str, list[str]] = {
    "completion": ["completion bash"],
    "demo": ["demo --help"],
    "diff": ["diff . ."],
    "doctor": ["doctor"],
    "examples": ["examples"],
    "examples copy": ["examples copy your-own --to copied"],
    "examples show": ["examples show your-own"],
    "kernel build": ["kernel build --source ."],
    "kernel list": ["kernel list"],
    "link-trace": ["link-trace s.toml --duration 1s --out t"],
    "linux": ["linux s.toml"],
    "list": ["list cc"],
    "live": ["live s.toml --no-open --no-python"],
    "new": ["new mine"],
    "open": ["open ."],
    "pack": ["pack ."],
    "packetdrill": ["packetdrill --set cc=python:planted:X ."],
    "pcap": ["pcap s.toml"],
    "report": ["report ."],
    "runs": ["runs ."],
    "schema": ["schema"],
    "show": ["show ."],
    "study diff": ["study diff . ."],
    "study export": ["study export . --format csv"],
    "study list": [],
    "study new": ["study new mine"],
    "study pack": ["study pack ."],
    "sweep show": ["sweep show ."],
    "sweep status": ["sweep status ."],
    "tc": ["tc s.toml", "tc sweep.toml", "tc compare.toml"],
    "theory": ["theory"],
    "trust": ["trust --list", "trust /", "trust nowhere"],
    "validate": ["validate s.toml"],
    "video-trace": ["video-trace s.toml"],
}
"""Commands that only look, with words that lead them to files of others. No words: it needs
minutes, and reads nothing of the current folder."""

RUNS_CODE: dict[str, list[str]] = {
    "compare": ["compare compare.toml", "compare metric.toml", "compare s.toml --cc reno,cubic"],
    "evaluate": ["evaluate reno --only 5.3.1 --ecn off --out e"],
    "explain": ["explain s.toml --flow f --at 0.5s"],
    "plot": ["plot ."],
    "run": ["run s.toml"],
    "size": ["size --rate 2Mbit/s --rtt 10ms --cc python:nowhere:X"],
    "standard": ["standard rrul --set flows.cc=python:nowhere:X"],
    "study": ["study study.py", "study study:STUDY"],
    "study check": ["study check study.py", "study check study:STUDY"],
    "study verify": ["study verify ."],
    "sweep": ["sweep sweep.toml", "sweep responses.toml", "sweep inner.toml"],
    "test": ["test golden.toml --record", "test golden-metric.toml --record"],
    "verify": ["verify ."],
}
"""Commands that run code if the user permits it, with words that lead them to files of others."""

DRY = [
    "run s.toml --dry-run",
    "run s.toml --dry-run --allow-code",
    "run s.toml --dry-run --set flows.cc=python:planted:X",
    "compare compare.toml --dry-run",
    "compare metric.toml --dry-run",
    "compare plain.toml --dry-run --cc reno,python:planted:X --metric python:planted:spread",
    "sweep sweep.toml --dry-run",
    "sweep responses.toml --dry-run",
    "sweep inner.toml --dry-run",
]


def leaves(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command by its words, commands inside of groups and of `sweep` included."""
    context = click.Context(command)
    parts: dict[str, Any] = dict(getattr(command, "parts", {}))
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            parts[part] = command.get_command(context, part)
    if name and (not isinstance(command, click.Group) or command.invoke_without_command):
        yield name, command
    for part, inner in parts.items():
        yield from leaves(inner, f"{name} {part}".strip())


def every_command() -> dict[str, click.Command]:
    from ackclock.cli.study.run import command as study

    return {**dict(leaves(group)), "study": study}


def test_every_command_takes_a_stand_on_code() -> None:
    known = every_command()
    assert sorted(known) == sorted([*LOOKS, *RUNS_CODE]), "say in LOOKS or RUNS_CODE what it does"
    runs = {
        name
        for name, command in known.items()
        if any(parameter.name == RUNS for parameter in command.params)
    }
    assert runs == set(RUNS_CODE)


@pytest.fixture
def files(foreign: Foreign) -> Foreign:
    for name, text in FILES.items():
        foreign.write(name, text)
    return foreign


@pytest.mark.parametrize("words", [words for every in LOOKS.values() for words in every])
def test_a_command_that_looks_imports_nothing_even_in_a_trusted_folder(
    words: str, files: Foreign
) -> None:
    assert status("trust", ".") == 0
    status(*words.split())
    assert not files.mark.exists()


@pytest.mark.parametrize("words", DRY)
def test_a_dry_run_imports_nothing_and_is_right_about_the_rest(
    words: str, files: Foreign, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("trust", ".") == 0
    assert status(*words.split()) == 0
    assert not files.mark.exists()
    if "python:planted:X" in words or words.split()[1] in {"s.toml", "sweep.toml", "compare.toml"}:
        assert "was not run" in capsys.readouterr().err


@pytest.mark.parametrize("words", [words for every in RUNS_CODE.values() for words in every])
def test_a_command_that_runs_imports_nothing_unasked(words: str, files: Foreign) -> None:
    assert status(*words.split()) in {0, 1, 2}
    assert not files.mark.exists()


ASKED = [
    "run s.toml",
    "compare compare.toml",
    "compare metric.toml",
    "sweep responses.toml",
    "test golden.toml --record",
    "test golden-metric.toml --record",
    "explain s.toml --flow f --at 0.5s",
    "study check study.py",
    "study check study:STUDY",
]


@pytest.mark.parametrize("words", ASKED)
def test_the_refusal_is_one_line_with_file_and_remedies(
    words: str, files: Foreign, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(*words.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    code = "study.py is Python code," if "study" in words else "it names Python code, planted.py,"
    assert f"{code} and {files.folder} is not trusted" in line
    assert f"ackclock trust {files.folder}" in line
    assert "--allow-code" in line


@pytest.mark.long
@pytest.mark.parametrize("words", ASKED)
@pytest.mark.parametrize("way", ["flag", "trust"])
def test_a_permission_lets_it_run_and_says_the_file_once(
    words: str, way: str, files: Foreign, capsys: pytest.CaptureFixture[str]
) -> None:
    if way != "flag":
        assert status("trust", str(files.folder.parent)) == 0, "it covers the folders below"
    capsys.readouterr()
    status(*words.split(), *(["--allow-code"] if way == "flag" else []))
    assert files.mark.exists()
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("Code: ")]
    # The user has named the file of a study.
    assert lines == ([] if "study" in words else ["Code: planted.py"])
    if way == "flag":
        files.mark.unlink()
        forget()
        assert status(*words.split()) == 2, "the flag is for once"
        assert not files.mark.exists()


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        "run plain.toml --set flows.cc=python:planted:X",
        "run s.toml --set flows.cc=python:planted:X",
        "compare plain.toml --cc reno,hystart+python:planted:X --seeds 2",
        "compare plain.toml --along flows.cc=reno,python:planted:X --seeds 2",
        "compare plain.toml --cc reno,cubic --seeds 2 --metric python:planted:spread",
        "sweep responses.toml --responses python:planted:spread",
        "evaluate python:planted:X --only 5.3.1",
    ],
)
def test_who_types_a_modules_name_asks_for_it(words: str, files: Foreign) -> None:
    status(*words.split())
    assert files.mark.exists()


def test_a_typed_name_permits_that_module_alone(files: Foreign) -> None:
    files.write("other.py", "raise SystemExit('imported')")
    files.write("two.toml", SCENARIO.replace("planted", "other"))
    assert status("compare", "two.toml", "--cc", "reno,python:planted:X", "--seeds", "2") == 2
    assert not files.mark.exists()


def test_the_name_of_a_file_is_no_permission(files: Foreign) -> None:
    (files.folder / "python:planted:X.toml").write_text(SCENARIO, encoding="utf-8")
    assert status("run", "python:planted:X.toml") == 2
    assert not files.mark.exists()


def test_a_typed_module_of_the_users_comes_before_that_of_a_foreign_folder(
    files: Foreign, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = files.folder.parent / "own"
    own.mkdir()
    (own / "planted.py").write_text((files.folder / "planted.py").read_text(), encoding="utf-8")
    monkeypatch.chdir(own)
    assert status("run", "../foreign/plain.toml", "-q", "--set", "flows.cc=python:planted:X") == 0
    assert (own / "mark").exists()
    assert not files.mark.exists()
