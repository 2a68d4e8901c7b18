"""Check the folders and files of results before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.cli.errors import InputError

if TYPE_CHECKING:
    from ackclock.writing import Kind

__all__ = ["check_target", "check_target_file", "existing_folder"]


def check_target(folder: Path, kind: Kind, *, inside: bool = False) -> Path:
    """Return the folder if results of a kind can be written into it.

    A file is written there to find out, and removed. With `inside` the folder may hold other files,
    which stay.

    Raises
    ------
    InputError
        If the folder holds something that is no such result, or cannot be written.
    """
    from ackclock.writing import WriteError, check_folder

    try:
        check_folder(folder, kind, inside=inside)
    except (WriteError, FileExistsError) as error:
        raise InputError(f"--out: {error}") from None
    return folder


def check_target_file(path: Path, option: str = "--out") -> Path:
    """Return the file if it can be written; a temporary one is written beside it to find out.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    from ackclock.writing import WriteError, check_file

    try:
        check_file(path)
    except WriteError as error:
        raise InputError(f"{option}: {error}") from None
    return path


def existing_folder(name: str) -> Path:
    """The folder of a sweep.

    Raises
    ------
    InputError
        If the folder does not exist.
    """
    folder = Path(name)
    if not folder.is_dir():
        raise InputError(f"{name}: there is no such folder; give one that ackclock sweep wrote")
    return folder
