"""PCC: how much random loss its utilities bear, and for how many flows they keep queues empty."""

import math

from ackclock.theory.roots import root

__all__ = ["allegro_loss_tolerance", "vivace_flows_without_queue", "vivace_loss_tolerance"]

EXPONENT = 0.9
"""t of Vivace's utility."""

LATENCY = 900.0
"""b of Vivace's utility."""

LOSS = 11.35
"""c of Vivace's utility."""

LOSS_LIMIT = 0.05
"""Loss at which Allegro's sigmoid is a half."""

STEEPNESS = 100.0
"""alpha of Allegro's sigmoid."""

BITS_PER_MBIT = 1e6


def vivace_loss_tolerance(rate: float, *, exponent: float = EXPONENT, loss: float = LOSS) -> float:
    """Random loss up to which Vivace gains by sending more: t x^(t - 1) / c.

    Parameters
    ----------
    rate
        Payload, bit/s; x is Mbit/s of it.
    exponent, loss
        t and c.

    Notes
    -----
    Where nothing queues, the utility is x^t - c x p, whose slope t x^(t - 1) - c p is positive
    below that. M. Dong et al., PCC Vivace: online-learning congestion control, NSDI 2018, section
    3.2: c = 11.35 is 5 % at 100 Mbit/s. A flow whose link loses p settles where this is p; near it
    the slope is small, and noise decides.

    Examples
    --------
    >>> round(vivace_loss_tolerance(100e6), 4), round(vivace_loss_tolerance(1e6), 4)
    (0.05, 0.0793)
    """
    return exponent * math.pow(rate / BITS_PER_MBIT, exponent - 1) / loss


def vivace_flows_without_queue(
    capacity: float, *, exponent: float = EXPONENT, latency: float = LATENCY
) -> float:
    """Vivace flows up to which their equilibrium has no queue: n with b = t n^(2 - t) C^(t - 1).

    Parameters
    ----------
    capacity
        Rate of the link, bit/s; C is the rate in Mbit/s.
    exponent, latency
        t and b.

    Notes
    -----
    Dong et al., NSDI 2018, theorem 2. At S = C the slope of a flow's utility from above is t
    (C/n)^(t - 1) - b (C/n) / C: the RTT's slope (S - C) / C rises by 1 / C per Mbit/s. b = 900 is
    1000 flows at 1 Gbit/s.

    Examples
    --------
    >>> round(vivace_flows_without_queue(1e9)), round(vivace_flows_without_queue(100e6))
    (1000, 811)
    """
    return math.pow(
        latency / exponent * math.pow(capacity / BITS_PER_MBIT, 1 - exponent), 1 / (2 - exponent)
    )


def allegro_loss_tolerance(*, limit: float = LOSS_LIMIT, steepness: float = STEEPNESS) -> float:
    """Random loss that Allegro tolerates: p with (1 - p) / (1 + e^(alpha (p - 0.05))) = p.

    Parameters
    ----------
    limit, steepness
        The sigmoid's middle and alpha.

    Notes
    -----
    The utility is x ((1 - p) sigmoid(p - 0.05) - p) (M. Dong et al., PCC: re-architecting
    congestion control for consistent high performance, NSDI 2015, section 2.2): in proportion to
    the rate, as long as the bracket is positive. At 5 % half of the throughput's worth is left. The
    loss of an interval of n packets scatters by sqrt(p (1 - p) / n), and the sigmoid makes noise of
    that: from 4 % on trials of 1 % are mostly luck.

    Examples
    --------
    >>> round(allegro_loss_tolerance(), 4)
    0.0744
    """

    def slope(p: float) -> float:
        return (1 - p) / (1 + math.exp(steepness * (p - limit))) - p

    return root(slope, 0.0, 0.5)
