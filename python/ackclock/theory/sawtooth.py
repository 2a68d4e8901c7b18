"""One Reno flow alone at a tail-drop queue."""

from dataclasses import dataclass

__all__ = ["Sawtooth", "reno_sawtooth", "reno_utilisation"]


def reno_utilisation(buffer_bdp: float) -> float:
    """Utilisation of a link by one Reno flow.

    U = 3/4 (1 + b)^2 / (1 + b + b^2) for b <= 1, and 1 above.

    Parameters
    ----------
    buffer_bdp
        b, what may wait, in bandwidth-delay products.

    Returns
    -------
    float
        U, 0.75 to 1.

    Notes
    -----
    The window rises by one packet per round trip from (1 + b)/2 BDP to (1 + b) BDP. Below one BDP
    the rate is the window over the base RTT; above it the link is full and round trips grow with
    the queue. U is what a cycle carries over what the link could have carried in it.

    Valid for a BDP of many packets, and a buffer that takes the bursts of the ACK clock. An ACK for
    two packets releases two at once, and three when the window grows, so two must be able to wait
    behind the one in transmission. The fluid does not know of this: with room for one packet a flow
    with delayed ACKs uses a few percent of the link.

    Derived, for instance, in R. Srikant & L. Ying, Communication Networks, 2014, chapter 7; b = 1
    is the rule of thumb of C. Villamizar & C. Song, High performance TCP in ANSNET, CCR 24(5),
    1994.

    Examples
    --------
    >>> reno_utilisation(0.0)
    0.75
    >>> round(reno_utilisation(0.25), 3)
    0.893
    """
    if buffer_bdp < 0:
        raise ValueError(f"a buffer of {buffer_bdp} BDP is below zero")
    if buffer_bdp >= 1:
        return 1.0
    return 0.75 * (1 + buffer_bdp) ** 2 / (1 + buffer_bdp + buffer_bdp**2)


@dataclass(frozen=True)
class Sawtooth:
    """A cycle of congestion avoidance, from one reduction to the next.

    Attributes
    ----------
    peak, trough
        Window when the loss is noticed and after the reduction, packets.
    period
        From one loss to the next, s.
    packets
        Delivered in a period.
    """

    peak: int
    trough: int
    period: float
    packets: float


def reno_sawtooth(
    bdp: float, buffer: int, packet_time: float, *, growth: float = 1.0, losses: int = 1
) -> Sawtooth:
    """Peak, trough and period of one Reno flow at a tail-drop queue.

    Parameters
    ----------
    bdp
        Packets in flight that fill the path without a queue: line rate x propagation RTT / packet
        size on the wire.
    buffer
        Packets that may wait, the one in transmission apart.
    packet_time
        Transmission time of a packet, s.
    growth
        Packets of window per round trip: 1 where the sender counts bytes acknowledged (RFC 3465,
        Linux), however the receiver acknowledges; 1/b where it counts ACKs (RFC 5681) and each ACK
        is for b packets.
    losses
        Packets lost per episode. A second one falls a round trip after the first, when the window
        grows once more before the first is noticed: typical of delayed ACKs.

    Notes
    -----
    The path holds C = bdp + 1 + buffer packets: on the wire, in transmission, waiting. The window
    that does not fit is the peak, floor(C) + 1; half of it is left. At window w a round trip takes
    max(R + s, w s), with R the propagation and s the transmission time. The period is that of every
    window from trough to peak, 1 / growth round trips each, and of the recovery: a round trip of
    the full queue for the first hole, one at the reduced window for a second.

    Valid for a buffer that takes the bursts of the ACK clock. The packets of a period follow from
    its utilisation.

    The window's linear growth: RFC 5681 section 3.1.

    Examples
    --------
    10 Mbit/s, 60 ms, 50 packets of 1500 bytes, where Linux 6.18 was measured at 102 and 51 packets
    and 4.94 to 4.96 s:

    >>> tooth = reno_sawtooth(50, 50, 1.2e-3, losses=2)
    >>> tooth.peak, tooth.trough, round(tooth.period, 2)
    (102, 51, 4.96)
    """
    peak = int(bdp + 1 + buffer) + 1
    trough = max(peak // 2, 2)

    def round_trip(window: int) -> float:
        return packet_time * max(bdp + 1, window)

    rounds = range(trough, peak + 1)
    growing = sum(round_trip(window) for window in rounds) / growth
    recovery = round_trip(peak) + (losses - 1) * round_trip(trough)
    delivered = sum(rounds) / growth + trough * losses
    return Sawtooth(peak, trough, growing + recovery, delivered)
