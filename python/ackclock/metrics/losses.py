"""Shares of packets: lost, marked, sent again."""

__all__ = ["loss_rate", "mark_rate", "retransmit_rate", "share"]


def share(part: float, whole: float) -> float | None:
    """Packets that something happened to, as a share of the packets that came or were sent.

    Parameters
    ----------
    part : float
        Packets that it happened to.
    whole : float
        All packets, counted over the same time.

    Returns
    -------
    float or None
        0 to 1; None if `whole` is 0.

    Notes
    -----
    The quotient is cut at 1. It would exceed 1 where a packet came before the warm-up's end and was lost, marked or late
    after it, and where copies of packets, which a wire with `duplicate` makes, were lost.
    """
    return min(1.0, part / whole) if whole > 0 else None


def loss_rate(lost_packets: int, sent_packets: int) -> float | None:
    """Share of data packets that the network dropped.

    Parameters
    ----------
    lost_packets : int
        Data packets dropped by any queue or on any wire of the path.
    sent_packets : int
        Data packets sent, retransmissions included.

    Returns
    -------
    float or None
        0 to 1; None if nothing was sent.

    Notes
    -----
    RFC 5166 section 2.1.3. What the network did, not what the sender believed: a spurious
    retransmission is in `retransmit_rate` and not here.

    Examples
    --------
    >>> loss_rate(1, 100)
    0.01
    """
    return share(lost_packets, sent_packets)


def mark_rate(marked_packets: int, sent_packets: int) -> float | None:
    """Share of data packets that a queue marked (CE) in place of dropping.

    Parameters
    ----------
    marked_packets : int
        Packets marked.
    sent_packets : int
        Data packets sent, retransmissions included.

    Returns
    -------
    float or None
        0 to 1; None if nothing was sent.

    Notes
    -----
    RFC 3168 section 5; RFC 5166 section 2.1.3 counts marks beside losses.
    """
    return share(marked_packets, sent_packets)


def retransmit_rate(retransmitted_packets: int, sent_packets: int) -> float | None:
    """Share of sent data packets that were retransmissions.

    Parameters
    ----------
    retransmitted_packets : int
        Data packets sent again, needed or not.
    sent_packets : int
        Data packets sent, retransmissions included.

    Returns
    -------
    float or None
        0 to 1; None if nothing was sent.

    Notes
    -----
    RFC 5166 section 2.1.3 counts what is sent again as the cost of loss to the sender; Linux's
    `tcpi_total_retrans` over `tcpi_data_segs_out` is the same figure.
    """
    return share(retransmitted_packets, sent_packets)
