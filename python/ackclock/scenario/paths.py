"""Files that a scenario names."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["find", "seen_from_here"]


def find(text: str, folder: Path | None) -> Path:
    """A file that a scenario in `folder` names: beside it, or else in the current folder."""
    given = Path(text)
    if folder is None:
        return given
    beside = folder / given
    return given if given.exists() and not beside.exists() else beside


def seen_from_here(text: str, folder: Path | None) -> str:
    """The same file's path from the current folder, absolute if it is not below that."""
    path = Path(os.path.normpath(find(text, folder).absolute()))
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)
