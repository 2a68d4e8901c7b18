"""Does a first study run as it is, and is nothing of the user's overwritten?"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ackclock.atomic_io import WriteError
from ackclock.studies.errors import StudyError
from ackclock.studies.tools.skeleton import write_skeleton
from ackclock.templates import filling
from killing import KilledError, kill_at_the_second_move

STUDY = [sys.executable, "-m", "ackclock", "study"]


def run(*words: str, cwd: Path) -> str:
    return subprocess.run(
        [*STUDY, *words], cwd=cwd, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.long
@pytest.mark.parametrize("name", ["fair-share", "Vegas"])
def test_it_runs_as_it_is(name: str, tmp_path: Path) -> None:
    said = run("new", name, cwd=tmp_path)
    stem = name.replace("-", "_")
    file = f"{name}/{stem}.py"
    assert f"ackclock study {file} --quick" in said
    assert (
        run("check", file, cwd=tmp_path)
        == f"{name}: sound (1 claim, 1 question, 1 experiment, 1 figure, 2 readings, 3 items)\n"
    )
    statements = json.loads(run(file, "--quick", "--json", cwd=tmp_path))
    assert [statement["kind"] for statement in statements] == ["claim", "question"]
    assert {statement["verdict"] for statement in statements} <= {
        "holds",
        "in part",
        "does not hold",
        "answered",
    }
    # Each under both readings: the second one looks at other runs.
    assert [len(statement["cases"]) for statement in statements] == [2, 2]
    folder = tmp_path / "runs" / "studies" / name
    for left in (
        "report.html",
        "claims.csv",
        "paper.bib",
        f"study/{stem}.py",
        f"study/{stem}.toml",
    ):
        assert (folder / left).is_file(), left


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(StudyError, match=r"mine\.toml' is there already, and is left as it is"):
        write_skeleton("mine", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == "mine"


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("", encoding="utf-8")
    with pytest.raises(StudyError, match="is a file; name a folder with --dir"):
        write_skeleton("mine", tmp_path / "mine")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../a", "no name for a study"),
        ("1st", "no name for a study"),
        ("a b", "no name for a study"),
        ("class", "no name for a study"),
        ("small-buffers", "is taken: take another"),
        ("list", "is taken: take another"),
        ("random", "in the way of Python's own module 'random'"),
        ("ackclock", "in the way of Python's own module 'ackclock'"),
    ],
)
def test_a_name_that_cannot_be(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=said):
        write_skeleton(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_half_of_it_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = filling.write_text

    def full_disk(path: Path, text: str) -> None:
        if path.suffix == ".py":
            raise OSError(28, "No space left on device")
        whole(path, text)

    monkeypatch.setattr(filling, "write_text", full_disk)
    with pytest.raises(WriteError, match="No space"):
        write_skeleton("mine", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_killed_between_its_files_the_next_command_finds_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        kill_at_the_second_move(patch)
        with pytest.raises(KilledError):
            write_skeleton("mine", tmp_path)
    assert sum(path.suffix in {".py", ".toml"} for path in tmp_path.iterdir()) == 1
    with pytest.raises(StudyError, match="is there already"):
        write_skeleton("mine", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.py", "mine.toml"]
    assert "STUDY" in (tmp_path / "mine.py").read_text(encoding="utf-8")
