"""Runs on this machine's kernel. Where it permits none, they are skipped, and say so."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import ackclock as ac
from ackclock.engine.linux import run_on_linux
from ackclock.results import Result
from linux_machine import needs_namespaces

pytestmark = [needs_namespaces, pytest.mark.kernel]

COMMAND = [sys.executable, "-m", "ackclock"]
SCENARIO = """
duration = "3s"
network = { kind = "dumbbell", bottleneck = { rate = "10Mbit/s", delay = "10ms", limit = "1bdp" } }
flows = [{ cc = "cubic" }]
record = { samples = "10ms" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "short.toml").write_text(SCENARIO, encoding="utf-8")
    return tmp_path


def call(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def goodput(result: Result) -> float:
    (value,) = result.flows["goodput"].to_list()
    assert isinstance(value, float)
    return value


def test_the_command_leaves_the_results_of_a_simulated_run(folder: Path) -> None:
    done = call(folder, "linux", "short.toml", "--no-plots")
    assert done.returncode == 0, done.stderr
    assert "handed over" in done.stdout
    assert "Results: runs/short-linux" in done.stderr.splitlines()
    real = Result.load(folder / "runs/short-linux")
    simulated = ac.run(folder / "short.toml")
    assert real.engine.startswith("linux ")
    assert (
        real.engine
        == json.loads((folder / "runs/short-linux/summary.json").read_text(encoding="utf-8"))[
            "engine"
        ]
    )
    for name in ("flows", "links"):
        ours, theirs = getattr(simulated, name), getattr(real, name)
        assert ours.schema == theirs.schema, name
        assert getattr(simulated.samples, name).schema == getattr(real.samples, name).schema, name
    # A queue of one bdp stays filled, on both.
    assert goodput(real) == pytest.approx(goodput(simulated), rel=0.05)
    assert real.samples.flows["cwnd"].max() > 10 * 1448  # type: ignore[operator]
    # What the kernel says is acknowledged by the end is what the network saw.
    assert real.samples.flows["acked"].max() == pytest.approx(
        real.flows["acked_bytes"][0], rel=0.02
    )


def test_a_comparison_of_both(folder: Path) -> None:
    done = call(
        folder,
        "compare",
        "short.toml",
        "--on",
        "sim,linux",
        "--metric",
        "goodput",
        "--json",
        "--set",
        "duration=2s",
    )
    assert done.returncode == 0, done.stderr
    comparison = json.loads(done.stdout)
    [axis] = comparison["axes"]
    assert axis["labels"] == ["short", "short (linux)"]
    simulated, real = (row["mean"] for row in comparison["means"])
    assert real == pytest.approx(simulated, rel=0.05)
    runs = sorted((folder / "runs/short-comparison/runs").glob("*/*.json"))
    engines = [json.loads(path.read_text())["run"]["summary"]["engine"] for path in runs]
    assert sorted(engine.split()[0] for engine in engines) == ["linux", "simulator"]


def test_what_it_refuses_never_starts(folder: Path) -> None:
    done = call(folder, "linux", "short.toml", "--set", "flows.cc=vegas")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "short.toml: flows.0.cc: 'vegas' cannot run on the kernel: the kernel of this machine"
    )
    assert not (folder / "runs").exists()


def test_from_python_with_streams_and_files() -> None:
    flows = [
        ac.flow("reno", app={"kind": "file", "size": "300kB"}),
        ac.flow(app={"kind": "cbr", "rate": "1Mbit/s"}),
    ]
    scenario = ac.dumbbell(rate="10Mbit/s", rtt="20ms", buffer="1bdp", flows=flows, duration="1s")
    heard: list[float] = []
    result = run_on_linux(scenario, seed=2, progress=heard.append)
    assert result.plan["seed"] == 2
    assert heard == sorted(heard)
    # 300 kB at about 9 Mbit/s, after a slow start of some round trips.
    assert 0.25 < result.flows["fct"][0] < 0.7
    # 1 Mbit/s of datagrams of 1028 bytes for a second, those under way at the end apart.
    assert result.streams["received_packets"][0] == pytest.approx(121, abs=4)


