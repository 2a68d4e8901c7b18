"""Rates of arrival and of useful data, and the use of a link."""


def _bits_per_second(size_bytes: float, seconds: float) -> float | None:
    return 8.0 * size_bytes / seconds if seconds > 0.0 else None


def goodput(goodput_bytes: int, active_time: float) -> float | None:
    """Rate at which payload arrived in order at the receiver.

    Parameters
    ----------
    goodput_bytes : int
        Payload that arrived in order, each byte once, read by the application or not, bytes.
    active_time : float
        Time measured: from the later of start and warm-up to finish, stop or end of the run, s.

    Returns
    -------
    float or None
        Goodput, bit/s; None if no time was measured.

    Notes
    -----
    RFC 5166 section 2.1.1: the subset of throughput that is of use to the application, so
    neither headers nor retransmissions nor duplicates count.

    Examples
    --------
    >>> goodput(1_250_000, 10.0)
    1000000.0
    """
    return _bits_per_second(goodput_bytes, active_time)


def throughput(received_bytes: int, active_time: float) -> float | None:
    """Rate at which a flow's packets, headers included, arrived at the receiver.

    Parameters
    ----------
    received_bytes : int
        Wire bytes of data packets at the receiver, bytes.
    active_time : float
        As for `goodput`, s.

    Returns
    -------
    float or None
        Throughput, bit/s; None if no time was measured.

    Notes
    -----
    RFC 5166 section 2.1.1. Counted at the receiver, so what the network dropped is not in it.

    Examples
    --------
    >>> from ackclock.metrics import throughput
    >>> throughput(received_bytes=1_250_000, active_time=1.0)
    10000000.0
    """
    return _bits_per_second(received_bytes, active_time)


def utilisation(busy_time: float, measured_time: float) -> float | None:
    """Share of time that a link was transmitting.

    Parameters
    ----------
    busy_time : float
        Time spent putting bits on the wire, s; where the rate varies, measured_time times the used
        share of the bits that it could send.
    measured_time : float
        Time from warm-up to the end of the run, s.

    Returns
    -------
    float or None
        0 to 1; None if no time was measured.

    Notes
    -----
    RFC 5166 section 2.1.1 (throughput as a link's metric); RFC 5136 section 2.3.5, use over
    capacity. Every packet counts, useful or not.

    Examples
    --------
    >>> from ackclock.metrics import utilisation
    >>> utilisation(busy_time=9.5, measured_time=10.0)
    0.95
    """
    return busy_time / measured_time if measured_time > 0.0 else None
