"""How fast the engine is, alone: python bench/engine.py [--rounds N] [--core N] [--json] [--record].

Each workload runs in a process of its own on one core, in turn, so that a change of the machine's mood touches all alike; the median
counts. Beside each figure stands its ratio to the last recorded one (engine.json): only that is worth comparing, between runs on one
machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from instructions import compiler, per_packet
from rich.console import Console
from rich.table import Table
from workloads import HERE, TRACED, WORKLOADS, Workload, built_engine, pinned, shown

RECORDED = HERE / "engine.json"
MEGA = 1e6


def figures_of(said: list[dict[str, Any]], instructions: float | None) -> dict[str, float | None]:
    """From what the rounds said; flows and packets are the same in all of them."""
    one = said[0]
    seconds = statistics.median(each["processor_us"] for each in said) / MEGA
    packets = one["delivered_packets"]
    return {
        "packets_per_second": packets / seconds,
        "events_per_second": one["events"] / seconds,
        "ns_per_packet": seconds * 1e9 / packets,
        "instructions_per_packet": instructions,
        "peak_bytes": one["peak_bytes"],
        "bytes_per_idle_flow": one["idle_bytes"] / one["flows"],
        "spread": (max(each["processor_us"] for each in said) - min(each["processor_us"] for each in said)) / MEGA / seconds,
    }


def measure(engine: Path, workloads: list[tuple[str, Workload]], rounds: int, core: int) -> dict[str, dict[str, float | None]]:
    """All workloads, taking turns."""
    said: dict[str, list[dict[str, Any]]] = {name: [] for name, _ in workloads}
    with tempfile.TemporaryDirectory() as folder:
        for name, workload in workloads:
            (Path(folder) / name).write_text(workload.plan())
        for _ in range(rounds):
            for name, _ in workloads:
                said[name].append(pinned([str(engine), str(Path(folder) / name)], core))
    return {name: figures_of(said[name], per_packet(engine, workload)) for name, workload in workloads}


def table(found: dict[str, dict[str, float | None]], names: dict[str, Workload], recorded: dict[str, Any]) -> Table:
    """For people."""
    shows = Table(title="Delivered data packets per second of one core; x: of the recorded figure")
    for heading in ("workload", "Mpackets/s", "x", "target", "Mevents/s", "ns/packet", "instr./packet", "peak MB", "B/idle flow", "spread"):
        shows.add_column(heading, justify="left" if heading == "workload" else "right")
    for name, row in found.items():
        before = recorded.get(name, {}).get("packets_per_second")
        speed, instructions, target = row["packets_per_second"], row["instructions_per_packet"], names[name].target
        assert speed is not None
        assert row["peak_bytes"] is not None
        shows.add_row(
            f"{name.split('-')[0].upper()}  {names[name].says}",
            shown(speed / MEGA),
            shown(speed / before, 3) if before else "",
            shown(target / MEGA) if target else "",
            shown((row["events_per_second"] or 0) / MEGA),
            shown(row["ns_per_packet"]),
            shown(instructions, 4) if instructions else "",
            shown(row["peak_bytes"] / MEGA),
            shown(row["bytes_per_idle_flow"]),
            f"{100 * (row['spread'] or 0):.0f} %",
        )
    return shows


def main() -> None:
    """Measure, show, record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--core", type=int, default=(os.cpu_count() or 1) - 1)
    parser.add_argument("--only", help="workloads whose name contains this")
    parser.add_argument("--json", action="store_true", help="figures on standard output, and nothing else there")
    parser.add_argument("--record", action="store_true", help=f"keep them in {RECORDED.name}")
    options = parser.parse_args()
    workloads = [*((each.name, each) for each in WORKLOADS), ("w1-traced", TRACED)]
    chosen = [(name, each) for name, each in workloads if not options.only or options.only in name]
    found = measure(built_engine(), chosen, options.rounds, options.core)
    recorded = json.loads(RECORDED.read_text())["figures"] if RECORDED.exists() else {}
    if options.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    else:
        Console(width=max(Console().width, 140)).print(table(found, dict(chosen), recorded))
    if options.record:
        about = {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": platform.processor() or platform.machine(),
            "compiler": compiler(),
        }
        RECORDED.write_text(json.dumps({"about": about, "figures": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
