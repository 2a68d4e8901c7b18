"""The window that goes with a loss rate, and probes for more."""

from collections.abc import Sequence
from itertools import pairwise


def mean_window(sent_packets: int, seconds: float, rtt: float) -> float | None:
    """Packets sent per round-trip time.

    Parameters
    ----------
    sent_packets : int
        Data packets sent, retransmissions included.
    seconds : float
        In how much time, s.
    rtt : float
        Mean round-trip time, s.

    Returns
    -------
    float or None
        The mean window, packets; None if no time was measured.

    Notes
    -----
    The response curve (H. Pham, L. Le, "Improving the performance of TCP", 2005, figure 1) is this
    over `loss_rate`. `ackclock.theory` has it in closed form for many algorithms, in the same
    terms.

    Examples
    --------
    >>> mean_window(10_000, 10.0, 0.05)
    50.0
    """
    return sent_packets / seconds * rtt if seconds > 0.0 else None


def probes_upward(gain: Sequence[float]) -> int:
    """Count how often a pacing gain rises above 1.

    Parameters
    ----------
    gain : sequence of float
        The gain over time, as BBR's algorithms record it (`pacing_gain`).

    Notes
    -----
    S. Huang, Q. Zhu, J. Wang, about 2022, figure 13, count upward probes in 60 s. A gain that is
    above 1 from the first sample on is the startup's and no probe.

    Examples
    --------
    >>> probes_upward([2.89, 0.35, 1.25, 0.75, 1.0, 1.0, 1.25])
    2
    """
    return sum(before <= 1.0 < after for before, after in pairwise(gain))


def probe_times(time: Sequence[float], gain: Sequence[float]) -> list[float]:
    """Return the length of each upward probe, s.

    Parameters
    ----------
    time, gain : sequence of float
        Samples of the pacing gain, as BBR's algorithms record it (`pacing_gain`), and when they
        were taken, s.

    Returns
    -------
    list of float
        From the first sample above 1 to the first that is not, for each rise that `probes_upward`
        counts and whose end is seen.

    Examples
    --------
    >>> probe_times([0.0, 1.0, 2.0, 3.5, 4.0], [2.89, 1.0, 1.25, 0.75, 1.25])
    [1.5]
    """
    times, began = [], None
    for (_, before), (now, after) in pairwise(zip(time, gain, strict=True)):
        if before <= 1.0 < after:
            began = now
        elif after <= 1.0 and began is not None:
            times.append(now - began)
            began = None
    return times
