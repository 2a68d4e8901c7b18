"""The store of a sweep: `runs` in its folder, or a shared one to which `runs` is a symbolic link.

``--store`` makes the link, and beside it a mark that only this user can make for this link. A link
without the mark came with the folder from elsewhere; it is not followed unless the user names the
store again.
"""

from __future__ import annotations

import hmac
import os
import stat
from pathlib import Path

from ackclock.atomic_io import is_folder, read_text, write_text
from ackclock.atomic_io.beneath import Folder
from ackclock.atomic_io.names import identity_of
from ackclock.atomic_io.secret import mark_of
from ackclock.sweeps.store import StoreError

__all__ = ["MARK", "RUNS", "link_runs", "linked_store", "store_of"]

RUNS = "runs"
"""Name of the store, or of the link to it, in a sweep's folder."""
MARK = "runs.mark"
"""Name of the file with the mark of a link."""


def linked_store(folder: Path) -> Path | None:
    """The place that the link in a sweep's folder names; None if there is no link."""
    link = folder / RUNS
    try:
        is_link = stat.S_ISLNK(link.lstat().st_mode)
    except OSError:
        return None
    return Path(os.path.normpath(folder / link.readlink())) if is_link else None


def store_of(folder: Path) -> Path:
    """The folder of a sweep's runs, be it there or not.

    Raises
    ------
    StoreError
        If it is a symbolic link that this user did not make with ``--store``.
    """
    there = linked_store(folder)
    if there is None:
        return folder / RUNS
    mark = _mark(folder)
    try:
        noted = read_text(folder, MARK, 1000).strip()
    except (OSError, ValueError):
        noted = ""
    if mark is None or not hmac.compare_digest(mark, noted):
        raise StoreError(
            f"'{folder / RUNS}' is a symbolic link to '{there}', and you did not make it here: add "
            f"--store with the folder of the runs, or remove the link"
        )
    return there


def link_runs(folder: Path, store: Path) -> None:
    """Let `runs` in a sweep's folder be a link to a store that the user named."""
    if linked_store(folder) is None:
        if is_folder(folder, RUNS):
            return
        (folder / RUNS).symlink_to(store, target_is_directory=True)
    mark = _mark(folder)
    if mark is not None:
        write_text(folder / MARK, f"{mark}\n", beneath=folder)


def _mark(folder: Path) -> str | None:
    with Folder.open(folder) as opened:
        link = opened.stat(RUNS)
        target = os.fsdecode((folder / RUNS).readlink())
        return mark_of("store", identity_of(opened), str(link.st_ino), target)
