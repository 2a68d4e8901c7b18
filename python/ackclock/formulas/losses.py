"""Shares of packets: lost, marked, sent again, of use."""


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

    Examples
    --------
    >>> from ackclock.metrics import mark_rate
    >>> mark_rate(marked_packets=5, sent_packets=1000)
    0.005
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

    Examples
    --------
    >>> from ackclock.metrics import retransmit_rate
    >>> retransmit_rate(retransmitted_packets=20, sent_packets=1000)
    0.02
    """
    return _share(retransmitted_packets, sent_packets)


def needless_retransmit_rate(
    retransmitted_packets: int, lost_packets: int, sent_packets: int
) -> float | None:
    """Share of sent data packets that were retransmissions without a loss.

    Parameters
    ----------
    retransmitted_packets : int
        Data packets sent again.
    lost_packets : int
        Data packets that the network dropped, retransmissions included.
    sent_packets : int
        Data packets sent, retransmissions included.

    Returns
    -------
    float or None
        0 to 1; None if nothing was sent. Losses that were not repaired when the counting began or
        ended make an error of as many packets.

    Notes
    -----
    RFC 2914 section 5 calls the collapse "that results from the unnecessary retransmission of
    packets classical congestion collapse". Each drop needs one retransmission. Every other
    retransmission that arrives brings data that the receiver had.

    Examples
    --------
    >>> needless_retransmit_rate(30, 20, 1000)
    0.01
    """
    return _share(max(retransmitted_packets - lost_packets, 0), sent_packets)


def useful_share(goodput_bytes: int, sent_payload_bytes: int) -> float | None:
    """Payload that arrived in order over payload sent.

    Parameters
    ----------
    goodput_bytes : int
        Payload that arrived in order, each byte once.
    sent_payload_bytes : int
        Payload of all packets sent, retransmissions included.

    Returns
    -------
    float or None
        0 to 1; None if nothing was sent. Data from before the warm-up's end may arrive after it,
        which could make a share above 1: it is cut at 1.

    Notes
    -----
    RFC 2914 section 5: in congestion collapse "an increase in the network load results in a
    decrease in the useful work done by the network".

    Examples
    --------
    >>> useful_share(900, 1000)
    0.9
    """
    return min(goodput_bytes / sent_payload_bytes, 1.0) if sent_payload_bytes > 0 else None
