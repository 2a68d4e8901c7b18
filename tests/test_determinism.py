"""The same scenario gives the same bytes: in another process, with another number of workers, whatever is recorded."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import ackclock as ac

SCENARIO = """
name = "both-kinds-of-chance"
duration = "3s"
warmup = "500ms"
[network]
kind = "dumbbell"
bottleneck = { rate = "4Mbit/s", delay = "10ms", qdisc = "red", loss = { kind = "bernoulli", p = 0.005 } }
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


def run_command(folder: Path, *arguments: str, hash_seed: str) -> None:
    # The seed of Python's hashes moves the order of sets: nothing may depend on it.
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    subprocess.run([sys.executable, "-m", "ackclock", *arguments], cwd=folder, env=environment, check=True, capture_output=True)


def hashes(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "timing.json")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_two_runs_leave_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(SCENARIO, encoding="utf-8")
    for name, hash_seed in (("one", "1"), ("two", "2")):
        run_command(tmp_path, "run", "s.toml", "--out", name, hash_seed=hash_seed)
    one, two = hashes(tmp_path / "one"), hashes(tmp_path / "two")
    assert one == two
    for kind in (".svg", ".html", ".parquet", ".pcapng", ".json", ".toml"):
        assert any(name.endswith(kind) for name in one), kind


def test_two_comparisons_leave_the_same_bytes_with_any_number_of_workers(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(SCENARIO, encoding="utf-8")
    for name, workers, hash_seed in (("one", "1", "1"), ("two", "2", "2")):
        arguments = ["compare", "s.toml", "--cc", "reno,cos+reno", "--seeds", "2", "--workers", workers, "--out", name]
        run_command(tmp_path, *arguments, hash_seed=hash_seed)
    assert hashes(tmp_path / "one") == hashes(tmp_path / "two")


def test_what_is_recorded_changes_no_counter(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    scenario = ac.load(file)

    def counters(record: dict[str, Any]) -> str:
        return json.dumps(ac.run(scenario.replace({"record": record})).summary(), sort_keys=True)

    everything = counters({"samples": "changes", "packets": ["bottleneck"], "pcap": ["sender", "receiver"]})
    assert counters({"samples": "off"}) == everything
    assert counters({"samples": "7ms"}) == everything
    assert counters({"samples": "off", "flows": ["file"], "links": []}) == everything
