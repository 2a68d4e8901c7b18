"""The one kind of error of everything that cannot be written, whoever found out."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["NOT_CONFIRMED", "NOT_IN_PLACE", "WriteError", "reason_of", "writing"]

# How Rust's standard library ends the text of an error of the system; polars and the core pass the text on.
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_LONGEST_PATH = 120

NOT_CONFIRMED = "the disk did not confirm it"
NOT_IN_PLACE = "not all of it is in its place; the next command that reads it puts it there"


class WriteError(OSError):
    """Something could not be written: which path, and why, in one line.

    Attributes
    ----------
    path : Path
        As the user named it.
    why : str
        The system's words: "No space left on device".
    written : bool
        Whether the new result is there all the same: the disk did not confirm it, or the next command puts the last files in place.
    """

    def __init__(self, path: Path, why: str, *, errno: int | None = None, but: str = "") -> None:
        said = f"is written, but {but} ({why})" if but else f"cannot be written: {why}"
        super().__init__(f"'{shortened(path)}' {said}")
        self.path = path
        self.why = why
        self.errno = errno
        self.written = bool(but)


def shortened(path: str | Path) -> str:
    """A path as a message shows it: in one line, and its end alone if it is long."""
    text = "".join(letter if letter.isprintable() else "?" for letter in str(path))
    return text if len(text) <= _LONGEST_PATH else f"...{text[-_LONGEST_PATH:]}"


def reason_of(error: BaseException) -> tuple[int | None, str] | None:
    """Number and words of the system's error behind an exception; None if there is none.

    Python raises OSError. polars and the core raise errors of their own, or panic, with the system's words in the text.
    """
    if isinstance(error, WriteError):
        return error.errno, error.why
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno, error.strerror or os.strerror(error.errno)
    found = _OS_ERROR.search(str(error))
    return None if found is None else (int(found[1]), os.strerror(int(found[1])))


@contextmanager
def writing(path: Path, place: Path | None = None) -> Iterator[None]:
    """Turn errors of writing into `place` into a WriteError about `path`; other errors pass.

    Parameters
    ----------
    path
        What the user named.
    place
        The temporary folder that the block writes into: an error about a file elsewhere is none of writing. None: any error of
        the system is one.
    """
    try:
        yield
    except WriteError as error:
        # Of one of the files in it: told as of the whole.
        if error.written or place is None or place not in error.path.parents:
            raise
        raise WriteError(path, error.why, errno=error.errno) from error
    except BaseException as error:
        found = reason_of(error)
        if found is None or not (place is None or _is_inside(error, place)):
            raise
        raise WriteError(path, found[1], errno=found[0]) from error


def _is_inside(error: BaseException, place: Path) -> bool:
    """Whether an error is about a file in a folder, or names none."""
    name = getattr(error, "filename", None)
    if not isinstance(error, OSError) or name is None:
        return True
    named = Path(os.fsdecode(name))
    return named == place or place in named.parents or str(place) in str(error)
