"""Measures the engine against its limit: its share of the skeleton's speed.

    python bench/skeleton.py [--rounds N] [--only NAME] [--record]

The skeleton (crates/sim/examples/skeleton.rs) is the least program that sends packets over the same
dumbbells. Engine and skeleton take turns on one core, and the best run of each counts, so that the
machine's speed drops out. A share more than two fifths below the recorded one fails, because
processors differ. Only workloads with few flows are judged: with many, the share depends on how
much of the cache other programs use. Shares hold for one compiler: with another one they are shown
and not judged.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from workloads import (
    HERE,
    LAST_CORE,
    built_engine,
    built_skeleton,
    compiler,
    core,
    named,
    pinned,
    whole,
)
from workloads import WORKLOADS as ALL

RECORDED = HERE / "skeleton.json"
TOLERANCE = 0.4

LIKE = {
    "w1-one-reno": ("1", "1e8", "0.04", "200"),
    "w3-fifty-cubic": ("50", "1e9", "0.04", "20"),
    "w4-thousand-reno": ("1000", "1e9", "0.04", "20"),
    "w5-twenty-thousand-cubic": ("20000", "1e10", "0.1", "4"),
}
"""By workload: flows, bit/s, RTT in s and duration in s of the skeleton's dumbbell."""


def like(workload: str) -> tuple[str, ...]:
    """Return the skeleton's dumbbell beside a workload: that of one flow, if none is like it."""
    return LIKE.get(workload, LIKE["w1-one-reno"])


JUDGED = ("w1-one-reno", "w3-fifty-cubic")
"""Workloads whose state fits into the cache of one core."""


def speed(said: dict[str, Any]) -> float:
    """Return delivered packets per microsecond of processor time."""
    packets: float = said["delivered_packets"] / said["processor_us"]
    return packets


def measured(
    engine: Path, skeleton: Path, name: str, rounds: int, on_core: int
) -> dict[str, float]:
    """Return the best speeds of a workload, and the share."""
    plan = next(workload for workload in ALL if workload.name == name).plan()
    samples: dict[str, list[float]] = {"engine": [], "events": [], "rounds": []}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plan.json"
        file.write_text(plan)
        for _ in range(rounds):
            samples["engine"].append(speed(pinned([str(engine), str(file)], on_core)))
            for order in ("events", "rounds"):
                samples[order].append(speed(pinned([str(skeleton), order, *LIKE[name]], on_core)))
    best = {kind: max(speeds) for kind, speeds in samples.items()}
    return {**best, "share": best["engine"] / best["rounds"]}


def failed(shares: dict[str, float], recorded: dict[str, float]) -> list[str]:
    """Return the workloads whose share is below the recorded one by more than the tolerance."""
    return [
        name
        for name, share in shares.items()
        if name in JUDGED and name in recorded and share < (1 - TOLERANCE) * recorded[name]
    ]


def main() -> None:
    """Measure, compare or record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", default="", help="workloads whose name contains this")
    parser.add_argument("--rounds", type=whole, default=5, help="runs of each")
    parser.add_argument("--core", type=core, default=LAST_CORE, help="number of the core")
    parser.add_argument("--record", action="store_true", help=f"keep them in {RECORDED.name}")
    options = parser.parse_args()
    engine, skeleton = built_engine(), built_skeleton()
    shares: dict[str, float] = {}
    sys.stdout.write("million packets per second: engine, skeleton by events and by rounds\n")
    for name in named(LIKE, options.only):
        figures = measured(engine, skeleton, name, options.rounds, options.core)
        shares[name] = round(figures["share"], 4)
        sys.stdout.write(
            f"{name:<26} {figures['engine']:6.2f} {figures['events']:6.2f} {figures['rounds']:6.2f}"
            f"   share {figures['share']:.3f}\n"
        )
    if options.record:
        record = {"compiler": compiler(), "shares": shares}
        RECORDED.write_text(json.dumps(record, indent=1) + "\n")
    record = json.loads(RECORDED.read_text())
    under = failed(shares, record["shares"])
    if record["compiler"] != compiler():
        sys.stdout.write(f"NOT JUDGED: recorded with {record['compiler']}\n")
    elif under:
        raise SystemExit(
            f"{', '.join(under)}: the share is more than {TOLERANCE:.0%} below the recorded one "
            f"({', '.join(str(record['shares'][name]) for name in under)})"
        )
    else:
        sys.stdout.write(f"no share is more than {TOLERANCE:.0%} below the recorded one\n")


if __name__ == "__main__":
    main()
