"""Vinnicombe's condition against loops of one link, eigenvalues of networks, and the fluid."""

import math
from collections import deque

import numpy as np
import pytest

from ackclock import theory
from ackclock.theory.loop import loop_margins
from ackclock.theory.stability import tail_drop_loop
from ackclock.theory.vinnicombe import VINNICOMBE_BOUND


@pytest.mark.parametrize("law", ["reno", "scalable(a=0.02,b=0.25)", "scalable(a=0.0005,b=0.0625)"])
def test_one_link_below_the_bound_is_stable_at_every_rtt(law: str) -> None:
    """A small buffer of exponential packets has p = load^B, an elasticity of B."""
    for window in (10.0, 300.0):
        for buffer in (2.0, 20.0, 75.0, 400.0):
            gain = theory.vinnicombe_gain(law, window, [buffer])
            if gain < VINNICOMBE_BOUND:
                assert all(
                    loop_margins(tail_drop_loop(law, rtt, window, buffer)).stable
                    for rtt in (0.01, 0.1, 1.0)
                )


def test_the_bound_is_nearly_necessary_where_the_pull_to_rest_is_weak() -> None:
    # A small cut leaves a loop that is nearly an integrator with a delay, which oscillates at pi/2.
    law = "scalable(a=0.02,b=0.25)"
    unstable = [
        b for b in (70.0, 78.0, 90.0) if not loop_margins(tail_drop_loop(law, 0.1, 2000, b)).stable
    ]
    assert unstable == [90.0]
    assert theory.vinnicombe_gain(law, 2000, [90.0]) == pytest.approx(1.8)


def test_rtt_rate_and_number_of_flows_are_not_in_it() -> None:
    assert theory.vinnicombe_gain("scalable(a=0.01)", 50, [30.0]) == theory.vinnicombe_gain(
        "scalable(a=0.01)", 5000, [30.0]
    )


def test_links_of_a_route_count_by_their_losses() -> None:
    gain = theory.vinnicombe_gain("scalable(a=0.01)", 100, [10.0, 100.0], [0.003, 0.001])
    assert gain == pytest.approx(0.01 * (0.003 * 10 + 0.001 * 100) / 0.004)
    assert theory.vinnicombe_gain("scalable(a=0.01)", 100, [10.0, 100.0]) == pytest.approx(
        0.01 * 55
    )
    for wrong in ([], [-1.0]):
        with pytest.raises(ValueError, match="a route has one link"):
            theory.vinnicombe_gain("reno", 10, wrong)
    with pytest.raises(ValueError, match="2 elasticities and 1 loss rates"):
        theory.vinnicombe_gain("reno", 10, [1.0, 2.0], [0.1])


@pytest.mark.long
def test_gains_bound_the_spectral_radius_of_random_networks() -> None:
    """The derivation's step beside Nyquist's: no eigenvalue of M is above the largest gain."""
    random = np.random.default_rng(5)
    for _ in range(200):
        flows, links = random.integers(1, 8), random.integers(1, 5)
        routes = random.random((links, flows)) < 0.6
        routes[random.integers(0, links, flows), np.arange(flows)] = True
        x = random.uniform(0.1, 10, flows)
        y = routes @ x
        p, elasticity = random.uniform(1e-4, 0.05, links), random.uniform(1, 200, links)
        slope = np.where(y > 0, elasticity * p / np.maximum(y, 1e-9), 0.0)
        a = random.uniform(0.001, 0.05, flows)
        matrix = np.diag(a * x / (routes.T @ p)) @ routes.T @ np.diag(slope) @ routes
        gains = [
            theory.vinnicombe_gain(
                f"scalable(a={float(a[r])!r})",
                100,
                elasticity[routes[:, r]].tolist(),
                p[routes[:, r]].tolist(),
            )
            for r in range(flows)
        ]
        assert max(abs(np.linalg.eigvals(matrix))) <= max(gains) * (1 + 1e-9)


def fluid(a: float, elasticity: float, rtts: tuple[float, ...]) -> float:
    """Final swing of the rates of a fluid of Scalable flows at one link, p = p0 (y / c)^e.

    The exponent e is `elasticity`.
    """
    b, p0, step = 0.125, 0.002, 0.002
    rest = [a / (b * p0) / rtt for rtt in rtts]
    x = [1.05 * rate for rate in rest]
    c = sum(rest)
    lags = [round(rtt / step) for rtt in rtts]
    past: deque[tuple[list[float], float]] = deque([(list(x), p0)] * (max(lags) + 1), max(lags) + 1)
    sums = []
    for _ in range(100_000):
        past.append((list(x), p0 * (sum(x) / c) ** elasticity))
        for r, rtt in enumerate(rtts):
            then, p = past[-1 - lags[r]]
            x[r] = max(x[r] + step * then[r] / rtt * (a - b * p * x[r] * rtt), 1e-6 * rest[r])
        sums.append(sum(x))
    late = sums[-20_000:]
    return (max(late) - min(late)) / c


@pytest.mark.long
@pytest.mark.parametrize(("gain", "steady"), [(1.2, True), (1.9, False)])
def test_the_fluid_of_unlike_round_trips_rests_below_the_bound(
    gain: float, *, steady: bool
) -> None:
    a = 0.05
    assert theory.vinnicombe_gain(f"scalable(a={a})", 100, [gain / a]) == pytest.approx(gain)
    for rtts in ((0.1,), (0.1, 0.1, 0.1)) if not steady else ((0.1,), (0.04, 0.1, 0.3)):
        assert (fluid(a, gain / a, rtts) < 0.02) is steady


@pytest.mark.parametrize("places", [5, 11, 41])
def test_elasticity_is_the_slope_of_the_loss_of_md1_k(places: int) -> None:
    load = 0.9
    loss = theory.md1_k_loss(load, places)
    slope = math.log(theory.md1_k_loss(load * 1.001, places) / loss) / math.log(1.001)
    assert theory.md1_k_elasticity(loss, places) == pytest.approx(slope, rel=0.01)
    with pytest.raises(ValueError, match="loss rate of 0"):
        theory.md1_k_elasticity(0.0, places)
