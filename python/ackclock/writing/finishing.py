"""What a temporary folder's commit.json asks for, done by its process or by the one that finds it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ackclock.writing.contents import foreign_among, listed
from ackclock.writing.system import sync_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.writing.staging import Staging

__all__ = ["INSIDE", "SWAP", "finish"]

SWAP = "swap"
"""`new/` and the folder beside it change places: what is left in the temporary folder then is the earlier result."""
INSIDE = "inside"
"""The files of `new/` take the places of those in the folder around, one after another."""


def finish(staging: Staging) -> None:
    """Carry out what was committed; as often as one likes.

    Raises
    ------
    OSError
        If it cannot be done now; the temporary folder is to be kept then.
    """
    said = staging.committed
    if said is None:
        return
    parent = staging.folder.parent
    if said.get("how") == SWAP and _is_name(said.get("name")):
        _finish_swap(staging, parent / said["name"], set(_texts(said.get("ours"))))
    elif said.get("how") == INSIDE:
        _finish_inside(staging.new, parent, _paths(said.get("files")), _paths(said.get("stale")))


def _finish_swap(staging: Staging, target: Path, ours: set[str]) -> None:
    if staging.old.is_dir() and not os.path.lexists(target):
        staging.old.rename(target)
        sync_folder(target.parent)
    for left in (staging.old, staging.new):
        # The user may have put a file there while the new result was made.
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
        if (new / name).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            (new / name).replace(target)
            changed.add(target.parent)
    for name in stale:
        (folder / name).unlink(missing_ok=True)
    for parent in sorted({inner for name in stale for inner in (folder / name).parents if folder in inner.parents}, reverse=True):
        with suppress(OSError):
            parent.rmdir()
    for place in sorted(changed):
        if place.is_dir():
            sync_folder(place)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and name not in {"", ".", ".."} and "/" not in name and os.sep not in name


def _texts(names: Any) -> list[str]:
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _paths(names: Any) -> list[str]:
    """Those that do not lead out of the folder."""
    return [name for name in _texts(names) if name and not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts]
