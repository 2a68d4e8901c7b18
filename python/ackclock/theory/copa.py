"""Copa: the queue that its flows keep, and how they share the link."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["CopaEquilibrium", "copa_equilibrium", "copa_target_rate"]

LAG_UP = 1.5
"""Round trips until a rising queue turns a flow: one to the ACK, half of one in the window."""

LAG_DOWN = 1.0
"""Round trips after which a falling queue turns a flow: the latest RTT is the smallest."""


def copa_target_rate(delta: float, queueing_delay: float) -> float:
    """1 / (delta dq), packets/s: the rate that Copa moves towards.

    Parameters
    ----------
    delta
        Weight of delay against throughput; 0.5 by default.
    queueing_delay
        dq, s: the standing RTT less the smallest.

    Notes
    -----
    V. Arun & H. Balakrishnan, Copa: practical delay-based congestion control for the Internet, NSDI
    2018, equation 1.

    Examples
    --------
    >>> copa_target_rate(0.5, 0.002)
    1000.0
    """
    return 1 / (delta * queueing_delay)


@dataclass(frozen=True)
class CopaEquilibrium:
    """Equilibrium of Copa flows of one RTT.

    Attributes
    ----------
    mean
        Mean queue, packets.
    lowest, highest
        Ends of the swing, packets.
    period
        Time from one upward turn to the next, RTTs.
    shares
        Share of the link of each flow.
    """

    mean: float
    lowest: float
    highest: float
    period: float
    shares: tuple[float, ...]


def copa_equilibrium(deltas: Sequence[float]) -> CopaEquilibrium:
    """The queue and the shares of flows with these deltas, one per flow.

    Parameters
    ----------
    deltas
        Delta of each flow, as in `copa_target_rate`.

    Notes
    -----
    At its target each flow's rate is 1 / (delta dq). Shares therefore go as 1 / delta, and the
    rates add up to the link's where the queue is k = sum of 1 / delta. Each flow moves its window
    by 1 / delta per RTT, and all together by k. They turn when the standing RTT crosses the value
    that k gives. This is 1.5 RTTs after the queue has risen through k and 1 RTT after it has fallen
    through it: between k - k and k + 1.5 k, 2.5 RTTs each way (Arun & Balakrishnan, section 3 and
    figure 1). The queue is therefore empty once in 5 RTTs, which is how Copa tells Copa flows from
    flows that fill the buffer.

    A fluid, of flows with one RTT, a velocity of 1, no competitive mode, and a queue that is short
    beside the path. Of packets, one more is always on its way.

    Examples
    --------
    >>> copa_equilibrium([0.5])
    CopaEquilibrium(mean=2.5, lowest=0.0, highest=5.0, period=5.0, shares=(1.0,))
    >>> copa_equilibrium([0.5, 0.1]).highest
    30.0
    """
    if not deltas or min(deltas) <= 0:
        raise ValueError(f"deltas of {list(deltas)}: one above zero for each flow")
    kept = sum(1 / delta for delta in deltas)
    lowest, highest = (1 - LAG_DOWN) * kept, (1 + LAG_UP) * kept
    return CopaEquilibrium(
        mean=(lowest + highest) / 2,
        lowest=lowest,
        highest=highest,
        period=2 * (LAG_UP + LAG_DOWN),
        shares=tuple(1 / delta / kept for delta in deltas),
    )
