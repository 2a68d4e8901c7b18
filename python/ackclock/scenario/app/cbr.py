"""Datagrams at a constant rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ackclock.scenario.app.base import Stream
from ackclock.scenario.quantities import PositiveTime, Rate, Size, rate_bps, size_bytes, time_ps

if TYPE_CHECKING:
    from ackclock.core_types.plan import CbrStreamAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["Cbr"]


class Cbr(Stream):
    """UDP datagrams of one size at a constant rate."""

    kind: Literal["cbr"]
    """Name of the application."""
    rate: Rate
    """Rate on the wire, headers included, such as "1Mbit/s"."""
    packet: Size = "1000 bytes"
    """Payload of each datagram."""
    playout: PositiveTime | None = None
    """Playout buffer: a datagram this much slower than the first is late (default: none)."""

    def playout_ps(self) -> int | None:
        """See `Stream.playout_ps`."""
        return None if self.playout is None else time_ps(self.playout)

    def largest_payload_bytes(self) -> int:
        """See `Stream.largest_payload_bytes`."""
        return size_bytes(self.packet)

    def plan(self, place: Place) -> CbrStreamAppPlan:  # noqa: ARG002
        """See `Stream.plan`."""
        return {
            "kind": "cbr",
            "rate_bps": rate_bps(self.rate),
            "payload_bytes": size_bytes(self.packet),
        }
