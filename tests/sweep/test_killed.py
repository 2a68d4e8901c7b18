"""Does a sweep killed, stopped, shared or out of room lose nothing, and make nothing twice?"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import sweep_script
from ackclock.sweeps.running import run_design
from ackclock.sweeps.store import Store
from sweep_script import SETTINGS, after_runs, files_of, small_design

pytestmark = pytest.mark.process

REPLICATIONS = 30
RUNS = SETTINGS * REPLICATIONS


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], list[Any]]:
    folder = tmp_path_factory.mktemp("undisturbed") / "store"
    said = finished(start(folder))
    assert said["made"] == RUNS
    return files_of(folder), said["rows"]


def start(
    folder: Path,
    *arguments: str,
    replications: int = REPLICATIONS,
    prefix: tuple[str, ...] = (),
    **options: Any,
) -> subprocess.Popen[str]:
    command = [
        *prefix,
        sys.executable,
        sweep_script.__file__,
        str(folder),
        str(replications),
        *arguments,
    ]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True, **options
    )


def finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    output, _ = process.communicate(timeout=100)
    assert process.returncode == 0
    said: dict[str, Any] = json.loads(output.splitlines()[-1])
    return said


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


@contextmanager
def killed_in_the_end(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    try:
        yield process
    finally:
        kill(process)


@pytest.mark.long
def test_killed_at_any_moment_it_loses_nothing_and_makes_nothing_twice(
    tmp_path: Path, undisturbed: tuple[dict[str, bytes], list[Any]]
) -> None:
    draw = random.Random(1)
    # A busy machine may hear of the runs, and be killed, when all are there: then once more.
    for attempt in range(12):
        folder = tmp_path / f"store-{attempt}"
        for kills in range(3):
            process = start(folder)
            # By runs and not by time, for a fast machine makes all in half a second; a moment more,
            # to meet it in the middle of one.
            after_runs(process, kills * RUNS // 4 + draw.randint(1, RUNS // 8))
            time.sleep(draw.uniform(0.0, 0.01))
            kill(process)
        kept = sum(1 for _ in Store.open(folder).keys())  # noqa: SIM118 - it is no mapping
        if kept < RUNS:
            break
    said = finished(start(folder))
    assert (said["reused"], said["made"]) == (kept, RUNS - kept)
    assert said["damaged"] == []
    assert 0 < kept < RUNS
    assert said["rows"] == undisturbed[1]
    assert files_of(folder) == undisturbed[0]


@pytest.mark.long
def test_two_processes_share_a_store_and_make_each_run_once(
    tmp_path: Path, undisturbed: tuple[dict[str, bytes], list[Any]]
) -> None:
    both = [start(tmp_path / "store") for _ in range(2)]
    said = [finished(process) for process in both]
    assert sum(report["made"] for report in said) == RUNS
    for report in said:
        assert report["made"] + report["reused"] + report["elsewhere"] == RUNS
        assert report["rows"] == undisturbed[1]
        assert report["damaged"] == []
    assert files_of(tmp_path / "store") == undisturbed[0]


@pytest.mark.long
def test_what_another_process_claimed_and_died_with_is_made(tmp_path: Path) -> None:
    with killed_in_the_end(
        start(tmp_path / "store", "threads", "2", "100000s", replications=1)
    ) as other:
        after_runs(other, 0)
        design = small_design(1, duration="100000s")
        claims = [
            Store.open(tmp_path / "store").claim(design.task(setting, 0).key)
            for setting in range(SETTINGS)
        ]
        assert claims == [None] * SETTINGS
    store = Store.open(tmp_path / "store")
    assert all(store.claim(design.task(setting, 0).key) is not None for setting in range(SETTINGS))


@pytest.mark.long
@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_ctrl_c_stops_runs_that_would_take_long_and_says_how_to_go_on(
    tmp_path: Path, executor: str
) -> None:
    folder = tmp_path / "store"
    run_design(small_design(1), Store.open(folder, create=True))
    # Each takes minutes.
    process = start(folder, executor, "2", "500000s", replications=1, stderr=subprocess.PIPE)
    with killed_in_the_end(process):
        after_runs(process, 0)
        children = _children(process.pid)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        took = time.monotonic() - began
    assert (
        f"stopped: 0 of {SETTINGS} runs are kept in {folder}; the same call goes on from there"
        in errors
    )
    # A second where nothing else runs.
    assert took < 10
    assert len(children) == (2 if executor == "processes" else 0)
    assert not [child for child in children if _runs(child)]


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task")
    children = [
        child for task in tasks.iterdir() for child in (task / "children").read_text().split()
    ]
    return [int(child) for child in children]


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split(") ")[1][0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.long
def test_a_process_that_is_killed_is_replaced_and_its_run_made_again(
    tmp_path: Path, undisturbed: tuple[dict[str, bytes], list[Any]]
) -> None:
    # A kill may come when the process has made its last run: then once more.
    for attempt in range(12):
        folder = tmp_path / f"store-{attempt}"
        process = start(folder, "processes", "2")
        after_runs(process, 5)
        for child in _children(process.pid)[:1]:
            os.kill(child, signal.SIGKILL)
        said = finished(process)
        noted = [note for note in said["notes"] if "signal 9" in note]
        if noted:
            break
    assert noted
    assert said["rows"] == undisturbed[1]
    assert files_of(folder) == undisturbed[0]


@pytest.mark.long
def test_processes_end_with_who_started_them(tmp_path: Path) -> None:
    process = start(tmp_path / "store", "processes", "2", "500000s", replications=1)
    after_runs(process, 0)
    children = _children(process.pid)
    assert len(children) == 2
    kill(process)
    deadline = time.monotonic() + 60
    while any(_runs(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [child for child in children if _runs(child)]


# In a namespace of its own, so that anybody may mount: a file system with room for some runs, then
# for all.
_ON_A_FULL_DISK = """
set -e
mount -t tmpfs -o size=300k tmpfs "$1"
if "$2" "$3" "$1/store" 30 2> "$1.said"; then echo "it found room enough" >&2; exit 1; fi
cp -r "$1/store" "$1.full"
mount -o remount,size=50m "$1"
"$2" "$3" "$1/store" 30
cp -r "$1/store" "$1.finished"
"""


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("unshare") is None, reason="NO DISK WAS FILLED: there is no unshare"
)
def test_on_a_full_disk_it_says_so_keeps_what_is_whole_and_goes_on(
    tmp_path: Path, undisturbed: tuple[dict[str, bytes], list[Any]]
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    namespace = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*namespace, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("NO DISK WAS FILLED: no namespaces are permitted here")
    ran = subprocess.run(
        [
            *namespace,
            "bash",
            "-c",
            _ON_A_FULL_DISK,
            "bash",
            str(disk),
            sys.executable,
            sweep_script.__file__,
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    error = (tmp_path / "disk.said").read_text()
    assert "could not be kept" in error
    assert "No space left on device" in error
    said = json.loads(ran.stdout.splitlines()[-1])
    full = Store.open(tmp_path / "disk.full")
    keys = list(full.keys())
    responses = small_design(1).responses
    assert all(full.get(key, responses) is not None for key in keys)
    assert full.damaged == []
    assert (said["reused"], said["made"]) == (len(keys), RUNS - len(keys))
    assert 0 < len(keys) < RUNS
    assert said["damaged"] == []
    assert files_of(tmp_path / "disk.finished") == undisturbed[0]
