"""A trace in a few figures."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ackclock.scenario.video.trace import US_PER_S

if TYPE_CHECKING:
    from ackclock.scenario.video.trace import Trace

__all__ = ["KindSummary", "Summary", "summary"]


@dataclass(frozen=True)
class KindSummary:
    """The frames of one kind."""

    kind: str
    frames: int
    bytes: int
    largest: int

    @property
    def mean(self) -> float:
        """Mean size, bytes."""
        return self.bytes / self.frames


@dataclass(frozen=True)
class Summary:
    """Figures of a trace."""

    frames: int
    duration: float
    """Duration, s."""
    frame_rate: float
    """Frames per second."""
    rate: float
    """Mean rate, bit/s."""
    peak_rate: float
    """Most bits that are sent within any second."""
    gop: tuple[int, float, int] | None
    """Frames from one I frame to the next: least, mean, most; None where there are not two."""
    reorder: float
    """The longest time from sending to presentation, s, which B frames cause."""
    kinds: tuple[KindSummary, ...]


def _peak(trace: Trace) -> int:
    """The most bytes in a window of a second that begins with a frame."""
    most = window = first = 0
    for frame in trace.frames:
        window += frame.size
        while frame.time - trace.frames[first].time >= US_PER_S:
            window -= trace.frames[first].size
            first += 1
        most = max(most, window)
    return most


def summary(trace: Trace) -> Summary:
    """The figures of a trace."""
    kinds = []
    for kind in "IPB-":
        sizes = [frame.size for frame in trace.frames if frame.kind == kind]
        if sizes:
            kinds.append(KindSummary(kind, len(sizes), sum(sizes), max(sizes)))
    anchors = [number for number, frame in enumerate(trace.frames) if frame.kind == "I"]
    gaps = [b - a for a, b in pairwise(anchors)]
    duration = trace.duration / US_PER_S
    return Summary(
        frames=len(trace.frames),
        duration=duration,
        frame_rate=len(trace.frames) / duration,
        rate=8 * trace.size / duration,
        peak_rate=8.0 * _peak(trace),
        gop=(min(gaps), sum(gaps) / len(gaps), max(gaps)) if gaps else None,
        reorder=max(frame.presentation - frame.time for frame in trace.frames) / US_PER_S,
        kinds=tuple(kinds),
    )
