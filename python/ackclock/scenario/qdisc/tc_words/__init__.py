"""Words of Linux's tc for queue disciplines, and what they are made of."""

from __future__ import annotations

from ackclock.scenario.qdisc.tc_words.qdisc import (
    NO_PRIORITY,
    Packet,
    TcQdisc,
    TcQueue,
    limit_in_packets,
    limit_of,
)

__all__ = ["NO_PRIORITY", "Packet", "TcQdisc", "TcQueue", "limit_in_packets", "limit_of"]
