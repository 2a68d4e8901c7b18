"""A secret of this user, by which ackclock knows its own temporary folders and notes.

The secret is a file of 32 random bytes that only the user may read, in the user's folder of
settings. A stranger, whose folder a user unpacked or cloned, does not know the secret.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from contextlib import suppress
from pathlib import Path

from ackclock.atomic_io.system import READ_FILE

__all__ = ["FILE", "mark_of", "place_of_secret", "settings_folder"]

FILE = "secret"
"""Name of the file in the user's folder of settings."""

_LENGTH = 32


def place_of_secret() -> Path | None:
    """The path of the secret's file; None if the user has no folder of settings."""
    folder = settings_folder()
    return None if folder is None else folder / FILE


def mark_of(*words: str) -> str | None:
    """A mark in hexadecimal digits that only this user can make for these words.

    None if the user has no secret, and none can be made: there is no folder of settings, or one
    that cannot be written.
    """
    place = place_of_secret()
    known = None if place is None else _secret(place)
    if known is None:
        return None
    # No word has a null character.
    return hmac.new(
        known, "\0".join(words).encode(errors="surrogateescape"), hashlib.sha256
    ).hexdigest()


_known: dict[Path, bytes] = {}
"""Secrets that were read, by the path of their file."""


def _secret(place: Path) -> bytes | None:
    if place not in _known:
        with suppress(OSError):
            secret = _read(place)
            if secret is None:
                # Another thread or process may have made the file just now.
                if not os.path.lexists(place):
                    _make(place)
                secret = _read(place)
            if secret is not None:
                _known[place] = secret
    return _known.get(place)


def _read(place: Path) -> bytes | None:
    """The secret in a file; None if the file is missing, or others may know or write it."""
    try:
        file = os.open(place, READ_FILE)
    except OSError:
        return None
    try:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode):
            return None
        if os.name == "posix" and (about.st_uid != os.geteuid() or about.st_mode & 0o077):
            return None
        content = os.read(file, _LENGTH + 1)
    finally:
        os.close(file)
    return content if len(content) == _LENGTH else None


def _make(place: Path) -> None:
    """Make the file in one step; of two processes that do so, the first one's stays."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = place.with_name(f"{place.name}.{os.urandom(8).hex()}")
    file = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600
    )
    try:
        try:
            os.write(file, os.urandom(_LENGTH))
            os.fsync(file)
        finally:
            os.close(file)
        try:
            os.link(temporary, place)
        except FileExistsError:
            pass
        except (OSError, AttributeError):
            # A file system without hard links.
            temporary.rename(place)
    finally:
        temporary.unlink(missing_ok=True)


def settings_folder() -> Path | None:
    """The folder, an absolute path, be it there or not; None if the user has no home folder."""
    import click

    folder = Path(click.get_app_dir("ackclock"))
    if folder.is_absolute():
        return folder
    # A relative XDG_CONFIG_HOME would lie in the current folder, which others may have written.
    try:
        return Path.home() / ".config" / "ackclock"
    except RuntimeError:
        return None
