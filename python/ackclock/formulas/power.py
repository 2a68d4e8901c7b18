"""Throughput and delay in one figure."""


def power(rate: float, delay: float) -> float | None:
    """Kleinrock's power: throughput over response time.

    Parameters
    ----------
    rate : float
        Carried load, bit/s.
    delay : float
        Mean response time, s.

    Returns
    -------
    float or None
        bit/s per s; None if there was no delay.

    Notes
    -----
    L. Kleinrock, "Power and deterministic rules of thumb for probabilistic problems in computer
    communications", ICC 1979. For one deterministic flow it is largest at the knee, where the
    window is the bandwidth-delay product: the link is just full and the queue still empty.

    Examples
    --------
    >>> power(10e6, 0.05)
    200000000.0
    """
    return rate / delay if delay > 0.0 else None
