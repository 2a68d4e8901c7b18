"""What the benchmarks run: the scenarios in workloads/, by the engine alone."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ackclock.scenario import Scenario, load

__all__ = ["TRACED", "WORKLOADS", "Workload", "built_engine", "pinned", "shown"]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Workload:
    """A scenario, and what is asked of it."""

    name: str
    """The file, without its ending."""
    says: str
    """In a table's cell."""
    counted: tuple[float, float] | None = None
    """Between which simulated seconds instructions are counted; None: too many of them."""
    target: float | None = None
    """Delivered packets per second of one core that it is meant to reach."""
    record: str = "off"

    @cached_property
    def scenario(self) -> Scenario:
        """As it runs."""
        return load(str(HERE / "workloads" / f"{self.name}.toml")).replace({"record.samples": self.record})

    def plan(self, seconds: float | None = None) -> str:
        """What the engine takes, cut to so many seconds."""
        plan = self.scenario.plan()
        if seconds is not None:
            plan["duration_ps"] = round(seconds * 1e12)
        return json.dumps(plan)


WORKLOADS = (
    Workload("w1-one-reno", "1 reno, 100 Mbit/s", (5, 9), 6e6),
    Workload("w2-ten-bbr", "10 bbr, 10 Mbit/s", (30, 60), 6e6),
    Workload("w3-fifty-cubic", "50 cubic, 1 Gbit/s", (0.8, 1.2), 6e6),
    Workload("w4-thousand-reno", "1000 reno, 1 Gbit/s", (2, 2.4), 4e6),
    Workload("w5-twenty-thousand-cubic", "20,000 cubic, 10 Gbit/s", None, 3e6),
    Workload("w6-wide-window", "window of 100,000", None),
    Workload("w6-narrow-window", "the same, of 10", (20, 60)),
    Workload("w7-heavy-loss", "40 reno, 1.5 Mbit/s", (100, 300)),
    Workload("w8-parking-lot", "3 x 100 Mbit/s, fq_codel", (1, 2)),
)
TRACED = Workload("w1-one-reno", "the first, a row per ACK", (5, 9), record="changes")
"""What recording every change costs."""


def built_engine() -> Path:
    """The engine without Python, built."""
    said = subprocess.run(
        ["cargo", "build", "--release", "--locked", "--quiet", "-p", "ackclock-sim", "--example", "bench", "--message-format", "json"],
        check=True,
        capture_output=True,
        text=True,
        cwd=HERE.parent,
    ).stdout
    built = [json.loads(line) for line in said.splitlines()]
    return next(Path(each["executable"]) for each in built if each.get("executable"))


def pinned(command: list[str], core: int) -> dict[str, Any]:
    """What a program on one core says, a line of JSON among others (ns-2 prints what it likes)."""
    said = subprocess.run(["taskset", "--cpu-list", str(core), *command], check=True, capture_output=True, text=True).stdout
    found: dict[str, Any] = json.loads(next(line for line in said.splitlines() if line.startswith("{")))
    return found


def shown(value: float | None, digits: int = 3) -> str:
    """With so many digits that count."""
    from ackclock.results.text import MISSING, significant

    return MISSING if value is None else significant(value, digits)
