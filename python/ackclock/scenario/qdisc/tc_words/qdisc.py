"""A discipline in tc's words, before it has a device and a handle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.core_types.plan import LimitPlan, QdiscPlan

__all__ = [
    "NO_PRIORITY",
    "UNLIMITED",
    "Packet",
    "TcQdisc",
    "TcQueue",
    "flag",
    "limit_in_packets",
    "limit_of",
]

NO_PRIORITY = (
    "a class by the socket's priority ends with the sending host",
    "use a discipline that tells flows apart",
)
"""Obstacle of the disciplines that choose a class by priority."""

UNLIMITED = 1_000_000
"""Limit in packets where the scenario has none: tc needs a number."""


@dataclass(frozen=True)
class Packet:
    """Size of the packets of a link."""

    mtu: int
    """Full packet of the scenario, bytes, without a link-layer header."""
    held: int = 0
    """Packets that a shaper above leaves in a fifo while it sends them: 1 under tbf, else 0.

    ``sch_tbf.c`` looks at the head of the inner queue (``peek``) until there are tokens for it. A
    pfifo or bfifo keeps that packet and counts it; the disciplines that decide at the head (codel,
    pie and the like) have then handed it over. The scenario's limit never counts the packet that
    is being sent.
    """


@dataclass(frozen=True)
class TcQdisc:
    """A discipline, its parameters, and the disciplines inside it."""

    words: tuple[str, ...]
    """Kind and parameters as tc takes them: ("pfifo", "limit", "100")."""
    notes: tuple[str, ...] = ()
    """Sentences on settings that tc expresses otherwise, or not at all."""
    children: tuple[tuple[int, TcQdisc], ...] = ()
    """TcQdiscs inside, each with the number of its class."""
    classes: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Classes to create before the children, each with its number, kind and parameters."""
    filters: tuple[tuple[str, ...], ...] = ()
    """Filters that choose a class; "%" stands for the discipline's own handle, "3:"."""
    warnings: tuple[str, ...] = ()
    """Sentences on settings for which tc's words make another queue, with the remedy."""
    obstacles: tuple[tuple[str, str], ...] = ()
    """Why the kernel's discipline cannot stand in for the scenario's, each with a remedy."""
    drops_at_departure: bool = False
    """Whether it drops packets when they would leave, and not when they come."""

    @property
    def kind(self) -> str:
        """Name of the discipline in tc."""
        return self.words[0]


@dataclass(frozen=True)
class TcQueue:
    """The queue of a discipline that is written in tc's words."""

    packet: Packet
    rate_bps: int | None
    """Rate at which it drains, bit/s; None on an unlimited link."""
    words_of: Callable[[QdiscPlan, TcQueue], TcQdisc]
    """Words of any discipline, for those that hold others."""

    def inside(self, plan: QdiscPlan) -> TcQdisc:
        """Words of a discipline inside this one."""
        return self.words_of(plan, self)


def flag(name: str, value: bool, no: str = "no") -> str:
    """A switch of tc, and the word that turns it off."""
    return name if value else f"{no}{name}"


def limit_of(limit: LimitPlan, packet: Packet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A fifo of a limit in tc's words, with notes.

    Examples
    --------
    >>> limit_of({"limit_packets": 20}, Packet(1500))
    (('pfifo', 'limit', '20'), ())
    """
    packets, size = limit.get("limit_packets"), limit.get("limit_bytes")
    more = (
        "The fifo's limit is one packet above the scenario's: tbf leaves the packet that it sends "
        "in the queue."
    )
    if packets is not None:
        words = ("pfifo", "limit", str(packets + packet.held))
        return words, (more,) if packet.held else ()
    if size is not None:
        words = ("bfifo", "limit", str(size + packet.held * packet.mtu))
        return words, (more,) if packet.held else ()
    return ("pfifo", "limit", str(UNLIMITED)), ()


def limit_in_packets(limit: LimitPlan, packet: Packet) -> tuple[int, tuple[str, ...]]:
    """A limit for a discipline that tc counts in packets, with notes."""
    packets, size = limit.get("limit_packets"), limit.get("limit_bytes")
    if packets is not None:
        return packets, ()
    if size is not None:
        count = max(1, size // packet.mtu)
        return count, (
            f"tc counts this limit in packets: {count} full packets stand for {size} bytes.",
        )
    return UNLIMITED, ()
