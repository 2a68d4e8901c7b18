"""Shares of a network among flows: the rates that maximise the sum of their utilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.runtime.extras import importing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["alpha_fair_rates", "parking_lot_shares", "reno_rates"]


def alpha_fair_rates(
    routes: Sequence[Sequence[int]],
    capacities: Sequence[float],
    weights: Sequence[float] | None = None,
    alpha: float = 1.0,
) -> NDArray[np.float64]:
    """Rates x that maximise sum w U(x), U'(x) = x^-alpha, within the capacities of the links.

    alpha = 1 is proportional fairness, the equilibrium of FAST and Vegas: x times the queueing
    delay of the route is the flow's own number of packets in queues, w. alpha = 2 is that of Reno
    (`reno_rates`). Towards infinity it is max-min fairness.

    Parameters
    ----------
    routes
        Links of each flow, as indices into `capacities`.
    capacities
        Capacity of each link; the rates are in that unit.
    weights
        w of each flow (default: all 1).
    alpha
        Above zero.

    Notes
    -----
    F. Kelly, A. Maulloo & D. Tan, Rate control for communication networks, J. Oper. Res. Soc. 49,
    1998; J. Mo & J. Walrand, Fair end-to-end window-based congestion control, IEEE/ACM Trans.
    Networking 8(5), 2000. Solved in the dual (S. Low, A duality model of TCP, IEEE/ACM Trans.
    Networking 11(4), 2003): with a price p on each link, x = (w / sum of p on the route)^(1 /
    alpha).

    Examples
    --------
    A long flow over two links and a short one on each, under proportional fairness: a third and
    two.

    >>> alpha_fair_rates([[0, 1], [0], [1]], [3, 3]).round(6).tolist()
    [1.0, 2.0, 2.0]
    """
    with importing("science"):
        from scipy.optimize import minimize

    capacity = np.asarray(capacities, float)
    passes = np.zeros((len(routes), len(capacity)))
    for flow, route in enumerate(routes):
        passes[flow, list(route)] = 1
    if not (passes.any(axis=1).all() and (capacity > 0).all() and alpha > 0):
        raise ValueError(
            "every flow needs a link, every link a capacity, and alpha must be above zero"
        )
    scale = capacity.max()
    shares = capacity / scale
    weight = (
        np.ones(len(routes)) if weights is None else np.asarray(weights, float) / np.mean(weights)
    )

    def rates(log_prices: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((weight / (passes @ np.exp(log_prices))) ** (1 / alpha))

    def dual(log_prices: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        # sum over flows of max(w U(x) - x q), and of prices times capacities; its derivative by a
        # price is what its link has left.
        prices = np.exp(log_prices)
        x, q = rates(log_prices), passes @ prices
        utility = weight * np.log(x) if alpha == 1 else weight * x ** (1 - alpha) / (1 - alpha)
        left = shares - passes.T @ x
        return float(np.sum(utility - x * q) + prices @ shares), left * prices

    used = passes.any(axis=0)
    start = np.where(used, 0.0, -30.0)
    optimum = minimize(
        dual,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(-30, 30)] * len(capacity),
        options={"ftol": 1e-15, "gtol": 1e-12},
    )
    best: NDArray[np.float64] = rates(optimum.x) * scale
    return best


def reno_rates(
    routes: Sequence[Sequence[int]], capacities: Sequence[float], rtts: Sequence[float]
) -> NDArray[np.float64]:
    """Rates of Reno flows whose packets each link loses, or marks, at random.

    The square-root law, x = c / (RTT sqrt(p)) with p the sum of the links' loss rates, is what
    maximises -c^2 / (RTT^2 x): alpha = 2, with weights 1 / RTT^2.

    Parameters
    ----------
    routes, capacities
        As for `alpha_fair_rates`.
    rtts
        RTT of each flow, with the delay in queues.

    Notes
    -----
    L. Massoulie & J. Roberts, Bandwidth sharing: objectives and algorithms, IEEE/ACM Trans.
    Networking 10(3), 2002 (minimum potential delay); S. Kunniyur & R. Srikant, End-to-end
    congestion control schemes: utility functions, random losses and ECN marks, IEEE/ACM Trans.
    Networking 11(5), 2003.

    Examples
    --------
    Three links and equal RTTs: the long flow gets 1 / (1 + sqrt(3)).

    >>> reno_rates([[0, 1, 2], [0], [1], [2]], [1, 1, 1], [0.1] * 4).round(3).tolist()
    [0.366, 0.634, 0.634, 0.634]
    """
    return alpha_fair_rates(routes, capacities, [rtt**-2 for rtt in rtts], alpha=2)


def parking_lot_shares(links: int, alpha: float = 1.0, weight: float = 1.0) -> tuple[float, float]:
    """Shares of a link of the long flow, which crosses all `links`, and of the local flow.

    With the long flow's weight `weight` times the others', w / (n p x0^alpha) = 1 / (p x1^alpha):
    x1 / x0 = (n / w)^(1 / alpha).

    Parameters
    ----------
    links
        n, that the long flow crosses.
    alpha
        1 for proportional fairness, 2 for Reno's.
    weight
        w, of the long flow.

    Examples
    --------
    >>> parking_lot_shares(3)
    (0.25, 0.75)
    """
    ratio = (links / weight) ** (1 / alpha)
    return 1 / (1 + ratio), ratio / (1 + ratio)
