"""A scenario gives one set of bytes in any process, with any workers and any recording."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.cli import main

SCENARIO = """
name = "both-kinds-of-chance"
duration = "3s"
warmup = "500ms"
[network]
kind = "dumbbell"
bottleneck.rate = "4Mbit/s"
bottleneck.delay = "10ms"
bottleneck.qdisc = "red"
bottleneck.loss = { kind = "bernoulli", p = 0.005 }
[[flows]]
name = "f"
count = 3
cc = "cos+reno"
start = "uniform(0s, 200ms)"
access = { rate = "50Mbit/s", delay = "exponential(5ms)" }
[[flows]]
name = "file"
cc = "cubic"
app = { kind = "file", size = "200kB" }
[record]
samples = "10ms"
packets = ["bottleneck"]
pcap = ["sender", "receiver", "bottleneck"]
"""


def run_here(*arguments: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 0


def run_elsewhere(*arguments: str) -> None:
    # The seed of Python's hashes moves the order of sets: nothing may depend on it.
    environment = os.environ | {"PYTHONHASHSEED": "2"}
    subprocess.run(
        [sys.executable, "-m", "ackclock", *arguments],
        env=environment,
        check=True,
        capture_output=True,
    )


def hashes(folder: Path) -> dict[str, str]:
    files = sorted(
        path for path in folder.rglob("*") if path.is_file() and path.name != "timing.json"
    )
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "s.toml").write_text(SCENARIO, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long
def test_two_runs_leave_the_same_bytes(folder: Path) -> None:
    run_here("run", "s.toml", "--out", "one")
    run_elsewhere("run", "s.toml", "--out", "two")
    run_here("plot", "one")
    run_elsewhere("plot", "two")
    first, second = hashes(folder / "one"), hashes(folder / "two")
    assert first == second
    for kind in (".svg", ".html", ".parquet", ".pcapng", ".json", ".toml"):
        assert any(name.endswith(kind) for name in first), kind


@pytest.mark.long
def test_two_comparisons_leave_the_same_bytes_with_any_number_of_workers(folder: Path) -> None:
    arguments = ["compare", "s.toml", "--cc", "reno,cos+reno", "--seeds", "2"]
    run_here(*arguments, "--workers", "1", "--out", "one")
    run_elsewhere(*arguments, "--workers", "2", "--out", "two")
    assert hashes(folder / "one") == hashes(folder / "two")


def test_what_is_recorded_changes_no_counter(folder: Path) -> None:
    scenario = ac.load(folder / "s.toml")

    def counters(record: dict[str, Any]) -> str:
        return json.dumps(ac.run(scenario.replace({"record": record})).summary(), sort_keys=True)

    everything = counters(
        {"samples": "changes", "packets": ["bottleneck"], "pcap": ["sender", "receiver"]}
    )
    assert counters({"samples": "off"}) == everything
    assert counters({"samples": "7ms"}) == everything
    assert counters({"samples": "off", "flows": ["file"], "links": []}) == everything
