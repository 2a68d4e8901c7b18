"""The rate of a link as tc's token bucket filter."""

from __future__ import annotations

import math

from ackclock.scenario.qdisc.tc_words.qdisc import TcQdisc
from ackclock.scenario.qdisc.tc_words.units import rate

__all__ = ["bucket", "burst_for", "shaper", "transmitter", "transmitter_class"]

# A timer may be late by so much; the bucket must hold what a link sends meanwhile, or tokens are
# lost. Measured on a busy machine at 20 Mbit/s: a bucket of one packet passed 19.5 Mbit/s, one of
# 1 ms passed 19.96.
_LATE_S = 1e-3
# tc hands the bucket's size over as a time in ticks of 64 ns, rounded down.
_TICKS_S = 200e-9
# Room above a packet: one that exceeds the bucket is dropped.
_ROOM = 16
_ANY_LIMIT = 1_000_000


def burst_for(rate_bps: int, packet_bytes: int) -> int:
    """Bucket of a link that sends packet after packet, bytes.

    A packet fits, and so does all that the link sends in 1 ms, by which a timer may be late.
    tc-tbf(8): "If your buffer is too small, packets may be dropped because more tokens arrive per
    timer tick than fit in your bucket."

    Examples
    --------
    >>> burst_for(20_000_000, 1500), burst_for(1_000_000_000, 1500)
    (2500, 125000)
    """
    room = max(_ROOM, math.ceil(rate_bps / 8 * _TICKS_S))
    return max(packet_bytes + room, math.ceil(rate_bps / 8 * _LATE_S))


def bucket(rate_bps: int, burst_bytes: int, limit: int = _ANY_LIMIT) -> tuple[str, ...]:
    """A token bucket filter in tc's words.

    Parameters
    ----------
    rate_bps
        Rate of the tokens, bit/s.
    burst_bytes
        Size of the bucket, bytes.
    limit
        Limit of the fifo inside: bytes of the bfifo that tbf brings along, or packets of a pfifo
        that replaces it. Ineffective over other disciplines (tc-tbf(8)), but tc wants one.

    Notes
    -----
    A change of the filter writes its limit into a fifo inside, bfifo and pfifo alike
    (``fifo_set_limit`` of ``sch_fifo.c``), so that the number must be the fifo's own.
    """
    return (*("tbf", "rate", rate(rate_bps), "burst", str(burst_bytes)), *("limit", str(limit)))


def shaper(rate_bps: int, burst_bytes: int, inner: TcQdisc) -> TcQdisc:
    """A token bucket filter around a discipline; a bfifo is the filter's own queue.

    Parameters
    ----------
    rate_bps
        Rate of the tokens, bit/s.
    burst_bytes
        Size of the bucket, bytes.
    inner
        Discipline of the packets that wait for tokens.
    """
    if inner.kind not in ("pfifo", "bfifo"):
        return TcQdisc(bucket(rate_bps, burst_bytes), children=((1, inner),))
    words = bucket(rate_bps, burst_bytes, int(inner.words[2]))
    if inner.kind == "bfifo":
        return TcQdisc(words, inner.notes)
    return TcQdisc(words, children=((1, inner),))


def transmitter_class(rate_bps: int) -> tuple[str, ...]:
    """The only class of a `transmitter` in tc's words.

    A class of htb may send while it has no debt (``htb_class_mode`` of ``sch_htb.c``). With a
    bucket of one byte a packet leaves as soon as the one before it has been sent, never a burst.
    """
    each = ("rate", rate(rate_bps), "burst", "1", "ceil", rate(rate_bps), "cburst", "1")
    return ("htb", *each, "quantum", "60000")


def transmitter(rate_bps: int, inner: TcQdisc) -> TcQdisc:
    """A link that takes a packet from a discipline when its transmission begins.

    Where timers are exact this is nearer to a link than a token bucket filter, which looks at the
    next packet, and so takes it from the discipline, one transmission before it may send it.

    Parameters
    ----------
    rate_bps
        Rate of the link, bit/s.
    inner
        Discipline of the packets that wait.
    """
    return TcQdisc(
        ("htb", "default", "1"), classes=((1, transmitter_class(rate_bps)),), children=((1, inner),)
    )
