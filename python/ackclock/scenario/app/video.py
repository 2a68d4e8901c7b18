"""A film, sent frame by frame."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from pydantic import model_validator

from ackclock.messages import shown
from ackclock.scenario.app.base import Stream
from ackclock.scenario.distributions import TimeOrDistribution, time_drawer
from ackclock.scenario.errors import ScenarioError, problem
from ackclock.scenario.paths import message_of, seen_from_here, where_else
from ackclock.scenario.quantities import PositiveTime, Rate, Size, rate_bps, size_bytes, time_ps
from ackclock.scenario.video import Trace, TraceError, read

if TYPE_CHECKING:
    from ackclock.core_types.plan import VideoStreamAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["Video"]

_PS_PER_US = 1_000_000
# The largest IP packet without the headers of IP, UDP and RTP.
_LARGEST_PAYLOAD = 65_535 - 40
# The engine counts a frame's bytes in 32 bits.
_LARGEST_FRAME = 2**32 - 1


class Video(Stream):
    """A film over RTP, from a trace of its frames (ackclock video-trace).

    The fate of each frame is a row of frames.parquet.
    """

    kind: Literal["video"]
    """Name of the application."""
    trace: str
    """File with the frames, beside the scenario's: a trace, a list of frames or an ns-2 trace."""
    begin: TimeOrDistribution = "0s"
    """Start in the film, at the next I frame, or a distribution to draw it per flow."""
    loop: bool = True
    """Whether the film starts again when it ends."""
    rate: Rate | None = None
    """Mean rate to which the frames' sizes are scaled (default: not scaled)."""
    packet: Size = "1200 bytes"
    """Largest payload of a datagram, without the 40 bytes of IP, UDP and RTP headers."""
    playout: PositiveTime = "200ms"
    """Playout delay at the receiver: a frame that is incomplete when it is due is late."""
    playout_from: Literal["arrival", "sending"] = "arrival"
    """Start of the playout delay: the first datagram's arrival, as in a player, or its sending.

    From sending, every frame has an equal time to arrive.
    """

    @model_validator(mode="after")
    def _fits(self) -> Video:
        if size_bytes(self.packet) > _LARGEST_PAYLOAD:
            raise problem(
                f"{shown(self.packet)} is too large: UDP leaves RTP at most {_LARGEST_PAYLOAD} "
                "bytes",
                key="packet",
                kind="out-of-range",
            )
        return self

    def header_bytes(self) -> int:
        """IPv4, UDP, and RTP's fixed header (RFC 3550 section 5.1)."""
        return 20 + 8 + 12

    def largest_payload_bytes(self) -> int:
        """See `Stream.largest_payload_bytes`."""
        return size_bytes(self.packet)

    def playout_ps(self) -> int | None:
        """See `Stream.playout_ps`; with playout_from = "sending" only frames have deadlines."""
        return time_ps(self.playout) if self.playout_from == "arrival" else None

    def resolved(self, folder: Path | None) -> Self:
        """See `Application.resolved`."""
        return self.model_copy(update={"trace": seen_from_here(self.trace, folder)})

    def plan(self, place: Place) -> VideoStreamAppPlan:
        """See `Stream.plan`."""
        frames, duration = self._played(place)
        return {
            "kind": "video",
            "frames": frames,
            "loop_ps": duration if self.loop else None,
            "packet_bytes": size_bytes(self.packet),
            "playout_ps": time_ps(self.playout),
            "playout_from": self.playout_from,
        }

    def _played(self, place: Place) -> tuple[str, int]:
        """The frames that the run has time for, as `VideoPlan` writes them, and the film's ps."""
        trace = self._read(place)
        begin = time_drawer(self.begin, place.seed, f"{place.key}.begin")(f"{place.stream}/begin")
        first = _first_from(trace, begin // _PS_PER_US)
        scale = (
            1.0 if self.rate is None else rate_bps(self.rate) * trace.duration / (8e6 * trace.size)
        )
        order = [*range(first, len(trace.frames)), *(range(first) if self.loop else ())]
        at = {number: index for index, number in enumerate(order)}
        frames: list[str] = []
        before = 0
        for number in order:
            frame = trace.frames[number]
            time = frame.time - trace.frames[first].time + (trace.duration if number < first else 0)
            if frames and time * _PS_PER_US > place.stop_ps - place.start_ps:
                break
            # A first B frame may need frames of a GOP that is not sent.
            needed = [
                at[number] - at[other]
                for other in frame.after
                if at.get(other, len(order)) < at[number]
            ]
            size = max(1, round(frame.size * scale))
            if size > _LARGEST_FRAME:
                raise ScenarioError(
                    f"{shown(self.rate)} makes a frame of {size} bytes, and {_LARGEST_FRAME} is "
                    "the most: lower it",
                    key=f"{place.key}.rate",
                    value=self.rate,
                )
            frames.append(
                f"{time - before}{frame.kind}{size}" + "".join(f"-{back}" for back in needed)
            )
            before = time
        return " ".join(frames), trace.duration * _PS_PER_US

    def _read(self, place: Place) -> Trace:
        path = Path(seen_from_here(self.trace, place.folder))
        try:
            return _cached(path, path.stat().st_mtime_ns if path.is_file() else 0)
        except TraceError as error:
            way = where_else(path, place.folder)
            about = message_of(error, path, place.folder, "no trace of a video")
            raise ScenarioError(
                f"{about}{way}", key=f"{place.key}.trace", value=self.trace
            ) from None


def _first_from(trace: Trace, begin: int) -> int:
    """Index of the first frame at or after `begin` us that a decoder can start with, cyclically."""
    begin %= trace.duration
    anchors = [number for number, frame in enumerate(trace.frames) if frame.kind in "I-"]
    later = (number for number in anchors if trace.frames[number].time >= begin)
    return next(later, 0) if begin else 0


@lru_cache(maxsize=16)
def _cached(path: Path, _changed: int) -> Trace:
    """The trace in a file, read once for all flows that send it."""
    return read(path, films=False)
