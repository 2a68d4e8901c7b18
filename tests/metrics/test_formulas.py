import math

import pytest

from ackclock.metrics import goodput, jain_index, loss_rate, mark_rate, mean_interval, mean_of, retransmit_rate, throughput, utilisation


def test_rates_are_bits_over_the_flows_own_time() -> None:
    assert goodput(1_250_000, 10.0) == 1e6
    assert throughput(1_300_000, 10.0) == 1.04e6
    assert utilisation(9.5, 10.0) == 0.95


def test_shares_of_packets() -> None:
    assert loss_rate(3, 300) == 0.01
    assert mark_rate(3, 300) == 0.01
    assert retransmit_rate(6, 300) == 0.02


def test_what_was_not_measured_is_none_and_not_zero() -> None:
    assert goodput(0, 0.0) is None
    assert utilisation(0.0, 0.0) is None
    assert loss_rate(0, 0) is None
    assert jain_index([]) is None
    assert jain_index([0.0, 0.0]) is None
    assert mean_of([None]) is None
    assert mean_interval([]) is None


def test_jain_index_is_the_share_of_flows_that_are_served_when_the_others_get_nothing() -> None:
    assert jain_index([5.0, 5.0, 5.0, 0.0]) == pytest.approx(0.75, rel=1e-12)  # rounding of a few sums
    assert jain_index([7.0]) == 1.0


@pytest.mark.parametrize(("seeds", "quantile"), [(2, 12.706204736), (3, 4.302652730), (5, 2.776445105), (11, 2.228138852)])
def test_interval_uses_students_t_from_the_printed_table(seeds: int, quantile: float) -> None:
    values = [float(index) for index in range(seeds)]
    mean = sum(values) / seeds
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / (seeds - 1))
    interval = mean_interval(values)
    assert interval is not None
    assert interval.high is not None
    # The table has ten digits.
    assert interval.high - mean == pytest.approx(quantile * deviation / math.sqrt(seeds), rel=1e-9)


def test_one_value_has_no_interval() -> None:
    assert mean_interval([4.0]) == (4.0, None, None, 1)
