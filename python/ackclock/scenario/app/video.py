"""A film, sent frame by frame."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import model_validator

from ackclock.scenario.app.base import Stream
from ackclock.scenario.distributions import TimeOrDistribution, time_drawer
from ackclock.scenario.errors import ScenarioError, problem, shown
from ackclock.scenario.paths import seen_from_here, where_else
from ackclock.scenario.quantities import PositiveTime, Rate, Size, rate_bps, size_bytes, time_ps
from ackclock.video import Trace, TraceError, read

if TYPE_CHECKING:
    from ackclock.scenario.app.place import Place

__all__ = ["Video"]

_PS_PER_US = 1_000_000
# The largest IP packet without the headers of IP, UDP and RTP.
_LARGEST_PAYLOAD = 65_535 - 40
# What the engine counts the bytes of a frame in.
_LARGEST_FRAME = 2**32 - 1


class Video(Stream):
    """A film from a trace of its frames (ackclock video-trace), over RTP; what becomes of each frame is a row of frames.parquet."""

    kind: Literal["video"]
    """Which application."""
    trace: str
    """File with the frames, beside the scenario's: a trace, a list of frames or an ns-2 trace."""
    begin: TimeOrDistribution = "0s"
    """Where in the film it begins: with the first I frame from there on; or a distribution to draw that from for each flow."""
    loop: bool = True
    """Whether the film begins anew when it ends."""
    rate: Rate | None = None
    """Mean rate of the frames, to which their sizes are scaled (default: as they are)."""
    packet: Size = "1200 bytes"
    """The most payload of a datagram; a frame is cut into as many as it needs. Headers are 40 bytes: IP, UDP, RTP."""
    playout: PositiveTime = "200ms"
    """How long the receiver waits before it plays: a frame that is not complete then is late."""
    playout_from: Literal["arrival", "sending"] = "arrival"
    """It waits from the arrival of the first datagram, as a player does, or from when it was sent, so that every frame has as much time."""

    @model_validator(mode="after")
    def _fits(self) -> Video:
        if size_bytes(self.packet) > _LARGEST_PAYLOAD:
            raise problem(f"{shown(self.packet)} is too large: UDP leaves RTP at most {_LARGEST_PAYLOAD} bytes", key="packet")
        return self

    def header_bytes(self) -> int:
        """IPv4, UDP, and RTP's fixed header (RFC 3550 section 5.1)."""
        return 20 + 8 + 12

    def largest_payload_bytes(self) -> int:
        """See `Stream.largest_payload_bytes`."""
        return size_bytes(self.packet)

    def playout_ps(self) -> int | None:
        """See `Stream.playout_ps`; where every frame has as much time, only frames have deadlines."""
        return time_ps(self.playout) if self.playout_from == "arrival" else None

    def resolved(self, folder: Path | None) -> Self:
        """See `Application.resolved`."""
        return self.model_copy(update={"trace": seen_from_here(self.trace, folder)})

    def plan(self, place: Place) -> dict[str, Any]:
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
        """The frames as they are sent (`VideoPlan`), without those that the run is too short for, and the time of a round, ps."""
        trace = self._read(place)
        begin = time_drawer(self.begin, place.seed, f"{place.key}.begin")(f"{place.stream}/begin")
        first = _first_from(trace, begin // _PS_PER_US)
        scale = 1.0 if self.rate is None else rate_bps(self.rate) * trace.duration / (8e6 * trace.size)
        order = [*range(first, len(trace.frames)), *(range(first) if self.loop else ())]
        at = {number: index for index, number in enumerate(order)}
        frames: list[str] = []
        before = 0
        for number in order:
            frame = trace.frames[number]
            time = frame.time - trace.frames[first].time + (trace.duration if number < first else 0)
            if frames and time * _PS_PER_US > place.stop_ps - place.start_ps:
                break
            # What a B frame needs of the GOP before the first is nowhere.
            needed = [at[number] - at[other] for other in frame.after if at.get(other, len(order)) < at[number]]
            size = max(1, round(frame.size * scale))
            if size > _LARGEST_FRAME:
                raise ScenarioError(
                    f"{shown(self.rate)} makes a frame of {size} bytes, and {_LARGEST_FRAME} is the most: lower it",
                    key=f"{place.key}.rate",
                    value=self.rate,
                )
            frames.append(f"{time - before}{frame.kind}{size}" + "".join(f"-{back}" for back in needed))
            before = time
        return " ".join(frames), trace.duration * _PS_PER_US

    def _read(self, place: Place) -> Trace:
        path = Path(seen_from_here(self.trace, place.folder))
        try:
            return _cached(path, path.stat().st_mtime_ns if path.is_file() else 0)
        except TraceError as error:
            way = "" if os.path.exists(path) else where_else(place.folder)  # noqa: PTH110 - as in `find`
            raise ScenarioError(f"{error}{way}", key=f"{place.key}.trace", value=self.trace) from None


def _first_from(trace: Trace, begin: int) -> int:
    """The first frame from `begin` (us, round the film) on that a decoder can begin with."""
    begin %= trace.duration
    anchors = [number for number, frame in enumerate(trace.frames) if frame.kind in "I-"]
    return next((number for number in anchors if trace.frames[number].time >= begin), 0) if begin else 0


@lru_cache(maxsize=16)
def _cached(path: Path, _changed: int) -> Trace:
    """Many flows may send one film."""
    return read(path, films=False)
