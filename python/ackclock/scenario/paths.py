"""Files that a scenario names."""

from __future__ import annotations

import codecs
import os
import re
import stat
from pathlib import Path

from ackclock.errors import Error

__all__ = [
    "MOST_BYTES",
    "UnreadableError",
    "decoded",
    "find",
    "keep_secret",
    "may_quote",
    "message_of",
    "read_bytes",
    "read_text",
    "seen_from_here",
    "show_again",
    "where_else",
]

MOST_BYTES = 10_000_000
"""Largest text file that a user writes by hand, bytes."""
_HEAD = 4096


def find(text: str, folder: Path | None) -> Path:
    """The path of a file that a scenario names: in `folder`, or else in the current folder."""
    given = Path(text)
    if folder is None:
        return given
    beside = folder / given
    # pathlib raises where a name is too long.
    return given if os.path.exists(given) and not os.path.exists(beside) else beside  # noqa: PTH110


def where_else(path: Path, folder: Path | None) -> str:
    """The remedy for a missing file if the scenario in `folder` is a copy in results, else ""."""
    # pathlib raises where a name is too long.
    if folder is None or os.path.exists(path):  # noqa: PTH110
        return ""
    if not all((folder / name).is_file() for name in ("plan.json", "summary.json")):
        return ""
    return (
        "; this scenario is of results: copy the file beside it, or run it from the folder that "
        "the file is in"
    )


def seen_from_here(text: str, folder: Path | None) -> str:
    """The path of `find` relative to the current folder, or absolute if it is not below that."""
    path = Path(os.path.normpath(find(text, folder).absolute()))
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)


_elsewhere: set[Path] = set()
"""Folders that a file named as its own although it lies elsewhere; see `keep_secret`."""


def keep_secret(folder: Path, file: Path) -> None:
    """Show no content of files in `folder`, which `file` names as its own, unless it lies there."""
    if not _lies_in(folder, file.parent):
        _elsewhere.add(_resolved(folder))


def show_again(folder: Path) -> None:
    """Undo `keep_secret`: the user names a file in the folder."""
    _elsewhere.discard(_resolved(folder))


def may_quote(path: Path, folder: Path | None) -> bool:
    """Whether messages may show the content of a file that a scenario in `folder` names.

    A scenario that somebody else wrote may name any file of the user's. Only the content of files
    in the scenario's own folder is shown, links followed.
    """
    place = Path() if folder is None else folder
    return _resolved(place) not in _elsewhere and _lies_in(path, place)


def _lies_in(path: Path, folder: Path) -> bool:
    return _resolved(path).is_relative_to(_resolved(folder))


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path.absolute()


def message_of(error: Exception, path: Path, folder: Path | None, what: str) -> str:
    """The text of an error about a file that a scenario in `folder` names.

    Without the file's content, if `may_quote` forbids it; `what` says what the file is not: "no
    trace of a link". An error about content has the attribute `is_of_content`.
    """
    if not getattr(error, "is_of_content", False) or may_quote(path, folder):
        return str(error)
    line = re.search(r"\bline \d+", str(error))
    place = f"{line[0]}: " if line else ""
    return (
        f"{place}{what}; the file lies outside of the scenario's folder, so nothing of it is shown"
    )


class UnreadableError(Error, ValueError):
    """A file that cannot be read, or has the wrong content; the message is one sentence."""

    kind = "unreadable"


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """The content of a file that the user names, at most `most` bytes.

    Raises
    ------
    UnreadableError
        If the file is missing, larger than `most` bytes, or a folder, pipe or device.
    """
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            raise UnreadableError("this is a folder, not a file")
        if not stat.S_ISREG(about.st_mode):
            kind = "pipe" if stat.S_ISFIFO(about.st_mode) else "device"
            raise UnreadableError(
                f"this is a {kind}, not a file: save what it gives, and name that file"
            )
        if about.st_size > most:
            raise UnreadableError(
                f"{about.st_size:,} bytes are more than {most:,}, the most that is read of such a "
                "file"
            )
        # A pipe that takes the file's place meanwhile must not be waited for.
        with open(path, "rb", opener=_without_waiting) as stream:
            # A file may grow, and those of /proc have no size.
            content = stream.read(most + 1)
    except FileNotFoundError:
        raise UnreadableError("there is no such file") from None
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError("this is no path of a file: it holds a null character") from None
    if len(content) > most:
        raise UnreadableError(f"more than {most:,} bytes, the most that is read of such a file")
    return content


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """The content of a text file in UTF-8, with or without a byte order mark.

    Raises
    ------
    UnreadableError
        As for `read_bytes`, and if the file is not text in UTF-8.
    """
    return decoded(read_bytes(path, most))


def decoded(content: bytes) -> str:
    """The text of bytes in UTF-8, with or without a byte order mark.

    Raises
    ------
    UnreadableError
        If the bytes are in another encoding, or no text at all.
    """
    # UTF-32's mark begins with UTF-16's.
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise UnreadableError("this is text in UTF-32: save it as UTF-8")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or _has_every_other_null(
        content
    ):
        raise UnreadableError("this is text in UTF-16: save it as UTF-8")
    if b"\0" in content[:_HEAD]:
        raise UnreadableError(f"this is a binary file, not text: byte {content.index(0)} is 0")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        place = f"byte {error.start} (0x{content[error.start]:02x}, line {line})"
        raise UnreadableError(
            f"not text in UTF-8: {place} is not valid; if it is in another encoding, save it as "
            "UTF-8"
        ) from None


def _has_every_other_null(content: bytes) -> bool:
    head = content[:200]
    return len(head) > 3 and any(not any(head[begin::2]) for begin in (0, 1)) and any(head)
