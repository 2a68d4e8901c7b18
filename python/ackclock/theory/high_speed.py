"""Response functions and recovery times of BIC, H-TCP and Compound TCP.

The growth of these three is not a function of the window alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.theory.roots import root
from ackclock.theory.square_root import checked

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "bic_recovery",
    "bic_window",
    "compound_recovery",
    "compound_window",
    "htcp_growth",
    "htcp_random_window",
    "htcp_recovery",
    "htcp_window",
]


def _where(rises: Callable[[float], float], is_: float, low: float, high: float) -> float:
    return root(lambda x: rises(x) - is_, low, high)


def _search(
    peak: float, start: float, end: float, step: tuple[float, float], divisor: float, near: float
) -> tuple[float, float]:
    """Round trips and packets of BIC's search from `start` to `end`, both at most `peak`."""
    largest, smallest = step
    far, close = max(peak - divisor * largest, start), max(peak - near, start)
    round_trips = sent = 0.0
    if (top := min(far, end)) > start:
        round_trips += (top - start) / largest
        sent += (top * top - start * start) / (2 * largest)
    if (top := min(close, end)) > far:
        time = divisor * math.log((peak - far) / (peak - top))
        round_trips += time
        sent += peak * time - divisor * (top - far)
    if end > close:
        round_trips += (end - close) / smallest
        sent += (end * end - close * close) / (2 * smallest)
    return round_trips, sent


def bic_recovery(
    peak: float,
    end: float,
    *,
    left: float = 0.8,
    max_increment: float = 16.0,
    min_increment: float = 0.2,
    divisor: float = 4.0,
    near: float = 8.0,
) -> float:
    """Round trips from the cut after a loss at `peak` to the window `end`, which is at most `peak`.

    Parameters
    ----------
    peak
        Window at the loss, packets.
    end
        Window that is reached, packets.
    left
        Share of the window that a loss leaves.
    max_increment, min_increment
        Bounds of the growth, packets per round trip.
    divisor
        B: the growth is 1/B of the distance to the peak.
    near
        The last packets before the peak, taken at `min_increment`: 2 B in Linux; in the paper B
        times `min_increment`.

    Notes
    -----
    A straight line, an exponential with time constant B, and a straight line: the search of L. Xu,
    K. Harfoush & I. Rhee, INFOCOM 2004, with the step looked up continuously.

    Examples
    --------
    >>> round(bic_recovery(1000, 992), 1), round(bic_recovery(1000, 1000), 1)
    (16.8, 56.8)
    """
    return _search(peak, peak * left, end, (max_increment, min_increment), divisor, near)[0]


def bic_window(
    loss_rate: float,
    *,
    left: float = 0.8,
    max_increment: float = 16.0,
    min_increment: float = 0.2,
    divisor: float = 4.0,
    near: float = 8.0,
) -> float:
    """Mean window of BIC under periodic loss, with one peak of the search per 1/p packets, packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    left, max_increment, min_increment, divisor, near
        As for `bic_recovery`.

    Notes
    -----
    As the paper's response function, but for a step that is looked up continuously and with Linux's
    straight end of the search. For large windows it tends to AIMD(`max_increment`, 1 - `left`).
    Above the window up to which BIC is Reno (14).

    Examples
    --------
    >>> [round(bic_window(p)) for p in (1e-3, 1e-4, 1e-5)]
    [30, 214, 1553]
    """
    packets = 1 / checked(loss_rate)

    def cycle(peak: float) -> tuple[float, float]:
        return _search(peak, peak * left, peak, (max_increment, min_increment), divisor, near)

    peak = _where(lambda peak: cycle(peak)[1], packets, 1.0, packets)
    return packets / cycle(peak)[0]


def htcp_growth(time: float) -> float:
    """H-TCP's growth in a time since the last congestion, times RTT: int alpha, packets s.

    Parameters
    ----------
    time
        s.

    Notes
    -----
    alpha is 1 up to one second, then 1 + 10 (t - 1) + (t - 1)^2 / 4: draft-leith-tcp-htcp-06.

    Examples
    --------
    >>> htcp_growth(0.5), round(htcp_growth(3.0), 4)
    (0.5, 23.6667)
    """
    late = max(time - 1, 0.0)
    return time + 5 * late**2 + late**3 / 12


def htcp_recovery(gain: float, rtt: float, *, left: float = 0.5) -> float:
    """Time in which H-TCP grows by `gain` packets after a loss, s.

    Parameters
    ----------
    gain
        Packets.
    rtt
        s; 0.1 or more, so that growth is never Reno's.
    left
        beta, what the loss left of the window.

    Examples
    --------
    >>> round(htcp_recovery(4000, 0.1), 2)
    9.29
    """
    scale = 2 * (1 - left) * _rtt_scale(rtt) / rtt
    return _where(lambda time: scale * htcp_growth(time), gain, 0.0, 1e4)


