"""Names of temporary folders.

A name has 12 random digits and 12 of a mark that only this user can make for a folder in this
parent (`ackclock.atomic_io.secret`): the folder is known as this user's from the moment it exists.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ackclock.atomic_io.secret import mark_of

if TYPE_CHECKING:
    from ackclock.atomic_io.beneath import Folder

__all__ = ["PREFIX", "identity_of", "is_our_name", "is_temporary", "new_name"]

PREFIX = ".ackclock-"
"""Start of the name of every temporary folder."""

_DIGITS = 12
# Twelve digits alone are of an earlier ackclock.
_NAME = re.compile(rf"\.ackclock-[0-9a-f]{{{_DIGITS}}}(?:[0-9a-f]{{{_DIGITS}}})?")


def is_temporary(name: str) -> bool:
    """Whether a temporary folder can have this name, be it this user's or not."""
    return _NAME.fullmatch(name) is not None


def new_name(parent: Folder) -> str:
    """A name for a temporary folder of this user in a folder."""
    number = os.urandom(_DIGITS // 2).hex()
    mark = _mark(parent, number)
    return f"{PREFIX}{number}{os.urandom(_DIGITS // 2).hex() if mark is None else mark}"


def is_our_name(parent: Folder, name: str) -> bool:
    """Whether this user made a temporary folder of this name in this folder."""
    digits = name.removeprefix(PREFIX)
    if not is_temporary(name) or len(digits) == _DIGITS:
        return False
    return _mark(parent, digits[:_DIGITS]) == digits[_DIGITS:]


def _mark(parent: Folder, number: str) -> str | None:
    mark = mark_of("folder", identity_of(parent), number)
    return None if mark is None else mark[:_DIGITS]


def identity_of(folder: Folder) -> str:
    """The file system and the inode of an opened folder.

    The number of the device changes from mount to mount, and from host to host on a shared disk;
    the identity of the file system stays.
    """
    if folder.file is None:
        return ""
    return f"{os.fstatvfs(folder.file).f_fsid}:{os.fstat(folder.file).st_ino}"
