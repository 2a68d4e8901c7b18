"""Measures start-up times: python bench/startup.py [--rounds N] [--json FILE]."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table
from workloads import whole

COMMANDS = {
    "import ackclock": (["-c", "import ackclock"], 0.3),
    "ackclock list cc": (["-m", "ackclock", "list", "cc"], 0.4),
}
"""Python's arguments for each command, and the wall-clock time in s that it should stay below."""


def seconds(arguments: list[str]) -> float:
    """Return the wall-clock time of a process with these arguments, in s."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=whole, default=15)
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    options = parser.parse_args()
    rows = []
    for name, (arguments, target) in COMMANDS.items():
        seconds(arguments)  # reads the files from the disk, and compiles them once
        took = [seconds(arguments) for _ in range(options.rounds)]
        rows.append(
            {
                "what": name,
                "median": statistics.median(took),
                "least": min(took),
                "most": max(took),
                "target": target,
            }
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    shows = Table(title="Seconds of a wall clock")
    for heading in rows[0]:
        shows.add_column(heading, justify="left" if heading == "what" else "right")
    for row in rows:
        shows.add_row(
            *(value if isinstance(value, str) else f"{value:.3f}" for value in row.values())
        )
    Console().print(shows)


if __name__ == "__main__":
    main()
