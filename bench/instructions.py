"""Instructions per delivered packet, which no other program on the machine changes: python bench/instructions.py [--record].

valgrind counts the same plan over two durations; the difference is what the packets in between took, without start-up. A figure more
than 5 % above the recorded one fails: either the change is worth it, and is recorded with its reason in docs/performance.md, or it is not.
Figures hold for one compiler; another one is told apart from a regression by recording on the last version first.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from workloads import HERE, TRACED, WORKLOADS, Workload, built_engine

RECORDED = HERE / "instructions.json"
TOLERANCE = 0.05


def count(engine: Path, plan: str) -> tuple[int, int]:
    """Instructions and delivered packets of a run."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plan.json"
        file.write_text(plan)
        ran = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", str(engine), str(file)],
            check=True,
            capture_output=True,
            text=True,
        )
    found = re.search(r"I\s+refs:\s+([\d,]+)", ran.stderr)
    if found is None:
        raise SystemExit(f"valgrind said no count:\n{ran.stderr}")
    return int(found[1].replace(",", "")), json.loads(ran.stdout)["delivered_packets"]


def per_packet(engine: Path, workload: Workload) -> float | None:
    """Instructions per packet delivered, after the start."""
    if workload.counted is None or shutil.which("valgrind") is None:
        return None
    (few, early), (many, late) = (count(engine, workload.plan(seconds)) for seconds in workload.counted)
    return (many - few) / (late - early)


def compiler() -> str:
    """Which compiler these are of."""
    return subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Count, compare or record."""
    if shutil.which("valgrind") is None:
        raise SystemExit("instructions are counted by valgrind, which is not installed (Debian: apt-get install valgrind)")
    engine = built_engine()
    only = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    chosen = {(each.name if each is not TRACED else "traced"): each for each in (*WORKLOADS, TRACED)}
    found = {name: per_packet(engine, each) for name, each in chosen.items() if only in name}
    counted = {name: round(value, 1) for name, value in found.items() if value is not None}
    if "--record" in sys.argv:
        RECORDED.write_text(json.dumps({"compiler": compiler(), "per_packet": counted}, indent=1) + "\n")
    recorded = json.loads(RECORDED.read_text())
    failed = []
    for name, value in counted.items():
        before = recorded["per_packet"].get(name)
        ratio = value / before if before else None
        sys.stdout.write(f"{name:<26} {value:>8.1f} instructions per packet" + (f"  {ratio:.3f} of {before}" if ratio else "") + "\n")
        if ratio is not None and ratio > 1 + TOLERANCE:
            failed.append(name)
    if recorded["compiler"] != compiler():
        sys.stdout.write(f"recorded with {recorded['compiler']}, counted with {compiler()}\n")
    if failed:
        raise SystemExit(
            f"{', '.join(failed)}: more than {TOLERANCE:.0%} over the recorded figure; if the change is worth it, run "
            "`python bench/instructions.py --record` and say why in docs/performance.md"
        )


if __name__ == "__main__":
    main()
