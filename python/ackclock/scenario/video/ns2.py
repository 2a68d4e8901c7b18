"""ns-2's ``Application/Traffic/Trace``: records of two 32-bit big-endian integers.

A record has the us until a packet, and the packet's size in bytes.

ns-2 plays them in a ring (``trace/traffictrace.cc``), so the first record's time is the way from
the last packet to the first.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from ackclock.scenario.video.trace import LARGEST_FRAME, Draft, TraceError

if TYPE_CHECKING:
    from ackclock.scenario.video.trace import Part, Trace

__all__ = ["looks_like_ns2", "packed", "read_ns2"]

_RECORD = struct.Struct(">II")
_SEEN = 64
# An hour: films begin with bytes that would be more, or a larger frame than any.
_LONGEST_WAIT = 3600 * 1_000_000


def looks_like_ns2(head: bytes) -> bool:
    """Whether a file can be such a trace: the first records are possible frames."""
    whole = head[: min(len(head) // _RECORD.size, _SEEN) * _RECORD.size]
    return bool(whole) and all(
        wait <= _LONGEST_WAIT and size <= LARGEST_FRAME for wait, size in _RECORD.iter_unpack(whole)
    )


def read_ns2(file: str, data: bytes, *, part: Part | None = None) -> Trace:
    """Read a trace, which does not have the kinds of frames."""
    if len(data) % _RECORD.size:
        raise TraceError(
            file,
            f"{len(data)} bytes are no whole number of records of {_RECORD.size} bytes: the file "
            "is not complete",
        )
    draft = Draft(file)
    time = 0
    first = 0
    for number, (wait, size) in enumerate(_RECORD.iter_unpack(data), start=1):
        if number == 1:
            first = wait
        else:
            time += wait
        draft.add(f"record {number}", time, None, "-", size)
    return draft.finish(duration=time + first, part=part)


def packed(file: str, trace: Trace) -> bytes:
    """The records of a trace, without the kinds and presentation times of frames."""
    data = bytearray()
    before = trace.frames[-1].time - trace.duration
    for number, frame in enumerate(trace.frames, start=1):
        wait = frame.time - before
        before = frame.time
        if wait >> 32:
            raise TraceError(
                file,
                f"{wait / 1e6:g} s without a frame are more than ns-2's 32 bits hold",
                f"frame {number}",
            )
        data += _RECORD.pack(wait, frame.size)
    return bytes(data)
