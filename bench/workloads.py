"""The workloads of the benchmarks, and the builds of the engine that run them."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.scenario import Scenario, load

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "LAST_CORE",
    "TRACED",
    "WORKLOADS",
    "Workload",
    "about",
    "above_zero",
    "built_engine",
    "built_skeleton",
    "compiler",
    "core",
    "cycles",
    "named",
    "pinned",
    "shown",
    "trained_engine",
    "whole",
]

HERE = Path(__file__).parent
LAST_CORE = (os.cpu_count() or 1) - 1
"""Number of the last core; the first one handles more of the system's interrupts."""


@dataclass(frozen=True)
class Workload:
    """A scenario of the folder workloads/, and the figures to measure."""

    name: str
    """Name of the scenario's file, without its ending."""
    says: str
    """Description in a table's cell."""
    counted: tuple[float, float] | None = None
    """Simulated seconds between which instructions are counted; None: they would be too many."""
    target: float | None = None
    """Delivered packets per second of one core to reach."""
    traces: bool = False
    """Whether the run records a row for each ACK."""

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario as it runs, with its record."""
        scenario = load(str(HERE / "workloads" / f"{self.name}.toml"))
        return (
            scenario.replace({"record.samples": "changes", "record.links": []})
            if self.traces
            else scenario
        )

    def plan(self, seconds: float | None = None) -> str:
        """Return the plan as JSON, of this duration in s or its own."""
        plan = self.scenario.plan()
        if seconds is not None:
            plan["duration_ps"] = round(seconds * 1e12)
        return json.dumps(plan)


WORKLOADS = (
    Workload("w1-one-reno", "1 reno, 100 Mbit/s", (5, 9), 20e6),
    Workload("w2-ten-bbr", "10 bbr, 10 Mbit/s", (30, 60), 5.5e6),
    Workload("w3-fifty-cubic", "50 cubic, 1 Gbit/s", (0.8, 1.2), 16e6),
    Workload("w4-thousand-reno", "1000 reno, 1 Gbit/s", (2, 2.4), 12e6),
    Workload("w5-twenty-thousand-cubic", "20,000 cubic, 10 Gbit/s", None, 6e6),
    Workload("w6-wide-window", "window of 100,000", None),
    Workload("w6-narrow-window", "the same, of 10", (20, 60)),
    Workload("w7-heavy-loss", "40 reno, 1.5 Mbit/s", (100, 300), 5.5e6),
    Workload("w8-parking-lot", "3 x 100 Mbit/s, fq_codel", (1, 2), 5.5e6),
)
TRACED = Workload("w1-one-reno", "the first, a row per ACK", (5, 9), traces=True)
"""The first workload with a row for each ACK, which shows the cost of a trace."""


def above_zero(text: str) -> float:
    """Parse an option's value that is a number above zero."""
    if not 0 < (value := float(text)) < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not above zero")
    return value


