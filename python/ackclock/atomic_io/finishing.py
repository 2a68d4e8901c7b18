"""Complete a write that the note of a temporary folder (commit.json) describes.

The writing process does this. If it was killed, the next process of the same user that finds the
folder does it. Everything is relative to opened folders, and no link is followed.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io.contents import foreign_among, listed_in
from ackclock.atomic_io.errors import LinkError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.atomic_io.beneath import Folder

__all__ = ["INSIDE", "NEW", "OLD", "SWAP", "finish"]

NEW = "new"
"""The folder in a temporary folder for the new files."""
OLD = "old"
"""The folder in a temporary folder for the earlier result, without an exchange of folders."""

SWAP = "swap"
"""Exchange `new/` with the result's folder; `new/` then holds the earlier result."""
INSIDE = "inside"
"""Move the files of `new/` into the parent of the temporary folder, one after another."""


def finish(staging: Folder, parent: Folder, commit: Mapping[str, Any]) -> None:
    """Carry out the note of a temporary folder; repeating this changes nothing.

    Raises
    ------
    OSError
        If files cannot be moved now; the temporary folder must be kept.
    """
    if commit.get("how") == SWAP and _is_name(commit.get("name")):
        _finish_swap(staging, parent, commit["name"], set(_texts(commit.get("ours"))))
    elif commit.get("how") == INSIDE:
        files, stale = _texts(commit.get("files")), _texts(commit.get("stale"))
        _finish_inside(staging, parent, files, stale)


def _finish_swap(staging: Folder, parent: Folder, name: str, ours: set[str]) -> None:
    """Put the earlier result back if nothing stands at the target, and keep the user's files.

    The caller removes the rest of the temporary folder.
    """
    if _is_folder(staging, OLD) and not parent.has(name):
        staging.move(OLD, parent, name)
        parent.sync()
    for left in (OLD, NEW):
        # A file that neither result lists was put there by the user while the new one was made.
        if _is_folder(staging, left):
            with staging.within(left) as opened:
                is_kept = foreign_among(opened, ours | (listed_in(opened) or set())) is not None
            if is_kept:
                staging.move(left, parent, _free(parent, name))


def _is_folder(place: Folder, name: str) -> bool:
    return place.has(name) and stat.S_ISDIR(place.stat(name).st_mode)


def _free(parent: Folder, name: str) -> str:
    """A name beside the target for an earlier result that holds the user's files."""
    number = 1
    while True:
        candidate = f"{name}.earlier{'' if number == 1 else f'-{number}'}"
        if not parent.has(candidate):
            return candidate
        number += 1


def _finish_inside(
    staging: Folder, parent: Folder, names: Sequence[str], stale: Sequence[str]
) -> None:
    for name in names:
        above, _, last = name.rpartition("/")
        try:
            source = staging.within(f"{NEW}/{above}")
        except FileNotFoundError:
            continue
        with source:
            # An absent file was moved by an earlier attempt.
            if not (source.has(last) and stat.S_ISREG(source.stat(last).st_mode)):
                continue
            with parent.within(above, make=True) as target:
                source.move(last, target, last)
                target.sync()
    emptied = set()
    for name in stale:
        above, _, last = name.rpartition("/")
        with (
            suppress(FileNotFoundError, NotADirectoryError, LinkError),
            parent.within(above) as place,
        ):
            # A link there was put by the user meanwhile.
            if stat.S_ISREG(place.stat(last).st_mode):
                place.remove_file(last)
        while above:
            emptied.add(above)
            above = above.rpartition("/")[0]
    for inner in sorted(emptied, reverse=True):
        above, _, last = inner.rpartition("/")
        with suppress(OSError), parent.within(above) as place:
            place.remove_empty(last)
    parent.sync()


def _is_name(name: Any) -> bool:
    return (
        isinstance(name, str)
        and name not in {"", ".", ".."}
        and "/" not in name
        and os.sep not in name
    )


def _texts(names: Any) -> list[str]:
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
