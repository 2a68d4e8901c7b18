"""Conditions that keep algorithms in Python fast, checked without a clock."""

import copy
import dis
import sys

import pytest

from ackclock.cc import AckEvent, Avoidance, CongestionEvent, Setup, Window


class Counting(Avoidance):
    def __init__(self, setup: Setup, step: int = 1) -> None:
        super().__init__(setup)
        self.step = step
        self.count = 0

    def next_cwnd(self, ack: AckEvent, window: Window) -> float:  # noqa: ARG002
        self.count += self.step
        return self.count

    def ssthresh(self, event: CongestionEvent, window: Window) -> float:  # noqa: ARG002
        return self.mss


@pytest.mark.skipif(
    sys.version_info[:2] != (3, 11),
    reason="3.12 is as slow without showing it, and 3.13 has no need of it",
)
def test_a_copy_leaves_attributes_on_the_fast_path() -> None:
    """The interpreter marks a fast path by other instructions, and drops it where it was wrong."""
    counting = Counting(Setup(), step=2)
    undo = copy.deepcopy(counting)
    for number in range(1, 5001):
        assert counting.next_cwnd(None, None) == 2 * number  # type: ignore[arg-type]
        if number % 100 == 0:
            used = {
                instruction.opname
                for instruction in dis.get_instructions(Counting.next_cwnd, adaptive=True)
            }
            assert {"LOAD_ATTR_WITH_HINT", "STORE_ATTR_WITH_HINT"} <= used, number
    assert vars(undo) == {"mss": 1448, "step": 2, "count": 0}
