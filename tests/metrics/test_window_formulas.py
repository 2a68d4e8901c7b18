"""Formulas of windows, sends and the circuit breaker, on arrays that can be computed by hand."""

import numpy as np
import pytest

from ackclock import theory
from ackclock.metrics import (
    backoff_gap_ratio,
    breaker_ratio,
    burst_gaps,
    first_growth,
    gained,
    held_between,
    longest_gap,
    needless_retransmit_rate,
    send_times,
    starved_time,
    time_quantile,
    time_to_rate,
    useful_share,
)

NOTHING = np.empty(0)
# 100 byte/s for 10 s, nothing for 15 s, then 50 byte/s.
TIME = np.array([0.0, 10.0, 25.0, 65.0])
COUNT = np.array([0.0, 1000.0, 1000.0, 3000.0])


def test_a_counter_is_linear_between_samples_and_constant_outside() -> None:
    assert gained(TIME, COUNT, 5.0, 10.0) == 500.0
    assert gained(TIME, COUNT, 9.0, 27.0) == pytest.approx(200.0, rel=1e-12)
    assert gained(TIME, COUNT, 65.0, 100.0) == 0.0
    assert gained(NOTHING, NOTHING, 0.0, 1.0) == 0.0


@pytest.mark.parametrize(
    ("rate", "hold", "covered"),
    [
        # Windows of 5 s with less than 10 byte/s begin from 5 + 4.5 s to 20 + 1 s exclusively:
        # in steps of half a second from 10 s (at 9.5 s exactly 50 bytes arrive) to 20.5 s.
        (80.0, 5.0, 15.5),
        # Less than 50 byte/s in 10 s: from 5.5 s (450 bytes) to 24 s (450 bytes), and on for 10 s.
        (399.0, 10.0, 28.0),
        # At 50 byte/s a window is never below 50 byte/s.
        (400.0, 10.0, 28.0),
        (0.0, 10.0, 0.0),
        # No window is as long as the time.
        (80.0, 100.0, 0.0),
    ],
)
def test_starving_is_covered_by_windows_below_the_rate(
    rate: float, hold: float, covered: float
) -> None:
    assert starved_time(TIME, COUNT, 0.0, 65.0, rate=rate, hold=hold) == pytest.approx(
        covered, abs=1e-9
    )


def test_a_gap_shorter_than_the_window_is_no_starving() -> None:
    assert starved_time(TIME, COUNT, 0.0, 65.0, rate=80.0, hold=20.0) == 0.0
    assert starved_time(NOTHING, NOTHING, 0.0, 65.0, rate=80.0, hold=5.0) == 0.0


def test_a_rate_is_reached_when_the_window_behind_has_it() -> None:
    # From 20 s on, in a window of 4 s: half of it behind 25 s has 25 byte/s.
    reached = time_to_rate(TIME, COUNT, 20.0, 65.0, rate=200.0, timescale=4.0)
    assert reached == pytest.approx(7.0, abs=1e-9)
    assert time_to_rate(TIME, COUNT, 20.0, 65.0, rate=400.0, timescale=4.0) == pytest.approx(
        9.0, abs=1e-6
    )
    # The rate before 10 s does not count, and 50 byte/s are the most later.
    assert time_to_rate(TIME, COUNT, 20.0, 65.0, rate=401.0, timescale=4.0) is None
    # At once is after one window.
    assert time_to_rate(TIME, COUNT, 0.0, 65.0, rate=800.0, timescale=4.0) == 4.0
    assert time_to_rate(TIME, COUNT, 64.0, 65.0, rate=1.0, timescale=4.0) is None
    assert time_to_rate(NOTHING, NOTHING, 0.0, 65.0, rate=1.0, timescale=4.0) is None


def test_growth_counts_from_after_the_moment() -> None:
    assert first_growth(TIME, COUNT, 0.0) == 10.0
    assert first_growth(TIME, COUNT, 10.0) == 65.0
    assert first_growth(TIME, COUNT, 65.0) is None
    assert first_growth(NOTHING, NOTHING, 0.0) is None


