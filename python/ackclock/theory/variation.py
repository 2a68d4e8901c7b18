"""Rate variation: standard deviation over mean of a window around its equilibrium."""

import math

from ackclock.theory.response import aimd_random_window

__all__ = [
    "aimd_periodic_variation",
    "aimd_random_variation",
    "scalable_periodic_variation",
    "scalable_random_variation",
]


def scalable_random_variation(decrease: float = 0.125) -> float:
    """Variation of Scalable's window under independent losses: sqrt(-ln(1 - b) / b - 1).

    Variation is the standard deviation over time as a share of the mean.

    Parameters
    ----------
    decrease
        b, the share of the window that a loss takes.

    Notes
    -----
    The window grows by a W per round trip, and each of its packets is lost with p. In balance the
    mean of W^s does not change: s a E[W^s] = p (1 - (1 - b)^s) E[W^(s+1)]. In the limit of s = 0
    that is `scalable_window`, for s = 1 E[W^2] = a E[W] / (p b). a and p cancel. For small b it is
    sqrt(b / 2).

    H. Pham & L. Le, Improving the performance of TCP, 2005, table 2, print 0.72, 0.502, 0.354 and
    0.257 for the values of b below, without a derivation. This is about sqrt(b), sqrt(2) times as
    much. The difference of two such flows, independent of each other, has sqrt(b) over the mean of
    one.

    Examples
    --------
    >>> [round(scalable_random_variation(b), 3) for b in (0.5, 0.25, 0.125, 0.0625)]
    [0.622, 0.388, 0.261, 0.181]
    """
    return math.sqrt(-math.log1p(-decrease) / decrease - 1)


def scalable_periodic_variation(decrease: float = 0.125) -> float:
    """Variation of Scalable's window under periodic loss: sqrt((1 - b/2) ln(1 / (1 - b)) / b - 1).

    Parameters
    ----------
    decrease
        b, the share of the window that a loss takes.

    Notes
    -----
    The window grows as exp(t) from (1 - b) W to W: E[W] = b W / ln(1 / (1 - b)), E[W^2] = (1 - (1 -
    b)^2) W^2 / (2 ln(1 / (1 - b))). For small b it is b / sqrt(12), that of a uniform distribution
    of width b: the variation of one flow alone at a queue that drops one packet per round of
    growth.

    Examples
    --------
    >>> [round(scalable_periodic_variation(b), 3) for b in (0.5, 0.25, 0.125, 0.0625)]
    [0.199, 0.083, 0.039, 0.019]
    """
    return math.sqrt((1 - decrease / 2) * -math.log1p(-decrease) / decrease - 1)


def aimd_random_variation(decrease: float = 0.5) -> float:
    """Variation of AIMD's window under independent losses, for every a and p.

    Parameters
    ----------
    decrease
        d, the share of the window that a loss takes.

    Notes
    -----
    As `scalable_random_variation`, with growth by a per round trip: E[W^2] = a / (p d), and E[W] is
    `aimd_random_window`.

    Examples
    --------
    >>> round(aimd_random_variation(), 3), round(aimd_random_variation(1 / 8), 3)
    (0.407, 0.182)
    """
    return math.sqrt(1 / (decrease * aimd_random_window(1.0, 1.0, decrease) ** 2) - 1)


def aimd_periodic_variation(decrease: float = 0.5) -> float:
    """Variation of AIMD's window under periodic loss: d / (sqrt(12) (1 - d/2)).

    Parameters
    ----------
    decrease
        d, the share of the window that a loss takes.

    Notes
    -----
    Uniform between (1 - d) W and W.

    Examples
    --------
    >>> round(aimd_periodic_variation(), 3)
    0.192
    """
    return decrease / (math.sqrt(12) * (1 - decrease / 2))
