"""Temporary folders in which results are made, and the recovery of those of dead processes.

::

    PARENT/.ackclock-1a2b.../  locked (flock) by the process that writes
        new/                   the new result; after an exchange the earlier one
        old/                   the earlier result, if folders cannot be exchanged
        commit.json            exists once `new/` is complete, and says where it belongs

The kernel drops a lock when its process ends, so a folder without a lock belongs to a dead process.
The next process of the same user that writes to this parent carries out commit.json and removes the
folder.

The name of the folder and commit.json carry marks that only this user can make, for this place
(`ackclock.atomic_io.secret`). A folder without them came from elsewhere, in an archive or a clone.
It is left alone: nothing in it is read, moved or removed. Without a secret no folder is believed,
and remains of killed processes stay. Nothing is said about such folders, because a stranger's
folder could then make every command speak.
"""

from __future__ import annotations

import hmac
import json
import os
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ackclock.atomic_io.beneath import Folder
from ackclock.atomic_io.errors import ExistsError
from ackclock.atomic_io.finishing import NEW, finish
from ackclock.atomic_io.names import identity_of, is_our_name, is_temporary, new_name
from ackclock.atomic_io.reading import JSON, parse_json
from ackclock.atomic_io.secret import mark_of
from ackclock.atomic_io.system import has_no_locks, lock, sync_file

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Staging", "is_staged", "scratch", "tidy"]

_COMMIT = "commit.json"
# Most attempts to make a folder that another process removes before it is locked.
_ATTEMPTS = 100

_live: set[Path] = set()
"""Temporary folders of this process."""