def test_samples_hold_for_the_part_of_the_window_in_which_they_are_the_latest() -> None:
    time = np.array([1.0, 2.0, 5.0])
    assert held_between(time, 0.0, 4.0).tolist() == [1.0, 2.0, 0.0]
    assert held_between(time, 1.5, 9.0).tolist() == [0.5, 3.0, 4.0]
    assert held_between(time, 6.0, 7.0).tolist() == [0.0, 0.0, 1.0]
    assert held_between(NOTHING, 0.0, 4.0).tolist() == []
    # A value outside the window is not its longest.
    queue = np.array([9.0, 3.0, 8.0])
    assert time_quantile(queue, held_between(time, 2.0, 4.0), 1.0) == 3.0
    assert time_quantile(queue, held_between(time, 0.0, 0.5), 1.0) is None


def test_sends_are_samples_at_which_the_count_has_risen() -> None:
    time = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    sent = np.array([0.0, 5.0, 5.0, 6.0, 7.0])
    assert send_times(time, sent, 0.0, 5.0).tolist() == [1.0, 3.0, 4.0]
    assert send_times(time, sent, 1.0, 3.0).tolist() == [3.0]


def test_gaps_lie_between_bursts() -> None:
    sends = np.array([0.0, 0.1, 0.2, 0.6, 0.7, 1.6])
    gaps = burst_gaps(sends, 0.15)
    assert gaps == pytest.approx([0.4, 0.9], abs=1e-12)
    assert burst_gaps(NOTHING, 0.15).tolist() == []
    assert longest_gap(sends, 0.0, 2.0) == pytest.approx(0.9, abs=1e-12)
    assert longest_gap(sends, 0.0, 3.0) == pytest.approx(1.4, abs=1e-12)
    assert longest_gap(NOTHING, 3.0, 5.0) == 2.0


def test_a_timer_that_doubles_has_the_ratio_two_and_one_that_stops_doubling_less() -> None:
    # The first two gaps do not count: 0.2 s twice.
    assert backoff_gap_ratio(np.array([0.2, 0.2, 0.4, 0.8, 1.6])) == 2.0
    assert backoff_gap_ratio(np.array([0.2, 0.4, 0.8, 1.2, 2.4])) == pytest.approx(1.5, rel=1e-12)
    assert backoff_gap_ratio(np.array([0.2, 0.4, 0.8])) is None
    assert backoff_gap_ratio(NOTHING) is None


def test_a_breaker_takes_the_largest_of_the_smallest_ratios() -> None:
    tcp = theory.tfrc_rate(0.01, 0.1)
    sent = [tcp * ratio * 5.0 for ratio in (12.0, 20.0, 3.0, 15.0, 11.0)]
    lost = [count / 100 for count in sent]

    def over(reports: int) -> float | None:
        return breaker_ratio(sent, lost, [0.1] * 5, report=5.0, reports=reports)

    assert over(1) == pytest.approx(20.0, rel=1e-9)
    assert over(2) == pytest.approx(12.0, rel=1e-9)
    assert over(3) == pytest.approx(3.0, rel=1e-9)
    assert over(6) is None


def test_a_report_without_loss_or_packets_has_the_ratio_zero() -> None:
    for sent, lost in (([10.0], [0.0]), ([0.0], [3.0])):
        assert breaker_ratio(sent, lost, [0.1], report=1.0, reports=1) == 0.0
    # More was lost than sent: the loss is 1.
    assert breaker_ratio([10.0], [12.0], [0.1], report=1.0, reports=1) == pytest.approx(
        10.0 / theory.tfrc_rate(1.0, 0.1), rel=1e-12
    )


def test_shares_of_use_and_of_needless_retransmissions() -> None:
    assert useful_share(900, 1000) == 0.9
    assert useful_share(1001, 1000) == 1.0
    assert useful_share(0, 0) is None
    assert needless_retransmit_rate(30, 20, 1000) == 0.01
    assert needless_retransmit_rate(20, 30, 1000) == 0.0
    assert needless_retransmit_rate(0, 0, 0) is None
