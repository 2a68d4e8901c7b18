"""Check the folders and files of results before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.errors import InputError

if TYPE_CHECKING:
    from ackclock.atomic_io import Kind

__all__ = ["check_target", "check_target_file", "chosen_file", "chosen_folder", "existing_folder"]


def chosen_folder(named: str | Path | None, default: str | Path, option: str = "--out") -> Path:
    """The folder that the user named, or else the default one.

    The user's may be reached through symbolic links. The default one is ackclock's choice: a link
    on the way there may be of a stranger who made the current folder, and is refused, now and until
    the command ends.

    Raises
    ------
    InputError
        If the default is chosen, and a component of it is a symbolic link.
    """
    if named is not None:
        return Path(named)
    from ackclock.atomic_io import LinkError, refuse_links

    place = chosen_file(None, default)
    try:
        refuse_links(place)
    except LinkError as error:
        raise InputError(f"{error}{f' with {option}' if option else ''}") from None
    return place


def chosen_file(named: str | Path | None, default: str | Path) -> Path:
    """The file that the user named, or else the default one.

    Every default name of a result comes from here or from `chosen_folder`. To the default one no
    symbolic link is followed until the command ends: opening it raises `LinkError`.
    """
    if named is not None:
        return Path(named)
    from ackclock.atomic_io import chosen

    return click.get_current_context().with_resource(chosen(Path(default)))


def check_target(
    folder: Path, kind: Kind, *, inside: bool = False, beneath: Path | None = None
) -> Path:
    """Return the folder if results of a kind can be written into it.

    A file is written there to find out, and removed. With `inside` the folder may hold other files,
    which stay. From the folder `beneath` on, which the user named, no symbolic link is followed.

    Raises
    ------
    InputError
        If the folder holds something that is no such result, or cannot be written.
    """
    from ackclock.atomic_io import WriteError, check_folder

    try:
        check_folder(folder, kind, inside=inside, beneath=beneath)
    except (WriteError, FileExistsError) as error:
        raise InputError(f"--out: {error}") from None
    return folder


def check_target_file(path: Path, option: str = "--out", *, beneath: Path | None = None) -> Path:
    """Return the file if it can be written; a temporary one is written beside it to find out.

    From the folder `beneath` on, which the user named, no symbolic link is followed.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    from ackclock.atomic_io import WriteError, check_file

    try:
        check_file(path, beneath=beneath)
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
