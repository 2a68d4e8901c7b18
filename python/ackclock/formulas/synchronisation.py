"""Whether flows lose at the same time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def congestion_epochs(drops: Sequence[Floats], gap: float) -> list[tuple[float, float]]:
    """Spans of time in which packets were dropped.

    Parameters
    ----------
    drops : sequence of ndarray
        Times at which each flow lost packets, s.
    gap : float
        Drops that are less than this apart belong to one epoch, s: no more than two round-trip
        times, one until the sender notices, one until the queue sees that it did.

    Returns
    -------
    list of (float, float)
        First and last drop of each epoch, s.

    Examples
    --------
    >>> import numpy as np
    >>> from ackclock.metrics import congestion_epochs
    >>> congestion_epochs([np.array([1.0, 1.01]), np.array([1.02, 9.0])], gap=0.1)
    [(1.0, 1.02), (9.0, 9.0)]
    """
    times = np.sort(np.concatenate([np.empty(0), *drops]))
    if len(times) == 0:
        return []
    begins = np.flatnonzero(np.diff(times, prepend=-np.inf) >= gap)
    ends = np.append(begins[1:], len(times)) - 1
    return [
        (float(first), float(last)) for first, last in zip(times[begins], times[ends], strict=True)
    ]


def loss_synchronisation(
    drops: Sequence[Floats], gap: float, lives: Sequence[tuple[float, float]] | None = None
) -> float | None:
    """Mean share of the flows that lose a packet in a congestion epoch.

    Parameters
    ----------
    drops : sequence of ndarray
        Times of each flow's losses, s; empty if it lost none.
    gap : float
        As for `congestion_epochs`.
    lives : sequence of (float, float), optional
        From when to when each flow is there, s; by default all the time.

    Returns
    -------
    float or None
        From 1/n (one flow at a time) to 1 (all at once); None without losses.

    Notes
    -----
    "Loss synchronization of TCP connections at a shared bottleneck link", Washington University in
    St. Louis, technical report, 2006: the fraction of the connections that lose a packet during a
    congestion instance. It decides how large a buffer many flows need (Appenzeller, Keslassy &
    McKeown, SIGCOMM 2004).

    Examples
    --------
    >>> loss_synchronisation([np.array([1.0, 5.0]), np.array([1.01])], 0.1)
    0.75
    """
    spans = [(-np.inf, np.inf)] * len(drops) if lives is None else lives
    shares = []
    for first, last in congestion_epochs(drops, gap):
        there = [
            index for index, (start, end) in enumerate(spans) if start <= last and end >= first
        ]
        hit = sum(bool(((drops[index] >= first) & (drops[index] <= last)).any()) for index in there)
        shares.append(hit / len(there))
    return float(np.mean(shares)) if shares else None
