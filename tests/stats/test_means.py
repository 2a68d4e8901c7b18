import math
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from ackclock.stats import Method, estimate, estimates

NORMAL = np.random.default_rng(1).normal(10.0, 2.0, (6, 20)).tolist()
SKEWED = np.random.default_rng(2).lognormal(0.0, 1.0, (6, 20)).tolist()
RARE = [0.0] * 18 + [3.0, 5.0]


def test_normal_values_get_students_t_as_scipy_computes_it() -> None:
    interval = estimate(NORMAL[0])
    expected = scipy_stats.ttest_1samp(NORMAL[0], 0.0).confidence_interval(0.95)
    assert interval.method == "t"
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert (interval.n, interval.mean, interval.sd) == pytest.approx(
        (20, np.mean(NORMAL[0]), np.std(NORMAL[0], ddof=1)), rel=1e-12
    )
    assert interval.median == np.median(NORMAL[0])


def test_skewed_values_get_an_interval_that_reaches_further_on_the_long_side() -> None:
    interval = estimate(SKEWED[0])
    assert interval.method == "bootstrap-t"
    assert interval.low is not None
    assert interval.high is not None
    assert interval.mean is not None
    assert interval.high - interval.mean > 1.2 * (interval.mean - interval.low)
    # And mirrored values its mirror image, but for chance.
    mirrored = estimate([-value for value in SKEWED[0]])
    assert mirrored.low == pytest.approx(-interval.high, rel=0.1)


def test_values_of_which_most_are_equal_get_bca_which_stays_among_them() -> None:
    interval = estimate(RARE)
    assert interval.method == "BCa"
    assert "18 of them are equal" in interval.why
    assert interval.low is not None
    assert interval.high is not None
    assert 0.0 <= interval.low < 0.4 < interval.high <= 5.0


@pytest.mark.parametrize(
    ("values", "method", "why"),
    [
        ([], "none", "no run has a value"),
        ([None, None], "none", "no run has a value"),
        ([3.0, None], "none", "one value"),
        ([0.1] * 7, "constant", "all 7 values are the same"),
        ([1.0, 2.0, 9.0], "t", "3 values are too few"),
        (NORMAL[1], "t", "small enough for Student's t: 20 values are more than 25 G1²"),
        (SKEWED[1], "bootstrap-t", "too large for Student's t: 20 values are not more than 25 G1²"),
        (RARE, "BCa", "1999 resamples"),
    ],
)
def test_every_interval_says_what_made_it_and_why(
    values: list[float | None], method: Method, why: str
) -> None:
    interval = estimate(values)
    assert interval.method == method
    assert why in interval.why


def test_cochrans_rule_is_the_border() -> None:
    # One value moved away from the others makes them as skewed as one likes: G1 rises with it.
    base = [float(value) for value in range(12)]
    for last in np.linspace(11.0, 40.0, 30):
        values = [*base[:-1], float(last)]
        skewness = scipy_stats.skew(values, bias=False)
        assert estimate(values).method == ("t" if 25 * skewness**2 < 12 else "bootstrap-t"), last


def test_a_rows_estimate_does_not_depend_on_the_others_to_the_last_digit() -> None:
    rows: list[Any] = [
        *NORMAL,
        *SKEWED,
        RARE,
        [0.0] * 19 + [1.0],
        SKEWED[0][:15],
        [None, *SKEWED[1][:10]],
    ]
    together = estimates(rows)
    assert together == [estimate(row) for row in rows]
    assert together == estimates(rows[::-1])[::-1]


def test_scale_and_origin_do_not_matter() -> None:
    interval = estimate(SKEWED[2])
    for scale, origin in ((1e9, 0.0), (1e-9, 0.0), (1.0, 1e6)):
        moved = estimate([origin + scale * value for value in SKEWED[2]])
        assert moved.method == interval.method
        assert moved.low == pytest.approx(origin + scale * (interval.low or 0.0), rel=1e-9)
        assert moved.high == pytest.approx(origin + scale * (interval.high or 0.0), rel=1e-9)


def test_more_confidence_is_a_wider_interval_whatever_made_it() -> None:
    for values in (NORMAL[0], SKEWED[0], RARE):
        widths = [
            estimate(values, confidence).half_width or math.nan
            for confidence in (0.5, 0.8, 0.95, 0.99)
        ]
        assert widths == sorted(widths)
        assert widths[0] < widths[-1]


def test_a_thousand_settings_of_five_responses_take_seconds() -> None:
    import time

    rows = np.random.default_rng(3).exponential(1.0, (5000, 20)).tolist()
    began = time.process_time()
    intervals = estimates(rows)
    # Most of them must be resampled, which is the slow case: 3 to 8 s of one core.
    assert sum(interval.method == "bootstrap-t" for interval in intervals) > 3500
    assert time.process_time() - began < 30.0
