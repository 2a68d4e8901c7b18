"""One scenario, one run on this machine's kernel, one result."""

from __future__ import annotations

import fcntl
import json
import shutil
import tempfile
import weakref
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ackclock.linux.capacity import check_capacity
from ackclock.linux.child import work
from ackclock.linux.machine import require_namespaces
from ackclock.linux.plan import linux_plan
from ackclock.scenario import Scenario, ScenarioError, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ackclock.linux.plan import LinuxPlan
    from ackclock.results import Result

__all__ = ["run_on_linux"]

_PREFIX = "ackclock-linux-"


def run_on_linux(scenario: Scenario | str | Path, *, seed: int | None = None, progress: Callable[[float], None] | None = None) -> Result:
    """Run a scenario on this machine's kernel, in real time.

    Senders and receivers are sockets of the kernel's TCP in network namespaces of their own; the links and queues between them are the
    simulator's. Nothing outside of these namespaces is touched, and they vanish with the run.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    seed
        Another seed than the scenario's.
    progress
        Called about ten times a second with the share of the run that is done, 0 to 1. An exception from it ends the run.

    Returns
    -------
    Result
        The same as of a simulated run; ``engine`` and ``conduct`` say what made it, and how exactly.

    Raises
    ------
    ScenarioError
        If anything in the scenario is wrong, or the kernel cannot do it; nothing has run then.
    LinuxError
        If the machine cannot do it: no Linux, no namespaces, something that failed on the way.
    """
    from ackclock.results import Result

    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    if seed is not None:
        scenario = scenario.replace({"seed": seed})
    plan = linux_plan(scenario)
    require_namespaces()
    check_capacity(scenario, plan["plan"])
    with _folder() as folder:
        _ask(folder, scenario, plan)
        try:
            work([str(folder)], progress)
        except ScenarioError as error:
            raise error.located(scenario.file) from None
        result = Result.load(folder / "result")
        # Its tables are read when they are first asked for.
        lock = _KEPT.pop(folder)
        weakref.finalize(result, _remove, folder, lock)
        return result


# Folders that nobody else has taken over, with their locks.
_KEPT: dict[Path, IO[Any]] = {}


@contextmanager
def _folder() -> Iterator[Path]:
    """A new folder that vanishes unless somebody takes it from `_KEPT`. It is locked: a later run removes those that nobody holds."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        _remove_if_left(left)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = (folder / "lock.new").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    (folder / "lock.new").rename(folder / "lock")
    _KEPT[folder] = lock
    try:
        yield folder
    finally:
        if folder in _KEPT:
            _remove(folder, _KEPT.pop(folder))


def _remove(folder: Path, lock: IO[Any]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    lock.close()


def _remove_if_left(folder: Path) -> None:
    """Remove the folder of a run that was killed."""
    try:
        with (folder / "lock").open("r") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return


def _ask(folder: Path, scenario: Scenario, plan: LinuxPlan) -> None:
    (folder / "plan.json").write_text(json.dumps(plan, allow_nan=False), encoding="utf-8")
    (folder / "scenario.toml").write_text(scenario.to_toml(), encoding="utf-8")
    (folder / "record.json").write_text(json.dumps({"pcap": list(scenario.record.pcap)}), encoding="utf-8")
