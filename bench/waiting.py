"""Measures what a user waits for: python bench/waiting.py [--rounds N] [--json FILE] [--record]."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from workloads import HERE, about, shown, whole

TINY = """
name = "tiny"
duration = "2s"
[network]
kind = "dumbbell"
bottleneck = { rate = "10Mbit/s", delay = "20ms", limit = "1bdp" }
[[flows]]
cc = "reno"
"""
# Without its compiled modules Python compiles all sources in every run.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
RECORDED = HERE / "waiting.json"
FIFTY = HERE / "workloads" / "w3-fifty-cubic.toml"
MANY = HERE / "workloads" / "w5-twenty-thousand-cubic.toml"


@dataclass(frozen=True)
class Case:
    """A run, and its targets."""

    name: str
    words: tuple[str, ...]
    """The command line after `ackclock run`."""
    seconds: float | None
    """Processor time of the whole process to stay below, s."""
    megabytes: float | None = None
    """Size of the folder to stay below, MB."""


CASES = (
    Case("tiny run, with its report", ("tiny.toml",), 0.7),
    Case("tiny run, --no-report", ("tiny.toml", "--no-report"), 0.35),
    Case(
        "50 CUBIC flows, 1 Gbit/s, 24 s, recorded by default",
        (str(FIFTY), "--set", "record.samples=auto"),
        None,
    ),
    Case("20,000 flows, 2 s", (str(MANY), "--set", "duration=2s"), 2.5, 8.0),
)


def processor_time(arguments: list[str], folder: Path) -> float:
    """Return the processor time of a Python process, user and system, s."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"python {' '.join(arguments)} ended with status {process.returncode}")
    return used.ru_utime + used.ru_stime


def measured(case: Case, rounds: int, folder: Path) -> dict[str, Any]:
    """Return the figures of a case: processor times, the engine's part, sizes."""
    command = ["-m", "ackclock", "run", *case.words, "--out", "out"]
    processor_time(command, folder)  # reads the files from the disk, and compiles them once
    took = [processor_time(command, folder) for _ in range(rounds)]
    sizes = {
        path.relative_to(folder / "out").as_posix(): path.stat().st_size
        for path in sorted((folder / "out").rglob("*"))
        if path.is_file()
    }
    timing = json.loads((folder / "out" / "timing.json").read_text(encoding="utf-8"))
    return {
        "what": case.name,
        "median": statistics.median(took),
        "least": min(took),
        "most": max(took),
        "target": case.seconds,
        "engine": timing["run_seconds"],
        "megabytes": sum(sizes.values()) / 1e6,
        "megabytes_target": case.megabytes,
        "sizes": sizes,
    }


HEADINGS = ("`ackclock run`", "processor time, s", "wanted", "engine, s", "folder, MB", "wanted")


def cells(row: dict[str, Any]) -> list[str]:
    """Return the cells of a row as the page shows them."""
    return [
        row["what"],
        f"{row['median']:.2f} ({row['least']:.2f} – {row['most']:.2f})",
        f"{row['target']:g}" if row["target"] else "",
        shown(row["engine"], 2),
        shown(row["megabytes"], 2),
        f"{row['megabytes_target']:g}" if row["megabytes_target"] else "",
    ]


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=whole, default=5)
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    parser.add_argument("--record", action="store_true", help=f"keep them in {RECORDED.name}")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ackclock-waiting-") as place:
        folder = Path(place)
        (folder / "tiny.toml").write_text(TINY, encoding="utf-8")
        rows = [measured(case, options.rounds, folder) for case in CASES]
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if options.record:
        record = {"about": about(), "rows": rows}
        RECORDED.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    shows = Table(title="Processor seconds of a whole run; the engine's are of a wall clock")
    for heading in rows[0]:
        if heading != "sizes":
            shows.add_column(
                heading.replace("_", " "), justify="left" if heading == "what" else "right"
            )
    for row in rows:
        shows.add_row(
            *(
                value if isinstance(value, str) else "" if value is None else f"{value:.3f}"
                for name, value in row.items()
                if name != "sizes"
            )
        )
    Console().print(shows)


if __name__ == "__main__":
    main()
