"""The papers' wheel holds every one of its files and registers every study."""

import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest
from flit_core import buildapi

PAPERS = Path(__file__).parents[2] / "papers"


def test_the_wheel_holds_every_file_and_registers_every_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PAPERS)
    with zipfile.ZipFile(tmp_path / buildapi.build_wheel(str(tmp_path))) as wheel:
        names = set(wheel.namelist())
        (about,) = (name for name in names if name.endswith("entry_points.txt"))
        found = ConfigParser()
        found.read_string(wheel.read(about).decode())
    package = PAPERS / "ackclock_papers"
    files = {
        path.relative_to(PAPERS).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files <= names
    assert any(name.endswith(".toml") for name in files)
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    assert {name.replace("-", "_") for name in found["ackclock.studies"]} == folders
