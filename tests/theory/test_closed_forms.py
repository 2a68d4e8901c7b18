"""The closed forms against figures that were computed or published elsewhere."""

import doctest
import importlib
import math
import pkgutil
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from ackclock import theory

MODULES = [module.name for module in pkgutil.iter_modules(theory.__path__)]


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES)
def test_examples(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(f"ackclock.theory.{module}"))
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize(
    ("beta", "percent"),
    [
        (0, 75.0),
        (0.1, 81.8),
        (0.2, 87.1),
        (0.25, 89.3),
        (0.5, 96.4),
        (0.75, 99.3),
        (1, 100.0),
        (3, 100.0),
    ],
)
def test_utilisation(beta: float, percent: float) -> None:
    assert 100 * theory.reno_utilisation(beta) == pytest.approx(percent, abs=0.05)


def test_utilisation_is_what_the_sawtooth_carries() -> None:
    """A cycle's packets over the link's: at a BDP of 5000 packets the fluid's to 0.1 %."""
    for beta in (0.0, 0.25, 0.5, 1.0):
        tooth = theory.reno_sawtooth(5000, round(5000 * beta), 1e-4)
        assert tooth.packets / (tooth.period / 1e-4) == pytest.approx(
            theory.reno_utilisation(beta), abs=1e-3
        )


# RFC 9438 tables 1 and 2, C = 0.4, in packets; RTT 0.1 s and 0.01 s.
@pytest.mark.parametrize(
    ("p", "rtt", "packets"),
    [
        (1e-4, 0.1, 187),
        (1e-5, 0.1, 1054),
        (1e-6, 0.1, 5926),
        (1e-8, 0.1, 187400),
        (1e-7, 0.01, 5926),
    ],
)
def test_cubic_average(p: float, rtt: float, packets: float) -> None:
    assert theory.cubic_average_window(p, rtt) == pytest.approx(packets, rel=0.003)


def test_reno_friendly_growth_has_renos_average() -> None:
    alpha = theory.cubic_reno_friendly_alpha()
    assert theory.aimd_window(1e-4, alpha, 0.3) == pytest.approx(theory.square_root_window(1e-4))


# RFC 9438 table 1, whose column is from the rounded 0.12 / p^0.835 (1.5 %), packets.
@pytest.mark.parametrize(
    ("p", "packets"),
    [(1e-2, 12), (1e-3, 38), (1e-4, 263), (1e-5, 1795), (1e-6, 12280), (1e-7, 83981)],
)
def test_highspeed_average(p: float, packets: float) -> None:
    assert theory.highspeed_window(p) == pytest.approx(packets, rel=0.015)


# Its a(w) and b(w) for periodic loss: within 2 % of the response function that they are made for,
# though b is that of the peak and a that of each window on the way.
@pytest.mark.parametrize("p", [1e-4, 1e-5, 1e-6, 1e-7])
def test_highspeed_response_has_its_average(p: float) -> None:
    cycle = theory.periodic_loss_window(
        p,
        lambda w: theory.highspeed_response(w)[0],
        lambda w: w * (1 - theory.highspeed_response(w)[1]),
    )
    assert cycle.mean_window == pytest.approx(theory.highspeed_window(p), rel=0.02)


