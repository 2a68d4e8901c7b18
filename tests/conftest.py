from collections.abc import Callable

import pytest
from hypothesis import settings

from ackclock.results import Result
from fake_core import FakeCore, FakeScenario, make_plan

# The same examples on every machine, so that a test fails for the change that broke it.
# New ones: `pytest --hypothesis-profile=default`.
settings.load_profile("ci")

TIMING = {"setup_seconds": 0.5, "run_seconds": 0.25, "events": 12345}


@pytest.fixture
def fake_result() -> Callable[..., Result]:
    """Makes the result of a run that no simulator made; `flows` says how many."""

    def make(flows: int = 2) -> Result:
        return Result(FakeScenario(), make_plan(flows), FakeCore(flows), TIMING)

    return make
