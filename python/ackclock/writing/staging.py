"""Temporary folders in which results are made, and the recovery of those of dead processes.

::

    PARENT/.ackclock-1a2b3c4d5e6f/  locked (flock) by the process that writes
        new/                        the new result; after an exchange the earlier one
        old/                        the earlier result, if folders cannot be exchanged
        commit.json                 exists once `new/` is complete, and says where it belongs

The kernel drops a lock when its process ends, so a folder without a lock belongs to a dead process.
The next process that writes to this parent carries out commit.json and removes the folder.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ackclock.writing.errors import ExistsError
from ackclock.writing.finishing import NEW, OLD, finish
from ackclock.writing.names import PREFIX, is_temporary
from ackclock.writing.system import has_no_locks, lock, sync_file, sync_folder

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Staging", "scratch", "tidy"]

_COMMIT = "commit.json"
# Most attempts to make a folder that another process removes before it is locked.
_ATTEMPTS = 100


class Staging:
    """A temporary folder of this process; as a context it is finished and removed at the end.

    Attributes
    ----------
    folder : Path
        The temporary folder.
    new : Path
        The folder in it for the new files.
    """

    def __init__(self, folder: Path, file: int) -> None:
        self.folder = folder
        self.new = folder / NEW
        self.old = folder / OLD
        self._file = file

    @classmethod
    def within(cls, parent: Path, *, private: bool = False) -> Self:
        """Make a temporary folder in another; if `private`, for this user only.

        Raises
        ------
        OSError
            If the folder cannot be made.
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
        raise ExistsError(f"{parent}: no temporary folder can be made there")

    @classmethod
    def _locked(cls, folder: Path) -> Self | None:
        """Lock a temporary folder for this process; None if another process has or removed it."""
        try:
            file = os.open(
                folder,
                os.O_RDONLY
                | getattr(os, "O_DIRECTORY", 0)
                | getattr(os, "O_NOFOLLOW", 0)
                | getattr(os, "O_CLOEXEC", 0),
            )
        except FileNotFoundError:
            return None
        except PermissionError:
            # Windows cannot open folders, and needs no locks: it never removes others' folders.
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
        """Take over the temporary folder of a dead process; None if the process may be alive."""
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
        """Write commit.json: `new/` is complete. After a kill another process carries it out."""
        unfinished = self.folder / f"{_COMMIT}.part"
        unfinished.write_text(json.dumps(what), encoding="utf-8")
        sync_file(unfinished)
        unfinished.replace(self.folder / _COMMIT)
        sync_folder(self.folder)

    @property
    def committed(self) -> dict[str, Any] | None:
        """The content of commit.json; None without one."""
        try:
            said = json.loads((self.folder / _COMMIT).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return said if isinstance(said, dict) else None

    def finish(self) -> None:
        """Carry out commit.json, if there is one; repeating this changes nothing.

        Raises
        ------
        OSError
            If files cannot be moved now; the temporary folder must be kept.
        """
        if self.committed is not None:
            finish(self.folder, self.committed)

    def close(self) -> None:
        """Carry out commit.json, remove the folder, release the lock.

        A folder that cannot be removed is left to the next process.
        """
        if self._file == _CLOSED:
            return
        try:
            with suppress(OSError):
                self.finish()
                shutil.rmtree(self.folder, ignore_errors=True)
        finally:
            file, self._file = self._file, _CLOSED
            if file >= 0:
                os.close(file)

    def __enter__(self) -> Self:
        """Use the temporary folder."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Finish and remove the temporary folder."""
        self.close()


_CLOSED = -2


def _is_same(folder: Path, file: int) -> bool:
    """Whether the opened folder is still the one at this path."""
    try:
        there = folder.lstat()
    except OSError:
        return False
    opened = os.fstat(file)
    return (there.st_dev, there.st_ino) == (opened.st_dev, opened.st_ino)


def scratch() -> Staging:
    """A private folder in the system's folder for temporary files; `Staging.new` is for use.

    Folders of dead processes there are removed.
    """
    parent = Path(tempfile.gettempdir())
    tidy(parent)
    return Staging.within(parent, private=True)


def tidy(parent: Path) -> None:
    """Finish and remove the temporary folders of dead processes in a folder."""
    try:
        names = sorted(name for name in os.listdir(parent) if is_temporary(name))  # noqa: PTH208 - names are enough
    except OSError:
        return
    for name in names:
        left = Staging.left_at(parent / name)
        if left is not None:
            left.close()
