"""Bootstrap intervals of means, by scipy, for many independent rows at once."""

from __future__ import annotations

import hashlib
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LEAST_RESAMPLES = 1999
# So many resamples lie outside of each end of an interval at least: an end is no single resample's.
_OUTSIDE = 20
# Of values scaled to a variance of one: less is rounding.
_NO_VARIANCE = 1e-24
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
    from scipy import stats

    count = rows.shape[-1]
    mean = rows.mean(axis=-1)
    scale = rows.std(axis=-1, ddof=1)
    error = scale / math.sqrt(count)
    # Centred and scaled, so that sums of squares lose no digits.
    standard = (rows - mean[:, None]) / scale[:, None]

    def student(sample: Floats, axis: int = -1) -> Floats:
        centre = sample.mean(axis=axis)
        variance = np.maximum((sample * sample).mean(axis=axis) - centre * centre, 0.0) / (
            count - 1
        )
        # A resample of one value many times: its statistic lies beyond every other.
        return np.asarray(centre / np.sqrt(np.maximum(variance, _NO_VARIANCE)))

    low, high, p = np.empty(len(rows)), np.empty(len(rows)), np.empty(len(rows)) if tested else None
    for part in _parts(rows, confidence):
        found = stats.bootstrap(
            (standard[part],),
            student,
            axis=-1,
            method="percentile",
            confidence_level=confidence,
            n_resamples=resamples(confidence),
            rng=_generator("bootstrap-t", count),
        )
        quantiles = found.confidence_interval
        low[part], high[part] = (
            mean[part] - quantiles.high * error[part],
            mean[part] - quantiles.low * error[part],
        )
        if p is not None:
            drawn, observed = found.bootstrap_distribution, (mean[part] / error[part])[:, None]
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
    from scipy import stats

    count = rows.shape[-1]
    low, high, p = np.empty(len(rows)), np.empty(len(rows)), np.empty(len(rows)) if tested else None
    for part in _parts(rows, confidence):
        found = stats.bootstrap(
            (rows[part],),
            np.mean,
            axis=-1,
            method="BCa",
            confidence_level=confidence,
            n_resamples=resamples(confidence),
            rng=_generator("BCa", count),
        ).confidence_interval
        low[part], high[part] = found.low, found.high
        if p is not None:
            p[part] = stats.permutation_test(
                (rows[part],),
                np.mean,
                permutation_type="samples",
                vectorized=True,
                n_resamples=resamples(confidence),
                axis=-1,
                rng=_generator("signs", count),
            ).pvalue
    return Bootstrapped(low, high, p)


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