def _rtt_scale(rtt: float) -> float:
    return min(rtt / 0.1, 2.0)


def htcp_window(loss_rate: float, rtt: float, *, left: float = 0.8) -> float:
    """Mean window of H-TCP under periodic loss on a path without a queue, packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    rtt
        s; 0.1 or more, so that growth is never Reno's.
    left
        beta: 0.8 without a queue, 0.5 without adaptive backoff.

    Notes
    -----
    Between two losses the window grows from beta W to W by 2 (1 - beta) int alpha / RTT, and sends
    1/p packets: both integrals are polynomials of the time between two losses.

    Examples
    --------
    >>> [round(htcp_window(p, 0.1)) for p in (1e-2, 1e-3, 1e-4, 1e-5)]
    [13, 62, 350, 1857]
    """
    packets = 1 / checked(loss_rate)
    factor = 2 * (1 - left) * _rtt_scale(rtt) / rtt

    def sent(time: float) -> float:
        grown = factor * htcp_growth(time)
        late = max(time - 1, 0.0)
        above = factor * (time**2 / 2 + 5 * late**3 / 3 + late**4 / 48)
        return (left * grown / (1 - left) * time + above) / rtt

    return packets * rtt / _where(sent, packets, 1e-6, 1e5)


def htcp_random_window(loss_rate: float, rtt: float, *, left: float = 0.5, seed: int = 1) -> float:
    """Mean window of H-TCP under independent losses, simulated, packets.

    Parameters
    ----------
    loss_rate, rtt
        As for `htcp_window`.
    left
        beta; 0.5 where gaps between losses, and with them the throughput, vary by more than a
        fifth.
    seed
        Seed of the gaps.

    Notes
    -----
    There is no closed form, for growth depends on the time and not on the window. 500 flows for 100
    gaps, exponential with mean 1/p packets: standard error 0.5 %.

    Examples
    --------
    >>> [round(htcp_random_window(p, 0.1), -1) for p in (1e-4, 1e-5)]
    [400.0, 2050.0]
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    packets = 1 / checked(loss_rate)
    factor = 2 * (1 - left) * _rtt_scale(rtt) / rtt
    window = np.full(500, htcp_window(loss_rate, rtt, left=left) * left)
    total_sent = total_time = 0.0
    for gap in range(120):
        target = generator.exponential(packets, window.size)
        low, high = np.zeros(window.size), np.full(window.size, 1e5)
        for _ in range(40):
            time = (low + high) / 2
            late = np.maximum(time - 1, 0.0)
            sent = (window * time + factor * (time**2 / 2 + 5 * late**3 / 3 + late**4 / 48)) / rtt
            low, high = np.where(sent < target, time, low), np.where(sent < target, high, time)
        late = np.maximum(low - 1, 0.0)
        window = left * (window + factor * (low + 5 * late**2 + late**3 / 12))
        if gap >= 20:
            total_sent += float(target.sum())
            total_time += float(low.sum())
    return total_sent * rtt / total_time


def compound_recovery(
    peak: float, *, alpha: float = 0.125, k: float = 0.75, left: float = 0.5
) -> float:
    """Round trips of Compound to its old window: W^(1-k) (1 - left^(1-k)) / (alpha (1 - k)).

    Parameters
    ----------
    peak
        W, packets.
    alpha, k
        Growth by alpha W^k packets per round trip.
    left
        Share of the window that a loss leaves.

    Examples
    --------
    >>> round(compound_recovery(8000), 1)
    48.2
    """
    return math.pow(peak, 1 - k) * (1 - math.pow(left, 1 - k)) / (alpha * (1 - k))


def compound_window(
    loss_rate: float, *, alpha: float = 0.125, k: float = 0.75, left: float = 0.5
) -> float:
    """Mean window of Compound TCP under periodic loss on an empty path, ~ p^(-1/(2-k)), packets.

    Parameters
    ----------
    loss_rate
        p, losses per packet sent.
    alpha, k, left
        As for `compound_recovery`.

    Notes
    -----
    Growth by alpha W^k from left W to W sends W^(2-k) (1 - left^(2-k)) / (alpha (2 - k)) = 1/p
    packets: K. Tan, J. Song, Q. Zhang & M. Sridharan, INFOCOM 2006. Above 38 packets; below it is
    Reno.

    Examples
    --------
    >>> [round(compound_window(p)) for p in (1e-3, 1e-4, 1e-5)]
    [64, 405, 2553]
    """
    packets = 1 / checked(loss_rate)
    peak = math.pow(packets * alpha * (2 - k) / (1 - math.pow(left, 2 - k)), 1 / (2 - k))
    return packets / compound_recovery(peak, alpha=alpha, k=k, left=left)
