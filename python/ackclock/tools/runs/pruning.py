"""Removes results, and nothing that ackclock did not write."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, NamedTuple

from ackclock.atomic_io import WriteError, entries_of, foreign_file, has_file
from ackclock.atomic_io.beneath import Folder
from ackclock.atomic_io.names import is_temporary
from ackclock.atomic_io.staging import Staging, tidy
from ackclock.tools.runs.kinds import STORE, kind_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from ackclock.tools.runs.entry import Entry

__all__ = ["Refusal", "prune", "refusal_of"]

_RUNS = "runs"
_FINISHED = "sweep.json"
# Names in a store: its mark, its locks, files in progress, and runs by their key.
_OF_A_STORE = re.compile(
    r"store\.json|claims|unfinished/[^/]+|[0-9a-f]{1,2}/[0-9a-f]{64}\.(?:json|parquet)"
)


class Refusal(NamedTuple):
    """A result that stays, and why."""

    entry: Entry
    why: str


def refusal_of(entry: Entry, chosen: Collection[Path], everything: Sequence[Entry]) -> str:
    """The reason why a result must not be removed; "" if it may be.

    Parameters
    ----------
    entry
        The result.
    chosen
        Folders of all results that are to be removed.
    everything
        All results of the folder: some may use this one's runs.
    """
    kind = kind_of(entry.folder)
    if kind is None:
        return "it is gone, or no result any more"
    store = entry.folder if kind is STORE else entry.folder / _RUNS
    owns_store = store.is_dir() and not store.is_symlink()
    foreign = None if kind is STORE else foreign_file(entry.folder, kind.files)
    if foreign is None:
        tidy(entry.folder)
        foreign = next(filter(is_temporary, entries_of(entry.folder)), None)
    if foreign is None and owns_store:
        foreign = _foreign_in_store(store)
        if foreign is not None and kind is not STORE:
            foreign = f"{_RUNS}/{foreign}"
    if foreign is not None:
        return f"it holds '{foreign}', which ackclock did not write"
    if owns_store:
        for other in everything:
            if other.folder not in chosen and _uses(other, store):
                return f"{other.name} keeps its runs there, too"
    is_finished = kind is STORE or (entry.folder / _FINISHED).is_file()
    if store.is_dir() and (owns_store or not is_finished) and _is_in_use(store):
        return "a process is making runs there"
    return ""


def prune(chosen: Sequence[Entry]) -> Iterator[Entry]:
    """Remove results, each as a whole, and yield each when it is gone.

    Ask `refusal_of` first. An index of studies is written again.

    Raises
    ------
    ackclock.WriteError
        If a result cannot be removed; the result is whole then.
    """
    for entry in chosen:
        place = entry.folder.absolute()
        parent = place.parent
        try:
            with Staging.within(parent) as staging, staging.opened.within(staging.new.name) as new:
                # A symbolic link would be moved itself.
                staging.parent.move(place.name, new, place.name)
        except OSError as error:
            raise WriteError(
                entry.folder, error.strerror or str(error), errno=error.errno
            ) from error
        if entry.kind == "study" and all(
            has_file(parent, name) for name in ("index.html", "claims.json")
        ):
            from ackclock.studies.writing import write_index

            write_index(parent)
        yield entry


def _foreign_in_store(store: Path) -> str | None:
    """The first file in a store that is no part of it; None if there is none."""
    with Folder.open(store) as opened:
        for name, mode in opened.walk():
            is_part = stat.S_ISREG(mode) and _OF_A_STORE.fullmatch(name)
            if not stat.S_ISDIR(mode) and not is_part:
                return name
    return None


def _uses(entry: Entry, store: Path) -> bool:
    """Whether a sweep keeps its runs in a store elsewhere, by a symbolic link."""
    link = entry.folder / _RUNS
    return link.is_symlink() and link.resolve() == store.resolve()


def _is_in_use(store: Path) -> bool:
    """Whether a process holds a claim on a run of a store, as far as the file system tells."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        with Folder.open(store) as opened:
            file = opened.open_lock("claims", make=False)
    except OSError:
        return False
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False
