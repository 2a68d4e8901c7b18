"""Throughput of Reno with timeouts: PFTK, and its form in TFRC."""

import math

__all__ = ["pftk_rate", "tfrc_rate"]


def tfrc_rate(loss_rate: float, rtt: float, rto: float | None = None, *, acked: int = 1) -> float:
    """Packets per second of a Reno flow, timeouts included.

    X = 1 / (R sqrt(2 b p / 3) + t_RTO (3 sqrt(3 b p / 8)) p (1 + 32 p^2)).

    Parameters
    ----------
    loss_rate
        p, loss events per packet, 0 to 1.
    rtt
        R, s.
    rto
        t_RTO, s; 4 R if not given, as the RFC recommends.
    acked
        b, packets per ACK, for a sender that counts ACKs.

    Notes
    -----
    RFC 5348 section 3.1, in packets where the RFC has bytes. For small p it is the square-root law.

    Examples
    --------
    >>> round(tfrc_rate(1e-2, 0.1), 1), round(tfrc_rate(0.1, 0.1, acked=2), 1)
    (112.3, 12.5)
    """
    return 1 / (
        _halvings(loss_rate, rtt, acked)
        + _timeouts(loss_rate, rtt, rto, 3 * math.sqrt(3 * acked * loss_rate / 8))
    )


def pftk_rate(
    loss_rate: float,
    rtt: float,
    rto: float | None = None,
    *,
    acked: int = 1,
    max_window: float = math.inf,
) -> float:
    """Packets per second of a Reno flow, with the two bounds that TFRC leaves out.

    Parameters
    ----------
    loss_rate, rtt, rto, acked
        As for `tfrc_rate`.
    max_window
        The receiver's window, packets.

    Notes
    -----
    As `tfrc_rate`, with the probability that a loss ends in a timeout bounded by 1, and the rate by
    max_window / R.

    Modelled are independent losses that take with them the rest of the round's packets, as a full
    tail-drop queue does, and a sender without SACK. With SACK and independent losses a flow times
    out less often, and is faster.

    J. Padhye, V. Firoiu, D. Towsley & J. Kurose, Modeling TCP throughput, SIGCOMM 1998, equation
    33.

    Examples
    --------
    As `tfrc_rate` for few losses, faster for many, and bounded by a window of 64 kB:

    >>> round(pftk_rate(1e-2, 0.1), 1), round(pftk_rate(0.5, 0.1), 2), round(tfrc_rate(0.5, 0.1), 2)
    (112.3, 0.54, 0.42)
    >>> pftk_rate(1e-5, 0.1, max_window=44)
    440.0
    """
    timeout = min(1.0, 3 * math.sqrt(3 * acked * loss_rate / 8))
    return min(
        max_window / rtt,
        1 / (_halvings(loss_rate, rtt, acked) + _timeouts(loss_rate, rtt, rto, timeout)),
    )


def _halvings(loss_rate: float, rtt: float, acked: int) -> float:
    if not 0 < loss_rate <= 1:
        raise ValueError(f"a loss rate of {loss_rate} is not above 0 and at most 1")
    return rtt * math.sqrt(2 * acked * loss_rate / 3)


def _timeouts(loss_rate: float, rtt: float, rto: float | None, probability: float) -> float:
    return (4 * rtt if rto is None else rto) * probability * loss_rate * (1 + 32 * loss_rate**2)
