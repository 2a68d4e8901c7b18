"""Intervals that stay where a quantity can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from ackclock.stats import bounded, changes_of_means, difference, estimate

POSITIVE = st.lists(st.floats(0.0, 1e9), min_size=2, max_size=9)
SHARES = st.lists(st.floats(0.0, 1.0), min_size=2, max_size=9)


@given(SHARES)
def test_a_share_stays_a_share(values: list[float]) -> None:
    interval = bounded(estimate(values), 0.0, 1.0)
    assert interval.low is not None
    assert interval.high is not None
    assert interval.mean is not None
    # A mean is rounded once: it may be a few units in its last place beyond an end.
    assert -1e-12 <= interval.low <= interval.mean + 1e-12
    assert interval.mean - 1e-12 <= interval.high <= 1.0 + 1e-12


@given(POSITIVE)
def test_a_time_stays_positive(values: list[float]) -> None:
    interval = bounded(estimate(values), 0.0)
    assert interval.low is not None
    assert interval.low >= 0.0


def test_two_runs_have_no_interval_of_a_hundred_thousand_times_their_mean() -> None:
    # One timeout in one of two runs: t = 12.7, and exp(12.7) = 330,000. The plain interval ends at
    # 6.9.
    interval = bounded(estimate([0.0, 1.0]), 0.0)
    assert interval.low is not None
    assert interval.high is not None
    assert 0.0 <= interval.low < 0.5
    assert 6.8 < interval.high < 120.0
    # Five runs reach 2.78 means (t): the scale is the logarithm's there.
    five = bounded(estimate([0.0, 0.0, 0.0, 0.0, 1.0]), 0.0)
    assert five.high == pytest.approx(0.2 * np.exp(scipy_stats.t.ppf(0.975, 4)), rel=1e-6)


def test_far_from_the_ends_it_is_the_plain_interval() -> None:
    values = [0.5001, 0.5, 0.4999, 0.5]
    plain, within = estimate(values), bounded(estimate(values), 0.0, 1.0)
    # Both scales are straight over so short a stretch: they differ by the square of its half,
    # relatively.
    assert within.low == pytest.approx(plain.low, abs=1e-7)
    assert within.high == pytest.approx(plain.high, abs=1e-7)


def test_changes_that_are_almost_all_the_same_are_not_studentised() -> None:
    # Two runs of twenty differ, by a ten-thousandth; a resample of the others differs by less than
    # a billionth.
    base = [17_988_000.0 + 2_400.0 * (seed % 5) for seed in range(20)]
    changed = [base[0] - 2_400.0, base[1] - 4_800.0, *base[2:]]
    (ratio,) = changes_of_means([(changed, base)])
    assert ratio.method == "BCa"
    assert ratio.low is not None
    assert ratio.low > -1e-4


def test_a_quantity_without_ends_keeps_its_interval() -> None:
    interval = estimate([1.0, -2.0, 3.0])
    assert bounded(interval) is interval


def test_values_at_an_end_are_constant() -> None:
    interval = bounded(estimate([1.0, 1.0, 1.0]), 0.0, 1.0)
    assert (interval.low, interval.high) == (1.0, 1.0)


@given(st.lists(st.tuples(st.floats(0.0, 1e6), st.floats(0.0, 1e6)), min_size=2, max_size=9))
def test_nothing_loses_more_than_all_of_itself(pairs: list[tuple[float, float]]) -> None:
    (ratio,) = changes_of_means([([a for a, _ in pairs], [b for _, b in pairs])])
    if ratio.change is None:
        # A mean below 1e-200 is taken for zero; nine values at most have a mean of at least a ninth
        # of the largest.
        assert all(b < 9e-200 for _, b in pairs)
        return
    assert ratio.low is not None
    assert ratio.high is not None
    assert -1.0 <= ratio.low <= ratio.change + 1e-9 * max(1.0, ratio.change)
    assert ratio.change - 1e-9 * max(1.0, ratio.change) <= ratio.high


@pytest.mark.parametrize(
    ("pairs", "change"),
    [
        ([(5e-324, 0.0), (5e-324, 4.0)], -1.0),
        ([(0.0, 0.0), (1.0, 5e-324)], None),
        ([(5e-324, 5e-324), (0.0, 0.0)], 0.0),
    ],
)
def test_means_too_small_to_divide_by_are_zero(
    pairs: list[tuple[float, float]], change: float | None
) -> None:
    (ratio,) = changes_of_means([([a for a, _ in pairs], [b for _, b in pairs])])
    assert ratio.change == change


def test_a_plain_interval_leaves_the_range_where_this_one_does_not() -> None:
    a, b = [0.2, 3.0, 0.1, 0.4], [9.0, 10.0, 30.0, 11.0]
    plain, (ratio,) = difference(a, b), changes_of_means([(a, b)])
    assert plain.low is not None
    assert plain.low / (sum(b) / 4) < -1.0
    assert ratio.low is not None
    assert ratio.low > -1.0
    assert ratio.change == pytest.approx(sum(a) / sum(b) - 1.0)


def test_turned_round_it_says_the_same() -> None:
    a, b = [3.0, 4.0, 5.5, 4.2], [2.0, 2.5, 2.1, 3.0]
    (up,), (down,) = changes_of_means([(a, b)]), changes_of_means([(b, a)])
    assert up.low is not None
    assert down.high is not None
    assert (1.0 + up.low) * (1.0 + down.high) == pytest.approx(1.0)


def test_pairs_share_what_seeds_share() -> None:
    base = [1.0, 5.0, 20.0, 2.0]
    (ratio,) = changes_of_means([([1.1 * number for number in base], base)])
    assert ratio.change == pytest.approx(0.1)
    assert ratio.low == pytest.approx(0.1, abs=1e-9)


def test_ends_without_a_logarithm() -> None:
    none, nothing, less, unknown = changes_of_means(
        [([0.0, 0.0], [0.0, 0.0]), ([1.0, 2.0], [0.0, 0.0]), ([0.0] * 3, [1.0, 3.0, 2.0]), ([], [])]
    )
    assert (none.change, none.low, none.high) == (0.0, 0.0, 0.0)
    assert (nothing.change, nothing.why) == (None, "the base is zero in every run")
    assert (less.change, less.low) == (-1.0, -1.0)
    assert unknown.n == 0


@pytest.mark.parametrize(("spread", "seeds"), [(0.3, 5), (0.3, 20), (0.5, 20)])
def test_the_ratio_is_covered_as_often_as_is_said(spread: float, seeds: int) -> None:
    rng = np.random.default_rng(5)
    shared = rng.normal(0.0, spread, (3000, seeds))
    a, b = (np.exp(shared + rng.normal(0.0, spread, shared.shape)) for _ in range(2))
    ratios = changes_of_means(
        [(list(map(float, x)), list(map(float, y))) for x, y in zip(2.0 * a, b, strict=True)]
    )
    covered = np.mean(
        [
            ratio.low is not None and ratio.high is not None and ratio.low <= 1.0 <= ratio.high
            for ratio in ratios
        ]
    )
    # 3,000 draws give 0.4 % of standard error; means of few skewed values cover less than is said
    # (docs/statistics.md).
    assert 0.90 <= covered <= 0.98


def test_a_share_is_covered_as_often_as_is_said() -> None:
    rng = np.random.default_rng(6)
    rows = rng.beta(8.0, 2.0, (3000, 8))
    intervals = [bounded(estimate(list(map(float, row))), 0.0, 1.0) for row in rows]
    covered = np.mean(
        [
            interval.low is not None
            and interval.high is not None
            and interval.low <= 0.8 <= interval.high
            for interval in intervals
        ]
    )
    assert 0.92 <= covered <= 0.98


def test_it_says_on_which_scale() -> None:
    assert "log scale" in bounded(estimate([1.0, 2.0, 4.0]), 0.0).why
    assert "logit" in bounded(estimate([0.1, 0.2]), 0.0, 1.0).why


def test_a_change_of_means_is_what_scipys_bootstrap_finds() -> None:
    rng = np.random.default_rng(11)
    base = rng.gamma(9.0, 10.0, 60)
    other = 0.8 * base + rng.gamma(4.0, 5.0, 60)

    def logarithm(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.log(a.mean(axis=axis) / b.mean(axis=axis))

    expected = scipy_stats.bootstrap(
        (other, base), logarithm, paired=True, n_resamples=20_000, rng=np.random.default_rng(1)
    ).confidence_interval
    (ratio,) = changes_of_means([(list(other), list(base))])
    assert ratio.change == pytest.approx(other.mean() / base.mean() - 1.0)
    # Sixty pairs without a long tail: the two methods differ by a tenth of the interval's width at
    # most.
    width = np.expm1(expected.high) - np.expm1(expected.low)
    assert ratio.low == pytest.approx(np.expm1(expected.low), abs=0.1 * width)
    assert ratio.high == pytest.approx(np.expm1(expected.high), abs=0.1 * width)
