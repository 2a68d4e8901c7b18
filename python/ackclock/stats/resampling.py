"""Bootstrap intervals of means, for many independent rows at once."""

from __future__ import annotations

import hashlib
import math
import sys
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LEAST_RESAMPLES = 1999
# So many resamples lie outside of each end of an interval at least: an end is no single resample's.
_OUTSIDE = 20
# Of values scaled to a variance of one: less is rounding.
_NO_VARIANCE = 1e-24
# Relative; means that differ by less are equal but for the order of their sums.
_SAME_MEAN = 100 * sys.float_info.epsilon
# Resampled values held at a time, 8 bytes each.
_VALUES = 4_000_000


class Bootstrapped(NamedTuple):
    """Intervals of the rows' means, and two-sided p-values of a mean of zero if they are wanted."""

    low: Floats
    high: Floats
    p: Floats | None


def resamples(confidence: float) -> int:
    """Return the number of resamples that an interval is made from."""
    return max(_LEAST_RESAMPLES, math.ceil(2 * _OUTSIDE / (1.0 - confidence)) - 1)


def studentised(rows: Floats, confidence: float, *, tested: bool) -> Bootstrapped:
    """Bootstrap-t: the quantiles of Student's statistic are those among resamples.

    Notes
    -----
    B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", section 12.5; P. Hall, "Theoretical
    comparison of bootstrap confidence intervals", Annals of Statistics 16(3), 1988: right to the
    second order, as BCa is, and better than it at small n. The p-value is the level at which the
    interval's end is zero.
    """
    count = rows.shape[-1]
    mean = rows.mean(axis=-1)
    scale = rows.std(axis=-1, ddof=1)
    error = scale / math.sqrt(count)
    # Centred and scaled, so that sums of squares lose no digits.
    standard = (rows - mean[:, None]) / scale[:, None]
    low, high, p = np.empty(len(rows)), np.empty(len(rows)), np.empty(len(rows)) if tested else None
    outside = (1.0 - confidence) / 2
    for part in _parts(rows, confidence):
        sample = _resampled(standard[part], confidence, "bootstrap-t")
        centre = sample.mean(axis=-1)
        variance = np.maximum((sample * sample).mean(axis=-1) - centre * centre, 0.0) / (count - 1)
        # A resample of one value many times: its statistic lies beyond every other.
        drawn = centre / np.sqrt(np.maximum(variance, _NO_VARIANCE))
        ends = np.full(len(part), outside), np.full(len(part), 1.0 - outside)
        first, last = _quantiles(drawn, ends)
        low[part], high[part] = mean[part] - last * error[part], mean[part] - first * error[part]
        if p is not None:
            observed = (mean[part] / error[part])[:, None]
            beyond = np.minimum((drawn >= observed).sum(axis=-1), (drawn <= observed).sum(axis=-1))
            p[part] = np.minimum(2.0 * (beyond + 1) / (drawn.shape[-1] + 1), 1.0)
    return Bootstrapped(low, high, p)


def bca(rows: Floats, confidence: float, *, tested: bool) -> Bootstrapped:
    """Bias-corrected and accelerated: never beyond the values, and defined where most are equal.

    Notes
    -----
    B. Efron, "Better bootstrap confidence intervals", Journal of the American Statistical
    Association 82(397), 1987. The p-value is that of the permutation test that turns the rows'
    signs, which is exact if both signs of a difference are equally likely.
    """
    low, high, p = np.empty(len(rows)), np.empty(len(rows)), np.empty(len(rows)) if tested else None
    for part in _parts(rows, confidence):
        drawn = _resampled(rows[part], confidence, "BCa").mean(axis=-1)
        low[part], high[part] = _quantiles(drawn, _corrected(rows[part], drawn, confidence))
        if p is not None:
            p[part] = _signs_turned(rows[part], confidence)
    return Bootstrapped(low, high, p)


