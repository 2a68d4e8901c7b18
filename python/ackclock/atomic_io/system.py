"""Functions that the standard library lacks: exchange two folders, lock, flush to the disk."""

from __future__ import annotations

import errno
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "READ_FILE",
    "exchange",
    "has_no_locks",
    "is_dangling",
    "lock",
    "sync_descriptor",
    "sync_file",
    "sync_folder",
    "sync_tree",
]

READ_FILE = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Flags to open a file for reading, without following a link or waiting for a pipe."""

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
# Errors of a kernel or file system that does not have the call.
_NOT_THERE = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP}
# Some file systems cannot flush a folder.
_NO_SYNC = {errno.EINVAL, errno.EOPNOTSUPP, errno.EBADF}
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EBADF}
_HELD = {errno.EAGAIN, errno.EACCES}


@cache
def _renameat2() -> Callable[..., int] | None:
    """The C library's renameat2 (Linux, glibc 2.28 or musl 1.2.5)."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return None
    place = (ctypes.c_int, ctypes.c_char_p)
    function.argtypes = [*place, *place, ctypes.c_uint]
    call: Callable[..., int] = function
    return call


def exchange(place: Path, other: Path, folder: int = -1, other_folder: int = -1) -> bool:
    """Let two existing folders change places in one step; False if the system cannot do that.

    `folder` and `other_folder` are descriptors of the opened folders that they are in; without
    them, the paths are used.

    Raises
    ------
    OSError
        If the exchange fails for another reason.
    """
    function = _renameat2()
    if function is None:
        return False
    import ctypes

    places: list[int | bytes] = []
    for path, file in ((place, folder), (other, other_folder)):
        places += [_AT_FDCWD, os.fsencode(path)] if file < 0 else [file, os.fsencode(path.name)]
    if function(*places, _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_THERE:
        return False
    # Named first is the folder that was to be moved, as in an error of os.rename.
    raise OSError(number, os.strerror(number), str(place), None, str(other))


def lock(file: int) -> bool:
    """Lock an open file until it is closed or the process ends; False if another process has it.

    Raises
    ------
    OSError
        If the file system has no locks (`has_no_locks`), or for another reason.
    """
    try:
        import fcntl
    except ImportError:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD:
            return False
        raise
    return True


def has_no_locks(error: OSError) -> bool:
    """Whether `lock` failed because the file system, or the system, has no locks."""
    return error.errno in _NO_LOCKS


def is_dangling(path: Path) -> bool:
    """Whether a path is a symbolic link to nothing, or to itself."""
    # pathlib would raise if a name is too long.
    return os.path.islink(path) and not os.path.exists(path)  # noqa: PTH110, PTH114


def sync_file(path: Path) -> None:
    """Flush a new file to the disk."""
    _sync(path, set())


def sync_folder(path: Path) -> None:
    """Flush the names in a folder to the disk, if the file system can do that."""
    if os.name == "posix":
        _sync(path, _NO_SYNC)


def sync_descriptor(folder: int) -> None:
    """Flush the names in an opened folder to the disk, if the file system can do that."""
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


def sync_tree(folder: Path) -> None:
    """Flush a folder and everything in it to the disk."""
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            sync_file(Path(place, name))
        sync_folder(Path(place))


def _sync(path: Path, forgiven: set[int]) -> None:
    file = os.open(path, READ_FILE)
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno not in forgiven:
            raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        os.close(file)
