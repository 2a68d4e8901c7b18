"""Do Dask's workers make the same bytes, also with one killed, without words of Dask's?"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sweep_script
from ackclock.sweeps import dask
from ackclock.sweeps.errors import SweepError
from ackclock.sweeps.store import Store
from sweep_script import SETTINGS, after_runs, files_of
from virtual_kernels import played

pytestmark = pytest.mark.process

REPLICATIONS = 25
RUNS = SETTINGS * REPLICATIONS
# Runs take as long as Dask does between them, so that one is under way when its worker dies.
DURATION = "40s"


class Cluster:
    """A scheduler and its workers, each a process, on loopback."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file)
        )
        self._processes = [self.scheduler]
        self.workers = [self._worker(number) for number in range(workers)]

    def _worker(self, number: int) -> subprocess.Popen[bytes]:
        local = str(self.folder / f"worker-{number}")
        worker = self._start(
            "worker",
            "--nthreads",
            "1",
            "--no-nanny",
            "--scheduler-file",
            str(self.file),
            "--local-directory",
            local,
        )
        self._processes.append(worker)
        return worker

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *options]
        with (self.folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"), 3)
    _wait_for(made)
    yield made
    made.stop()


def _wait_for(cluster: Cluster) -> None:
    deadline = time.monotonic() + 60
    while not cluster.file.exists() and time.monotonic() < deadline:
        time.sleep(0.05)


def start(
    folder: Path,
    executor: str,
    replications: int = REPLICATIONS,
    duration: str = DURATION,
    answer_s: str = "",
) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        sweep_script.__file__,
        str(folder),
        str(replications),
        executor,
        "3",
        duration,
        answer_s,
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    output, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors
    assert errors == ""
    said: dict[str, Any] = json.loads(output.splitlines()[-1])
    return said


@pytest.mark.long
def test_with_one_of_three_workers_killed_the_bytes_are_those_of_threads(
    tmp_path: Path, cluster: Cluster
) -> None:
    embedded = finished(start(tmp_path / "embedded", "threads"))
    process = start(tmp_path / "dask", str(cluster.file))
    after_runs(process, 10)
    os.kill(cluster.workers[0].pid, signal.SIGKILL)
    said = finished(process)
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert all(worker.poll() is None for worker in cluster.workers[1:])
    assert said["made"] == RUNS
    assert said["rows"] == embedded["rows"]
    assert files_of(tmp_path / "dask") == files_of(tmp_path / "embedded")


@pytest.mark.long
def test_ctrl_c_ends_the_runs_on_the_workers_too(tmp_path: Path, cluster: Cluster) -> None:
    process = start(tmp_path / "store", str(cluster.file), 1, "500000s")
    after_runs(process, 0)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.splitlines()[-1].endswith("the same call goes on from there")
    assert "distributed" not in errors
    # The workers are free again: each of those runs would take minutes.
    assert finished(start(tmp_path / "next", str(cluster.file), 1, "1s"))["made"] == SETTINGS


@pytest.mark.long
def test_workers_with_another_ackclock_are_named_before_anything_runs(
    tmp_path: Path, cluster: Cluster
) -> None:
    script = tmp_path / "other.py"
    script.write_text(
        "import sys\n"
        "from ackclock import _core\n"
        "from ackclock.sweeps.dask import DaskWorkers\n"
        "from ackclock.sweeps.errors import SweepError\n"
        "_core.__version__, _core.RESULTS_VERSION = '0.0', 1\n"
        f"try: DaskWorkers({str(cluster.file)!r}, None)\n"
        "except SweepError as error: sys.exit(str(error))\n"
    )
    ran = subprocess.run([sys.executable, str(script)], check=False, capture_output=True, text=True)
    assert ran.returncode == 1
    assert (
        "the sweep needs ackclock 0.0 with version 1 of the results on every worker" in ran.stderr
    )
    assert "tcp://127.0.0.1:" in ran.stderr


@pytest.mark.long
def test_a_scheduler_that_dies_ends_the_sweep_and_what_is_finished_is_kept(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, 1)
    try:
        _wait_for(cluster)
        process = start(tmp_path / "store", str(cluster.file), 1000, answer_s="1")
        try:
            after_runs(process, 5)
            cluster.scheduler.kill()
            _, errors = process.communicate(timeout=100)
        finally:
            process.kill()
            process.communicate()
    finally:
        cluster.stop()
    assert process.returncode == 1
    assert "SweepError" in errors
    assert "scheduler" in errors
    assert sum(1 for _ in Store.open(tmp_path / "store").keys()) >= 5  # noqa: SIM118 - it is no mapping


ON_A_KERNEL = """
import sys, ackclock as ac
flows = [ac.flow("reno")]
base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", buffer="9 packets", flows=flows, duration="2s")
try:
    runs = ac.compare(base, on=["virtual"], seeds=2, executor=sys.argv[1]).runs
except ac.LinuxError as error:
    sys.exit(str(error))
print(*runs["digest"])
"""


@pytest.mark.long
def test_workers_run_the_kernel_that_the_sweep_names_if_they_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    monkeypatch.setenv("XDG_CACHE_HOME", str(there))
    cluster = Cluster(tmp_path, 2)
    monkeypatch.setenv("XDG_CACHE_HOME", str(here))
    played(here, "7.3", digest="aa")

    def run(executor: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", ON_A_KERNEL, executor]
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)

    try:
        _wait_for(cluster)
        refused = run(str(cluster.file))
        assert f"needs a copy of {here}/ackclock/kernels/7.3" in refused.stderr
        # Another name makes no difference.
        shutil.copytree(here / "ackclock/kernels/7.3", there / "ackclock/kernels/new")
        assert run(str(cluster.file)).stdout.split() == run("threads").stdout.split() != []
    finally:
        cluster.stop()


@pytest.mark.long
def test_without_dask_asked_for_it_is_not_imported() -> None:
    look = (
        "import sys, ackclock.sweeps.running, ackclock.sweeps.executors; sys.exit('distributed' "
        "in sys.modules or 'dask' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 0


class Jobs:
    """A client whose jobs end as they are told."""

    status = "running"

    def __init__(self, *jobs: tuple[str, object]) -> None:
        self._ends = list(jobs)
        self._calls: list[Any] = []
        self.loop = SimpleNamespace(add_callback=lambda *call: self._calls.append(call))

    def run(self) -> None:
        """Make the calls in the place of Dask's thread."""
        while self._calls:
            call, *arguments = self._calls.pop(0)
            asyncio.run(call(*arguments))

    def submit(self, *_: object, **__: object) -> object:
        status, end = self._ends.pop(0)

        async def result() -> object:
            if isinstance(end, BaseException):
                raise end
            return end

        return SimpleNamespace(status=status, result=result, release=lambda: None)


def crew_with(client: object) -> dask.DaskWorkers:
    crew = dask.DaskWorkers.__new__(dask.DaskWorkers)
    crew._client, crew._lock, crew._jobs, crew._away_since = client, threading.Lock(), {}, None
    crew._stopped, crew._count, crew._lost, crew.notes = False, 0, (KeyError,), []
    return crew


def ended(*ends: tuple[str, object]) -> tuple[Future[Any], list[str]]:
    """A run whose jobs, one after another, end so, and what is noted of it."""
    client = Jobs(*ends)
    crew = crew_with(client)
    task: Any = SimpleNamespace(where="run 3", key="0" * 64)
    future: Future[Any] = crew.submit(task)
    client.run()
    return future, crew.notes


ON_THE_WAY = ("finished", ConnectionResetError("reset by peer"))


def test_a_result_that_does_not_arrive_is_a_run_to_be_made_again() -> None:
    future, notes = ended(ON_THE_WAY, ("finished", "outcome"))
    assert future.result(timeout=0) == "outcome"
    assert notes == ["The result of run 3 did not arrive; that run was made again."]
    error = ended(ON_THE_WAY, ON_THE_WAY, ON_THE_WAY)[0].exception(timeout=0)
    assert (type(error), str(error)) == (
        SweepError,
        "its result did not arrive (ConnectionResetError: reset by peer)",
    )


@pytest.mark.parametrize(
    "failure", [OSError("no space left"), asyncio.CancelledError("of its own")]
)
def test_what_a_run_itself_fails_with_is_told_at_once(failure: BaseException) -> None:
    future, notes = ended(("error", failure))
    assert future.exception(timeout=0) is failure
    assert notes == []


def test_a_run_whose_worker_died_is_made_again() -> None:
    future, notes = ended(("error", KeyError("killed")), ("finished", "outcome"))
    assert future.result(timeout=0) == "outcome"
    assert notes == ["Workers died in the middle of run 3; that run was made again."]


@pytest.mark.long
def test_runs_that_a_lost_scheduler_never_mentions_end(monkeypatch: pytest.MonkeyPatch) -> None:
    # What was submitted in the moment of its death: Dask leaves such futures pending for ever.
    monkeypatch.setattr(dask, "_ANSWER_S", 0.0)
    crew = crew_with(SimpleNamespace(status="running"))
    future: Future[Any] = Future()
    crew._jobs[future] = object()
    crew.share(future)
    crew._client.status = "connecting"
    crew.share(future)
    assert not future.done()
    time.sleep(0.01)
    crew.share(future)
    assert isinstance(future.exception(timeout=0), SweepError)
