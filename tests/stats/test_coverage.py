"""Do 95 % intervals hold the true mean in 93 to 97 of 100 trials?

There are 2,000 trials; docs/statistics.md has the whole table.
"""

import pytest

from coverage_trials import of_a_sequential_stop, of_differences, of_means


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "n"),
    [
        *(("normal", n) for n in (5, 10, 20)),
        *(("exponential", n) for n in (20, 30, 50)),
        *(("lognormal, sigma 0.5", n) for n in (20, 30, 50)),
    ],
)
def test_the_rules_intervals_hold_the_mean(name: str, n: int) -> None:
    assert 0.93 <= of_means(name, n).held <= 0.97


@pytest.mark.parametrize("n", [5, 10, 20])
def test_intervals_of_paired_differences_hold_the_difference_and_are_narrow(n: int) -> None:
    paired = of_differences(n)
    assert 0.93 <= paired.held <= 0.97
    # The same runs without their pairs: six times as wide.
    assert of_differences(n, paired=False, trials=200).width > 5 * paired.width


@pytest.mark.long
@pytest.mark.parametrize("half_width", [0.4, 0.3])
def test_the_sequential_stop_leaves_intervals_that_hold_the_mean(half_width: float) -> None:
    # Normal with a standard deviation of 1: intervals are so narrow with 27 and 45 replications,
    # and are asked after each batch of 10.
    coverage, replications = of_a_sequential_stop("normal", 10, 10, half_width)
    assert 30 < replications < 70
    assert 0.93 <= coverage.held <= 0.97


def test_students_t_alone_would_not_do_for_skewed_values() -> None:
    # What the rule is for: without it this fails, as it does with BCa.
    assert of_means("exponential", 20, "t").held < 0.93
    assert of_means("exponential", 20, "BCa", trials=1000).held < 0.93
