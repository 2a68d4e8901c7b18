"""Slow starts that know ssthresh: doubling and COS-Slow-Start, their slopes and data sent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "cos_efficiency",
    "cos_second_derivative",
    "cos_slope",
    "cos_window",
    "doubling_efficiency",
    "doubling_second_derivative",
    "doubling_slope",
    "doubling_window",
    "parabolic_efficiency",
    "parabolic_window",
    "slow_start_efficiency",
    "slow_start_rounds",
    "slow_start_transfer_rounds",
    "straight_efficiency",
    "straight_window",
    "window_advantage",
]

Ends = Literal["paper", "sent", "area"]
"""Rounds that an efficiency sums over."""

Start = Literal["doubling", "cos"]
"""Name of a slow start."""

ROUNDING = 1e-6
"""Packets that a cosine in floating point may be off by: w(2) for ssthresh 16 is the integer 9."""


def slow_start_rounds(ssthresh: float) -> float:
    """Round trips from one packet to ssthresh, of doubling and of COS alike: L = log2(ssthresh).

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
        raise ValueError(
            f"an ssthresh of {ssthresh} packets: the curve from one packet needs one above 1, and "
            "finite"
        )
    return math.log2(ssthresh)


def doubling_window(rounds: float, ssthresh: float = math.inf) -> float:
    """Window of doubling: min(2^x, ssthresh), packets.

    Parameters
    ----------
    rounds
        x, round trips since slow start began with one packet.
    ssthresh
        Window at which slow start ends, packets.

    Notes
    -----
    V. Jacobson, Congestion avoidance and control, SIGCOMM 1988; w_b of Ru & Liu 2007. One packet
    more per packet acknowledged: with receivers that delay ACKs, of a sender that counts bytes.

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
        Rounded to whole packets as the paper does: down in the first half, x <= L/2, and up in the
        second.

    Notes
    -----
    Ru & Liu 2007. It begins at 1 and ends, after L = log2(s) round trips, at s + 1: a packet above
    what slow start may reach. An implementation ends there, or sigma packets before.

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
    return float(
        math.floor(window + ROUNDING) if at <= length / 2 else math.ceil(window - ROUNDING)
    )


def cos_slope(rounds: float, ssthresh: float) -> float:
    """Growth of COS's window: w_a' = A B sin(B x), A = s/2, B = pi / L, packets per round trip.

    From L on there is none.

    Parameters
    ----------
    rounds
        x, round trips since slow start began.
    ssthresh
        s, packets.

    Notes
    -----
    Ru & Liu 2007. Largest half way, A B = pi s / (2 L), and nothing at the end. Doubling's there
    is ln 2 s: COS's largest slope is the larger one for s below 2^(pi / (2 ln 2)), 4.8 packets.

    Examples
    --------
    >>> round(cos_slope(3, 64), 2), round(cos_slope(6, 64), 2)
    (16.76, 0.0)
    """
    length = slow_start_rounds(ssthresh)
    if rounds >= length:
        return 0.0
    return ssthresh / 2 * math.pi / length * math.sin(math.pi * rounds / length)


def cos_second_derivative(rounds: float, ssthresh: float) -> float:
    """Second derivative of COS's window: w_a'' = A B^2 cos(B x), packets per round trip squared.

    Parameters
    ----------
    rounds
        x, round trips since slow start began, 0 to L.
    ssthresh
        s, packets.

    Notes
    -----
    Ru & Liu 2007, with A = s/2 and B = pi / L. Positive in the first half, negative in the second.
    At x = 0 it is the larger one beside doubling's (ln 2)^2, so the statement "the smaller the
    second derivative, the more efficient" says nothing about COS and doubling directly: see
    `window_advantage`.

    Examples
    --------
    >>> round(cos_second_derivative(0, 64), 2), round(cos_second_derivative(6, 64), 2)
    (8.77, -8.77)
    """
    angle = math.pi / slow_start_rounds(ssthresh)
    return ssthresh / 2 * angle**2 * math.cos(angle * rounds)


def doubling_second_derivative(rounds: float) -> float:
    """Second derivative of doubling's window: w_b'' = (ln 2)^2 2^x, packets per round trip squared.

    Parameters
    ----------
    rounds
        x, round trips since slow start began.

    Notes
    -----
    Ru & Liu 2007. Positive throughout: the window lies below the straight line between its ends.

    Examples
    --------
    >>> round(doubling_second_derivative(6), 2)
    30.75
    """
    return math.log(2) ** 2 * math.pow(2, rounds)


def straight_window(rounds: float, ssthresh: float) -> float:
    """Window on a straight line with COS's ends: w_c = (2 A B / pi) x + 1 = (s / L) x + 1, packets.

    Parameters
    ----------
    rounds
        x, round trips since slow start began; beyond L the window is that of L.
    ssthresh
        s, packets.

    Notes
    -----
    Ru & Liu 2007: by way of this line they show that COS is more efficient than doubling. COS's
    curve lies below it in the first half and as far above it in the second: w_a(x) + w_a(L - x) =
    w_c(x) + w_c(L - x) = s + 2.

    Examples
    --------
    >>> [round(straight_window(x, 64), 2) for x in (0, 3, 6)]
    [1.0, 33.0, 65.0]
    """
    length = slow_start_rounds(ssthresh)
    return ssthresh / length * min(rounds, length) + 1


def parabolic_window(rounds: float, ssthresh: float, second_derivative: float) -> float:
    """Window with a constant second derivative: w_c(x) - (w'' / 2) x (L - x), packets.

    Parameters
    ----------
    rounds
        x, round trips since slow start began; beyond L the window is that of L.
    ssthresh
        s, packets.
    second_derivative
        w'', packets per round trip squared; 0 is the straight line `straight_window`.

    Notes
    -----
    The family is ackclock's, not the paper's. It is the simplest one for the paper's statement
    that a smaller second derivative makes a slow start more efficient.

    Examples
    --------
    >>> [parabolic_window(3, 64, bent) for bent in (-4, 0, 4)]
    [51.0, 33.0, 15.0]
    """
    length = slow_start_rounds(ssthresh)
    at = min(rounds, length)
    return straight_window(at, ssthresh) - second_derivative / 2 * at * (length - at)


def window_advantage(rounds: float, ssthresh: float) -> float:
    """Lead of the straight line over doubling: H(x) = w_c(x) - w_b(x), packets.

    Parameters
    ----------
    rounds
        x, round trips since slow start began, 0 to L.
    ssthresh
        s, packets.

    Notes
    -----
    Ru & Liu 2007. Two windows with the same ends are compared by their difference H. Where the
    second derivative of the one is smaller throughout, H'' < 0: H is concave, 0 at the beginning,
    not below 0 at the end, and so above 0 in between. Its sum over the rounds, and with it the
    difference of the efficiencies, is positive: the smaller the second derivative, the more
    efficient. Here H'' = -(ln 2)^2 2^x, H(0) = 0 and H(L) = 1, as COS ends a packet above
    doubling. COS's own second derivative is not below doubling's throughout
    (`cos_second_derivative`), so its lead follows from the line's, whose area and sum it has
    (`straight_efficiency`).

    Examples
    --------
    >>> [round(window_advantage(x, 64), 2) for x in (0, 3, 6)]
    [0.0, 25.0, 1.0]
    """
    return straight_window(rounds, ssthresh) - doubling_window(rounds)


def slow_start_transfer_rounds(packets: int, ssthresh: float, start: Start = "doubling") -> int:
    """Round trips that a short transfer takes, without the handshake, where nothing ever waits.

    Parameters
    ----------
    packets
        Length of the transfer, packets.
    ssthresh
        s, packets; from there on the window stands still.
    start
        Slow start: "doubling" or "cos", both from a window of one packet.

    Notes
    -----
    The least k with w(0) + ... + w(k - 1) >= packets: what leaves in k round trips is the
    efficiency that Ru & Liu 2007 define, summed until the transfer ends. Short-lived connections
    end in the first half of the curve, where COS's windows are the larger ones.

    Examples
    --------
    >>> [slow_start_transfer_rounds(10, 64, start) for start in ("doubling", "cos")]
    [4, 3]
    """
    if packets < 1:
        raise ValueError(f"a transfer of {packets} packets: it has one at least")
    if start not in ("doubling", "cos"):
        raise ValueError(f"start of '{start}': it is doubling or cos")
    rounds, sent = 0, 0.0
    while sent < packets:
        window = (
            cos_window(rounds, ssthresh) if start == "cos" else doubling_window(rounds, ssthresh)
        )
        sent += min(window, ssthresh)
        rounds += 1
    return rounds


def slow_start_efficiency(windows: Sequence[float], ssthresh: float) -> float:
    """Return the share of ssthresh that a slow start sends: eta = sum w(x_i) / (N ssthresh).

    The windows may be any, one per round.

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
    return slow_start_efficiency(
        [doubling_window(x, ssthresh) for x in _rounds(length, ends)], ssthresh
    )


