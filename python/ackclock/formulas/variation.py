"""Variation of a rate."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rates_of(time: Floats, delivered: Floats, start: float, end: float, timescale: float) -> Floats:
    """Rates over consecutive intervals, bit/s.

    Parameters
    ----------
    time, delivered : ndarray
        Times (s), and all bytes delivered by then.
    start, end : float
        Between when and when, s; what does not fill an interval at the end is left out.
    timescale : float
        Length of an interval, s.

    Examples
    --------
    >>> import numpy as np
    >>> from ackclock.metrics import rates_of
    >>> time, delivered = np.array([0.0, 1.0, 2.0]), np.array([0.0, 125_000.0, 375_000.0])
    >>> rates_of(time, delivered, start=0.0, end=2.0, timescale=1.0).tolist()
    [1000000.0, 2000000.0]
    """
    edges = start + timescale * np.arange(int((end - start) / timescale + 1e-9) + 1)
    if len(edges) < 2 or len(time) == 0:
        return np.empty(0)
    # A counter holds its value until the next sample.
    index = np.searchsorted(time, edges, side="right")
    return 8.0 * np.diff(np.append(0.0, delivered)[index]) / timescale


def variation(values: Floats) -> float | None:
    """Coefficient of variation: standard deviation over mean.

    Parameters
    ----------
    values : ndarray
        Rates, any unit.

    Returns
    -------
    float or None
        0 for a constant rate; None with fewer than two values or a mean of zero.

    Notes
    -----
    RFC 5166 section 2.2.2; S. Floyd, M. Handley, J. Padhye, J. Widmer, "Equation-based congestion
    control for unicast applications", SIGCOMM 2000, who compare it over many timescales: over a
    long one only slow changes are left.

    Examples
    --------
    >>> variation(np.array([1.0, 3.0]))
    0.5
    """
    if len(values) < 2 or not values.mean() > 0.0:
        return None
    return float(values.std() / values.mean())


def smoothness(time: Floats, window: Floats, rtt: float) -> float | None:
    """Largest share of the window that goes within a round-trip time.

    Parameters
    ----------
    time, window : ndarray
        Samples of the window, in the order of time.
    rtt : float
        s.

    Returns
    -------
    float or None
        0 (it never falls) to 1; None without samples.

    Notes
    -----
    RFC 5166 section 2.2.2 and S. Floyd, M. Handley, J. Padhye, "A comparison of equation-based and
    AIMD congestion control", 2000: the largest reduction of the rate in one RTT. For AIMD(a, b) in
    steady state it is b.

    Examples
    --------
    >>> smoothness(np.array([0.0, 1.0, 2.0]), np.array([10.0, 11.0, 5.5]), 1.0)
    0.5
    """
    import polars as pl

    # Up to an RTT before each sample, the largest window; times in ns, which polars counts in.
    frame = pl.DataFrame({"time": np.round(time * 1e9).astype(np.int64), "window": window}).filter(
        pl.col("window") > 0.0
    )
    largest = pl.col("window").rolling_max_by("time", f"{max(round(rtt * 1e9), 1)}i", closed="both")
    left: float | None = frame.select((pl.col("window") / largest).min()).item()
    return None if left is None else 1.0 - left
