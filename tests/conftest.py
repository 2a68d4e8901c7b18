from collections.abc import Callable

import pytest

from ackclock.results import Result
from fake_core import FakeCore, FakeScenario, make_plan

TIMING = {"setup_seconds": 0.5, "run_seconds": 0.25, "events": 12345}


@pytest.fixture
def fake_result() -> Callable[..., Result]:
    """Makes the result of a run that no simulator made; `flows` says how many."""

    def make(flows: int = 2) -> Result:
        return Result(FakeScenario(), make_plan(flows), FakeCore(flows), TIMING)

    return make
