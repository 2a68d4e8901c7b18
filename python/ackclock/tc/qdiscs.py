"""Every discipline of a plan in tc's words: a lookup of the words beside each discipline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.scenario.qdisc import QDISCS
from ackclock.tc_words import Packet, TcQdisc, TcQueue

if TYPE_CHECKING:
    from ackclock.border.plan import QdiscPlan

__all__ = ["discipline_of"]


def discipline_of(plan: QdiscPlan, packet: Packet, rate_bps: int | None) -> TcQdisc:
    """A discipline of a plan in tc's words.

    Parameters
    ----------
    plan
        The discipline, in the engine's form.
    packet
        Packets of the link.
    rate_bps
        Rate at which the queue drains, bit/s; None on an unlimited link.
    """
    return _words(plan, TcQueue(packet, rate_bps, _words))


def _words(plan: QdiscPlan, queue: TcQueue) -> TcQdisc:
    return QDISCS[plan["kind"]].tc(plan, queue)
