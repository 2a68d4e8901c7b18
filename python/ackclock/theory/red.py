"""Random early detection: its average, its probability, and where Reno flows settle."""

import math

from ackclock.theory.roots import root

__all__ = ["red_average", "red_base_probability", "red_drop_share", "red_reno_equilibrium"]


def red_average(queue: float, arrivals: int, weight: float, before: float = 0.0) -> float:
    """Average after n arrivals that all found q packets: q + (avg_0 - q) (1 - w)^n, packets.

    Parameters
    ----------
    queue
        q, packets (or bytes).
    arrivals
        n.
    weight
        w, 0 to 1.
    before
        avg_0, the average before.

    Notes
    -----
    S. Floyd & V. Jacobson, Random early detection gateways for congestion avoidance, ToN 1(4),
    1993, section 6.1. In the long run the mean of the average is the mean of the queue as arrivals
    see it, for any w.

    Examples
    --------
    >>> round(red_average(100, 50, 0.002), 1)
    9.5
    """
    return queue + (before - queue) * (1 - weight) ** arrivals


def red_base_probability(
    average: float, min_threshold: float, max_threshold: float, max_p: float, *, gentle: bool = True
) -> float:
    """p_b, by the average queue.

    Parameters
    ----------
    average
        The average queue, packets.
    min_threshold, max_threshold
        From 0 at the first to `max_p` at the second, packets.
    max_p
        Probability at the upper threshold.
    gentle
        Between the upper threshold and twice that, from `max_p` to 1; otherwise 1 from the upper
        threshold on.

    Notes
    -----
    Floyd & Jacobson 1993, section 4; gentle: S. Floyd, Recommendation on using the gentle variant
    of RED, 2000.

    Examples
    --------
    >>> red_base_probability(10, 5, 15, 0.1), red_base_probability(20, 5, 15, 0.1, gentle=False)
    (0.05, 1.0)
    """
    if average < min_threshold:
        return 0.0
    if average < max_threshold:
        return max_p * (average - min_threshold) / (max_threshold - min_threshold)
    if not gentle or average >= 2 * max_threshold:
        return 1.0
    return max_p + (1 - max_p) * (average - max_threshold) / max_threshold


def red_drop_share(probability: float, *, wait: bool = True) -> float:
    """Share of packets that is dropped or marked while p_b stays the same.

    Parameters
    ----------
    probability
        p_b.
    wait
        ns-2's `wait_`: gaps between drops are uniform on 1/p_b .. 2/p_b - 1 packets; without, on 1
        .. 1/p_b - 1.

    Notes
    -----
    The reciprocal of the mean gap: 1 / (3 / (2 p_b) - 1/2), or 2 p_b. Floyd & Jacobson 1993,
    section 7, method 2, where the count of packets since the last drop includes the present one
    (figure 2 there).

    Examples
    --------
    >>> red_drop_share(0.1, wait=False), round(red_drop_share(0.1), 4)
    (0.2, 0.069)
    """
    if probability <= 0:
        return 0.0
    gap = 1.5 / probability - 0.5 if wait else 0.5 / probability
    return min(1.0, 1 / gap)


def red_reno_equilibrium(
    flows: int,
    bdp: float,
    min_threshold: float,
    max_threshold: float,
    max_p: float,
    *,
    wait: bool = True,
    constant: float = 1.31,
) -> float:
    """Average queue at which long Reno flows through a gentle RED queue are at rest, packets.

    Parameters
    ----------
    flows
        N, all with the same RTT.
    bdp
        Packets that fill the path without a queue.
    min_threshold, max_threshold, max_p
        As for `red_base_probability`.
    wait
        As for `red_drop_share`.
    constant
        Constant of the square-root law: losses are spread at random over the flows.

    Notes
    -----
    The queue q where N windows of constant / sqrt(p) fill the path and the queue, with p the share
    dropped at q:

        N constant / sqrt(p(q)) = bdp + 1 + q.

    The left side falls with q and the right side rises: there is one such q. Valid where the link
    is never idle, the windows are above about 8 packets (below, timeouts take over) and the weight
    is small enough for a steady average.

    C. Hollot, V. Misra, D. Towsley & W. Gong, A control theoretic analysis of RED, INFOCOM 2001,
    section III (the operating point), with RED's real share of drops in place of p_b.

    Examples
    --------
    Twenty flows over a path of 400 packets keep 55 waiting between thresholds of 50 and 150:

    >>> round(red_reno_equilibrium(20, 400, 50, 150, 0.1), 1)
    54.9
    """

    def excess(queue: float) -> float:
        share = red_drop_share(
            red_base_probability(queue, min_threshold, max_threshold, max_p), wait=wait
        )
        return flows * constant / math.sqrt(share) - (bdp + 1 + queue)

    least = min_threshold + 1e-9 * (max_threshold - min_threshold)
    return root(excess, least, 2 * max_threshold)
