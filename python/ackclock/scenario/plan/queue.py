"""The queue of one direction of a link: who crosses it, and what lengths in packets, bytes, time or bdp are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.scenario.errors import ScenarioError, shown
from ackclock.scenario.plan.bounds import CLOCK_PS, LARGEST, lasting
from ackclock.scenario.quantities import PS_PER_S, amount

if TYPE_CHECKING:
    from fractions import Fraction

    from ackclock.scenario.topology import DirectedLink

__all__ = ["ETHERNET_MTU", "Crossing", "Queue"]

ETHERNET_MTU = 1500
"""Bytes of a full packet where no flow says otherwise."""


@dataclass
class Crossing:
    """Who crosses a link: what a bdp and a packet are there.

    Where only ACKs cross, a mean packet is still a full one: RED's parameters are then those of the other direction, as
    with an ns-2 duplex link.
    """

    flows: int = 0
    rtt_sum_ps: int = 0
    packet_sum_bytes: int = 0
    largest_bytes: int = 0

    def add(self, flows: int, rtt_sum_ps: int, full_packet_bytes: int, largest_bytes: int) -> None:
        """Count `flows` more, whose base RTTs add up to `rtt_sum_ps`."""
        self.flows += flows
        self.rtt_sum_ps += rtt_sum_ps
        self.packet_sum_bytes += full_packet_bytes * flows
        self.largest_bytes = max(self.largest_bytes, largest_bytes)


@dataclass(frozen=True)
class Queue:
    """Where a queue discipline works."""

    link: DirectedLink
    crossing: Crossing

    @property
    def mtu_bytes(self) -> int:
        """A full packet of the flows whose data, or else whose ACKs, cross; an Ethernet's where there are none."""
        if not self.crossing.flows:
            return ETHERNET_MTU
        return max(self.crossing.largest_bytes, self.crossing.packet_sum_bytes // self.crossing.flows)

    def bytes_at(self, text: str) -> Fraction:
        """An amount that is not in packets, as bytes."""
        given = amount(text)
        if given.unit == "bytes":
            return given.number
        rate = self.link.rate_bps or 0
        if given.unit == "ps":
            return given.number * rate / (8 * PS_PER_S)
        return given.number * rate * self.crossing.rtt_sum_ps / (self.crossing.flows * 8 * PS_PER_S)

    def is_unknown(self, text: str) -> bool:
        """Whether this is a bdp on a link that no flow crosses; nothing ever waits there."""
        return self.crossing.flows == 0 and amount(text).unit == "bdp"

    def limit(self) -> dict[str, int]:
        """The link's limit, in packets or bytes; nothing where it has none."""
        text = self.link.limit
        if text == "unlimited":
            return {}
        plan = self._length(text, f"{self.link.key}.limit")
        limit = plan.get("limit_bytes")
        if limit is not None and limit < max(self.crossing.largest_bytes, 1):
            least = self.crossing.largest_bytes
            raise ScenarioError(
                f"{shown(text)} is {limit} bytes here, less than one packet of {least} bytes: nothing could ever wait",
                key=f"{self.link.key}.limit",
                value=text,
            )
        self._check_wait(text, plan)
        return plan

    def _check_wait(self, text: str, plan: dict[str, int]) -> None:
        """A full queue must not take longer than the engine's clock counts."""
        rate = self.link.rate_bps
        most = plan.get("limit_bytes", plan.get("limit_packets", 0) * self.mtu_bytes)
        if rate is not None and 8 * PS_PER_S * most > CLOCK_PS * rate:
            raise ScenarioError(
                f"{shown(text)}: a full queue would take {lasting(8 * PS_PER_S * most / rate)} at {rate}bit/s, and the clock counts "
                f"{lasting(CLOCK_PS)}: lower the limit, or raise the rate",
                key=f"{self.link.key}.limit",
                value=text,
            )

    def length(self, text: str, name: str) -> dict[str, int]:
        """A length of the queue, the discipline's parameter `name`, in packets or bytes; nothing where nothing can wait."""
        return self._length(text, f"{self.link.key}.qdisc.{name}")

    def _length(self, text: str, key: str) -> dict[str, int]:
        if self.is_unknown(text):
            return {}
        given = amount(text)
        if given.unit == "packets":
            if given.number.denominator != 1:
                raise ScenarioError(f"{shown(text)} is not a whole number of packets", key=key, value=text)
            plan = {"limit_packets": int(given.number)}
        else:
            plan = {"limit_bytes": int(self.bytes_at(text))}
        if max(plan.values()) > LARGEST:
            raise ScenarioError(f"{shown(text)} is more than the engine counts", key=key, value=text)
        return plan
