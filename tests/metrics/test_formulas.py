import math

import numpy as np
import pytest

from ackclock.metrics import (
    by_size,
    congestion_epochs,
    convergence_time,
    friendliness,
    goodput,
    harm,
    held,
    jain_index,
    loss_rate,
    loss_synchronisation,
    mark_rate,
    max_min_fairness,
    max_min_rates,
    mean_of,
    mean_window,
    min_max_ratio,
    power,
    probes_upward,
    proportional_utility,
    rates_of,
    recovery_times,
    retransmit_rate,
    rtt_normalised,
    slowdown,
    smoothness,
    throughput,
    time_quantile,
    time_share,
    time_to_factor,
    utilisation,
    variation,
)


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
    # Three of the warm-up's packets, and two sent since: no share of anything.
    assert loss_rate(3, 2) is None
    assert mark_rate(3, 2) is None
    assert loss_rate(2, 2) == 1.0
    assert jain_index([]) is None
    assert jain_index([0.0, 0.0]) is None
    assert mean_of([None]) is None
    assert min_max_ratio([]) is None
    assert min_max_ratio([0.0]) is None
    assert proportional_utility([]) is None
    assert proportional_utility([1.0, 0.0]) is None
    assert max_min_fairness([], []) is None
    assert power(1e6, 0.0) is None
    assert harm(0.0, 1.0) is None
    assert friendliness([], [1.0]) is None
    assert friendliness([1.0], [0.0]) is None
    assert mean_window(10, 0.0, 0.1) is None
    assert variation(np.array([1.0])) is None
    assert variation(np.zeros(5)) is None
    assert smoothness(np.empty(0), np.empty(0), 0.1) is None
    assert time_quantile(np.empty(0), np.empty(0), 0.5) is None
    assert time_share(np.empty(0, dtype=bool), np.empty(0)) is None
    assert loss_synchronisation([], 0.1) is None
    assert loss_synchronisation([np.empty(0), np.empty(0)], 0.1) is None
    assert time_to_factor(np.empty(0), np.empty(0), 0.0, 2.0) is None


def test_jain_index_is_the_share_of_flows_that_are_served_when_the_others_get_nothing() -> None:
    assert jain_index([5.0, 5.0, 5.0, 0.0]) == pytest.approx(
        0.75, rel=1e-12
    )  # rounding of a few sums
    assert jain_index([7.0]) == 1.0


def test_harm_is_the_share_that_is_lost_whichever_way_is_better() -> None:
    # Ware et al.: a flow of 100 that is left 50, and a delay that goes from 50 to 100, are harmed
    # alike.
    assert harm(100.0, 50.0) == harm(50.0, 100.0, more_is_better=False) == 0.5
    assert harm(100.0, 0.0) == 1.0
    assert harm(100.0, 110.0) == pytest.approx(-0.1, rel=1e-12)
    assert friendliness([1.0, None, 3.0], [4.0]) == 0.5


def test_shares_by_worst_flow_and_by_utility() -> None:
    assert min_max_ratio([4.0, 1.0, 2.0]) == 0.25
    # ln 6 - ln 3 = ln 2: a flow's rate doubled.
    more, less = proportional_utility([2.0, 3.0]), proportional_utility([1.0, 3.0])
    assert more is not None
    assert less is not None
    assert more - less == pytest.approx(math.log(2), rel=1e-12)


def test_rates_by_round_trip_time_are_equal_after_normalisation() -> None:
    # 1/RTT^2, as where all lose at once.
    assert rtt_normalised([16.0, 4.0, 1.0], [0.5, 1.0, 2.0], 2.0) == [4.0, 4.0, 4.0]
    assert rtt_normalised([3.0, 1.0], [0.1, 0.2], 0.0) == [3.0, 1.0]


def test_max_min_rates_fill_the_tightest_link_first() -> None:
    # Bertsekas & Gallager's way on three links of 1: flow 0 over all, 1 and 2 on the first, 3 on
    # the second, 4 on the third.
    assert max_min_rates([[0, 1, 2], [0], [0], [1], [2]], [1.0, 1.0, 1.0]) == pytest.approx(
        [1 / 3, 1 / 3, 1 / 3, 2 / 3, 2 / 3], rel=1e-12
    )
    # A link without limit limits nobody; a flow on such links only has no fair rate.
    assert max_min_rates([[0], [1], [0, 1]], [None, 6.0]) == [None, 3.0, 3.0]
    assert max_min_rates([], [1.0]) == []
    assert max_min_fairness([1.0, 5.0], [2.0, None]) == 0.5


def test_convergence_is_the_first_time_that_all_are_near_their_mean() -> None:
    time = np.arange(0.0, 21.0)
    # 100 bytes per second in all. The second flow has 10 of them for 10 s, and 50 from then on.
    second = np.where(time <= 10, 10 * time, 100 + 50 * (time - 10))
    series = [(time, 100 * time - second), (time, second)]
    # A window of 2 s has the second at 45 when 7/8 of it lie behind the change.
    assert convergence_time(series, 0.0, 20.0, timescale=2.0, delta=0.1) == pytest.approx(
        11.8, abs=1e-9
    )
    assert convergence_time(series, 0.0, 20.0, timescale=2.0, delta=0.9) == pytest.approx(
        2.0, abs=1e-9
    )
    assert convergence_time(series, 0.0, 11.0, timescale=2.0) is None
    assert convergence_time(series, 0.0, 1.0, timescale=2.0) is None
    assert convergence_time(series[:1], 0.0, 20.0) is None
    # From 11.8 s on, to the end at 20 s.
    assert convergence_time(series, 0.0, 20.0, timescale=2.0, hold=8.0) == pytest.approx(
        11.8, abs=1e-9
    )
    assert convergence_time(series, 0.0, 20.0, timescale=2.0, hold=8.4) is None
    # They cross from 10 s to 12 s: within 10 % while the window of 1 s is at 45 to 55.
    crossing = np.where(time <= 10, 20 * time, 200 + 80 * (time - 10))
    crossed = [(time, 100 * time - crossing), (time, crossing)]
    assert convergence_time(crossed, 0.0, 20.0, timescale=1.0, hold=0.0) == pytest.approx(
        10.5, abs=1e-9
    )
    assert convergence_time(crossed, 0.0, 20.0, timescale=1.0) is None
    assert convergence_time(crossed, 0.0, 20.0, timescale=1.0, hold=0.5) is None


