"""Vinnicombe's condition: stability of TCP-like flows at every round-trip time and topology."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.theory.fifo import md1_k_loss
from ackclock.theory.roots import root
from ackclock.theory.window_laws import window_law

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["VINNICOMBE_BOUND", "md1_k_elasticity", "vinnicombe_gain"]

VINNICOMBE_BOUND = math.pi / 2
"""A network whose every flow has a `vinnicombe_gain` below this is stable."""


def vinnicombe_gain(
    cc: str, window: float, elasticities: Sequence[float], losses: Sequence[float] | None = None
) -> float:
    """Gain of one flow's loop in Vinnicombe's condition: stable if below pi/2 for all flows.

    Parameters
    ----------
    cc
        A control whose window moves by itself alone, written as in a scenario: reno,
        scalable(a=0.02, b=0.25).
    window
        W of the flow at rest, packets.
    elasticities
        y p'(y) / p(y) of each link on the flow's route at rest: by what share the link's loss rate
        grows for each share that the arrival rate y grows by. `md1_k_elasticity` has that of a
        small buffer.
    losses
        p of each of these links; alike if not given.

    Notes
    -----
    With i(W) gained per ACK the gain is i(W) sum(y p') / sum(p), both sums over the links of the
    route: i(W) times a mean of the elasticities. Round-trip times, rates and the number of flows
    are not in it, so one choice of parameters is stable on all paths or can be unstable on some.
    For Scalable TCP i(W) is a: a times the elasticity below pi/2. For Reno it is 1/W.

    Derivation: x' = (x(t - R)/R) (i (1 - q) - d q), with q the loss rate on the route, is
    linearised at rest. It has the loop diag(e^(-s R) / (R (s + A))) M, with M = diag(i x / q) F^T
    diag(p') F, F the routes, and A not below 0. M is like a symmetric matrix. The eigenvalues of
    the loop therefore lie in its spectral radius times the convex hull of 0 and e^(-j t) / (j t),
    which crosses the negative real axis at -2/pi. Scaled by x, the row sums of M are the gains
    above, and none of its eigenvalues is larger than the largest of them. The condition is
    sufficient, and for one link and equal flows nearly necessary where A is small:
    `tail_drop_loop`.

    G. Vinnicombe, On the stability of end-to-end congestion control for the Internet,
    CUED/F-INFENG/TR.398, 2000, has `k |P X| < pi / (2 T)` for every flow. He applies it to TCP-like
    laws in On the stability of networks operating TCP-like congestion control, IFAC World Congress,
    2002. T. Kelly, Scalable TCP, CCR 33(2), 2003, rests the choice of a on it. These papers could
    not be read for this; the derivation stands by itself. Links answer to the present arrival rate.
    RED answers to the average of a queue, which adds a lag: `stability_margin`.

    Examples
    --------
    Scalable TCP's a = 0.01 keeps stability up to an elasticity of 157; its a = 0.04 up to 39:

    >>> [round(vinnicombe_gain(f"scalable(a={a})", 500, [39.0]), 2) for a in (0.01, 0.04)]
    [0.39, 1.56]

    Reno's gain falls with the window:

    >>> [round(vinnicombe_gain("reno", w, [40.0]), 2) for w in (10, 100)]
    [4.0, 0.4]
    """
    if not elasticities or min(elasticities) < 0 or window <= 0:
        raise ValueError(
            "a route has one link at least, elasticities from 0 on, and a window above 0"
        )
    weights = [1.0] * len(elasticities) if losses is None else list(losses)
    if len(weights) != len(elasticities) or min(weights) < 0 or sum(weights) <= 0:
        raise ValueError(
            f"{len(elasticities)} elasticities and {len(weights)} loss rates: one each, from 0 "
            "on, not all 0"
        )
    mean = math.fsum(w * e for w, e in zip(weights, elasticities, strict=True)) / math.fsum(weights)
    return window_law(cc).growth(window) * mean


def md1_k_elasticity(loss: float, places: int) -> float:
    """Elasticity y p'(y) / p(y) of the loss rate of Poisson arrivals at a buffer, M/D/1/K.

    Parameters
    ----------
    loss
        p, loss rate at rest, above 0.
    places
        K, packets in the system, the one in service included: 1 + buffer.

    Notes
    -----
    The slope of ln `md1_k_loss` over ln load, at the load that gives p. With packets of exponential
    length and a load below 1, p is about load^K and the elasticity K.

    Examples
    --------
    >>> [round(md1_k_elasticity(0.0025, places)) for places in (11, 41)]
    [15, 56]
    """
    if not 0 < loss < 1:
        raise ValueError(f"a loss rate of {loss}: it is above 0 and below 1")

    def excess(log_load: float) -> float:
        return math.log(max(md1_k_loss(math.exp(log_load), places), 1e-300)) - math.log(loss)

    load = math.exp(root(excess, math.log(1e-3), math.log(1.0 / (1.0 - loss)) + 1.0))
    step = 1e-4
    up, down = (math.log(md1_k_loss(load * math.exp(sign * step), places)) for sign in (1, -1))
    return (up - down) / (2 * step)
