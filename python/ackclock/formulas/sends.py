"""Times between bursts of sent packets: how a sender backs off."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_FIRST = 2
"""Gaps that do not count: the first may hold a tail loss probe, the second a repeated timer."""


def send_times(time: Floats, sent: Floats, since: float, until: float) -> Floats:
    """Times of the samples in a window at which the count of sent packets has risen.

    Parameters
    ----------
    time, sent : ndarray
        Times of the samples (s), in order, and all packets sent by then.
    since, until : float
        The window, s.

    Returns
    -------
    ndarray
        s, each late by up to a sampling period.

    Examples
    --------
    >>> time, sent = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 2.0, 2.0, 3.0])
    >>> send_times(time, sent, 0.0, 5.0).tolist()
    [2.0, 4.0]
    """
    rose = np.diff(sent, prepend=0.0) > 0.0
    return time[rose & (time > since) & (time <= until)]


def burst_gaps(sends: Floats, apart: float) -> Floats:
    """Gaps between bursts: times without a send that are longer than `apart`.

    Parameters
    ----------
    sends : ndarray
        Times at which something was sent, in order, s.
    apart : float
        Sends that follow each other by no more than this are one burst, s.

    Returns
    -------
    ndarray
        From the last send of each burst to the first of the next, s.

    Examples
    --------
    >>> burst_gaps(np.array([0.0, 0.1, 0.4, 1.0]), 0.15).round(9).tolist()
    [0.3, 0.6]
    """
    gaps: Floats = np.diff(sends)
    return gaps[gaps > apart]


def backoff_gap_ratio(gaps: Floats) -> float | None:
    """Smallest ratio of a gap to the one before it, from the third gap on.

    Parameters
    ----------
    gaps : ndarray
        Gaps between bursts of sends, in their order, s.

    Returns
    -------
    float or None
        About 2 for a timer that doubles; None with fewer than four gaps, which give no ratio.

    Notes
    -----
    RFC 6298 section 5.5: "The host MUST set RTO <- RTO * 2 ("back off the timer")". A timer may
    have an upper bound of 60 s or more (section 2.5), from which on the ratio is 1.

    Examples
    --------
    >>> backoff_gap_ratio(np.array([0.2, 0.2, 0.4, 0.8, 1.6]))
    2.0
    """
    ratios = [later / gap for gap, later in pairwise(gaps[_FIRST:].tolist())]
    return min(ratios, default=None)


def longest_gap(sends: Floats, since: float, until: float) -> float:
    """Longest time in a window in which nothing was sent.

    Parameters
    ----------
    sends : ndarray
        Times at which something was sent, in order and within the window, s.
    since, until : float
        The window, s. A gap is cut at both.

    Returns
    -------
    float
        s; the window's length if nothing was sent.

    Notes
    -----
    RFC 9743 section 5.2: a sender backs off if all feedback is lost.

    Examples
    --------
    >>> longest_gap(np.array([1.0, 2.0]), 0.0, 5.0)
    3.0
    """
    return float(np.diff(np.concatenate([[since], sends, [until]])).max())
