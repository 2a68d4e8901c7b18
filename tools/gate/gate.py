"""Chooses the steps of a run, runs them and judges their time."""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from inputs import Inputs
from records import Records
from speed import Speed
from steps import Step, missing_packages, read_steps

ROOT = Path(__file__).parents[2]
TABLE = ROOT / ".ci/steps.toml"
RECORDS = ROOT / "bench/nightly.json"
GATE_SECONDS = 13 * 60
"""Seconds after which a gate begins no step that does not run in every gate.

Of the gate's 15 minutes two are left, for packages of Debian and a step that is slower than its
budget.
"""
SLACK = 1.5
"""A step may take this many times its budget: downloads and neighbours of a machine vary."""


@dataclass
class Row:
    """A step of this run, and what came of it."""

    step: Step
    reason: str
    """Why the step runs; empty: it does not."""
    note: str = ""
    seconds: float | None = None
    result: str = "not run"


def main(words: list[str] | None = None) -> int:
    """Run the steps that the arguments name; return the exit status."""
    asked = arguments(words)
    steps, reference = read_steps(TABLE)
    names = [step.name for step in steps]
    if unknown := [name for name in asked.only or () if name not in names]:
        print(f".ci/run: there is no step '{unknown[0]}': {', '.join(names)}", file=sys.stderr)
        return 2
    inputs, records = Inputs(ROOT), Records(RECORDS)
    rows = [choose(step, asked, inputs, records) for step in steps]
    if asked.plan:
        print(table(rows, factor=1.0))
        return 0
    install([row.step for row in rows if row.reason])
    speed = Speed(reference)
    print(f"speed: budgets count {speed.factor:.2f} times on this machine")
    begun = time.monotonic()
    is_gate = not asked.all and not asked.only
    failed = run_all(rows, speed, seconds=GATE_SECONDS if is_gate else math.inf)
    seconds = time.monotonic() - begun
    print(f"\n{table(rows, speed.factor)}")
    print(f"{seconds:.0f} s in all; the gate's budget is {gate_budget(steps) * speed.factor:.0f} s")
    if asked.record:
        for row in rows:
            if row.result == "ok" and not row.step.always:
                records.keep(row.step, inputs, row.seconds or 0.0)
        records.write(everything=asked.all and not failed)
    return 1 if failed else 0


def arguments(words: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog=".ci/run", description="Runs the steps of .ci/steps.toml."
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="run every step, also after a failure")
    which.add_argument("--only", nargs="+", metavar="NAME", help="run these steps")
    parser.add_argument("--plan", action="store_true", help="say what would run, and why")
    parser.add_argument(
        "--record", action="store_true", help="note green steps in bench/nightly.json"
    )
    return parser.parse_args(words)


def choose(step: Step, asked: argparse.Namespace, inputs: Inputs, records: Records) -> Row:
    """Decide whether a step runs."""
    if asked.only:
        return Row(step, "named" if step.name in asked.only else "")
    if step.always:
        return Row(step, "always")
    if asked.all:
        return Row(step, "--all")
    if step.night:
        return Row(step, "", note="each night")
    last = records.last(step)
    if last is None:
        return Row(step, "never recorded green")
    if last.inputs == inputs.digest(step.when):
        return Row(step, "", note=f"unchanged since {last.date} ({last.commit[:9]})")
    changed = inputs.first_change(step.when, last.commit)
    return Row(step, f"changed: {changed}" if changed else f"changed since {last.date}")


def gate_budget(steps: list[Step]) -> float:
    """Seconds that the steps of every gate may take together."""
    return sum(step.budget for step in steps if step.always)


def install(steps: list[Step]) -> None:
    """Install the Debian packages of these steps whose programs are missing."""
    missing = missing_packages(steps)
    if not missing:
        return
    print(f"installing {' '.join(missing)}", flush=True)
    admin = [] if os.geteuid() == 0 else ["sudo"]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*admin, "apt-get", "update", "-qq"], check=True, env=quiet)
    subprocess.run(
        [*admin, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing],
        check=True,
        env=quiet,
        stdout=subprocess.DEVNULL,
    )


def run_all(rows: list[Row], speed: Speed, seconds: float = math.inf) -> bool:
    """Run the chosen steps in order, and tell whether one failed.

    After a failure the other steps run all the same, so that all that is wrong is seen at once. A
    step that is due is left to the night if its budget does not fit into `seconds` any more: a
    change of many parts makes more steps due than a gate has time for.
    """
    failed = ended = False
    start = time.monotonic()
    for row in rows:
        if not row.reason:
            continue
        if ended:
            row.result = "not reached"
            continue
        expected = time.monotonic() - start + row.step.budget * speed.factor
        if not row.step.always and expected > seconds:
            row.result = "left to the night"
            continue
        print(f"\n== {row.step.name}: {row.step.what}", flush=True)
        begun = time.monotonic()
        status = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", row.step.run], cwd=ROOT
        ).returncode
        row.seconds = time.monotonic() - begun
        row.result = verdict(row, status, speed)
        failed |= row.result != "ok"
        ended |= status != 0 and row.step.ends
    return failed


def verdict(row: Row, status: int, speed: Speed) -> str:
    """Judge a step by its exit status and its time."""
    if status != 0:
        return f"FAILED (status {status})"
    seconds = row.seconds or 0.0
    if seconds <= SLACK * row.step.budget * speed.factor:
        return "ok"
    # The machine may have become slower since: a step is not blamed for that.
    speed.measure_again()
    most = SLACK * row.step.budget * speed.factor
    if seconds <= most:
        return "ok"
    return f"TOO SLOW: at most {most:.0f} s here"


def table(rows: list[Row], factor: float) -> str:
    """All steps with reason, seconds, budget and result, aligned."""
    lines = [("step", "seconds", "budget", "result", "why")]
    for row in rows:
        seconds = "" if row.seconds is None else f"{row.seconds:.0f}"
        result = row.result if row.reason else "skipped"
        if row.reason and row.result == "not run":
            result = "due"
        lines.append(
            (
                row.step.name,
                seconds,
                f"{row.step.budget * factor:.0f}",
                result,
                row.reason or row.note or "not asked for",
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "\n".join(
        f"{line[0]:<{widths[0]}}  {line[1]:>{widths[1]}}  {line[2]:>{widths[2]}}  "
        f"{line[3]:<{widths[3]}}  {line[4]}".rstrip()
        for line in lines
    )
