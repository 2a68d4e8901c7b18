"""Length of a queue over time."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def held(time: Floats, end: float) -> Floats:
    """Return the time for which each sample is the latest, s.

    Parameters
    ----------
    time : ndarray
        Times of the samples, in order, s.
    end : float
        Until when the last one holds, s.

    Examples
    --------
    >>> held(np.array([0.0, 1.0, 4.0]), 5.0).tolist()
    [1.0, 3.0, 1.0]
    """
    return (
        np.maximum(np.diff(np.append(time, max(end, time[-1]) if len(time) else end)), 0.0)
        if len(time)
        else np.empty(0)
    )


def held_between(time: Floats, since: float, until: float) -> Floats:
    """Return the part of a window for which each sample is the latest, s.

    Parameters
    ----------
    time : ndarray
        Times of the samples, in order, s.
    since, until : float
        The window, s.

    Examples
    --------
    >>> held_between(np.array([0.0, 1.0, 4.0]), 0.5, 5.0).tolist()
    [0.5, 3.0, 1.0]
    """
    edges = np.clip(np.append(time, np.inf), since, until)
    parts: Floats = np.diff(edges)
    return parts


def time_quantile(value: Floats, weight: Floats, share: float) -> float | None:
    """The value that is not exceeded for a share of the time.

    Parameters
    ----------
    value : ndarray
        Samples.
    weight : ndarray
        Time for which each value holds, s.
    share : float
        0 to 1.

    Returns
    -------
    float or None
        A sample; None if no time was measured.

    Notes
    -----
    RFC 5166 section 2.1.2 asks for the distribution of queueing delay, not only its mean; this is
    that of the queue itself, as a clock sees it. Packets see another: more of them arrive when it
    is long.

    Examples
    --------
    >>> time_quantile(np.array([0.0, 10.0, 20.0]), np.array([5.0, 4.0, 1.0]), 0.9)
    10.0
    """
    total = weight.sum()
    if not total > 0.0:
        return None
    order = np.argsort(value, kind="stable")
    reached = np.cumsum(weight[order])
    at = int(np.searchsorted(reached, share * total * (1 - 1e-12)))
    return float(value[order][min(at, len(value) - 1)])


def time_share(true: NDArray[np.bool_], weight: Floats) -> float | None:
    """Share of the time for which something holds.

    Parameters
    ----------
    true : ndarray
        Whether the condition holds, for each sample.
    weight : ndarray
        Time for which each sample is the latest, s.

    Examples
    --------
    >>> time_share(np.array([True, False]), np.array([1.0, 3.0]))
    0.25
    """
    total = weight.sum()
    return float(weight[true].sum() / total) if total > 0.0 else None
