"""Operating points of a path: rate and delay by window, Kleinrock's knee, and the cliff of loss."""

from dataclasses import dataclass

__all__ = ["OperatingPoint", "cliff", "knee", "operating_point"]


@dataclass(frozen=True)
class OperatingPoint:
    """A path with so many packets in flight.

    Attributes
    ----------
    inflight
        Packets that the path holds.
    rate
        Delivered, packets/s.
    rtt
        With the queue, s.
    lost
        Share of the window that finds no room.
    power
        Rate over RTT, as a share of its maximum.
    """

    inflight: float
    rate: float
    rtt: float
    lost: float
    power: float


def operating_point(window: float, rate: float, rtt: float, buffer: float) -> OperatingPoint:
    """Return the rate and delay that a window of packets has on a path.

    Parameters
    ----------
    window
        W, packets.
    rate
        C, line rate, packets/s.
    rtt
        R, without a queue, s.
    buffer
        B, packets that may wait.

    Notes
    -----
    Up to the path, C R, each packet more brings rate; up to C R + B each brings delay alone;
    beyond, loss. A fluid: N. Cardwell, Y. Cheng, C. Gunn, S. Yeganeh & V. Jacobson, BBR:
    congestion-based congestion control, ACM Queue 14(5), 2016, figure 1.

    Examples
    --------
    >>> at = operating_point(75, 1000, 0.05, 50)
    >>> at.rate, round(at.rtt, 3), at.lost, round(at.power, 3)
    (1000.0, 0.075, 0.0, 0.667)
    """
    if min(window, rate, rtt) <= 0 or buffer < 0:
        raise ValueError(
            f"a window of {window} packets, {rate} packets/s, {rtt} s and a buffer of {buffer}: "
            "all above 0, the buffer 0 or more"
        )
    path = rate * rtt
    inflight = min(window, path + buffer)
    delivered = rate * min(inflight / path, 1.0)
    delay = rtt * max(inflight / path, 1.0)
    return OperatingPoint(
        inflight, delivered, delay, 1 - inflight / window, delivered * rtt / (delay * rate)
    )


def knee(rate: float, rtt: float) -> OperatingPoint:
    """Kleinrock's point: the full rate and no queue, where power (rate over delay) is largest.

    Parameters
    ----------
    rate, rtt
        As for `operating_point`.

    Notes
    -----
    L. Kleinrock, Power and deterministic rules of thumb for probabilistic problems in computer
    communications, ICC 1979: keep the pipe just full, but no fuller. Point A of Huang, Zhu & Wang,
    Reducing BBR's Latency.

    Examples
    --------
    >>> knee(1000, 0.05).inflight, knee(1000, 0.05).power
    (50.0, 1.0)
    """
    return operating_point(rate * rtt, rate, rtt, 0.0)


def cliff(rate: float, rtt: float, buffer: float) -> OperatingPoint:
    """Start of loss, with a full rate and a full buffer: loss-based controls oscillate below it.

    Parameters
    ----------
    rate, rtt, buffer
        As for `operating_point`.

    Notes
    -----
    D. Chiu & R. Jain, Analysis of the increase and decrease algorithms for congestion avoidance in
    computer networks, Computer Networks 17, 1989, figure 1. Point B of Huang, Zhu & Wang, Reducing
    BBR's Latency.

    Examples
    --------
    >>> cliff(1000, 0.05, 50).inflight, cliff(1000, 0.05, 50).rtt
    (100.0, 0.1)
    """
    return operating_point(rate * rtt + buffer, rate, rtt, buffer)
