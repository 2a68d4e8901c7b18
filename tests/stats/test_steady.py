import numpy as np
import pytest

from ackclock.stats import truncation

RNG = np.random.default_rng(11)
STEADY = RNG.normal(10.0, 1.0, 500)


def by_definition(values: np.ndarray) -> int:
    """The formula of White, Cobb and Spratt, as it stands."""
    batches = values.reshape(-1, 5).mean(axis=1)
    count = len(batches)
    statistics = [
        ((batches[d:] - batches[d:].mean()) ** 2).sum() / (count - d) ** 2 for d in range(count - 5)
    ]
    return 5 * int(np.argmin(statistics))


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_published_formula(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(0.0, 1.0, 300) + rng.uniform(0.0, 20.0) * np.exp(
        -np.arange(300) / rng.uniform(1.0, 60.0)
    )
    assert truncation(values) == by_definition(values)


def test_what_is_steady_loses_little() -> None:
    cut = [truncation(np.random.default_rng(seed).normal(10.0, 1.0, 500)) for seed in range(50)]
    assert np.median(cut) <= 25
    assert truncation([7.0] * 100) == 0


@pytest.mark.parametrize("start", [50, 120, 200])
def test_a_step_is_cut_where_it_is(start: int) -> None:
    step = np.where(np.arange(500) < start, 20.0, 0.0)
    cut = [
        truncation(np.random.default_rng(seed).normal(10.0, 1.0, 500) + step) for seed in range(40)
    ]
    # Never before; after it chance may take away a little more.
    assert min(cut) >= start
    assert np.median(cut) <= start + 25


def test_what_never_settles_is_cut_in_the_second_half() -> None:
    assert truncation(np.arange(500.0)) > 250
    assert truncation(np.where(np.arange(500) < 300, 0.0, 10.0) + STEADY) > 250


def test_a_saw_tooth_is_steady_if_the_run_holds_several() -> None:
    at = np.arange(500)
    assert truncation(at % 50.0) < 100
    assert truncation(at % 400.0) > 250
    # Longer batches bear longer teeth.
    assert truncation(at % 170.0, 10) < 250


def test_a_level_that_comes_back_exactly_is_not_cut_later_for_rounding() -> None:
    values = np.full(500, 0.1)
    values[:10] = 5.0
    assert truncation(values) == 10


def test_too_few_values_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"49 values are too few.*50 at least"):
        truncation([1.0] * 49)
