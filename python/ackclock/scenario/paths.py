"""Files that a scenario names."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

from ackclock.errors import Error

__all__ = [
    "MOST_BYTES",
    "UnreadableError",
    "decoded",
    "find",
    "read_bytes",
    "read_text",
    "seen_from_here",
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
        with path.open("rb") as stream:
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
