import math
import subprocess
import sys

import pytest

from ackclock.stats import mean_interval


@pytest.mark.parametrize(
    ("seeds", "quantile"),
    [(2, 12.706204736), (3, 4.302652730), (5, 2.776445105), (11, 2.228138852)],
)
def test_interval_uses_students_t_from_the_printed_table(seeds: int, quantile: float) -> None:
    values = [float(index) for index in range(seeds)]
    mean = sum(values) / seeds
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / (seeds - 1))
    interval = mean_interval(values)
    assert interval is not None
    assert interval.high is not None
    # The table has ten digits.
    assert interval.high - mean == pytest.approx(quantile * deviation / math.sqrt(seeds), rel=1e-9)


def test_one_value_has_no_interval_and_none_has_no_mean() -> None:
    assert mean_interval([4.0]) == (4.0, None, None, 1)
    assert mean_interval([]) is None


def test_equal_values_have_no_spread_although_their_sum_is_rounded() -> None:
    assert mean_interval([0.1] * 3) == (0.1, 0.1, 0.1, 3)


def test_no_interval_needs_scipy() -> None:
    probe = (
        "import sys; sys.modules['scipy'] = None\n"
        "import ackclock.stats as s\n"
        "s.mean_interval([1.0, 2.0])\n"
        "assert s.estimate([0.0] * 18 + [3.0, 5.0]).method == 'BCa'\n"
        "assert s.estimate([2.0**n for n in range(12)]).method == 'bootstrap-t'\n"
    )
    subprocess.run([sys.executable, "-c", probe], check=True)
