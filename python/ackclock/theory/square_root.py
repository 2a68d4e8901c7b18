"""The square-root law: the window of additive increase and multiplicative decrease by loss rate."""

import math
from dataclasses import dataclass

__all__ = [
    "PERIODIC",
    "PERIODIC_DELAYED_ACK",
    "RANDOM",
    "RANDOM_DELAYED_ACK",
    "LossCycle",
    "aimd_window",
    "periodic_loss_cycle",
    "square_root_window",
]

PERIODIC = math.sqrt(3 / 2)
"""Periodic loss and growth by one packet per round trip (Mathis et al. 1997, table 1: 1.22)."""

PERIODIC_DELAYED_ACK = math.sqrt(3 / 4)
"""Periodic loss, where each ACK is for two packets and the sender counts ACKs (table 1: 0.87)."""

RANDOM = 1.31
"""Independent losses (table 1: 1.31; time average of the ideal process, 1.3098: Ott, Kemperman &
Mathis 1996).
"""

RANDOM_DELAYED_ACK = 0.93
"""Independent losses, where each ACK is for two packets and the sender counts ACKs (table 1)."""


def square_root_window(loss_rate: float, constant: float = PERIODIC) -> float:
    """Mean window W = constant / sqrt(p), packets; the goodput is W mss / RTT.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    constant
        By the kind of loss and of ACK: `PERIODIC`, `PERIODIC_DELAYED_ACK`, `RANDOM`,
        `RANDOM_DELAYED_ACK`. The delayed-ACK ones are for senders that count ACKs; one that counts
        the bytes acknowledged, as RFC 3465 and Linux do, grows by one packet per round trip for any
        receiver, and keeps the others.

    Notes
    -----
    A limit for small p. To first order in sqrt(p) a real sender is below it, because windows are
    whole packets and recovery takes a round trip: by 1 % at p = 1e-4, 4 % at 1e-3 and 12 % at 1e-2.
    `periodic_loss_cycle` has these terms.

    M. Mathis, J. Semke, J. Mahdavi & T. Ott, The macroscopic behavior of the TCP congestion
    avoidance algorithm, CCR 27(3), 1997, equation 3 and table 1.

    Examples
    --------
    >>> round(square_root_window(1e-4), 1)
    122.5
    """
    return constant / math.sqrt(checked(loss_rate))


def aimd_window(loss_rate: float, increase: float = 1.0, decrease: float = 0.5) -> float:
    """Mean window of AIMD(a, d) under periodic loss: sqrt(a (2 - d) / (2 d)) / sqrt(p), packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    increase
        a, packets per round trip.
    decrease
        d, the share of the window that a loss takes.

    Notes
    -----
    The window rises from (1 - d) W to W in d W / a round trips, in which (1 - d/2) d W^2 / a = 1/p
    packets are sent; its mean is (1 - d/2) W. A limit for small p, as `square_root_window` is.

    S. Floyd, M. Handley & J. Padhye, A comparison of equation-based and AIMD congestion control,
    2000; RFC 9438 section 4.3 uses it (equation 3).

    Examples
    --------
    >>> round(aimd_window(1.0), 4), round(aimd_window(1.0, increase=0.5), 3)
    (1.2247, 0.866)
    """
    return math.sqrt(increase * (2 - decrease) / (2 * decrease) / checked(loss_rate))


@dataclass(frozen=True)
class LossCycle:
    """Cycle between two periodic losses.

    Attributes
    ----------
    peak
        Window when a loss is noticed, packets.
    round_trips
        From one loss to the next.
    mean_window
        Packets sent per round trip: the rate, retransmissions included, x RTT.
    """

    peak: float
    round_trips: float
    mean_window: float


def periodic_loss_cycle(loss_rate: float, *, growth: float = 1.0) -> LossCycle:
    """The square-root law for whole packets and a recovery that takes a round trip.

    Parameters
    ----------
    loss_rate
        p: of every 1/p packets sent, retransmissions included, one is lost.
    growth
        g, packets of window per round trip.

    Notes
    -----
    From one detection to the next: a round trip of recovery at W/2, then W/2, W/2 + g, ... for a
    round trip each, until the next loss is noticed, on average in the middle of the round trip at
    W. Hence (g = 1)

        1/p = W/2 + (3/8 W^2 - W/4) + W/2,   T = 1 + W/2 + 1/2,   mean = 1 / (p T),

    and W = sqrt(1 + 8/(3p)) - 1. For p -> 0 the mean is sqrt(3/2) / sqrt(p); the next term is what
    recovery and whole packets cost.

    Valid where the loss is repaired in a round trip (no timeout: W of at least about 8, p up to
    about 0.02), and where nothing else holds packets back. A receiver that delays ACKs while a
    whole window is shorter than its timer costs more.

    Examples
    --------
    >>> cycle = periodic_loss_cycle(1e-2)
    >>> round(cycle.peak, 2), round(cycle.round_trips, 2), round(cycle.mean_window, 2)
    (15.36, 9.18, 10.89)
    """
    between = 1 / checked(loss_rate)
    # 3/(8g) W^2 + (1 - 1/4) W - 1/p = 0.
    square, linear = 3 / (8 * growth), 0.75
    peak = (math.sqrt(linear**2 + 4 * square * between) - linear) / (2 * square)
    round_trips = 1 + peak / (2 * growth) + 0.5
    return LossCycle(peak, round_trips, between / round_trips)


def checked(loss_rate: float) -> float:
    if not 0 < loss_rate <= 1:
        raise ValueError(f"a loss rate of {loss_rate} is not above 0 and at most 1")
    return loss_rate
