"""Does `.ci/run` run what is due, and fail for a wrong status or a step that became slow?"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gate_tools import gate, steps

TABLE = """
[speed]
seconds = 1.0
[[step]]
name = "quick"
what = "always"
run = "true"
budget = 10
[[step]]
name = "pages"
what = "pages"
run = "touch ran"
budget = 10
when = ["docs"]
"""


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of one commit with the table above; the machine is as fast as its budgets'."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci/steps.toml").write_text(TABLE, encoding="utf-8")
    (tmp_path / "bench").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("a", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("ran\n*.log\n", encoding="utf-8")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    monkeypatch.setattr(gate, "ROOT", tmp_path)
    monkeypatch.setattr(gate, "TABLE", tmp_path / ".ci/steps.toml")
    monkeypatch.setattr(gate, "RECORDS", tmp_path / "bench/nightly.json")
    monkeypatch.setattr("speed.seconds", lambda: 1.0)
    return tmp_path


def git(folder: Path, *words: str) -> None:
    name = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "a")


def edit(folder: Path, old: str, new: str) -> None:
    table = folder / ".ci/steps.toml"
    table.write_text(table.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def results(said: str) -> dict[str, str]:
    """Name of each step with the rest of its line in the last table."""
    lines = said[said.rindex("step ") :].splitlines()[1:]
    return {line.split()[0]: line for line in lines if line.split()[0] in {"quick", "pages"}}


def test_a_step_runs_until_it_is_recorded_green(clone: Path, capfd: Any) -> None:
    assert gate.main([]) == 0
    assert "never recorded green" in results(capfd.readouterr().out)["pages"]
    assert gate.main(["--record"]) == 0
    (clone / "ran").unlink()
    assert gate.main([]) == 0
    assert "skipped" in results(capfd.readouterr().out)["pages"]
    assert not (clone / "ran").exists()


@pytest.mark.parametrize("kept", [True, False])
def test_a_changed_input_makes_it_due(clone: Path, capfd: Any, *, kept: bool) -> None:
    gate.main(["--record"])
    (clone / "ran").unlink()
    (clone / "docs/b.md").write_text("b", encoding="utf-8")
    if kept:
        commit(clone)
    capfd.readouterr()
    assert gate.main([]) == 0
    assert "changed: docs/b.md" in results(capfd.readouterr().out)["pages"]
    assert (clone / "ran").exists()


def test_without_history_it_is_due_all_the_same(clone: Path, capfd: Any) -> None:
    gate.main(["--record"])
    file = clone / "bench/nightly.json"
    kept = json.loads(file.read_text(encoding="utf-8"))
    kept["steps"]["pages"]["commit"] = "0" * 40
    file.write_text(json.dumps(kept), encoding="utf-8")
    (clone / "docs/a.md").write_text("b", encoding="utf-8")
    capfd.readouterr()
    assert gate.main([]) == 0
    assert "changed since" in results(capfd.readouterr().out)["pages"]


def test_files_that_git_ignores_change_nothing(clone: Path, capfd: Any) -> None:
    gate.main(["--record"])
    (clone / "docs/a.log").write_text("b", encoding="utf-8")
    capfd.readouterr()
    gate.main(["--plan"])
    assert "skipped" in results(capfd.readouterr().out)["pages"]


def test_after_a_failure_the_others_run_unless_they_need_the_step(clone: Path, capfd: Any) -> None:
    edit(clone, 'run = "true"', 'run = "false; true"')
    assert gate.main([]) == 1
    rows = results(capfd.readouterr().out)
    assert "FAILED (status 1)" in rows["quick"]
    assert " ok " in rows["pages"]
    edit(clone, 'what = "always"', 'what = "always"\nends = true')
    assert gate.main(["--all"]) == 1
    assert "not reached" in results(capfd.readouterr().out)["pages"]


def test_a_step_of_the_night_is_in_no_gate(clone: Path, capfd: Any) -> None:
    edit(clone, 'when = ["docs"]', "night = true")
    assert gate.main([]) == 0
    assert "each night" in results(capfd.readouterr().out)["pages"]
    assert gate.main(["--all"]) == 0
    assert " ok " in results(capfd.readouterr().out)["pages"]


def test_a_step_that_no_longer_fits_into_the_gate_is_left_to_the_night(
    clone: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "GATE_SECONDS", 9)
    assert gate.main([]) == 0
    rows = results(capfd.readouterr().out)
    assert "left to the night" in rows["pages"]
    assert " ok " in rows["quick"]
    assert not (clone / "ran").exists()
    assert gate.main(["--all"]) == 0
    assert " ok " in results(capfd.readouterr().out)["pages"]


def test_a_failed_step_is_not_recorded(clone: Path) -> None:
    edit(clone, "touch ran", "exit 3")
    commit(clone)
    assert gate.main(["--all", "--record"]) == 1
    kept = json.loads((clone / "bench/nightly.json").read_text(encoding="utf-8"))
    assert kept == {"all": None, "steps": {}}


def test_a_long_run_that_is_green_is_dated(clone: Path) -> None:
    assert gate.main(["--all", "--record"]) == 0
    kept = json.loads((clone / "bench/nightly.json").read_text(encoding="utf-8"))
    assert kept["all"]["commit"] == kept["steps"]["pages"]["commit"]


def test_a_record_needs_a_commit(clone: Path) -> None:
    (clone / "docs/a.md").write_text("b", encoding="utf-8")
    with pytest.raises(SystemExit, match="commit first"):
        gate.main(["--record"])


@pytest.mark.parametrize(
    ("seconds", "machine", "result"),
    [
        (14.9, [1.0], "ok"),
        (15.1, [1.0, 1.0], "TOO SLOW: at most 15 s here"),
        # Half as fast from the beginning, and since the step began.
        (29.0, [2.0], "ok"),
        (29.0, [1.0, 2.0], "ok"),
        (31.0, [2.0, 1.0], "TOO SLOW: at most 30 s here"),
    ],
)
def test_a_step_is_judged_by_the_machine_that_it_ran_on(
    seconds: float, machine: list[float], result: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = iter(machine)
    monkeypatch.setattr("speed.seconds", lambda: next(measured))
    row = gate.Row(steps.Step("a", "a", "true", budget=10.0), "always", seconds=seconds)
    assert gate.verdict(row, 0, gate.Speed(1.0)) == result
    assert list(measured) == []


@pytest.mark.usefixtures("clone")
def test_an_unknown_step_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.main(["--only", "page"]) == 2
    assert "there is no step 'page': quick, pages" in capsys.readouterr().err


def test_packages_are_named_once_and_only_if_missing() -> None:
    needs = {"sh": "dash", "no-such-program": "first second", "another-missing": "second"}
    step = steps.Step("a", "a", "true", budget=1.0, needs=needs)
    assert steps.missing_packages([step, step]) == ["first", "second"]
