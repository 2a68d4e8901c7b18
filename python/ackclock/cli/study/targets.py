"""Studies and their folders, as command lines name them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import LinkError, entries_of, is_folder
from ackclock.atomic_io.names import is_temporary
from ackclock.cli.errors import InputError
from ackclock.cli.target import check_target, chosen_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.study import Study

__all__ = ["DEFAULT_OUT", "default_of", "folder_of", "pages_folder", "wanted"]

DEFAULT_OUT = Path("runs") / "studies"
"""Default folder of the pages."""

_OF_STUDIES = {"index.html", "claims.json", "runs", "parts"}
_COMMANDS = ("list", "new", "check", "export", "pack", "verify", "diff")


def wanted(word: str) -> list[Study]:
    """The studies that a word names: one, or all installed ones.

    Raises
    ------
    InputError
        If there is no such study.
    """
    from ackclock.studies.errors import StudyError
    from ackclock.studies.registered import NONE_INSTALLED, studies
    from ackclock.studies.tools.finding import find

    if word in _COMMANDS:
        raise InputError(f"'{word}' is a command and comes first: ackclock study {word}")
    if word == "all" and not studies():
        raise InputError(NONE_INSTALLED)
    try:
        return [find(name) for name in (studies() if word == "all" else (word,))]
    except StudyError as error:
        raise InputError(str(error)) from None


def pages_folder(folder: Path, studies: Sequence[Study]) -> Path:
    """The folder of the pages, which must hold nothing but studies.

    Raises
    ------
    InputError
        If the folder holds something that no study wrote.
    """
    from ackclock.studies.writing import kind_of

    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out: '{folder}' is a file; name a folder")
    if folder.is_dir():
        others = [
            name
            for name in entries_of(folder)
            if not (name in _OF_STUDIES or is_temporary(name) or _is_a_studys(folder, name))
        ]
        if others:
            raise InputError(
                f"--out: '{folder}' holds '{others[0]}', which is no study's; name another "
                "folder, or move it away"
            )
    for study in studies:
        check_target(folder / study.name, kind_of(study), beneath=folder)
    return folder


def _is_a_studys(folder: Path, name: str) -> bool:
    """Whether a study wrote a folder, or the folder is empty."""
    try:
        names = entries_of(folder, name) if is_folder(folder, name) else ["no folder"]
    except LinkError:
        return False
    return not names or "claims.json" in names


def default_of(word: str) -> Path | None:
    """The folder that a study's name stands for; None if there is none.

    Raises
    ------
    InputError
        If a symbolic link is on the way.
    """
    if Path(word).is_absolute() or ".." in Path(word).parts:
        return None
    named = chosen_folder(None, DEFAULT_OUT / word, "")
    return named if named.is_dir() else None


def folder_of(word: str) -> Path:
    """The folder of a finished study, given as a folder or by the study's name.

    Raises
    ------
    InputError
        If there is no such folder.
    """
    named, given = default_of(word), Path(word)
    # `ackclock study new NAME` makes a folder NAME as well, with a study that has not run.
    if named is not None and not (given / "claims.json").is_file():
        return named
    if given.is_dir():
        return given
    if given.exists():
        raise InputError(
            f"{word}: this is a file; give the folder that ackclock study wrote, or the study's "
            "name"
        )
    ran = [
        name
        for name in entries_of(Path(), DEFAULT_OUT.as_posix())
        if _is_a_studys(DEFAULT_OUT, name) and entries_of(DEFAULT_OUT, name)
    ]
    there = (
        f"; in {DEFAULT_OUT} are {', '.join(ran)}"
        if ran
        else f"; run it first: ackclock study {word}"
    )
    raise InputError(f"{word}: no such folder, nor one of that name in {DEFAULT_OUT}{there}")