def _corrected(rows: Floats, drawn: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Probabilities of the resampled means at which each row's BCa interval ends.

    Equations 14.9 to 14.15 of Efron and Tibshirani's book. The jackknife values of a mean differ
    from it by the values' deviations, divided by n - 1.
    """
    normal = NormalDist()
    mean = rows.mean(axis=-1, keepdims=True)
    half = normal.inv_cdf((1.0 - confidence) / 2)
    below = ((drawn < mean).sum(axis=-1) + (drawn <= mean).sum(axis=-1)) / (2 * drawn.shape[-1])
    deviations = rows - mean
    skew = (deviations**3).sum(axis=-1) / (6.0 * (deviations**2).sum(axis=-1) ** 1.5)
    ends = np.empty((2, len(rows)))
    for row, (share, acceleration) in enumerate(zip(below, skew, strict=True)):
        bias = normal.inv_cdf(share)
        for end, quantile in enumerate((bias + half, bias - half)):
            ends[end, row] = normal.cdf(bias + quantile / (1.0 - acceleration * quantile))
    return ends[0], ends[1]


def _signs_turned(rows: Floats, confidence: float) -> Floats:
    """Two-sided p-values of a mean of zero: the values' signs are turned, in all ways or at random.

    Notes
    -----
    R. A. Fisher, "The Design of Experiments", 1935, section 21. The observed signs count among
    random ones: B. Phipson, G. K. Smyth, "Permutation p-values should never be zero", 2010.
    """
    count, draws = rows.shape[-1], resamples(confidence)
    is_exact = 2**count <= draws
    if is_exact:
        turned = np.arange(2**count)[:, None] >> np.arange(count) & 1
    else:
        pairs = np.broadcast_to(np.arange(2), (draws, count, 2))
        turned = _generator("signs", count).permuted(pairs, axis=-1)[..., 0]
    drawn = (rows[:, None, :] * (1 - 2 * turned)).mean(axis=-1)
    mean = rows.mean(axis=-1, keepdims=True)
    alike = _SAME_MEAN * abs(mean)
    beyond = np.minimum(
        (drawn <= mean + alike).sum(axis=-1), (drawn >= mean - alike).sum(axis=-1)
    ) + (not is_exact)
    return np.asarray(np.minimum(2.0 * beyond / (len(turned) + (not is_exact)), 1.0))


def _resampled(rows: Floats, confidence: float, purpose: str) -> Floats:
    """Values of each row's resamples: one row, one resample, one value per index."""
    count = rows.shape[-1]
    chosen = _generator(purpose, count).integers(0, count, (resamples(confidence), count))
    return rows[:, chosen]


def _quantiles(drawn: Floats, ends: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Two quantiles of each row, at a probability for each row; linear between neighbours."""
    ordered = np.sort(drawn, axis=-1)

    def quantile(probability: Floats) -> Floats:
        place = probability * (ordered.shape[-1] - 1)
        before = np.floor(place).astype(np.intp)
        after = np.minimum(before + 1, ordered.shape[-1] - 1)
        rows = np.arange(len(ordered))
        first = ordered[rows, before]
        return np.asarray(first + (place - before) * (ordered[rows, after] - first))

    return quantile(ends[0]), quantile(ends[1])


def _generator(purpose: str, count: int) -> np.random.Generator:
    """Return a generator whose draws depend on the purpose and the rows' length alone."""
    digest = hashlib.sha256(f"ackclock {purpose} {count}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "little"))


def _parts(rows: Floats, confidence: float) -> list[NDArray[np.intp]]:
    """Indices of the rows that are resampled together.

    Never one alone: numpy adds up a single row's resamples in another order, and the last digit
    would tell how many rows there were.
    """
    at_a_time = max(2, _VALUES // (resamples(confidence) * rows.shape[-1]))
    parts = [
        np.arange(first, min(first + at_a_time, len(rows)))
        for first in range(0, len(rows), at_a_time)
    ]
    return [part if len(part) > 1 else np.repeat(part, 2) for part in parts]
