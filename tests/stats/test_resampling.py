"""Bootstrap intervals and sign tests agree with scipy's, from the same random numbers."""

import numpy as np
import pytest
from scipy import stats

from ackclock.stats.resampling import _generator, bca, resamples, studentised

ROWS = np.random.default_rng(3).lognormal(0.0, 1.0, (4, 15))
FEW = np.random.default_rng(4).normal(0.4, 1.0, (3, 10))


@pytest.mark.parametrize("rows", [ROWS, FEW])
@pytest.mark.parametrize("confidence", [0.95, 0.99])
def test_bca(rows: np.ndarray, confidence: float) -> None:
    bounds = bca(rows, confidence, tested=True)
    expected = stats.bootstrap(
        (rows,), np.mean, axis=-1, method="BCa", confidence_level=confidence,
        n_resamples=resamples(confidence), rng=_generator("BCa", rows.shape[-1]),
    ).confidence_interval  # fmt: skip
    assert bounds.low == pytest.approx(expected.low, rel=1e-12)
    assert bounds.high == pytest.approx(expected.high, rel=1e-12)
    p = stats.permutation_test(
        (rows,), np.mean, permutation_type="samples", vectorized=True, axis=-1,
        n_resamples=resamples(confidence), rng=_generator("signs", rows.shape[-1]),
    ).pvalue  # fmt: skip
    assert bounds.p == pytest.approx(p, rel=1e-12)


def test_studentised() -> None:
    mean, scale, root = ROWS.mean(axis=-1), ROWS.std(axis=-1, ddof=1), np.sqrt(ROWS.shape[-1])
    bounds = studentised(ROWS, 0.95, tested=False)
    expected = stats.bootstrap(
        ((ROWS - mean[:, None]) / scale[:, None],),
        lambda row, axis: row.mean(axis=axis) / (row.std(axis=axis) / np.sqrt(row.shape[axis] - 1)),
        axis=-1, method="percentile", n_resamples=resamples(0.95),
        rng=_generator("bootstrap-t", ROWS.shape[-1]),
    ).confidence_interval  # fmt: skip
    assert bounds.low == pytest.approx(mean - expected.high * scale / root, rel=1e-9)
    assert bounds.high == pytest.approx(mean - expected.low * scale / root, rel=1e-9)
