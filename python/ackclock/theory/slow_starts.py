"""Slow starts that know ssthresh: the curves of doubling and of COS-Slow-Start, their slopes, and how much of ssthresh they send."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "cos_efficiency",
    "cos_slope",
    "cos_window",
    "doubling_efficiency",
    "doubling_slope",
    "doubling_window",
    "slow_start_efficiency",
    "slow_start_rounds",
]

Ends = Literal["paper", "sent", "area"]
"""Which rounds an efficiency sums over."""

ROUNDING = 1e-6
"""Packets that a cosine in floating point may be off by: w(2) for ssthresh 16 is the integer 9."""


def slow_start_rounds(ssthresh: float) -> float:
    """Round trips from a window of one packet to ssthresh, of doubling and of COS alike: L = log2(ssthresh).

    Parameters
    ----------
    ssthresh
        Packets; above 1, and finite: COS is not defined without it.

    Notes
    -----
    W. Ru & X. Liu, COS-Slow-Start: a new strategy of TCP slow start, 2007.

    Examples
    --------
    >>> slow_start_rounds(64)
    6.0
    """
    if not 1 < ssthresh < math.inf:
        raise ValueError(f"an ssthresh of {ssthresh} packets: the curve from one packet needs one above 1, and finite")
    return math.log2(ssthresh)


def doubling_window(rounds: float, ssthresh: float = math.inf) -> float:
    """Window of doubling: min(2^x, ssthresh), packets.

    Parameters
    ----------
    rounds
        x, round trips since slow start began with one packet.
    ssthresh
        Where slow start ends, packets.

    Notes
    -----
    V. Jacobson, Congestion avoidance and control, SIGCOMM 1988; w_b of Ru & Liu 2007. One packet more per packet acknowledged: with
    receivers that delay ACKs, of a sender that counts bytes.

    Examples
    --------
    >>> [doubling_window(x) for x in range(5)], doubling_window(9, ssthresh=300)
    ([1.0, 2.0, 4.0, 8.0, 16.0], 300)
    """
    return min(math.pow(2, rounds), ssthresh)


def doubling_slope(rounds: float) -> float:
    """Growth of doubling's window: w_b' = ln 2 x 2^x, packets per round trip.

    Parameters
    ----------
    rounds
        x, round trips since slow start began.

    Notes
    -----
    Ru & Liu 2007. Largest at the very end, where the path is full.

    Examples
    --------
    >>> round(doubling_slope(6), 2)
    44.36
    """
    return math.log(2) * math.pow(2, rounds)


def cos_window(rounds: float, ssthresh: float, *, whole: bool = True) -> float:
    """Window of COS-Slow-Start: w_a = -(s/2) cos(pi x / L) + s/2 + 1, packets.

    Parameters
    ----------
    rounds
        x, round trips since slow start began; beyond L the window is that of L.
    ssthresh
        s, packets.
    whole
        Rounded to whole packets as the paper does: down in the first half, x <= L/2, and up in the second.

    Notes
    -----
    Ru & Liu 2007. It begins at 1 and ends, after L = log2(s) round trips, at s + 1: a packet above what slow start may reach. An
    implementation ends there, or sigma packets before.

    Examples
    --------
    >>> [cos_window(x, 64) for x in range(7)], cos_window(3, 64, whole=False)
    ([1.0, 5.0, 17.0, 33.0, 49.0, 61.0, 65.0], 33.0)
    """
    length = slow_start_rounds(ssthresh)
    at = min(rounds, length)
    window = ssthresh / 2 * (1 - math.cos(math.pi * at / length)) + 1
    if not whole:
        return window
    return float(math.floor(window + ROUNDING) if at <= length / 2 else math.ceil(window - ROUNDING))


def cos_slope(rounds: float, ssthresh: float) -> float:
    """Growth of COS's window: w_a' = A B sin(B x) with A = s/2 and B = pi / L, packets per round trip; 0 from L on.

    Parameters
    ----------
    rounds
        x, round trips since slow start began.
    ssthresh
        s, packets.

    Notes
    -----
    Ru & Liu 2007. Largest half way, A B = pi s / (2 L), and nothing at the end. Doubling's there is ln 2 s: COS's largest slope is the
    larger one for s below 2^(pi / (2 ln 2)), 4.8 packets.

    Examples
    --------
    >>> round(cos_slope(3, 64), 2), round(cos_slope(6, 64), 2)
    (16.76, 0.0)
    """
    length = slow_start_rounds(ssthresh)
    if rounds >= length:
        return 0.0
    return ssthresh / 2 * math.pi / length * math.sin(math.pi * rounds / length)


def slow_start_efficiency(windows: Sequence[float], ssthresh: float) -> float:
    """How much of ssthresh a slow start sends: eta = sum w(x_i) / (N ssthresh), of any windows, one per round.

    Parameters
    ----------
    windows
        w(x_i), packets: those of the rounds that count, N of them.
    ssthresh
        Packets.

    Notes
    -----
    Ru & Liu 2007. Which rounds count is for the caller to say; see `cos_efficiency`.

    Examples
    --------
    >>> slow_start_efficiency([2, 4, 8, 16], 16)
    0.46875
    """
    if not windows:
        raise ValueError("no windows: an efficiency is over one round at least")
    return math.fsum(windows) / (len(windows) * ssthresh)


def doubling_efficiency(ssthresh: float, ends: Ends = "paper") -> float:
    """Efficiency of doubling over its N = ceil(L) round trips.

    Parameters
    ----------
    ssthresh
        s, packets.
    ends
        As for `cos_efficiency`.

    Notes
    -----
    For s = 2^N: "paper" (2 - 2/s) / N, "sent" (1 - 1/s) / N, "area" (1 - 1/s) / (N ln 2).

    Examples
    --------
    >>> [round(doubling_efficiency(1024, ends), 4) for ends in ("paper", "sent", "area")]
    [0.1998, 0.0999, 0.1441]
    """
    length = slow_start_rounds(ssthresh)
    if _checked(ends) == "area":
        return (ssthresh - 1) / (math.log(2) * length * ssthresh)
    return slow_start_efficiency([doubling_window(x, ssthresh) for x in _rounds(length, ends)], ssthresh)


def cos_efficiency(ssthresh: float, ends: Ends = "paper", *, whole: bool = True) -> float:
    """Efficiency of COS-Slow-Start over its N = ceil(L) round trips.

    Parameters
    ----------
    ssthresh
        s, packets.
    ends
        "paper": i = 0 to N with w(x_0) set to 0, that is 1 to N, the last window the formula's, s + 1. "sent": i = 0 to N - 1, the windows
        whose packets leave in the N round trips of slow start. "area": the mean of the unrounded curve from 0 to L.
    whole
        As for `cos_window`; an area has no rounding.

    Notes
    -----
    Ru & Liu 2007. They set w(x_0) = 0, where both curves are 1, and let w_a end a packet above w_b; both are as nothing beside the result.
    Unrounded and for s = 2^N the cosine's values cancel in pairs: "paper" is ((N + 1)(s/2 + 1) - 1) / (N s) and "area" 1/2 + 1/s, for the
    curve has the area of the straight line w_c = (2 A B / pi) x + 1 = (s / L) x + 1. Doubling's goes to nothing with N, for nearly all that
    it sends it sends in the last round.

    Examples
    --------
    >>> [round(cos_efficiency(1024, ends), 4) for ends in ("paper", "sent", "area")]
    [0.551, 0.451, 0.501]
    """
    length = slow_start_rounds(ssthresh)
    if _checked(ends) == "area":
        return 0.5 + 1 / ssthresh
    return slow_start_efficiency([cos_window(x, ssthresh, whole=whole) for x in _rounds(length, ends)], ssthresh)


def _checked(ends: str) -> str:
    if ends not in ("paper", "sent", "area"):
        raise ValueError(f"ends of '{ends}': they are paper, sent or area")
    return ends


def _rounds(length: float, ends: str) -> range:
    rounds = math.ceil(length - ROUNDING)
    return range(1, rounds + 1) if ends == "paper" else range(rounds)
