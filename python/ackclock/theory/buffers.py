"""Rules for the size of a router's buffer."""

import math

__all__ = ["rule_of_thumb", "small_buffer", "tiny_buffer"]


def rule_of_thumb(rate: float, rtt: float, left: float = 0.5) -> float:
    """Smallest buffer that keeps one flow's link busy: (1/left - 1) rate x RTT, packets.

    Parameters
    ----------
    rate
        Line rate, packets/s (or bit/s, for a buffer in bits).
    rtt
        Base RTT, s.
    left
        Share of the window that a loss leaves: 0.5 for Reno, 0.7 for CUBIC.

    Notes
    -----
    The reduced window, left (BDP + B), must still be a BDP. For Reno it is the BDP itself: C.
    Villamizar & C. Song, High performance TCP in ANSNET, CCR 24(5), 1994.

    Examples
    --------
    >>> rule_of_thumb(1000, 0.1), round(rule_of_thumb(1000, 0.1, left=0.7), 1)
    (100.0, 42.9)
    """
    return (1 / left - 1) * rate * rtt


def small_buffer(rate: float, rtt: float, flows: int) -> float:
    """Buffer for many flows: rate x RTT / sqrt(N), packets.

    Parameters
    ----------
    rate, rtt
        As for `rule_of_thumb`.
    flows
        N, long Reno flows that are not synchronised.

    Notes
    -----
    The sum of N independent sawteeth spreads as sqrt(N) of one. G. Appenzeller, I. Keslassy & N.
    McKeown, Sizing router buffers, SIGCOMM 2004: with it the utilisation is near 1; with flows in
    step it is not.

    Examples
    --------
    >>> small_buffer(1000, 0.1, 100)
    10.0
    """
    return rate * rtt / math.sqrt(flows)


def tiny_buffer(max_window: float, load: float, utilisation: float) -> float:
    """Buffer for paced flows with bounded windows: log_{1/rho}(W_max^2 / (2 (1 - theta))), packets.

    Parameters
    ----------
    max_window
        W_max, packets.
    load
        rho, the load that the flows would offer with their windows at the bound, below 1.
    utilisation
        theta, the share of that load that is to be carried.

    Notes
    -----
    Independent of the line rate. Valid for packets that come as if Poisson: paced, or spread by
    slow access links. M. Enachescu, Y. Ganjali, A. Goel, N. McKeown & T. Roughgarden, Routers with
    very small buffers, INFOCOM 2006, theorem 1.

    Examples
    --------
    >>> round(tiny_buffer(64, 0.5, 0.9), 1)
    14.3
    """
    return math.log(max_window**2 / (2 * (1 - utilisation))) / -math.log(load)