def descendants(pid: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        try:
            if (
                entry.name.isdigit()
                and int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid
            ):
                yield int(entry.name)
        except OSError:
            continue


def worker_of(parent: int) -> int:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for pid in descendants(parent):
            try:
                if b"ackclock.engine.linux.worker" in Path(
                    f"/proc/{pid}/cmdline"
                ).read_bytes() and own_namespace(pid):
                    return pid
            except OSError:
                continue
        time.sleep(0.02)
    raise AssertionError("no worker in a namespace of its own")


def own_namespace(pid: int) -> bool:
    return Path(f"/proc/{pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()


def is_gone(pid: int) -> bool:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def network_of(namespace: str) -> list[int]:
    """Processes that are in a network namespace."""
    processes = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str((entry / "ns/net").readlink()) == namespace:
                processes.append(int(entry.name))
        except OSError:
            continue
    return processes


@pytest.mark.parametrize(
    ("sent", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_an_end_by_force_leaves_nothing(folder: Path, sent: signal.Signals, status: int) -> None:
    devices = sorted(os.listdir("/sys/class/net"))  # noqa: PTH208
    parent = subprocess.Popen(
        [*COMMAND, "linux", "short.toml", "--set", "duration=60s"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        worker = worker_of(parent.pid)
        namespace = str(Path(f"/proc/{worker}/ns/net").readlink())
        time.sleep(0.5)
        parent.send_signal(sent)
        assert parent.wait(30) == status
    finally:
        parent.kill()
        parent.wait()
    assert is_gone(worker)
    assert network_of(namespace) == []
    assert sorted(os.listdir("/sys/class/net")) == devices  # noqa: PTH208
    assert not (folder / "runs").exists()


def test_a_route_can_ask_for_an_ack_per_segment() -> None:
    scenario = ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", buffer="1bdp", flows=[ac.flow("reno")], duration="1s"
    )
    acks = []
    for asked in (scenario, scenario.replace({"transport": {"delayed_ack": 1}})):
        there, back = run_on_linux(asked).links["arrived_packets"].to_list()
        acks.append(back / there)
    # The start's quick ACKs and recoveries make the first more than a half.
    assert acks[0] < 0.8
    assert acks[1] > 0.95


NOBODY = 65534


def without_root(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python as nobody with this one's packages: this Python, or else the system's."""
    minor = f"{sys.version_info.major}.{sys.version_info.minor}"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    for python in (sys.executable, f"/usr/bin/python{minor}"):
        ask = partial(
            subprocess.run,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
        )
        try:
            if ask([python, "-c", "import ackclock._core, polars"], check=False).returncode == 0:
                return ask([python, "-m", "ackclock", *arguments], check=False)
        except PermissionError:
            continue
    pytest.skip(
        "NOTHING RAN WITHOUT ROOT: nobody may not execute this Python, or not read its packages"
    )


@pytest.mark.skipif(
    os.geteuid() != 0, reason="this is not root: all the other tests here run without root already"
)
def test_without_root_it_runs_as_well() -> None:
    # Not in tmp_path: nobody may not pass through pytest's folders.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "short.toml").write_text(SCENARIO, encoding="utf-8")
        done = without_root(folder, "linux", "short.toml", "--no-plots")
        if "namespace" in done.stderr:
            pytest.skip(f"NOTHING RAN WITHOUT ROOT: {done.stderr}")
        assert done.returncode == 0, done.stderr
        real = Result.load(folder / "runs/short-linux")
        assert real.provenance is not None
        assert real.provenance["is_rootless"]
        # A loaded machine without priorities: the line is full all the same.
        assert goodput(real) == pytest.approx(9.5e6, rel=0.1)


def test_flows_of_one_start_time_are_opened_in_the_order_that_the_seed_draws() -> None:
    flows = [
        ac.flow("reno", name="a"),
        ac.flow("cubic", name="b"),
        ac.flow("reno", name="c", start="50ms"),
    ]
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="20ms",
        flows=flows,
        duration="300ms",
        record={"packets": ["bottleneck"]},
    )
    openers = set()
    for seed in (1, 2, 3, 4):
        result = run_on_linux(scenario, seed=seed)
        assert result.provenance is not None
        first = [packet["flow"] for packet in result.provenance["first_packets"]]
        times = [packet["time"] for packet in result.provenance["first_packets"]]
        # The third shares its start with nobody.
        assert set(first) == {"a", "b"}
        assert 0 < times[0] < times[1] < 0.05
        simulated = ac.run(scenario, seed=seed).packets.filter(
            pl.col("flow").cast(pl.String).is_in(["a", "b"])
        )
        assert first[0] == simulated["flow"].cast(pl.String)[0]
        openers.add(first[0])
    assert openers == {"a", "b"}


def test_tables_of_the_kernel_have_the_bound_of_the_record(folder: Path) -> None:
    app = {"kind": "repeated", "size": "1kB", "think": "1ms"}
    scenario = ac.load(
        folder / "short.toml",
        changes={"flows.app": app, "record": {"samples": "off", "max_size": "1kB"}},
    )
    result = run_on_linux(scenario)
    # A transfer takes 20 ms of round trip and more, so that there are a hundred in 3 s, and a row
    # of one takes 40 bytes at least.
    assert 10 < result.transfers.height <= 1000 // 40
    assert 0.1 < result.summary()["recorded_until"]["transfers"] < 3.0
    assert any("record.max_size" in warning for warning in result.summary()["warnings"])
