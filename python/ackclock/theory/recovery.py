"""Recovery: how long a single loss costs, by AIMD and by Scalable TCP."""

import math

__all__ = ["aimd_recovery_rounds", "aimd_recovery_time", "path_window", "scalable_recovery_rounds"]


def path_window(rate: float, rtt: float, packet_size: float = 1500.0) -> float:
    """Window that fills a path without a queue: rate x RTT / packet size, packets.

    Parameters
    ----------
    rate
        Line rate, bit/s.
    rtt
        s.
    packet_size
        On the wire, bytes.

    Examples
    --------
    >>> path_window(7.2e9, 0.1), round(path_window(10e6, 0.2), 1)
    (60000.0, 166.7)
    """
    if packet_size <= 0:
        raise ValueError(f"a packet of {packet_size:g} bytes: it has one at least")
    return rate * rtt / (8 * packet_size)


def aimd_recovery_rounds(peak: float, increase: float = 1.0, decrease: float = 0.5) -> float:
    """Round trips of AIMD(a, d) from a loss to the old window: d W / a.

    Parameters
    ----------
    peak
        W, the window at the loss, packets.
    increase
        a, packets per round trip.
    decrease
        d, the share of the window that a loss takes.

    Notes
    -----
    W. Ru & X. Liu, COS-Slow-Start, 2007, have 40 000 round trips from a peak of 80 000 packets on
    7.2 Gbit/s and 100 ms, where the path alone takes `path_window`, 60 000, and recovery from that
    30 000. A queue of a third of the path at the loss makes both true.

    Examples
    --------
    >>> aimd_recovery_rounds(80_000), aimd_recovery_rounds(60_000)
    (40000.0, 30000.0)
    """
    return decrease * peak / increase


def aimd_recovery_time(
    rate: float,
    rtt: float,
    packet_size: float = 1500.0,
    buffer_bdp: float = 0.0,
    increase: float = 1.0,
    decrease: float = 0.5,
) -> float:
    """Time of AIMD(a, d) from a loss to the old window, s.

    Parameters
    ----------
    rate
        Line rate, bit/s.
    rtt
        Without a queue, s.
    packet_size
        On the wire, bytes.
    buffer_bdp
        b, the queue at the loss, in bandwidth-delay products: the peak is (1 + b) of them.
    increase, decrease
        As for `aimd_recovery_rounds`.

    Notes
    -----
    Without a queue d W RTT / a. With a queue a round trip lasts W / C as soon as W is above the
    path's window P. From (1 - d)(1 + b) P to P the round trips last RTT, and on to (1 + b) P they
    are longer: (W_2^2 - W_1^2) / (2 a C) in all. H. Pham & L. Le, Improving the performance of TCP,
    2005, table 1, has no queue, and takes 17 packets for 16.7.

    Examples
    --------
    P4's table 1 in seconds, from 1 Mbit/s to 10 Gbit/s:

    >>> [round(aimd_recovery_time(rate, 0.2), 1) for rate in (1e6, 10e6, 100e6, 1e9, 10e9)]
    [1.7, 16.7, 166.7, 1666.7, 16666.7]

    P1's example, printed as 40 000 round trips or about 70 minutes (40 000 of 100 ms are 66.7):
    without a queue, and for a peak of 80 000 packets, a third of a path more.

    >>> [round(aimd_recovery_time(7.2e9, 0.1, buffer_bdp=b) / 60, 1) for b in (0, 1 / 3)]
    [50.0, 72.2]
    """
    path = path_window(rate, rtt, packet_size)
    peak = (1 + buffer_bdp) * path
    trough = (1 - decrease) * peak
    short = max(path - trough, 0.0)
    from_window = max(trough, path)
    return (short + (peak**2 - from_window**2) / (2 * path)) * rtt / increase


def scalable_recovery_rounds(increase: float = 0.01, decrease: float = 0.125) -> float:
    """Round trips of Scalable TCP from a loss to the old window: -log(1 - b) / log(1 + a).

    The rate has no influence.

    Parameters
    ----------
    increase
        a, packets per packet acknowledged.
    decrease
        b, the share of the window that a loss takes.

    Notes
    -----
    A round trip multiplies the window by 1 + a, the loss by 1 - b. T. Kelly, Scalable TCP, CCR
    33(2), 2003: 13.4 round trips. Pham & Le 2005 print it without the sign, log(1 - b) / log(1 +
    a).

    Examples
    --------
    >>> round(scalable_recovery_rounds(), 1), round(scalable_recovery_rounds(0.02, 0.25), 1)
    (13.4, 14.5)
    """
    return -math.log1p(-decrease) / math.log1p(increase)
