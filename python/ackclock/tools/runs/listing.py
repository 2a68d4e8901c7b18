"""Walks through a folder of results."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import entries_of, has_file
from ackclock.atomic_io.names import is_temporary
from ackclock.errors import FileMissingError
from ackclock.messages import did_you_mean, said
from ackclock.tools.runs.entry import Entry
from ackclock.tools.runs.figures import figures_of
from ackclock.tools.runs.kinds import STORE, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.tools.runs.kinds import ResultKind

__all__ = ["entries", "entry_of", "find", "latest"]

# runs/evaluate/SUBJECT is the deepest place where a command writes by default.
_DEEPEST = 3


def entries(folder: Path) -> list[Entry]:
    """All results in a folder, the newest first.

    Symbolic links are not followed, and the runs of a sweep within its folder are no results of
    their own. A result that cannot be read has a `problem`.

    Raises
    ------
    FileMissingError
        If there is no such folder.
    """
    if not folder.is_dir():
        raise FileMissingError(
            f"{folder}: there is no such folder; the commands that run scenarios write into runs/"
        )
    entries = [entry_of(where, kind, folder) for where, kind in _results(folder, _DEEPEST)]
    return sorted(entries, key=lambda entry: (-entry.modified, entry.name))


def find(name: str, folder: Path) -> Entry:
    """The result that a user names: a folder, or its name in the folder of results.

    Raises
    ------
    FileMissingError
        If there is no such result; the text names the nearest.
    """
    for where in (folder / name, Path(name)):
        kind = kind_of(where)
        if kind is not None:
            return entry_of(where, kind, where.parent if where == Path(name) else folder)
    known = [entry.name for entry in entries(folder)] if folder.is_dir() else []
    raise FileMissingError(f"there is no result '{name}' in {folder}{did_you_mean(name, known)}")


def latest(folder: Path) -> Path | None:
    """The page of the newest result that has one; None if there is none."""
    pages = [
        (_modified(where, kind), page)
        for where, kind in _results(folder, _DEEPEST)
        if (page := _page(where, kind)) is not None
    ]
    return max(pages)[1] if pages else None


def _results(folder: Path, depth: int) -> Iterator[tuple[Path, ResultKind]]:
    """Every folder in a folder that holds a result, with its kind."""
    try:
        places = sorted(
            entry.name for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)
        )
    except OSError:
        return
    for name in places:
        where = folder / name
        if is_temporary(name):
            continue
        kind = kind_of(where)
        if kind is not None:
            yield where, kind
        elif depth > 1:
            yield from _results(where, depth - 1)


def entry_of(where: Path, kind: ResultKind, folder: Path) -> Entry:
    """The entry of a result."""
    try:
        figures = figures_of(kind.name, where)
        word, text, values, problem = *figures, ""
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        word, text, values = kind.name, "cannot be read", {}
        problem = said(error)
    return Entry(
        folder=where,
        kind=word,
        name=where.relative_to(folder).as_posix(),
        modified=_modified(where, kind),
        size=_size(where),
        text=text,
        figures=values,
        page=_page(where, kind),
        problem=problem,
    )


def _page(folder: Path, kind: ResultKind) -> Path | None:
    return folder / kind.page if kind.page and has_file(folder, kind.page) else None


def _modified(folder: Path, kind: ResultKind) -> float:
    """Time at which the result was written, s since 1970; files that a user adds do not count."""
    places = [folder / name for name in (kind.mark, kind.page, "sweep.json") if name]
    if kind is STORE:
        places += [folder / name for name in entries_of(folder) if _is_folder(folder, name)]
    times = []
    for place in places:
        with suppress(OSError):
            times.append(place.lstat().st_mtime)
    return max(times, default=folder.stat().st_mtime)


def _is_folder(folder: Path, name: str) -> bool:
    return stat.S_ISDIR((folder / name).lstat().st_mode)


def _size(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += Path(place, name).lstat().st_size
    return total