def cos_efficiency(ssthresh: float, ends: Ends = "paper", *, whole: bool = True) -> float:
    """Efficiency of COS-Slow-Start over its N = ceil(L) round trips.

    Parameters
    ----------
    ssthresh
        s, packets.
    ends
        "paper": i = 0 to N with w(x_0) set to 0, that is 1 to N, the last window the formula's, s
        + 1. "sent": i = 0 to N - 1, the windows whose packets leave in the N round trips of slow
        start. "area": the mean of the unrounded curve from 0 to L.
    whole
        As for `cos_window`; an area has no rounding.

    Notes
    -----
    Ru & Liu 2007. They set w(x_0) = 0, where both curves are 1, and let w_a end a packet above
    w_b; neither matters beside the result. Unrounded and for s = 2^N the cosine's values cancel in
    pairs: "paper" is ((N + 1)(s/2 + 1) - 1) / (N s) and "area" is 1/2 + 1/s. The curve has the area
    of the straight line w_c = (2 A B / pi) x + 1 = (s / L) x + 1. Doubling's efficiency goes to
    zero with N, because it sends nearly everything in the last round.

    Examples
    --------
    >>> [round(cos_efficiency(1024, ends), 4) for ends in ("paper", "sent", "area")]
    [0.551, 0.451, 0.501]
    """
    length = slow_start_rounds(ssthresh)
    if _checked(ends) == "area":
        return 0.5 + 1 / ssthresh
    return slow_start_efficiency(
        [cos_window(x, ssthresh, whole=whole) for x in _rounds(length, ends)], ssthresh
    )


