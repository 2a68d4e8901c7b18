"""Speech over UDP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from ackclock.messages import shown
from ackclock.scenario.app.base import Stream
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import PositiveTime, Rate, Time, rate_bps, time_ps

if TYPE_CHECKING:
    from ackclock.core_types.plan import VoiceStreamAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["CODECS", "Codec", "Voice"]


@dataclass(frozen=True)
class Codec:
    """Properties of a codec that the E-model and the wire depend on."""

    rate_bps: int
    """Rate of the speech without headers."""
    lookahead_ps: int
    """Speech after the frame that the encoder waits for."""
    ie: float
    """Impairment without loss (ITU-T G.113 appendix I)."""
    bpl: float
    """Robustness against loss (ITU-T G.113 appendix I)."""


_MS = 10**9

CODECS = {
    # G.113 appendix I: packet-loss concealment of G.711 appendix I.
    "g711": Codec(64_000, 0, 0, 25.1),
    "g711-without-plc": Codec(64_000, 0, 0, 4.3),
    "g729a": Codec(8_000, 5 * _MS, 11, 19),
    # RFC 6716 section 2.1.1: 16 to 20 kbit/s for wideband speech, 6.5 ms of look-ahead in the
    # speech mode. The ITU-T has no narrow-band impairments for Opus; G.711's with concealment
    # stand in.
    "opus": Codec(20_000, 13 * _MS // 2, 0, 25.1),
}


class Voice(Stream):
    """Speech over RTP and UDP: talk spurts and pauses, judged by the E-model (ITU-T G.107)."""

    kind: Literal["voice"]
    """Name of the application."""
    codec: Literal["g711", "g711-without-plc", "g729a", "opus"] = "g711"
    """Codec: its rate, its look-ahead and its impairments."""
    frame: PositiveTime = "20ms"
    """Speech in each datagram."""
    rate: Rate | None = None
    """Rate of the speech without headers (default: the codec's; opus can have any)."""
    talk: Time = "1004ms"
    """Mean of the talk spurts, exponential (ITU-T P.59); "0s": no pauses."""
    pause: Time = "1587ms"
    """Mean of the pauses, exponential (ITU-T P.59)."""
    playout: PositiveTime = "60ms"
    """Playout buffer: a datagram this much slower than the first is late."""
    advantage: float = Field(default=0.0, ge=0, le=20)
    """The E-model's A: 0 by wire, 5 in a building, 10 in a vehicle, 20 in hard-to-reach places."""

    @model_validator(mode="after")
    def _checked(self) -> Voice:
        if self.rate is not None and self.codec != "opus":
            raise problem(
                f"{shown(self.rate)}: the rate of {self.codec} is fixed; leave it out", key="rate"
            )
        if self._payload() < 1:
            raise problem(f"{shown(self.frame)} of speech is less than one byte", key="frame")
        if self._payload() > 65_000:
            raise problem(
                f"{shown(self.frame)} of speech does not fit into a datagram", key="frame"
            )
        return self

    def _payload(self) -> int:
        speech = CODECS[self.codec].rate_bps if self.rate is None else rate_bps(self.rate)
        return speech * time_ps(self.frame) // (8 * 10**12)

    def header_bytes(self) -> int:
        """IPv4, UDP, RTP (RFC 3550 section 5.1)."""
        return 20 + 8 + 12

    def largest_payload_bytes(self) -> int:
        """See `Stream.largest_payload_bytes`."""
        return self._payload()

    def playout_ps(self) -> int | None:
        """See `Stream.playout_ps`."""
        return time_ps(self.playout)

    def plan(self, place: Place) -> VoiceStreamAppPlan:  # noqa: ARG002
        """See `Stream.plan`."""
        return {
            "kind": "voice",
            "frame_ps": time_ps(self.frame),
            "payload_bytes": self._payload(),
            "talk_mean_ps": time_ps(self.talk),
            "pause_mean_ps": time_ps(self.pause),
            "lookahead_ps": CODECS[self.codec].lookahead_ps,
            "ie": float(CODECS[self.codec].ie),
            "bpl": float(CODECS[self.codec].bpl),
            "advantage": float(self.advantage),
        }
