"""Temporary folders that results are made in, and what is done about those of processes that died.

::

    PARENT/.ackclock-1a2b3c4d5e6f/     locked (flock) by the process that writes
        new/                           what is being written; after an exchange of folders: what was there
        old/                           what was there, where folders cannot be exchanged
        commit.json                    there as soon as `new/` is whole: what is to be done with it

The lock is the kernel's and goes with its process. A folder that nobody holds is of a process that died: whoever writes to the
same parent next finishes what its commit.json says, and removes it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ackclock.writing.system import has_no_locks, lock, sync_file, sync_folder

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["PREFIX", "Staging", "is_staged", "is_temporary", "scratch", "tidy"]

PREFIX = ".ackclock-"
"""What the name of every temporary folder begins with."""

_NAME = re.compile(r"\.ackclock-[0-9a-f]{12}")
_COMMIT = "commit.json"
# Of a folder that another process removes between its making and its lock.
_ATTEMPTS = 100


def is_staged(path: Path) -> bool:
    """Whether a path is in a temporary folder: what is written there is moved into place, or removed, with all of it."""
    return any(map(is_temporary, path.parts))


def is_temporary(name: str) -> bool:
    """Whether a temporary folder can have this name."""
    return _NAME.fullmatch(name) is not None


class Staging:
    """A temporary folder of this process; as a context it is finished and removed at the end.

    Attributes
    ----------
    folder : Path
        The temporary folder.
    new : Path
        The folder in it for what is written.
    """

    def __init__(self, folder: Path, file: int) -> None:
        self.folder = folder
        self.new = folder / "new"
        self.old = folder / "old"
        self._file = file

    @classmethod
    def within(cls, parent: Path, *, private: bool = False) -> Self:
        """Make one in a folder, with the permissions of the umask, or for this user alone.

        Raises
        ------
        OSError
            If that is not possible.
        """
        for _ in range(_ATTEMPTS):
            folder = parent / f"{PREFIX}{os.urandom(6).hex()}"
            try:
                folder.mkdir(mode=0o700 if private else 0o777)
            except FileExistsError:
                continue
            found = cls._locked(folder)
            if found is not None:
                try:
                    found.new.mkdir()
                except BaseException:
                    found.close()
                    raise
                return found
        raise FileExistsError(f"{parent}: no temporary folder can be made there")

    @classmethod
    def _locked(cls, folder: Path) -> Self | None:
        """The temporary folder at a path, locked for this process; None if another process has it, or has removed it."""
        try:
            file = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
        except FileNotFoundError:
            return None
        except PermissionError:
            # Windows cannot open folders, and needs no lock of one: it removes none of other processes.
            if os.name == "posix":
                raise
            return cls(folder, -1)
        try:
            try:
                is_ours = lock(file)
            except OSError as error:
                if not has_no_locks(error):
                    raise
                is_ours = True
            if is_ours and _is_same(folder, file):
                return cls(folder, file)
        except BaseException:
            os.close(file)
            with suppress(OSError):
                folder.rmdir()
            raise
        os.close(file)
        return None

    @classmethod
    def left_at(cls, folder: Path) -> Self | None:
        """Take over the temporary folder of a process that died; None if that process lives, or nobody can know."""
        try:
            file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except (OSError, AttributeError):
            return None
        try:
            if os.fstat(file).st_uid == os.geteuid() and lock(file) and _is_same(folder, file):
                return cls(folder, file)
        except OSError:
            pass
        os.close(file)
        return None

    def commit(self, **what: Any) -> None:
        """Say that `new/` is whole, and what is to be done with it; who finds it after a power cut or a kill does so."""
        unfinished = self.folder / f"{_COMMIT}.part"
        unfinished.write_text(json.dumps(what), encoding="utf-8")
        sync_file(unfinished)
        unfinished.replace(self.folder / _COMMIT)
        sync_folder(self.folder)

    @property
    def committed(self) -> dict[str, Any] | None:
        """What `commit` said; None if it did not."""
        try:
            said = json.loads((self.folder / _COMMIT).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return said if isinstance(said, dict) else None

    def close(self) -> None:
        """Finish what was committed, remove the folder, give the lock back. What cannot be removed is left to the next process."""
        from ackclock.writing.finishing import finish

        if self._file == _CLOSED:
            return
        try:
            with suppress(OSError):
                finish(self)
                shutil.rmtree(self.folder, ignore_errors=True)
        finally:
            file, self._file = self._file, _CLOSED
            if file >= 0:
                os.close(file)

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Finish and remove it."""
        self.close()


_CLOSED = -2


def _is_same(folder: Path, file: int) -> bool:
    """Whether the folder is the one that was opened, and not removed since."""
    try:
        there = folder.lstat()
    except OSError:
        return False
    opened = os.fstat(file)
    return (there.st_dev, there.st_ino) == (opened.st_dev, opened.st_ino)


def scratch() -> Staging:
    """A folder for what no user sees, in the system's folder for temporary files; what killed processes left there is removed.

    Its `new` is the folder to use.
    """
    parent = Path(tempfile.gettempdir())
    tidy(parent)
    return Staging.within(parent, private=True)


def tidy(parent: Path) -> None:
    """Finish and remove the temporary folders that processes which died left in a folder; those in use are left alone."""
    try:
        names = sorted(name for name in os.listdir(parent) if is_temporary(name))  # noqa: PTH208 - names are enough
    except OSError:
        return
    for name in names:
        left = Staging.left_at(parent / name)
        if left is not None:
            left.close()
