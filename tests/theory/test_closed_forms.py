"""The closed forms against figures that were computed or published elsewhere."""

import doctest
import importlib
import math
from collections.abc import Callable

import pytest

from ackclock import theory


@pytest.mark.parametrize("module", ["bbr", "buffers", "cubic", "dctcp", "fifo", "pftk", "red", "sawtooth", "square_root"])
def test_examples(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(f"ackclock.theory.{module}"))
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize(
    ("beta", "percent"), [(0, 75.0), (0.1, 81.8), (0.2, 87.1), (0.25, 89.3), (0.5, 96.4), (0.75, 99.3), (1, 100.0), (3, 100.0)]
)
def test_utilisation(beta: float, percent: float) -> None:
    assert 100 * theory.reno_utilisation(beta) == pytest.approx(percent, abs=0.05)


def test_utilisation_is_what_the_sawtooth_carries() -> None:
    """A cycle's packets over what the link could have sent; with 5000 packets of BDP the discrete form is the fluid's to 0.1 %."""
    for beta in (0.0, 0.25, 0.5, 1.0):
        tooth = theory.reno_sawtooth(5000, round(5000 * beta), 1e-4)
        assert tooth.packets / (tooth.period / 1e-4) == pytest.approx(theory.reno_utilisation(beta), abs=1e-3)


# RFC 9438 tables 1 and 2, C = 0.4, in packets; RTT 0.1 s and 0.01 s.
@pytest.mark.parametrize(
    ("p", "rtt", "packets"), [(1e-4, 0.1, 187), (1e-5, 0.1, 1054), (1e-6, 0.1, 5926), (1e-8, 0.1, 187400), (1e-7, 0.01, 5926)]
)
def test_cubic_average(p: float, rtt: float, packets: float) -> None:
    assert theory.cubic_average_window(p, rtt) == pytest.approx(packets, rel=0.003)


def test_reno_friendly_growth_has_renos_average() -> None:
    alpha = theory.cubic_reno_friendly_alpha()
    assert theory.aimd_window(1e-4, alpha, 0.3) == pytest.approx(theory.square_root_window(1e-4))


# RFC 5348's equation, R = 0.1 s, t_RTO = 0.4 s, packets/s.
@pytest.mark.parametrize(
    ("acked", "p", "rate"),
    [(1, 1e-4, 1224), (1, 1e-3, 384), (1, 0.02, 73.2), (1, 0.05, 36.9), (1, 0.1, 17.7), (2, 1e-4, 865), (2, 1e-2, 79.4), (2, 0.1, 12.5)],
)
def test_tfrc(acked: int, p: float, rate: float) -> None:
    assert theory.tfrc_rate(p, 0.1, acked=acked) == pytest.approx(rate, rel=0.005)
    assert theory.pftk_rate(p, 0.1, acked=acked) >= theory.tfrc_rate(p, 0.1, acked=acked)
    assert theory.pftk_rate(p, 0.1, acked=acked, max_window=1) <= 10


def test_delayed_ack_constants() -> None:
    assert theory.aimd_window(1e-4, increase=0.5) == pytest.approx(theory.square_root_window(1e-4, theory.PERIODIC_DELAYED_ACK))
    assert math.sqrt(2) * theory.RANDOM_DELAYED_ACK == pytest.approx(theory.RANDOM, rel=0.01)


# With many places the loss is that of overload, or none; in between the loss must keep flows in balance: with load 1 and K places it
# falls as 1 / (2 K) (the diffusion limit, exact to a few percent at K = 50).
def test_limited_places() -> None:
    assert theory.md1_k_loss(2.0, 60) == pytest.approx(0.5, rel=1e-6)
    assert theory.md1_k_loss(0.5, 40) < 1e-12
    assert theory.md1_k_loss(1.0, 50) == pytest.approx(1 / 100, rel=0.05)


OUTSIDE: list[Callable[[], float]] = [
    lambda: theory.square_root_window(0),
    lambda: theory.tfrc_rate(1.5, 0.1),
    lambda: theory.md1_wait(1.0, 1.0),
    lambda: theory.reno_utilisation(-1),
    lambda: theory.md1_k_loss(0.5, 0),
]


@pytest.mark.parametrize("call", OUTSIDE)
def test_outside_of_validity(call: Callable[[], float]) -> None:
    with pytest.raises(ValueError, match=r"load|loss rate|buffer|place"):
        call()
