"""contents.json lists the files of a folder that ackclock wrote.

All other files belong to the user and are never deleted.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.writing.names import is_temporary

if TYPE_CHECKING:
    from collections.abc import Callable, Set

__all__ = [
    "CONTENTS",
    "Kind",
    "foreign_among",
    "foreign_file",
    "list_of",
    "listed",
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
    found = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return sorted(path.relative_to(folder).as_posix() for path in found)


def write_contents(folder: Path) -> None:
    """List the files that a folder has now."""
    names = sorted({*list_of(folder), CONTENTS})
    text = json.dumps({"kind": _KIND, "files": names}, indent=2, ensure_ascii=False) + "\n"
    (folder / CONTENTS).write_text(text, encoding="utf-8")


def listed(folder: Path) -> set[str] | None:
    """Return the files that contents.json lists; None if there is no valid list."""
    try:
        said = json.loads((folder / CONTENTS).read_text(encoding="utf-8"))
        return {str(name) for name in said["files"]} if said["kind"] == _KIND else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def our_files(folder: Path, kind: Kind) -> set[str]:
    """Names of the files in a folder that this kind of results has, or may have."""
    if kind.among_others:
        return kind.before_contents(folder)
    names = listed(folder)
    if names is None:
        names = kind.before_contents(folder) if (folder / kind.mark).is_file() else set()
    return names | kind.later | {CONTENTS}


def foreign_file(folder: Path, kind: Kind) -> str | None:
    """The first file in a folder, at any depth, that ackclock did not write; None if none.

    A symbolic link is never ackclock's, under any name: ackclock writes none.
    """
    return foreign_among(folder, our_files(folder, kind), kind.beside)


def foreign_among(folder: Path, ours: Set[str], beside: Set[str] = frozenset()) -> str | None:
    """The first file in a folder, at any depth, that is not in `ours`; see `foreign_file`.

    Folders in `beside` are not searched.
    """
    for place, inner, names in os.walk(folder):
        if Path(place) == folder:
            inner[:] = [name for name in inner if not is_temporary(name) and name not in beside]
        inner.sort()
        for name in sorted([*inner, *names]):
            path = Path(place, name)
            relative = path.relative_to(folder).as_posix()
            if path.is_symlink() or (name in names and relative not in ours):
                return relative
    return None
