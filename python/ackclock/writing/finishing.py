"""Complete a write that the commit.json of a temporary folder describes.

The writing process does this. If it was killed, the next process that finds the folder does it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ackclock.writing.contents import foreign_among, listed
from ackclock.writing.system import sync_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["INSIDE", "NEW", "OLD", "SWAP", "finish"]

NEW = "new"
"""The folder in a temporary folder for the new files."""
OLD = "old"
"""The folder in a temporary folder for the earlier result, without an exchange of folders."""

SWAP = "swap"
"""Exchange `new/` with the result's folder; `new/` then holds the earlier result."""
INSIDE = "inside"
"""Move the files of `new/` into the parent of the temporary folder, one after another."""


def finish(folder: Path, commit: Mapping[str, Any]) -> None:
    """Carry out the commit.json of a temporary folder; repeating this changes nothing.

    Raises
    ------
    OSError
        If files cannot be moved now; the temporary folder must be kept.
    """
    parent = folder.parent
    if commit.get("how") == SWAP and _is_name(commit.get("name")):
        _finish_swap(folder, parent / commit["name"], set(_texts(commit.get("ours"))))
    elif commit.get("how") == INSIDE:
        files, stale = _paths(commit.get("files")), _paths(commit.get("stale"))
        _finish_inside(folder / NEW, parent, files, stale)


def _finish_swap(folder: Path, target: Path, ours: set[str]) -> None:
    """Put the earlier result back if nothing stands at the target, and keep the user's files.

    The caller removes the rest of the temporary folder.
    """
    old, new = folder / OLD, folder / NEW
    if old.is_dir() and not os.path.lexists(target):
        old.rename(target)
        sync_folder(target.parent)
    for left in (old, new):
        # A file that neither result lists was put there by the user while the new one was made.
        if left.is_dir() and foreign_among(left, ours | (listed(left) or set())) is not None:
            left.rename(_free(target))


def _free(target: Path) -> Path:
    """A name beside the target for an earlier result that holds the user's files."""
    number = 1
    while True:
        found = target.with_name(f"{target.name}.earlier{'' if number == 1 else f'-{number}'}")
        if not os.path.lexists(found):
            return found
        number += 1


def _finish_inside(new: Path, folder: Path, names: Sequence[str], stale: Sequence[str]) -> None:
    changed = {folder}
    for name in names:
        target = folder / name
        # An absent file was moved by an earlier attempt.
        if (new / name).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            (new / name).replace(target)
            changed.add(target.parent)
    for name in stale:
        (folder / name).unlink(missing_ok=True)
    for parent in sorted(
        {inner for name in stale for inner in (folder / name).parents if folder in inner.parents},
        reverse=True,
    ):
        with suppress(OSError):
            parent.rmdir()
    for place in sorted(changed):
        if place.is_dir():
            sync_folder(place)


def _is_name(name: Any) -> bool:
    return (
        isinstance(name, str)
        and name not in {"", ".", ".."}
        and "/" not in name
        and os.sep not in name
    )


def _texts(names: Any) -> list[str]:
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _paths(names: Any) -> list[str]:
    """The names that do not lead out of the folder."""
    return [
        name
        for name in _texts(names)
        if name and not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts
    ]
