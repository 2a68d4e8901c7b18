"""Measures the cost of a congestion control in Python.

    python bench/python_cc.py [--rounds N] [--core N] [--json FILE]

Two Renos in Python, the avoidance of `scenarios/my_reno.py` and a whole controller, run against the
built-in Reno, whose run they repeat to the byte. They take turns, each in its own process on one
core, and each round gives a ratio of processor times.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from workloads import HERE, LAST_CORE, WORKLOADS, core, pinned, shown, whole

from ackclock import _core

BUILT_IN = "reno"
WRITTEN = {"avoidance": "python:my_reno:MyReno", "whole controller": "python:own_reno:Whole"}
"""Renos in Python by role. A whole controller is called more often, and its decision is read."""
FOLDERS = (HERE.parent / "scenarios", HERE.parent / "tests")
CHOSEN = ("w1-one-reno", "w3-fifty-cubic")
"""Workloads that run with each Reno in place of their own algorithm."""
TARGET = 3.0
"""Ratio to the processor time of the built-in Reno that is to be kept."""


def one(name: str, cc: str) -> None:
    """Run a workload with an algorithm in this process and print its processor time as JSON."""
    sys.path[:0] = [str(folder) for folder in FOLDERS]
    scenario = next(workload.scenario for workload in WORKLOADS if workload.name == name).replace(
        {"flows.cc": cc}
    )
    finder = scenario.finder
    _core.run(
        json.dumps(scenario.replace({"duration": "2s"}).plan()), None, finder
    )  # imports the class, warms the interpreter up
    plan = json.dumps(scenario.plan())
    began = time.process_time()
    run = _core.run(plan, None, finder)
    took = time.process_time() - began
    sys.stdout.write(
        json.dumps(
            {
                "seconds": took,
                "events": run.events,
                "acked": [flow["acked_bytes"] for flow in run.flows()],
            }
        )
        + "\n"
    )


def measure(rounds: int, core: int) -> list[dict[str, Any]]:
    """Run the workloads with each Reno in turn and return a row for each pair."""
    rows = []
    for name in CHOSEN:
        said: dict[str, list[dict[str, Any]]] = {cc: [] for cc in (BUILT_IN, *WRITTEN.values())}
        for _ in range(rounds):
            for cc, heard in said.items():
                heard.append(pinned([sys.executable, str(Path(__file__)), "--one", name, cc], core))
        for role, cc in WRITTEN.items():
            if any(said[cc][0][key] != said[BUILT_IN][0][key] for key in ("events", "acked")):
                raise SystemExit(
                    f"{cc} did not do in {name} what {BUILT_IN} does: the ratio would say nothing"
                )
            ratios = [
                mine["seconds"] / built_in["seconds"]
                for mine, built_in in zip(said[cc], said[BUILT_IN], strict=True)
            ]
            row = {
                "workload": name,
                "role": role,
                "cc": cc,
                "ratio": statistics.median(ratios),
                "least": min(ratios),
                "most": max(ratios),
            }
            seconds = {
                key: statistics.median(run["seconds"] for run in said[of])
                for key, of in (("built_in", BUILT_IN), ("python", cc))
            }
            rows.append(row | {"seconds": seconds, "target": TARGET})
    return rows


def table(rows: list[dict[str, Any]]) -> Table:
    """Return the rows as a table for the terminal."""
    shows = Table(
        title=f"Reno in Python: times the processor time of the built-in {BUILT_IN}, without traces"
    )
    for heading in (
        "workload",
        "written as",
        "built-in, s",
        "Python, s",
        "ratio",
        "of the rounds",
        "target",
    ):
        shows.add_column(
            heading, justify="left" if heading in {"workload", "written as"} else "right"
        )
    for row in rows:
        seconds = (shown(row["seconds"][key]) for key in ("built_in", "python"))
        spread = f"{row['least']:.2f} to {row['most']:.2f}"
        shows.add_row(
            row["workload"],
            row["role"],
            *seconds,
            f"{row['ratio']:.2f}",
            spread,
            f"{row['target']:.2f}",
        )
    return shows


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=whole, default=7)
    parser.add_argument("--core", type=core, default=LAST_CORE)
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    parser.add_argument("--one", nargs=2, metavar=("WORKLOAD", "CC"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(*options.one)
        return
    rows = measure(options.rounds, options.core)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    Console(width=max(Console().width, 110)).print(table(rows))


if __name__ == "__main__":
    main()