class Staging:
    """A temporary folder of this process; as a context it is finished and removed at the end.

    Attributes
    ----------
    folder : Path
        The temporary folder.
    new : Path
        The folder in it for the new files.
    opened : Folder
        The temporary folder, opened.
    parent : Folder
        The folder that it is in, opened.
    """

    def __init__(self, parent: Folder, opened: Folder) -> None:
        self.parent = parent
        self.opened = opened
        self.folder = opened.path
        self.new = self.folder / NEW
        self._is_closed = False
        self._what: dict[str, Any] | None = None
        """The note that this process wrote."""

    @classmethod
    def within(cls, parent: Path | Folder, *, private: bool = False) -> Self:
        """Make a temporary folder in another; if `private`, for this user only.

        Raises
        ------
        OSError
            If the folder cannot be made.
        """
        with Folder.open(parent) if isinstance(parent, Path) else parent.within("") as place:
            for _ in range(_ATTEMPTS):
                name = new_name(place)
                try:
                    place.make_folder(name, 0o700 if private else 0o777)
                except FileExistsError:
                    continue
                staging = cls._locked(place, name)
                if staging is not None:
                    try:
                        staging.opened.make_folder(NEW)
                    except BaseException:
                        staging.close()
                        raise
                    return staging
        raise ExistsError(f"{place.path}: no temporary folder can be made there")

    @classmethod
    def _locked(cls, parent: Folder, name: str) -> Self | None:
        """Lock a temporary folder for this process; None if another process has or removed it."""
        with ExitStack() as undo:
            try:
                opened = undo.enter_context(parent.within(name))
            except FileNotFoundError:
                return None
            try:
                is_ours = opened.file is None or lock(opened.file)
            except OSError as error:
                if not has_no_locks(error):
                    with suppress(OSError):
                        parent.remove_empty(name)
                    raise
                is_ours = True
            if not is_ours or not _is_same(parent, name, opened):
                return None
            undo.pop_all()
            return cls._taken(parent, opened)

    @classmethod
    def _taken(cls, parent: Folder, opened: Folder) -> Self:
        staging = cls(parent.within(""), opened)
        _live.add(staging.folder.absolute())
        return staging

    @classmethod
    def left_at(cls, parent: Folder, name: str) -> Self | None:
        """Take over a temporary folder of a dead process of this user.

        None if the process may be alive, or the folder is not known as this user's.
        """
        if parent.file is None or not is_our_name(parent, name):
            return None
        try:
            opened = parent.within(name)
        except OSError:
            return None
        with ExitStack() as undo:
            undo.enter_context(opened)
            with suppress(OSError):
                file = opened.file
                if file is None or os.fstat(file).st_uid != os.geteuid():
                    return None
                if lock(file) and _is_same(parent, name, opened):
                    undo.pop_all()
                    return cls._taken(parent, opened)
        return None

    def _mark(self, text: str) -> str | None:
        places = identity_of(self.parent), self.folder.name, identity_of(self.opened)
        return mark_of("note", *places, text)

    def commit(self, **what: Any) -> None:
        """Write commit.json: `new/` is complete. After a kill another process carries it out."""
        text = json.dumps(what)
        unfinished = self.folder / f"{_COMMIT}.part"
        noted = json.dumps({"what": text, "mark": self._mark(text)})
        unfinished.write_text(noted, encoding="utf-8")
        sync_file(unfinished)
        self.opened.move(unfinished.name, self.opened, _COMMIT)
        self.opened.sync()
        self._what = what

    @property
    def committed(self) -> dict[str, Any] | None:
        """The content of commit.json; None without one that this user wrote for this place."""
        if self._what is not None:
            return self._what
        try:
            with self.opened.open_file(_COMMIT) as stream:
                noted = parse_json(stream.read(JSON.size + 1))
            text, mark = noted["what"], self._mark(noted["what"])
            if mark is None or not hmac.compare_digest(mark, noted["mark"]):
                return None
            said = parse_json(text.encode())
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        return said if isinstance(said, dict) else None

    def finish(self) -> None:
        """Carry out commit.json, if there is one; repeating this changes nothing.

        Raises
        ------
        OSError
            If files cannot be moved now; the temporary folder must be kept.
        """
        what = self.committed
        if what is not None:
            finish(self.opened, self.parent, what)

    def close(self) -> None:
        """Carry out commit.json, remove the folder, release the lock.

        A folder that cannot be removed is left to the next process.
        """
        if self._is_closed:
            return
        self._is_closed = True
        try:
            with suppress(OSError):
                self.finish()
                # A note that is not believed may speak of the only copy of an earlier result.
                if self.committed is not None or not self.opened.has(_COMMIT):
                    self.parent.remove_tree(self.folder.name)
        finally:
            self.release()

    def release(self) -> None:
        """Release the lock, and leave everything as it is: as if the process died here."""
        _live.discard(self.folder.absolute())
        self.opened.close()
        self.parent.close()

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


def is_staged(path: Path) -> bool:
    """Whether a path is in a temporary folder of this process."""
    return bool(_live) and any(above in _live for above in path.absolute().parents)


def _is_same(parent: Folder, name: str, opened: Folder) -> bool:
    """Whether the opened folder is still the one of this name."""
    if opened.file is None:
        return True
    try:
        there = parent.stat(name)
    except OSError:
        return False
    about = os.fstat(opened.file)
    return (there.st_dev, there.st_ino) == (about.st_dev, about.st_ino)


def scratch() -> Staging:
    """A private folder in the system's folder for temporary files; `Staging.new` is for use.

    Folders of dead processes there are removed.
    """
    parent = Path(tempfile.gettempdir())
    tidy(parent)
    return Staging.within(parent, private=True)


def tidy(parent: Path | Folder) -> None:
    """Finish and remove the temporary folders of dead processes of this user in a folder."""
    try:
        opened = Folder.open(parent) if isinstance(parent, Path) else parent.within("")
    except OSError:
        return
    with opened:
        names = []
        with suppress(OSError):
            names = [name for name in opened.names() if is_temporary(name)]
        for name in names:
            left = Staging.left_at(opened, name)
            if left is not None:
                left.close()
