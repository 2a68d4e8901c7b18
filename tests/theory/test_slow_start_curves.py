"""Curves and efficiencies of doubling and COS-Slow-Start (Ru & Liu 2007): prints, integrals."""

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
@pytest.mark.parametrize(
    ("ssthresh", "windows"),
    [(16, [1, 3, 9, 15, 17]), (64, [1, 5, 17, 33, 49, 61, 65]), (32, [1, 4, 12, 22, 30, 33])],
)
def test_cos_rounds_down_then_up(ssthresh: int, windows: list[int]) -> None:
    assert [theory.cos_window(x, ssthresh) for x in range(len(windows))] == windows


@pytest.mark.parametrize("ssthresh", [10, 64, 4096])
def test_slopes_are_the_derivatives(ssthresh: int) -> None:
    step = 1e-6
    for x in (0.3, 1.7, theory.slow_start_rounds(ssthresh) - 0.4):
        ahead, behind = (
            theory.cos_window(x + side, ssthresh, whole=False) for side in (step, -step)
        )
        assert theory.cos_slope(x, ssthresh) == pytest.approx(
            (ahead - behind) / (2 * step), rel=1e-5
        )
        assert theory.doubling_slope(x) == pytest.approx(
            (theory.doubling_window(x + step) - theory.doubling_window(x - step)) / (2 * step)
        )


def test_cos_is_steepest_half_way_and_flat_at_the_end() -> None:
    rounds = theory.slow_start_rounds(4096)
    at = [theory.cos_slope(rounds * part, 4096) for part in (0, 0.25, 0.5, 0.75, 1)]
    assert max(at) == at[2] == pytest.approx(math.pi * 4096 / 2 / rounds)
    assert at[0] == at[4] == 0
    assert theory.doubling_slope(rounds) > 5 * max(at)


# The paper's end points, for powers of two: 2 + 4 + ... + s is 2 s - 2, and the cosine's values
# cancel in pairs.
@pytest.mark.parametrize("ssthresh", POWERS)
def test_efficiencies_of_powers_of_two_have_closed_forms(ssthresh: int) -> None:
    n = round(math.log2(ssthresh))
    assert theory.doubling_efficiency(ssthresh) == pytest.approx((2 - 2 / ssthresh) / n)
    assert theory.cos_efficiency(ssthresh, whole=False) == pytest.approx(
        ((n + 1) * (ssthresh / 2 + 1) - 1) / (n * ssthresh)
    )


@pytest.mark.parametrize("ssthresh", [5, 64, 3000])
def test_areas_are_the_curves_integrals_and_the_straight_lines(ssthresh: int) -> None:
    rounds = theory.slow_start_rounds(ssthresh)
    for efficiency, window in [
        (theory.cos_efficiency, lambda x: theory.cos_window(x, ssthresh, whole=False)),
        (theory.doubling_efficiency, theory.doubling_window),
    ]:
        assert efficiency(ssthresh, "area") == pytest.approx(
            quad(window, 0, rounds)[0] / (rounds * ssthresh)
        )
    # w_c(x) = (2 A B / pi) x + 1 with A = s/2 and B = pi / L.
    line = quad(lambda x: 2 * (ssthresh / 2) * (math.pi / rounds) / math.pi * x + 1, 0, rounds)[0]
    assert theory.cos_efficiency(ssthresh, "area") == pytest.approx(line / (rounds * ssthresh))


@pytest.mark.parametrize("ends", ["paper", "sent", "area"])
def test_cos_sends_more_from_4_to_10_000_packets_whatever_the_end_points(ends: Ends) -> None:
    for ssthresh in itertools.chain(range(4, 200), range(200, 10_001, 97), [10_000]):
        assert theory.cos_efficiency(ssthresh, ends) > theory.doubling_efficiency(ssthresh, ends), (
            ssthresh
        )


def test_what_has_no_curve_is_refused() -> None:
    for ssthresh in (1, 0.5, math.inf):
        with pytest.raises(ValueError, match="ssthresh"):
            theory.slow_start_rounds(ssthresh)
    with pytest.raises(ValueError, match="one round at least"):
        theory.slow_start_efficiency([], 10)
    with pytest.raises(ValueError, match="paper, sent or area"):
        theory.cos_efficiency(10, "other")  # type: ignore[arg-type]


