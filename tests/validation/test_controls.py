"""The kernel's congestion controls decide here as they do on a kernel in virtual time."""

import functools

import pytest

import ackclock as ac
from validation.controls import CONTROLS, Figures, figures, recorded, scenario

DRAWS = {"cdg", "dctcp-red", "nv"}
"""Here the control or the queue draws random numbers, and the kernel draws others."""
SENSITIVE = {"dctcp-codel": 0.6, "highspeed": 0.2, "vegas": 0.3}
"""Share of the windows that are the kernel's where an ACK moves all that follow. The receiver's
window ends its growth a packet earlier here, so that from 0.51 s on some ACKs come later by one."""

exact = pytest.mark.parametrize("name", [name for name in CONTROLS if name not in DRAWS])


@functools.cache
def run(name: str) -> Figures:
    return figures(ac.run(scenario(name)))


def test_every_control_is_recorded() -> None:
    assert tuple(recorded()) == CONTROLS


@exact
def test_a_control_has_the_kernels_windows(name: str) -> None:
    pairs = list(zip(recorded()[name]["cwnd"], run(name)["cwnd"], strict=True))
    near = sum(abs(theirs - ours) <= 1 for theirs, ours in pairs)
    assert near / len(pairs) >= SENSITIVE.get(name, 0.95)


@exact
def test_a_control_has_the_kernels_slow_start_and_first_cut(name: str) -> None:
    # The kept windows until 0.5 s, when no ACK differs yet. Hybla's steps of packets are 1 % off.
    for key in ("cwnd", "ssthresh"):
        assert run(name)[key][:6] == pytest.approx(recorded()[name][key][:6], rel=0.01)


@exact
def test_a_control_loses_what_it_loses_on_the_kernel(name: str) -> None:
    assert run(name)["drops"] == recorded()[name]["drops"]


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_has_the_kernels_goodput_and_queue(name: str) -> None:
    kernel, ours = recorded()[name], run(name)
    # A backoff drawn or not moves CDG by a tenth.
    assert ours["goodput"] == pytest.approx(kernel["goodput"], rel=0.1 if name in DRAWS else 0.002)
    bar = 0.4 if name in DRAWS else 0.15 if name in SENSITIVE else 0.005
    assert ours["queue_delay"] == pytest.approx(kernel["queue_delay"], rel=bar)