def whole(text: str) -> int:
    """Parse an option's value that is a whole number above zero."""
    if (value := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above zero")
    return value


def core(text: str) -> int:
    """Parse an option's value that is the number of a core which this process may use."""
    if (value := int(text)) not in (known := os.sched_getaffinity(0)):
        raise argparse.ArgumentTypeError(
            f"{text} is none of the cores of this machine: {', '.join(map(str, sorted(known)))}"
        )
    return value


def named(names: Iterable[str], part: str) -> list[str]:
    """Return the names that contain the part; exit with the list of all names if there is none."""
    known = list(names)
    matches = [name for name in known if part in name]
    if not matches:
        raise SystemExit(
            f"--only {part}: no workload's name contains that; there are {', '.join(known)}"
        )
    return matches


def built_engine(profile: str = "release") -> Path:
    """Build the engine without Python and return the program.

    The whole workspace is built, so that `make test` takes what `cargo test` has made.
    """
    return _built("--profile", profile, "--workspace")


def built_skeleton() -> Path:
    """Build the skeleton, the limit of what an engine can reach."""
    return _built("--release", "--package", "ackclock-sim", example="skeleton")


def trained_engine() -> Path:
    """Build the engine as `make trained` does, with a profile of the example scenarios."""
    from training import plans

    merge = Path(_said("rustc", "--print", "target-libdir")).parent / "bin" / "llvm-profdata"
    if not merge.exists():
        raise SystemExit(
            "a trained build needs llvm-profdata of this compiler: rustup component add llvm-tools"
        )
    root = HERE.parent
    target = root / "target" / "trained"
    trained = target / "release" / "examples" / "bench"
    made_of = [
        merge,
        HERE / "training.py",
        *root.glob("Cargo.*"),
        *root.glob("crates/**/*.rs"),
        *root.glob("crates/*/Cargo.toml"),
        *root.glob("scenarios/**/*.toml"),
    ]
    if trained.exists() and trained.stat().st_mtime > max(
        source.stat().st_mtime for source in made_of
    ):
        return trained
    with tempfile.TemporaryDirectory() as folder:
        plan, profile = Path(folder) / "plan.json", Path(folder) / "merged.profdata"
        # In another folder: if interrupted, a counting build would pass for the trained one.
        counting = _built(
            "--release",
            "--package",
            "ackclock-sim",
            target=target / "counting",
            flags=f"-Cprofile-generate={folder}",
        )
        for text in plans():
            plan.write_text(text)
            # It warns of each branch with more targets than it can count.
            subprocess.run([str(counting), str(plan)], check=True, capture_output=True)
        subprocess.run(
            [
                str(merge),
                "merge",
                "--output",
                str(profile),
                *map(str, Path(folder).glob("*.profraw")),
            ],
            check=True,
        )
        return _built(
            "--release",
            "--package",
            "ackclock-sim",
            target=target,
            flags=f"-Cprofile-use={profile}",
        )


def _built(
    *options: str, target: Path | None = None, flags: str = "", example: str = "bench"
) -> Path:
    others = {"CARGO_TARGET_DIR": str(target), "RUSTFLAGS": flags} if target else {}
    said = _said(
        "cargo",
        "build",
        *options,
        "--locked",
        "--quiet",
        "--example",
        example,
        "--message-format",
        "json",
        **others,
    )
    built = [json.loads(line) for line in said.splitlines()]
    return next(Path(message["executable"]) for message in built if message.get("executable"))


def _said(*command: str, **variables: str) -> str:
    environment = {**os.environ, **variables}
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, cwd=HERE.parent, env=environment
    ).stdout.strip()


def pinned(command: list[str], core: int) -> dict[str, Any]:
    """Run a program on one core and return the one line of JSON that it prints among others."""
    said = subprocess.run(
        ["taskset", "--cpu-list", str(core), *command], check=True, capture_output=True, text=True
    ).stdout
    figures: dict[str, Any] = json.loads(
        next(line for line in said.splitlines() if line.startswith("{"))
    )
    return figures


def cycles(command: list[str], core: int) -> int | None:
    """Run a program on one core and return its processor cycles.

    None where perf is not installed, or cannot read the processor's counters, as on many virtual
    machines.
    """
    if shutil.which("perf") is None:
        return None
    counter = ["perf", "stat", "--field-separator", ";", "--event", "cycles:u"]
    said = subprocess.run(
        [*counter, "taskset", "--cpu-list", str(core), *command], capture_output=True, text=True
    ).stderr
    counts = [line.split(";")[0] for line in said.splitlines() if ";cycles:u;" in line]
    return int(counts[0]) if counts and counts[0].isdigit() else None


def compiler() -> str:
    """Return the version of the compiler that makes the engine."""
    return _said("rustc", "--version")


def about(others: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the circumstances of a record: machine, versions, date."""
    models = [
        line.split(":", 1)[1].strip()
        for line in _lines("/proc/cpuinfo")
        if line.startswith("model name")
    ]
    systems = [
        line.split("=", 1)[1].strip('"')
        for line in _lines("/etc/os-release")
        if line.startswith("PRETTY_NAME=")
    ]
    kernel = ".".join(platform.release().split(".")[:2])
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE
    ).stdout.strip()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{next(iter(models), platform.machine())}, {os.cpu_count()} cores",
        "system": f"{next(iter(systems), platform.system())}, Linux {kernel}",
        "commit": commit or "unknown",
        "compiler": compiler(),
        **(others or {}),
    }


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def shown(value: float | None, digits: int = 3) -> str:
    """Return the value as text with this number of significant digits."""
    from ackclock.tables.quantities import MISSING, significant

    return MISSING if value is None else significant(value, digits)
