"""Adaptive video over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from ackclock.messages import shown
from ackclock.scenario.app.base import Session
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import PositiveTime, Rate, Size, rate_bps, size_bytes, time_ps

if TYPE_CHECKING:
    from ackclock.core_types.plan import AdaptiveVideoSessionAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["AdaptiveVideo"]

# Netflix's ladder before it was made per title (Aaron et al., Per-Title Encode Optimization,
# Netflix Technology Blog 2015).
_LADDER = [
    "235kbit/s",
    "375kbit/s",
    "560kbit/s",
    "750kbit/s",
    "1050kbit/s",
    "1750kbit/s",
    "2350kbit/s",
    "3000kbit/s",
    "4300kbit/s",
    "5800kbit/s",
]


class AdaptiveVideo(Session):
    """Video over HTTP (DASH, HLS) in segments, each fetched at a rate that the player chooses.

    Segments and stalls are rows of transfers.parquet.
    """

    kind: Literal["adaptive-video"]
    """Name of the application."""
    ladder: list[Rate] = Field(default=_LADDER, min_length=1, validate_default=True)
    """Rates at which the video is encoded, ascending."""
    segment: PositiveTime = "4s"
    """Length of a segment."""
    buffer: PositiveTime = "30s"
    """Longest video that the player holds, at least two segments."""
    startup: PositiveTime = "4s"
    """Video held before playing begins, and before it resumes after a stall."""
    abr: Literal["bola", "buffer-based", "throughput"] = "bola"
    """Rate choice: BOLA, BBA-0, or highest below the harmonic mean of the last five throughputs."""
    request: Size = "350 bytes"
    """Size of each request."""
    segments: int | None = Field(default=None, ge=1)
    """Number of segments (default: until the flow stops or the run ends)."""

    @model_validator(mode="after")
    def _fits(self) -> AdaptiveVideo:
        rates = [rate_bps(rate) for rate in self.ladder]
        for index in range(1, len(rates)):
            if rates[index] <= rates[index - 1]:
                raise problem(
                    f"{shown(self.ladder[index])} is not above the rung before it: rates ascend",
                    key=f"ladder.{index}",
                )
        if time_ps(self.buffer) < 2 * time_ps(self.segment):
            raise problem(
                f"{shown(self.buffer)} does not hold two segments of {self.segment}", key="buffer"
            )
        if time_ps(self.startup) > time_ps(self.buffer):
            raise problem(
                f"{shown(self.startup)} is more than the buffer of {self.buffer} holds",
                key="startup",
            )
        return self

    def request_connections(self) -> int:
        """See `Session.request_connections`."""
        return 1

    def plan(self, place: Place) -> AdaptiveVideoSessionAppPlan:  # noqa: ARG002
        """See `Session.plan`."""
        return {
            "kind": "adaptive-video",
            "segment_ps": time_ps(self.segment),
            "ladder_bps": [rate_bps(rate) for rate in self.ladder],
            "buffer_ps": time_ps(self.buffer),
            "startup_ps": time_ps(self.startup),
            "abr": self.abr,
            "request_bytes": size_bytes(self.request),
            "count": self.segments,
        }
