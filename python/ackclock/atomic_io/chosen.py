"""Places that ackclock chose itself, to which no symbolic link may lead.

A user names a place by typing it: links in it are the user's own. The default name of a result may
be that of a stranger's scenario, and somebody else may have made the current folder. While such a
place is in use, all that is opened there is opened from the current folder on without following a
link (`Folder.open`, `followed`), however long ago the place was looked at.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io.errors import LinkError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["chosen", "chosen_part", "refuse_links"]

_places: list[tuple[Path, tuple[str, ...]]] = []
"""The folder that was current when a place was chosen, and the place's parts from there on."""


@contextmanager
def chosen(place: Path) -> Iterator[Path]:
    """Follow no symbolic link to a place, or beneath it, until the block ends.

    Parameters
    ----------
    place : Path
        A file or folder, relative to the current folder, that the user did not name.

    Yields
    ------
    Path
        The place as it was given.
    """
    try:
        entry = Path.cwd(), place.parts
    except OSError:
        # The current folder is gone, and nothing can be written there.
        yield place
        return
    _places.append(entry)
    try:
        yield place
    finally:
        _places.remove(entry)


def chosen_part(path: Path) -> tuple[Path, str] | None:
    """The folder from which on no link to `path` is followed, and the way from there, with slashes.

    None if `path` is neither on the way to a chosen place nor beneath one.
    """
    if not _places:
        return None
    try:
        here = Path.cwd()
    except OSError:
        return None
    full = Path(os.path.abspath(path))  # noqa: PTH100 - links must not be followed
    for folder, parts in _places:
        if full.is_relative_to(folder):
            inner = full.relative_to(folder).parts
            shared = min(len(inner), len(parts))
            if shared and inner[:shared] == parts[:shared]:
                return (Path() if folder == here else folder), "/".join(inner)
    return None


def refuse_links(path: str | Path) -> None:
    """Raise if a link has come into the way to a chosen place; cheap enough for every run.

    Raises
    ------
    LinkError
        If a component is a symbolic link.
    """
    chosen = chosen_part(Path(path)) if _places else None
    if chosen is None:
        return
    place = chosen[0]
    for part in chosen[1].split("/"):
        place /= part
        if place.is_symlink():
            raise LinkError(place)