def test_halving_and_doubling_times_count_from_the_value_then() -> None:
    time, value = np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.array([10.0, 8.0, 4.0, 8.0, 16.0])
    assert time_to_factor(time, value, 0.5, 0.5) == 1.5
    assert time_to_factor(time, value, 2.0, 2.0) == 1.0
    assert time_to_factor(time, value, 2.0, 4.0) == 2.0
    assert time_to_factor(time, value, 3.0, 0.5) is None
    assert time_to_factor(time + 5, value, 3.0, 2.0) is None, "there is nothing yet"


def test_recovery_counts_until_the_window_is_back() -> None:
    time = np.arange(10.0)
    window = np.array([8.0, 4.0, 5.0, 6.0, 3.0, 4.0, 6.0, 7.0, 8.0, 9.0])
    # 8 is back after 7 s, a second reduction in between; 6 after 2 s.
    assert recovery_times(time, window, [1, 4]) == [7.0, 2.0]
    assert recovery_times(time, window[:6], [1]) == [], "not back in time"
    assert recovery_times(time, np.full(10, 5.0), [3]) == [0.0], "it never fell"
    assert recovery_times(time, window, []) == []
    assert recovery_times(time, window, [0]) == [], "nothing is known of before"


def test_variation_of_rates_in_intervals() -> None:
    time = np.arange(0.0, 8.01, 0.5)
    # 1 byte in each even second, 3 in each odd one.
    delivered = np.interp(time, np.arange(0.0, 9.0), np.array([0, 1, 4, 5, 8, 9, 12, 13, 16.0]))
    assert rates_of(time, delivered, 0.0, 8.0, 1.0).tolist() == [8.0, 24.0] * 4
    assert variation(rates_of(time, delivered, 0.0, 8.0, 1.0)) == 0.5
    assert variation(rates_of(time, delivered, 0.0, 8.0, 2.0)) == 0.0
    assert len(rates_of(time, delivered, 0.0, 0.5, 1.0)) == 0
    assert len(rates_of(np.empty(0), np.empty(0), 0.0, 5.0, 1.0)) == 0


def test_smoothness_is_the_largest_fall_within_a_round_trip() -> None:
    time, window = np.array([0.0, 0.1, 0.2, 0.3, 0.4]), np.array([10.0, 8.0, 6.0, 9.0, 9.0])
    assert smoothness(time, window, 0.1) == pytest.approx(0.25, rel=1e-12)
    assert smoothness(time, window, 0.2) == pytest.approx(0.4, rel=1e-12)
    assert smoothness(time, np.arange(1.0, 6.0), 0.2) == 0.0


def test_drops_a_gap_apart_are_epochs_and_each_flow_counts_once_in_each() -> None:
    drops = [np.array([1.0, 1.1, 5.0]), np.array([1.3]), np.array([9.0])]
    assert congestion_epochs(drops, 0.25) == [(1.0, 1.3), (5.0, 5.0), (9.0, 9.0)]
    assert loss_synchronisation(drops, 0.25) == pytest.approx(
        (2 / 3 + 1 / 3 + 1 / 3) / 3, rel=1e-12
    )
    # The third flow comes at 8 s and the first leaves at 6 s.
    lives = [(0.0, 6.0), (0.0, 10.0), (8.0, 10.0)]
    assert loss_synchronisation(drops, 0.25, lives) == pytest.approx(
        (1 + 1 / 2 + 1 / 2) / 3, rel=1e-12
    )
    assert loss_synchronisation([np.array([1.0])], 0.25) == 1.0


def test_queues_are_weighed_by_time() -> None:
    time, length = np.array([0.0, 1.0, 4.0]), np.array([3.0, 0.0, 7.0])
    weight = held(time, 10.0)
    assert weight.tolist() == [1.0, 3.0, 6.0]
    assert [time_quantile(length, weight, share) for share in (0.0, 0.3, 0.31, 0.4, 0.41, 1.0)] == [
        0.0,
        0.0,
        3.0,
        3.0,
        7.0,
        7.0,
    ]
    assert time_share(length > 2, weight) == 0.7
    assert len(held(np.empty(0), 5.0)) == 0


def test_slowdown_by_size() -> None:
    # 1 Mbit at 1 Mbit/s and a round trip of 0.25 s
    assert slowdown(2.5, 125_000, 1e6, 0.25) == 2.0
    table = by_size([100.0, 200.0, 5000.0], [2.0, 4.0, 8.0], [0, 1000, 10_000, 20_000])
    assert table["count"].to_list() == [2, 1, 0]
    assert table["p50"].to_list() == [3.0, 8.0, None]
    assert by_size([], [], [0, 10])["mean"].to_list() == [None]


def test_probes_are_rises_above_one() -> None:
    assert probes_upward([]) == 0
    assert probes_upward([1.25, 1.25]) == 0
    assert probes_upward([1.0, 1.25, 1.3, 0.75, 1.25]) == 2
