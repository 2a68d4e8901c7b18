"""contents.json lists the files of a folder that ackclock wrote.

All other files belong to the user and are never deleted. The list may come from elsewhere with its
folder, so of its names only those count that the kind of results can have.
"""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io.beneath import Folder, is_file
from ackclock.atomic_io.names import is_temporary
from ackclock.atomic_io.reading import JSON, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Set

__all__ = [
    "CONTENTS",
    "Kind",
    "foreign_among",
    "foreign_file",
    "list_of",
    "listed_in",
    "our_files",
    "write_contents",
]

CONTENTS = "contents.json"
"""The file that lists the files of a result."""

_KIND = "ackclock contents"


@dataclass(frozen=True)
class Kind:
    """A kind of results that are written as a folder."""

    name: str
    """The name of the kind in messages: "a run"."""
    mark: str
    """The file that every folder of this kind has."""
    before_contents: Callable[[Path], set[str]]
    """Possible files, with slashes, of a folder of an earlier version without contents.json."""
    possible: str = ".*"
    """Regular expression of the names, with slashes, that contents.json can list.

    Without it, the contents.json of a stranger could list a file of the user.
    """
    later: frozenset[str] = frozenset({"report.html"})
    """Files that other commands may add."""
    beside: frozenset[str] = frozenset()
    """Folders within that belong to ackclock and stay."""
    last: str = ""
    """File that is moved last, if files move one after another: it shows that all are there."""
    among_others: bool = False
    """Whether the files are in a folder of the user (`whole_files`).

    `before_contents` lists them, instead of contents.json.
    """


def list_of(folder: Path) -> list[str]:
    """Every file in a folder, at any depth, with slashes; sorted."""
    paths = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return sorted(path.relative_to(folder).as_posix() for path in paths)


def write_contents(folder: Path) -> None:
    """List the files that a folder has now."""
    names = sorted({*list_of(folder), CONTENTS})
    text = json.dumps({"kind": _KIND, "files": names}, indent=2, ensure_ascii=False) + "\n"
    (folder / CONTENTS).write_text(text, encoding="utf-8")


def listed_in(folder: Folder) -> set[str] | None:
    """Return the files that contents.json lists; None if there is no valid list."""
    try:
        with folder.open_file(CONTENTS) as stream:
            said = parse_json(stream.read(JSON.size + 1))
        return {str(name) for name in said["files"]} if said["kind"] == _KIND else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def our_files(folder: Path, kind: Kind) -> set[str]:
    """Names of the files in a folder that this kind of results has, or may have."""
    if kind.among_others:
        return kind.before_contents(folder)
    names = None
    if folder.is_dir():
        with Folder.open(folder) as opened:
            names = listed_in(opened)
    if names is None:
        names = kind.before_contents(folder) if is_file(folder, kind.mark) else set()
    else:
        names = {name for name in names if re.fullmatch(kind.possible, name)}
    return names | kind.later | {CONTENTS}


def foreign_file(folder: Path, kind: Kind) -> str | None:
    """The first file in a folder, at any depth, that ackclock did not write; None if none.

    A symbolic link is never ackclock's, under any name: ackclock writes none.
    """
    ours = our_files(folder, kind)
    with Folder.open(folder) as opened:
        return foreign_among(opened, ours, kind.beside)


def foreign_among(folder: Folder, ours: Set[str], beside: Set[str] = frozenset()) -> str | None:
    """The first file in a folder, at any depth, that is not in `ours`; see `foreign_file`.

    Folders in `beside` are not searched.
    """
    skipped = {name for name in folder.names() if is_temporary(name) or name in beside}
    for name, mode in folder.walk(frozenset(skipped)):
        if stat.S_ISLNK(mode) or (not stat.S_ISDIR(mode) and name not in ours):
            return name
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            return name
    return None
