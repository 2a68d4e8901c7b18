"""Counts instructions per delivered packet, a figure that other load on the machine cannot change.

    python bench/instructions.py [--only NAME] [--record]

valgrind counts one plan over two durations; the difference belongs to the packets in between, and
start-up drops out. A figure more than 5 % above the recorded one fails: either the change is worth
it, and is recorded with its reason in docs/performance.md, or it is not. Figures hold for one
compiler: with another one they are shown and not judged.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from workloads import HERE, TRACED, WORKLOADS, Workload, built_engine, compiler, named

RECORDED = HERE / "instructions.json"
TOLERANCE = 0.05


def count(engine: Path, plan: str) -> tuple[int, int]:
    """Run the plan and return its numbers of instructions and delivered packets."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plan.json"
        file.write_text(plan)
        ran = subprocess.run(
            [
                "valgrind",
                "--tool=cachegrind",
                "--cache-sim=no",
                "--cachegrind-out-file=/dev/null",
                str(engine),
                str(file),
            ],
            check=True,
            capture_output=True,
            text=True,
        )
    match = re.search(r"I\s+refs:\s+([\d,]+)", ran.stderr)
    if match is None:
        raise SystemExit(f"valgrind said no count:\n{ran.stderr}")
    return int(match[1].replace(",", "")), json.loads(ran.stdout)["delivered_packets"]


def per_packet(engine: Path, workload: Workload) -> float | None:
    """Return the instructions per delivered packet after the start."""
    if workload.counted is None or shutil.which("valgrind") is None:
        return None
    (few, early), (many, late) = (
        count(engine, workload.plan(seconds)) for seconds in workload.counted
    )
    return (many - few) / (late - early)


def ratios(counted: dict[str, float], recorded: dict[str, float]) -> dict[str, float]:
    """Return the ratio of each figure to the recorded one, where there is one."""
    return {name: value / recorded[name] for name, value in counted.items() if name in recorded}


def failed(counted: dict[str, float], recorded: dict[str, float]) -> list[str]:
    """Return the workloads that take more than the tolerance over the recorded figure."""
    return [name for name, ratio in ratios(counted, recorded).items() if ratio > 1 + TOLERANCE]


def verdict(
    counted: dict[str, float], record: dict[str, Any], with_compiler: str
) -> tuple[bool, str]:
    """Return whether the figures pass, and a sentence that says why.

    Figures of another compiler are not judged: its instructions for one source differ by more than
    the tolerance.
    """
    over = failed(counted, record["per_packet"])
    if record["compiler"] != with_compiler:
        return True, (
            f"NOT JUDGED: recorded with {record['compiler']}, counted with {with_compiler}; "
            f"over the tolerance: {', '.join(over) or 'none'}. "
            "To judge by this compiler, run `make bench-guard ARGS=--record` on the last version "
            "that was good"
        )
    if over:
        return False, (
            f"{', '.join(over)}: more than {TOLERANCE:.0%} over the recorded figure; if the "
            "change is worth it, run "
            "`make bench-guard ARGS=--record` and say why in docs/performance.md"
        )
    return True, f"no workload takes more than {TOLERANCE:.0%} over the recorded figure"


def main() -> None:
    """Count, compare or record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", default="", help="workloads whose name contains this")
    parser.add_argument("--record", action="store_true", help=f"keep them in {RECORDED.name}")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        raise SystemExit(
            "instructions are counted by valgrind, which is not installed (Debian: apt-get "
            "install valgrind)"
        )
    engine = built_engine()
    chosen = {
        (workload.name if workload is not TRACED else "traced"): workload
        for workload in (*WORKLOADS, TRACED)
    }
    counts = {name: per_packet(engine, chosen[name]) for name in named(chosen, options.only)}
    counted = {name: round(value, 1) for name, value in counts.items() if value is not None}
    if options.record:
        # Workloads that were not counted keep their figures if one compiler has made all.
        before = json.loads(RECORDED.read_text()) if RECORDED.exists() else {"compiler": None}
        kept = before["per_packet"] if before["compiler"] == compiler() else {}
        RECORDED.write_text(
            json.dumps({"compiler": compiler(), "per_packet": {**kept, **counted}}, indent=1) + "\n"
        )
    record = json.loads(RECORDED.read_text())
    beside = ratios(counted, record["per_packet"])
    for name, value in counted.items():
        of = f"  {beside[name]:.3f} of {record['per_packet'][name]}" if name in beside else ""
        sys.stdout.write(f"{name:<26} {value:>8.1f} instructions per packet{of}\n")
    passes, says = verdict(counted, record, compiler())
    if not passes:
        raise SystemExit(says)
    sys.stdout.write(f"{says}\n")


if __name__ == "__main__":
    main()
