"""Speed of changes of rates, and time until they become equal."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = 10
"""Places at which a window of averaging is put per its length."""


def convergence_time(
    series: Sequence[tuple[Floats, Floats]],
    start: float,
    end: float,
    *,
    timescale: float = 1.0,
    delta: float = 0.1,
    hold: float | None = None,
) -> float | None:
    """Time until all flows have a fair share: the delta-fair convergence time.

    Parameters
    ----------
    series : sequence of (times, delivered)
        For each flow, times (s) and all bytes delivered by then.
    start : float
        From when on the time counts, s: when the last flow started.
    end : float
        Until when all of them are there, s.
    timescale : float
        Length over which rates are averaged, s.
    delta : float
        Every rate is within this share of the mean of all.
    hold : float, optional
        For how long they must stay so, s; `timescale` by default. With 0 flows whose rates only
        cross have converged too.

    Returns
    -------
    float or None
        s, at least `timescale`; to a tenth of it. None with fewer than two flows, or if it never
        happens.

    Notes
    -----
    D. Bansal, H. Balakrishnan, S. Floyd, S. Shenker, "Dynamic behavior of slowly-responsive
    congestion control algorithms", SIGCOMM 2001, section 4.2.2, and RFC 5166 section 2.3: the time
    until two flows that begin far apart have shares of (1 + delta)/2 and (1 - delta)/2 of the link.
    Here the shares are of the flows' total, and there may be any number of flows.

    The source takes the first moment of rates that approach each other. Rates that swing also cross
    by luck: with `hold` = `timescale` a second mean that overlaps nowhere with the first must
    confirm the shares.

    Examples
    --------
    One flow halves its rate after 4 s, the other takes the rest:

    >>> time = np.array([0.0, 4.0, 10.0])
    >>> flows = [(time, np.array([0, 800, 1400])), (time, np.array([0, 0, 600]))]
    >>> round(convergence_time(flows, 0.0, 10.0), 9)
    4.9
    """
    if len(series) < 2:
        return None
    times = start + timescale * (
        1 + np.arange(_count((end - start) / timescale - 1, _STEPS)) / _STEPS
    )
    if len(times) == 0:
        return None
    rates = np.stack(
        [
            np.interp(times, time, sent) - np.interp(times - timescale, time, sent)
            for time, sent in series
        ]
    )
    mean = rates.mean(axis=0)
    fair = (mean > 0.0) & (np.abs(rates - mean) <= delta * mean).all(axis=0)
    length = _count((timescale if hold is None else hold) / timescale, _STEPS)
    if length > len(fair):
        return None
    # Number of fair windows among the next `length`.
    counted = np.append(0, np.cumsum(fair))
    first = np.flatnonzero(counted[length:] - counted[:-length] == length)
    return float(times[first[0]] - start) if len(first) else None


def _count(spans: float, steps: int) -> int:
    return int(np.floor(spans * steps + 1e-9)) + 1 if spans >= -1e-9 else 0


def time_to_factor(time: Floats, value: Floats, since: float, factor: float) -> float | None:
    """Time until a quantity is `factor` times what it was.

    Parameters
    ----------
    time, value : ndarray
        Samples, in the order of time; the value holds until the next.
    since : float
        From when on, s.
    factor : float
        Below 1: until it has fallen so far; above 1: until it has risen so far.

    Returns
    -------
    float or None
        s; None if it does not happen, or there is no positive value at `since`.

    Notes
    -----
    H. Pham, L. Le, "Improving the performance of TCP", 2005: with a factor of 1/2 from the
    beginning of congestion T1/2, with 2 from its end T2. In round-trip times the first is the
    responsiveness of Bansal et al., SIGCOMM 2001.

    Examples
    --------
    >>> time_to_factor(np.array([0.0, 1.0, 2.0, 3.0]), np.array([8.0, 6.0, 4.0, 3.0]), 0.0, 0.5)
    2.0
    """
    at = int(np.searchsorted(time, since, side="right")) - 1
    if at < 0 or not value[at] > 0.0:
        return None
    goal = factor * value[at]
    later: Any = value[at:] <= goal if factor < 1.0 else value[at:] >= goal
    positions = np.flatnonzero(later)
    return float(max(time[at + positions[0]] - since, 0.0)) if len(positions) else None


def recovery_times(time: Floats, value: Floats, events: Sequence[int]) -> list[float]:
    """Return the time from each reduction until a quantity is back at its earlier value.

    Parameters
    ----------
    time, value : ndarray
        Samples of the window or the rate, in the order of time.
    events : sequence of int
        Index of the first sample of each congestion episode; what it was is the sample before.

    Returns
    -------
    list of float
        s, of the episodes after which it came back before the samples end; 0 where it never fell.

    Notes
    -----
    H. Pham, L. Le, "Improving the performance of TCP", 2005, table 1: (BDP/2) RTTs for Reno on a
    full link without a buffer, ln(1 - b) / -ln(1 + a) RTTs for Scalable. Episodes that follow
    before it is back count in its time.

    Examples
    --------
    >>> recovery_times(np.arange(6.0), np.array([10.0, 5.0, 7.0, 9.0, 10.0, 11.0]), [1])
    [3.0]
    """
    times = []
    for event, limit in pairwise([*events, len(value)]):
        if event == 0:
            continue
        before = value[event - 1]
        fallen = np.flatnonzero(value[event:limit] < before)
        if len(fallen) == 0:
            times.append(0.0)
            continue
        back = np.flatnonzero(value[event + fallen[0] :] >= before)
        if len(back):
            times.append(float(time[event + fallen[0] + back[0]] - time[event]))
    return times
