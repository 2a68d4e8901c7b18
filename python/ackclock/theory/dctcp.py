"""DCTCP under step marking: the sawtooth of flows in step."""

import math
from dataclasses import dataclass

__all__ = ["DctcpSawtooth", "dctcp_sawtooth"]


@dataclass(frozen=True)
class DctcpSawtooth:
    """Queue, in packets, and what is behind it."""

    largest: float
    """Longest queue."""
    amplitude: float
    """Longest less shortest."""
    period: float
    """From cut to cut, round trips."""
    alpha: float
    """Fraction of packets marked, as each flow estimates it."""

    @property
    def smallest(self) -> float:
        """Shortest queue; below zero, the link is idle for part of the time."""
        return self.largest - self.amplitude


def dctcp_sawtooth(bdp: float, threshold: float, flows: int = 1) -> DctcpSawtooth:
    """N flows in step, all of whose packets are marked that find K waiting.

    Parameters
    ----------
    bdp
        C x RTT, packets.
    threshold
        K, packets.
    flows
        N.

    Notes
    -----
    M. Alizadeh et al., Data center TCP (DCTCP), SIGCOMM 2010, section 3.3. W = (C RTT + K) / N is
    each flow's window when the queue reaches K. Q_max = K + N, because a round trip of growth goes
    on; alpha = sqrt(2 / W). Each flow cuts W alpha / 2, so the amplitude is sqrt(2 N (C RTT + K)) /
    2. The period, at a packet per round trip, is sqrt(2 (C RTT + K) / N) / 2.

    Examples
    --------
    >>> tooth = dctcp_sawtooth(83, 65, flows=2)
    >>> tooth.largest, round(tooth.amplitude, 1), round(tooth.smallest, 1), round(tooth.alpha, 3)
    (67, 12.2, 54.8, 0.164)
    """
    window = (bdp + threshold) / flows
    alpha = math.sqrt(2 / window)
    cut = window * alpha / 2
    return DctcpSawtooth(largest=threshold + flows, amplitude=flows * cut, period=cut, alpha=alpha)
