"""A class of a user that draws is a random part of a run: its code names ``random``."""

from collections.abc import Callable

import pytest

import ackclock as ac
from ackclock.chance import chance_of

Write = Callable[[str], str]

CLASS = """
class Mine(Avoidance):
    def __init__(self, setup):
        super().__init__(setup)
        self.step = {step}

    def next_cwnd(self, ack, window):
        return window.cwnd + self.step * window.mss * ack.credited / window.cwnd

    def ssthresh(self, event, window):
        return 0.5 * window.cwnd
"""


@pytest.mark.parametrize(
    ("step", "sources"),
    [("1", ()), ("setup.random.uniform(0, 2)", ("Mine draws",))],
    ids=["draws nothing", "draws"],
)
def test_a_class_that_draws_is_known_to(write: Write, step: str, sources: tuple[str, ...]) -> None:
    module = write(CLASS.format(step=step))
    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="40ms", flows=[ac.flow(f"python:{module}:Mine")], duration="2s"
    )
    assert chance_of(scenario).sources == sources
