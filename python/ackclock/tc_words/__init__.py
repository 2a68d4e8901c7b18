"""Words of Linux's tc for queue disciplines, and what they are made of."""

from __future__ import annotations

from ackclock.tc_words.qdisc import Packet, TcQdisc, TcQueue, limit_in_packets, limit_of

__all__ = ["Packet", "TcQdisc", "TcQueue", "limit_in_packets", "limit_of"]
