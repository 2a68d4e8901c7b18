"""Vegas and FAST: the queue that they keep, and their shares by order of arrival."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.theory.roots import root

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DelayEquilibrium", "fast_equilibrium", "fast_latecomers", "vegas_queue"]


@dataclass(frozen=True)
class DelayEquilibrium:
    """Equilibrium of flows that each keep packets in the queue.

    Attributes
    ----------
    queue
        Length of the queue, packets.
    delay
        Delay in the queue, s.
    rates
        Rate of each flow, packets/s.
    windows
        Window of each flow, packets.
    """

    queue: float
    delay: float
    rates: tuple[float, ...]
    windows: tuple[float, ...]


def fast_equilibrium(rate: float, rtts: Sequence[float], alpha: float = 20.0) -> DelayEquilibrium:
    """Equilibrium of FAST flows, or Vegas with alpha = beta, that know the path's RTT.

    Each flow has alpha packets queued, and all have one rate for any RTT.

    Parameters
    ----------
    rate
        C, line rate, packets/s.
    rtts
        RTT of each flow without a queue, s.
    alpha
        Packets that each keeps queued.

    Notes
    -----
    W = (base RTT / RTT) W + alpha is x q = alpha, with x the rate and q the delay in the queue, the
    same for all: proportional fairness. C. Jin, D. Wei & S. Low, FAST TCP, INFOCOM 2004, theorem 1;
    S. Low, L. Peterson & L. Wang, Understanding Vegas: a duality model, J. ACM 49(2), 2002. Over
    several links: `alpha_fair_rates`.

    Examples
    --------
    >>> at = fast_equilibrium(1000, [0.02, 0.06, 0.12], alpha=10)
    >>> at.queue, at.delay, [round(w, 1) for w in at.windows]
    (30, 0.03, [16.7, 30.0, 50.0])
    """
    queue = alpha * len(rtts)
    delay, share = queue / rate, rate / len(rtts)
    return DelayEquilibrium(
        queue, delay, (share,) * len(rtts), tuple(share * (rtt + delay) for rtt in rtts)
    )


def vegas_queue(flows: int, alpha: float = 2.0, beta: float = 4.0) -> tuple[float, float]:
    """Shortest and longest queue at which N Vegas flows stand still: N alpha and N beta, packets.

    Parameters
    ----------
    flows
        N.
    alpha, beta
        Packets queued below which the window grows, and above which it shrinks, packets.

    Notes
    -----
    L. Brakmo & L. Peterson, TCP Vegas: end to end congestion avoidance on a global internet, IEEE
    JSAC 13(8), 1995. Anywhere between is an equilibrium, with rates from alpha / q to beta / q:
    fair to beta / alpha only (Low, Peterson & Wang 2002).

    Examples
    --------
    >>> vegas_queue(4)
    (8.0, 16.0)
    """
    return flows * alpha, flows * beta


def fast_latecomers(rate: float, rtt: float, flows: int, alpha: float = 20.0) -> DelayEquilibrium:
    """FAST flows of one RTT that start one after another and take the queue they find for the path.

    Parameters
    ----------
    rate
        C, line rate, packets/s.
    rtt
        Without a queue, s.
    flows
        Number of flows that have come; the rates are in their order.
    alpha
        Packets that each believes it keeps queued.

    Notes
    -----
    Flow i came to a queue of Q_(i-1) packets, which its base RTT contains: x_i (Q - Q_(i-1)) / C =
    alpha, and the rates add up to C:

        sum over i of alpha / (Q - Q_(i-1)) = 1.

    Persistent congestion, as Low, Peterson & Wang 2002 call it for Vegas. It ends if the queue is
    ever empty.

    Examples
    --------
    >>> at = fast_latecomers(100e6 / 8 / 1500, 0.06, 4)
    >>> round(at.queue), [round(x * 1500 * 8 / 1e6) for x in at.rates]
    (137, [15, 17, 24, 45])
    """
    queues = [0.0]
    for _ in range(flows):

        def excess(queue: float) -> float:
            return sum(alpha / (queue - before) for before in queues) - 1

        queues.append(
            root(excess, queues[-1] + 1e-9 * alpha, queues[-1] + alpha * (len(queues) + 1))
        )
    queue = queues.pop()
    rates = tuple(rate * alpha / (queue - before) for before in queues)
    delay = queue / rate
    return DelayEquilibrium(queue, delay, rates, tuple(x * (rtt + delay) for x in rates))
