"""Shares of packets: lost, marked, sent again."""


def _share(part: float, whole: float) -> float | None:
    # After a warm-up the network drops packets that were sent in it, perhaps more than have been
    # sent since: no share of anything.
    return part / whole if 0 < whole >= part else None


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
        0 to 1; None if nothing was sent, or fewer packets than were dropped (which a warm-up sent).

    Notes
    -----
    RFC 5166 section 2.1.3. What the network did, not what the sender believed: a spurious
    retransmission is in `retransmit_rate` and not here.

    Examples
    --------
    >>> loss_rate(1, 100)
    0.01
    """
    return _share(lost_packets, sent_packets)


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
        0 to 1; None if nothing was sent, or fewer packets than were marked (which a warm-up sent).

    Notes
    -----
    RFC 3168 section 5; RFC 5166 section 2.1.3 counts marks beside losses.
    """
    return _share(marked_packets, sent_packets)


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
    return _share(retransmitted_packets, sent_packets)
