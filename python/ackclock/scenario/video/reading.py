"""Reading of traces from files of any known kind."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ackclock.messages import nearest_file
from ackclock.scenario.video import film, ns2, text
from ackclock.scenario.video.trace import MOST_FRAMES, TraceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.scenario.video.trace import Part, Trace

__all__ = ["SOURCES", "read"]

SOURCES = ("film", "text", "ns2")
"""Kinds of files that a trace is read from."""

_HEAD = 4096


def _opened(file: str) -> BinaryIO:
    try:
        about = Path(file).stat()
        if stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode):
            return Path(file).open("rb")
    except FileNotFoundError:
        raise TraceError(file, f"there is no such file{nearest_file(Path(file))}") from None
    except IsADirectoryError:
        raise TraceError(
            file, "this is a folder; give a film, a list of frames or an ns-2 trace"
        ) from None
    except (OSError, ValueError) as error:
        raise TraceError(
            file, f"cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None
    raise TraceError(
        file, "this is a pipe or a device, not a file: save what it gives, and name that file"
    )


def _source(head: bytes) -> str:
    if text.looks_like_text(head):
        return "text"
    return "ns2" if ns2.looks_like_ns2(head) else "film"


def read(
    file: str | Path,
    *,
    source: str | None = None,
    rate: float | None = None,
    part: Part | None = None,
    progress: Callable[[float], None] | None = None,
    films: bool = True,
) -> Trace:
    """Read the frames of a film, of a list in text (such as our own traces), or of an ns-2 trace.

    Parameters
    ----------
    file
        The file.
    source
        Which of `SOURCES` it is; by its first bytes if not given.
    rate
        Frames per second, where the file has no times.
    part
        Which part of it.
    progress
        Called with the share of a film that was read.
    films
        Whether it may be a film; if not, only a trace of one.

    Raises
    ------
    TraceError
        If it cannot be read, or is no film.
    """
    name = str(file)
    with _opened(name) as stream:
        head = stream.read(_HEAD)
        if not head:
            raise TraceError(name, "this file is empty")
        source = source or _source(head)
        stream.seek(0)
        if source == "text":
            # A file without line ends must not become one line in memory.
            try:
                return text.read_text(
                    name, iter(lambda: stream.readline(1 << 16), b""), rate=rate, part=part
                )
            except TraceError as error:
                error.is_of_content = True
                raise
        if source == "ns2":
            data = stream.read(8 * MOST_FRAMES + 1)
            if len(data) > 8 * MOST_FRAMES:
                raise TraceError(name, f"more than {MOST_FRAMES} records")
            return ns2.read_ns2(name, data, part=part)
        if not films:
            raise TraceError(
                name,
                "no trace of a video; if it is a film, this makes its trace: ackclock video-trace "
                f"{Path(name).name}",
            )
        return film.read_film(name, stream, rate=rate, part=part, progress=progress)
