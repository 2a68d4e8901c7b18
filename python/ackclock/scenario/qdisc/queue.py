"""The queue of a link direction: the flows that cross it, and lengths as bytes or packets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.quantities import CLOCK_PS, LARGEST, PS_PER_S, amount, lasting

if TYPE_CHECKING:
    from fractions import Fraction

    from ackclock.core_types.plan import FifoQdiscPlan, LaterLimitPlan, LimitPlan

__all__ = ["ETHERNET_MTU", "Crossing", "Queue", "fifo_plan"]

ETHERNET_MTU = 1500
"""Bytes of a full packet where no flow says otherwise."""


@dataclass
class Crossing:
    """Totals over the flows that cross a link, which define a bdp and a packet there.

    Where only ACKs cross, a mean packet is still a full one, as on an ns-2 duplex link: RED has
    equal parameters in both directions.
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


def fifo_plan(limit: LimitPlan) -> FifoQdiscPlan:
    """A fifo with one limit, in the engine's form."""
    return cast("FifoQdiscPlan", {"kind": "fifo", **limit})


@dataclass(frozen=True)
class Queue:
    """The queue that a discipline manages."""

    key: str
    """Key of the link in the scenario, for messages."""
    rate_bps: int | None
    delay_ps: int
    given_limit: str
    """The link's limit as text."""
    crossing: Crossing
    later: tuple[tuple[int, str], ...] = ()
    """Limits in place of the first, each with the time from which on it holds, ps."""

    @property
    def mtu_bytes(self) -> int:
        """Full packet of the flows that cross, or Ethernet's where none does, bytes."""
        if not self.crossing.flows:
            return ETHERNET_MTU
        return max(
            self.crossing.largest_bytes, self.crossing.packet_sum_bytes // self.crossing.flows
        )

    def bytes_at(self, text: str) -> Fraction:
        """An amount in bytes, time or bdp, as bytes."""
        given = amount(text)
        if given.unit == "bytes":
            return given.number
        rate = self.rate_bps or 0
        if given.unit == "ps":
            return given.number * rate / (8 * PS_PER_S)
        return given.number * rate * self.crossing.rtt_sum_ps / (self.crossing.flows * 8 * PS_PER_S)

    def is_unknown(self, text: str) -> bool:
        """Whether `text` is a bdp on a link that no flow crosses, where nothing ever waits."""
        return self.crossing.flows == 0 and amount(text).unit == "bdp"

    def limit(self) -> LimitPlan:
        """The link's limit at the start in packets or bytes; empty without a limit."""
        return self._limit(self.given_limit, f"{self.key}.limit")

    def later_limits(self) -> list[LaterLimitPlan]:
        """The limits that follow the first, in the engine's form."""
        return [
            {"from_ps": at, **self._limit(text, f"{self.key}.limit.schedule.{number}")}
            for number, (at, text) in enumerate(self.later, start=1)
        ]

    def _limit(self, text: str, key: str) -> LimitPlan:
        if text == "unlimited":
            return {}
        plan = self._length(text, key)
        limit = plan.get("limit_bytes")
        if limit is not None and limit < max(self.crossing.largest_bytes, 1):
            least = self.crossing.largest_bytes
            raise ScenarioError(
                f"{shown(text)} is {limit} bytes here, less than one packet of {least} bytes: "
                "nothing could ever wait",
                key=key,
                value=text,
            )
        self._check_wait(text, plan, key)
        return plan

    def _check_wait(self, text: str, plan: LimitPlan, key: str) -> None:
        """Refuse a full queue that would take longer than the engine's clock counts."""
        rate = self.rate_bps
        length = plan.get("limit_bytes")
        most = (plan.get("limit_packets") or 0) * self.mtu_bytes if length is None else length
        if rate is not None and 8 * PS_PER_S * most > CLOCK_PS * rate:
            raise ScenarioError(
                f"{shown(text)}: a full queue would take {lasting(8 * PS_PER_S * most / rate)} at "
                f"{rate}bit/s, and the clock counts "
                f"{lasting(CLOCK_PS)}: lower the limit, or raise the rate",
                key=key,
                value=text,
            )

    def length(self, text: str, name: str) -> LimitPlan:
        """The discipline's parameter `name` in packets or bytes; empty where nothing can wait."""
        return self._length(text, f"{self.key}.qdisc.{name}")

    def size_bytes(self, text: str, key: str) -> int:
        """An amount as bytes: a packet is a full one, a time and a bdp are at this queue's rate.

        Raises
        ------
        ScenarioError
            If the amount has no meaning at this queue; it names `key`.
        """
        given = amount(text)
        if given.unit in ("ps", "bdp") and self.rate_bps is None:
            raise ScenarioError(
                f"{shown(text)} means an amount at line rate, and the link is unlimited: write "
                "packets or bytes",
                key=key,
                value=text,
            )
        if self.is_unknown(text):
            raise ScenarioError(
                f"{shown(text)} needs the RTT of the flows that cross, and no flow does: write "
                "packets, bytes or a time",
                key=key,
                value=text,
            )
        size = (
            int(given.number * self.mtu_bytes)
            if given.unit == "packets"
            else int(self.bytes_at(text))
        )
        if size > LARGEST:
            raise ScenarioError(
                f"{shown(text)} is more than the engine counts", key=key, value=text
            )
        return size

    def _length(self, text: str, key: str) -> LimitPlan:
        if self.is_unknown(text):
            return {}
        given = amount(text)
        if given.unit == "packets":
            if given.number.denominator != 1:
                raise ScenarioError(
                    f"{shown(text)} is not a whole number of packets", key=key, value=text
                )
            length = int(given.number)
        else:
            length = int(self.bytes_at(text))
        if length > LARGEST:
            raise ScenarioError(
                f"{shown(text)} is more than the engine counts", key=key, value=text
            )
        return {"limit_packets": length} if given.unit == "packets" else {"limit_bytes": length}
