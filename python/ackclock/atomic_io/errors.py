"""The error of files and folders that cannot be written."""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.errors import Error

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "NOT_CONFIRMED",
    "NOT_IN_PLACE",
    "ExistsError",
    "LinkError",
    "WriteError",
    "reason_of",
    "writing",
]

# End of the text of a system's error in Rust's standard library; polars and the engine pass it on.
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_LONGEST_PATH = 120

NOT_CONFIRMED = "the disk did not confirm it"
NOT_IN_PLACE = "not all of it is in its place; the next command that reads it puts it there"


class WriteError(Error, OSError):
    """A path could not be written; the text says which, and why.

    Attributes
    ----------
    path : Path
        The path as the user named it.
    why : str
        Text of the system's error: "No space left on device".
    written : bool
        Whether the new result exists nevertheless: the disk did not confirm it, or the next command
        will move the last files.

    Examples
    --------
    >>> import ackclock as ac
    >>> issubclass(ac.WriteError, OSError), ac.WriteError.kind
    (True, 'unwritable')
    """

    kind = "unwritable"

    def __init__(self, path: Path, why: str, *, errno: int | None = None, but: str = "") -> None:
        said = f"is written, but {but} ({why})" if but else f"cannot be written: {why}"
        super().__init__(f"'{shortened(path)}' {said}")
        self.path = path
        self.why = why
        self.errno = errno
        self.written = bool(but)


class LinkError(Error, OSError):
    """A symbolic link in a folder of results, or in a place that ackclock chose itself.

    A stranger may have made the folder and the link. ackclock follows only links that the user
    names.
    """

    kind = "unreadable"

    def __init__(
        self, path: Path, remedy: str = "remove it, or name the place it leads to"
    ) -> None:
        why = f"'{shortened(path)}' is a symbolic link, which ackclock does not follow: {remedy}"
        super().__init__(why)
        self.path = path
        self.errno = errno.ELOOP
        self.strerror = why

    def __str__(self) -> str:
        """The sentence alone; OSError puts the number of the error in front."""
        return str(self.strerror)


class ExistsError(Error, FileExistsError):
    """A place where results should go holds something else; nothing there was touched."""

    kind = "unwritable"


def shortened(path: str | Path) -> str:
    """A path for a message: printable, and only the end if it is long."""
    text = "".join(letter if letter.isprintable() else "?" for letter in str(path))
    return text if len(text) <= _LONGEST_PATH else f"...{text[-_LONGEST_PATH:]}"


def reason_of(error: BaseException) -> tuple[int | None, str] | None:
    """Number and text of the system's error behind an exception; None if there is none.

    Python raises OSError. polars and the engine raise other errors, or panic, and quote the
    system's text.
    """
    if isinstance(error, WriteError):
        return error.errno, error.why
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno, error.strerror or os.strerror(error.errno)
    match = _OS_ERROR.search(str(error))
    return None if match is None else (int(match[1]), os.strerror(int(match[1])))


@contextmanager
def writing(path: Path, place: Path | None = None) -> Iterator[None]:
    """Turn errors of writing into a WriteError about `path`; other errors pass.

    The block writes into the temporary folder `place`: errors about files elsewhere pass, too.
    Without `place`, every error of the system is one of writing.
    """
    try:
        yield
    except WriteError as error:
        # An error about a file in `place` becomes one about `path`.
        if error.written or place is None or place not in error.path.parents:
            raise
        raise WriteError(path, error.why, errno=error.errno) from error
    except LinkError as error:
        # The temporary folder has no links: this is about a file that the block reads.
        if place is not None:
            raise
        raise WriteError(path, str(error), errno=error.errno) from error
    except BaseException as error:
        reason = reason_of(error)
        if reason is None or not (place is None or _is_inside(error, place)):
            raise
        raise WriteError(path, reason[1], errno=reason[0]) from error


def _is_inside(error: BaseException, place: Path) -> bool:
    """Whether an error is about a file in a folder, or names none."""
    name = getattr(error, "filename", None)
    if not isinstance(error, OSError) or name is None:
        return True
    named = Path(os.fsdecode(name))
    return named == place or place in named.parents or str(place) in str(error)
