"""Measures what recording, access links and the order of work cost.

    python bench/costs.py [--rounds N] [--only NAME] [--json] [--record]

A workload runs as it is and with one thing changed, in turn on one core. A ratio is of processor
time per delivered packet within a round, so that a change of the machine's speed cancels. The
median of the rounds counts.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workloads import (
    HERE,
    LAST_CORE,
    WORKLOADS,
    about,
    built_engine,
    core,
    named,
    pinned,
    shown,
    whole,
)

RECORDED = HERE / "costs.json"

RECORDING = {"record.samples": "auto"}
"""The record of a scenario that does not mention recording."""
ACCESS = {
    "network.bottleneck.delay": "16ms",
    "network.access": {"rate": "10Gbit/s", "delay": "1ms"},
}
"""Access links on both sides, with the round-trip time as it was."""


@dataclass(frozen=True)
class Cost:
    """Something that makes a workload more expensive."""

    says: str
    workload: str
    changes: dict[str, Any]
    variables: dict[str, str]
    wanted: float | None


COSTS = (
    *(
        Cost("default recording", name, RECORDING, {}, 1.15)
        for name in ("w1-one-reno", "w3-fifty-cubic", "w4-thousand-reno")
    ),
    Cost("access links", "w3-fifty-cubic", ACCESS, {}, 1.3),
    *(
        Cost("by events", name, {}, {"BY_EVENTS": "1"}, None)
        for name in (workload.name for workload in WORKLOADS)
        if name != "w6-wide-window"
    ),
)


def plans_of(cost: Cost) -> list[str]:
    """Return the workload's plan, and the plan with the change, as JSON."""
    scenario = next(workload for workload in WORKLOADS if workload.name == cost.workload).scenario
    return [json.dumps(variant.plan()) for variant in (scenario, scenario.replace(cost.changes))]


def measured(cost: Cost, engine: Path, rounds: int, on_core: int) -> dict[str, float]:
    """Return the median, least and largest ratio of the cost's rounds."""
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("plain", "changed")]
        for file, plan in zip(files, plans_of(cost), strict=True):
            file.write_text(plan)
        for _ in range(rounds):
            plain = pinned([str(engine), str(files[0])], on_core)
            variables = (f"{name}={value}" for name, value in cost.variables.items())
            changed = pinned(["env", *variables, str(engine), str(files[1])], on_core)
            times = [said["processor_us"] / said["delivered_packets"] for said in (plain, changed)]
            ratios.append(times[1] / times[0])
    return {"ratio": statistics.median(ratios), "least": min(ratios), "most": max(ratios)}


HEADINGS = ("what", "workload", "times the processor time", "wanted")


def cells(row: dict[str, Any]) -> list[str]:
    """Return the cells of a row as the terminal and the page show them."""
    return [
        row["what"],
        row["workload"].split("-")[0].upper(),
        f"{shown(row['ratio'])} ({shown(row['least'])} – {shown(row['most'])})",
        f"{row['wanted']}" if row["wanted"] else "",
    ]


def main() -> None:
    """Measure, show, record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=whole, default=5)
    parser.add_argument("--core", type=core, default=LAST_CORE)
    parser.add_argument("--only", default="", help="costs whose name contains this")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--record", action="store_true", help=f"keep them in {RECORDED.name}")
    options = parser.parse_args()
    if options.record and options.only:
        raise SystemExit("only a whole run is recorded: leave out --only")
    os.environ.pop("BY_EVENTS", None)
    engine, provenance = built_engine(), about()
    chosen = named([f"{cost.says}, {cost.workload}" for cost in COSTS], options.only)
    rows = []
    for cost in COSTS:
        if f"{cost.says}, {cost.workload}" not in chosen:
            continue
        row = {
            "what": cost.says,
            "workload": cost.workload,
            "wanted": cost.wanted,
            **measured(cost, engine, options.rounds, options.core),
        }
        rows.append(row)
        if not options.json:
            sys.stdout.write("   ".join(cells(row)) + "\n")
            sys.stdout.flush()
    if options.json:
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    if options.record:
        RECORDED.write_text(json.dumps({"about": provenance, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
