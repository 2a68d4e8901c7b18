"""Every paper of the package is registered, and runs from the files beside it."""

import tomllib
from pathlib import Path
from typing import Any

import ackclock
import ackclock_papers
from ackclock.studies import studies

PACKAGE = Path(ackclock_papers.__file__).parent
HOME = Path(__file__).parents[1]


def project(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    return read["project"]


def test_every_folder_is_a_registered_study() -> None:
    registered = project(HOME)["entry-points"]["ackclock.studies"]
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {name.replace("-", "_") for name in registered} == folders
    assert set(registered) <= set(studies())


def test_ackclock_and_its_papers_have_one_version() -> None:
    papers, laboratory = project(HOME), project(HOME.parent)
    assert papers["version"] == ackclock.__version__
    assert f"ackclock-papers=={papers['version']}" in laboratory["dependencies"]
    assert f"ackclock=={papers['version']}" in papers["dependencies"]
