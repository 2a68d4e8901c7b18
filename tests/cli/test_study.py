"""``ackclock study`` as a user calls it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import ackclock.studies.registered
from ackclock.cli import command
from ackclock.studies.claim import Claim
from ackclock.studies.rules import Agreement
from ackclock.studies.study import Study


@pytest.fixture
def sums(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A study of no runs in the place of the first."""
    claim = Claim(
        "S-1",
        "Two and two are four.",
        "4.",
        Agreement("the sum against 4", lambda _results: [("2 + 2", 2 + 2, 4)], 0.0),
    )
    study = Study("cos-slow-start", "Sums", "Nobody, 2000.", "Sums.", tmp_path, (), (claim,), ())
    monkeypatch.setattr(
        ackclock.studies.registered,
        "find_study",
        lambda name: study if name == "cos-slow-start" else pytest.fail(name),
    )
    monkeypatch.setattr(ackclock.studies.registered, "studies", lambda: ("cos-slow-start",))


@pytest.mark.usefixtures("sums")
@pytest.mark.parametrize("name", ["cos-slow-start", "all"])
def test_json_is_claims_json(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(command, ["study", name, "--json", "--out", str(out)])
    assert done.exit_code == 0, done.output
    (claim,) = json.loads(done.stdout)
    assert (claim["id"], claim["verdict"]) == ("S-1", "holds")
    assert (out / "cos-slow-start" / "report.html").is_file()
    index = (out / "index.html").read_text(encoding="utf-8")
    assert "S-1" in index
    assert '<h2><a href="cos-slow-start/report.html">Sums</a></h2>' in index


@pytest.mark.usefixtures("sums")
def test_the_terminal_shows_verdicts(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["study", "cos-slow-start", "--out", str(tmp_path / "out")])
    assert "S-1" in done.stdout
    assert "holds" in done.stdout


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("", encoding="utf-8")
    done = CliRunner().invoke(command, ["study", "cos-slow-start", "--out", str(tmp_path)])
    assert done.exit_code != 0
    assert "thesis.tex" in str(done.exception)


def test_an_unknown_name_brings_the_nearest() -> None:
    done = CliRunner().invoke(command, ["study", "cos-slow-strat"])
    assert done.exit_code != 0
    assert "did you mean 'cos-slow-start'" in str(done.exception)
