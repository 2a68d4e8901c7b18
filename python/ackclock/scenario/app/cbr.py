"""Datagrams at a constant rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ackclock.scenario.app.base import Stream
from ackclock.scenario.quantities import Rate, Size, rate_bps, size_bytes

if TYPE_CHECKING:
    from ackclock.scenario.app.place import Place

__all__ = ["Cbr"]


class Cbr(Stream):
    """UDP datagrams of one size at a constant rate."""

    kind: Literal["cbr"]
    """Which application."""
    rate: Rate
    """On the wire, headers included, such as "1Mbit/s"."""
    packet: Size = "1000 bytes"
    """Payload of each datagram."""

    def largest_payload_bytes(self) -> int:
        """See `Stream.largest_payload_bytes`."""
        return size_bytes(self.packet)

    def plan(self, place: Place) -> dict[str, Any]:  # noqa: ARG002
        """See `Stream.plan`."""
        return {"kind": "cbr", "rate_bps": rate_bps(self.rate), "payload_bytes": size_bytes(self.packet)}
