import gc
import os
import signal
import tempfile
from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

from ackclock.results import Result
from ackclock.runtime.permission import trust
from fake_core import FakeCore, FakeScenario, make_plan

# The same examples on every machine, so that a test fails for the change that broke it.
# New ones: `pytest --hypothesis-profile=default`.
settings.load_profile("ci")

# The user's list of trusted folders, which the command line reads and writes, stays as it is.
# Processes that tests start inherit this.
_CONFIGURATION = tempfile.TemporaryDirectory(prefix="ackclock-tests-")
os.environ["XDG_CONFIG_HOME"] = _CONFIGURATION.name

TIMING = {"setup_seconds": 0.5, "run_seconds": 0.25, "events": 12345}


@pytest.fixture
def fake_result() -> Callable[..., Result]:
    """Makes the result of a run that no simulator made; `flows` says how many."""

    def make(flows: int = 2) -> Result:
        return Result(FakeScenario(), make_plan(flows), FakeCore(flows), TIMING)

    return make


@pytest.fixture(autouse=True, scope="session")
def folders_of_tests_are_trusted(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Trust the folders that tests make; tests/permission tests what is not trusted."""
    trust(tmp_path_factory.getbasetemp())


@pytest.fixture(autouse=True, scope="session")
def ctrl_c_is_heard() -> Iterator[None]:
    """Let the tests' processes hear Ctrl-C even if a shell started this one in the background."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, before)


def pytest_collection_finish() -> None:
    """Take what collection made out of the garbage collector's rounds: a tenth of the time."""
    gc.collect()
    gc.freeze()
