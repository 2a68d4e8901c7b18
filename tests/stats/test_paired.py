import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from ackclock.stats import difference, differences

RNG = np.random.default_rng(7)
COMMON = RNG.exponential(5.0, 20)
BASE = (COMMON + RNG.normal(0.0, 0.1, 20)).tolist()
OTHER = (COMMON + 0.3 + RNG.normal(0.0, 0.1, 20)).tolist()


def test_pairs_see_what_the_means_hide() -> None:
    comparison = difference(OTHER, BASE)
    expected = scipy_stats.ttest_rel(OTHER, BASE)
    assert comparison.method == "t"
    assert (comparison.difference, comparison.p) == pytest.approx(
        (np.mean(OTHER) - np.mean(BASE), expected.pvalue), rel=1e-9
    )
    assert (comparison.low, comparison.high) == pytest.approx(
        tuple(expected.confidence_interval(0.95)), rel=1e-9
    )
    assert comparison.low is not None
    assert comparison.low > 0.0
    # Without the pairs, the seeds' own spread is fifty times as large.
    assert scipy_stats.ttest_ind(OTHER, BASE).pvalue > 0.5


def test_effect_size_is_cohens_d_z_and_the_relative_difference_is_of_the_base() -> None:
    comparison = difference([3.0, 5.0, 7.0], [2.0, 2.0, 2.0])
    assert comparison.difference == 3.0
    assert comparison.relative == 1.5
    assert comparison.effect_size == pytest.approx(3.0 / 2.0)
    assert difference([-3.0, -5.0], [-2.0, -2.0]).relative == -1.0
    assert difference([1.0, 2.0], [-1.0, 1.0]).relative is None


@pytest.mark.parametrize("seed", range(12))
def test_p_agrees_with_the_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = (rng.lognormal(0.0, 1.0, 20) - rng.uniform(0.5, 1.5)).tolist()
    comparison = difference(values, [0.0] * 20)
    assert comparison.low is not None
    assert comparison.high is not None
    assert comparison.p is not None
    assert (comparison.p < 0.05) == (not comparison.low <= 0.0 <= comparison.high)


def test_ratios_are_averaged_as_logarithms_so_that_both_directions_tell_the_same() -> None:
    ratio, other = difference(OTHER, BASE, ratio=True), difference(BASE, OTHER, ratio=True)
    assert ratio.difference == pytest.approx(
        scipy_stats.gmean(np.array(OTHER) / np.array(BASE)), rel=1e-12
    )
    assert ratio.difference == pytest.approx(1.0 / (other.difference or math.nan), rel=1e-12)
    assert ratio.relative == pytest.approx((ratio.difference or math.nan) - 1.0)
    assert ratio.effect_size == pytest.approx(-(other.effect_size or math.nan))
    if ratio.method == other.method == "t":
        assert ratio.low == pytest.approx(1.0 / (other.high or math.nan), rel=1e-9)


def test_a_ratio_with_zero_says_so() -> None:
    comparison = difference([1.0, 2.0], [0.0, 1.0], ratio=True)
    assert comparison.difference is None
    assert "positive" in comparison.why


def test_seeds_that_lack_a_value_are_left_out_in_pairs() -> None:
    comparison = difference([1.0, None, 5.0, 7.0], [0.0, 9.0, None, 3.0])
    assert (comparison.n, comparison.difference) == (2, 2.5)
    none = difference([None], [1.0])
    assert (none.n, none.difference, none.why) == (0, None, "no seed has both values")


def test_the_same_difference_with_every_seed_has_no_p() -> None:
    same = difference([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    assert (same.difference, same.low, same.high, same.p, same.effect_size, same.method) == (
        0.0,
        0.0,
        0.0,
        None,
        None,
        "constant",
    )


def test_what_differs_by_rounding_only_is_the_same_difference() -> None:
    noise = RNG.normal(0.0, 1.0, 20)
    comparison = difference((1.0 + noise).tolist(), noise.tolist())
    assert len({x - y for x, y in zip((1.0 + noise).tolist(), noise.tolist(), strict=True)}) > 1
    assert (comparison.method, comparison.effect_size, comparison.p) == ("constant", None, None)
    assert comparison.difference == pytest.approx(1.0)


def test_rare_differences_are_tested_by_turning_signs() -> None:
    comparison = difference([*[0.0] * 15, 1.0, 2.0, 3.0, 4.0, 5.0], [0.0] * 20)
    exact = 2 * 0.5**5  # all five that differ are on one side
    if comparison.method == "BCa":
        assert comparison.p == pytest.approx(exact, abs=0.02)
    rare = difference([*[0.0] * 18, 3.0, 5.0], [0.0] * 20)
    assert rare.method == "BCa"
    assert rare.p == pytest.approx(2 * 0.5**2, abs=0.05)


def test_pairs_do_not_depend_on_each_other() -> None:
    pairs = [(OTHER, BASE), (BASE, OTHER), (OTHER[:12], BASE[:12])]
    assert differences(pairs) == [difference(*pair) for pair in pairs]
