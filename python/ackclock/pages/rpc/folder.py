"""The folder of a scenario in the page: the files that it names, and no others.

An address, a dropped file and a page hold what others wrote. Python imports nothing from this
folder: while a question is answered no entry of `sys.path` is relative, and no file here has a
name that an import could find.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ackclock.messages import shorten, shown
from ackclock.scenario import ScenarioError
from ackclock.scenario.references import named_files, own_classes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["check_foreign", "file_name", "folder_of_question", "put_files"]

MOST_FILES = 1000
"""Largest number of files that a scenario in the page may name."""
MOST_BYTES = 16 * 1024 * 1024
"""Largest size of all files together, bytes."""
LONGEST_NAME = 200
"""Longest name of a file, bytes in UTF-8."""

_IMPORTED = frozenset(
    ("py", "pyc", "pyo", "pyw", "pyi", "pyd", "so", "dll", "dylib", "pth", "zip", "whl", "egg")
)
"""Ends of names from which Python may import."""


@contextmanager
def folder_of_question() -> Iterator[Path]:
    """Be in an empty folder of a question's own, as the command line is in the scenario's.

    The folder and all that is in it are gone afterwards.
    """
    here, path = Path.cwd(), sys.path
    folder = Path(tempfile.mkdtemp())
    try:
        # Where '' is on the path, Python would import from the folder of the question.
        sys.path = [os.path.abspath(entry) for entry in path]  # noqa: PTH100
        os.chdir(folder)
        yield folder
    finally:
        os.chdir(here)
        sys.path = path
        shutil.rmtree(folder)


def check_foreign(data: Mapping[str, Any], file: str) -> None:
    """Refuse a scenario that names code, or a file outside of the scenario's folder.

    Parameters
    ----------
    data
        The scenario's tables.
    file
        Name of the scenario's file in messages.

    Raises
    ------
    ScenarioError
        If it does.
    """
    for key, text in own_classes(data):
        raise ScenarioError(
            f"{shown(text)}: a class of your own cannot run in the page: ackclock run runs it on "
            "the command line",
            key=key,
            value=text,
            file=file,
            kind="own-code",
        )
    names: list[object] = [*named_files(data)]
    if len(names) > MOST_FILES:
        raise ScenarioError(
            f"it names {len(names)} files; a scenario in the page names {MOST_FILES} at most",
            file=file,
        )
    if isinstance(sweep := data.get("sweep"), dict):
        names += [sweep.get("scenario"), sweep.get("folder")]
    for name in names:
        if isinstance(name, str) and (problem := _problem(name)):
            raise ScenarioError(f"a file that the page reads {problem}", file=shorten(name))


def put_files(folder: Path, data: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """Write the files that a scenario names into its folder, by their paths in it.

    Parameters
    ----------
    folder
        The folder; a file that it has already stays.
    data
        The scenario's tables, which `check_foreign` has passed.
    files
        Texts of files by name. A file that the scenario does not name is not written.

    Raises
    ------
    ScenarioError
        If they are too large, no text, or no files of one folder.
    """
    room = MOST_BYTES
    for name in named_files(data):
        place = folder / name
        if name not in files or place.exists():
            continue
        try:
            content = files[name].encode("utf-8")
            room -= len(content)
            if room < 0:
                raise ScenarioError(
                    f"the scenario's files have more than {MOST_BYTES:,} bytes, the most that the "
                    "page reads",
                    file=name,
                )
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        except UnicodeEncodeError:
            raise ScenarioError("this is no text in UTF-8", file=name) from None
        except OSError as error:
            raise ScenarioError(f"cannot be kept: {error.strerror}", file=name) from None


def file_name(given: str) -> str:
    """The name of a dropped scenario's file, or "scenario.toml" if the page cannot keep it."""
    return "scenario.toml" if "/" in given or _problem(given) else given


def _problem(name: str) -> str:
    """The rule that a file's name breaks, or "" if the page reads such a file."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or re.match("[A-Za-z]:", name):
        return "must lie in the scenario's folder or below it"
    if (
        not path.parts
        or not name.isprintable()
        or len(name.encode("utf-8", "replace")) > LONGEST_NAME
    ):
        return f"has a name of 1 to {LONGEST_NAME} bytes of letters that can be printed"
    for part in path.parts:
        end = part.lower().rpartition(".")[2]
        if end in _IMPORTED or part.lower() in {"__pycache__", "__init__", "__main__"}:
            return "is no code: give a trace or a distribution another name"
    return ""
