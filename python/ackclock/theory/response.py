"""Response functions: how an algorithm's mean window depends on the loss rate.

Windows are packets sent per round trip: the rate, retransmissions included, x RTT / packet size.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.runtime.extras import importing
from ackclock.theory.roots import root
from ackclock.theory.square_root import LossCycle, aimd_window, checked

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Window = Callable[[NDArray[np.float64]], NDArray[np.float64]]
    """A function of the window, packets, for many windows at once."""

__all__ = [
    "aimd_random_window",
    "binomial_window",
    "highspeed_response",
    "highspeed_window",
    "multcp_window",
    "periodic_loss_window",
    "random_loss_window",
    "scalable_doubling_time",
    "scalable_halving_time",
    "scalable_window",
    "westwood_rate",
    "westwood_window",
]


def aimd_random_window(loss_rate: float, increase: float = 1.0, decrease: float = 0.5) -> float:
    """Mean window of AIMD(a, d) under independent losses, packets.

    sqrt(2 a / (pi p)) / prod_{k>=1} (1 - (1-d)^(2k-1)) / (1 - (1-d)^(2k)), packets.

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
    Between losses, W^2 / (2 a) grows by one per packet, and a loss multiplies it by (1-d)^2. The
    moments of such a process follow from each other, p (1 - (1-d)^(2s)) E[Y^s] = s E[Y^(s-1)]; the
    time per packet is E[1/W], the moment of order -1/2. For Reno this is 1.3098 / sqrt(p), the
    constant `RANDOM`: T. Ott, J. Kemperman & M. Mathis, The stationary behavior of ideal TCP
    congestion avoidance, 1996. A limit for small p.

    Examples
    --------
    >>> round(aimd_random_window(1.0), 4), round(aimd_random_window(1.0, 4, 1 / 8), 3)
    (1.3098, 5.565)
    """
    left = 1 - decrease
    product, power = 1.0, left
    while power > 1e-17:
        product *= (1 - power) / (1 - power * left)
        power *= left * left
    return math.sqrt(2 * increase / (math.pi * checked(loss_rate))) / product


def multcp_window(loss_rate: float, flows: float) -> float:
    """Mean window of MulTCP(n) under periodic loss: sqrt(2 n^2 - n/2) / sqrt(p), packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    flows
        n.

    Notes
    -----
    `aimd_window` with a = n, d = 1/(2n), the rules of J. Crowcroft & P. Oechslin, Differentiated
    end-to-end Internet services using a weighted proportional fair sharing TCP, CCR 28(3), 1998. It
    is 8 % (n = 2) to 15 % (n large) more than n times Reno's.

    Examples
    --------
    >>> [round(multcp_window(1.0, n), 2) for n in (1, 2, 4, 8)]
    [1.22, 2.65, 5.48, 11.14]
    """
    return aimd_window(loss_rate, flows, 0.5 / flows)


def binomial_window(loss_rate: float, k: float, l: float, alpha: float, beta: float) -> float:  # noqa: E741 - the paper's letter
    """Mean window of a binomial algorithm: (alpha / (beta p))^(1 / (k + l + 1)), packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    k, alpha
        Growth by alpha / W^k packets per round trip.
    l, beta
        A loss takes beta W^l packets.

    Notes
    -----
    A loss takes beta W^l, and 1/p packets bring alpha / W^(k+1) each. Valid while the
    cut is small beside the window, that is for l < 1 and small p, under periodic and random loss
    alike; for l = 1 it is `aimd_window` in the limit of small beta.

    D. Bansal & H. Balakrishnan, Binomial congestion control algorithms, INFOCOM 2001, section III.

    Examples
    --------
    >>> [round(binomial_window(1e-4, k, l, 1, 2 / 3), 1) for k, l in ((0.5, 0.5), (1, 0))]
    [122.5, 122.5]
    """
    return math.pow(alpha / (beta * checked(loss_rate)), 1 / (k + l + 1))


def scalable_window(loss_rate: float, increase: float = 0.01, decrease: float = 0.125) -> float:
    """Mean window of Scalable TCP, periodic or random loss: a / (p ln(1 / (1 - b))), packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    increase
        a, packets per packet acknowledged.
    decrease
        b, the share of the window that a loss takes.

    Notes
    -----
    ln(1 / (1 - b)) / a round trips lie between two losses at any p, and 1/p packets. For small b it
    is Kelly's a / (b p) (CCR 33(2), 2003), which for b = 1/8 is 7 % more. Because the round trips
    are so few, the one of recovery counts at any p: see `periodic_loss_window`.

    Examples
    --------
    >>> round(scalable_window(1e-4)), round(0.01 / 0.125 / 1e-4)
    (749, 800)
    """
    return increase / (checked(loss_rate) * -math.log1p(-decrease))


def scalable_halving_time(rtt: float, decrease: float = 0.125) -> float:
    """Time in which a loss in each round trip halves Scalable's rate: RTT ln(1/2) / ln(1 - b), s.

    Parameters
    ----------
    rtt
        s.
    decrease
        b.

    Notes
    -----
    H. Pham & L. Le, Improving the performance of TCP, 2005, table 2 (whose last row is printed as
    1.2084).

    Examples
    --------
    >>> [round(scalable_halving_time(0.12, b), 4) for b in (0.5, 0.25, 0.125, 0.0625)]
    [0.12, 0.2891, 0.6229, 1.2888]
    """
    return rtt * math.log(0.5) / math.log1p(-decrease)


def scalable_doubling_time(rtt: float, increase: float = 0.01) -> float:
    """Time in which Scalable doubles its rate without a loss: RTT ln 2 / ln(1 + a), s.

    Parameters
    ----------
    rtt
        s.
    increase
        a.

    Notes
    -----
    Pham & Le 2005, table 2.

    Examples
    --------
    >>> [round(scalable_doubling_time(0.12, a), 3) for a in (0.04, 0.02, 0.01, 0.005)]
    [2.121, 4.2, 8.359, 16.677]
    """
    return rtt * math.log(2) / math.log1p(increase)


def highspeed_window(
    loss_rate: float,
    *,
    low_window: float = 38.0,
    high_window: float = 83_000.0,
    high_p: float = 1e-7,
) -> float:
    """Mean window of HighSpeed TCP: 0.12 / p^0.835 with the RFC's parameters, packets.

    Above the loss rate of `low_window` it is standard TCP's.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    low_window
        Up to this window standard TCP's rules hold, packets.
    high_window, high_p
        Another point of the response function.

    Notes
    -----
    log W is linear in log p from the point of `low_window`, where standard TCP's 1.2 / sqrt(p) has
    it, through the given one: RFC 3649 section 5. Its own tables come from the rounded 0.12 /
    p^0.835 and are 1 % higher.

    Examples
    --------
    >>> [round(highspeed_window(p)) for p in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)]
    [38, 259, 1774, 12134, 83000]
    """
    low_p = 1.44 / low_window**2
    if checked(loss_rate) >= low_p:
        return 1.2 / math.sqrt(loss_rate)
    slope = math.log(high_window / low_window) / math.log(high_p / low_p)
    return low_window * math.pow(loss_rate / low_p, slope)


def highspeed_response(
    window: NDArray[np.float64],
    *,
    low_window: float = 38.0,
    high_window: float = 83_000.0,
    high_p: float = 1e-7,
    high_decrease: float = 0.1,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """a(w), packets per round trip, and b(w), the share that a loss takes.

    Parameters
    ----------
    window
        w, packets.
    low_window, high_window, high_p
        As for `highspeed_window`.
    high_decrease
        b at `high_window`.

    Notes
    -----
    RFC 3649 section 5; a is at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = highspeed_response(np.array([38.0, 1058.0, 83000.0]))
    >>> a.round(1).tolist(), b.round(2).tolist()
    ([1.0, 8.1, 72.5], [0.5, 0.33, 0.1])
    """
    import numpy as np

    low_p = 1.44 / low_window**2
    at = np.log(np.maximum(window, low_window) / low_window) / math.log(high_window / low_window)
    decrease = 0.5 + (high_decrease - 0.5) * np.minimum(at, 1.0)
    p = low_p * (high_p / low_p) ** at
    return np.maximum(window**2 * p * 2 * decrease / (2 - decrease), 1.0) * (
        window > low_window
    ) + (window <= low_window), decrease


def westwood_rate(loss_rate: float, rtt: float, queueing: float) -> float:
    """Packets per second of Westwood+ by its authors' law: sqrt((1 - p) / p) / sqrt(RTT T_q).

    Parameters
    ----------
    loss_rate
        p, losses per packet sent, at random.
    rtt
        Mean RTT, s.
    queueing
        T_q, mean RTT less the smallest, s.

    Notes
    -----
    A packet acknowledged adds 1/W, one lost takes W T_q / RTT: on average nothing, at this rate. L.
    Grieco & S. Mascolo, Performance evaluation and comparison of Westwood+, New Reno and Vegas TCP
    congestion control, CCR 34(2), 2004. Means stand for the values at the losses, which holds for
    losses at random while the queue is small beside the window; for a flow alone there is
    `westwood_window`. Without a queue it has no bound: such losses cost nothing.

    Examples
    --------
    >>> round(westwood_rate(1e-4, 0.11, 0.01))
    3015
    """
    return math.sqrt((1 - loss_rate) / checked(loss_rate) / (rtt * queueing))


def westwood_window(loss_rate: float, bdp: float, *, random: bool = False) -> float:
    """Mean window, as packets see it, of a Westwood+ flow alone at a bottleneck, packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    bdp
        B, packets that fill the path without a queue.
    random
        Independent losses, or periodic ones.

    Notes
    -----
    A loss takes the queue, W - B, and no more, so that the link never idles; W^2 grows by 2 per
    packet. Periodic: the mean of sqrt(B^2 + 2 n) for n up to 1/p; random: for n exponential with
    mean 1/p. The mean RTT is this window over the link's rate.

    Examples
    --------
    >>> round(westwood_window(1e-4, 100), 1), round(westwood_window(1e-4, 100, random=True), 1)
    (139.9, 165.6)
    """
    scale = 1 / checked(loss_rate)
    square = bdp * bdp
    if random:
        with importing("science"):
            from scipy.special import erfcx

        # The integral of e^-u sqrt(B^2 + 2 u / p).
        return bdp + math.sqrt(math.pi * scale / 2) * float(erfcx(math.sqrt(square / (2 * scale))))
    return (math.pow(square + 2 * scale, 1.5) - bdp**3) / (3 * scale)


def periodic_loss_window(
    loss_rate: float, growth: Window, left: Window, *, whole: bool = True
) -> LossCycle:
    """Return the cycle between two periodic losses, for any increase and decrease.

    The round trip of recovery is included.

    Parameters
    ----------
    loss_rate
        p: of every 1/p packets sent, retransmissions included, one is lost.
    growth
        g(W), packets per round trip.
    left
        Window that is left of W after a loss.
    whole
        Whether the window grows by whole packets, as Reno's does, or by parts of them.

    Notes
    -----
    From one detection to the next: a round trip of recovery at the window that is left, then growth
    by g(W) per round trip, until the next loss is noticed. If the window grows by whole packets,
    that is in the middle of the time for which the last of them holds; if by parts, half a packet
    of it is not used on average. It is `periodic_loss_cycle` for any g, and has the closed forms as
    its limits for small p.

    Examples
    --------
    >>> reno = periodic_loss_window(1e-2, lambda w: 0 * w + 1, lambda w: w / 2)
    >>> round(reno.peak, 2), round(reno.mean_window, 2)
    (15.36, 10.89)
    """
    import numpy as np

    packets = 1 / checked(loss_rate)

    def cycle(peak: float) -> tuple[float, float]:
        after = float(left(np.array([peak]))[0])
        sent, round_trips = (
            float(integral[1]) for integral in _between(growth, np.array([after, peak]))
        )
        if whole:
            last = 0.5 / float(growth(np.array([peak]))[0])
            return after * (1 + last) + sent, 1 + last + round_trips
        return after + sent - 0.5 * (1 + round_trips), 1 + round_trips

    peak = root(lambda peak: cycle(peak)[0] - packets, 1.0, 2 * packets)
    round_trips = cycle(peak)[1]
    return LossCycle(peak, round_trips, packets / round_trips)


def random_loss_window(loss_rate: float, growth: Window, left: Window) -> float:
    """Mean window under independent losses, for any increase and decrease, packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    growth
        g(W), packets per round trip.
    left
        Window that is left of W after a loss; it rises with W.

    Notes
    -----
    Let y be the packets that grow a window from nothing to W: between losses it rises by one per
    packet. In balance as many losses take it below y as growth lifts it above. Its distribution F
    therefore has the density f(y) = p (F(y') - F(y)), where a loss cuts y' to y: solved from the
    top down. The round trips per packet are the mean of 1/W.

    The closed forms `aimd_random_window` and `scalable_window` are this. Of a real sender it leaves
    out that a loss is noticed a round trip late, and that repair takes one without growth: both are
    of first order, and nearly cancel.

    Examples
    --------
    >>> round(random_loss_window(1e-6, lambda w: 0 * w + 1, lambda w: w / 2) / 1e3, 2)
    1.31
    """
    import numpy as np

    typical = periodic_loss_window(loss_rate, growth, left, whole=False).peak
    windows = np.geomspace(1.0, 20 * typical, 40_001)
    sent, _ = _between(growth, windows)
    # Far above the typical window the tail falls as exp(-p y).
    y = np.arange(
        0.0, np.interp(typical, windows, sent) + _TAIL / loss_rate, 1 / (_STEPS * loss_rate)
    )
    window = np.interp(y, sent, windows)
    cut_from = np.interp(np.interp(window, left(windows), windows), windows, sent)
    above: list[float] = np.interp(cut_from, y, np.arange(y.size), right=np.inf).tolist()

    over = [0.0] * y.size
    over[-1] = math.exp(-_TAIL)
    density = np.zeros(y.size)
    for i in range(y.size - 1, 0, -1):
        beyond = 0.0
        if above[i] < y.size - 1:
            k = int(above[i])
            beyond = over[k] + (above[i] - k) * (over[k + 1] - over[k])
        density[i] = over[i] - beyond
        over[i - 1] = over[i] + density[i] / _STEPS
    return float(density.sum() / (density / window).sum())


_STEPS = 400
"""Points of the grid per mean gap between losses."""

_TAIL = 40.0
"""End of the grid, in mean gaps above the typical window."""


def _between(
    growth: Window, windows: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Packets sent and round trips from the first window to each: the integrals of w/g and 1/g."""
    import numpy as np

    with importing("science"):
        from scipy.integrate import cumulative_simpson

    # A fine logarithmic grid between any two, for laws that are powers.
    x = np.log(windows)
    fine = np.unique(np.concatenate([np.linspace(x[0], x[-1], 4001), x]))
    w = np.exp(fine)
    g = growth(w)
    sent = cumulative_simpson(w * w / g, x=fine, initial=0.0)
    round_trips = cumulative_simpson(w / g, x=fine, initial=0.0)
    at = np.searchsorted(fine, x)
    return sent[at], round_trips[at]
