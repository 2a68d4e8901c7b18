"""The folders that the user trusts, in a file of the user's configuration."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import WriteError, write_text
from ackclock.atomic_io.errors import writing
from ackclock.atomic_io.secret import settings_folder
from ackclock.errors import Error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.errors import Kind

__all__ = ["Trust", "TrustError", "trust", "trust_new", "trust_of_user"]

_NAME = "trusted-folders.json"
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class TrustError(Error, ValueError):
    """A folder that cannot be trusted, or a list of trusted folders that cannot be believed."""

    kind: Kind = "invalid"


class Trust:
    """The list of trusted folders.

    A folder is known by its real path and its owner. Trust covers the folders below it.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.doubt = ""
        """Sentence on why the file is not believed; "" if it is, or if there is none."""
        self._folders: dict[str, int] = {}
        self._read()

    @property
    def folders(self) -> Mapping[str, int]:
        """Owners by the trusted folders' real paths, sorted; an owner is a user's number."""
        return dict(sorted(self._folders.items()))

    def _read(self) -> None:
        try:
            with self.file.open(encoding="utf-8") as source:
                self.doubt = self._doubt_of(os.fstat(source.fileno()))
                if self.doubt:
                    return
                given = json.load(source)["folders"]
                self._folders = {str(folder): int(owner) for folder, owner in given.items()}
        except FileNotFoundError:
            return
        except OSError as error:
            self.doubt = f"{self.file}: it cannot be read ({error.strerror})"
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.doubt = f"{self.file}: it is no list of trusted folders; remove it"

    def _doubt_of(self, status: os.stat_result) -> str:
        if not hasattr(os, "getuid"):
            return ""
        if status.st_uid != os.getuid():
            return f"{self.file}: it belongs to another user, so it is not believed"
        if status.st_mode & _BY_OTHERS:
            return f"{self.file}: others may write it, so it is not believed: chmod 600 {self.file}"
        return ""

    def covers(self, folder: Path) -> bool:
        """Return whether a folder, given by its real path, is trusted."""
        return any(self._holds(place) for place in (folder, *folder.parents))

    def _holds(self, folder: Path) -> bool:
        owner = self._folders.get(str(folder))
        if owner is None or self._holds_the_list(folder):
            return False
        try:
            # The folder of another user at the place of a removed one is another folder.
            return folder.stat().st_uid == owner
        except OSError:
            return False

    def _holds_the_list(self, folder: Path) -> bool:
        return self.file.resolve().is_relative_to(folder)

    def add(self, folder: Path) -> Path:
        """Trust a folder and the folders below it; return its real path.

        Raises
        ------
        TrustError
            If there is no such folder, it is too much to trust, or the list is not believed.
        WriteError
            If the list cannot be written.
        """
        real = folder.resolve()
        if not real.is_dir():
            raise TrustError(f"{folder}: there is no such folder")
        why = self._too_much(real)
        if why:
            raise TrustError(f"{real}: {why}; trust the folder of your scenarios")
        if self.doubt:
            raise TrustError(self.doubt)
        self._folders[str(real)] = real.stat().st_uid
        self._write()
        return real

    def _too_much(self, real: Path) -> str:
        """Return why a folder cannot be trusted as a whole; "" if it can."""
        if real == Path(real.anchor):
            return "this is the whole machine"
        if Path.home().resolve().is_relative_to(real):
            return "your home folder is in it, with all that you ever download"
        if self._holds_the_list(real):
            return "the list of trusted folders is in it"
        if real.stat().st_mode & stat.S_IWOTH:
            return "everybody may write into it"
        return ""

    def remove(self, folder: Path) -> Path:
        """Trust a folder no longer; return its real path.

        Raises
        ------
        TrustError
            If the folder is not in the list.
        WriteError
            If the list cannot be written.
        """
        real = folder.resolve()
        if self.doubt:
            raise TrustError(self.doubt)
        if str(real) not in self._folders:
            above = next(
                (str(parent) for parent in real.parents if str(parent) in self._folders), None
            )
            raise TrustError(
                f"{real}: it is not in the list"
                + (f"; it is trusted as a part of {above}" if above else "")
            )
        del self._folders[str(real)]
        self._write()
        return real

    def _write(self) -> None:
        with writing(self.file):
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = os.umask(0o077)
        try:
            write_text(self.file, json.dumps({"folders": self.folders}, indent=2) + "\n")
            with writing(self.file):
                self.file.chmod(0o600)
        finally:
            os.umask(before)


def trust_of_user() -> Trust:
    """Return the list of this user.

    Raises
    ------
    TrustError
        If the user has no home folder.
    """
    file = _place()
    try:
        changed = file.stat()
    except OSError:
        return _known(file, None)
    return _known(file, (changed.st_mtime_ns, changed.st_ino, changed.st_mode))


@lru_cache(maxsize=2)
def _known(file: Path, _state: tuple[int, int, int] | None) -> Trust:
    return Trust(file)


def _place() -> Path:
    folder = settings_folder()
    if folder is None:
        raise TrustError("you have no home folder to remember trusted folders in: set HOME")
    return folder / _NAME


def trust(folder: str | Path) -> Path:
    """Trust a folder: ackclock may run the Python code that files in it name, now and later.

    This is `ackclock trust FOLDER`. It covers the folders below, and is remembered in the user's
    configuration.

    Parameters
    ----------
    folder : str or Path
        The folder of scenarios and modules.

    Returns
    -------
    Path
        The folder's real path.

    Raises
    ------
    TrustError
        If there is no such folder, or it is too much to trust, such as the home folder.
    WriteError
        If the configuration cannot be written.

    Examples
    --------
    >>> import tempfile, ackclock as ac
    >>> folder = tempfile.mkdtemp()
    >>> ac.trust(folder).is_dir()
    True
    """
    return Trust(_place()).add(Path(folder))


def trust_new(folder: Path) -> None:
    """Trust a folder that ackclock has just made; where the list cannot be written, say nothing.

    The user is asked, or told the way, when a file in it names code.
    """
    with suppress(TrustError, WriteError):
        trust(folder)
