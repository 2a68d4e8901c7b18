"""Mahimahi's packet-delivery traces: a time in ms per line at which the link delivers a packet.

Sources: mm-link(1), ``link_queue.cc``.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from ackclock.errors import Error
from ackclock.messages import nearest_file, shown
from ackclock.scenario.paths import UnreadableError, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = [
    "PACKET_BYTES",
    "Opportunities",
    "TraceError",
    "mean_rate_bps",
    "pack",
    "parse",
    "read",
    "read_packed",
    "text",
]

PACKET_BYTES = 1500
"""Bytes of an opportunity, without the 4 that mm-link's TUN device puts before each packet."""

# 480 h, the longest run.
_LONGEST_MS = 480 * 3600 * 1000
_LARGEST_FILE = 100_000_000

_GOOD = re.compile(r"(?:(?:0|[1-9][0-9]{0,9})\n)*(?:0|[1-9][0-9]{0,9})\n?")

Opportunities = list[tuple[int, int]]
"""Pairs of a time in ms, ascending, and the number of opportunities at it."""


class TraceError(Error, ValueError):
    """A trace that mm-link would refuse; the message has the number of the line."""

    kind = "unreadable"
    is_of_content = False
    """Whether the text may have some of the file's content."""


def parse(content: str) -> Opportunities:
    r"""The opportunities of a trace's text, read as strictly as by mm-link.

    Raises
    ------
    TraceError
        If a line is not a whole number of ms, lines are out of order or missing, or the last is 0.

    Examples
    --------
    >>> parse("1\n1\n4\n")
    [(1, 2), (4, 1)]
    """
    if _GOOD.fullmatch(content) is None:
        raise _first_bad_line(content)
    times = [int(line) for line in content.split()]
    if times[-1] > _LONGEST_MS or any(
        after < before for before, after in itertools.pairwise(times)
    ):
        raise _first_bad_line(content)
    if times[-1] == 0:
        raise TraceError(
            "all lines are 0: the last says how long the trace is, in ms, and must be more"
        )
    return list(Counter(times).items())


def _first_bad_line(content: str) -> TraceError:
    if not content:
        return TraceError(
            "there is nothing in it: each line is a time in ms at which a packet can be delivered"
        )
    before = 0
    for number, line in enumerate(content.removesuffix("\n").split("\n"), start=1):
        if line == "":
            return TraceError(
                f"line {number} is empty: each line is a time in ms, and nothing else"
            )
        if not (line.isascii() and line.isdigit()) or (line[0] == "0" and line != "0"):
            return TraceError(
                f"line {number}: {shown(line)} is not a whole number of ms, such as '12'"
            )
        # The digits first: a number of a million digits takes long to read.
        if len(line) > 10 or int(line) > _LONGEST_MS:
            return TraceError(
                f"line {number}: {shown(line)} ms is after the longest run, {_LONGEST_MS} ms"
            )
        if int(line) < before:
            return TraceError(
                f"line {number}: {line} ms is before the line that precedes it, {before} ms: "
                "times ascend"
            )
        before = int(line)
    return TraceError("not a list of times in ms, one on each line")


def read(path: Path) -> Opportunities:
    """The opportunities of a trace file.

    Raises
    ------
    TraceError
        If it cannot be read, or is no trace.
    """
    try:
        content = read_bytes(path, _LARGEST_FILE)
    except UnreadableError as error:
        near = nearest_file(path) if "no such file" in str(error) else ""
        folder = "; name a file with a time in ms on each line" if "folder" in str(error) else ""
        raise TraceError(f"{error}{near}{folder}") from None
    try:
        return parse(content.decode("ascii"))
    except TraceError as error:
        error.is_of_content = True
        raise
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TraceError(
            f"line {line} is not text: each line is a time in ms, and nothing else"
        ) from None


def read_packed(path: Path) -> tuple[str, int]:
    """The opportunities of a trace file as `pack` writes them, and their mean rate in bit/s.

    An unchanged file is read once.

    Raises
    ------
    TraceError
        As for `read`.
    """
    try:
        about = path.stat()
    except (OSError, ValueError):
        return _read_packed(path, 0, 0)
    return _read_packed(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=64)
def _read_packed(path: Path, _changed: int, _size: int) -> tuple[str, int]:
    opportunities = read(path)
    return pack(opportunities), mean_rate_bps(opportunities)


def text(opportunities: Iterable[tuple[int, int]]) -> str:
    """The text of a trace, from which `parse` reads the same opportunities."""
    return "".join(f"{ms}\n" * count for ms, count in opportunities)


def pack(opportunities: Opportunities) -> str:
    """The opportunities in a plan's form: ms since the one before, with ``*2`` where two coincide.

    Examples
    --------
    >>> pack([(3, 1), (4, 2), (8, 1)])
    '3 1*2 4'
    """
    times = [0, *(ms for ms, _ in opportunities)]
    gaps = (after - before for before, after in itertools.pairwise(times))
    return " ".join(
        str(gap) if count == 1 else f"{gap}*{count}"
        for gap, (_, count) in zip(gaps, opportunities, strict=True)
    )


def mean_rate_bps(opportunities: Opportunities) -> int:
    """The rate of full packets over a cycle, bit/s: one line for each ms is 12 Mbit/s."""
    return max(
        1,
        sum(count for _, count in opportunities) * PACKET_BYTES * 8 * 1000 // opportunities[-1][0],
    )
