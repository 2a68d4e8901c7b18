"""Every paper of the package is registered, and runs from the files beside it."""

import tomllib
from pathlib import Path

import ackclock_papers
from ackclock.studies import studies

PACKAGE = Path(ackclock_papers.__file__).parent
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_every_folder_is_a_registered_study() -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    registered = project["entry-points"]["ackclock.studies"]
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {name.replace("-", "_") for name in registered} == folders
    assert set(registered) <= set(studies())
