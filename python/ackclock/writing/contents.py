"""Which files of a folder are ours: contents.json lists them. What it does not list is the user's, and is never deleted."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Set

__all__ = ["CONTENTS", "Kind", "foreign_among", "foreign_file", "list_of", "listed", "our_files", "write_contents"]

CONTENTS = "contents.json"
"""The file that lists the files of a result."""

_KIND = "ackclock contents"


@dataclass(frozen=True)
class Kind:
    """A kind of results that are written as a folder."""

    name: str
    """What messages call them: "a run"."""
    mark: str
    """The file that every folder of this kind has."""
    before_contents: Callable[[Path], set[str]]
    """Names of the files, with slashes, that a folder of an earlier version without contents.json may have."""
    later: frozenset[str] = frozenset({"report.html"})
    """Files that other commands may add."""
    beside: frozenset[str] = frozenset()
    """Folders within, which are ours and stay."""
    last: str = ""
    """The file that takes its place last, where files do so one after another: it says that all are there."""
    among_others: bool = False
    """Whether the files stand in a folder of the user's (`whole_files`): no contents.json lists them, `before_contents` does."""


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
    """What contents.json lists; None if there is none, or not one of ours."""
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
    """The first file in a folder, at any depth, that is not ours; None if all are.

    A symbolic link is not ours, whatever it is called: nothing of ours is one.
    """
    return foreign_among(folder, our_files(folder, kind), kind.beside)


def foreign_among(folder: Path, ours: Set[str], beside: Set[str] = frozenset()) -> str | None:
    """The first file in a folder, at any depth, that is none of these, nor in a folder `beside` them; see `foreign_file`."""
    from ackclock.writing.staging import is_temporary

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