@pytest.mark.parametrize("ssthresh", [10, 64, 4096])
def test_second_derivatives_are_those_of_the_slopes(ssthresh: int) -> None:
    step = 1e-6
    for x in (0.3, 1.7, theory.slow_start_rounds(ssthresh) - 0.4):
        ahead, behind = (theory.cos_slope(x + side, ssthresh) for side in (step, -step))
        slope = (ahead - behind) / (2 * step)
        assert theory.cos_second_derivative(x, ssthresh) == pytest.approx(slope, rel=1e-4)
        slope = (theory.doubling_slope(x + step) - theory.doubling_slope(x - step)) / (2 * step)
        assert theory.doubling_second_derivative(x) == pytest.approx(slope, rel=1e-5)


@pytest.mark.parametrize("ssthresh", [5, 64, 3000])
def test_cos_is_as_far_above_the_line_as_it_was_below(ssthresh: int) -> None:
    rounds = theory.slow_start_rounds(ssthresh)
    for share in (0.0, 0.1, 0.3, 0.5):
        x = share * rounds
        for window in (theory.straight_window, lambda x, s: theory.cos_window(x, s, whole=False)):
            both = window(x, ssthresh) + window(rounds - x, ssthresh)
            assert both == pytest.approx(ssthresh + 2), share
    below = theory.cos_window(0.25 * rounds, ssthresh, whole=False)
    assert below < theory.straight_window(0.25 * rounds, ssthresh)


@pytest.mark.parametrize("ssthresh", POWERS)
@pytest.mark.parametrize("ends", ["paper", "sent", "area"])
@pytest.mark.parametrize("whole", [False, True])
def test_the_line_is_as_efficient_as_cos(ssthresh: int, ends: Ends, whole: bool) -> None:
    cos = theory.cos_efficiency(ssthresh, ends, whole=whole)
    assert theory.straight_efficiency(ssthresh, ends) == pytest.approx(cos, rel=1e-12)


@pytest.mark.parametrize("ssthresh", [5, 64, 3000])
def test_the_line_leads_doubling_throughout_and_its_lead_is_concave(ssthresh: int) -> None:
    rounds = theory.slow_start_rounds(ssthresh)
    lead = [theory.window_advantage(rounds * part / 50, ssthresh) for part in range(51)]
    assert lead[0] == pytest.approx(0)
    assert lead[-1] == pytest.approx(1)
    assert min(lead[1:]) > 0
    assert all(b > (a + c) / 2 for a, b, c in zip(lead, lead[1:], lead[2:], strict=False))
    # H = w_c - w_b, of which only the second has a second derivative.
    step = rounds / 50
    curvature = (lead[24] - 2 * lead[25] + lead[26]) / step**2
    assert curvature == pytest.approx(-theory.doubling_second_derivative(rounds / 2), rel=0.05)


@pytest.mark.parametrize("ends", ["paper", "sent", "area"])
def test_efficiency_falls_as_the_second_derivative_grows(ends: Ends) -> None:
    for ssthresh in (8, 100, 4096):
        efficiencies = [
            theory.parabolic_efficiency(ssthresh, bent, ends) for bent in (-5, -1, 0, 1, 5)
        ]
        assert efficiencies == sorted(efficiencies, reverse=True)
        assert len(set(efficiencies)) == 5


def test_a_parabolas_area_is_its_integral() -> None:
    rounds = theory.slow_start_rounds(100)
    area = quad(lambda x: theory.parabolic_window(x, 100, 3.0), 0, rounds)[0]
    assert theory.parabolic_efficiency(100, 3.0, "area") == pytest.approx(area / (rounds * 100))


# By hand, ssthresh 64: doubling sends 1, 3, 7, 15, 31, 63, 127; COS 1, 6, 23, 56, 105, 166.
@pytest.mark.parametrize(
    ("packets", "doubling", "cos"),
    [
        (1, 1, 1),
        (2, 2, 2),
        (3, 2, 2),
        (4, 3, 2),
        (7, 3, 3),
        (8, 4, 3),
        (23, 5, 3),
        (63, 6, 5),
        (128, 8, 6),
    ],
)
def test_short_transfers_take_so_many_round_trips(packets: int, doubling: int, cos: int) -> None:
    assert theory.slow_start_transfer_rounds(packets, 64) == doubling
    assert theory.slow_start_transfer_rounds(packets, 64, "cos") == cos


def test_what_is_no_transfer_is_refused() -> None:
    with pytest.raises(ValueError, match="one at least"):
        theory.slow_start_transfer_rounds(0, 64)
    with pytest.raises(ValueError, match="doubling or cos"):
        theory.slow_start_transfer_rounds(5, 64, "other")  # type: ignore[arg-type]
