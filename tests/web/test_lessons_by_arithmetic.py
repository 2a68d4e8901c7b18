"""The lessons' figures that follow from their sources' formulas, without a simulator."""

from math import acos, ceil, cos, floor, log, log2, pi

import pytest

# Packets of 1500 bytes take so long at a rate, s.
AT_10 = 1500 * 8 / 10e6
AT_50 = 1500 * 8 / 50e6


def test_slow_start() -> None:
    path = 0.060 / AT_10
    assert path == pytest.approx(50)
    assert log2(10 / 2) == pytest.approx(2.3, abs=0.05)
    # RFC 5681, section 3.1: a window doubles in a round trip. A drop is learned of one round trip
    # after the window has filled the path and a queue of 50 packets.
    assert 2 * (path + 50) == pytest.approx(200)
    assert 2 * (path + 200) == pytest.approx(500)
    assert pytest.approx(0.3) == 0.060 + 200 * AT_10


def test_aimd_halves_differences() -> None:
    first, second = 102.0, 34.0
    for lesson in ((86, 51), (77, 59), (72, 63)):
        # Both grow by as much until they fill path and queue again.
        first, second = first / 2, second / 2
        growth = (sum(lesson) - first - second) / 2
        first, second = first + growth, second + growth
        assert first == pytest.approx(lesson[0], abs=1.5)
        assert second == pytest.approx(lesson[1], abs=1.5)


def test_cubic() -> None:
    # RFC 9438, sections 4.1.2 (C = 0.4), 4.6 (beta 0.7), 4.7 (fast convergence) and 4.2 (K).
    assert pytest.approx(354, abs=1) == 0.7 * 506
    greatest = 502 * (1 + 0.7) / 2
    assert greatest == pytest.approx(427, abs=0.5)
    k = ((greatest - 0.7 * 502) / 0.4) ** (1 / 3)
    assert k == pytest.approx(5.7, abs=0.1)
    for time, packets in ((30, 430), (35, 569), (38, 837)):
        # Congestion avoidance begins at 22.2 s, when the recovery of a round trip is over; half a
        # tenth of a second is 6 packets at 38 s.
        window = 0.4 * (time - 22.2 - k) ** 3 + greatest
        assert window == pytest.approx(packets, abs=6)


def test_reno_needs_24_seconds() -> None:
    # One packet per round trip, 80 ms while the window fits the path and longer with a queue.
    took = sum(max(0.080, window * AT_50) for window in range(251, 502))
    assert took == pytest.approx(24, rel=0.05)


def test_bbr() -> None:
    # Cardwell et al. 2016: one of eight minimum RTTs probes; PROBE_RTT takes 200 ms and a round
    # trip.
    assert pytest.approx(3, abs=0.2) == 1 / (8 * 0.040)
    assert 0.24 <= 0.26 <= 0.2 + 0.040 + 0.020


def test_unequal_rtts() -> None:
    assert log(7.5 / 2.2) / log(124 / 62) == pytest.approx(1.8, abs=0.05)


def test_cosine() -> None:
    # Ru and Liu 2007, rounded down in the first half of the curve and up in the second.
    threshold = 20e6 * 0.1 / 8 / 1500
    length = log2(int(threshold) + 1)
    half = (int(threshold) + 1) / 2
    begin = length / pi * acos(1 - (10 - 1) / half)
    found = []
    for rounds in range(1, 6):
        at = begin + rounds
        window = half - half * cos(pi * at / length) + 1
        found.append(floor(window) if at <= length / 2 else ceil(window))
    assert found == [32, 63, 99, 132, 156]
