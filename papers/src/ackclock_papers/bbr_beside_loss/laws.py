"""The model's equations, with the numbers that they have in the paper."""

from ackclock.theory import bbr_min_rtt_estimate, bbr_probe_rtt_share, bbr_share_against_loss

RTT = 0.04
"""Round-trip time of the path of 10 Mbit/s, and of that of 15 Mbit/s, s."""
SLOW = (10e6, 0.04)
"""Rate (bit/s) and round-trip time (s) of Figures 8a and 8c."""
FASTER = (50e6, 0.03)
"""Rate (bit/s) and round-trip time (s) of Figure 8b."""
ALONE_RATE = 15e6
"""Rate of Figure 6, bit/s."""
PAYLOAD = 1448 / 1500
"""Goodput as a share of the link's traffic."""
_PACKET = 8 * 1500


def share(queue: float, flows: int, path: tuple[float, float] = SLOW) -> float:
    """Equations 9 to 11: share of the link of `flows` BBR flows; `queue` in BDPs."""
    rate, rtt = path
    return bbr_share_against_loss(queue, rate / _PACKET, rtt, flows)


def rtt_estimate(flows: int) -> float:
    """Equation 6: what N BBR flows alone take for the round-trip time at 15 Mbit/s, s."""
    return bbr_min_rtt_estimate(ALONE_RATE / _PACKET, RTT, flows)


def bytes_in_flight(flows: int) -> float:
    """Return the cap of each of N BBR flows alone, bytes: twice its rate times the estimate."""
    return 2 * ALONE_RATE / 8 / flows * rtt_estimate(flows)


def probe_share(queue: float) -> float:
    """Equation 11: share of the time in PROBE_RTT; `queue` in bandwidth-delay products of 40 ms."""
    return bbr_probe_rtt_share(queue, RTT)


def cap_of_queue(others: float) -> float:
    """In-flight cap of the simple model, as a share of the queue: 2 (p - p^2); others hold p."""
    return 2 * (others - others**2)


def rest_of_queue(others: float) -> float:
    """Share of the queue that others leave: 1 - p."""
    return 1 - others
