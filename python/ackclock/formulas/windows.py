"""Counters over windows of time: what they gained, and when their rate was low or high enough.

Each counter is a polygon: linear between samples, constant after the last one.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = 10
"""Places at which a window is put per its length."""


def gained(time: Floats, count: Floats, since: float, until: float) -> float:
    """Growth of a counter between two moments.

    Parameters
    ----------
    time, count : ndarray
        Times of the samples (s), in order, and everything counted by then.
    since, until : float
        Between when and when, s.

    Returns
    -------
    float
        In the counter's unit. Not whole where a moment falls between two samples: the counter is
        interpolated linearly, so that the error is below one sampling period's growth at each end.

    Examples
    --------
    >>> gained(np.array([0.0, 1.0, 2.0]), np.array([0.0, 10.0, 30.0]), 0.5, 2.0)
    25.0
    """
    if len(time) == 0:
        return 0.0
    begin, end = np.interp([since, until], time, count)
    return float(end - begin)


def starved_time(
    time: Floats, delivered: Floats, begin: float, end: float, *, rate: float, hold: float
) -> float:
    """Time covered by windows in which less than `rate` was delivered.

    Parameters
    ----------
    time, delivered : ndarray
        Times (s), and all bytes delivered by then.
    begin, end : float
        Between when and when windows lie, s.
    rate : float
        Least rate at which a flow does not starve, bit/s.
    hold : float
        Length of a window, s. A window begins every tenth of it.

    Returns
    -------
    float
        s, to a tenth of `hold`; 0 if no window fits or none is below the rate.

    Notes
    -----
    RFC 9743 section 5.2: a new algorithm must not starve others. How long a flow must wait to
    starve is our definition: a short gap, as in a timeout, is none.

    Examples
    --------
    Nothing arrives between 10 s and 25 s:

    >>> time = np.array([0.0, 10.0, 25.0, 40.0])
    >>> delivered = np.array([0.0, 1000.0, 1000.0, 2500.0])
    >>> starved_time(time, delivered, 0.0, 40.0, rate=80.0, hold=10.0)
    15.0
    """
    step = hold / _STEPS
    number = int(np.floor((end - begin - hold) / step + 1e-9)) + 1
    if number < 1 or len(time) == 0:
        return 0.0
    starts = begin + step * np.arange(number)
    got = np.interp(starts + hold, time, delivered) - np.interp(starts, time, delivered)
    # A window covers as many steps from its own on as it is long.
    covered = np.convolve(8.0 * got < rate * hold * (1 - 1e-9), np.ones(_STEPS)) > 0.5
    return round(float(covered.sum() * step), 9)


def time_to_rate(
    time: Floats, delivered: Floats, since: float, end: float, *, rate: float, timescale: float
) -> float | None:
    """Time until the mean rate over the preceding `timescale` is at least `rate`.

    Parameters
    ----------
    time, delivered : ndarray
        Times (s), and all bytes delivered by then.
    since : float
        From when on the time counts, s. No window of averaging begins before it.
    end : float
        Until when it may happen, s.
    rate : float
        bit/s.
    timescale : float
        Length over which the rate is averaged, s.

    Returns
    -------
    float or None
        s, at least `timescale`; exact for the interpolated counter. None if it never happens.

    Notes
    -----
    RFC 5166 section 2.2.1, response to changes. No window begins before `since`, so that a rate
    from before an event does not count as one that was reached after it.

    Examples
    --------
    100 byte/s for 4 s, then 200 byte/s. Half of the window of 2 s lies behind the change at 5 s:

    >>> time, delivered = np.array([0.0, 4.0, 10.0]), np.array([0.0, 400.0, 1600.0])
    >>> time_to_rate(time, delivered, 0.0, 10.0, rate=8 * 150.0, timescale=2.0)
    5.0
    """
    first = since + timescale
    if len(time) == 0 or first > end:
        return None
    # The amount in a sliding window is linear between the moments at which an edge meets a sample.
    corners = np.concatenate([time, time + timescale])
    at = np.unique(np.concatenate([[first, end], corners[(corners > first) & (corners < end)]]))
    got = np.interp(at, time, delivered) - np.interp(at - timescale, time, delivered)
    over = got - rate * timescale / 8.0
    reached = np.flatnonzero(over >= -1e-9 * abs(rate) * timescale)
    if len(reached) == 0:
        return None
    index = int(reached[0])
    if index == 0:
        return timescale
    # The last corner is below the rate, this one is not.
    part = min(over[index - 1] / (over[index - 1] - over[index]), 1.0)
    return float(at[index - 1] + part * (at[index] - at[index - 1]) - since)


def first_growth(time: Floats, count: Floats, since: float) -> float | None:
    """Time of the first sample after `since` at which a counter has grown.

    Parameters
    ----------
    time, count : ndarray
        Times of the samples (s), in order, and everything counted by then.
    since : float
        s.

    Returns
    -------
    float or None
        s, late by up to a sampling period; None if the counter does not grow any more.

    Examples
    --------
    >>> first_growth(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 5.0, 5.0, 6.0]), 1.0)
    3.0
    """
    grew = np.flatnonzero((np.diff(count, prepend=0.0) > 0.0) & (time > since))
    return float(time[grew[0]]) if len(grew) else None