@pytest.mark.parametrize(("a", "d"), [(1, 0.5), (4, 1 / 8), (0.5, 0.25)])
def test_aimd_cycles_have_their_closed_forms_as_limits(a: float, d: float) -> None:
    def growth(w: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.full_like(w, a)

    def left(w: NDArray[np.float64]) -> NDArray[np.float64]:
        return (1 - d) * w

    assert theory.periodic_loss_window(1e-8, growth, left).mean_window == pytest.approx(
        theory.aimd_window(1e-8, a, d), rel=1e-3
    )
    assert theory.random_loss_window(1e-4, growth, left) == pytest.approx(
        theory.aimd_random_window(1e-4, a, d), rel=2e-3
    )


def test_scalable_has_one_law_for_both_kinds_of_loss() -> None:
    random = theory.random_loss_window(1e-4, lambda w: 0.01 * w, lambda w: 0.875 * w)
    assert random == pytest.approx(theory.scalable_window(1e-4), rel=2e-3)
    # Of the round trips between two losses, 13.4, the one of recovery takes 7 %: at any p.
    for p in (1e-4, 1e-6):
        cycle = theory.periodic_loss_window(p, lambda w: 0.01 * w, lambda w: 0.875 * w)
        assert cycle.mean_window == pytest.approx(0.93 * theory.scalable_window(p), rel=0.005)


def test_cubic_constant_for_random_loss() -> None:
    """The chain itself, 1000 of them for 80 losses: a standard error of 0.3 %."""
    random = np.random.default_rng(1)
    peak, packets, time = np.ones(1000), 0, np.zeros(1000)
    for loss in range(80):
        k = np.cbrt(0.3 * peak)
        low, high = np.zeros(1000), np.full(1000, 20.0)
        gap = random.exponential(size=1000)
        for _ in range(30):
            middle = (low + high) / 2
            sent = ((middle - k) ** 4 - k**4) / 4 + peak * middle
            low, high = np.where(sent < gap, middle, low), np.where(sent < gap, high, middle)
        peak = (low - k) ** 3 + peak
        if loss >= 20:
            packets += 1
            time += low
    assert packets / time.mean() == pytest.approx(1.635, rel=0.01)
    assert theory.cubic_random_average_window(1e-6, 0.1, c=1.0) == pytest.approx(1.635 * 1e5**0.75)


@pytest.mark.parametrize("random", [False, True])
def test_westwood_window_grows_from_the_pipe(random: bool) -> None:
    """Without a pipe, growth from nothing; in a long one a queue of 1/(2 p B) or 1/(p B)."""
    assert theory.westwood_window(1e-2, 1e4, random=random) - 1e4 == pytest.approx(
        (1 if random else 0.5) * 1e-2, rel=1e-3
    )
    assert theory.westwood_window(1e-4, 0, random=random) == pytest.approx(
        100 * (math.sqrt(math.pi / 2) if random else math.sqrt(8) / 3)
    )


# RFC 5348's equation, R = 0.1 s, t_RTO = 0.4 s, packets/s.
@pytest.mark.parametrize(
    ("acked", "p", "rate"),
    [
        (1, 1e-4, 1224),
        (1, 1e-3, 384),
        (1, 0.02, 73.2),
        (1, 0.05, 36.9),
        (1, 0.1, 17.7),
        (2, 1e-4, 865),
        (2, 1e-2, 79.4),
        (2, 0.1, 12.5),
    ],
)
def test_tfrc(acked: int, p: float, rate: float) -> None:
    assert theory.tfrc_rate(p, 0.1, acked=acked) == pytest.approx(rate, rel=0.005)
    assert theory.pftk_rate(p, 0.1, acked=acked) >= theory.tfrc_rate(p, 0.1, acked=acked)
    assert theory.pftk_rate(p, 0.1, acked=acked, max_window=1) <= 10


def test_delayed_ack_constants() -> None:
    assert theory.aimd_window(1e-4, increase=0.5) == pytest.approx(
        theory.square_root_window(1e-4, theory.PERIODIC_DELAYED_ACK)
    )
    assert math.sqrt(2) * theory.RANDOM_DELAYED_ACK == pytest.approx(theory.RANDOM, rel=0.01)


# With many places the loss is that of overload, or none. In between the loss must keep flows in
# balance: with load 1 and K places it falls as 1 / (2 K) (the diffusion limit, exact to a few
# percent at K = 50).
def test_limited_places() -> None:
    assert theory.md1_k_loss(2.0, 60) == pytest.approx(0.5, rel=1e-6)
    assert theory.md1_k_loss(0.5, 40) < 1e-12
    assert theory.md1_k_loss(1.0, 50) == pytest.approx(1 / 100, rel=0.05)


OUTSIDE: list[Callable[[], float]] = [
    lambda: theory.square_root_window(0),
    lambda: theory.aimd_random_window(0),
    lambda: theory.scalable_window(2),
    lambda: theory.tfrc_rate(1.5, 0.1),
    lambda: theory.md1_wait(1.0, 1.0),
    lambda: theory.reno_utilisation(-1),
    lambda: theory.md1_k_loss(0.5, 0),
]


@pytest.mark.parametrize("call", OUTSIDE)
def test_outside_of_validity(call: Callable[[], float]) -> None:
    with pytest.raises(ValueError, match=r"load|loss rate|buffer|place"):
        call()