def straight_efficiency(ssthresh: float, ends: Ends = "paper") -> float:
    """Efficiency of the straight line w_c over its N = ceil(L) round trips: eta_c.

    Parameters
    ----------
    ssthresh
        s, packets.
    ends
        As for `cos_efficiency`.

    Notes
    -----
    Ru & Liu 2007: eta_c = eta_a, and eta_c > eta_b because doubling's second derivative is the
    larger one. The areas are equal for every s. For s = 2^N the sums are equal too, rounded or
    not. Rounds x and L - x of the curve and of the line both add up to s + 2, and one is rounded up
    by as much as the other is rounded down. For other s the last round is cut short, and the
    sums differ by a little.

    Examples
    --------
    >>> [round(straight_efficiency(1024, ends), 4) for ends in ("paper", "sent", "area")]
    [0.551, 0.451, 0.501]
    """
    return parabolic_efficiency(ssthresh, 0.0, ends)


def parabolic_efficiency(ssthresh: float, second_derivative: float, ends: Ends = "paper") -> float:
    """Efficiency of `parabolic_window` over its N = ceil(L) round trips.

    Parameters
    ----------
    ssthresh
        s, packets.
    second_derivative
        w'', packets per round trip squared.
    ends
        As for `cos_efficiency`.

    Notes
    -----
    "area": 1/2 + 1/s - w'' L^2 / (12 s): it falls as the second derivative grows.

    Examples
    --------
    >>> [round(parabolic_efficiency(64, bent, "area"), 3) for bent in (-4, 0, 4)]
    [0.703, 0.516, 0.328]
    """
    length = slow_start_rounds(ssthresh)
    if _checked(ends) == "area":
        return 0.5 + 1 / ssthresh - second_derivative * length**2 / (12 * ssthresh)
    windows = [parabolic_window(x, ssthresh, second_derivative) for x in _rounds(length, ends)]
    return slow_start_efficiency(windows, ssthresh)


def _checked(ends: str) -> str:
    if ends not in ("paper", "sent", "area"):
        raise ValueError(f"ends of '{ends}': they are paper, sent or area")
    return ends


def _rounds(length: float, ends: str) -> range:
    rounds = math.ceil(length - ROUNDING)
    return range(1, rounds + 1) if ends == "paper" else range(rounds)
