"""Claims on the runs in progress: locks on bytes of one file; the kernel frees a dead holder's.

*Lost: a lock file per run.* A store would keep as many lock files as runs, because a file that is
deleted while another process opens it is no lock.
"""

from __future__ import annotations

import errno
import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ackclock.atomic_io.beneath import Folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

__all__ = ["Claims"]

_TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
# A file system without locks, such as some network mounts; Windows.
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}

_PLACES = 2**62


def _lock(file: int, byte: int) -> None:
    try:
        import fcntl
    except ImportError:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from None
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)


def _unlock(file: int, byte: int) -> None:
    import fcntl

    fcntl.lockf(file, fcntl.LOCK_UN, 1, byte)


class Claims:
    """Claims of this process on the runs of one store. `of` returns the one object per store."""

    _all: dict[tuple[int, int], Claims] = {}  # noqa: RUF012 - of the whole process
    _guard = threading.Lock()

    def __init__(self, file: int) -> None:
        self._file = file
        self._held: set[int] = set()
        self._process = os.getpid()
        self.has_locks = True
        """Whether the file system has locks.

        Without locks two processes may make the same run; they keep the same bytes.
        """

    @classmethod
    def of(cls, path: Path) -> Claims:
        """The claims whose locks are on this file.

        POSIX drops all locks of a process on a file when any descriptor of the file is closed, so
        there is one descriptor, and it stays open.
        """
        with cls._guard:
            try:
                status = path.lstat()
            except FileNotFoundError:
                known = None
            else:
                known = cls._all.get((status.st_dev, status.st_ino))
            if known is None:
                with Folder.open(path.parent) as folder:
                    file = folder.open_lock(path.name)
                status = os.fstat(file)
                known = cls._all[status.st_dev, status.st_ino] = cls(file)
            return known

    def take(self, key: str) -> AbstractContextManager[None] | None:
        """The right to make a run until the context ends; None if it is taken."""
        byte = int(key[:16], 16) % _PLACES
        with self._guard:
            if self._process != os.getpid():
                # Locks do not survive a fork.
                self._held, self._process = set(), os.getpid()
            if byte in self._held:
                return None
            if self.has_locks:
                try:
                    _lock(self._file, byte)
                except OSError as error:
                    if error.errno in _TAKEN:
                        return None
                    if error.errno not in _NO_LOCKS:
                        raise
                    self.has_locks = False
            self._held.add(byte)
        return self._until_released(byte)

    @contextmanager
    def _until_released(self, byte: int) -> Iterator[None]:
        try:
            yield
        finally:
            with self._guard:
                self._held.discard(byte)
                if self.has_locks:
                    _unlock(self._file, byte)
