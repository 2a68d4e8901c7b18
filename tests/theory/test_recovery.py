"""Recovery times and rate variation: tables of Pham & Le (2005), example of Ru & Liu (2007)."""

import numpy as np
import pytest

from ackclock import theory


# P4 table 1: RTT 200 ms, 1500 bytes; windows rounded to two digits, 2 %, and times from them:
# bit/s, packets, s.
@pytest.mark.parametrize(
    ("rate", "window", "time"),
    [
        (1e6, 17, 1.7),
        (10e6, 170, 17),
        (100e6, 1700, 170),
        (1e9, 17_000, 28 * 60),
        (10e9, 170_000, 4 * 3600 + 43 * 60),
    ],
)
def test_table_1(rate: float, window: float, time: float) -> None:
    assert theory.path_window(rate, 0.2) == pytest.approx(window, rel=0.021)
    assert theory.aimd_recovery_time(rate, 0.2) == pytest.approx(time, rel=0.021)


def test_both_readings_of_the_example_at_7_gigabits() -> None:
    path = theory.path_window(7.2e9, 0.1)
    assert path == pytest.approx(60_000)
    assert theory.aimd_recovery_rounds(80_000) == 40_000
    assert pytest.approx(70, rel=0.05) == 40_000 * 0.1 / 60
    # The same peak with the queue that it takes: longer, for round trips grow with it.
    with_queue = theory.aimd_recovery_time(7.2e9, 0.1, buffer_bdp=80_000 / path - 1)
    assert 40_000 * 0.1 < with_queue < 40_000 * 0.1 * 4 / 3
    assert theory.aimd_recovery_time(7.2e9, 0.1) / 60 == pytest.approx(50)


@pytest.mark.parametrize("buffer_bdp", [0.0, 0.3, 1.0, 3.0])
def test_recovery_is_the_sum_of_its_round_trips(buffer_bdp: float) -> None:
    """Round trips one by one, for a path of 10 000 packets: 0.1 % for the sum's ends."""
    path, rtt = 10_000, 0.1
    windows = np.arange((1 + buffer_bdp) * path / 2, (1 + buffer_bdp) * path)
    one_by_one = float(np.sum(rtt * np.maximum(windows / path, 1)))
    assert theory.aimd_recovery_time(
        path * 1500 * 8 / rtt, rtt, buffer_bdp=buffer_bdp
    ) == pytest.approx(one_by_one, rel=1e-3)


def test_scalable_recovers_in_13_round_trips_at_any_rate() -> None:
    """T. Kelly, Scalable TCP, 2003: about 13.42; and multiplied out."""
    rounds = theory.scalable_recovery_rounds()
    assert rounds == pytest.approx(13.42, abs=0.005)
    assert 0.875 * 1.01**rounds == pytest.approx(1)


# P4 table 2, 120 ms: b, a, T1/2, T2 in s, variation as printed. The last T1/2 is a misprint of
# 1.2888.
TABLE_2 = [
    (0.5, 0.04, 0.12, 2.124, 0.72),
    (0.25, 0.02, 0.2892, 4.2, 0.502),
    (0.125, 0.01, 0.6228, 8.364, 0.354),
    (0.0625, 0.005, 1.2888, 16.68, 0.257),
]


@pytest.mark.parametrize(("b", "a", "half", "double", "variation"), TABLE_2)
def test_table_2(b: float, a: float, half: float, double: float, variation: float) -> None:
    assert theory.scalable_halving_time(0.12, b) == pytest.approx(half, rel=1e-3)
    assert theory.scalable_doubling_time(0.12, a) == pytest.approx(double, rel=2e-3)
    # Printed is about sqrt(b); what a flow varies by is sqrt(b / 2) for small b, and a little more
    # for large.
    assert variation == pytest.approx(b**0.5, rel=0.03)
    assert theory.scalable_random_variation(b) == pytest.approx(
        (b / 2) ** 0.5, rel=0.25 if b == 0.5 else 0.1
    )


@pytest.mark.parametrize("b", [0.5, 0.125])
def test_scalables_variation_is_that_of_the_process(b: float) -> None:
    """Losses as they come, 4000 flows of 300 losses each; standard error 1 %.

    W grows by a per packet, for n packets until the next loss, n exponential with mean 1/p.
    """
    random = np.random.default_rng(7)
    a, p = 0.01, 1e-4
    window = np.full(4000, theory.scalable_window(p, a, b))
    time = first = second = 0.0
    for loss in range(300):
        peak = window + a * random.exponential(1 / p, window.size)
        if loss >= 100:
            # dt = dW / (a W): the integrals of 1, W and W^2 over it.
            time += float(np.sum(np.log(peak / window)))
            first += float(np.sum(peak - window))
            second += float(np.sum(peak**2 - window**2)) / 2
        window = (1 - b) * peak
    mean = first / time
    assert (second / time / mean**2 - 1) ** 0.5 == pytest.approx(
        theory.scalable_random_variation(b), rel=0.03
    )


@pytest.mark.parametrize("d", [0.5, 0.125])
def test_aimds_variation_is_that_of_the_process(d: float) -> None:
    random = np.random.default_rng(8)
    p = 1e-4
    window = np.full(4000, theory.aimd_random_window(p, 1.0, d))
    time = first = second = 0.0
    for loss in range(300):
        # W^2 grows by 2 per packet, W by 1 per round trip.
        peak = np.sqrt(window**2 + 2 * random.exponential(1 / p, window.size))
        if loss >= 100:
            time += float(np.sum(peak - window))
            first += float(np.sum(peak**2 - window**2)) / 2
            second += float(np.sum(peak**3 - window**3)) / 3
        window = (1 - d) * peak
    mean = first / time
    assert (second / time / mean**2 - 1) ** 0.5 == pytest.approx(
        theory.aimd_random_variation(d), rel=0.03
    )


def test_a_sawtooth_varies_as_a_uniform_distribution() -> None:
    grid = np.linspace(0.5, 1, 100_001)
    assert theory.aimd_periodic_variation() == pytest.approx(grid.std() / grid.mean(), rel=1e-3)
    exponential = 0.875 ** np.linspace(1, 0, 100_001)
    assert theory.scalable_periodic_variation() == pytest.approx(
        exponential.std() / exponential.mean(), rel=1e-3
    )
    assert theory.scalable_periodic_variation(0.01) == pytest.approx(0.01 / 12**0.5, rel=0.01)
