"""CUBIC: RFC 9438's curve and average window.

The reference values of beta and C are the defaults.
"""

import math

__all__ = [
    "cubic_average_window",
    "cubic_plateau_time",
    "cubic_random_average_window",
    "cubic_reno_friendly_alpha",
    "cubic_window",
]

BETA = 0.7
"""Share of the window that is left after congestion (RFC 9438 section 4.6)."""

C = 0.4
"""Steepness of the curve, packets/s^3 (RFC 9438 section 5)."""


def cubic_plateau_time(
    w_max: float, start: float | None = None, *, beta: float = BETA, c: float = C
) -> float:
    """K = cbrt((W_max - cwnd_epoch) / C): when the window is back at W_max, s.

    Parameters
    ----------
    w_max
        The plateau, packets: the window before the reduction.
    start
        cwnd_epoch, the window at the beginning of the stage, packets; beta W_max if not given.
    beta, c
        CUBIC's constants.

    Notes
    -----
    RFC 9438 section 4.2, equation 2. Without Reno-friendliness, K is the time from the end of
    recovery to the old peak.

    Examples
    --------
    >>> round(cubic_plateau_time(102), 2)
    4.25
    """
    return math.cbrt((w_max - (beta * w_max if start is None else start)) / c)


def cubic_window(
    time: float, w_max: float, start: float | None = None, *, beta: float = BETA, c: float = C
) -> float:
    """W(t) = C (t - K)^3 + W_max, packets, at `time` s after the beginning of the stage.

    Parameters
    ----------
    time
        t, s: since congestion avoidance went on, that is, since the end of recovery.
    w_max, start, beta, c
        As for `cubic_plateau_time`.

    Notes
    -----
    RFC 9438 section 4.2, equation 1. A sender approaches the curve from below: each ACK aims at W(t
    + RTT), a round trip's growth ahead, and gets there in a round trip (section 4.4). Above 1.5
    cwnd per round trip the curve is not followed, and where Reno would have a larger window that is
    used (section 4.3).

    Examples
    --------
    >>> round(cubic_window(0, 1000)), round(cubic_window(cubic_plateau_time(1000), 1000))
    (700, 1000)
    """
    return c * (time - cubic_plateau_time(w_max, start, beta=beta, c=c)) ** 3 + w_max


def cubic_average_window(
    loss_rate: float, rtt: float, *, beta: float = BETA, c: float = C
) -> float:
    """Mean window, periodic loss: (C (3 + beta) / (4 (1 - beta)))^(1/4) (RTT / p)^(3/4), packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    rtt
        s.
    beta, c
        CUBIC's constants.

    Notes
    -----
    RFC 9438 section 5.1, equation 5; equation 6 with the reference values, 1.054 (RTT / p)^(3/4).
    Valid where this is above Reno's window, and after many losses: the curve is flat at the
    plateau, so a peak that is off by e of itself comes closer only by about e^3 per period.

    Examples
    --------
    >>> round(cubic_average_window(1e-4, 0.1)), round(cubic_average_window(1e-6, 0.1))
    (187, 5926)
    """
    return math.pow(c * (3 + beta) / (4 * (1 - beta)), 0.25) * math.pow(rtt / loss_rate, 0.75)


def cubic_random_average_window(loss_rate: float, rtt: float, *, c: float = C) -> float:
    """Mean window under independent losses: 1.635 C^(1/4) (RTT / p)^(3/4), packets.

    For beta = 0.7, without fast convergence.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    rtt
        s.
    c
        Steepness of the curve, packets/s^3.

    Notes
    -----
    With windows in units of C^(1/4) (RTT / p)^(3/4) and times in units of C^(-1/4) (RTT / p)^(1/4),
    beta is the only parameter. The window at a loss is a Markov chain, grown along the curve by an
    exponential number of packets. 1.635 is the packets per time of its stationary distribution
    (computed; with C = 0.4 it is 1.300 (RTT / p)^(3/4)). S. Poojary & V. Sharma, An asymptotic
    approximation for TCP CUBIC, Queueing Systems 91, 2019, derive this chain as the limit of small
    p. Valid where the window is well above Reno's.

    Examples
    --------
    >>> round(cubic_random_average_window(1e-5, 0.1))
    1300
    """
    return 1.635 * math.pow(c, 0.25) * math.pow(rtt / loss_rate, 0.75)


def cubic_reno_friendly_alpha(beta: float = BETA) -> float:
    """Growth of AIMD with Reno's mean window: 3 (1 - beta) / (1 + beta), packets per round trip.

    Parameters
    ----------
    beta
        Share of the window that is left after congestion.

    Notes
    -----
    RFC 9438 section 4.3, from `aimd_window` with this increase equal to that of (1, 1/2).

    Examples
    --------
    >>> round(cubic_reno_friendly_alpha(), 3)
    0.529
    """
    return 3 * (1 - beta) / (1 + beta)
