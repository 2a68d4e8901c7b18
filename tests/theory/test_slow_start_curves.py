"""The curves of doubling and of COS-Slow-Start and their efficiencies (Ru & Liu 2007), against what is printed and what integrates."""

import itertools
import math

import pytest
from scipy.integrate import quad

from ackclock import theory
from ackclock.theory.slow_starts import Ends

POWERS = [2**n for n in range(2, 15)]


@pytest.mark.parametrize("ssthresh", [4, 17, 64, 1000, 10_000])
def test_cos_takes_as_long_as_doubling_and_ends_a_packet_above(ssthresh: int) -> None:
    rounds = theory.slow_start_rounds(ssthresh)
    assert theory.doubling_window(rounds) == pytest.approx(ssthresh)
    assert theory.cos_window(0, ssthresh) == 1
    assert theory.cos_window(rounds, ssthresh) == ssthresh + 1


# Worked by hand from the formula for 16 and 64 packets: floor up to L/2, ceil beyond.
@pytest.mark.parametrize(("ssthresh", "windows"), [(16, [1, 3, 9, 15, 17]), (64, [1, 5, 17, 33, 49, 61, 65]), (32, [1, 4, 12, 22, 30, 33])])
def test_cos_rounds_down_then_up(ssthresh: int, windows: list[int]) -> None:
    assert [theory.cos_window(x, ssthresh) for x in range(len(windows))] == windows


@pytest.mark.parametrize("ssthresh", [10, 64, 4096])
def test_slopes_are_the_derivatives(ssthresh: int) -> None:
    step = 1e-6
    for x in (0.3, 1.7, theory.slow_start_rounds(ssthresh) - 0.4):
        ahead, behind = (theory.cos_window(x + side, ssthresh, whole=False) for side in (step, -step))
        assert theory.cos_slope(x, ssthresh) == pytest.approx((ahead - behind) / (2 * step), rel=1e-5)
        assert theory.doubling_slope(x) == pytest.approx((theory.doubling_window(x + step) - theory.doubling_window(x - step)) / (2 * step))


def test_cos_is_steepest_half_way_and_flat_at_the_end() -> None:
    rounds = theory.slow_start_rounds(4096)
    at = [theory.cos_slope(rounds * part, 4096) for part in (0, 0.25, 0.5, 0.75, 1)]
    assert max(at) == at[2] == pytest.approx(math.pi * 4096 / 2 / rounds)
    assert at[0] == at[4] == 0
    assert theory.doubling_slope(rounds) > 5 * max(at)


# The paper's end points, for powers of two: 2 + 4 + ... + s is 2 s - 2, and the cosine's values cancel in pairs.
@pytest.mark.parametrize("ssthresh", POWERS)
def test_efficiencies_of_powers_of_two_have_closed_forms(ssthresh: int) -> None:
    n = round(math.log2(ssthresh))
    assert theory.doubling_efficiency(ssthresh) == pytest.approx((2 - 2 / ssthresh) / n)
    assert theory.cos_efficiency(ssthresh, whole=False) == pytest.approx(((n + 1) * (ssthresh / 2 + 1) - 1) / (n * ssthresh))


@pytest.mark.parametrize("ssthresh", [5, 64, 3000])
def test_areas_are_the_curves_integrals_and_the_straight_lines(ssthresh: int) -> None:
    rounds = theory.slow_start_rounds(ssthresh)
    for efficiency, window in [
        (theory.cos_efficiency, lambda x: theory.cos_window(x, ssthresh, whole=False)),
        (theory.doubling_efficiency, theory.doubling_window),
    ]:
        assert efficiency(ssthresh, "area") == pytest.approx(quad(window, 0, rounds)[0] / (rounds * ssthresh))
    # w_c(x) = (2 A B / pi) x + 1 with A = s/2 and B = pi / L.
    line = quad(lambda x: 2 * (ssthresh / 2) * (math.pi / rounds) / math.pi * x + 1, 0, rounds)[0]
    assert theory.cos_efficiency(ssthresh, "area") == pytest.approx(line / (rounds * ssthresh))


@pytest.mark.parametrize("ends", ["paper", "sent", "area"])
def test_cos_sends_more_from_4_to_10_000_packets_whatever_the_end_points(ends: Ends) -> None:
    for ssthresh in itertools.chain(range(4, 200), range(200, 10_001, 97), [10_000]):
        assert theory.cos_efficiency(ssthresh, ends) > theory.doubling_efficiency(ssthresh, ends), ssthresh


def test_what_has_no_curve_is_refused() -> None:
    for ssthresh in (1, 0.5, math.inf):
        with pytest.raises(ValueError, match="ssthresh"):
            theory.slow_start_rounds(ssthresh)
    with pytest.raises(ValueError, match="one round at least"):
        theory.slow_start_efficiency([], 10)
    with pytest.raises(ValueError, match="paper, sent or area"):
        theory.cos_efficiency(10, "other")  # type: ignore[arg-type]
